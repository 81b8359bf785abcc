/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_colour_limit.h"
#include "reference_frame.h"
#include "reference_integer.h"
#include "reference_light.h"
#include "reference_live.h"
#include "reference_motion.h"

#include <string.h>

/* --- a number of colours --- */

static gboolean
has_modes (const ReferenceFrame * frame)
{
  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++)
    if (reference_frame_get_mode (frame, slot)->exists)
      return TRUE;
  return FALSE;
}

static void
assign_bins_to_colours (const ReferenceFrame * frame)
{
  GArray *modes = frame->temporal->modes;

  const gboolean is_first = !has_modes (frame);

  if (!frame->is_held || is_first)
    reference_colour_limit_take_slots (&frame->bins, modes,
        frame->settings->colors);
  reference_colour_limit_assign (&frame->bins, modes, frame->slots);
  if (!is_first)
    return;
  reference_colour_limit_move (&frame->bins, modes, frame->slots, 4096);
  for (guint slot = 0; slot < modes->len; slot++)
    reference_mode_show (reference_modes_get (modes, slot), &frame->bins);
  reference_colour_limit_assign (&frame->bins, modes, frame->slots);
}

/* Where light changes in a way that is not common, modes go faster. */
static gint64
part_of_colours (const ReferenceFrame * frame)
{
  const gint64 part = reference_part (reference_frame_time_of_glide (frame),
      reference_floor (2e9 * frame->settings->stability));
  const gint64 unrest = reference_blocks_unrest_of_all (frame->temporal->blocks,
      reference_frame_n_blocks (frame));

  return part + (4096 - part) * unrest / 64;
}

static void
change_colours (const ReferenceFrame * frame)
{
  GArray *modes = frame->temporal->modes;
  gint summit;
  const gint slot = reference_colour_limit_find_successor (&frame->bins, modes,
      frame->slots, &summit);

  reference_colour_limit_move (&frame->bins, modes, frame->slots,
      part_of_colours (frame));
  reference_frame_let_modes_go (frame);
  if (slot == REFERENCE_NO_MODE)
    return;
  reference_colour_limit_replace (&frame->bins, modes, slot, summit);
  reference_frame_release_pixels (frame, slot);
}

/* --- a frame --- */

static void
count_bins (const ReferenceFrame * frame)
{
  ReferenceTemporalStats *stats = &frame->temporal->stats;

  stats->n_bins = frame->bins.n_bins;
  stats->n_merges = frame->bins.n_merges;
  stats->is_lit = !reference_light_is_same (&frame->pictures.light);
  stats->n_summits = stats->n_strays = 0;
  for (gsize i = 0; i < frame->bins.n_bins; i++)
    if (reference_bins_is_summit (&frame->bins, i)) {
      stats->n_summits++;
      stats->n_strays += frame->slots[i] == REFERENCE_NO_MODE
          && frame->bins.bins[i].n > 0;
    }
}

static void
count_held (const ReferenceFrame * frame)
{
  g_autofree gboolean *is_held = reference_frame_find_held_modes (frame);
  ReferenceTemporalStats *stats = &frame->temporal->stats;

  stats->n_held = 0;
  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++)
    stats->n_held += is_held[slot];
}

static gboolean
is_held (const ReferenceFrame * frame)
{
  const ReferenceTemporalSettings *settings = frame->settings;

  return settings->hold || settings->n_colours > 0
      || (settings->update_interval > 1
      && frame->temporal->n_frames % settings->update_interval != 0);
}

/* 4, 5 and 6. */
static void
find_modes (const ReferenceFrame * frame)
{
  const gboolean is_number_given = frame->settings->colors > 0;

  reference_frame_follow_light (frame);
  reference_frame_begin_modes (frame);
  if (!frame->is_held && !is_number_given) {
    reference_frame_move_modes (frame);
    reference_frame_let_modes_meet (frame);
  }
  if (is_number_given)
    assign_bins_to_colours (frame);
  else
    reference_frame_assign_summits (frame);
}

/* For the next frame. */
static void
leave_modes (const ReferenceFrame * frame)
{
  if (frame->settings->colors > 0)
    change_colours (frame);
  else
    reference_frame_let_modes_go (frame);
}

/* For the next frame. One that begins anew is compared with none. */
static void
find_noise (const ReferenceFrame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;
  gint64 now, later;

  if (temporal->age == 0)
    return;
  now = reference_blocks_median_change (&frame->pictures);
  if (now < 0)
    return;
  now *= 256;
  later = reference_approach (temporal->noise, now,
      reference_part (frame->interval, 1000000000));
  temporal->noise = temporal->noise == REFERENCE_NO_NOISE ? now
      : MAX (now, later);
}

/* K of step 3. */
static void
find_camera (const ReferenceFrame * frame, gint64 moving)
{
  ReferenceTemporal *temporal = frame->temporal;

  temporal->camera = MAX (256 * moving, reference_approach (temporal->camera, 0,
          reference_part (frame->interval, 1000000000)));
}

static void
work_on (ReferenceFrame * frame)
{
  g_autofree ReferenceVector *vectors = NULL;
  gint64 moving = 0;

  reference_frame_look_at_blocks (frame);
  frame->was_held = reference_frame_find_held_modes (frame);
  frame->pictures = (ReferencePictures) {frame->temporal->input, frame->input,
    frame->width, frame->height, NULL, REFERENCE_SAME_LIGHT};
  if (frame->temporal->age > 0 && frame->settings->stability > 0
      && !frame->is_held && !frame->settings->is_at_rest)
    frame->pictures.light = reference_light_find (&frame->pictures);
  if (frame->temporal->age > 0 && frame->settings->stability > 0
      && !frame->settings->is_at_rest)
    frame->pictures.vectors = vectors =
        reference_motion_new (&frame->pictures, &moving);
  if (frame->temporal->age > 0) {
    find_camera (frame, moving);
    reference_blocks_drift (frame->temporal->blocks, &frame->pictures,
        frame->temporal->camera, frame->interval);
    reference_frame_follow_motion (frame);
  }
  reference_bins_init (&frame->bins, &frame->settings->palette,
      frame->settings->bin_capacity, frame->temporal->window->data,
      frame->temporal->window->len / 4);
  reference_colour_limit_make_summits (&frame->bins, frame->settings->colors);
  frame->slots = g_new (gint, frame->bins.n_bins);
  find_modes (frame);
  reference_frame_settle_pixels (frame);
  count_bins (frame);
  count_held (frame);
  if (!frame->is_held)
    leave_modes (frame);
  find_noise (frame);
  g_free (frame->was_held);
  g_free (frame->slots);
  reference_bins_clear (&frame->bins);
}

/* --- a frame as the one before --- */

static gboolean
has_same_tuning (const ReferenceTemporalSettings * one,
    const ReferenceTemporalSettings * other)
{
  return one->bin_capacity == other->bin_capacity
      && MAX (one->history, 1) == MAX (other->history, 1)
      && MAX (one->palette.min_frequency, 1)
      == MAX (other->palette.min_frequency, 1)
      && one->stability == other->stability
      && one->scene_cut_threshold == other->scene_cut_threshold
      && one->hold == other->hold
      && one->update_interval == other->update_interval;
}

static gboolean
has_same_colours (const ReferenceFrame * frame)
{
  const ReferenceTemporalSettings *now = frame->settings;
  const ReferenceTemporalSettings *before = &frame->temporal->settings;

  return now->n_colours == before->n_colours
      && memcmp (now->colours, before->colours,
      now->n_colours * sizeof *now->colours) == 0;
}

static gboolean
is_as_before (const ReferenceFrame * frame)
{
  const ReferenceTemporal *temporal = frame->temporal;

  return temporal->n_frames > 0 && reference_frame_is_same_kind (frame)
      && has_same_tuning (frame->settings, &temporal->settings)
      && reference_frame_has_pixels (frame, temporal->input)
      && frame->counts_as_before;
}

/* How long the film then rests. */
static gint64
find_rest (const ReferenceFrame * frame)
{
  const gint64 glide = reference_floor (frame->settings->stability
      * (frame->settings->colors > 0 ? 2e9 : 6e8));
  const gint64 n_frames = MAX (frame->settings->update_interval, 1)
      * (gint64) (glide > 0 ? MAX (frame->settings->colors, 64) : 1);
  const gint64 by_time = glide > 0
      ? 65536 * frame->interval / (6 * glide) : 65536;

  return is_as_before (frame) ? MIN (frame->temporal->rest
      + MAX (MIN (by_time, 65536 / n_frames), 1), 65536) : 0;
}

/* Colours are as they were, alphas are this frame's. */
static void
repeat (const ReferenceFrame * frame)
{
  for (gsize i = 0; i < reference_frame_n_pixels (frame); i++) {
    memcpy (frame->output + 4 * i, frame->temporal->output + 4 * i, 3);
    frame->output[4 * i + 3] = frame->input[4 * i + 3];
  }
}

/* The frame that the next one is compared with. */
static void
remember (const ReferenceFrame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;

  g_free (temporal->input);
  g_free (temporal->output);
  temporal->input =
      g_memdup2 (frame->input, 4 * reference_frame_n_pixels (frame));
  temporal->output =
      g_memdup2 (frame->output, 4 * reference_frame_n_pixels (frame));
  temporal->settings = *frame->settings;
}

/* --- any frame --- */

static void
compute (ReferenceFrame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;

  if (!reference_is_same_transfer (frame->settings, &temporal->settings)
      || !has_same_colours (frame)
      || frame->settings->colors != temporal->settings.colors
      || frame->settings->palette.chroma != temporal->settings.palette.chroma)
    reference_temporal_forget_modes (temporal);
  frame->is_held = is_held (frame);
  temporal->rest = find_rest (frame);
  temporal->stats.is_settled = temporal->rest == 65536;
  if (temporal->stats.is_settled) {
    repeat (frame);
    temporal->stats.is_cut = temporal->stats.is_lit = FALSE;
  } else {
    work_on (frame);
    remember (frame);
  }
  temporal->n_frames++;
  temporal->held_for =
      frame->is_held ? temporal->held_for + frame->interval : 0;
}

static void
compute_by_itself (const ReferenceFrame * frame)
{
  const GByteArray *window = frame->temporal->window;
  const ReferencePixels counted = { window->data, window->len / 4 };
  const ReferencePixels input = {
    frame->input, reference_frame_n_pixels (frame)
  };

  reference_temporal_forget_modes (frame->temporal);
  reference_live_from (&frame->settings->palette,
      frame->settings->bin_capacity, &counted, &input, frame->output, NULL);
}

static gboolean
keeps_modes (const ReferenceTemporalSettings * settings)
{
  return settings->palette.radius > 0 && (settings->stability > 0
      || settings->update_interval > 1 || settings->colors > 0
      || reference_outlives_cuts (settings));
}

/* A palette that is given has its number of colours, and a number its radius and
 * chroma. */
static ReferenceTemporalSettings
what_counts_of (const ReferenceTemporalSettings * settings)
{
  ReferenceTemporalSettings what_counts = *settings;

  if (settings->n_colours > 0)
    what_counts.colors = 0;
  if (what_counts.colors > 0)
    what_counts.palette.radius =
        reference_colour_limit_radius (settings->colors);
  if (settings->palette.chroma == 0)
    what_counts.palette.chroma = what_counts.colors > 0 ? 2 : 1;
  return what_counts;
}

ReferenceTemporal *
reference_temporal_new (guint n_slots)
{
  ReferenceTemporal *temporal = g_new0 (ReferenceTemporal, 1);

  temporal->n_slots = n_slots;
  temporal->modes = reference_modes_new ();
  temporal->window = g_byte_array_new ();
  return temporal;
}

void
reference_temporal_free (ReferenceTemporal * temporal)
{
  g_array_unref (temporal->modes);
  g_byte_array_unref (temporal->window);
  g_free (temporal->input);
  g_free (temporal->output);
  g_free (temporal->pixels);
  g_free (temporal->blocks);
  g_free (temporal);
}

void
reference_temporal_forget_modes (ReferenceTemporal * temporal)
{
  temporal->n_frames = 0;
  temporal->held_for = 0;
  memset (&temporal->stats, 0, sizeof temporal->stats);
}

void
reference_temporal_reset (ReferenceTemporal * temporal)
{
  reference_temporal_forget_modes (temporal);
  g_byte_array_set_size (temporal->window, 0);
}

void
reference_temporal_frame (ReferenceTemporal * temporal,
    const ReferenceTemporalSettings * settings, guint64 interval,
    const ReferencePicture * input, guint8 * output,
    ReferenceTemporalStats * stats)
{
  const gsize size = (gsize) input->width * input->height * 4;
  g_autofree guint8 *picture = g_memdup2 (input->bytes, size);
  const ReferenceTemporalSettings what_counts = what_counts_of (settings);
  ReferenceFrame frame = {.temporal = temporal, .settings = &what_counts,
    .interval = interval > 0 ? MIN (interval,
        REFERENCE_LONGEST_INTERVAL) : 1000000000 / 30,
    .input = picture, .output = output, .width = input->width,
    .height = input->height};

  g_assert_cmpuint (what_counts.colors, <=, REFERENCE_TEMPORAL_COLOURS);
  reference_frame_count (&frame);
  if (keeps_modes (&what_counts))
    compute (&frame);
  else
    compute_by_itself (&frame);
  if (stats != NULL)
    *stats = temporal->stats;
}

const guint8 *
reference_temporal_get_window (const ReferenceTemporal * temporal, gsize * n)
{
  *n = temporal->window->len / 4;
  return temporal->window->data;
}
