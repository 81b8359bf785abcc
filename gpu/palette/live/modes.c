/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of a frame with modes: how light and blocks move, which modes there are, and which
 * mode each pixel holds. */
#include "live.h"
#include "shaders.h"
#include "gpu/palette/shared/topcolours.h"
#include "shaders/palette/shared/pixels.h"

/* --- preparing --- */

/* The kernels of the second frame are built soon once there is one, or at once if the device
 * builds them beside those of the first. On a CPU device the program of a still picture would
 * wait for them at its end. */
static gboolean
needs_second (const GpuPaletteLive * live)
{
  return live->has_mode_frame || !gpu_device_is_slow (live->device);
}

gboolean
gpu_palette_live_prepare_modes (GpuPaletteLive * live,
    const GpuPaletteSettings * settings, GError ** error)
{
  if (!gpu_palette_live_has (live, NEED_MODES)
      && (!gpu_palette_live_need (live, NEED_MODES, error)
          || !gpu_palette_live_expect (live, NEED_SECOND, error)))
    return FALSE;
  return gpu_palette_live_need (live, NEED_PIXEL_MODES, error)
      && (!settings->counts_pixels
      || gpu_palette_live_need (live, NEED_TOP, error))
      && gpu_palette_live_need (live, gpu_palette_get_limit (settings) > 0
      ? NEED_LIMITED : NEED_UNLIMITED, error)
      && (!needs_second (live)
      || gpu_palette_live_need (live, NEED_SECOND, error));
}

/* Requests the kernels that frames need after a change of settings, so that none of them
 * waits. */
static void
expect_changes (GpuPaletteLive * live)
{
  if (live->expects_changes)
    return;
  gpu_palette_live_expect (live, NEED_UNLIMITED, NULL);
  gpu_palette_live_expect (live, NEED_LIMITED, NULL);
  gpu_palette_live_expect (live, NEED_TOP, NULL);
  live->expects_changes = TRUE;
}

/* --- beginning a frame --- */

/* Records the write of the given colours as modes in the first slots; frees all other
 * slots. */
static void
write_colours (GpuPaletteLive * live, GpuStream * stream)
{
  const GpuPaletteGiven *given = &live->continuity.given;
  struct TemporalMode modes[GPU_PALETTE_MAX_COLOURS] = { {0} };
  guint32 owning[SLOT_WORDS] = { 0 }, in_use[SLOT_WORDS] = { 0 };

  for (guint i = 0; i < given->n_colours; i++) {
    modes[i].red = (given->colours[i] >> 16 & 255) << 8;
    modes[i].green = given->colours[i] & 0xff00;
    modes[i].blue = (given->colours[i] & 255) << 8;
    owning[i / 32] |= 1u << i % 32;
  }
  gpu_stream_write (stream, live->buffers.modes, 0, modes,
      given->n_colours * sizeof *modes);
  gpu_stream_write (stream, live->buffers.state,
      offsetof (struct Temporal, owning), owning, sizeof owning);
  gpu_stream_write (stream, live->buffers.in_use, 0, in_use, sizeof in_use);
}

/* Returns how far blocks of the frame in progress may come from, in pixels in either
 * direction. */
static guint
reach_of (const GpuPaletteLive * live)
{
  return live->continuity.follows_motion ? live->farthest : 0;
}

static void
choose_slices_of_blocks (GpuPaletteLive * live, GpuPaletteContext * context,
    const TemporalFrame * frame)
{
  const guint n = frame->blocks.columns * frame->blocks.rows * 256;

  live->farthest = FARTHEST (frame->blocks.shift);
  live->of_samples = (GpuSlicerItems) {
    .most = n,
    .bound = n,
    .work = live->kernels.luma,
    .rows = {
      .width = frame->width,
      .height = frame->height,
      .items = 256 * frame->blocks.columns,
      .step = 1 << frame->blocks.shift,
      .halo = reach_of (live),
    },
  };
  gpu_slicer_choose_slice (&context->slicer, &live->of_samples);
}

void
gpu_palette_live_begin_modes (GpuPaletteLive * live,
    GpuPaletteContext * context, struct LiveState *state)
{
  GpuPaletteLiveBuffers *buffers = &live->buffers;
  GpuBuffer *before = buffers->pixel_modes;
  GpuStream *stream = context->slicer.stream;
  TemporalFrame frame = {
    .width = live->format.width,
    .height = live->format.height,
  };

  buffers->pixel_modes = buffers->held_before;
  buffers->held_before = before;
  if (gpu_palette_continuity_take_settings (&live->continuity,
          context->settings))
    write_colours (live, stream);
  gpu_palette_continuity_fill (&live->continuity, context, state, &frame);
  live->of_modes = (GpuSlicerItems) {
    .most = MODE_CAPACITY,
    .work = live->kernels.move,
  };
  gpu_slicer_choose_slice (&context->slicer, &live->of_modes);
  frame.modes_per_slice = live->of_modes.slice;
  gpu_stream_write (stream, buffers->state, 0, &frame, sizeof frame);
  choose_slices_of_blocks (live, context, &frame);
  state->luma_pixels = live->of_samples.most;
  state->luma_pixels_per_slice = live->of_samples.slice;
  gpu_stream_write (stream, buffers->motion_state, 0, &frame, sizeof frame);
}

/* --- light and motion --- */

/* Records @dispatch over the samples of blocks. @arrays: bit i: binding i has a word for
 * each pixel. */
static void
run_over_blocks (GpuPaletteLive * live, GpuPaletteContext * context,
    const GpuDispatch * dispatch, guint arrays)
{
  GpuSlicerItems samples = live->of_samples;

  gpu_stream_stage (context->slicer.stream, "palette-motion");
  samples.work = dispatch->kernel;
  samples.rows.arrays = arrays;
  gpu_palette_live_run (live, context, dispatch, &samples,
      GPU_PALETTE_LIVE_GROUPS (luma));
}

void
gpu_palette_live_look_at_luma (GpuPaletteLive * live,
    GpuPaletteContext * context)
{
  const GpuDispatch luma = {
    live->kernels.luma, PALETTE_TEMPORAL_LUMA_BUFFERS (&live->buffers)
  };

  run_over_blocks (live, context, &luma, 1 << PALETTE_TEMPORAL_LUMA_COLOURS);
}

/* Records @kernel, which compares blocks with the frame before. */
static void
compare_blocks (GpuPaletteLive * live, GpuPaletteContext * context,
    GpuKernel * kernel)
{
  const GpuDispatch compare = {
    kernel, PALETTE_MOTION_SEARCH_BUFFERS (&live->buffers)
  };

  run_over_blocks (live, context, &compare,
      1 << PALETTE_MOTION_SEARCH_COLOURS
      | 1 << PALETTE_MOTION_SEARCH_COLOURS_BEFORE);
}

void
gpu_palette_live_move_modes (GpuPaletteLive * live, GpuPaletteContext * context)
{
  const GpuPaletteLiveBuffers *buffers = &live->buffers;
  GpuStream *stream = context->slicer.stream;
  const GpuDispatch begin = {
    live->kernels.begin, PALETTE_TEMPORAL_BEGIN_BUFFERS (buffers)
  };
  const GpuDispatch move = {
    live->kernels.move, PALETTE_TEMPORAL_MOVE_BUFFERS (buffers)
  };
  const GpuSlicerGroups groups = {
    buffers->state, offsetof (struct Temporal, mode_groups)
  };

  gpu_stream_stage (stream, "palette-modes");
  gpu_stream_dispatch (stream, &begin, 1, 1, 1);
  gpu_stream_stage (stream, "palette-modes");
  live->of_modes.bound = MIN (live->bound, MODE_CAPACITY);
  if (live->continuity.has_modes)
    gpu_slicer_run_indirect (&context->slicer, &move, &live->of_modes, groups);
  if (live->continuity.follows_motion)
    compare_blocks (live, context, live->kernels.search);
}

void
gpu_palette_live_match_blocks (GpuPaletteLive * live,
    GpuPaletteContext * context)
{
  if (live->continuity.follows_motion)
    compare_blocks (live, context, live->kernels.match);
}

static void
find_unrest (GpuPaletteLive * live, GpuPaletteContext * context)
{
  GpuStream *stream = context->slicer.stream;
  const GpuDispatch unrest = {
    live->kernels.unrest, PALETTE_TEMPORAL_UNREST_BUFFERS (&live->buffers)
  };

  gpu_stream_stage (stream, "palette-motion");
  gpu_stream_dispatch (stream, &unrest, 1, 1, 1);
}

/* --- a mode for every bin --- */

static gboolean
is_limited (const GpuPaletteLive * live)
{
  return live->continuity.limit > 0;
}

/* Records the assignment of summits to modes near them. */
static void
assign_near (GpuPaletteLive * live, GpuPaletteContext * context)
{
  GpuSlicerItems of_assign = live->of_bins;
  const GpuDispatch assign = {
    live->kernels.assign, PALETTE_TEMPORAL_ASSIGN_BUFFERS (&live->buffers)
  };

  /* In a held frame a summit may be compared with all modes, so it takes longer than
   * other kernels. */
  if (live->continuity.is_held)
    of_assign.work = live->kernels.assign;
  gpu_palette_live_run (live, context, &assign, &of_assign,
      GPU_PALETTE_LIVE_GROUPS (bin));
}

/* Records the first step of the assignment: without a limit, summits get modes near them; with
 * one, they are listed. */
static void
begin_assignment (GpuPaletteLive * live, GpuPaletteContext * context)
{
  const GpuDispatch list = {
    live->kernels.limit_summits, PALETTE_LIMIT_SUMMITS_BUFFERS (&live->buffers)
  };

  if (is_limited (live))
    gpu_palette_live_run_over_bins (live, context, &list);
  else
    assign_near (live, context);
}

/* Records the second step: without a limit, summits that got no mode become modes, and all bins
 * get owners; with one, summits get their weights and distances to modes. */
static void
continue_assignment (GpuPaletteLive * live, GpuPaletteContext * context)
{
  const GpuDispatch offer = {
    live->kernels.offer, PALETTE_TEMPORAL_OFFER_BUFFERS (&live->buffers)
  };
  const GpuDispatch weigh = {
    live->kernels.limit_weigh, PALETTE_LIMIT_WEIGH_BUFFERS (&live->buffers)
  };

  gpu_palette_live_run_over_bins (live, context,
      is_limited (live) ? &weigh : &offer);
}

/* Records @dispatch, which compares every bin with modes or with candidates. */
static void
compare_bins (GpuPaletteLive * live, GpuPaletteContext * context,
    const GpuDispatch * dispatch)
{
  GpuSlicerItems bins = live->of_bins;

  bins.work = dispatch->kernel;
  gpu_palette_live_run (live, context, dispatch, &bins,
      GPU_PALETTE_LIVE_GROUPS (bin));
}

/* Records the last steps with a limit: as many dispatches as are needed to fill all slots with
 * the farthest summits; if all modes are new, their move to the middle of their bins; the
 * assignment of bins. */
static void
end_assignment (GpuPaletteLive * live, GpuPaletteContext * context)
{
  const GpuPaletteLiveBuffers *buffers = &live->buffers;
  const GpuDispatch farthest = {
    live->kernels.limit_farthest, PALETTE_LIMIT_FARTHEST_BUFFERS (buffers)
  };
  const GpuDispatch centre = {
    live->kernels.limit_centre, PALETTE_LIMIT_CENTRE_BUFFERS (buffers)
  };
  const GpuDispatch assign = {
    live->kernels.limit_assign, PALETTE_LIMIT_ASSIGN_BUFFERS (buffers)
  };
  const guint n = gpu_palette_get_limit (context->settings);

  for (guint i = 0; i < n; i += FARTHEST_PER_DISPATCH)
    gpu_slicer_run_group (&context->slicer, &farthest,
        (guint64) live->bound * MIN (n, FARTHEST_PER_DISPATCH));
  compare_bins (live, context, &centre);
  compare_bins (live, context, &assign);
}

/* Records the assignment; beside its first steps, what is still to be found about motion. */
static void
assign_modes (GpuPaletteLive * live, GpuPaletteContext * context)
{
  GpuStream *stream = context->slicer.stream;

  gpu_stream_stage (stream, "palette-modes");
  begin_assignment (live, context);
  if (live->continuity.has_frame_before)
    compare_blocks (live, context, live->kernels.measure);
  gpu_stream_stage (stream, "palette-modes");
  /* Both use the state of the bins, but different words of it. */
  gpu_stream_begin_disjoint (stream);
  continue_assignment (live, context);
  find_unrest (live, context);
  gpu_stream_end_disjoint (stream);
  gpu_stream_stage (stream, "palette-modes");
  if (is_limited (live))
    end_assignment (live, context);
}

/* --- a mode for every pixel --- */

/* Records the choice of every pixel: the mode that its bin offers, or the one it holds. In a
 * settled film, too: what pixels hold is kept in turns. Writes the output, unless
 * show_modes() does. */
static void
choose_modes (GpuPaletteLive * live, GpuPaletteContext * context,
    const GpuFrame * in, const GpuFrame * out)
{
  const gboolean paints = live->kernels.show == NULL;
  const GpuPixelsBound pixels = {
    .in = &in->info,
    .out = paints ? &out->info : NULL,
    .arrays = 1 << PALETTE_TEMPORAL_CHOOSE_COLOURS
        | 1 << PALETTE_TEMPORAL_CHOOSE_COLOURS_BEFORE
        | 1 << PALETTE_TEMPORAL_CHOOSE_PIXEL_BINS
        | 1 << PALETTE_TEMPORAL_CHOOSE_HELD_BEFORE
        | 1 << PALETTE_TEMPORAL_CHOOSE_PIXEL_MODES,
    .halo = reach_of (live)
  };
  const GpuDispatch choose = {
    live->kernels.choose, PALETTE_TEMPORAL_CHOOSE_BUFFERS (&live->buffers)
  };

  gpu_stream_stage (context->slicer.stream,
      paints ? "palette-apply" : "palette-choose");
  gpu_pixels_run (&context->slicer, &choose, &pixels);
}

/* Records the conversion of @in to @out in formats with more than one plane, or with
 * indexes: each pixel shows the mode that it holds. */
static void
show_modes (GpuPaletteLive * live, GpuPaletteContext * context,
    const GpuFrame * in, const GpuFrame * out)
{
  const GpuPixelsBound pixels = {
    &in->info, &out->info, 1 << PALETTE_APPLY_INDEX_PIXEL_MODES
  };
  const GpuDispatch show = {
    live->kernels.show, PALETTE_APPLY_INDEX_BUFFERS (&live->buffers)
  };

  gpu_stream_stage (context->slicer.stream, "palette-apply");
  gpu_pixels_run (&context->slicer, &show, &pixels);
}

/* Records the update of context->top. */
static void
count_pixels (GpuPaletteLive * live, GpuPaletteContext * context)
{
  GpuPaletteLiveBuffers *buffers = &live->buffers;
  const gboolean recounts = !context->top->was_taken;
  const GpuRowBinding rows = gpu_row_binding_of_array (live->n_words,
      PIXELS_PER_THREAD, 1 << PALETTE_TOP_COUNT_MODES_PIXEL_BINS
      | 1 << PALETTE_TOP_COUNT_MODES_PIXEL_MODES);
  const GpuDispatch count = {
    live->kernels.count_modes, PALETTE_TOP_COUNT_MODES_BUFFERS (buffers),
    &(GpuPaletteTopCountModesPush) {.recount = recounts}
  };
  const GpuDispatch list = {
    live->kernels.list_modes, PALETTE_TOP_LIST_MODES_BUFFERS (buffers),
    &(GpuPaletteTopListModesPush) {.recount = recounts}
  };

  gpu_palette_top_colours_begin (context->top, context);
  gpu_slicer_fill (&context->slicer, buffers->counters,
      gpu_buffer_get_size (buffers->counters), 0);
  gpu_slicer_run_over_rows (&context->slicer, &count, &rows, rows.height);
  gpu_stream_dispatch (context->slicer.stream, &list, 1, 1, 1);
  gpu_palette_top_colours_end (context->top, context);
}

void
gpu_palette_live_update_modes (GpuPaletteLive * live,
    GpuPaletteContext * context, const GpuFrame * in, const GpuFrame * out)
{
  const GpuPaletteLiveBuffers *buffers = &live->buffers;
  const GpuDispatch sum = {
    live->kernels.limit_sum, PALETTE_LIMIT_SUM_BUFFERS (buffers)
  };
  const GpuDispatch renew = {
    live->kernels.limit_renew, PALETTE_LIMIT_RENEW_BUFFERS (buffers)
  };
  const gboolean renews = is_limited (live) && !live->continuity.is_held;

  assign_modes (live, context);
  /* Pixels choose beside the sums over bins from which modes are renewed. */
  if (renews)
    compare_bins (live, context, &sum);
  choose_modes (live, context, in, out);
  if (live->kernels.show)
    show_modes (live, context, in, out);
  if (renews)
    gpu_stream_dispatch (context->slicer.stream, &renew, 1, 1, 1);
  if (context->settings->counts_pixels) {
    live->buffers.top = context->top->list;
    count_pixels (live, context);
  }
  live->has_mode_frame = TRUE;
  expect_changes (live);
}
