/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "steady.h"
#include "gpu/palette/shared/arrays.h"
#include "limit.h"
#include "topmodes.h"
#include "gpu/palette/count/scene.h"
#include "shaders.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Of what takes the time on two cores of a CPU: a pixel that is looked at, a mode,
 * and a cell that may be a summit which looks at modes. */
#define LIGHT_NS 50
#define MODE_NS 1500
#define HELD_CLAIM_NS 5000

#define DEFAULT_INTERVAL (1000000000 / 30)

/* Products fit, and it makes no difference to a longer one. */
#define LONGEST_INTERVAL (3600 * G_GUINT64_CONSTANT (1000000000))

/* Of the light that was usual. */
#define REFERENCE_NS 125000000

/* Of what a mode weighs. */
#define WEIGHT_NS G_GUINT64_CONSTANT (1000000000)

/* Of stability 1: time constants, also of a limited number of modes, the longest
 * that a pixel waits, and five times the radius. */
#define GLIDE_NS 600000000
#define LIMITED_GLIDE_NS G_GUINT64_CONSTANT (2000000000)
#define PATIENCE_MS 150
#define MARGIN_EIGHTHS 120

struct _GpuPaletteSteady
{
  GpuPaletteFormat format;
  GpuKernel *light, *begin, *move, *claim, *found, *offer, *choose, *apply;
  GpuPaletteLimit limiting;     /* with the first limit */
  GpuPaletteTopModes *top;      /* NULL until it is wanted */
  GpuBuffer *state;             /* struct Steady */
  GpuBuffer *modes;             /* struct SteadyMode, by slot */
  GpuBuffer *holds;             /* per pixel */
  guint begins_from;            /* of the next frame */
  guint n_frames;               /* since it began with nothing */
  guint64 since_update;         /* ns, of a palette that is held */
  guint limit;                  /* of modes, 0: none */
  gboolean keeps_radius;        /* with it */
  /* The palette that was given. */
  guint n_colours;
  guint32 colours[GPU_PALETTE_MAX_COLOURS];

  /* Of the frame at hand. */
  gboolean is_held;
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

/* Whether @settings do, of a frame that has modes. */
static gboolean
keep_modes (const GpuPaletteSettings * settings)
{
  return settings->stability > 0 || settings->hold
      || settings->update_interval > 1 || settings->n_colours > 0
      || settings->limit > 0;
}

gboolean
gpu_palette_steady_is_wanted (const GpuPaletteSettings * settings)
{
  /* Where no pixel is counted there is nothing to keep. */
  return gpu_palette_get_radius (settings) > 0
      && (keep_modes (settings) || settings->counts_pixels);
}

static guint
holds_palette (GpuPaletteSteady * steady, const GpuPaletteSettings * settings)
{
  if (settings->hold || settings->n_colours > 0)
    return HOLDS_PALETTE;
  return steady->n_frames % MAX (settings->update_interval, 1)
      ? HOLDS_WITHIN_SCENE : HOLDS_NO_PALETTE;
}

static gboolean
is_given_same (GpuPaletteSteady * steady, const GpuPaletteSettings * settings)
{
  return steady->n_colours == settings->n_colours
      && memcmp (steady->colours, settings->colours,
      settings->n_colours * sizeof *settings->colours) == 0;
}

/* Modes in the first slots, and none in any other. */
static void
write_colours (GpuPaletteSteady * steady, GpuStream * stream)
{
  struct SteadyMode modes[GPU_PALETTE_MAX_COLOURS] = { {0} };
  guint32 owning[SLOT_WORDS] = { 0 }, held[SLOT_WORDS] = { 0 };

  for (guint i = 0; i < steady->n_colours; i++) {
    modes[i].red = (steady->colours[i] >> 16 & 255) << 8;
    modes[i].green = steady->colours[i] & 0xff00;
    modes[i].blue = (steady->colours[i] & 255) << 8;
    owning[i / 32] |= 1u << i % 32;
  }
  gpu_stream_write (stream, steady->modes, 0, modes,
      steady->n_colours * sizeof *modes);
  gpu_stream_write (stream, steady->state, offsetof (struct Steady, owning),
      owning, sizeof owning);
  gpu_stream_write (stream, steady->state, offsetof (struct Steady, held),
      held, sizeof held);
}

/* Where another palette is given, or none any more. */
static void
take_colours (GpuPaletteSteady * steady, const GpuPaletteRun * run)
{
  const GpuPaletteSettings *settings = run->settings;

  if (is_given_same (steady, settings)
      && (settings->n_colours == 0
          || steady->begins_from != BEGINS_FROM_NOTHING))
    return;
  steady->n_colours = settings->n_colours;
  memcpy (steady->colours, settings->colours, sizeof steady->colours);
  steady->begins_from = BEGINS_FROM_NOTHING;
  if (steady->n_colours > 0) {
    write_colours (steady, run->stream);
    steady->begins_from = BEGINS_FROM_MODES;
  }
}

static void
take_limit (GpuPaletteSteady * steady, const GpuPaletteRun * run)
{
  guint limit = gpu_palette_get_limit (run->settings);
  gboolean keeps_radius = run->settings->keeps_radius;

  if (limit != steady->limit || keeps_radius != steady->keeps_radius)
    steady->begins_from = BEGINS_FROM_NOTHING;
  steady->limit = limit;
  steady->keeps_radius = keeps_radius;
}

static void
fill_blocks (SteadyFrame * frame, const GpuPaletteSettings * settings)
{
  GpuPaletteLightBlocks blocks =
      gpu_palette_light_blocks (frame->width, frame->height);

  frame->block_shift = blocks.shift;
  frame->columns = blocks.columns;
  frame->rows = blocks.rows;
  frame->cut_sum = gpu_palette_cut_sum (settings, &blocks);
}

static void
fill_settings (SteadyFrame * frame, const GpuPaletteRun * run)
{
  gdouble stability = run->settings->stability;
  guint64 interval = interval_of (run->settings);

  frame->reference_rate = rate (interval, REFERENCE_NS);
  frame->ms = CLAMP (interval / 1000000, 1, 65535);
  frame->margin = floor (MARGIN_EIGHTHS * stability + 0.5);
  frame->patience = floor (PATIENCE_MS * stability);
  frame->capacity = run->tuning->mode_capacity
      ? run->tuning->mode_capacity : MODE_CAPACITY;
}

/* Modes that were held make up for it. */
static void
fill_rates (GpuPaletteSteady * steady, SteadyFrame * frame,
    const GpuPaletteSettings * settings)
{
  guint64 since = MIN (steady->since_update + interval_of (settings),
      LONGEST_INTERVAL);

  steady->since_update = steady->is_held ? since : 0;
  frame->glide = rate (since, floor (settings->stability
          * (steady->limit > 0 ? LIMITED_GLIDE_NS : GLIDE_NS)));
  frame->weight_rate = rate (since, WEIGHT_NS);
}

static void
fill_limit (GpuPaletteSteady * steady, SteadyFrame * frame,
    const struct PaletteGrid *grid, const GpuPaletteSettings * settings)
{
  frame->limit = steady->limit;
  frame->least_summits = frame->ball = 0;
  if (steady->limit == 0)
    return;
  frame->capacity = MIN (frame->capacity, steady->limit);
  gpu_palette_limit_fill (frame, grid, settings);
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
    struct PaletteGrid *grid)
{
  SteadyFrame frame;

  take_limit (steady, run);
  take_colours (steady, run);
  if (steady->begins_from == BEGINS_FROM_NOTHING)
    steady->n_frames = steady->since_update = 0;
  frame.holds_palette = holds_palette (steady, run->settings);
  steady->is_held = frame.holds_palette != HOLDS_NO_PALETTE;
  frame.is_given = steady->n_colours > 0;
  fill_rates (steady, &frame, run->settings);
  frame.begins_from =
      run->settings->stability == 0 && !steady->is_held
      ? BEGINS_FROM_NOTHING : steady->begins_from;
  frame.width = steady->format.width;
  frame.height = steady->format.height;
  fill_blocks (&frame, run->settings);
  fill_settings (&frame, run);
  fill_limit (steady, &frame, grid, run->settings);
  choose_slices (steady, run, &frame);
  frame.modes_per_slice = steady->of_modes.slice;
  grid->light_pixels = steady->of_light.most;
  grid->light_pixels_per_slice = steady->of_light.slice;
  gpu_stream_write (run->stream, steady->state, 0, &frame, sizeof frame);
  steady->begins_from = keep_modes (run->settings) ? BEGINS_FROM_ALL
      : BEGINS_FROM_NOTHING;
  steady->n_frames++;
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
    GpuPaletteCells * cells, GError ** error)
{
  GpuBuffer *homes = cells->next;
  GpuBuffer *buffers[] = {
    cells->grid, cells->occupied, cells->ranks, steady->state, steady->modes,
    cells->tables, cells->sums, cells->carries, homes
  };
  guint32 push[2];

  /* Limited ones meet nowhere. */
  if (steady->limit == 0 && !gpu_palette_run_fill (run, homes,
          cells->most * sizeof (guint32), G_MAXUINT32, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, steady->move, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, &steady->of_modes,
      MIN (cells->bound, MODE_CAPACITY), steady->state,
      offsetof (struct Steady, mode_groups), error);
}

/* Of modes near by, or of new ones. */
static gboolean
claim_near (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GError ** error)
{
  GpuBuffer *state = steady->state, *modes = steady->modes;
  GpuBuffer *ahead = cells->densities, *owners = cells->results;
  GpuPaletteCellsOthers claim = {
    state, modes, cells->cell_list, ahead, cells->next, owners, cells->totals,
    cells->sums
  };
  GpuPaletteCellsOthers found = {
    state, modes, cells->tables, cells->sums, cells->carries, ahead, owners,
    cells->totals
  };
  GpuPaletteItems of_claims = cells->of_cells;

  /* It may look at all modes; what others take does not tell. */
  if (steady->is_held) {
    of_claims.key = steady->claim;
    of_claims.ns = HELD_CLAIM_NS;
  }
  return gpu_palette_cells_run (cells, run, steady->claim, claim, &of_claims,
      cells->bound, GPU_PALETTE_CELLS_GROUPS (cell), 0, error)
      && gpu_palette_cells_over_cells (cells, run, steady->found, found, error);
}

/* Every summit a mode. */
static gboolean
claim (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GError ** error)
{
  return steady->limit > 0 ? gpu_palette_limit_claim (&steady->limiting, run,
      cells, steady->state, steady->modes, error)
      : claim_near (steady, run, cells, error);
}

static gboolean
choose (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GError ** error)
{
  GpuBuffer *owners = cells->results;
  GpuPaletteCellsOthers offer = { cells->densities, owners };
  GpuPaletteCellsOthers choose = {
    steady->state, steady->modes, cells->colours, cells->cells, owners,
    cells->next, steady->holds
  };

  return gpu_palette_cells_over_cells (cells, run, steady->offer, offer, error)
      && gpu_palette_cells_over_pixels (cells, run, steady->choose, choose,
      1 << 5 | 1 << 6 | 1 << 9, error);
}

static gboolean
count_pixels (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GError ** error)
{
  return !run->settings->counts_pixels
      || gpu_palette_top_modes_record (steady->top, run, cells,
      steady->holds, steady->modes, error);
}

gboolean
gpu_palette_steady_update (GpuPaletteSteady * steady, GpuPaletteRun * run,
    GpuPaletteCells * cells, GError ** error)
{
  gpu_stream_stage (run->stream, "palette-steady");
  return look_at_light (steady, run, cells, error)
      && move_modes (steady, run, cells, error)
      && claim (steady, run, cells, error)
      && choose (steady, run, cells, error)
      && (steady->limit == 0 || gpu_palette_limit_renew (&steady->limiting, run,
          cells, steady->state, steady->modes, error))
      && count_pixels (steady, run, cells, error);
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
