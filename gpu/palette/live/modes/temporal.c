/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "temporal.h"
#include "gpu/palette/shared/arrays.h"
#include "shaders/palette/shared/pixels.h"
#include "blockmotion.h"
#include "continuity.h"
#include "colourlimit.h"
#include "topmodes.h"
#include "shaders.h"

#include <stddef.h>

struct _GpuPaletteTemporal
{
  GpuDevice *device;            /* not referenced */
  GpuPaletteFormat format;
  GpuKernel *begin, *move, *assign, *offer, *choose;
  GpuKernel *apply;             /* NULL: the choice writes frames */
  GpuPaletteBlockMotion motion;
  GpuPaletteColourLimit limiting;       /* zeroed until first used */
  GpuPaletteTopModes *top;      /* NULL until first used */
  GpuBuffer *state;             /* struct Temporal */
  GpuBuffer *modes;             /* struct TemporalMode, by slot */
  GpuBuffer *in_use;            /* bitmap of the slots of modes that pixels hold */
  GpuBuffer *sums;              /* struct ModeSums */
  GpuBuffer *pixel_modes[2];    /* by pixel, in turns: of the frame in progress and of the
                                   one before */
  guint newest;                 /* of pixel_modes: the one in progress */
  GpuPaletteContinuity continuity;
  gboolean has_frame;           /* one was recorded */
  gboolean needs_assignment[2]; /* kernels that assign modes are built soon: those without a
                                   limit, and those with one */
  gboolean needs_second;        /* the kernels of the second frame are built soon */
  gboolean expects_changes;     /* kernels for other settings were requested */

  /* For the frame in progress. */
  GpuSlicerItems of_modes;
};

/* --- building --- */

static void
drop_pixel_modes (GpuPaletteTemporal * temporal)
{
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&temporal->pixel_modes[i], gpu_buffer_unref);
}

void
gpu_palette_temporal_free (GpuPaletteTemporal * temporal)
{
  g_clear_pointer (&temporal->state, gpu_buffer_unref);
  g_clear_pointer (&temporal->in_use, gpu_buffer_unref);
  gpu_palette_block_motion_clear (&temporal->motion);
  g_clear_pointer (&temporal->modes, gpu_buffer_unref);
  g_clear_pointer (&temporal->sums, gpu_buffer_unref);
  drop_pixel_modes (temporal);
  g_clear_pointer (&temporal->top, gpu_palette_top_modes_free);
  g_free (temporal);
}

gsize
gpu_palette_temporal_get_memory (GpuPaletteTemporal * temporal)
{
  GpuBuffer *buffers[] = {
    temporal->state, temporal->in_use, temporal->motion.state,
    temporal->modes, temporal->sums, temporal->pixel_modes[0],
    temporal->pixel_modes[1]
  };
  gsize memory = gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));

  return temporal->top
      ? memory + gpu_palette_top_modes_get_memory (temporal->top) : memory;
}

/* Requests those that assign modes without a limit. */
static gboolean
request_unlimited (GpuPaletteTemporal * temporal, GpuKernelUrgency urgency,
    GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&temporal->assign, &gpu_shader_palette_temporal_assign},
    {&temporal->offer, &gpu_shader_palette_temporal_offer},
  };

  return gpu_kernels_request (temporal->device, kernels,
      G_N_ELEMENTS (kernels), urgency, error);
}

/* Requests those that others need, too: they have a frame before, and modes. */
static gboolean
request_second (GpuPaletteTemporal * temporal, GpuKernelUrgency urgency,
    GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&temporal->move, &gpu_shader_palette_temporal_move},
  };

  return gpu_palette_block_motion_request_second (&temporal->motion, urgency,
      error)
      && gpu_kernels_request (temporal->device, kernels,
      G_N_ELEMENTS (kernels), urgency, error);
}

/* Requests those that choose, and that write frames: the same one for frames of one plane. */
static gboolean
make_pixel_kernels (GpuPaletteTemporal * temporal, GError ** error)
{
  const GpuPaletteFormat *format = &temporal->format;
  const GpuPixelFormat *out = gpu_pixels_get_format (format->out);
  gboolean is_indexed = out->grouping == GPU_INDEXED;
  gboolean paints = !is_indexed && !gpu_pixel_format_is_subsampled (out);
  guint32 constants[PIXELS_CONSTANTS + 1];
  const GpuKernelWanted kernels[] = {
    {&temporal->choose, paints ? &gpu_shader_palette_temporal_paint
          : &gpu_shader_palette_temporal_choose, constants,
        G_N_ELEMENTS (constants)},
    {&temporal->apply, is_indexed ? &gpu_shader_palette_apply_index
          : &gpu_shader_palette_modes_apply_yuv, constants, PIXELS_CONSTANTS},
  };

  gpu_pixels_get_constants (temporal->device, format->in, format->out,
      &format->yuv, constants);
  constants[PIXELS_CONSTANTS] = !gpu_device_is_slow (temporal->device);
  temporal->apply = NULL;
  return gpu_kernels_request (temporal->device, kernels, paints ? 1 : 2,
      GPU_KERNEL_SOON, error);
}

static gboolean
make_buffers (GpuPaletteTemporal * temporal, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&temporal->state, sizeof (struct Temporal) / 4, "palette state of modes"},
    {&temporal->in_use, SLOT_WORDS, "palette modes in use"},
    {&temporal->modes, MODE_CAPACITY * sizeof (struct TemporalMode) / 4,
        "palette modes"},
    {&temporal->sums, sizeof (struct ModeSums) / 4, "palette sums of modes"},
  };

  return gpu_palette_make_arrays (temporal->device, arrays,
      G_N_ELEMENTS (arrays), NULL, error);
}

static gboolean
make_pixel_modes (GpuPaletteTemporal * temporal, GError ** error)
{
  const gsize n = PIXELS_ROW_WORDS ((gsize) temporal->format.width)
      * temporal->format.height;
  const GpuPaletteArray arrays[] = {
    {&temporal->pixel_modes[0], n, "palette modes of pixels", TRUE},
    {&temporal->pixel_modes[1], n, "palette modes of pixels before", TRUE},
  };

  return gpu_palette_make_arrays (temporal->device, arrays,
      G_N_ELEMENTS (arrays), NULL, error);
}

void
gpu_palette_temporal_release (GpuPaletteTemporal * temporal)
{
  gpu_palette_continuity_release (&temporal->continuity);
}

void
gpu_palette_temporal_forget (GpuPaletteTemporal * temporal)
{
  temporal->continuity.begins_from = BEGINS_FROM_NOTHING;
}

GpuPaletteTemporal *
gpu_palette_temporal_new (GpuDevice * device, const GpuPaletteFormat * format,
    GError ** error)
{
  GpuPaletteTemporal *temporal = g_new0 (GpuPaletteTemporal, 1);
  const GpuKernelWanted begin = {
    &temporal->begin, &gpu_shader_palette_temporal_begin
  };

  temporal->device = device;
  temporal->format = *format;
  gpu_palette_temporal_forget (temporal);
  if (gpu_palette_block_motion_init (&temporal->motion, device,
          &temporal->continuity, error)
      && gpu_kernels_request (device, &begin, 1, GPU_KERNEL_SOON, error)
      && request_second (temporal, GPU_KERNEL_LATER, error)
      && make_pixel_kernels (temporal, error)
      && make_buffers (temporal, error) && make_pixel_modes (temporal, error))
    return temporal;
  gpu_palette_temporal_free (temporal);
  return NULL;
}

gboolean
gpu_palette_temporal_set_format (GpuPaletteTemporal * temporal,
    const GpuPaletteFormat * format, GError ** error)
{
  temporal->format = *format;
  gpu_palette_temporal_release (temporal);
  drop_pixel_modes (temporal);
  return make_pixel_kernels (temporal, error)
      && make_pixel_modes (temporal, error);
}

static gboolean
make_top (GpuPaletteTemporal * temporal, GError ** error)
{
  if (!temporal->top)
    temporal->top = gpu_palette_top_modes_new (temporal->device, error);
  return temporal->top != NULL;
}

/* Has the kernels of the second frame built soon: once there is one, or at once if the device
 * builds them beside those of the first. On a CPU device the program of a still picture would
 * wait for them at its end. */
static gboolean
need_second (GpuPaletteTemporal * temporal, GError ** error)
{
  if (!temporal->needs_second
      && (temporal->has_frame || !gpu_device_is_slow (temporal->device))) {
    if (!request_second (temporal, GPU_KERNEL_SOON, error))
      return FALSE;
    temporal->needs_second = TRUE;
  }
  return TRUE;
}

/* Has the kernels that assign modes built soon. */
static gboolean
need_assignment (GpuPaletteTemporal * temporal, gboolean is_limited,
    GError ** error)
{
  if (!temporal->needs_assignment[is_limited])
    temporal->needs_assignment[is_limited] = is_limited
        ? gpu_palette_colour_limit_request (&temporal->limiting,
        temporal->device, GPU_KERNEL_SOON, error)
        : request_unlimited (temporal, GPU_KERNEL_SOON, error);
  return temporal->needs_assignment[is_limited];
}

gboolean
gpu_palette_temporal_prepare (GpuPaletteTemporal * temporal,
    const GpuPaletteSettings * settings, GError ** error)
{
  return (!settings->counts_pixels || make_top (temporal, error))
      && need_assignment (temporal, gpu_palette_get_limit (settings) > 0, error)
      && need_second (temporal, error);
}

/* Requests the kernels that frames need after a change of settings, so that none of them
 * waits. */
static void
expect_changes (GpuPaletteTemporal * temporal)
{
  if (temporal->expects_changes)
    return;
  request_unlimited (temporal, GPU_KERNEL_LATER, NULL);
  gpu_palette_colour_limit_request (&temporal->limiting, temporal->device,
      GPU_KERNEL_LATER, NULL);
  gpu_palette_top_modes_expect (temporal->device);
  temporal->expects_changes = TRUE;
}

/* --- a frame --- */

/* Records the write of the given colours as modes in the first slots; frees all other
 * slots. */
static void
write_colours (GpuPaletteTemporal * temporal, GpuStream * stream)
{
  const GpuPaletteContinuity *continuity = &temporal->continuity;
  struct TemporalMode modes[GPU_PALETTE_MAX_COLOURS] = { {0} };
  guint32 owning[SLOT_WORDS] = { 0 }, in_use[SLOT_WORDS] = { 0 };

  for (guint i = 0; i < continuity->given.n_colours; i++) {
    modes[i].red = (continuity->given.colours[i] >> 16 & 255) << 8;
    modes[i].green = continuity->given.colours[i] & 0xff00;
    modes[i].blue = (continuity->given.colours[i] & 255) << 8;
    owning[i / 32] |= 1u << i % 32;
  }
  gpu_stream_write (stream, temporal->modes, 0, modes,
      continuity->given.n_colours * sizeof *modes);
  gpu_stream_write (stream, temporal->state, offsetof (struct Temporal, owning),
      owning, sizeof owning);
  gpu_stream_write (stream, temporal->in_use, 0, in_use, sizeof in_use);
}

void
gpu_palette_temporal_begin (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, struct LiveState *live)
{
  TemporalFrame frame = {
    .width = temporal->format.width, .height = temporal->format.height,
  };

  if (gpu_palette_continuity_take_settings (&temporal->continuity,
          context->settings))
    write_colours (temporal, context->slicer.stream);
  gpu_palette_continuity_fill (&temporal->continuity, context, live, &frame);
  temporal->newest = 1 - temporal->newest;
  temporal->of_modes = (GpuSlicerItems) {
    .most = MODE_CAPACITY,
    .work = temporal->move,
  };
  gpu_slicer_choose_slice (&context->slicer, &temporal->of_modes);
  frame.modes_per_slice = temporal->of_modes.slice;
  gpu_stream_write (context->slicer.stream, temporal->state, 0, &frame,
      sizeof frame);
  gpu_palette_block_motion_begin (&temporal->motion, context, &frame, live);
}

void
gpu_palette_temporal_look_at_luma (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  gpu_palette_block_motion_look_at_luma (&temporal->motion, context, bins);
}

void
gpu_palette_temporal_begin_modes (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  const GpuDispatch begin = {
    .kernel = temporal->begin,
    .buffers = {
      [PALETTE_TEMPORAL_BEGIN_STATE] = temporal->state,
      [PALETTE_TEMPORAL_BEGIN_MOTION_STATE] = temporal->motion.state,
      [PALETTE_TEMPORAL_BEGIN_SUMMED] = temporal->sums,
      [PALETTE_TEMPORAL_BEGIN_IN_USE] = temporal->in_use,
    },
  };

  gpu_stream_stage (context->slicer.stream, "palette-modes");
  gpu_palette_bins_alone (bins, context, &begin);
}

static void
move_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  GpuSlicerItems of_modes = temporal->of_modes;
  const GpuSlicerGroups groups = {
    temporal->state, offsetof (struct Temporal, mode_groups)
  };
  const GpuDispatch move = {
    .kernel = temporal->move,
    .buffers = {
      [PALETTE_TEMPORAL_MOVE_LIVE] = bins->state,
      [PALETTE_TEMPORAL_MOVE_OCCUPIED] = bins->occupied,
      [PALETTE_TEMPORAL_MOVE_RANKS] = bins->ranks,
      [PALETTE_TEMPORAL_MOVE_STATE] = temporal->state,
      [PALETTE_TEMPORAL_MOVE_MODES] = temporal->modes,
      [PALETTE_TEMPORAL_MOVE_TABLES] = bins->tables,
      [PALETTE_TEMPORAL_MOVE_SUMS] = bins->sums,
      [PALETTE_TEMPORAL_MOVE_CARRIES] = bins->carries,
      [PALETTE_TEMPORAL_MOVE_HOMES] = bins->homes,
    },
  };

  of_modes.bound = MIN (bins->bound, MODE_CAPACITY);
  if (temporal->continuity.has_modes)
    gpu_slicer_run_indirect (&context->slicer, &move, &of_modes, groups);
}

void
gpu_palette_temporal_search (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  gpu_stream_stage (context->slicer.stream, "palette-modes");
  move_modes (temporal, context, bins);
  gpu_palette_block_motion_search (&temporal->motion, context, bins);
}

void
gpu_palette_temporal_match (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  gpu_palette_block_motion_match (&temporal->motion, context, bins);
}

/* Records the assignment of summits to modes near them. */
static void
assign_near (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  GpuSlicerItems of_assign = bins->of_bins;
  const GpuDispatch assign = {
    .kernel = temporal->assign,
    .buffers = {
      [PALETTE_TEMPORAL_ASSIGN_STATE] = temporal->state,
      [PALETTE_TEMPORAL_ASSIGN_MODES] = temporal->modes,
      [PALETTE_TEMPORAL_ASSIGN_LIST] = bins->bin_list,
      [PALETTE_TEMPORAL_ASSIGN_UPHILL] = bins->uphill,
      [PALETTE_TEMPORAL_ASSIGN_HOMES] = bins->homes,
      [PALETTE_TEMPORAL_ASSIGN_CLAIMS] = bins->claims,
      [PALETTE_TEMPORAL_ASSIGN_TOTALS] = bins->totals,
      [PALETTE_TEMPORAL_ASSIGN_SUMS] = bins->sums,
    },
  };
  /* In a held frame a summit may be compared with all modes, so it takes longer than
   * other kernels. */
  if (temporal->continuity.is_held)
    of_assign.work = temporal->assign;
  gpu_palette_bins_run (bins, context, &assign, &of_assign,
      GPU_PALETTE_BINS_GROUPS (bin));
}

/* Records the making of modes for the summits that got none, and the owners of all bins. */
static void
offer_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  const GpuDispatch offer = {
    .kernel = temporal->offer,
    .buffers = {
      [PALETTE_TEMPORAL_OFFER_STATE] = temporal->state,
      [PALETTE_TEMPORAL_OFFER_MODES] = temporal->modes,
      [PALETTE_TEMPORAL_OFFER_TABLES] = bins->tables,
      [PALETTE_TEMPORAL_OFFER_SUMS] = bins->sums,
      [PALETTE_TEMPORAL_OFFER_CARRIES] = bins->carries,
      [PALETTE_TEMPORAL_OFFER_UPHILL] = bins->uphill,
      [PALETTE_TEMPORAL_OFFER_CLAIMS] = bins->claims,
      [PALETTE_TEMPORAL_OFFER_TOTALS] = bins->totals,
      [PALETTE_TEMPORAL_OFFER_OWNERS] = bins->owners,
    },
  };

  gpu_palette_bins_over_bins (bins, context, &offer);
}

/* Records the choice of every pixel: the mode that its bin offers, or the one it holds. In a
 * settled film, too: what pixels hold is kept in turns. Writes @out, unless
 * apply_modes() does. */
static void
choose_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, const GpuFrame * in, const GpuFrame * out)
{
  const gboolean paints = temporal->apply == NULL;
  const GpuPixelsBound pixels = {
    .in = &in->info,
    .out = paints ? &out->info : NULL,
    .arrays = 1 << PALETTE_TEMPORAL_CHOOSE_COLOURS
        | 1 << PALETTE_TEMPORAL_CHOOSE_COLOURS_BEFORE
        | 1 << PALETTE_TEMPORAL_CHOOSE_PIXEL_BINS
        | 1 << PALETTE_TEMPORAL_CHOOSE_HELD_BEFORE
        | 1 << PALETTE_TEMPORAL_CHOOSE_PIXEL_MODES,
    .halo = gpu_palette_block_motion_get_reach (&temporal->motion)
  };
  const GpuDispatch choose = {
    .kernel = temporal->choose,
    .buffers = {
      [PALETTE_TEMPORAL_PAINT_INPUT] = paints ? in->buffer : NULL,
      [PALETTE_TEMPORAL_PAINT_OUTPUT] = paints ? out->buffer : NULL,
      [PALETTE_TEMPORAL_CHOOSE_LIVE] = bins->state,
      [PALETTE_TEMPORAL_CHOOSE_OCCUPIED] = bins->occupied,
      [PALETTE_TEMPORAL_CHOOSE_RANKS] = bins->ranks,
      [PALETTE_TEMPORAL_CHOOSE_STATE] = temporal->state,
      [PALETTE_TEMPORAL_CHOOSE_MOTION_STATE] = temporal->motion.state,
      [PALETTE_TEMPORAL_CHOOSE_IN_USE] = temporal->in_use,
      [PALETTE_TEMPORAL_CHOOSE_MODES] = temporal->modes,
      [PALETTE_TEMPORAL_CHOOSE_COLOURS] =
          gpu_palette_bins_get_colours (bins),
      [PALETTE_TEMPORAL_CHOOSE_COLOURS_BEFORE] =
          gpu_palette_bins_get_colours_before (bins),
      [PALETTE_TEMPORAL_CHOOSE_PIXEL_BINS] = bins->pixel_bins,
      [PALETTE_TEMPORAL_CHOOSE_OWNERS] = bins->owners,
      [PALETTE_TEMPORAL_CHOOSE_HOMES] = bins->homes,
      [PALETTE_TEMPORAL_CHOOSE_HELD_BEFORE] =
          temporal->pixel_modes[1 - temporal->newest],
      [PALETTE_TEMPORAL_CHOOSE_PIXEL_MODES] =
          temporal->pixel_modes[temporal->newest],
    },
  };

  gpu_stream_stage (context->slicer.stream,
      paints ? "palette-apply" : "palette-choose");
  gpu_pixels_run (&context->slicer, &choose, &pixels);
}

/* Records the conversion of @in to @out in formats with more than one plane, or with
 * indexes: each pixel shows the mode that it holds. */
static void
apply_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    const GpuFrame * in, const GpuFrame * out)
{
  const GpuPixelsBound pixels = {
    &in->info, &out->info, 1 << PALETTE_APPLY_INDEX_PIXEL_MODES
  };
  const GpuDispatch apply = {
    .kernel = temporal->apply,
    .buffers = {
      [PALETTE_APPLY_INDEX_OUTPUT] = out->buffer,
      [PALETTE_APPLY_INDEX_PIXEL_MODES] =
          temporal->pixel_modes[temporal->newest],
      [PALETTE_APPLY_INDEX_MODES] = temporal->modes,
      [PALETTE_APPLY_INDEX_STATE] = temporal->state,
    },
  };

  if (!temporal->apply)
    return;
  gpu_stream_stage (context->slicer.stream, "palette-apply");
  gpu_pixels_run (&context->slicer, &apply, &pixels);
}

static void
count_pixels (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  if (context->settings->counts_pixels)
    gpu_palette_top_modes_record (temporal->top, context, bins,
        temporal->pixel_modes[temporal->newest], temporal->modes);
}

static gboolean
is_limited (const GpuPaletteTemporal * temporal)
{
  return temporal->continuity.limit > 0;
}

static GpuPaletteModeBuffers
get_buffers (const GpuPaletteTemporal * temporal)
{
  return (GpuPaletteModeBuffers) {
    temporal->state, temporal->motion.state, temporal->modes, temporal->sums,
    temporal->in_use,
  };
}

/* Record the steps of the assignment of a mode to every bin: the last one is of a limit
 * only. */
static void
begin_assignment (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  const GpuPaletteModeBuffers buffers = get_buffers (temporal);

  if (is_limited (temporal))
    gpu_palette_colour_limit_begin (&temporal->limiting, context, bins,
        &buffers);
  else
    assign_near (temporal, context, bins);
}

static void
continue_assignment (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  const GpuPaletteModeBuffers buffers = get_buffers (temporal);

  if (is_limited (temporal))
    gpu_palette_colour_limit_weigh (&temporal->limiting, context, bins,
        &buffers);
  else
    offer_modes (temporal, context, bins);
}

static void
end_assignment (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  const GpuPaletteModeBuffers buffers = get_buffers (temporal);

  if (is_limited (temporal))
    gpu_palette_colour_limit_assign (&temporal->limiting, context, bins,
        &buffers);
}

/* Records the assignment; beside its first steps, what is still to be found about motion. */
static void
assign_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  const GpuPaletteBlockMotion *motion = &temporal->motion;
  GpuStream *stream = context->slicer.stream;

  gpu_stream_stage (stream, "palette-modes");
  begin_assignment (temporal, context, bins);
  gpu_palette_block_motion_measure (motion, context, bins);
  gpu_stream_stage (stream, "palette-modes");
  /* Both use the state of the bins, but different words of it. */
  gpu_stream_begin_disjoint (stream);
  continue_assignment (temporal, context, bins);
  gpu_palette_block_motion_find_unrest (motion, context, bins);
  gpu_stream_end_disjoint (stream);
  gpu_stream_stage (stream, "palette-modes");
  end_assignment (temporal, context, bins);
}

static gboolean
renews_modes (const GpuPaletteTemporal * temporal)
{
  return is_limited (temporal) && !temporal->continuity.is_held;
}

/* Records the choice of every pixel; beside it, the sums over bins from which modes are
 * renewed. */
static void
choose_and_sum (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, const GpuFrame * in, const GpuFrame * out)
{
  const GpuPaletteModeBuffers buffers = get_buffers (temporal);

  if (renews_modes (temporal))
    gpu_palette_colour_limit_sum (&temporal->limiting, context, bins, &buffers);
  choose_modes (temporal, context, bins, in, out);
}

static void
renew_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins)
{
  const GpuPaletteModeBuffers buffers = get_buffers (temporal);

  if (renews_modes (temporal))
    gpu_palette_colour_limit_renew (&temporal->limiting, context, bins,
        &buffers);
}

void
gpu_palette_temporal_update (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins, const GpuFrame * in,
    const GpuFrame * out)
{
  assign_modes (temporal, context, bins);
  choose_and_sum (temporal, context, bins, in, out);
  apply_modes (temporal, context, in, out);
  renew_modes (temporal, context, bins);
  count_pixels (temporal, context, bins);
  temporal->has_frame = TRUE;
  expect_changes (temporal);
}
