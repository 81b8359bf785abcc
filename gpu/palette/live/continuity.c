/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is kept of modes from frame to frame, and what the kernels of a frame are told of it. */
#include "live.h"

#include <math.h>

#define DEFAULT_INTERVAL (1000000000 / 30)

/* Longest interval in ns. Products with it fit into 64 bits, and a longer one would make
 * no difference. */
#define LONGEST_INTERVAL (3600 * G_GUINT64_CONSTANT (1000000000))

/* Time constant in which the drift of a block decays. */
#define DRIFT_NS 125000000

/* Time constant of noise and of motion of the camera that grow less. */
#define NOISE_NS G_GUINT64_CONSTANT (1000000000)

/* Values at stability 1: the time constant of modes, and the same with a limit of modes;
 * how long a pixel waits; and the margin in eighths of a bin, five times the radius. */
#define GLIDE_NS 600000000
#define LIMITED_GLIDE_NS G_GUINT64_CONSTANT (2000000000)
#define HYSTERESIS_MS 300
#define MARGIN_EIGHTHS 120

/* With a limit of modes, in Oklab units: the margin at stability 1, and the radius around a
 * mode of the colours to whose mean it glides. */
#define LIMITED_MARGIN 0.1
#define LIMITED_BALL 0.04

/* After its pixels changed for the last time, a film goes on for at least so many time constants
 * of modes, and for at least so many frames in which modes move. If more modes are allowed than
 * that, it goes on for a frame for each, as a frame replaces one at most. */
#define RESTING_GLIDES 6
#define RESTING_FRAMES 64

/* --- what is kept from frame to frame --- */

/* Returns the part of a way that is covered in @interval, in 4096ths; both arguments in
 * ns. */
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

/* Returns whether modes are kept from a frame with @settings to the next. */
static gboolean
keep_modes (const GpuPaletteSettings * settings)
{
  return settings->motion.stability > 0 || settings->motion.hold
      || settings->motion.update_interval > 1
      || settings->making.given.n_colours > 0 || settings->making.limit > 0;
}

gboolean
gpu_palette_wants_modes (const GpuPaletteSettings * settings)
{
  /* With radius 0 no pixel is counted, so there are no modes. */
  return gpu_palette_get_radius (settings) > 0
      && (keep_modes (settings) || settings->counts_pixels
      || settings->making.max_shift > 0 || settings->making.coherence > 0);
}

void
gpu_palette_continuity_release (GpuPaletteContinuity * continuity)
{
  if (continuity->begins_from == BEGINS_FROM_ALL)
    continuity->begins_from = BEGINS_FROM_MODES;
}

static guint
holds_palette (GpuPaletteContinuity * continuity,
    const GpuPaletteSettings * settings)
{
  if (settings->motion.hold || settings->making.given.n_colours > 0)
    return HOLDS_PALETTE;
  return continuity->n_frames % MAX (settings->motion.update_interval, 1)
      ? HOLDS_WITHIN_SCENE : HOLDS_NO_PALETTE;
}

/* Applies the settings whose change makes a first frame. */
static void
take_first_settings (GpuPaletteContinuity * continuity,
    const GpuPaletteMaking * making)
{
  if (making->limit != continuity->limit
      || making->keeps_radius != continuity->keeps_radius
      || making->chroma != continuity->chroma)
    continuity->begins_from = BEGINS_FROM_NOTHING;
  continuity->limit = making->limit;
  continuity->keeps_radius = making->keeps_radius;
  continuity->chroma = making->chroma;
}

/* Applies @given. TRUE: it is another palette, whose colours have to become the modes. */
static gboolean
take_given (GpuPaletteContinuity * continuity, const GpuPaletteGiven * given)
{
  if (GPU_PALETTE_ARE_EQUAL (&continuity->given, given)
      && (given->n_colours == 0
          || continuity->begins_from != BEGINS_FROM_NOTHING))
    return FALSE;
  continuity->given = *given;
  continuity->begins_from =
      given->n_colours > 0 ? BEGINS_FROM_MODES : BEGINS_FROM_NOTHING;
  return given->n_colours > 0;
}

gboolean
gpu_palette_continuity_take (GpuPaletteContinuity * continuity,
    const GpuPaletteSettings * settings)
{
  gboolean gives_colours;

  take_first_settings (continuity, &settings->making);
  gives_colours = take_given (continuity, &settings->making.given);
  if (continuity->begins_from == BEGINS_FROM_NOTHING)
    continuity->n_frames = continuity->since_update = 0;
  return gives_colours;
}

/* --- parameters of kernels --- */

static void
fill_blocks (TemporalFrame * frame, const GpuPaletteSettings * settings)
{
  GpuPixelBlocks blocks = gpu_palette_luma_blocks (frame->width, frame->height);

  frame->blocks.shift = blocks.shift;
  frame->blocks.columns = blocks.columns;
  frame->blocks.rows = blocks.rows;
  frame->blocks.cut_sum = gpu_palette_cut_sum (settings, &blocks);
}

static void
fill_settings (TemporalFrame * frame, const GpuPaletteContext * context)
{
  gdouble stability = context->settings->motion.stability;
  guint64 interval = interval_of (context->settings);

  frame->rates.drift = rate (interval, DRIFT_NS);
  frame->rates.noise = rate (interval, NOISE_NS);
  frame->rates.ms = CLAMP (interval / 1000000, 1, 65535);
  frame->hysteresis.margin = floor (MARGIN_EIGHTHS * stability + 0.5);
  frame->hysteresis.wait_ms = floor (HYSTERESIS_MS * stability);
  frame->capacity = context->tuning->mode_capacity
      ? context->tuning->mode_capacity : MODE_CAPACITY;
}

/* Returns the time constant of modes in ns. */
static guint64
glide_of (const GpuPaletteContinuity * continuity,
    const GpuPaletteSettings * settings)
{
  return floor (settings->motion.stability
      * (continuity->limit > 0 ? LIMITED_GLIDE_NS : GLIDE_NS));
}

/* Returns by how much a frame that equals the one before it brings the film closer to being
 * settled: LiveState.rest_step. */
static guint
rest_step_of (const GpuPaletteContinuity * continuity,
    const GpuPaletteSettings * settings)
{
  const guint64 most = SETTLED_AFTER, glide = glide_of (continuity, settings);
  const guint64 updates = MAX (settings->motion.update_interval, 1);

  /* Then one frame that is not held is enough. */
  if (glide == 0)
    return MAX (most / updates, 1);
  return CLAMP (most * interval_of (settings) / (RESTING_GLIDES * glide), 1,
      MAX (most / (updates * MAX (RESTING_FRAMES, continuity->limit)), 1));
}

/* After held frames, uses the total elapsed time. */
static void
fill_rates (GpuPaletteContinuity * continuity, TemporalFrame * frame,
    const GpuPaletteSettings * settings)
{
  guint64 since = MIN (continuity->since_update + interval_of (settings),
      LONGEST_INTERVAL);

  continuity->since_update = continuity->is_held ? since : 0;
  frame->rates.glide = rate (since, glide_of (continuity, settings));
}

/* Returns @distance, in Oklab units, in eighths of bins. */
static gdouble
eighths_of_bins (const struct LiveState *live, gdouble distance)
{
  return ldexp (8 * distance, live->grid.shift) / live->grid.pitch;
}

static void
fill_limit (GpuPaletteContinuity * continuity, TemporalFrame * frame,
    const struct LiveState *live, const GpuPaletteSettings * settings)
{
  const guint ball = floor (eighths_of_bins (live, LIMITED_BALL));

  frame->limit.most = continuity->limit;
  frame->limit.least_summits = frame->limit.ball = 0;
  if (continuity->limit == 0)
    return;
  frame->capacity = MIN (frame->capacity, continuity->limit);
  frame->limit.least_summits =
      settings->making.keeps_radius ? 0 : frame->limit.most;
  frame->limit.ball = ball * ball;
  frame->hysteresis.margin = floor (eighths_of_bins (live,
          LIMITED_MARGIN * settings->motion.stability) + 0.5);
}

void
gpu_palette_continuity_fill (GpuPaletteContinuity * continuity,
    const GpuPaletteContext * context, struct LiveState *live,
    TemporalFrame * frame)
{
  const GpuPaletteSettings *settings = context->settings;

  frame->holds_palette = holds_palette (continuity, settings);
  continuity->is_held = frame->holds_palette != HOLDS_NO_PALETTE;
  frame->is_given = continuity->given.n_colours > 0;
  fill_rates (continuity, frame, settings);
  frame->begins_from = settings->motion.stability == 0 && !continuity->is_held
      ? BEGINS_FROM_NOTHING : continuity->begins_from;
  continuity->has_modes = frame->begins_from != BEGINS_FROM_NOTHING;
  continuity->has_frame_before = frame->begins_from == BEGINS_FROM_ALL;
  continuity->follows_motion = settings->motion.stability > 0
      && continuity->has_frame_before;
  frame->follows_motion = continuity->follows_motion;
  frame->light.gain = SAME_GAIN;
  fill_blocks (frame, settings);
  fill_settings (frame, context);
  fill_limit (continuity, frame, live, settings);
  live->rest_step = rest_step_of (continuity, settings);
  continuity->begins_from = keep_modes (settings) ? BEGINS_FROM_ALL
      : BEGINS_FROM_NOTHING;
  continuity->n_frames++;
}
