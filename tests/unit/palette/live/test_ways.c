/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a way uphill can be: the proof of docs/internals/live.md, whose search this
 * repeats, and the limit of loops in bins.glsl that relies on it. */
#include <glib.h>
#include <sys/types.h>          /* uint, as in GLSL */
#include "shaders/palette/live/bins.h"

#define N 27                    /* a bin and its neighbours */

/* A set of bins is a bitmap. */
static guint neighbours[N], weight[N];

static void
fill_block (void)
{
  for (guint i = 0; i < N; i++) {
    gint x = i % 3, y = i / 3 % 3, z = i / 9;

    weight[i] = BIN_KERNEL - (x != 1) - (y != 1) - (z != 1);
    neighbours[i] = 0;
    for (guint j = 0; j < N; j++)
      if (j != i && ABS ((gint) (j % 3) - x) < 2
          && ABS ((gint) (j / 3 % 3) - y) < 2 && ABS ((gint) (j / 9) - z) < 2)
        neighbours[i] |= 1u << j;
  }
}

static gint
count (guint set)
{
  return __builtin_popcount (set);
}

/* Whether a bin of the set has more than two neighbours in it. */
static gboolean
branches (guint set)
{
  for (guint i = 0; i < N; i++)
    if ((set >> i & 1) && count (set & neighbours[i]) > 2)
      return TRUE;
  return FALSE;
}

/* Whether parts of ways are left: without ends, taken off again and again, nothing is. */
static gboolean
has_cycle (guint set)
{
  for (guint i = 0; i < N; i++)
    if ((set >> i & 1) && count (set & neighbours[i]) < 2)
      return has_cycle (set & ~(1u << i));
  return set != 0;
}

/* Returns the greatest weight of a set that consists of parts of ways, if it is greater than
 * @best: @set, with some of the bins from @next on, whose weights add up to @left. */
static guint
heaviest (guint set, guint next, guint sum, guint left, guint best)
{
  if (sum + left <= best || branches (set))
    return best;
  if (next == N)
    return has_cycle (set) ? best : sum;
  left -= weight[next];
  best = heaviest (set | 1u << next, next + 1, sum + weight[next], left, best);
  return heaviest (set, next + 1, sum, left, best);
}

static void
test_longest (void)
{
  guint64 most_weight = G_MAXUINT32 / BIN_KERNEL + 1, steps = 0, part;
  guint64 density = 0, step = PLATEAU_MOST + 1;

  fill_block ();
  part = heaviest (0, 0, 0, 54, 0);
  g_assert_cmpuint (part, ==, 16);
  for (; density < PLATEAU_PART * PLATEAU_MOST; steps++)
    density += density / PLATEAU_PART + 1;
  /* From here on, m steps add up to step · m² / 2 at least. */
  for (guint64 m = 0; step * m * m / 2 <= part * most_weight; m++)
    steps++;
  g_assert_cmpuint (steps, <, MOST_STEPS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ways/longest", test_longest);
  return g_test_run ();
}
