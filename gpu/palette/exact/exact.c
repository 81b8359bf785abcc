/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The map of quality EXACT, by colour. For each frame: count colours; convert them to lattice
 * points and compare them with those of the frame before; wait for their number; if something
 * changed, put the points into a grid, walk, and convert the fixed points to colours; look up
 * the output colour of every pixel. */
#include "exact.h"
#include "gpu/core/compute/pixels.h"

#include <math.h>
#include <string.h>

/* Words of the hash table of fixed points for each colour: it is half full at most. */
#define WORDS_PER_FIXED_POINT 2u

/* The side of cells that are marked is between a quarter and an eighth of the radius,
 * but at least 2^LEAST_CELL_SHIFT lattice units, so that few of them share a mark. */
#define CELLS_PER_RADIUS_LOG2 2
#define LEAST_CELL_SHIFT 7u

/* The set of visited points fills up with points that no walk reaches any more. It is
 * emptied if more than one walker in LEAST_SHARING found no room; but not if it was
 * empty when the frame began. */
#define LEAST_SHARING 32

/* The first words of the control buffer serve as struct PaletteChanged. */
G_STATIC_ASSERT (CONTROL_CHANGED_PIXELS * 4
    == offsetof (struct PaletteChanged, pixels));
G_STATIC_ASSERT (CONTROL_SET_CHANGED * 4
    == offsetof (struct PaletteChanged, presence));

/* --- building --- */

static void
exact_free (GpuPaletteMap * parent)
{
  GpuPaletteExact *exact = (GpuPaletteExact *) parent;

  gpu_palette_exact_drop_walks (exact);
  g_clear_pointer (&exact->top_scan, gpu_scan_free);
  gpu_palette_clear_arrays (GPU_PALETTE_BUFFERS_OF (exact->buffers.owned));
  gpu_palette_histogram_clear (&exact->histogram);
  g_free (exact);
}

/* Requests the kernels that every frame needs. */
static gboolean
request_kernels (GpuPaletteExact * exact, const GpuPaletteFormat * format,
    GError ** error)
{
  guint32 constants[FORMAT_CONSTANTS];
  const GpuKernelWanted kernels[] = {
    {&exact->kernels.list, &gpu_shader_palette_list},
    {&exact->kernels.lattice, &gpu_shader_palette_lattice},
    {&exact->kernels.apply, &gpu_shader_palette_apply, constants,
        FORMAT_CONSTANTS},
  };

  gpu_pixels_get_constants (exact->device, format->in, format->out,
      &format->yuv, constants);
  return gpu_kernels_request (exact->device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error);
}

/* Requests the kernels that frames with new colours need, if it has not. */
static gboolean
request_solving_kernels (GpuPaletteExact * exact, GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&exact->kernels.bin, &gpu_shader_palette_bin},
    {&exact->kernels.sort, &gpu_shader_palette_sort},
    {&exact->kernels.sum_blocks, &gpu_shader_palette_sum_blocks},
    {&exact->kernels.sum_points, &gpu_shader_palette_sum_points},
    {&exact->kernels.seed, &gpu_shader_palette_seed},
    {&exact->kernels.round, &gpu_shader_palette_round},
    {&exact->kernels.enter, &gpu_shader_palette_enter},
    {&exact->kernels.group, &gpu_shader_palette_group},
    {&exact->kernels.order, &gpu_shader_palette_order},
    {&exact->kernels.empty, &gpu_shader_palette_empty},
    {&exact->kernels.follow, &gpu_shader_palette_follow},
    {&exact->kernels.paint, &gpu_shader_palette_paint},
    {&exact->kernels.compare, &gpu_shader_palette_compare},
    {&exact->kernels.invalidate, &gpu_shader_palette_invalidate},
  };

  return exact->kernels.invalidate || (gpu_kernels_request (exact->device,
          kernels, 4, GPU_KERNEL_SOON, error)
      && gpu_palette_walk_init (exact, error)
      && gpu_kernels_request (exact->device, kernels + 4,
          G_N_ELEMENTS (kernels) - 4, GPU_KERNEL_SOON, error));
}

static GpuPaletteMap *
exact_create (GpuDevice * device, const GpuPaletteFormat * format,
    GpuPaletteMap * old, GError ** error)
{
  GpuPaletteExact *exact = g_new0 (GpuPaletteExact, 1);
  GpuPaletteExactBuffers *buffers = &exact->buffers;

  if (old)
    exact_free (old);
  exact->parent.type = &gpu_palette_exact;
  exact->device = device;
  exact->width = format->width;
  exact->height = format->height;
  exact->max_colours =
      MIN (format->width * format->height, GPU_PALETTE_ALL_COLOURS);
  if (!gpu_palette_exact_make_buffers (exact, error)
      || !gpu_palette_histogram_init (&exact->histogram, format,
          GPU_PALETTE_COUNT_FRAMES, buffers->blocks, buffers->control, error)
      || !request_kernels (exact, format, error)) {
    exact_free (&exact->parent);
    return NULL;
  }
  buffers->counts = exact->histogram.counts;
  buffers->presence = exact->histogram.presence;
  return &exact->parent;
}

static gsize
exact_get_memory (GpuPaletteMap * parent)
{
  return gpu_palette_exact_get_memory ((GpuPaletteExact *) parent);
}

static gboolean
exact_prepare (GpuPaletteMap * parent, const GpuPaletteSettings * settings,
    GError ** error)
{
  return !settings->counts_pixels
      || gpu_palette_top_outputs_init ((GpuPaletteExact *) parent, error);
}

/* --- control buffer --- */

static void
tell_progress (const GpuPaletteExact * exact)
{
  const GpuPaletteListener *listener = &exact->context->listener;
  const GpuPaletteSolve *solve = &exact->solve;

  if (listener->progress && solve->n_left > 0)
    listener->progress (solve->n - solve->n_left, solve->n, listener->data);
}

gboolean
gpu_palette_exact_read_control (GpuPaletteExact * exact, GError ** error)
{
  const GpuPaletteExactBuffers *buffers = &exact->buffers;

  gpu_stream_copy (exact->stream, buffers->control, 0, buffers->readback, 0,
      sizeof exact->solve.control);
  if (!gpu_stream_go_on (exact->stream, error)
      || !gpu_buffer_invalidate (buffers->readback, error))
    return FALSE;
  memcpy (exact->solve.control, gpu_buffer_get_data (buffers->readback),
      sizeof exact->solve.control);
  tell_progress (exact);
  return TRUE;
}

/* --- counting --- */

/* Records the list of present colours in the blocks whose workgroup counts are at
 * @groups_at. */
static void
record_list (GpuPaletteExact * exact, gsize groups_at)
{
  const GpuSlicerItems words =
      gpu_palette_histogram_words (&exact->histogram, exact->room);

  gpu_stream_stage (exact->stream, "palette-list");
  gpu_palette_histogram_run (&exact->histogram, exact->context,
      &GPU_PALETTE_DISPATCH (exact, list, PALETTE_LIST_BUFFERS), &words,
      groups_at);
}

gboolean
gpu_palette_exact_count (GpuPaletteExact * exact, GpuPaletteContext * context,
    const GpuFrame * in, GError ** error)
{
  GpuPaletteHistogram *histogram = &exact->histogram;
  GpuPaletteWeighting weighting = context->settings->making.weighting;
  guint least = gpu_palette_get_least_frequency (context->settings);
  gboolean lists_all = weighting != exact->weighting || least != exact->least;
  const GpuPixelsBound pixels = {
    .in = &in->info,
    .arrays = 1 << PALETTE_COUNT_NUMBERS,
    .least_alpha = context->settings->counting.least_alpha
  };

  exact->context = context;
  exact->stream = context->slicer.stream;
  exact->solve = (GpuPaletteSolve) {0};
  gpu_stream_fill (exact->stream, exact->buffers.control, 0, CONTROL_WORDS * 4,
      0);
  gpu_stream_stage (exact->stream, "palette-count");
  gpu_palette_histogram_begin (histogram, context);
  exact->max_colours = MIN (histogram->window.n_pixels * histogram->window.room,
      GPU_PALETTE_ALL_COLOURS);
  if (!gpu_palette_histogram_add (histogram, context, in->buffer, &pixels,
          exact->recount ? exact->room : 0, error))
    return FALSE;
  exact->buffers.numbers = histogram->window.frames[0];
  exact->weighting = weighting;
  exact->least = least;
  gpu_stream_stage (exact->stream, "palette-list");
  gpu_palette_histogram_rank (histogram, context, lists_all);
  record_list (exact, GPU_PALETTE_BLOCKS_AT (dispatches.list_groups));
  exact->recount = FALSE;
  return TRUE;
}

gboolean
gpu_palette_exact_read_count (GpuPaletteExact * exact, GError ** error)
{
  GpuPaletteSolve *solve = &exact->solve;
  GpuPaletteReport *report = exact->context->report;
  guint64 n_pixels = (guint64) exact->width * exact->height;

  gpu_stream_copy (exact->stream, exact->buffers.blocks,
      GPU_PALETTE_BLOCKS_AT (n_colours), exact->buffers.control,
      CONTROL_COLOURS * 4, 4);
  if (!gpu_palette_exact_read_control (exact, error))
    return FALSE;
  solve->n = solve->control[CONTROL_COLOURS];
  report->counted.colours = solve->n;
  if (exact->histogram.was_replaced)
    report->counted.changed_pixels = solve->control[CONTROL_CHANGED_PIXELS];
  /* By difference, each changed pixel takes two atomic additions. Anew, each pixel takes
   * one, and each colour is cleared. The next frame is assumed to change as many pixels as
   * the last one. */
  exact->recount =
      2 * (guint64) report->counted.changed_pixels > n_pixels + solve->n;
  return TRUE;
}

/* Records @dispatch over the listed colours, by rank. Without @always, it is skipped on
 * the device if no count changed. */
static void
run_over_colours (GpuPaletteExact * exact,
    const GpuDispatch * dispatch, gboolean always)
{
  GpuSlicerItems colours = exact->histogram.items;
  const GpuSlicerGroups groups = {
    exact->buffers.blocks, always ? GPU_PALETTE_BLOCKS_AT (colour_groups)
        : GPU_PALETTE_BLOCKS_AT (dispatches.convert_groups)
  };

  colours.bound = exact->room;
  gpu_slicer_run_indirect (&exact->context->slicer, dispatch, &colours, groups);
}

/* --- lattice points --- */

void
gpu_palette_exact_convert (GpuPaletteExact * exact, gboolean always)
{
  GpuPaletteSolve *solve = &exact->solve;
  gdouble radius = exact->context->settings->making.radius;
  const GpuDispatch convert = {
    exact->kernels.lattice, PALETTE_LATTICE_BUFFERS (&exact->buffers),
    &(GpuPaletteLatticePush) {
      .shift = gpu_palette_lattice_shift (radius),
    },
  };

  solve->shift = gpu_palette_lattice_shift (radius);
  solve->radius_squared = gpu_palette_radius_squared (radius, solve->shift);
  gpu_stream_stage (exact->stream, "palette-lattice");
  if (always)
    gpu_stream_write (exact->stream, exact->buffers.tables, 0,
        exact->context->tables, sizeof *exact->context->tables);
  run_over_colours (exact, &convert, always);
}

void
gpu_palette_exact_read_box (GpuPaletteExact * exact)
{
  guint32 words[BOX_WORDS] = { 0 };

  for (guint i = 0; i < BOX_COPIES * BOX_WORDS; i++)
    words[i % BOX_WORDS] =
        MAX (words[i % BOX_WORDS], exact->solve.control[CONTROL_BOX + i]);
  /* If no colour was converted, the words are 0, and the last box stays valid. */
  for (guint i = 0; words[0] != 0 && i < 3; i++) {
    exact->box.low[i] = ~words[i];
    exact->box.high[i] = words[i + 3];
  }
  exact->solve.box = exact->box;
}

/* --- changes since the last solve --- */

/* Successors of visited points are kept from the last solve. The successor of a point depends
 * only on the points within the radius and their weights, so it stays valid while none of
 * these change. */

/* Returns the radius in lattice units, rounded up. */
static guint
reach_of (const GpuPaletteSolve * solve)
{
  return ceil (sqrt (solve->radius_squared));
}

static guint
cell_shift_of (const GpuPaletteSolve * solve)
{
  guint shift = g_bit_storage (reach_of (solve));

  return MAX (shift, LEAST_CELL_SHIFT + CELLS_PER_RADIUS_LOG2 + 1)
      - CELLS_PER_RADIUS_LOG2 - 1;
}

/* Records the comparison of the listed colours with the kept ones: counts changes in the
 * control buffer, and marks the cells around them. Without @always, it is skipped on the
 * device if no count changed. */
static void
compare_changes (GpuPaletteExact * exact, gboolean always)
{
  GpuPaletteComparePush push = {
    .shift = exact->solve.shift,
    .n_kept = exact->kept.n,
    .radius_squared = exact->solve.radius_squared,
    .reach = reach_of (&exact->solve),
    .cell_shift = cell_shift_of (&exact->solve),
  };
  const GpuDispatch compare = {
    exact->kernels.compare, PALETTE_COMPARE_BUFFERS (&exact->buffers), &push,
  };

  exact->kept.is_compared = exact->kept.n > 0;
  if (!exact->kept.is_compared)
    return;
  gpu_stream_stage (exact->stream, "palette-compare");
  gpu_stream_fill (exact->stream, exact->buffers.control, CONTROL_ADDED * 4, 8,
      0);
  /* The buffer may hold marks of an earlier frame, or starts of cells. */
  gpu_slicer_fill (&exact->context->slicer, exact->buffers.marks,
      MARK_WORDS * 4, 0);
  run_over_colours (exact, &compare, always);
  /* The cells are marked only if few colours changed, so count these first. */
  push.is_marking = TRUE;
  run_over_colours (exact, &compare, always);
}

/* --- kept colours and successors --- */

static gboolean
shares_successors (const GpuPaletteExact * exact)
{
  return exact->solve.radius_squared > 0
      && exact->context->settings->making.iteration_limit == 0;
}

/* Returns whether the known successors were computed with the parameters of this frame. */
static gboolean
has_successors (const GpuPaletteExact * exact)
{
  return exact->kept.has_successors && shares_successors (exact)
      && exact->kept.revision == exact->context->revision
      && exact->kept.shift == exact->solve.shift
      && exact->kept.radius_squared == exact->solve.radius_squared
      && exact->kept.chroma == exact->context->settings->making.chroma
      && exact->kept.table_bits >= exact->solve.table_bits;
}

/* Returns whether compare.comp marked the cells around all changed colours. */
static gboolean
is_all_marked (const GpuPaletteExact * exact)
{
  const GpuPaletteSolve *solve = &exact->solve;

  return exact->kept.is_compared && exact->kept.n <= 2 * (guint64) solve->n
      && solve->control[CONTROL_CHANGED_COLOURS] <= MOST_CHANGED (solve->n);
}

/* Reads the changes from the control buffer. Reports the colours added and removed, and sets
 * solve.keeps_successors: whether successors of earlier frames are used. */
static void
read_changes (GpuPaletteExact * exact)
{
  GpuPaletteSolve *solve = &exact->solve;
  GpuPaletteReport *report = exact->context->report;
  guint added =
      exact->kept.is_compared ? solve->control[CONTROL_ADDED] : solve->n;
  guint before = exact->kept.is_compared ? exact->kept.n : 0;

  report->made.added = added;
  report->made.removed = before + added - solve->n;
  solve->keeps_successors = has_successors (exact) && is_all_marked (exact);
  if (solve->keeps_successors)
    solve->table_bits = exact->kept.table_bits;
  /* Nothing is valid until the walks of this frame are done. */
  exact->kept.n = 0;
  exact->kept.has_successors = FALSE;
}

/* If successors are kept, records the reset of those of visited points in marked cells to
 * unknown. */
static void
invalidate_successors (GpuPaletteExact * exact)
{
  const GpuDispatch invalidate = {
    exact->kernels.invalidate, PALETTE_INVALIDATE_BUFFERS (&exact->buffers),
    &(GpuPaletteInvalidatePush) {
      .table_bits = exact->solve.table_bits,
      .cell_shift = cell_shift_of (&exact->solve),
    },
  };

  if (!exact->solve.keeps_successors)
    return;
  gpu_stream_stage (exact->stream, "palette-invalidate");
  gpu_slicer_run (&exact->context->slicer, &invalidate,
      1u << exact->solve.table_bits);
}

/* Records a copy of the colours of this frame, which the next frame is compared with. */
static void
keep_colours (GpuPaletteExact * exact)
{
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  gsize size = exact->solve.n * (gsize) 4;

  gpu_stream_stage (exact->stream, "palette-keep");
  gpu_stream_copy (exact->stream, buffers->list, 0, buffers->kept_list, 0,
      size);
  gpu_stream_copy (exact->stream, buffers->weights, 0, buffers->kept_weights, 0,
      size);
}

/* Call it when the copy is done: it and the successors are valid from now on. */
static void
note_kept (GpuPaletteExact * exact)
{
  const GpuPaletteSolve *solve = &exact->solve;
  gboolean is_full = solve->keeps_successors
      && solve->control[CONTROL_LOST] > solve->n / LEAST_SHARING;

  exact->kept.n = solve->n;
  exact->kept.has_successors = shares_successors (exact) && !is_full;
  exact->kept.revision = exact->context->revision;
  exact->kept.shift = solve->shift;
  exact->kept.radius_squared = solve->radius_squared;
  exact->kept.chroma = exact->context->settings->making.chroma;
  exact->kept.table_bits = solve->table_bits;
}

/* --- results --- */

/* Returns whether the results are valid for the settings of this frame. */
static gboolean
is_solved (const GpuPaletteExact * exact)
{
  return exact->is_solved && exact->solved_revision == exact->context->revision
      && GPU_PALETTE_ARE_EQUAL (&exact->solved,
      &exact->context->settings->making);
}

/* Returns whether the results are valid for the settings and colours of this frame. */
static gboolean
is_map_valid (const GpuPaletteExact * exact)
{
  const GpuPaletteSolve *solve = &exact->solve;

  return is_solved (exact) && solve->n == exact->solved_n
      && !solve->control[CONTROL_SET_CHANGED]
      && !solve->control[CONTROL_WEIGHTS_CHANGED];
}

/* Records the work on colours that does not need their number, and waits for that. If there
 * are more colours than room, only the first ones are listed; so room is made, and all is
 * recorded again. */
static gboolean
read_colours (GpuPaletteExact * exact, GError ** error)
{
  for (;;) {
    gboolean always = !is_solved (exact);

    gpu_palette_exact_convert (exact, always);
    compare_changes (exact, always);
    if (!gpu_palette_exact_read_count (exact, error))
      return FALSE;
    if (exact->solve.n <= exact->room)
      return TRUE;
    exact->is_solved = FALSE;
    if (!gpu_palette_exact_grow (exact, exact->solve.n, error))
      return FALSE;
    record_list (exact, GPU_PALETTE_BLOCKS_AT (present_groups));
  }
}

/* Converts buffers.fixed_points to colours in buffers.results and buffers.used, with the
 * tables of the last gpu_palette_exact_convert(), and waits. Reports the numbers of output
 * colours and fixed points. */
static gboolean
paint (GpuPaletteExact * exact, GError ** error)
{
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  const GpuSlicer *slicer = &exact->context->slicer;
  GpuPaletteReport *report = exact->context->report;
  const GpuPalettePaintPush push = {
    .shift = exact->solve.shift,
    .n_slots = WORDS_PER_FIXED_POINT * exact->solve.n,
  };

  gpu_stream_stage (exact->stream, "palette-paint");
  gpu_stream_fill (exact->stream, buffers->control, CONTROL_OUTPUT_COLOURS * 4,
      8, 0);
  gpu_slicer_fill (slicer, buffers->used, gpu_buffer_get_size (buffers->used),
      0);
  gpu_slicer_fill (slicer, buffers->fixed_point_table,
      push.n_slots * (gsize) 4, 0);
  gpu_slicer_run (slicer, &GPU_PALETTE_DISPATCH (exact, paint,
          PALETTE_PAINT_BUFFERS, &push), exact->solve.n);
  if (!gpu_palette_exact_read_control (exact, error))
    return FALSE;
  report->made.output_colours = exact->solve.control[CONTROL_OUTPUT_COLOURS];
  report->made.fixed_points = exact->solve.control[CONTROL_FIXED_POINTS];
  return TRUE;
}

/* Follows successors to fixed points, and converts these to colours. Both are repeated
 * while a dispatch has not reached all fixed points. */
static gboolean
paint_fixed_points (GpuPaletteExact * exact, GError ** error)
{
  gboolean walks = exact->solve.radius_squared > 0, is_begun = FALSE;

  do {
    if (walks)
      gpu_palette_walk_follow (exact, is_begun);
    if (!paint (exact, error))
      return FALSE;
    is_begun = TRUE;
  } while (walks && exact->solve.control[CONTROL_ON_THE_WAY]);
  return TRUE;
}

static gboolean
find_outputs (GpuPaletteExact * exact, GError ** error)
{
  gpu_palette_exact_read_box (exact);
  gpu_palette_grid_choose (exact, gpu_palette_walk_wants_cubes (exact));
  if (!gpu_palette_exact_take_walks (exact, error))
    return FALSE;
  read_changes (exact);
  /* With radius 0 every point is a fixed point. */
  if (exact->solve.radius_squared > 0) {
    invalidate_successors (exact);
    gpu_palette_grid_record (exact);
    if (!gpu_palette_walk_solve (exact, error))
      return FALSE;
  }
  keep_colours (exact);
  if (!paint_fixed_points (exact, error))
    return FALSE;
  note_kept (exact);
  return TRUE;
}

/* Finds the output colours anew. If memory does not suffice, frees the buffers of walks. */
static gboolean
solve_colours (GpuPaletteExact * exact, GError ** error)
{
  GpuPaletteReport *report = exact->context->report;
  GError *failure = NULL;

  exact->is_solved = FALSE;
  exact->n_solves++;
  exact->solve.n_left = exact->solve.n;
  tell_progress (exact);
  if (!find_outputs (exact, &failure)) {
    if (g_error_matches (failure, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY))
      gpu_palette_exact_drop_walks (exact);
    g_propagate_error (error, failure);
    return FALSE;
  }
  exact->solve.n_left = 0;
  exact->output_colours = report->made.output_colours;
  exact->fixed_points = report->made.fixed_points;
  exact->solved = exact->context->settings->making;
  exact->solved_revision = exact->context->revision;
  exact->solved_n = exact->solve.n;
  exact->is_solved = TRUE;
  report->made.solved = TRUE;
  return TRUE;
}

/* --- a frame --- */

/* Updates the results for the colours of frame @in. */
static gboolean
update (GpuPaletteExact * exact, GpuPaletteContext * context,
    const GpuFrame * in, GError ** error)
{
  GpuPaletteReport *report = context->report;

  if (!request_solving_kernels (exact, error)
      || !gpu_palette_exact_count (exact, context, in, error)
      || !read_colours (exact, error))
    return FALSE;
  if (exact->solve.n == 0) {
    /* The next colours need the tables of their own frame. */
    exact->is_solved = FALSE;
  } else if (is_map_valid (exact)) {
    report->made.output_colours = exact->output_colours;
    report->made.fixed_points = exact->fixed_points;
  } else if (!solve_colours (exact, error)) {
    return FALSE;
  }
  report->effort.memory = gpu_palette_exact_get_walks_memory (exact);
  return TRUE;
}

static gboolean
record_top (GpuPaletteExact * exact, GError ** error)
{
  const GpuPaletteReport *report = exact->context->report;
  /* Without counted pixels nothing was solved. */
  guint n_colours = report->counted.colours > 0 ? exact->output_colours : 0;
  gboolean are_same = !report->made.solved
      && exact->histogram.window.room == 1
      && report->counted.changed_pixels == 0;

  return gpu_palette_top_outputs_record (exact, n_colours, are_same, error);
}

static void
apply (GpuPaletteExact * exact, const GpuFrame * in, const GpuFrame * out)
{
  GpuPaletteExactBuffers *buffers = &exact->buffers;
  const GpuPixelsBound pixels = {
    &in->info, &out->info, 1 << PALETTE_APPLY_NUMBERS
  };

  buffers->input = in->buffer;
  buffers->output = out->buffer;
  gpu_stream_stage (exact->stream, "palette-apply");
  gpu_pixels_run (&exact->context->slicer, &(GpuDispatch) {
    exact->kernels.apply, PALETTE_APPLY_BUFFERS (buffers)
  }, &pixels);
}

static gboolean
exact_record (GpuPaletteMap * parent, GpuPaletteContext * context,
    const GpuFrame * in, const GpuFrame * out, GError ** error)
{
  GpuPaletteExact *exact = (GpuPaletteExact *) parent;

  if (!exact_prepare (parent, context->settings, error)
      || !update (exact, context, in, error)
      || (context->settings->counts_pixels && !record_top (exact, error)))
    return FALSE;
  apply (exact, in, out);
  return TRUE;
}

/* A recording that was not executed may leave counters and lists of different frames. */
static void
exact_forget (GpuPaletteMap * parent)
{
  GpuPaletteExact *exact = (GpuPaletteExact *) parent;

  exact->is_solved = FALSE;
  gpu_palette_histogram_forget (&exact->histogram);
}

const GpuPaletteMapType gpu_palette_exact = {
  .create = exact_create,
  .free = exact_free,
  .get_memory = exact_get_memory,
  .prepare = exact_prepare,
  .record = exact_record,
  .forget = exact_forget,
};
