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

/* *INDENT-OFF* */
/* The kernels that write frames have the same bindings for all formats. */
G_STATIC_ASSERT (PALETTE_MODES_APPLY_OUTPUT == PALETTE_APPLY_INDEX_OUTPUT
    && PALETTE_MODES_APPLY_PIXEL_MODES == PALETTE_APPLY_INDEX_PIXEL_MODES
    && PALETTE_MODES_APPLY_MODES == PALETTE_APPLY_INDEX_MODES);
G_STATIC_ASSERT (PALETTE_MODES_APPLY_OUTPUT == PALETTE_MODES_APPLY_YUV_OUTPUT
    && PALETTE_MODES_APPLY_PIXEL_MODES == PALETTE_MODES_APPLY_YUV_PIXEL_MODES
    && PALETTE_MODES_APPLY_MODES == PALETTE_MODES_APPLY_YUV_MODES);
/* *INDENT-ON* */

/* Costs on two cores of a CPU, in ns: PIXELS_PER_THREAD pixels that choose, a mode that moves,
 * and a bin of a held frame, whose summit may be compared with all modes. */
#define CHOICE_NS 300
#define MODE_NS 1500
#define HELD_ASSIGN_NS 5000

struct _GpuPaletteTemporal
{
  GpuDevice *device;            /* not referenced */
  GpuPaletteFormat format;
  GpuKernel *begin, *move, *assign, *create, *offer, *choose, *apply;
  GpuPaletteBlockMotion motion;
  GpuPaletteColourLimit limiting;       /* zeroed until first used */
  GpuPaletteTopModes *top;      /* NULL until first used */
  GpuBuffer *state;             /* struct Temporal */
  GpuBuffer *modes;             /* struct TemporalMode, by slot */
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
  gpu_palette_block_motion_clear (&temporal->motion);
  g_clear_pointer (&temporal->modes, gpu_buffer_unref);
  drop_pixel_modes (temporal);
  g_clear_pointer (&temporal->top, gpu_palette_top_modes_free);
  g_free (temporal);
}

gsize
gpu_palette_temporal_get_memory (GpuPaletteTemporal * temporal)
{
  GpuBuffer *buffers[] = {
    temporal->state, temporal->motion.state, temporal->modes,
    temporal->pixel_modes[0], temporal->pixel_modes[1]
  };
  gsize memory = gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));

  return temporal->top
      ? memory + gpu_palette_top_modes_get_memory (temporal->top) : memory;
}

/* Requests the kernels that the first frame needs. */
static gboolean
request_first (GpuPaletteTemporal * temporal, GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&temporal->begin, &gpu_shader_palette_temporal_begin},
    {&temporal->choose, &gpu_shader_palette_temporal_choose},
  };

  return gpu_kernels_request (temporal->device, kernels,
      G_N_ELEMENTS (kernels), GPU_KERNEL_SOON, error);
}

/* Requests those that assign modes without a limit. */
static gboolean
request_unlimited (GpuPaletteTemporal * temporal, GpuKernelUrgency urgency,
    GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&temporal->assign, &gpu_shader_palette_temporal_assign},
    {&temporal->create, &gpu_shader_palette_temporal_create},
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
  const GpuKernelWanted move = {
    &temporal->move, &gpu_shader_palette_temporal_move
  };

  return gpu_palette_block_motion_request_second (&temporal->motion, urgency,
      error)
      && gpu_kernels_request (temporal->device, &move, 1, urgency, error);
}

static const GpuShader *
choose_apply_shader (GpuPixels out)
{
  static const GpuPixelShaders shaders = {
    &gpu_shader_palette_modes_apply, &gpu_shader_palette_modes_apply_yuv
  };

  return gpu_pixels_get_format (out)->grouping == GPU_INDEXED
      ? &gpu_shader_palette_apply_index
      : gpu_pixels_choose_shader (&shaders, out);
}

static gboolean
make_pixel_kernel (GpuPaletteTemporal * temporal, GError ** error)
{
  const GpuPaletteFormat *format = &temporal->format;
  guint32 constants[PIXELS_CONSTANTS];

  gpu_pixels_get_constants (format->in, format->out, &format->yuv, constants);
  temporal->apply = gpu_kernel_request (temporal->device,
      choose_apply_shader (format->out), constants, PIXELS_CONSTANTS,
      GPU_KERNEL_SOON, error);
  return temporal->apply != NULL;
}

static gboolean
make_buffers (GpuPaletteTemporal * temporal, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&temporal->state, sizeof (struct Temporal) / 4, "palette state of modes"},
    {&temporal->modes, MODE_CAPACITY * sizeof (struct TemporalMode) / 4,
        "palette modes"},
  };

  return gpu_palette_make_arrays (temporal->device, arrays,
      G_N_ELEMENTS (arrays), NULL, error);
}

static gboolean
make_pixel_modes (GpuPaletteTemporal * temporal, GError ** error)
{
  const gsize n = (gsize) temporal->format.width * temporal->format.height;
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

  temporal->device = device;
  temporal->format = *format;
  gpu_palette_temporal_forget (temporal);
  if (gpu_palette_block_motion_init (&temporal->motion, device,
          &temporal->continuity, error)
      && request_first (temporal, error)
      && request_second (temporal, GPU_KERNEL_LATER, error)
      && make_pixel_kernel (temporal, error)
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
  return make_pixel_kernel (temporal, error)
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
  gpu_stream_write (stream, temporal->state, offsetof (struct Temporal, in_use),
      in_use, sizeof in_use);
}

void
gpu_palette_temporal_begin (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, struct LiveState *live)
{
  TemporalFrame frame = {
    .width = temporal->format.width,.height = temporal->format.height
  };

  if (gpu_palette_continuity_take_settings (&temporal->continuity,
          context->settings))
    write_colours (temporal, context->slicer.stream);
  gpu_palette_continuity_fill (&temporal->continuity, context, live, &frame);
  temporal->newest = 1 - temporal->newest;
  temporal->of_modes = (GpuSlicerItems) {
  .most = MODE_CAPACITY,.ns = MODE_NS};
  gpu_slicer_choose_slice (&context->slicer, &temporal->of_modes);
  frame.modes_per_slice = temporal->of_modes.slice;
  gpu_stream_write (context->slicer.stream, temporal->state, 0, &frame,
      sizeof frame);
  gpu_palette_block_motion_begin (&temporal->motion, context, &frame, live);
}

gboolean
gpu_palette_temporal_look_at_luma (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins, GError ** error)
{
  return gpu_palette_block_motion_look_at_luma (&temporal->motion, context,
      bins, error);
}

gboolean
gpu_palette_temporal_look_at_light (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins, GError ** error)
{
  gpu_palette_block_motion_look_at_light (&temporal->motion, context, bins);
  return TRUE;
}

gboolean
gpu_palette_temporal_begin_modes (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins, GError ** error)
{
  const GpuDispatch begin = {
    .kernel = temporal->begin,
    .buffers = {
          [PALETTE_TEMPORAL_BEGIN_STATE] = temporal->state,
          [PALETTE_TEMPORAL_BEGIN_MOTION_STATE] = temporal->motion.state,
        },
  };

  gpu_stream_stage (context->slicer.stream, "palette-modes");
  gpu_palette_bins_beside (bins);
  gpu_palette_bins_alone (bins, context, &begin);
  return TRUE;
}

static gboolean
move_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
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
  return !temporal->continuity.has_modes
      || gpu_slicer_run_indirect (&context->slicer, &move, &of_modes, groups,
      error);
}

gboolean
gpu_palette_temporal_search (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins, GError ** error)
{
  gpu_stream_stage (context->slicer.stream, "palette-modes");
  return move_modes (temporal, context, bins, error)
      && gpu_palette_block_motion_search (&temporal->motion, context, bins,
      error);
}

/* Records the assignment of summits to modes near them. */
static gboolean
assign_near (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
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
          [PALETTE_TEMPORAL_ASSIGN_OWNERS] = bins->owners,
          [PALETTE_TEMPORAL_ASSIGN_TOTALS] = bins->totals,
          [PALETTE_TEMPORAL_ASSIGN_SUMS] = bins->sums,
        },
  };
  /* In a held frame a summit may be compared with all modes, so the measured cost of
   * other kernels does not apply. */
  if (temporal->continuity.is_held) {
    of_assign.key = temporal->assign;
    of_assign.ns = HELD_ASSIGN_NS;
  }
  return gpu_palette_bins_run (bins, context, &assign, &of_assign,
      GPU_PALETTE_BINS_GROUPS (bin), error);
}

/* Records the making of modes for the summits that got none. */
static gboolean
create_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
{
  const GpuDispatch create = {
    .kernel = temporal->create,
    .buffers = {
          [PALETTE_TEMPORAL_CREATE_STATE] = temporal->state,
          [PALETTE_TEMPORAL_CREATE_MODES] = temporal->modes,
          [PALETTE_TEMPORAL_CREATE_TABLES] = bins->tables,
          [PALETTE_TEMPORAL_CREATE_SUMS] = bins->sums,
          [PALETTE_TEMPORAL_CREATE_CARRIES] = bins->carries,
          [PALETTE_TEMPORAL_CREATE_UPHILL] = bins->uphill,
          [PALETTE_TEMPORAL_CREATE_OWNERS] = bins->owners,
          [PALETTE_TEMPORAL_CREATE_TOTALS] = bins->totals,
        },
  };

  return gpu_palette_bins_over_bins (bins, context, &create, error);
}

static gboolean
offer_modes (GpuPaletteContext * context, GpuPaletteBins * bins,
    GpuKernel * kernel, GError ** error)
{
  const GpuDispatch offer = {
    .kernel = kernel,
    .buffers = {
          [PALETTE_TEMPORAL_OFFER_UPHILL] = bins->uphill,
          [PALETTE_TEMPORAL_OFFER_OWNERS] = bins->owners,
        },
  };

  return gpu_palette_bins_over_bins (bins, context, &offer, error);
}

/* The rows are of PIXELS_PER_THREAD pixels. */
static GpuRowBinding
rows_of_choice (const GpuPaletteTemporal * temporal,
    const GpuPaletteBins * bins)
{
  guint64 reach = gpu_palette_block_motion_get_reach (&temporal->motion);
  GpuRowBinding rows = bins->pixel_rows;

  rows.halo = reach * (temporal->format.width + 1) / PIXELS_PER_THREAD + 1;
  rows.arrays = 1 << PALETTE_TEMPORAL_CHOOSE_COLOURS
      | 1 << PALETTE_TEMPORAL_CHOOSE_COLOURS_BEFORE
      | 1 << PALETTE_TEMPORAL_CHOOSE_PIXEL_BINS
      | 1 << PALETTE_TEMPORAL_CHOOSE_HELD_BEFORE
      | 1 << PALETTE_TEMPORAL_CHOOSE_PIXEL_MODES;
  return rows;
}

/* Records the choice of every pixel: the mode that its bin offers, or the one it holds. In
 * a frame like the one before, too: what pixels hold is kept in turns. */
static gboolean
choose_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
{
  const GpuRowBinding rows = rows_of_choice (temporal, bins);
  const GpuDispatch choose = {
    .kernel = temporal->choose,
    .buffers = {
          [PALETTE_TEMPORAL_CHOOSE_LIVE] = bins->state,
          [PALETTE_TEMPORAL_CHOOSE_OCCUPIED] = bins->occupied,
          [PALETTE_TEMPORAL_CHOOSE_RANKS] = bins->ranks,
          [PALETTE_TEMPORAL_CHOOSE_STATE] = temporal->state,
          [PALETTE_TEMPORAL_CHOOSE_MOTION_STATE] = temporal->motion.state,
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

  gpu_stream_barrier (context->slicer.stream);
  return gpu_slicer_run_over_rows (&context->slicer, &choose, &rows,
      rows.height, CHOICE_NS, error);
}

static gboolean
count_pixels (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
{
  return !context->settings->counts_pixels
      || gpu_palette_top_modes_record (temporal->top, context, bins,
      temporal->pixel_modes[temporal->newest], temporal->modes, error);
}

static gboolean
is_limited (const GpuPaletteTemporal * temporal)
{
  return temporal->continuity.limit > 0;
}

/* Record the three steps of the assignment of a mode to every bin. */
static gboolean
begin_assignment (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
{
  return is_limited (temporal)
      ? gpu_palette_colour_limit_begin (&temporal->limiting, context, bins,
      temporal->state, error)
      : assign_near (temporal, context, bins, error);
}

static gboolean
continue_assignment (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
{
  return is_limited (temporal)
      ? gpu_palette_colour_limit_weigh (&temporal->limiting, context, bins,
      temporal->state, error)
      : create_modes (temporal, context, bins, error);
}

static gboolean
end_assignment (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
{
  return is_limited (temporal)
      ? gpu_palette_colour_limit_assign (&temporal->limiting, context, bins,
      temporal->state, temporal->modes, error)
      : offer_modes (context, bins, temporal->offer, error);
}

/* Records the assignment, each step of it beside one that finds out the rest about motion. */
static gboolean
assign_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
{
  const GpuPaletteBlockMotion *motion = &temporal->motion;
  GpuStream *stream = context->slicer.stream;

  gpu_stream_stage (stream, "palette-modes");
  if (!begin_assignment (temporal, context, bins, error)
      || !gpu_palette_block_motion_match (motion, context, bins, error))
    return FALSE;
  gpu_stream_stage (stream, "palette-modes");
  if (!continue_assignment (temporal, context, bins, error)
      || !gpu_palette_block_motion_measure (motion, context, bins, error))
    return FALSE;
  gpu_stream_stage (stream, "palette-modes");
  if (!end_assignment (temporal, context, bins, error))
    return FALSE;
  gpu_palette_block_motion_find_unrest (motion, context, bins);
  gpu_stream_stage (stream, "palette-modes");
  return TRUE;
}

static gboolean
renew_modes (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    GpuPaletteBins * bins, GError ** error)
{
  const GpuPaletteModeBuffers buffers = {
    temporal->state, temporal->motion.state, temporal->modes
  };

  return !is_limited (temporal) || temporal->continuity.is_held
      || gpu_palette_colour_limit_renew (&temporal->limiting, context, bins,
      &buffers, error);
}

gboolean
gpu_palette_temporal_update (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins, GError ** error)
{
  if (!assign_modes (temporal, context, bins, error)
      || !choose_modes (temporal, context, bins, error)
      || !renew_modes (temporal, context, bins, error)
      || !count_pixels (temporal, context, bins, error))
    return FALSE;
  temporal->has_frame = TRUE;
  expect_changes (temporal);
  return TRUE;
}

gboolean
gpu_palette_temporal_apply (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, const GpuFrame * in, const GpuFrame * out,
    GError ** error)
{
  const GpuPixelsBound pixels = {
    &in->info, &out->info, 1 << PALETTE_MODES_APPLY_PIXEL_MODES
  };
  const GpuDispatch apply = {
    .kernel = temporal->apply,
    .buffers = {
          [PALETTE_MODES_APPLY_INPUT] = in->buffer,
          [PALETTE_MODES_APPLY_OUTPUT] = out->buffer,
          [PALETTE_MODES_APPLY_PIXEL_MODES] =
          temporal->pixel_modes[temporal->newest],
          [PALETTE_MODES_APPLY_MODES] = temporal->modes,
          [PALETTE_APPLY_INDEX_STATE] = temporal->state,
        },
  };

  return gpu_pixels_run (&context->slicer, &apply, &pixels, error);
}
