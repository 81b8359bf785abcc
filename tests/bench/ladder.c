/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ladder.h"
#include "shaders/palette/exact/walk/walk.h"
#include "test_shaders.h"

#include <math.h>
#include <string.h>

/* Distances of a dispatch, so that none takes long. */
#define TESTS_CPU (G_GUINT64_CONSTANT (1) << 24)
#define TESTS_GPU (G_GUINT64_CONSTANT (1) << 36)

/* Threads that take walkers by turns: about as many as large devices have room
 * for. */
#define PERSISTENT_THREADS (1u << 17)

/* Slots for visited places, so many that hardly any is far from where it is looked
 * for. */
#define SLOTS_PER_WALKER 64
#define MIN_TABLE_BITS 22
#define MAX_TABLE_BITS 24
#define NO_SLOT G_MAXUINT32
#define MAX_GROUPS 32768        /* along an axis */
#define THREADS 64u             /* of a workgroup */
#define EMPTY_TURNS 10
#define STAGE "ladder"

/* Bindings of ladder.comp. */
enum
{
  STARTS, SORTED, WEIGHTS, SUMS, ORDER, WALKERS, WORK, MASK, NEXT, COUNTS,
  VISITED, FOLLOW, PLACES, WAYS, BUFFERS
};

typedef struct
{
  guint32 steps, tests;
} Work;

struct _Ladder
{
  GpuStream *stream;
  const CellColours *colours;
  const CellGrid *grid;
  gboolean is_weighted;
  guint table_bits;
  guint32 *order;
  GpuBuffer *buffers[BUFFERS];
};

typedef struct
{
  GpuPaletteGridCells cells;
  guint32 n_points;
  guint32 first, end;
  gint32 radius_squared;
  gint32 reach;
  guint32 max_steps;
  guint32 table_bits;
} Push;

/* --- bytes to and from the device --- */

static gboolean
begin (Ladder * ladder, GError ** error)
{
  gpu_stream_time_next_frame (ladder->stream);
  gpu_stream_next_frame (ladder->stream);
  return gpu_stream_begin (ladder->stream, error);
}

static gboolean
finish (Ladder * ladder, GError ** error)
{
  return gpu_stream_submit (ladder->stream, NULL, error)
      && gpu_stream_wait_idle (ladder->stream, error);
}

static gboolean
upload (Ladder * ladder, guint binding, gconstpointer bytes, gsize size,
    GError ** error)
{
  g_autoptr (GpuBuffer) host =
      gpu_buffer_new (gpu_stream_get_device (ladder->stream), GPU_BUFFER_HOST,
      size, "ladder upload", error);

  if (!host)
    return FALSE;
  memcpy (gpu_buffer_get_data (host), bytes, size);
  if (!gpu_buffer_flush (host, error) || !begin (ladder, error))
    return FALSE;
  gpu_stream_copy (ladder->stream, host, 0, ladder->buffers[binding], 0, size);
  return finish (ladder, error);
}

/* Into @bytes. */
static gboolean
download (Ladder * ladder, guint binding, gpointer bytes, gsize size,
    GError ** error)
{
  g_autoptr (GpuBuffer) host =
      gpu_buffer_new (gpu_stream_get_device (ladder->stream), GPU_BUFFER_HOST,
      size, "ladder download", error);

  if (!host || !begin (ladder, error))
    return FALSE;
  gpu_stream_copy (ladder->stream, ladder->buffers[binding], 0, host, 0, size);
  if (!finish (ladder, error) || !gpu_buffer_invalidate (host, error))
    return FALSE;
  memcpy (bytes, gpu_buffer_get_data (host), size);
  return TRUE;
}

static gboolean
fill (Ladder * ladder, guint binding, guint32 word, GError ** error)
{
  GpuBuffer *buffer = ladder->buffers[binding];

  if (!begin (ladder, error))
    return FALSE;
  gpu_stream_fill (ladder->stream, buffer, 0, gpu_buffer_get_size (buffer),
      word);
  return finish (ladder, error);
}

/* --- the ladder --- */

static gboolean
make_buffer (Ladder * ladder, guint binding, gsize size, GError ** error)
{
  g_clear_pointer (&ladder->buffers[binding], gpu_buffer_unref);
  ladder->buffers[binding] =
      gpu_buffer_new (gpu_stream_get_device (ladder->stream),
      GPU_BUFFER_DEVICE, size, "ladder", error);
  return ladder->buffers[binding] != NULL;
}

static gboolean
make_buffers (Ladder * ladder, GError ** error)
{
  gsize n = ladder->colours->n;
  gsize slots = (gsize) 1 << ladder->table_bits;
  const gsize sizes[BUFFERS] = {
    [STARTS] = (ladder->grid->n_cells + 1) * sizeof (guint32),
    [SORTED] = n * sizeof (CellPoint),
    [WEIGHTS] = n * sizeof (guint32),
    [SUMS] = (n + 1) * sizeof (BinSums),
    [ORDER] = n * sizeof (guint32),
    [WALKERS] = n * sizeof (CellPoint),
    [WORK] = n * sizeof (Work),
    /* A word for each walker; one of a subgroup may be of none. */
    [MASK] = (n + 1) * sizeof (guint32),
    [NEXT] = (n + 1) * sizeof (guint32),
    [COUNTS] = LADDER_N_COUNTS * sizeof (guint32),
    [VISITED] = slots * sizeof (guint32),
    [FOLLOW] = slots * sizeof (guint32),
    [PLACES] = slots * sizeof (CellPoint),
    [WAYS] = n * sizeof (guint32),
  };

  for (guint i = 0; i < BUFFERS; i++)
    if (!make_buffer (ladder, i, sizes[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
upload_points (Ladder * ladder, GError ** error)
{
  const CellGrid *grid = ladder->grid;
  guint n = ladder->colours->n;

  return upload (ladder, STARTS, grid->starts,
      (grid->n_cells + 1) * sizeof *grid->starts, error)
      && upload (ladder, SORTED, grid->points, n * sizeof *grid->points, error)
      && upload (ladder, WEIGHTS, grid->weights, n * sizeof *grid->weights,
      error)
      && upload (ladder, SUMS, grid->sums, (n + 1) * sizeof *grid->sums, error)
      && upload (ladder, ORDER, ladder->order, n * sizeof *ladder->order,
      error);
}

/* A walker and where its cell is on the curve. */
typedef struct
{
  guint64 number;
  guint32 colour;
} Place;

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *p = a, *q = b;

  if (p->number != q->number)
    return p->number < q->number ? -1 : 1;
  return p->colour < q->colour ? -1 : 1;
}

static guint32 *
order_walkers (const CellColours * colours, const CellGrid * grid, Curve curve)
{
  guint size[] = { grid->cells.n_a, grid->cells.n_b, grid->cells.n_l };
  g_autofree guint64 *numbers = curve < CURVES ? curve_new (curve, size) : NULL;
  g_autofree Place *places = g_new (Place, colours->n);
  guint32 *order = g_new (guint32, colours->n);

  for (guint i = 0; i < colours->n; i++) {
    guint at[3];

    cell_grid_place (grid, colours->points[i], at);
    places[i].colour = i;
    places[i].number = !numbers ? 0
        : numbers[((gsize) at[1] * size[1] + at[2]) * size[2] + at[0]];
  }
  qsort (places, colours->n, sizeof *places, compare_places);
  for (guint i = 0; i < colours->n; i++)
    order[i] = places[i].colour;
  return order;
}

Ladder *
ladder_new (GpuStream * stream, const CellColours * colours,
    const CellGrid * grid, gboolean is_weighted, Curve curve, GError ** error)
{
  Ladder *ladder = g_new0 (Ladder, 1);

  ladder->stream = gpu_stream_ref (stream);
  ladder->colours = colours;
  ladder->grid = grid;
  ladder->is_weighted = is_weighted;
  ladder->table_bits = CLAMP (g_bit_storage (SLOTS_PER_WALKER *
          (guint64) colours->n), MIN_TABLE_BITS, MAX_TABLE_BITS);
  ladder->order = order_walkers (colours, grid, curve);
  if (make_buffers (ladder, error) && upload_points (ladder, error))
    return ladder;
  ladder_free (ladder);
  return NULL;
}

void
ladder_free (Ladder * ladder)
{
  for (guint i = 0; i < BUFFERS; i++)
    g_clear_pointer (&ladder->buffers[i], gpu_buffer_unref);
  gpu_stream_unref (ladder->stream);
  g_free (ladder->order);
  g_free (ladder);
}

/* --- passes --- */

static GpuKernel *
get_kernel (Ladder * ladder, const LadderWay * way, GError ** error)
{
  GpuDevice *device = gpu_stream_get_device (ladder->stream);
  const guint32 constants[] = {
    THREADS, gpu_device_get_info (device)->subgroup_size, way->search,
    ladder->is_weighted, way->shares, way->mask, way->is_persistent
  };

  return gpu_kernel_get (device, &gpu_shader_ladder, constants,
      G_N_ELEMENTS (constants), error);
}

static void
record_dispatch (Ladder * ladder, GpuKernel * kernel, const LadderWay * way,
    guint first, guint end)
{
  guint threads = way->is_persistent ? MIN (end - first, PERSISTENT_THREADS)
      : end - first;
  guint groups = (threads + THREADS - 1) / THREADS;
  guint rows = (groups + MAX_GROUPS - 1) / MAX_GROUPS;
  const Push push = {
    ladder->grid->cells, ladder->colours->n, first, end,
    ladder->colours->radius_squared,
    floor (sqrt (ladder->colours->radius_squared)), way->max_steps,
    ladder->table_bits
  };
  GpuDispatch dispatch = {.kernel = kernel, .push = &push};

  for (guint i = 0; i < BUFFERS; i++)
    dispatch.buffers[i] = ladder->buffers[i];
  gpu_stream_dispatch (ladder->stream, &dispatch, (groups + rows - 1) / rows,
      rows, 1);
}

/* Walkers that a dispatch may have, whole workgroups. */
static guint
get_most_walkers (Ladder * ladder, const LadderWay * way)
{
  GpuDevice *device = gpu_stream_get_device (ladder->stream);
  guint64 tests = gpu_device_is_slow (device) ? TESTS_CPU : TESTS_GPU;
  /* Of grids, that a ball holds a quarter of all points is more than enough. */
  guint64 each = (guint64) ladder->colours->n * way->max_steps
      / (way->search == LADDER_BRUTE_FORCE ? 1 : 4);

  return CLAMP (tests / MAX (each, 1), THREADS, 1u << 30)
      / THREADS * THREADS;
}

static void
get_pass_time (Ladder * ladder, LadderPass * pass)
{
  GpuTimings timings;

  gpu_stream_get_timings (ladder->stream, &timings);
  for (guint i = 0; i < timings.n_stages; i++)
    if (!strcmp (timings.stages[i].name, STAGE)) {
      pass->ms = timings.stages[i].total / 1e6;
      pass->longest = timings.stages[i].longest / 1e6;
    }
}

/* What a pass lets go on. */
typedef struct
{
  GpuKernel *kernel;
  const LadderWay *way;
  guint n;                      /* walkers */
  guint most;                   /* of these in a dispatch */
} Turn;

/* Counts how many walkers are not done. */
static gboolean
run_pass (Ladder * ladder, const Turn * turn, guint32 counts[LADDER_N_COUNTS],
    LadderPass * pass, GError ** error)
{
  GpuBuffer *buffer = ladder->buffers[COUNTS];

  if (!begin (ladder, error))
    return FALSE;
  gpu_stream_fill (ladder->stream, buffer, 0, LADDER_N_COUNTS * sizeof *counts,
      0);
  for (guint first = 0; first < turn->n; first += turn->most) {
    gpu_stream_fill (ladder->stream, buffer, LADDER_TAKEN * sizeof *counts,
        sizeof *counts, 0);
    gpu_stream_stage (ladder->stream, STAGE);
    record_dispatch (ladder, turn->kernel, turn->way, first,
        MIN (first + turn->most, turn->n));
    gpu_stream_stage (ladder->stream, "between");
  }
  if (!finish (ladder, error))
    return FALSE;
  get_pass_time (ladder, pass);
  return download (ladder, COUNTS, counts, LADDER_N_COUNTS * sizeof *counts,
      error);
}

/* --- a run --- */

static gboolean
reset (Ladder * ladder, const LadderWay * way, GError ** error)
{
  guint n = ladder->colours->n;

  return upload (ladder, WALKERS, ladder->colours->points,
      n * sizeof (CellPoint), error)
      && fill (ladder, WORK, 0, error)
      && fill (ladder, WAYS, NO_SLOT, error)
      && (way->mask == LADDER_LISTS
      ? upload (ladder, MASK, ladder->order, n * sizeof *ladder->order, error)
      : fill (ladder, MASK, G_MAXUINT32, error))
      && (!way->shares || (fill (ladder, VISITED, 0, error)
          && fill (ladder, FOLLOW, NEXT_UNKNOWN, error)));
}

static void
swap_lists (Ladder * ladder)
{
  GpuBuffer *list = ladder->buffers[MASK];

  ladder->buffers[MASK] = ladder->buffers[NEXT];
  ladder->buffers[NEXT] = list;
}

static gboolean
run_passes (Ladder * ladder, const LadderWay * way, LadderResult * result,
    GError ** error)
{
  Turn turn = {.kernel = get_kernel (ladder, way, error), .way = way,
    .n = ladder->colours->n, .most = get_most_walkers (ladder, way)};
  guint32 counts[LADDER_N_COUNTS] = {[LADDER_ACTIVE] = ladder->colours->n};

  if (!turn.kernel)
    return FALSE;
  while (counts[LADDER_ACTIVE] > 0) {
    LadderPass pass = { counts[LADDER_ACTIVE], 0, 0 };

    if (way->mask == LADDER_LISTS)
      turn.n = pass.active;
    if (!run_pass (ladder, &turn, counts, &pass, error))
      return FALSE;
    if (counts[LADDER_LOST] > 0) {
      g_set_error (error, GPU_ERROR, GPU_ERROR_FAILED,
          "%u walkers found no room among visited places", counts[LADDER_LOST]);
      return FALSE;
    }
    g_array_append_val (result->passes, pass);
    result->ms += pass.ms;
    result->longest = MAX (result->longest, pass.longest);
    if (way->mask == LADDER_LISTS)
      swap_lists (ladder);
  }
  return TRUE;
}

static gboolean
read_work (Ladder * ladder, LadderResult * result, GError ** error)
{
  guint n = ladder->colours->n;
  g_autofree Work *work = g_new (Work, n);

  if (!download (ladder, WORK, work, n * sizeof *work, error))
    return FALSE;
  result->steps_of = g_new (guint, n);
  for (guint i = 0; i < n; i++) {
    result->steps_of[i] = work[i].steps;
    result->steps += work[i].steps;
    result->tests += work[i].tests;
  }
  return TRUE;
}

/* Along what followed each visited place. */
static gboolean
follow_ways (Ladder * ladder, LadderResult * result, GError ** error)
{
  guint n = ladder->colours->n;
  gsize slots = (gsize) 1 << ladder->table_bits;
  g_autofree guint32 *ways = g_new (guint32, n);
  g_autofree guint32 *follow = g_new (guint32, slots);
  g_autofree CellPoint *places = g_new (CellPoint, slots);

  if (!download (ladder, WAYS, ways, n * sizeof *ways, error)
      || !download (ladder, FOLLOW, follow, slots * sizeof *follow, error)
      || !download (ladder, PLACES, places, slots * sizeof *places, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    guint32 slot = ways[i];

    while (follow[slot] != slot)
      slot = follow[slot];
    result->ends[i] = places[slot];
  }
  return TRUE;
}

static gboolean
read_ends (Ladder * ladder, const LadderWay * way, LadderResult * result,
    GError ** error)
{
  guint n = ladder->colours->n;

  result->ends = g_new (CellPoint, n);
  return way->shares ? follow_ways (ladder, result, error)
      : download (ladder, WALKERS, result->ends, n * sizeof *result->ends,
      error);
}

void
ladder_result_clear (LadderResult * result)
{
  g_clear_pointer (&result->passes, g_array_unref);
  g_clear_pointer (&result->steps_of, g_free);
  g_clear_pointer (&result->ends, g_free);
  *result = (LadderResult) {0};
}

gboolean
ladder_run (Ladder * ladder, const LadderWay * way, LadderResult * result,
    GError ** error)
{
  result->passes = g_array_new (FALSE, FALSE, sizeof (LadderPass));
  return reset (ladder, way, error)
      && run_passes (ladder, way, result, error)
      && read_work (ladder, result, error)
      && read_ends (ladder, way, result, error);
}

gboolean
ladder_run_empty (Ladder * ladder, const LadderWay * way, guint n,
    gdouble * ms, GError ** error)
{
  const Turn turn = {.kernel = get_kernel (ladder, way, error), .way = way,
    .n = n, .most = n};
  guint32 counts[LADDER_N_COUNTS];

  if (!turn.kernel || !make_buffer (ladder, MASK, n * sizeof (guint32), error)
      || !fill (ladder, MASK, 0, error))
    return FALSE;
  *ms = G_MAXDOUBLE;
  for (guint i = 0; i < EMPTY_TURNS; i++) {
    LadderPass pass = { 0, 0, 0 };

    if (!run_pass (ladder, &turn, counts, &pass, error))
      return FALSE;
    *ms = MIN (*ms, pass.ms);
  }
  return TRUE;
}
