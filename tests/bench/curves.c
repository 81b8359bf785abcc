/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cell_grid.h"

#include <stdlib.h>

const gchar *
curve_get_name (Curve curve)
{
  static const gchar *names[CURVES] = { "straight", "hilbert", "gilbert" };

  return names[curve];
}

static gsize
cell_index (const guint size[3], guint x, guint y, guint z)
{
  return ((gsize) x * size[1] + y) * size[2] + z;
}

/* --- Hilbert --- */

/* Undoes the exchanges and reflections of the curve from the coarsest level to the
 * finest, then Gray's code: what is left are the bits of the number along the curve,
 * those of one level in one bit of all three. */
static void
untangle (guint at[3], guint bits)
{
  guint flip = 0;

  for (guint bit = bits - 1; bit > 0; bit--) {
    guint below = (1u << bit) - 1;

    for (guint axis = 0; axis < 3; axis++)
      if (at[axis] >> bit & 1) {
        at[0] ^= below;
      } else {
        guint exchanged = (at[0] ^ at[axis]) & below;

        at[0] ^= exchanged;
        at[axis] ^= exchanged;
      }
  }
  at[1] ^= at[0];
  at[2] ^= at[1];
  for (guint bit = bits - 1; bit > 0; bit--)
    if (at[2] >> bit & 1)
      flip ^= (1u << bit) - 1;
  for (guint axis = 0; axis < 3; axis++)
    at[axis] ^= flip;
}

static guint64
hilbert_number (guint x, guint y, guint z, guint bits)
{
  guint at[] = { x, y, z };
  guint64 number = 0;

  untangle (at, bits);
  for (guint bit = bits; bit-- > 0;)
    for (guint axis = 0; axis < 3; axis++)
      number = number << 1 | (at[axis] >> bit & 1);
  return number;
}

static void
fill_hilbert (guint64 * numbers, const guint size[3])
{
  guint most = MAX (MAX (size[0], size[1]), size[2]);
  guint bits = MAX (g_bit_storage (most - 1), 1);

  for (guint x = 0; x < size[0]; x++)
    for (guint y = 0; y < size[1]; y++)
      for (guint z = 0; z < size[2]; z++)
        numbers[cell_index (size, x, y, z)] = hilbert_number (x, y, z, bits);
}

/* --- Gilbert --- */

/* x, y, z and nothing. */
typedef gint Vector __attribute__((vector_size (16)));

typedef struct
{
  guint64 *numbers;
  const guint *size;
  guint64 n;
} Path;

/* Of vectors along an axis. */
static guint
length (Vector a)
{
  return abs (a[0] + a[1] + a[2]);
}

static Vector
unit (Vector a)
{
  return a / (gint) MAX (length (a), 1);
}

/* Half of it; of an even length where it is longer than two. */
static Vector
half_of (Vector a)
{
  Vector half = a >> 1;

  return length (half) % 2 != 0 && length (a) > 2 ? half + unit (a) : half;
}

static void
walk_line (Path * path, Vector at, Vector along)
{
  for (guint i = 0; i < length (along); i++) {
    path->numbers[cell_index (path->size, at[0], at[1], at[2])] = path->n++;
    at += unit (along);
  }
}

/* Through the box that a, b and c span from @at: from there to the end of a. Parts
 * of it are boxes again, each from where the one before ended. */
static void
walk_box (Path * path, Vector at, Vector a, Vector b, Vector c)
{
  guint w = length (a), h = length (b), d = length (c);
  Vector a2 = half_of (a), b2 = half_of (b), c2 = half_of (c);
  Vector last_a = at + a - unit (a), last_c = c - unit (c);
  Vector last_b2 = b2 - unit (b);

  if (h == 1 && d == 1) {
    walk_line (path, at, a);
  } else if (w == 1 && d == 1) {
    walk_line (path, at, b);
  } else if (w == 1 && h == 1) {
    walk_line (path, at, c);
  } else if (2 * w > 3 * h && 2 * w > 3 * d) {
    walk_box (path, at, a2, b, c);
    walk_box (path, at + a2, a - a2, b, c);
  } else if (3 * h > 4 * d) {
    walk_box (path, at, b2, c, a2);
    walk_box (path, at + b2, a, b - b2, c);
    walk_box (path, last_a + b2 - unit (b2), -b2, c, a2 - a);
  } else if (3 * d > 4 * h) {
    walk_box (path, at, c2, a2, b);
    walk_box (path, at + c2, a, b, c - c2);
    walk_box (path, last_a + c2 - unit (c2), -c2, a2 - a, b);
  } else {
    walk_box (path, at, b2, c2, a2);
    walk_box (path, at + b2, c, a2, b - b2);
    walk_box (path, at + last_b2 + last_c, a, -b2, c2 - c);
    walk_box (path, last_a + b2 + last_c, -c, a2 - a, b - b2);
    walk_box (path, last_a + last_b2, -b2, c2, a2 - a);
  }
}

static void
fill_gilbert (guint64 * numbers, const guint size[3])
{
  Path path = { numbers, size, 0 };
  Vector at = { 0 }, x = { size[0] }, y = { 0, size[1] }, z = { 0, 0, size[2] };

  if (size[0] >= size[1] && size[0] >= size[2])
    walk_box (&path, at, x, y, z);
  else if (size[1] >= size[0] && size[1] >= size[2])
    walk_box (&path, at, y, x, z);
  else
    walk_box (&path, at, z, x, y);
}

/* --- all --- */

guint64 *
curve_new (Curve curve, const guint size[3])
{
  gsize n = (gsize) size[0] * size[1] * size[2];
  guint64 *numbers = g_new (guint64, n);

  switch (curve) {
    case CURVE_HILBERT:
      fill_hilbert (numbers, size);
      break;
    case CURVE_GILBERT:
      fill_gilbert (numbers, size);
      break;
    default:
      for (gsize i = 0; i < n; i++)
        numbers[i] = i;
  }
  return numbers;
}
