/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "live.h"
#include "gpu/core/rounding.h"
#include "shaders.h"
#include "shaders/palette/shared/pixels.h"

#include <math.h>

/* Pacing assumes that the number of bins has grown by no more than this factor since the
 * last frame that was read back. On a GPU less care is enough: dispatches over bins are short
 * there, and a frame that is split waits for the host. */
#define GROWTH_CPU 4
#define GROWTH 2

/* How far apart the colours of pixels that decide together are at most, with coherence 1, in
 * Oklab units. */
#define RANGE_OF_COHERENCE 0.12

/* Words of the live state that the host reads back when a frame is done. */
#define READBACK_AT offsetof (struct LiveState, changed)
#define READBACK_WORDS \
    ((offsetof (struct LiveState, tile_groups) - READBACK_AT) / 4)

typedef struct
{
  guint32 changed, occupied[BIN_LEVELS], rest, output_colours;
} Readback;

G_STATIC_ASSERT (sizeof (Readback) == READBACK_WORDS * 4);

/* --- building --- */

static void
live_free (GpuPaletteMap * parent)
{
  GpuPaletteLive *live = (GpuPaletteLive *) parent;

  gpu_palette_histogram_clear (&live->histogram);
  g_clear_pointer (&live->readback, gpu_readback_free);
  gpu_palette_live_clear_buffers (live);
  g_free (live);
}

static gsize
live_get_memory (GpuPaletteMap * parent)
{
  GpuPaletteLive *live = (GpuPaletteLive *) parent;

  return gpu_readback_get_memory (live->readback)
      + gpu_palette_live_get_buffer_memory (live)
      + gpu_palette_histogram_get_memory (&live->histogram);
}

/* Takes over the modes of @old, which are kept when the format changes, and frees it. */
static void
take_modes (GpuPaletteLive * live, GpuPaletteLive * old)
{
  gpu_palette_live_take_resources (live, old);
  live->has_mode_frame = old->has_mode_frame;
  live->expects_changes = old->expects_changes;
  live->continuity = old->continuity;
  gpu_palette_continuity_release (&live->continuity);
  live_free (&old->parent);
}

static GpuPaletteMap *
live_create (GpuDevice * device, const GpuPaletteFormat * format,
    GpuPaletteMap * old, GError ** error)
{
  GpuPaletteLive *live = g_new0 (GpuPaletteLive, 1);

  live->parent.type = &gpu_palette_live_map;
  live->device = device;
  live->format = *format;
  live->n_pixels = format->width * format->height;
  live->n_words = PIXELS_ROW_WORDS (format->width) * format->height;
  live->continuity.begins_from = BEGINS_FROM_NOTHING;
  if (old)
    take_modes (live, (GpuPaletteLive *) old);
  live->readback = gpu_readback_new (device, READBACK_WORDS, error);
  if (live->readback && gpu_palette_live_need (live, NEED_FRAMES, error)
      && gpu_palette_live_expect (live, NEED_RESULTS, error)
      && (!gpu_palette_live_has (live, NEED_MODES)
          || gpu_palette_live_need (live, NEED_PIXEL_MODES, error)))
    return &live->parent;
  live_free (&live->parent);
  return NULL;
}

/* --- settings --- */

/* Returns whether bins are weighed by a histogram of colours: for a history of several frames,
 * or a least frequency. */
static gboolean
wants_histogram (const GpuPaletteSettings * settings)
{
  return settings->counting.history > 1 || settings->making.min_frequency > 1;
}

static gboolean
has_same_palette (const GpuPaletteLive * live)
{
  const GpuPaletteMaking *then = &live->settings.making;
  const GpuPaletteMaking *now = &live->context->settings->making;

  return live->is_known && then->radius == now->radius
      && then->weighting == now->weighting;
}

/* Returns whether the results of the frame before are those of a frame with the same pixels.
 * With modes, results are by pixel, and do not depend on the buffers by bin. */
static gboolean
is_same (const GpuPaletteLive * live)
{
  const GpuPaletteSettings *now = live->context->settings;
  const GpuPaletteSettings *then = &live->settings;

  return live->is_known
      && gpu_palette_wants_modes (then) == gpu_palette_wants_modes (now)
      && (live->has_results || gpu_palette_wants_modes (now))
      && live->revision == live->context->revision
      && GPU_PALETTE_ARE_EQUAL (&then->counting, &now->counting)
      && GPU_PALETTE_ARE_EQUAL (&then->making, &now->making)
      && GPU_PALETTE_ARE_EQUAL (&then->motion, &now->motion);
}

/* --- preparing --- */

/* Returns the most bins that the colours of @history frames can be in once bins have been
 * merged: no more than the capacity. */
static guint
most_bins (const GpuPaletteLive * live, guint history)
{
  return MIN ((guint64) live->n_pixels * MAX (history, 1), BIN_CAPACITY);
}

/* Fills in the leash of a frame. With a limit of modes it has no cells: bins that stray become
 * summits. */
static void
fill_leash (TemporalLeash * leash, const BinGrid * grid,
    const GpuPaletteSettings * settings)
{
  gpu_palette_leash_fill (leash, grid, settings->making.max_shift);
  if (gpu_palette_get_limit (settings) > 0)
    leash->cells = 0;
}

/* Sums of a window are wide, as it may have more pixels than a frame. */
static gboolean
make_room (GpuPaletteLive * live, const GpuPaletteSettings * settings,
    GError ** error)
{
  const GpuPaletteMaking *making = &settings->making;
  struct LiveState state;
  TemporalLeash leash;
  GpuPaletteLiveRoom needed;

  needed.words =
      gpu_palette_geometry_fill (&state, making->radius, making->chroma);
  fill_leash (&leash, &state.grid, settings);
  needed.cells = leash.cells;
  needed.bins = MIN (most_bins (live, settings->counting.history),
      gpu_palette_geometry_most_bins (&state.grid));
  needed.is_wide = wants_histogram (settings)
      || gpu_palette_live_is_wide (live);
  return gpu_palette_live_make_room (live, &needed, error);
}

static gboolean
make_histogram (GpuPaletteLive * live, GError ** error)
{
  if (gpu_palette_live_has (live, NEED_HISTOGRAM))
    return TRUE;
  if (!gpu_palette_live_need (live, NEED_HISTOGRAM, error))
    return FALSE;
  if (gpu_palette_histogram_init (&live->histogram, &live->format,
          GPU_PALETTE_COUNT_COLOURS, live->buffers.blocks,
          live->buffers.changed, error))
    return TRUE;
  gpu_palette_histogram_clear (&live->histogram);
  live->needed &= ~(1u << NEED_HISTOGRAM);
  return FALSE;
}

static gboolean
live_prepare (GpuPaletteMap * parent, const GpuPaletteSettings * settings,
    GError ** error)
{
  GpuPaletteLive *live = (GpuPaletteLive *) parent;

  return make_room (live, settings, error)
      && (!wants_histogram (settings) || make_histogram (live, error))
      && (gpu_palette_wants_modes (settings)
      ? gpu_palette_live_prepare_modes (live, settings, error)
      : gpu_palette_live_need (live, NEED_RESULTS, error));
}

/* --- steps --- */

void
gpu_palette_live_run (GpuPaletteLive * live, const GpuDispatch * dispatch,
    const GpuSlicerItems * items, gsize groups_at)
{
  const GpuSlicerGroups groups = { live->buffers.live, groups_at };

  gpu_slicer_run_indirect (&live->context->slicer, dispatch, items, groups);
}

void
gpu_palette_live_run_over_bins (GpuPaletteLive * live,
    const GpuDispatch * dispatch)
{
  gpu_palette_live_run (live, dispatch, &live->of_bins,
      GPU_PALETTE_LIVE_GROUPS (bin));
}

/* Chooses the slices of pixels, words and bins for the frame in progress, and sets the members
 * of @state that say them. Either all pixels and words are processed or none, so their number
 * is exact; the number of bins is estimated from an earlier frame. */
static void
choose_slices (GpuPaletteLive * live, struct LiveState *state)
{
  const guint width = live->format.width, height = live->format.height;
  const GpuRowBinding rows = {
    .width = width,
    .height = height,
    .items = DIV_UP (width, TILE_SIDE) * 256,
    .step = TILE_SIDE,
  };
  const guint n_tiles = rows.items * DIV_UP (height, TILE_SIDE);
  const guint n_words = DIV_UP (state->grid.words[0],
      gpu_palette_live_words_per_thread (live->device));

  live->of_tiles = (GpuSlicerItems) {
    .most = n_tiles,
    .bound = n_tiles,
    .work = live->kernels.weigh,
    .units = 8,
    .rows = rows,
  };
  live->of_words = (GpuSlicerItems) {
    .most = n_words,
    .bound = n_words,
    .work = live->kernels.list,
  };
  live->of_bins = (GpuSlicerItems) {
    .most = live->most,
    .bound = live->bound,
    .work = live->kernels.density,
  };
  gpu_slicer_choose_slice (&live->context->slicer, &live->of_tiles);
  gpu_slicer_choose_slice (&live->context->slicer, &live->of_words);
  gpu_slicer_choose_slice (&live->context->slicer, &live->of_bins);
  state->tile_items = live->of_tiles.most;
  state->tiles_per_slice = live->of_tiles.slice;
  state->words_per_slice = live->of_words.slice;
  state->bins_per_slice = live->of_bins.slice;
}

/* Merges bins if too many are occupied, lists the occupied ones, and empties their sums. */
static void
list_bins (GpuPaletteLive * live)
{
  const GpuDispatch merge = {
    live->kernels.merge, PALETTE_BIN_MERGE_BUFFERS (&live->buffers),
    &(GpuPaletteBinMergePush) {0}
  };
  /* With a limit of modes these words become weights of summits; otherwise homes of modes, none
   * of which is known yet. */
  const GpuDispatch list = {
    live->kernels.list, PALETTE_BIN_LIST_BUFFERS (&live->buffers),
    &(GpuPaletteBinListPush) {
      .n_cells = live->leash.cells,
      .begins_with = gpu_palette_get_limit (live->context->settings) > 0
          ? 0 : G_MAXUINT32}
  };
  GpuSlicerItems merged_words = live->of_words;

  gpu_stream_stage (live->stream, "palette-bins");
  /* Merging is not paced, as few frames have so many bins. */
  merged_words.bound = 0;
  if (live->may_merge)
    gpu_palette_live_run (live, &merge, &merged_words,
        GPU_PALETTE_LIVE_GROUPS (merge));
  gpu_palette_live_run (live, &list, &live->of_words,
      GPU_PALETTE_LIVE_GROUPS (word));
}

/* Adds the pixels of the frame to the sums of their bins. */
static void
weigh_bins (GpuPaletteLive * live)
{
  GpuSlicerItems tiles = live->of_tiles;

  tiles.rows.arrays =
      1 << PALETTE_BIN_WEIGH_COLOURS | 1 << PALETTE_BIN_WEIGH_PIXEL_BINS;
  gpu_palette_live_run (live, &GPU_PALETTE_DISPATCH (live, weigh,
          PALETTE_BIN_WEIGH_BUFFERS), &tiles, GPU_PALETTE_LIVE_GROUPS (tile));
}

/* Computes the density at all bins. */
static void
estimate (GpuPaletteLive * live)
{
  gpu_stream_stage (live->stream, "palette-climb");
  gpu_palette_live_run_over_bins (live, &GPU_PALETTE_DISPATCH (live, density,
          PALETTE_BIN_DENSITY_BUFFERS));
}

/* Finds the next bin uphill of all bins. */
static void
climb (GpuPaletteLive * live)
{
  const gboolean has_modes = gpu_palette_wants_modes (live->context->settings);
  const GpuDispatch climb = {
    live->kernels.climb, PALETTE_BIN_CLIMB_BUFFERS (&live->buffers),
    &(GpuPaletteBinClimbPush) {.counts_colours = !has_modes}
  };

  gpu_stream_stage (live->stream, "palette-climb");
  gpu_palette_live_run_over_bins (live, &climb);
}

/* Sets the output colour of every bin to that of its summit. */
static void
colour_bins (GpuPaletteLive * live)
{
  gpu_palette_live_run_over_bins (live, &GPU_PALETTE_DISPATCH (live, colour,
          PALETTE_BIN_COLOUR_BUFFERS));
}

/* --- the histogram --- */

/* Records the counting of the colours in buffers.colours. */
static gboolean
count_colours (GpuPaletteLive * live, const GpuFrameInfo * info,
    GError ** error)
{
  const GpuPixelsBound pixels = {
    .in = info,
    .arrays = 1 << PALETTE_COUNT_FRAME | 1 << PALETTE_COUNT_NUMBERS,
  };

  if (!gpu_palette_histogram_add (&live->histogram, live->context,
          live->buffers.colours, &pixels, 0, error))
    return FALSE;
  gpu_palette_histogram_rank (&live->histogram, live->context, FALSE);
  return TRUE;
}

/* Begins a frame of the histogram, before pixels are marked. Empties it if it is not used. */
static gboolean
begin_histogram (GpuPaletteLive * live, const GpuFrameInfo * info,
    GError ** error)
{
  const GpuPaletteWindow *frames = &live->histogram.window;

  live->context->report->counted.history = 1;
  if (wants_histogram (live->context->settings)) {
    gpu_palette_histogram_begin (&live->histogram, live->context);
    /* The frame before has to enter it if the histogram was not used then. */
    return !live->has_frame || frames->n > 0 || frames->room == 1
        || count_colours (live, info, error);
  }
  if (gpu_palette_live_has (live, NEED_HISTOGRAM)) {
    gpu_palette_histogram_forget (&live->histogram);
    gpu_palette_histogram_shrink (&live->histogram);
  }
  return TRUE;
}

/* Records @dispatch over the words of the bitmap of the histogram's colours. */
static void
run_over_colours (GpuPaletteLive * live, const GpuDispatch * dispatch)
{
  GpuSlicerItems words = gpu_palette_histogram_words (&live->histogram,
      live->histogram.items.most);

  words.work = dispatch->kernel;
  if (gpu_palette_get_radius (live->context->settings) > 0)
    gpu_palette_histogram_run (&live->histogram, live->context, dispatch,
        &words, GPU_PALETTE_BLOCKS_AT (present_groups));
}

/* Records the counting of the colours of the frame, and marks the bins of all colours as
 * occupied. */
static gboolean
mark_colours (GpuPaletteLive * live, const GpuFrameInfo * info, GError ** error)
{
  GpuPaletteLiveBuffers *buffers = &live->buffers;

  if (!count_colours (live, info, error))
    return FALSE;
  buffers->presence = live->histogram.presence;
  buffers->counts = live->histogram.counts;
  run_over_colours (live, &(GpuDispatch) {live->kernels.occupy,
    PALETTE_WINDOW_OCCUPY_BUFFERS (buffers)});
  return TRUE;
}

/* --- a frame --- */

/* Reads the words of the newest frame that is done; FALSE if there is none. */
static gboolean
read_back (GpuPaletteLive * live, Readback * readback)
{
  return gpu_readback_read (live->readback, (guint32 *) readback);
}

/* Returns how near bins of pixels that decide together are: squared, in bins. */
static guint
squared_range (const BinGrid * grid, gdouble coherence)
{
  const gdouble range =
      ldexp (RANGE_OF_COHERENCE * coherence, grid->shift) / grid->pitch;

  return floor (range * range);
}

static guint
get_capacity (const GpuPaletteTuning * tuning)
{
  return tuning->bin_capacity ? tuning->bin_capacity : BIN_CAPACITY;
}

/* Sets how many bins the frame in progress may have, and chooses the other slices. Fills in what
 * the host says of the frame. Returns the number of words of the bitmap of bins. */
static guint
fill_state (GpuPaletteLive * live, struct LiveState *state)
{
  const GpuPaletteSettings *settings = live->context->settings;
  const GpuPaletteMaking *making = &settings->making;
  const guint n_words =
      gpu_palette_geometry_fill (state, making->radius, making->chroma);
  const guint most = gpu_palette_geometry_most_bins (&state->grid);
  const guint growth = gpu_device_is_slow (live->device) ? GROWTH_CPU : GROWTH;
  Readback readback;

  fill_leash (&live->leash, &state->grid, settings);
  live->capacity = get_capacity (live->context->tuning);
  live->may_merge = MIN ((guint64) live->n_pixels
      * MAX (settings->counting.history, 1), most) > live->capacity;
  live->most = MIN (most_bins (live, settings->counting.history), most);
  live->bound = live->most;
  if (read_back (live, &readback) && readback.occupied[0] > 0)
    live->bound = MIN ((guint64) readback.occupied[0] * growth, live->most);
  choose_slices (live, state);
  state->capacity = live->capacity;
  state->is_by_colour = making->weighting == GPU_PALETTE_PALETTE;
  state->keeps_all = making->radius == 0;
  state->coherence = squared_range (&state->grid, making->coherence);
  state->n_words = live->n_words;
  state->width = live->format.width;
  state->height = live->format.height;
  state->luma_pixels = 0;
  state->luma_pixels_per_slice = 1;
  state->rest_step = SETTLED_AFTER;
  state->marked_groups = state->changed = 0;
  for (guint level = 0; level < BIN_LEVELS; level++)
    state->occupied[level] = 0;
  return n_words;
}

/* Records the writes of the live state and tables for this frame, and clears the bins. */
static void
begin_bins (GpuPaletteLive * live)
{
  const GpuPaletteLiveBuffers *buffers = &live->buffers;
  GpuStream *stream = live->stream;
  struct LiveState state;
  const guint n_words = fill_state (live, &state);

  if (gpu_palette_wants_modes (live->context->settings))
    gpu_palette_live_begin_modes (live, &state);
  if (wants_histogram (live->context->settings))
    gpu_stream_fill (stream, buffers->changed, 0,
        sizeof (struct PaletteChanged), 0);
  gpu_stream_write (stream, buffers->live, 0, &state,
      offsetof (struct LiveState, rest));
  if (!is_same (live))
    gpu_stream_write (stream, buffers->tables, 0, live->context->tables,
        sizeof *live->context->tables);
  gpu_slicer_fill (&live->context->slicer, buffers->occupied,
      (BIN_TOTALS + (gsize) n_words) * 4, 0);
  if (state.is_by_colour)
    gpu_slicer_fill (&live->context->slicer, buffers->seen,
        gpu_buffer_get_size (buffers->seen), 0);
}

/* Records which bins are occupied, and the sizes of the dispatches that follow. */
static gboolean
mark_bins (GpuPaletteLive * live, const GpuFrameInfo * info, GError ** error)
{
  const GpuPaletteLiveBuffers *buffers = &live->buffers;
  const gboolean is_counted = wants_histogram (live->context->settings);
  /* The last workgroup that marks pixels knows all sizes, unless colours of the histogram are
   * marked after it. On CPU devices it is cheaper to let another kernel find them. */
  const gboolean mark_sizes = !is_counted && !gpu_device_is_slow (live->device);
  const GpuPixelsBound pixels = {
    .in = info,
    .arrays = 1 << PALETTE_BIN_MARK_COLOURS_BEFORE
        | 1 << PALETTE_BIN_MARK_COLOURS | 1 << PALETTE_BIN_MARK_PIXEL_BINS,
    .least_alpha = live->context->settings->counting.least_alpha
  };
  const GpuDispatch mark = {
    live->kernels.mark, PALETTE_BIN_MARK_BUFFERS (buffers),
    &(GpuPaletteBinMarkPush) {.recount = !is_same (live),
      .sizes_dispatches = mark_sizes}
  };
  const GpuDispatch gate = {
    live->kernels.gate, PALETTE_BIN_GATE_BUFFERS (buffers),
    &(GpuPaletteBinGatePush) {.is_windowed = is_counted}
  };

  gpu_pixels_run (&live->context->slicer, &mark, &pixels);
  if (is_counted && !mark_colours (live, info, error))
    return FALSE;
  if (!mark_sizes)
    gpu_stream_dispatch (live->stream, &gate, 1, 1, 1);
  return TRUE;
}

static void
weigh (GpuPaletteLive * live)
{
  gpu_stream_stage (live->stream, "palette-weigh");
  if (wants_histogram (live->context->settings))
    run_over_colours (live, &(GpuDispatch) {
      live->kernels.weigh_colours,
      PALETTE_WINDOW_WEIGH_BUFFERS (&live->buffers)});
  else
    weigh_bins (live);
}

/* Records the search for summits. A step of modes comes next to a step of bins, so that one
 * barrier serves both: on a GPU most of these steps are too short to fill it. The search for
 * motion, the last of gpu_palette_live_move_modes(), comes before the estimate: it reads new
 * numbers of workgroups, and the barrier that it needs serves both. */
static void
find_summits (GpuPaletteLive * live)
{
  const gboolean has_modes = gpu_palette_wants_modes (live->context->settings);

  list_bins (live);
  if (has_modes)
    gpu_palette_live_look_at_luma (live);
  weigh (live);
  if (has_modes)
    gpu_palette_live_move_modes (live);
  estimate (live);
  climb (live);
  if (has_modes)
    gpu_palette_live_match_blocks (live);
}

/* Records the conversion of @in to @out by the results of bins. */
static void
apply (GpuPaletteLive * live, const GpuFrame * in, const GpuFrame * out)
{
  const GpuPixelsBound pixels = {
    &in->info, &out->info,
    1 << PALETTE_BIN_APPLY_COLOURS | 1 << PALETTE_BIN_APPLY_PIXEL_BINS
  };

  gpu_stream_stage (live->stream, "palette-apply");
  gpu_pixels_run (&live->context->slicer, &GPU_PALETTE_DISPATCH (live, apply,
          PALETTE_BIN_APPLY_BUFFERS), &pixels);
}

/* Begins a frame of modes: one without modes discards them. If radius or weighting changed,
 * modes are kept, but pixels hold none. */
static void
begin_continuity (GpuPaletteLive * live)
{
  if (!gpu_palette_wants_modes (live->context->settings))
    live->continuity.begins_from = BEGINS_FROM_NOTHING;
  else if (!has_same_palette (live))
    gpu_palette_continuity_release (&live->continuity);
}

static gboolean
record (GpuPaletteLive * live, const GpuFrame * in, const GpuFrame * out,
    GError ** error)
{
  GpuPaletteLiveBuffers *buffers = &live->buffers;
  GpuBuffer *before = buffers->colours;
  const gboolean has_modes = gpu_palette_wants_modes (live->context->settings);

  gpu_stream_stage (live->stream, "palette-mark");
  if (!begin_histogram (live, &in->info, error))
    return FALSE;
  begin_continuity (live);
  buffers->colours = buffers->colours_before;
  buffers->colours_before = before;
  buffers->input = in->buffer;
  buffers->output = out->buffer;
  begin_bins (live);
  if (!mark_bins (live, &in->info, error))
    return FALSE;
  find_summits (live);
  if (has_modes)
    gpu_palette_live_update_modes (live, in, out);
  else
    colour_bins (live);
  gpu_readback_record (live->readback, live->stream, buffers->live,
      READBACK_AT);
  if (!has_modes)
    apply (live, in, out);
  return TRUE;
}

/* As live_level() in bins.glsl. */
static guint
occupied_of (const Readback * readback, guint capacity)
{
  guint level = 0;

  while (level + 1 < BIN_LEVELS && readback->occupied[level] > capacity)
    level++;
  return readback->occupied[level];
}

static void
live_get_report (GpuPaletteMap * parent, const GpuPaletteTuning * tuning,
    GpuPaletteReport * report)
{
  Readback readback;

  if (!read_back ((GpuPaletteLive *) parent, &readback))
    return;
  report->counted.bins = occupied_of (&readback, get_capacity (tuning));
  report->made.output_colours = readback.output_colours;
  report->counted.changed_pixels = readback.changed;
  report->made.solved = readback.rest < SETTLED_AFTER;
}

static gboolean
live_record (GpuPaletteMap * parent, GpuPaletteContext * context,
    const GpuFrame * in, const GpuFrame * out, GError ** error)
{
  GpuPaletteLive *live = (GpuPaletteLive *) parent;

  live->context = context;
  live->stream = context->slicer.stream;
  if (!live_prepare (parent, context->settings, error)
      || !record (live, in, out, error))
    return FALSE;
  live->has_frame = live->has_results = live->is_known = TRUE;
  live->settings = *context->settings;
  live->revision = context->revision;
  live_get_report (parent, context->tuning, context->report);
  return TRUE;
}

static void
live_forget_modes (GpuPaletteMap * parent)
{
  GpuPaletteLive *live = (GpuPaletteLive *) parent;

  live->is_known = FALSE;
  live->continuity.begins_from = BEGINS_FROM_NOTHING;
}

static void
live_forget (GpuPaletteMap * parent)
{
  GpuPaletteLive *live = (GpuPaletteLive *) parent;

  live_forget_modes (parent);
  live->has_frame = FALSE;
  gpu_palette_histogram_forget (&live->histogram);
  gpu_readback_forget (live->readback);
}

const GpuPaletteMapType gpu_palette_live_map = {
  .create = live_create,
  .free = live_free,
  .get_memory = live_get_memory,
  .prepare = live_prepare,
  .record = live_record,
  .forget = live_forget,
  .forget_modes = live_forget_modes,
  .get_report = live_get_report,
};
