/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette's set of visited points. Who finds room in it depends on how
 * threads raced; what has to hold of any race is checked on the CPU. */
#include "gpu/core/stream/stream.h"
#include "gpu_fixture.h"
#include "shaders/palette/exact/walk/walk.h"
#include "test_shaders.h"

#include <string.h>

#define GROUP 64                /* threads of a workgroup */
#define VISITORS 4              /* threads that visit the same point */
#define NO_SLOT G_MAXUINT32
#define MAX_DISTANCES 15

typedef struct
{
  guint32 x, y;                 /* 32 and 17 bits */
} Point;

typedef struct
{
  guint32 slot, is_new;
  Point back;                   /* as read out of the slot */
} Answer;

typedef struct
{
  guint table_bits;
  guint distances;              /* slots that are looked at for a point */
  GRand *random;
  GHashTable *known;            /* keys of points, so that none comes twice */
  GArray *points, *homes;       /* those to be visited, then others */
  guint n_visited;

  guint32 *slots;               /* of the visited points, as visit said */
  GHashTable *owners;           /* slots that are some point's */
} Set;

/* --- points with a known home --- */

static guint32
scramble (guint32 x)
{
  x ^= x >> 16;
  x *= 0x85ebca6b;
  x ^= x >> 13;
  x *= 0xc2b2ae35;
  x ^= x >> 16;
  return x;
}

/* As in visited.glsl: only so is it known which points collide. What is
 * checked does not depend on it, beyond where a point's probing starts. */
static Point
permute_back (Point point)
{
  point.x ^= scramble (point.y ^ 0x7f4a7c15);
  point.y ^= scramble (point.x) & 0x1ffff;
  point.x ^= scramble (point.y + 0x9e3779b9);
  return point;
}

static void
add_point (Set * set, guint32 home, guint32 remainder)
{
  Point permuted = {
    home << (32 - set->table_bits) | remainder >> 17, remainder & 0x1ffff
  };
  Point point = permute_back (permuted);
  gint64 key = (gint64) point.y << 32 | point.x;

  g_assert_true (g_hash_table_add (set->known, g_memdup2 (&key, sizeof key)));
  g_array_append_val (set->points, point);
  g_array_append_val (set->homes, home);
}

static void
add_random (Set * set, guint n)
{
  guint remainder_bits = 49 - set->table_bits;

  for (guint i = 0; i < n; i++) {
    guint32 home = g_rand_int (set->random) >> (32 - set->table_bits);

    add_point (set, home, g_rand_int (set->random) >> (32 - remainder_bits));
  }
}

/* Homes next to each other, each with the same remainders. Only distances
 * tell such points apart where they lie in one another's homes, and small
 * remainders are those that a distance of too many bits runs into. */
static void
add_crowd (Set * set, guint32 first_home, guint n_homes,
    guint32 first_remainder, guint n_remainders)
{
  for (guint r = 0; r < n_remainders; r++)
    for (guint h = 0; h < n_homes; h++)
      add_point (set, first_home + h, first_remainder + r);
}

/* Homes of crowds; the last one's slots go on at the table's beginning. More
 * points than slots that are looked at for them. Random points may come
 * between. */
#define SINGLE 1000
#define SINGLE_POINTS (3 * MAX_DISTANCES)
#define PACKED 5000
#define PACKED_HOMES 300
#define PACKED_POINTS 6         /* of each home */
#define LAST_HOMES 3
#define LAST(set) ((1u << (set)->table_bits) - LAST_HOMES)
#define LAST_POINTS 8

static void
add_points (Set * set)
{
  add_crowd (set, SINGLE, 1, 0, SINGLE_POINTS);
  add_crowd (set, LAST (set), LAST_HOMES, 0, LAST_POINTS);
  add_crowd (set, PACKED, PACKED_HOMES, 0, PACKED_POINTS);
  add_random (set, 4000);
  set->n_visited = set->points->len;
  /* Nobody visits these. */
  add_crowd (set, SINGLE, 1, SINGLE_POINTS, 10);
  add_crowd (set, LAST (set), LAST_HOMES, LAST_POINTS, 10);
  add_crowd (set, PACKED, PACKED_HOMES, PACKED_POINTS, 2);
  add_random (set, 1000);
}

/* --- running --- */

static GpuBuffer *
new_buffer (GpuBufferKind kind, gsize size)
{
  return OK (gpu_buffer_new (gpu_fixture_device (), kind, size, "test",
          &error));
}

static GpuBuffer *
upload (const Point * points, guint n)
{
  GpuBuffer *buffer = new_buffer (GPU_BUFFER_HOST, n * sizeof *points);

  memcpy (gpu_buffer_get_data (buffer), points, n * sizeof *points);
  gpu_buffer_flush (buffer, NULL);
  return buffer;
}

/* Those who visit the same point are neighbours in two workgroups that follow
 * each other, of which the second takes its points backwards. */
static guint
visited_by (const Set * set, guint thread)
{
  guint of_group = GROUP * 2 / VISITORS;
  guint group = thread / GROUP, i = thread % GROUP * of_group / GROUP;

  if (group % 2 == 1)
    i = of_group - 1 - i;
  return (group / 2 * of_group + i) % set->n_visited;
}

static guint
count_visits (const Set * set)
{
  return (set->n_visited * VISITORS / GROUP + 2) * GROUP;
}

static GpuBuffer *
upload_visits (const Set * set)
{
  guint n = count_visits (set);
  g_autofree Point *visits = g_new (Point, n);

  for (guint i = 0; i < n; i++)
    visits[i] = g_array_index (set->points, Point, visited_by (set, i));
  return upload (visits, n);
}

/* The set on the device: of each slot, its point and what follows it. */
typedef struct
{
  GpuBuffer *visited, *follow;
} Table;

static void
record (GpuStream * stream, const Set * set, const Table * table,
    GpuBuffer * points, GpuBuffer * answers, gboolean is_visiting)
{
  GpuKernel *kernel =
      OK (gpu_kernel_get (gpu_fixture_device (), &gpu_shader_visited, NULL, 0,
          &error));
  guint32 n = gpu_buffer_get_size (points) / sizeof (Point);
  const GpuDispatch visit = {
    .kernel = kernel,
    .buffers = {
      [VISITED_POINTS] = points,
      [VISITED_VISITED] = table->visited,
      [VISITED_ANSWERS] = answers,
      [VISITED_FOLLOW] = table->follow,
    },
    .push = &(GpuVisitedPush) {n, set->table_bits, is_visiting},
  };

  gpu_stream_dispatch (stream, &visit, (n + GROUP - 1) / GROUP, 1, 1);
}

typedef struct
{
  GpuBuffer *visits, *finds;    /* Answer per thread, and per point */
  GpuBuffer *table;
} Results;

static Results
run (const Set * set)
{
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (gpu_fixture_device (), 1, "test", &error));
  gsize size = (gsize) 4 << set->table_bits;
  g_autoptr (GpuBuffer) visited = new_buffer (GPU_BUFFER_DEVICE, size);
  g_autoptr (GpuBuffer) follow = new_buffer (GPU_BUFFER_DEVICE, size);
  const Table table = { visited, follow };
  g_autoptr (GpuBuffer) visits = upload_visits (set);
  g_autoptr (GpuBuffer) points =
      upload ((const Point *) set->points->data, set->points->len);
  Results results = {
    new_buffer (GPU_BUFFER_HOST, count_visits (set) * sizeof (Answer)),
    new_buffer (GPU_BUFFER_HOST, set->points->len * sizeof (Answer)),
    new_buffer (GPU_BUFFER_HOST, size)
  };

  OK (gpu_stream_begin (stream, &error));
  gpu_stream_fill (stream, visited, 0, size, 0);
  gpu_stream_fill (stream, follow, 0, size, NEXT_UNKNOWN);
  record (stream, set, &table, visits, results.visits, TRUE);
  record (stream, set, &table, points, results.finds, FALSE);
  gpu_stream_copy (stream, visited, 0, results.table, 0, size);
  OK (gpu_stream_submit (stream, NULL, &error));
  OK (gpu_stream_wait_idle (stream, &error));
  gpu_buffer_invalidate (results.visits, NULL);
  gpu_buffer_invalidate (results.finds, NULL);
  gpu_buffer_invalidate (results.table, NULL);
  return results;
}

/* --- what has to hold --- */

/* All who visit a point are told the same, and one of them that it is the first to
 * claim it; where there was no room, all of them. */
static void
check_visits (Set * set, const Answer * answers)
{
  guint n = count_visits (set);
  g_autofree guint *visits = g_new0 (guint, set->n_visited);
  g_autofree guint *news = g_new0 (guint, set->n_visited);

  for (guint i = 0; i < n; i++) {
    guint point = visited_by (set, i);

    if (visits[point]++ == 0)
      set->slots[point] = answers[i].slot;
    g_assert_cmpuint (answers[i].slot, ==, set->slots[point]);
    news[point] += answers[i].is_new;
  }
  for (guint i = 0; i < set->n_visited; i++) {
    g_assert_cmpuint (visits[i], >=, VISITORS);
    g_assert_cmpuint (news[i], ==, set->slots[i] == NO_SLOT ? visits[i] : 1);
  }
}

/* No two points have the same slot, and no slot is taken that nobody has. */
static void
check_owners (Set * set, const guint32 * table)
{
  gsize n_taken = 0;

  for (guint i = 0; i < set->n_visited; i++) {
    guint32 slot = set->slots[i];

    if (slot == NO_SLOT)
      continue;
    g_assert_cmpuint (slot, <, 1u << set->table_bits);
    g_assert_cmpuint (table[slot], !=, 0);
    g_assert_true (g_hash_table_add (set->owners, GUINT_TO_POINTER (slot)));
  }
  for (gsize i = 0; i < (gsize) 1 << set->table_bits; i++)
    n_taken += table[i] != 0;
  g_assert_cmpuint (n_taken, ==, g_hash_table_size (set->owners));
}

/* A point is in the first slot from its home on that nobody else has, and in
 * none only if all that are looked at are taken. */
static void
check_probing (Set * set, const guint32 * table)
{
  guint32 mask = (1u << set->table_bits) - 1;

  for (guint i = 0; i < set->n_visited; i++) {
    guint32 home = g_array_index (set->homes, guint32, i);
    guint32 distance = set->slots[i] == NO_SLOT ? set->distances
        : (set->slots[i] - home) & mask;

    if (set->slots[i] != NO_SLOT)
      g_assert_cmpuint (distance, <, set->distances);
    for (guint32 d = 0; d < distance; d++)
      g_assert_cmpuint (table[(home + d) & mask], !=, 0);
  }
}

static void
check_finds (const Set * set, const Answer * answers)
{
  for (guint i = 0; i < set->points->len; i++) {
    Point point = g_array_index (set->points, Point, i);
    guint32 slot = i < set->n_visited ? set->slots[i] : NO_SLOT;

    g_assert_cmpuint (answers[i].slot, ==, slot);
    if (slot == NO_SLOT)
      continue;
    g_assert_cmpuint (answers[i].back.x, ==, point.x);
    g_assert_cmpuint (answers[i].back.y, ==, point.y);
  }
}

/* That the crowds are where they should be: otherwise nothing of the above
 * would look at a table's end, or at what happens without room. */
static void
check_crowds (const Set * set)
{
  guint n_without = 0, n_wrapped = 0;

  for (guint i = 0; i < SINGLE_POINTS; i++)
    n_without += set->slots[i] == NO_SLOT;
  for (guint i = 0; i < LAST_HOMES * LAST_POINTS; i++)
    n_wrapped += set->slots[SINGLE_POINTS + i] < MAX_DISTANCES;
  /* Random points may have taken a slot or two. */
  g_assert_cmpuint (n_without, >=, SINGLE_POINTS - set->distances);
  if (set->distances > 1)
    g_assert_cmpuint (n_wrapped, >=, set->distances / 2);
}

static void
set_init (Set * set, guint table_bits)
{
  *set = (Set) {.table_bits = table_bits,
    .distances = MIN ((1u << (table_bits - 17)) - 1, MAX_DISTANCES),
    .random = g_rand_new_with_seed (table_bits),
    .known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
    .points = g_array_new (FALSE, FALSE, sizeof (Point)),
    .homes = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .owners = g_hash_table_new (NULL, NULL)};
  add_points (set);
  set->slots = g_new (guint32, set->n_visited);
}

static void
set_clear (Set * set)
{
  g_rand_free (set->random);
  g_hash_table_unref (set->known);
  g_array_unref (set->points);
  g_array_unref (set->homes);
  g_hash_table_unref (set->owners);
  g_free (set->slots);
}

static void
check_set (guint table_bits)
{
  Set set;
  Results results;
  const guint32 *table;

  set_init (&set, table_bits);
  results = run (&set);
  table = gpu_buffer_get_data (results.table);
  check_visits (&set, gpu_buffer_get_data (results.visits));
  check_owners (&set, table);
  check_probing (&set, table);
  check_finds (&set, gpu_buffer_get_data (results.finds));
  check_crowds (&set);
  gpu_buffer_unref (results.visits);
  gpu_buffer_unref (results.finds);
  gpu_buffer_unref (results.table);
  set_clear (&set);
}

static void
test_set (gconstpointer data)
{
  guint table_bits = GPOINTER_TO_UINT (data);
  GpuDevice *device = gpu_fixture_device ();

  if (!device)
    g_test_skip ("no device");
  else if (gpu_device_get_info (device)->max_binding < (gsize) 4 << table_bits)
    g_test_skip ("the device binds no buffer of this size");
  else
    check_set (table_bits);
}

int
main (int argc, char **argv)
{
  /* One slot per home; what frames get, and the most that is possible. */
  const guint table_bits[] = { 18, 22, 23, 24, 25 };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (table_bits); i++) {
    g_autofree gchar *path = g_strdup_printf ("/visited/%u", table_bits[i]);

    g_test_add_data_func (path, GUINT_TO_POINTER (table_bits[i]), test_set);
  }
  return gpu_fixture_run_tests ();
}
