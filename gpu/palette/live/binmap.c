/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "binmap.h"
#include "binwindow.h"
#include "geometry.h"
#include "shaders.h"
#include "summits.h"
#include "gpu/core/compute/readback.h"
#include "gpu/palette/live/modes/continuity.h"
#include "gpu/palette/live/modes/temporal.h"
#include "shaders/palette/count/changed.h"

#include <stddef.h>
#include <string.h>

/* Pacing assumes that the number of bins has grown by no more than this factor since the
 * last frame that was read back. On a GPU less care is enough: dispatches over bins are short
 * there, and a frame that is split waits for the host. */
#define GROWTH_CPU 4
#define GROWTH 2

/* Words of the live state that the host reads back when a frame is done. */
#define READBACK_AT offsetof (struct LiveState, changed)
#define READBACK_WORDS \
    ((offsetof (struct LiveState, tile_groups) - READBACK_AT) / 4)

typedef struct
{
  guint32 changed, occupied[BIN_LEVELS], rest, output_colours;
} Readback;

G_STATIC_ASSERT (sizeof (Readback) == READBACK_WORDS * 4);

typedef struct
{
  GpuPaletteMap parent;
  GpuPaletteFormat format;
  GpuKernel *mark, *gate, *apply;

  GpuPaletteBins bins;
  GpuPaletteSummits summits;
  GpuPaletteTemporal *temporal; /* NULL until first used */
  GpuPaletteBinWindow *window;  /* NULL until first used */
  GpuReadback *readback;

  gboolean needs_results;       /* the kernels of results by bin are built soon */
  gboolean has_frame;           /* bins has the colours of the frame before */
  gboolean has_results;         /* buffers by bin hold the results of that frame */

  /* Settings and revision of the frame before, if known. */
  gboolean is_known;
  GpuPaletteSettings settings;
  guint revision;
} BinMap;

/* --- building --- */

static void
bin_map_free (GpuPaletteMap * parent)
{
  BinMap *map = (BinMap *) parent;

  g_clear_pointer (&map->temporal, gpu_palette_temporal_free);
  g_clear_pointer (&map->window, gpu_palette_bin_window_free);
  g_clear_pointer (&map->readback, gpu_readback_free);
  gpu_palette_bins_clear (&map->bins);
  g_free (map);
}

static gsize
bin_map_get_memory (GpuPaletteMap * parent)
{
  BinMap *map = (BinMap *) parent;
  gsize memory = gpu_readback_get_memory (map->readback)
      + gpu_palette_bins_get_memory (&map->bins);

  if (map->temporal)
    memory += gpu_palette_temporal_get_memory (map->temporal);
  if (map->window)
    memory += gpu_palette_bin_window_get_memory (map->window);
  return memory;
}

static const GpuPixelShaders mark_shaders = {
  &gpu_shader_palette_bin_mark, &gpu_shader_palette_bin_mark_yuv
};

static const GpuPixelShaders apply_shaders = {
  &gpu_shader_palette_bin_apply, &gpu_shader_palette_bin_apply_yuv
};

static gboolean
request_apply (BinMap * map, GpuKernelUrgency urgency, GError ** error)
{
  const GpuPaletteFormat *format = &map->format;
  guint32 constants[PIXELS_CONSTANTS];

  gpu_pixels_get_constants (map->bins.device, format->in, format->out,
      &format->yuv, constants);
  map->apply =
      gpu_kernel_request (map->bins.device,
      gpu_pixels_choose_shader (&apply_shaders, format->out), constants,
      PIXELS_CONSTANTS, urgency, error);
  return map->apply != NULL;
}

static gboolean
make_kernels (BinMap * map, GError ** error)
{
  GpuDevice *device = map->bins.device;
  const GpuPaletteFormat *format = &map->format;
  const guint32 words = gpu_palette_bins_words_per_thread (device);
  guint32 constants[PIXELS_CONSTANTS + 2];
  const GpuKernelWanted kernels[] = {
    {&map->mark, gpu_pixels_choose_shader (&mark_shaders, format->in),
        constants, G_N_ELEMENTS (constants)},
    {&map->gate, &gpu_shader_palette_bin_gate, &words, 1},
  };

  gpu_pixels_get_constants (device, format->in, format->out, &format->yuv,
      constants);
  constants[PIXELS_CONSTANTS] = words;
  constants[PIXELS_CONSTANTS + 1] = !gpu_device_is_slow (device);
  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error)
      && request_apply (map, GPU_KERNEL_LATER, error);
}

/* Has the kernels that only frames without modes need built soon. */
static gboolean
need_results (BinMap * map, GError ** error)
{
  if (!map->needs_results)
    map->needs_results = request_apply (map, GPU_KERNEL_SOON, error)
        && gpu_palette_summits_request_colour (&map->summits, &map->bins,
        GPU_KERNEL_SOON, error);
  return map->needs_results;
}

/* Takes over the modes of @old, which are kept when the format changes, and frees it. */
static void
take_temporal (BinMap * map, BinMap * old)
{
  map->temporal = g_steal_pointer (&old->temporal);
  bin_map_free (&old->parent);
}

static GpuPaletteMap *
bin_map_create (GpuDevice * device, const GpuPaletteFormat * format,
    GpuPaletteMap * old, GError ** error)
{
  BinMap *map = g_new0 (BinMap, 1);

  if (old)
    take_temporal (map, (BinMap *) old);
  map->parent.type = &gpu_palette_bin_map;
  map->format = *format;
  map->readback = gpu_readback_new (device, READBACK_WORDS, error);
  if (map->readback && gpu_palette_bins_init (&map->bins, device,
          format->width, format->height, error)
      && make_kernels (map, error)
      && gpu_palette_summits_init (&map->summits, &map->bins, error)
      && (!map->temporal
          || gpu_palette_temporal_set_format (map->temporal, format, error)))
    return &map->parent;
  bin_map_free (&map->parent);
  return NULL;
}

/* --- a frame --- */

static gboolean
has_same_palette (BinMap * map, const GpuPaletteContext * context)
{
  return map->is_known
      && map->settings.making.radius == context->settings->making.radius
      && map->settings.making.weighting == context->settings->making.weighting;
}

/* Results with modes and results without are kept in different buffers. */
static gboolean
has_same_way (BinMap * map, const GpuPaletteContext * context)
{
  return gpu_palette_continuity_is_wanted (&map->settings)
      == gpu_palette_continuity_is_wanted (context->settings);
}

/* With modes, results are by pixel, and do not depend on the buffers by bin. */
static gboolean
has_all_results (BinMap * map, const GpuPaletteContext * context)
{
  return map->has_results
      || gpu_palette_continuity_is_wanted (context->settings);
}

static gboolean
is_same (BinMap * map, const GpuPaletteContext * context)
{
  const GpuPaletteSettings *now = context->settings, *then = &map->settings;

  return map->is_known && has_same_way (map, context)
      && has_all_results (map, context)
      && map->revision == context->revision
      && GPU_PALETTE_ARE_EQUAL (&then->counting, &now->counting)
      && GPU_PALETTE_ARE_EQUAL (&then->making, &now->making)
      && GPU_PALETTE_ARE_EQUAL (&then->motion, &now->motion);
}

/* Sums of a window are wide, as it may have more pixels than a frame. */
static GpuPaletteBinsRoom
room_for (const BinMap * map, const GpuPaletteSettings * settings)
{
  const GpuPaletteMaking *making = &settings->making;
  struct LiveState live;
  GpuPaletteBinsRoom room;

  room.words =
      gpu_palette_geometry_fill (&live, making->radius, making->chroma);
  room.bins = gpu_palette_bins_most (&map->bins, settings->counting.history);
  room.bins = MIN (room.bins, gpu_palette_geometry_most_bins (&live.grid));
  room.is_wide = gpu_palette_bin_window_is_wanted (settings)
      || gpu_palette_bins_are_wide (&map->bins);
  return room;
}

static gboolean
make_room (BinMap * map, const GpuPaletteSettings * settings, GError ** error)
{
  const GpuPaletteBinsRoom needed = room_for (map, settings);

  if (gpu_palette_bins_have_room (&map->bins, &needed))
    return TRUE;
  map->has_results = FALSE;
  return gpu_palette_bins_make_room (&map->bins, &needed, error);
}

static gboolean
make_window (BinMap * map, GError ** error)
{
  if (!map->window)
    map->window = gpu_palette_bin_window_new (map->bins.device,
        &map->format, map->bins.changed, error);
  return map->window != NULL;
}

static gboolean
bin_map_prepare (GpuPaletteMap * parent, const GpuPaletteSettings * settings,
    GError ** error)
{
  BinMap *map = (BinMap *) parent;

  if (!make_room (map, settings, error)
      || (gpu_palette_bin_window_is_wanted (settings)
          && !make_window (map, error)))
    return FALSE;
  if (!gpu_palette_continuity_is_wanted (settings))
    return need_results (map, error);
  if (!map->temporal)
    map->temporal = gpu_palette_temporal_new (map->bins.device, &map->format,
        error);
  return map->temporal
      && gpu_palette_temporal_prepare (map->temporal, settings, error);
}

static gboolean
is_temporal (const GpuPaletteContext * context)
{
  return gpu_palette_continuity_is_wanted (context->settings);
}

static gboolean
is_windowed (const GpuPaletteContext * context)
{
  return gpu_palette_bin_window_is_wanted (context->settings);
}

/* Sets what the host says of this frame, and chooses the slices of its dispatches. Returns
 * the number of words of the bitmap of bins. */
static guint
fill_live (BinMap * map, GpuPaletteContext * context, struct LiveState *live)
{
  const GpuPaletteMaking *making = &context->settings->making;
  GpuPaletteBins *bins = &map->bins;
  guint n_words =
      gpu_palette_geometry_fill (live, making->radius, making->chroma);

  bins->may_merge = MIN ((guint64) bins->n_pixels
      * MAX (context->settings->counting.history, 1),
      gpu_palette_geometry_most_bins (&live->grid)) > bins->capacity;
  bins->most = MIN (bins->most, gpu_palette_geometry_most_bins (&live->grid));
  bins->bound = MIN (bins->bound, bins->most);
  gpu_palette_summits_choose_slices (&map->summits, bins, context,
      live->grid.words[0]);
  live->capacity = bins->capacity;
  live->is_by_colour = making->weighting == GPU_PALETTE_PALETTE;
  live->keeps_all = making->radius == 0;
  live->n_words = bins->n_words;
  live->width = bins->width;
  live->height = bins->height;
  live->tile_items = bins->of_tiles.most;
  live->tiles_per_slice = bins->of_tiles.slice;
  live->words_per_slice = bins->of_words.slice;
  live->bins_per_slice = bins->of_bins.slice;
  live->luma_pixels = 0;
  live->luma_pixels_per_slice = 1;
  live->rest_step = SETTLED_AFTER;
  live->marked_groups = live->changed = 0;
  for (guint level = 0; level < BIN_LEVELS; level++)
    live->occupied[level] = 0;
  return n_words;
}

/* Records the writes of the live state and tables for this frame, and clears the bins. */
static void
begin (BinMap * map, GpuPaletteContext * context)
{
  struct LiveState live;
  guint n_words = fill_live (map, context, &live);

  if (is_temporal (context))
    gpu_palette_temporal_begin (map->temporal, context, &live);
  if (is_windowed (context))
    gpu_stream_fill (context->slicer.stream, map->bins.changed, 0,
        sizeof (struct PaletteChanged), 0);
  gpu_stream_write (context->slicer.stream, map->bins.state, 0, &live,
      offsetof (struct LiveState, rest));
  if (!is_same (map, context))
    gpu_stream_write (context->slicer.stream, map->bins.tables, 0,
        context->tables, sizeof *context->tables);
  gpu_palette_bins_empty (&map->bins, context, n_words);
  if (live.is_by_colour)
    gpu_palette_bins_clear_seen (&map->bins, context);
}

/* Whether the last workgroup that marks sizes the dispatches after it. */
static gboolean
is_gated_by_mark (BinMap * map, const GpuPaletteContext * context)
{
  return !is_windowed (context) && !gpu_device_is_slow (map->bins.device);
}

static void
size_dispatches (BinMap * map, GpuPaletteContext * context)
{
  const GpuDispatch gate = {
    .kernel = map->gate,
    .buffers = {
      [PALETTE_BIN_GATE_CHANGED] = map->bins.changed,
    },
    .push = &(GpuPaletteBinGatePush) {.is_windowed = is_windowed (context)},
  };

  if (!is_gated_by_mark (map, context))
    gpu_palette_bins_alone (&map->bins, context, &gate);
}

static gboolean
mark_pixels (BinMap * map, GpuPaletteContext * context, const GpuFrame * in,
    GError ** error)
{
  GpuPaletteBins *bins = &map->bins;
  const GpuPixelsBound pixels = {
    .in = &in->info,
    .arrays = 1 << PALETTE_BIN_MARK_COLOURS_BEFORE
        | 1 << PALETTE_BIN_MARK_COLOURS | 1 << PALETTE_BIN_MARK_PIXEL_BINS,
    .least_alpha = context->settings->counting.least_alpha
  };
  const GpuDispatch mark = {
    .kernel = map->mark,
    .buffers = {
      [PALETTE_BIN_MARK_FRAME] = in->buffer,
      [PALETTE_BIN_MARK_TABLES] = bins->tables,
      [PALETTE_BIN_MARK_COLOURS_BEFORE] =
          gpu_palette_bins_get_colours_before (bins),
      [PALETTE_BIN_MARK_COLOURS] = gpu_palette_bins_get_colours (bins),
      [PALETTE_BIN_MARK_PIXEL_BINS] = bins->pixel_bins,
      [PALETTE_BIN_MARK_SEEN] = bins->seen,
      [PALETTE_BIN_MARK_LIVE] = bins->state,
      [PALETTE_BIN_MARK_OCCUPIED] = bins->occupied,
    },
    .push = &(GpuPaletteBinMarkPush) {.recount = !is_same (map, context),
      .sizes_dispatches = is_gated_by_mark (map, context)},
  };

  begin (map, context);
  gpu_pixels_run (&context->slicer, &mark, &pixels);
  if (is_windowed (context)
      && !gpu_palette_bin_window_mark (map->window, context, bins, &in->info,
          error))
    return FALSE;
  size_dispatches (map, context);
  return TRUE;
}

static void
weigh (BinMap * map, GpuPaletteContext * context)
{
  gpu_stream_stage (context->slicer.stream, "palette-weigh");
  if (is_windowed (context))
    gpu_palette_bin_window_weigh (map->window, context, &map->bins);
  else
    gpu_palette_summits_weigh (&map->summits, &map->bins, context);
}

/* Reads the words of the newest frame that is done; FALSE if there is none. */
static gboolean
read_back (BinMap * map, Readback * readback)
{
  return gpu_readback_read (map->readback, (guint32 *) readback);
}

static guint
get_capacity (const GpuPaletteTuning * tuning)
{
  return tuning->bin_capacity ? tuning->bin_capacity : BIN_CAPACITY;
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
bin_map_get_report (GpuPaletteMap * parent, const GpuPaletteTuning * tuning,
    GpuPaletteReport * report)
{
  BinMap *map = (BinMap *) parent;
  Readback readback;

  if (!read_back (map, &readback))
    return;
  report->counted.bins = occupied_of (&readback, get_capacity (tuning));
  report->made.output_colours = readback.output_colours;
  report->counted.changed_pixels = readback.changed;
  report->made.solved = readback.rest < SETTLED_AFTER;
}

static guint
bound_of (BinMap * map)
{
  const guint growth = gpu_device_is_slow (map->bins.device)
      ? GROWTH_CPU : GROWTH;
  Readback readback;

  if (!read_back (map, &readback) || readback.occupied[0] == 0)
    return map->bins.most;
  return MIN ((guint64) readback.occupied[0] * growth, map->bins.most);
}

/* A frame without modes discards them. If radius or weighting changed, modes are kept,
 * but pixels hold none. */
static void
begin_temporal (BinMap * map, const GpuPaletteContext * context)
{
  if (!map->temporal)
    return;
  if (!is_temporal (context))
    gpu_palette_temporal_forget (map->temporal);
  else if (!has_same_palette (map, context))
    gpu_palette_temporal_release (map->temporal);
}

/* If the window is in use, the frame before may have to enter it; if not, it is empty. */
static gboolean
begin_window (BinMap * map, GpuPaletteContext * context,
    const GpuFrameInfo * info, GError ** error)
{
  context->report->counted.history = 1;
  if (is_windowed (context))
    return gpu_palette_bin_window_begin (map->window, context, &map->bins, info,
        map->has_frame, error);
  if (map->window)
    gpu_palette_bin_window_empty (map->window);
  return TRUE;
}

/* Returns the word with which the lists of summits begin: with a limit of modes they hold
 * weights, and otherwise the homes of modes, none of which is known yet. */
static guint
begin_with (const GpuPaletteContext * context)
{
  return gpu_palette_get_limit (context->settings) > 0 ? 0 : G_MAXUINT32;
}

typedef void (*TemporalStep) (GpuPaletteTemporal *, GpuPaletteContext *,
    GpuPaletteBins *);

/* Records a step of modes next to the step of summits before it, so that one barrier serves
 * both if they use different buffers. */
static void
go_beside (BinMap * map, GpuPaletteContext * context, TemporalStep step)
{
  if (is_temporal (context))
    step (map->temporal, context, &map->bins);
}

/* On a GPU most of these steps are too short to fill it. The search comes before the estimate:
 * it reads new numbers of workgroups, and the barrier that it needs serves both. */
static void
find_summits (BinMap * map, GpuPaletteContext * context)
{
  const GpuPaletteSummits *summits = &map->summits;
  GpuPaletteBins *bins = &map->bins;

  gpu_palette_summits_list (summits, bins, context, begin_with (context));
  go_beside (map, context, gpu_palette_temporal_look_at_luma);
  weigh (map, context);
  go_beside (map, context, gpu_palette_temporal_begin_modes);
  go_beside (map, context, gpu_palette_temporal_search);
  gpu_palette_summits_estimate (summits, bins, context);
  gpu_palette_summits_climb (summits, bins, context, !is_temporal (context));
  go_beside (map, context, gpu_palette_temporal_match);
}

static void
apply (BinMap * map, GpuPaletteContext * context, const GpuFrame * in,
    const GpuFrame * out)
{
  GpuPaletteBins *bins = &map->bins;
  const GpuPixelsBound pixels = {
    &in->info, &out->info,
    1 << PALETTE_BIN_APPLY_COLOURS | 1 << PALETTE_BIN_APPLY_PIXEL_BINS
  };
  const GpuDispatch apply = {
    .kernel = map->apply,
    .buffers = {
      [PALETTE_BIN_APPLY_INPUT] = in->buffer,
      [PALETTE_BIN_APPLY_OUTPUT] = out->buffer,
      [PALETTE_BIN_APPLY_LIVE] = bins->state,
      [PALETTE_BIN_APPLY_OCCUPIED] = bins->occupied,
      [PALETTE_BIN_APPLY_RANKS] = bins->ranks,
      [PALETTE_BIN_APPLY_COLOURS] = gpu_palette_bins_get_colours (bins),
      [PALETTE_BIN_APPLY_PIXEL_BINS] = bins->pixel_bins,
      [PALETTE_BIN_APPLY_RESULTS] = bins->results,
    },
  };

  gpu_stream_stage (context->slicer.stream, "palette-apply");
  gpu_pixels_run (&context->slicer, &apply, &pixels);
}

static gboolean
update (BinMap * map, GpuPaletteContext * context, const GpuFrame * in,
    const GpuFrame * out, GError ** error)
{
  const GpuPaletteSummits *summits = &map->summits;

  gpu_stream_stage (context->slicer.stream, "palette-mark");
  if (!begin_window (map, context, &in->info, error))
    return FALSE;
  begin_temporal (map, context);
  gpu_palette_bins_begin_frame (&map->bins);
  map->bins.most =
      gpu_palette_bins_most (&map->bins, context->settings->counting.history);
  map->bins.bound = bound_of (map);
  map->bins.capacity = get_capacity (context->tuning);
  if (!mark_pixels (map, context, in, error))
    return FALSE;
  find_summits (map, context);
  if (is_temporal (context))
    gpu_palette_temporal_update (map->temporal, context, &map->bins, in, out);
  else
    gpu_palette_summits_colour (summits, &map->bins, context);
  gpu_readback_record (map->readback, context->slicer.stream, map->bins.state,
      READBACK_AT);
  if (!is_temporal (context))
    apply (map, context, in, out);
  return TRUE;
}

static gboolean
bin_map_record (GpuPaletteMap * parent, GpuPaletteContext * context,
    const GpuFrame * in, const GpuFrame * out, GError ** error)
{
  BinMap *map = (BinMap *) parent;

  if (!bin_map_prepare (parent, context->settings, error)
      || !update (map, context, in, out, error))
    return FALSE;
  map->has_frame = map->has_results = map->is_known = TRUE;
  map->settings = *context->settings;
  map->revision = context->revision;
  bin_map_get_report (parent, context->tuning, context->report);
  return TRUE;
}

static void
bin_map_forget_modes (GpuPaletteMap * parent)
{
  BinMap *map = (BinMap *) parent;

  map->is_known = FALSE;
  if (map->temporal)
    gpu_palette_temporal_forget (map->temporal);
}

static void
bin_map_forget (GpuPaletteMap * parent)
{
  BinMap *map = (BinMap *) parent;

  bin_map_forget_modes (parent);
  map->has_frame = FALSE;
  if (map->window)
    gpu_palette_bin_window_forget (map->window);
  gpu_readback_forget (map->readback);
}

const GpuPaletteMapType gpu_palette_bin_map = {
  .create = bin_map_create,
  .free = bin_map_free,
  .get_memory = bin_map_get_memory,
  .prepare = bin_map_prepare,
  .record = bin_map_record,
  .forget = bin_map_forget,
  .forget_modes = bin_map_forget_modes,
  .get_report = bin_map_get_report,
};
