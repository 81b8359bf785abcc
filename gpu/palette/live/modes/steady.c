/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "steady.h"
#include "gpu/palette/shared/arrays.h"
#include "continuity.h"
#include "limit.h"
#include "topmodes.h"
#include "shaders.h"

#include <stddef.h>

/* Of what takes the time on two cores of a CPU: a pixel that is looked at, a mode,
 * and a bin that may be a summit which looks at modes. */
#define LIGHT_NS 50
#define MODE_NS 1500
#define HELD_CLAIM_NS 5000

struct _GpuPaletteSteady
{
  GpuPaletteFormat format;
  GpuKernel *light, *begin, *move, *claim, *found, *offer, *choose, *apply;
  GpuPaletteLimit limiting;     /* with the first limit */
  GpuPaletteTopModes *top;      /* NULL until it is wanted */
  GpuBuffer *state;             /* struct Steady */
  GpuBuffer *modes;             /* struct SteadyMode, by slot */
  GpuBuffer *holds;             /* per pixel */
  GpuPaletteContinuity continuity;

  /* Of the frame at hand. */
  GpuPaletteItems of_light, of_modes;
};

/* --- building --- */

void
gpu_palette_steady_free (GpuPaletteSteady * steady)
{
  g_clear_pointer (&steady->state, gpu_buffer_unref);
  g_clear_pointer (&steady->modes, gpu_buffer_unref);
  g_clear_pointer (&steady->holds, gpu_buffer_unref);
  g_clear_pointer (&steady->top, gpu_palette_top_modes_free);
  g_free (steady);
}

gsize
gpu_palette_steady_get_memory (GpuPaletteSteady * steady)
{
  GpuBuffer *buffers[] = { steady->state, steady->modes, steady->holds };
  gsize memory = gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));

  return steady->top
      ? memory + gpu_palette_top_modes_get_memory (steady->top) : memory;
}

static gboolean
make_kernels (GpuPaletteSteady * steady, GError ** error)
{
  const struct
  {
    GpuKernel **kernel;
    const GpuShader *shader;
  } list[] = {
    {&steady->light, &gpu_shader_palette_steady_light},
    {&steady->begin, &gpu_shader_palette_steady_begin},
    {&steady->move, &gpu_shader_palette_steady_move},
    {&steady->claim, &gpu_shader_palette_steady_claim},
    {&steady->found, &gpu_shader_palette_steady_found},
    {&steady->offer, &gpu_shader_palette_steady_offer},
    {&steady->choose, &gpu_shader_palette_steady_choose},
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    *list[i].kernel = gpu_kernel_get (steady->format.device, list[i].shader,
        NULL, 0, error);
    if (!*list[i].kernel)
      return FALSE;
  }
  return TRUE;
}

static const GpuShader *
apply_shader (const GpuPixelFormat * out)
{
  if (out->is_indexed)
    return &gpu_shader_palette_apply_index;
  return out->is_yuv ? &gpu_shader_palette_hold_apply_yuv
      : &gpu_shader_palette_hold_apply;
}

static gboolean
make_pixel_kernel (GpuPaletteSteady * steady, GError ** error)
{
  guint32 constants[GPU_PALETTE_PIXEL_CONSTANTS];

  gpu_palette_pixel_constants (&steady->format, constants);
  steady->apply = gpu_kernel_get (steady->format.device,
      apply_shader (gpu_pixels_get_format (steady->format.out)), constants,
      GPU_PALETTE_PIXEL_CONSTANTS, error);
  return steady->apply != NULL;
}

static gboolean
make_buffers (GpuPaletteSteady * steady, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&steady->state, sizeof (struct Steady) / 4, "palette state of modes"},
    {&steady->modes, MODE_CAPACITY * sizeof (struct SteadyMode) / 4,
        "palette modes"},
  };

  return gpu_palette_make_arrays (steady->format.device, arrays,
      G_N_ELEMENTS (arrays), NULL, error);
}

static gboolean
make_holds (GpuPaletteSteady * steady, GError ** error)
{
  const GpuPaletteArray holds = {
    &steady->holds, (gsize) steady->format.width * steady->format.height,
    "palette modes of pixels", TRUE
  };

  return gpu_palette_make_arrays (steady->format.device, &holds, 1, NULL,
      error);
}

void
gpu_palette_steady_release (GpuPaletteSteady * steady)
{
  gpu_palette_continuity_release (&steady->continuity);
}

void
gpu_palette_steady_forget (GpuPaletteSteady * steady)
{
  steady->continuity.begins_from = BEGINS_FROM_NOTHING;
}

GpuPaletteSteady *
gpu_palette_steady_new (const GpuPaletteFormat * format, GError ** error)
{
  GpuPaletteSteady *steady = g_new0 (GpuPaletteSteady, 1);

  steady->format = *format;
  gpu_palette_steady_forget (steady);
  if (make_kernels (steady, error) && make_pixel_kernel (steady, error)
      && make_buffers (steady, error) && make_holds (steady, error))
    return steady;
  gpu_palette_steady_free (steady);
  return NULL;
}

gboolean
gpu_palette_steady_set_format (GpuPaletteSteady * steady,
    const GpuPaletteFormat * format, GError ** error)
{
  steady->format = *format;
  gpu_palette_steady_release (steady);
  g_clear_pointer (&steady->holds, gpu_buffer_unref);
  return make_pixel_kernel (steady, error) && make_holds (steady, error);
}

static gboolean
make_top (GpuPaletteSteady * steady, GError ** error)
{
  if (!steady->top)
    steady->top = gpu_palette_top_modes_new (steady->format.device, error);
  return steady->top != NULL;
}

gboolean
gpu_palette_steady_prepare (GpuPaletteSteady * steady,
    const GpuPaletteSettings * settings, GError ** error)
{
  return (!settings->counts_pixels || make_top (steady, error))
      && (gpu_palette_get_limit (settings) == 0
      || gpu_palette_limit_init (&steady->limiting, steady->format.device,
          error));
}

/* --- a frame --- */

/* Modes in the first slots, and none in any other. */
static void
write_colours (GpuPaletteSteady * steady, GpuStream * stream)
{
  const GpuPaletteContinuity *continuity = &steady->continuity;
  struct SteadyMode modes[GPU_PALETTE_MAX_COLOURS] = { {0} };
  guint32 owning[SLOT_WORDS] = { 0 }, held[SLOT_WORDS] = { 0 };

  for (guint i = 0; i < continuity->n_colours; i++) {
    modes[i].red = (continuity->colours[i] >> 16 & 255) << 8;
    modes[i].green = continuity->colours[i] & 0xff00;
    modes[i].blue = (continuity->colours[i] & 255) << 8;
    owning[i / 32] |= 1u << i % 32;
  }
  gpu_stream_write (stream, steady->modes, 0, modes,
      continuity->n_colours * sizeof *modes);
  gpu_stream_write (stream, steady->state, offsetof (struct Steady, owning),
      owning, sizeof owning);
  gpu_stream_write (stream, steady->state, offsetof (struct Steady, held),
      held, sizeof held);
}

static void
choose_slices (GpuPaletteSteady * steady, GpuPaletteRun * run,
    const SteadyFrame * frame)
{
  steady->of_light = (GpuPaletteItems) {
    .most = frame->columns * frame->rows * 256,.ns = LIGHT_NS,.key =
        steady->light,.rows = {
      .width = frame->width,.height = frame->height,.items =
          256 * frame->columns,.step = 1 << frame->block_shift,.arrays = 1 << 5
  }};
  steady->of_modes = (GpuPaletteItems) {
  .most = MODE_CAPACITY,.ns = MODE_NS};
  gpu_palette_run_choose_slice (run, &steady->of_light);
  gpu_palette_run_choose_slice (run, &steady->of_modes);
}

void
gpu_palette_steady_begin (GpuPaletteSteady * steady, GpuPaletteRun * run,
    struct LiveState *live)
{
  SteadyFrame frame = {
    .width = steady->format.width,.height = steady->format.height
  };

  if (gpu_palette_continuity_take_settings (&steady->continuity, run->settings))
    write_colours (steady, run->stream);
  gpu_palette_continuity_fill (&steady->continuity, run, live, &frame);
  choose_slices (steady, run, &frame);
  frame.modes_per_slice = steady->of_modes.slice;
  live->light_pixels = steady->of_light.most;
  live->light_pixels_per_slice = steady->of_light.slice;
  gpu_stream_write (run->stream, steady->state, 0, &frame, sizeof frame);
}

static gboolean
look_at_light (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteBins * bins, GError ** error)
{
  GpuPaletteBinsOthers light = { steady->state, steady->modes, bins->colours };
  GpuBuffer *begin[] = {
    bins->state, bins->occupied, bins->ranks, steady->state, steady->modes
  };

  if (!gpu_palette_bins_run (bins, run, steady->light, light,
          &steady->of_light, steady->of_light.most,
          GPU_PALETTE_BINS_GROUPS (light), 0, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, steady->begin, begin, G_N_ELEMENTS (begin),
      NULL, 0, 1, 1, 1);
  return TRUE;
}

static gboolean
move_modes (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteBins * bins, GError ** error)
{
  GpuBuffer *homes = bins->next;
  GpuBuffer *buffers[] = {
    bins->state, bins->occupied, bins->ranks, steady->state, steady->modes,
    bins->tables, bins->sums, bins->carries, homes
  };
  guint32 push[2];

  /* Limited ones meet nowhere. */
  if (steady->continuity.limit == 0 && !gpu_palette_run_fill (run, homes,
          bins->most * sizeof (guint32), G_MAXUINT32, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, steady->move, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, &steady->of_modes,
      MIN (bins->bound, MODE_CAPACITY), steady->state,
      offsetof (struct Steady, mode_groups), error);
}

/* Of modes near by, or of new ones. */
static gboolean
claim_near (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteBins * bins, GError ** error)
{
  GpuBuffer *state = steady->state, *modes = steady->modes;
  GpuBuffer *ahead = bins->densities, *owners = bins->results;
  GpuPaletteBinsOthers claim = {
    state, modes, bins->bin_list, ahead, bins->next, owners, bins->totals,
    bins->sums
  };
  GpuPaletteBinsOthers found = {
    state, modes, bins->tables, bins->sums, bins->carries, ahead, owners,
    bins->totals
  };
  GpuPaletteItems of_claims = bins->of_bins;

  /* It may look at all modes; what others take does not tell. */
  if (steady->continuity.is_held) {
    of_claims.key = steady->claim;
    of_claims.ns = HELD_CLAIM_NS;
  }
  return gpu_palette_bins_run (bins, run, steady->claim, claim, &of_claims,
      bins->bound, GPU_PALETTE_BINS_GROUPS (bin), 0, error)
      && gpu_palette_bins_over_bins (bins, run, steady->found, found, error);
}

/* Every summit a mode. */
static gboolean
claim (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteBins * bins, GError ** error)
{
  return steady->continuity.limit >
      0 ? gpu_palette_limit_claim (&steady->limiting, run, bins, steady->state,
      steady->modes, error)
      : claim_near (steady, run, bins, error);
}

static gboolean
choose (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteBins * bins, GError ** error)
{
  GpuBuffer *owners = bins->results;
  GpuPaletteBinsOthers offer = { bins->densities, owners };
  GpuPaletteBinsOthers choose = {
    steady->state, steady->modes, bins->colours, bins->pixel_bins, owners,
    bins->next, steady->holds
  };

  return gpu_palette_bins_over_bins (bins, run, steady->offer, offer, error)
      && gpu_palette_bins_over_pixels (bins, run, steady->choose, choose,
      1 << 5 | 1 << 6 | 1 << 9, error);
}

static gboolean
count_pixels (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteBins * bins, GError ** error)
{
  return !run->settings->counts_pixels
      || gpu_palette_top_modes_record (steady->top, run, bins,
      steady->holds, steady->modes, error);
}

gboolean
gpu_palette_steady_update (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteBins * bins, GError ** error)
{
  gpu_stream_stage (run->stream, "palette-steady");
  return look_at_light (steady, run, bins, error)
      && move_modes (steady, run, bins, error)
      && claim (steady, run, bins, error)
      && choose (steady, run, bins, error)
      && (steady->continuity.limit == 0
      || gpu_palette_limit_renew (&steady->limiting, run, bins, steady->state,
          steady->modes, error))
      && count_pixels (steady, run, bins, error);
}

gboolean
gpu_palette_steady_apply (GpuPaletteSteady * steady, GpuPaletteRun * run,
    const GpuFrame * in, const GpuFrame * out, GError ** error)
{
  GpuBuffer *buffers[] = {
    in->buffer, out->buffer, steady->holds, steady->modes, steady->state
  };

  const GpuPalettePixels pixels = { &in->info, &out->info, 1 << 2 };

  return gpu_palette_run_over_pixels (run, steady->apply, buffers,
      G_N_ELEMENTS (buffers), &pixels, FALSE, error);
}
