/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "steady.h"
#include "arrays.h"
#include "shaders.h"
#include "shaders/palette/steady.h"

#include <math.h>
#include <stddef.h>

/* Of what a thread takes, on two cores of a CPU. */
#define LIGHT_NS_PER_PIXEL 10
#define MODE_NS 1500

#define DEFAULT_INTERVAL (1000000000 / 30)

/* Products fit, and it makes no difference to a longer one. */
#define LONGEST_INTERVAL (3600 * G_GUINT64_CONSTANT (1000000000))

/* Time constants, and the longest that a pixel waits. */
#define REFERENCE_NS 125000000
#define GLIDE_NS 600000000
#define PATIENCE_MS 150

/* Of stability 1: five times the radius. */
#define MARGIN_EIGHTHS 120

#define CODE 256                /* of luminance */

struct _GpuPaletteSteady
{
  GpuPaletteFormat format;
  GpuKernel *light, *begin, *move, *claim, *found, *offer, *choose, *apply;
  GpuBuffer *state;             /* struct Steady */
  GpuBuffer *modes;             /* struct SteadyMode, by slot */
  GpuBuffer *holds;             /* per pixel */
  guint begins_from;            /* of the next frame */

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
  g_free (steady);
}

gsize
gpu_palette_steady_get_memory (GpuPaletteSteady * steady)
{
  GpuBuffer *buffers[] = { steady->state, steady->modes, steady->holds };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));
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

static gboolean
make_pixel_kernel (GpuPaletteSteady * steady, GError ** error)
{
  guint32 constants[GPU_PALETTE_PIXEL_CONSTANTS];

  gpu_palette_pixel_constants (&steady->format, constants);
  steady->apply = gpu_kernel_get (steady->format.device,
      gpu_pixels_get_format (steady->format.out)->is_yuv
      ? &gpu_shader_palette_hold_apply_yuv : &gpu_shader_palette_hold_apply,
      constants, GPU_PALETTE_PIXEL_CONSTANTS, error);
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
    "palette modes of pixels"
  };

  return gpu_palette_make_arrays (steady->format.device, &holds, 1, NULL,
      error);
}

GpuPaletteSteady *
gpu_palette_steady_new (const GpuPaletteFormat * format, GError ** error)
{
  GpuPaletteSteady *steady = g_new0 (GpuPaletteSteady, 1);

  steady->format = *format;
  steady->begins_from = BEGINS_FROM_NOTHING;
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

void
gpu_palette_steady_release (GpuPaletteSteady * steady)
{
  if (steady->begins_from == BEGINS_FROM_ALL)
    steady->begins_from = BEGINS_FROM_MODES;
}

void
gpu_palette_steady_forget (GpuPaletteSteady * steady)
{
  steady->begins_from = BEGINS_FROM_NOTHING;
}

/* --- a frame --- */

/* Part of a way, in 4096ths. */
static guint
rate (guint64 interval, guint64 time_constant)
{
  return 4096 * interval / (interval + time_constant);
}

static guint64
interval_of (const GpuPaletteSettings * settings)
{
  return settings->interval ? MIN (settings->interval, LONGEST_INTERVAL)
      : DEFAULT_INTERVAL;
}

static guint
blocks_along (guint size, guint shift)
{
  return ((size - 1) >> shift) + 1;
}

static void
fill_blocks (struct Steady *state)
{
  state->block_shift = LIGHT_SHIFT;
  while (blocks_along (MAX (state->width, state->height),
          state->block_shift) > LIGHT_COLUMNS)
    state->block_shift++;
  state->columns = blocks_along (state->width, state->block_shift);
  state->rows = blocks_along (state->height, state->block_shift);
}

static void
fill_settings (struct Steady *state, const GpuPaletteRun * run)
{
  gdouble stability = run->settings->stability;
  guint64 interval = interval_of (run->settings);
  guint threshold =
      floor (run->settings->scene_cut_threshold * 255 * CODE + 0.5);

  state->cut_sum = threshold * state->columns * state->rows;
  state->glide = rate (interval, floor (GLIDE_NS * stability));
  state->reference_rate = rate (interval, REFERENCE_NS);
  state->ms = CLAMP (interval / 1000000, 1, 65535);
  state->margin = floor (MARGIN_EIGHTHS * stability + 0.5);
  state->patience = floor (PATIENCE_MS * stability);
  state->capacity = run->tuning->mode_capacity
      ? run->tuning->mode_capacity : MODE_CAPACITY;
}

static void
choose_slices (GpuPaletteSteady * steady, GpuPaletteRun * run, guint n_blocks)
{
  guint n_pixels = steady->format.width * steady->format.height;
  guint threads = n_blocks * 256;

  steady->of_light = (GpuPaletteItems) {
  .most = threads,.ns = LIGHT_NS_PER_PIXEL * (n_pixels / threads + 1),.key =
        steady->light};
  steady->of_modes = (GpuPaletteItems) {
  .most = MODE_CAPACITY,.ns = MODE_NS,.key = steady->move,.is_by_data = TRUE};
  gpu_palette_run_choose_slice (run, &steady->of_light);
  gpu_palette_run_choose_slice (run, &steady->of_modes);
}

void
gpu_palette_steady_begin (GpuPaletteSteady * steady, GpuPaletteRun * run,
    struct PaletteGrid *grid)
{
  struct Steady state;

  state.begins_from = steady->begins_from;
  state.width = steady->format.width;
  state.height = steady->format.height;
  fill_blocks (&state);
  fill_settings (&state, run);
  choose_slices (steady, run, state.columns * state.rows);
  state.modes_per_slice = steady->of_modes.slice;
  grid->light_threads = steady->of_light.most;
  grid->light_threads_per_slice = steady->of_light.slice;
  gpu_stream_write (run->stream, steady->state, 0, &state,
      offsetof (struct Steady, age));
  steady->begins_from = BEGINS_FROM_ALL;
}

static gboolean
look_at_light (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GError ** error)
{
  GpuPaletteCellsOthers light =
      { steady->state, steady->modes, cells->colours };
  GpuBuffer *begin[] = {
    cells->grid, cells->occupied, cells->ranks, steady->state, steady->modes
  };

  if (!gpu_palette_cells_run (cells, run, steady->light, light,
          &steady->of_light, steady->of_light.most,
          GPU_PALETTE_CELLS_GROUPS (light), 0, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, steady->begin, begin, G_N_ELEMENTS (begin),
      NULL, 0, 1, 1, 1);
  return TRUE;
}

static gboolean
move_modes (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * homes, GError ** error)
{
  GpuBuffer *buffers[] = {
    cells->grid, cells->occupied, cells->ranks, steady->state, steady->modes,
    cells->tables, cells->sums, cells->carries, homes
  };
  guint32 push[2];

  if (!gpu_palette_run_fill (run, homes, gpu_buffer_get_size (homes),
          G_MAXUINT32, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, steady->move, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, &steady->of_modes,
      MIN (cells->bound, MODE_CAPACITY), steady->state,
      offsetof (struct Steady, mode_groups), error);
}

static gboolean
choose (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * homes, GError ** error)
{
  GpuBuffer *state = steady->state, *modes = steady->modes;
  GpuBuffer *ahead = cells->densities, *owners = cells->results;
  GpuPaletteCellsOthers claim = {
    state, modes, cells->cell_list, ahead, homes, owners, cells->totals
  };
  GpuPaletteCellsOthers found = {
    state, modes, cells->tables, cells->sums, cells->carries, ahead, owners,
    cells->totals
  };
  GpuPaletteCellsOthers offer = { ahead, owners };
  GpuPaletteCellsOthers choose = {
    state, modes, cells->colours, cells->cells, owners, homes, steady->holds
  };

  return gpu_palette_cells_over_cells (cells, run, steady->claim, claim, error)
      && gpu_palette_cells_over_cells (cells, run, steady->found, found, error)
      && gpu_palette_cells_over_cells (cells, run, steady->offer, offer, error)
      && gpu_palette_cells_over_pixels (cells, run, steady->choose, choose,
      error);
}

gboolean
gpu_palette_steady_update (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GError ** error)
{
  GpuBuffer *homes = cells->next;

  gpu_stream_stage (run->stream, "palette-steady");
  return look_at_light (steady, run, cells, error)
      && move_modes (steady, run, cells, homes, error)
      && choose (steady, run, cells, homes, error);
}

gboolean
gpu_palette_steady_apply (GpuPaletteSteady * steady, GpuPaletteRun * run,
    const GpuFrame * in, const GpuFrame * out, GError ** error)
{
  GpuBuffer *buffers[] =
      { in->buffer, out->buffer, steady->holds, steady->modes };

  return gpu_palette_run_over_pixels (run, steady->apply, buffers,
      G_N_ELEMENTS (buffers), &in->info, &out->info, FALSE, error);
}
