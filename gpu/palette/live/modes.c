/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of a frame with modes: how light and blocks move, which modes there are, and which
 * mode each pixel holds. */
#include "live.h"
#include "gpu/core/rounding.h"
#include "shaders.h"
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
      && (settings->making.coherence == 0
      || gpu_palette_live_need (live, NEED_COHERENCE, error))
      && (!settings->counts_pixels
      || gpu_palette_live_need (live, NEED_TOP, error))
      && gpu_palette_live_need (live, gpu_palette_get_limit (settings) > 0
      ? NEED_LIMITED : NEED_UNLIMITED, error)
      && (settings->making.max_shift == 0 || settings->making.limit > 0
      || gpu_palette_live_need (live, NEED_LEASH, error))
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
  gpu_palette_live_expect (live, NEED_LEASH, NULL);
  gpu_palette_live_expect (live, NEED_LIMITED, NULL);
  gpu_palette_live_expect (live, NEED_COHERENCE, NULL);
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
  guint32 owning[SLOT_WORDS] = { 0 }, none[SLOT_WORDS] = { 0 };

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
  gpu_stream_write (stream, live->buffers.state,
      offsetof (struct Temporal, kept), none, sizeof none);
  gpu_stream_write (stream, live->buffers.in_use, 0, none, sizeof none);
}

/* Returns how far blocks of the frame in progress may come from, in pixels in either
 * direction. */
static guint
reach_of (const GpuPaletteLive * live)
{
  return live->continuity.follows_motion ? live->farthest : 0;
}

static void
choose_slices_of_blocks (GpuPaletteLive * live, const TemporalFrame * frame)
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
  gpu_slicer_choose_slice (&live->context->slicer, &live->of_samples);
}

void
gpu_palette_live_begin_modes (GpuPaletteLive * live, struct LiveState *state)
{
  GpuPaletteLiveBuffers *buffers = &live->buffers;
  GpuBuffer *before = buffers->pixel_modes;
  GpuStream *stream = live->stream;
  TemporalFrame frame = {
    .width = live->format.width,
    .height = live->format.height,
    .leash = live->leash,
  };

  frame.leash.was_on = live->continuity.has_leash;
  live->continuity.has_leash = frame.leash.squared > 0;
  buffers->pixel_modes = buffers->held_before;
  buffers->held_before = before;
  if (gpu_palette_continuity_take (&live->continuity, live->context->settings))
    write_colours (live, stream);
  gpu_palette_continuity_fill (&live->continuity, live->context, state, &frame);
  live->of_modes = (GpuSlicerItems) {
    .most = MODE_CAPACITY,
    .work = live->kernels.move,
  };
  gpu_slicer_choose_slice (&live->context->slicer, &live->of_modes);
  frame.modes_per_slice = live->of_modes.slice;
  gpu_stream_write (stream, buffers->state, 0, &frame, sizeof frame);
  choose_slices_of_blocks (live, &frame);
  state->luma_pixels = live->of_samples.most;
  state->luma_pixels_per_slice = live->of_samples.slice;
  gpu_stream_write (stream, buffers->motion_state, 0, &frame, sizeof frame);
}

/* --- light and motion --- */

/* Records @dispatch over the samples of blocks. @arrays: bit i: binding i has a word for
 * each pixel. */
static void
run_over_blocks (GpuPaletteLive * live, const GpuDispatch * dispatch,
    guint arrays)
{
  GpuSlicerItems samples = live->of_samples;

  gpu_stream_stage (live->stream, "palette-motion");
  samples.work = dispatch->kernel;
  samples.rows.arrays = arrays;
  gpu_palette_live_run (live, dispatch, &samples,
      GPU_PALETTE_LIVE_GROUPS (luma));
}

void
gpu_palette_live_look_at_luma (GpuPaletteLive * live)
{
  run_over_blocks (live, &GPU_PALETTE_DISPATCH (live, luma,
          PALETTE_TEMPORAL_LUMA_BUFFERS), 1 << PALETTE_TEMPORAL_LUMA_COLOURS);
}

/* Records @kernel, which compares blocks with the frame before. */
static void
compare_blocks (GpuPaletteLive * live, GpuKernel * kernel)
{
  const GpuDispatch compare = {
    kernel, PALETTE_MOTION_SEARCH_BUFFERS (&live->buffers)
  };

  run_over_blocks (live, &compare,
      1 << PALETTE_MOTION_SEARCH_COLOURS
      | 1 << PALETTE_MOTION_SEARCH_COLOURS_BEFORE);
}

/* --- coherence --- */

static gboolean
is_coherent (const GpuPaletteLive * live)
{
  return live->context->settings->making.coherence > 0;
}

/* Records a round: pixels with their bins in @from get those in @to. */
static void
cohere (GpuPaletteLive * live, GpuBuffer * from, GpuBuffer * to)
{
  const GpuPaletteLiveBuffers *buffers = &live->buffers;
  const GpuRowBinding rows = {
    .width = live->format.width,
    .height = live->format.height,
    .items = DIV_UP (live->format.width, 4),
    .step = 1,
    .halo = 1,
    .arrays = 1 << PALETTE_COHERE_FROM | 1 << PALETTE_COHERE_TO,
  };
  const GpuDispatch round = {
    .kernel = live->kernels.cohere,
    .buffers = {
      [PALETTE_COHERE_LIVE] = buffers->live,
      [PALETTE_COHERE_FROM] = from,
      [PALETTE_COHERE_TO] = to,
    },
  };

  gpu_stream_stage (live->stream, "palette-coherence");
  gpu_slicer_run_over_rows (&live->context->slicer, &round, &rows,
      rows.items * rows.height);
}

/* --- steps beside those of bins --- */

/* The first round of coherence writes to the modes of pixels, which are not chosen yet. Each round
 * runs beside steps that leave most of a GPU idle. */
void
gpu_palette_live_move_modes (GpuPaletteLive * live)
{
  const GpuPaletteLiveBuffers *buffers = &live->buffers;
  GpuStream *stream = live->stream;
  const GpuSlicerGroups groups = {
    buffers->state, offsetof (struct Temporal, mode_groups)
  };

  gpu_stream_stage (stream, "palette-modes");
  gpu_stream_dispatch (stream, &GPU_PALETTE_DISPATCH (live, begin,
          PALETTE_TEMPORAL_BEGIN_BUFFERS), 1, 1, 1);
  if (is_coherent (live))
    cohere (live, buffers->pixel_bins, buffers->pixel_modes);
  gpu_stream_stage (stream, "palette-modes");
  live->of_modes.bound = MIN (live->bound, MODE_CAPACITY);
  if (live->continuity.has_modes)
    gpu_slicer_run_indirect (&live->context->slicer,
        &GPU_PALETTE_DISPATCH (live, move, PALETTE_TEMPORAL_MOVE_BUFFERS),
        &live->of_modes, groups);
  if (live->continuity.follows_motion)
    compare_blocks (live, live->kernels.search);
  if (is_coherent (live))
    cohere (live, buffers->pixel_modes, buffers->chosen_bins);
}

void
gpu_palette_live_match_blocks (GpuPaletteLive * live)
{
  if (live->continuity.follows_motion)
    compare_blocks (live, live->kernels.match);
}

static void
find_unrest (GpuPaletteLive * live)
{
  gpu_stream_stage (live->stream, "palette-motion");
  gpu_stream_dispatch (live->stream, &GPU_PALETTE_DISPATCH (live, unrest,
          PALETTE_TEMPORAL_UNREST_BUFFERS), 1, 1, 1);
}

/* --- a mode for every bin --- */

static gboolean
is_limited (const GpuPaletteLive * live)
{
  return live->continuity.limit > 0;
}

/* Records the assignment of summits to modes near them. */
static void
assign_near (GpuPaletteLive * live)
{
  GpuSlicerItems of_assign = live->of_bins;

  /* In a held frame a summit may be compared with all modes, so it takes longer than
   * other kernels. */
  if (live->continuity.is_held)
    of_assign.work = live->kernels.assign;
  gpu_palette_live_run (live, &GPU_PALETTE_DISPATCH (live, assign,
          PALETTE_TEMPORAL_ASSIGN_BUFFERS), &of_assign,
      GPU_PALETTE_LIVE_GROUPS (bin));
}

/* Records the first step of the assignment: without a limit, summits get modes near them; with
 * one, they are listed. */
static void
begin_assignment (GpuPaletteLive * live)
{
  if (is_limited (live))
    gpu_palette_live_run_over_bins (live, &GPU_PALETTE_DISPATCH (live,
            limit_summits, PALETTE_LIMIT_SUMMITS_BUFFERS));
  else
    assign_near (live);
}

/* Records the second step: without a limit, summits that got no mode become modes, and all bins
 * get owners; with one, summits get their weights and distances to modes. */
static void
continue_assignment (GpuPaletteLive * live)
{
  if (is_limited (live))
    gpu_palette_live_run_over_bins (live, &GPU_PALETTE_DISPATCH (live,
            limit_weigh, PALETTE_LIMIT_WEIGH_BUFFERS));
  else
    gpu_palette_live_run_over_bins (live, &GPU_PALETTE_DISPATCH (live, offer,
            PALETTE_TEMPORAL_OFFER_BUFFERS));
}

/* Records @dispatch, which compares every bin with modes or with candidates. */
static void
compare_bins (GpuPaletteLive * live, const GpuDispatch * dispatch)
{
  GpuSlicerItems bins = live->of_bins;

  bins.work = dispatch->kernel;
  gpu_palette_live_run (live, dispatch, &bins, GPU_PALETTE_LIVE_GROUPS (bin));
}

/* Records the last steps if colours may not move farther than a shift: bins that would get the
 * mode of a cell near them. */
static void
keep_near (GpuPaletteLive * live)
{
  gpu_stream_dispatch (live->stream, &GPU_PALETTE_DISPATCH (live, leash_found,
          PALETTE_LEASH_FOUND_BUFFERS), 1, 1, 1);
  gpu_stream_stage (live->stream, "palette-modes");
  gpu_palette_live_run_over_bins (live, &GPU_PALETTE_DISPATCH (live,
          leash_offer, PALETTE_LEASH_OFFER_BUFFERS));
}

/* Records the last steps with a limit: as many dispatches as are needed to fill all slots with
 * the farthest summits; how modes settle, if they do, which is not paced as its work is bounded,
 * and their move to the middle of their bins; the assignment of bins. */
static void
end_assignment (GpuPaletteLive * live)
{
  const guint n = gpu_palette_get_limit (live->context->settings);

  for (guint i = 0; i < n; i += FARTHEST_PER_DISPATCH)
    gpu_slicer_run_group (&live->context->slicer, &GPU_PALETTE_DISPATCH (live,
            limit_farthest, PALETTE_LIMIT_FARTHEST_BUFFERS),
        (guint64) live->bound * MIN (n, FARTHEST_PER_DISPATCH));
  gpu_stream_dispatch (live->stream, &GPU_PALETTE_DISPATCH (live, limit_settle,
          PALETTE_LIMIT_SETTLE_BUFFERS), 1, 1, 1);
  compare_bins (live, &GPU_PALETTE_DISPATCH (live, limit_centre,
          PALETTE_LIMIT_CENTRE_BUFFERS));
  compare_bins (live, &GPU_PALETTE_DISPATCH (live, limit_assign,
          PALETTE_LIMIT_ASSIGN_BUFFERS));
}

/* Records the assignment; beside its first steps, what is still to be found about motion. */
static void
assign_modes (GpuPaletteLive * live)
{
  GpuStream *stream = live->stream;

  gpu_stream_stage (stream, "palette-modes");
  begin_assignment (live);
  if (live->continuity.has_frame_before)
    compare_blocks (live, live->kernels.measure);
  gpu_stream_stage (stream, "palette-modes");
  /* Both use the state of the bins, but different words of it. */
  gpu_stream_begin_disjoint (stream);
  continue_assignment (live);
  find_unrest (live);
  gpu_stream_end_disjoint (stream);
  gpu_stream_stage (stream, "palette-modes");
  if (is_limited (live))
    end_assignment (live);
  else if (live->leash.squared > 0)
    keep_near (live);
}

/* --- a mode for every pixel --- */

/* Records the choice of every pixel: the mode that its bin offers, or the one it holds. In a
 * settled film, too: what pixels hold is kept in turns. Writes the output, unless
 * show_modes() does. */
static void
choose_modes (GpuPaletteLive * live, const GpuFrame * in, const GpuFrame * out)
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
  GpuDispatch choose = GPU_PALETTE_DISPATCH (live, choose,
      PALETTE_TEMPORAL_CHOOSE_BUFFERS);

  if (is_coherent (live))
    choose.buffers[PALETTE_TEMPORAL_CHOOSE_PIXEL_BINS] =
        live->buffers.chosen_bins;
  gpu_stream_stage (live->stream, paints ? "palette-apply" : "palette-choose");
  gpu_pixels_run (&live->context->slicer, &choose, &pixels);
}

/* Records the conversion of @in to @out in formats with more than one plane, or with
 * indexes: each pixel shows the mode that it holds. */
static void
show_modes (GpuPaletteLive * live, const GpuFrame * in, const GpuFrame * out)
{
  const GpuPixelsBound pixels = {
    &in->info, &out->info, 1 << PALETTE_APPLY_INDEX_PIXEL_MODES
  };

  gpu_stream_stage (live->stream, "palette-apply");
  gpu_pixels_run (&live->context->slicer, &GPU_PALETTE_DISPATCH (live, show,
          PALETTE_APPLY_INDEX_BUFFERS), &pixels);
}

/* Records the update of the list of top colours. */
static void
count_pixels (GpuPaletteLive * live)
{
  GpuPaletteLiveBuffers *buffers = &live->buffers;
  const gboolean recounts = !live->context->top->was_taken;
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

  gpu_palette_top_colours_begin (live->context->top, live->context);
  gpu_slicer_fill (&live->context->slicer, buffers->counters,
      gpu_buffer_get_size (buffers->counters), 0);
  gpu_slicer_run_over_rows (&live->context->slicer, &count, &rows, rows.height);
  gpu_stream_dispatch (live->stream, &list, 1, 1, 1);
  gpu_palette_top_colours_end (live->context->top, live->context);
}

void
gpu_palette_live_update_modes (GpuPaletteLive * live, const GpuFrame * in,
    const GpuFrame * out)
{
  const gboolean renews = is_limited (live) && !live->continuity.is_held;

  assign_modes (live);
  /* Pixels choose beside the sums over bins from which modes are renewed. */
  if (renews)
    compare_bins (live, &GPU_PALETTE_DISPATCH (live, limit_sum,
            PALETTE_LIMIT_SUM_BUFFERS));
  choose_modes (live, in, out);
  if (live->kernels.show)
    show_modes (live, in, out);
  if (renews)
    gpu_stream_dispatch (live->stream, &GPU_PALETTE_DISPATCH (live, limit_renew,
            PALETTE_LIMIT_RENEW_BUFFERS), 1, 1, 1);
  if (live->context->settings->counts_pixels) {
    live->buffers.top = live->context->top->list;
    count_pixels (live);
  }
  live->has_mode_frame = TRUE;
  expect_changes (live);
}
