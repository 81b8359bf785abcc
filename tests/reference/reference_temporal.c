/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_integer.h"
#include "reference_steps.h"

#include <string.h>

#define NO_NOISE 65536          /* that is known */
#define AN_HOUR G_GINT64_CONSTANT (3600000000000)

gint64
reference_part_of_way (const ReferenceTemporal * film, gdouble constant)
{
  return reference_part (MIN (film->held_for + film->interval, AN_HOUR),
      reference_floor (constant * film->settings.stability));
}

/* --- frames that are alike --- */

static gboolean
is_same_transfer (const ReferenceTemporal * film)
{
  return film->settings.palette.transfer == film->before.palette.transfer
      && film->settings.palette.eotf == film->before.palette.eotf;
}

static gboolean
is_same_size_and_format (const ReferenceTemporal * film)
{
  return film->width == (guint) film->pictures.grid.width
      && film->height == (guint) film->pictures.grid.height
      && film->before.format == film->settings.format;
}

/* Whether what pixels hold, and blocks, mean the same as in the frame before. */
static gboolean
is_same_kind (const ReferenceTemporal * film)
{
  return is_same_size_and_format (film)
      && film->before.palette.radius == film->settings.palette.radius
      && film->before.palette.weighting == film->settings.palette.weighting;
}

static gboolean
has_same_tuning (const ReferenceTemporal * film)
{
  const ReferenceTemporalSettings *one = &film->settings, *other =
      &film->before;

  return one->bin_capacity == other->bin_capacity
      && MAX (one->history, 1) == MAX (other->history, 1)
      && MAX (one->palette.min_frequency, 1)
      == MAX (other->palette.min_frequency, 1)
      && one->stability == other->stability
      && one->max_shift == other->max_shift
      && one->coherence == other->coherence
      && one->scene_cut_threshold == other->scene_cut_threshold
      && one->hold == other->hold
      && one->update_interval == other->update_interval;
}

static gboolean
has_same_colours (const ReferenceTemporal * film)
{
  const ReferenceTemporalSettings *now = &film->settings;

  return now->n_colours == film->before.n_colours
      && memcmp (now->colours, film->before.colours,
      now->n_colours * sizeof *now->colours) == 0
      && now->colors == film->before.colors
      && now->keeps_radius == film->before.keeps_radius
      && now->palette.chroma == film->before.palette.chroma;
}

/* But for alphas above 0. */
static gboolean
has_pixels (const ReferenceTemporal * film, const guint8 * others)
{
  for (gsize i = 0; i < film->n_pixels; i++) {
    const guint8 *one = film->picture + 4 * i, *other = others + 4 * i;

    if (memcmp (one, other, 3) != 0 || (one[3] == 0) != (other[3] == 0))
      return FALSE;
  }
  return TRUE;
}

/* --- the window --- */

/* The window ends with this frame. Each colour is then as often in it as before if
 * one frame leaves, and has the same pixels. */
static void
count (ReferenceTemporal * film)
{
  GByteArray *window = film->window;
  const gsize size = 4 * film->n_pixels;
  const gsize most = size * MAX (film->settings.history, 1);

  if (!is_same_size_and_format (film) || !is_same_transfer (film)
      || (window->len > 0
          && reference_is_cut (film->settings.scene_cut_threshold,
              window->data + window->len - size, film->picture,
              film->pictures.grid.width, film->pictures.grid.height)))
    g_byte_array_set_size (window, 0);
  film->counts_as_before = window->len == most
      && has_pixels (film, window->data);
  g_byte_array_append (window, film->picture, size);
  if (window->len > most)
    g_byte_array_remove_range (window, 0, window->len - most);
}

/* --- 1 and 2: blocks, reset --- */

static gboolean
outlives_cuts (const ReferenceTemporalSettings * settings)
{
  return settings->hold || settings->n_colours > 0;
}

/* Where they are is known when there are bins. */
static void
take_given_modes (ReferenceTemporal * film)
{
  g_assert_cmpuint (film->settings.n_colours, <=, film->n_slots);
  film->n_modes = film->settings.n_colours;
  for (gint i = 0; i < film->n_modes; i++) {
    const guint32 colour = film->settings.colours[i];

    film->modes[i] = (ReferenceMode) {.exists = TRUE,
      .colour = {256 * (colour >> 16), 256 * (colour >> 8 & 255),
        256 * (colour & 255)}};
  }
}

static void
begin_anew (ReferenceTemporal * film)
{
  film->age = 0;
  film->noise = NO_NOISE;
  film->camera = 0;
  g_free (film->pixels);
  film->pixels = g_new (ReferencePixelMode, film->n_pixels);
  for (gsize i = 0; i < film->n_pixels; i++)
    film->pixels[i] = (ReferencePixelMode) {REFERENCE_NO_MODE, 0};
  g_free (film->blocks);
  film->blocks = g_new0 (ReferenceBlock, film->pictures.grid.n);
  g_array_set_size (film->owned_bins, 0);
}

static void
begin (ReferenceTemporal * film)
{
  /* Modes are none of those before, if there is no cut. */
  const gboolean is_other = film->n_frames == 0
      || (film->settings.stability == 0 && !film->is_held);
  const gboolean is_new_kind = is_other || !is_same_kind (film);

  film->stats.is_cut = !is_new_kind
      && reference_is_cut (film->settings.scene_cut_threshold, film->input,
      film->picture, film->width, film->height);
  if (is_other || (film->stats.is_cut && !outlives_cuts (&film->settings)))
    take_given_modes (film);
  if (is_new_kind || film->stats.is_cut)
    begin_anew (film);
  else
    film->age =
        MIN (film->age + CLAMP (film->interval / 1000000, 1, 65535), 300);
}

/* --- 3: light, motion, unrest and noise --- */

/* Returns vectors, or NULL; g_free() them. */
static ReferenceVector *
find_motion (ReferenceTemporal * film)
{
  const gboolean may_change = film->settings.stability > 0
      && !film->settings.is_at_rest;
  ReferenceVector *vectors = NULL;
  gint64 moving = 0;

  if (may_change && !film->is_held)
    film->pictures.light = reference_light_find (&film->pictures);
  if (may_change)
    film->pictures.vectors = vectors =
        reference_motion_new (&film->pictures, &moving);
  film->camera = MAX (256 * moving, reference_approach (film->camera, 0,
          reference_part (film->interval, 1000000000)));
  reference_blocks_drift (film->blocks, &film->pictures, film->camera,
      film->interval);
  reference_pixels_follow_motion (film);
  return vectors;
}

/* For the next frame. One that begins anew is compared with none. */
static void
find_noise (ReferenceTemporal * film)
{
  const gint64 change =
      film->age == 0 ? -1 : reference_median_change (&film->pictures);
  const gint64 later = reference_approach (film->noise, 256 * change,
      reference_part (film->interval, 1000000000));

  if (change >= 0)
    film->noise = film->noise == NO_NOISE ? 256 * change
        : MAX (256 * change, later);
}

/* --- all steps --- */

static void
fill_stats (ReferenceTemporal * film)
{
  g_autofree gboolean *is_held = reference_modes_find_held (film);
  ReferenceTemporalStats *stats = &film->stats;

  stats->n_bins = film->bins.n_bins;
  stats->n_merges = film->bins.n_merges;
  stats->is_lit = !reference_light_is_same (&film->pictures.light);
  stats->n_summits = stats->n_strays = stats->n_held = 0;
  for (gsize i = 0; i < film->bins.n_bins; i++)
    if (reference_bins_is_summit (&film->bins, i)) {
      stats->n_summits++;
      stats->n_strays += film->slots[i] == REFERENCE_NO_MODE
          && film->bins.bins[i].n > 0;
    }
  for (gint slot = 0; slot < film->n_modes; slot++)
    stats->n_held += is_held[slot];
}

/* 4, 5 and 6. Modes go along with light that changes everywhere. */
static void
find_modes (ReferenceTemporal * film)
{
  for (gint slot = 0; slot < film->n_modes; slot++)
    for (guint i = 0; i < 3; i++) {
      gint64 *colour = &film->modes[slot].colour[i];

      *colour = reference_light_apply (&film->pictures.light, *colour, 256);
    }
  reference_modes_begin (film);
  if (film->settings.colors > 0) {
    if (film->settings.keeps_radius && !film->is_held)
      reference_modes_move (film);
    reference_limit_assign (film);
    return;
  }
  if (!film->is_held) {
    reference_modes_move (film);
    reference_modes_meet (film);
  }
  reference_modes_assign (film);
  reference_modes_find_summits (film);
  reference_modes_keep_bins (film);
  if (film->settings.max_shift > 0)
    reference_leash_assign (film);
}

static void
work_on (ReferenceTemporal * film)
{
  g_autofree ReferenceVector *vectors = NULL;

  begin (film);
  film->stats.n_leashed = 0;
  film->was_held = reference_modes_find_held (film);
  if (film->age > 0)
    vectors = find_motion (film);
  reference_bins_init (&film->bins, &film->settings.palette,
      film->settings.bin_capacity, film->window->data, film->window->len / 4);
  reference_limit_make_summits (film);
  film->slots = g_new (gint, film->bins.n_bins);
  find_modes (film);
  reference_modes_note_bins (film);
  film->pixel_bins = reference_pixels_find_bins (film);
  reference_pixels_settle (film);
  fill_stats (film);
  if (!film->is_held && film->settings.colors > 0)
    reference_limit_change (film);
  else if (!film->is_held)
    reference_modes_let_go (film);
  find_noise (film);
  g_free (film->was_held);
  g_free (film->pixel_bins);
  g_clear_pointer (&film->is_stray, g_free);
  g_free (film->slots);
  reference_bins_clear (&film->bins);
}

/* --- a film at rest --- */

/* R, how long the film then rests. */
static gint64
find_rest (const ReferenceTemporal * film)
{
  const gint64 glide = reference_floor (film->settings.stability
      * (film->settings.colors > 0 ? 2e9 : 6e8));
  const gint64 n_frames = MAX (film->settings.update_interval, 1)
      * (gint64) (glide > 0 ? MAX (film->settings.colors, 64) : 1);
  const gint64 by_time =
      glide > 0 ? 65536 * film->interval / (6 * glide) : 65536;

  if (film->n_frames == 0 || !is_same_kind (film) || !has_same_tuning (film)
      || !has_pixels (film, film->input) || !film->counts_as_before)
    return 0;
  return MIN (film->rest + MAX (MIN (by_time, 65536 / n_frames), 1), 65536);
}

/* Colours are as they were, alphas are this frame's. */
static void
repeat (ReferenceTemporal * film)
{
  memcpy (film->shown, film->output, 4 * film->n_pixels);
  for (gsize i = 0; i < film->n_pixels; i++)
    film->shown[4 * i + 3] = film->picture[4 * i + 3];
  film->stats.is_cut = film->stats.is_lit = FALSE;
}

/* --- any frame --- */

/* Whether modes are kept from a frame with these settings to the next. */
static gboolean
keeps_modes (const ReferenceTemporalSettings * settings)
{
  return settings->stability > 0 || settings->update_interval > 1
      || settings->colors > 0 || outlives_cuts (settings);
}

static void
compute (ReferenceTemporal * film)
{
  if (!is_same_transfer (film) || !has_same_colours (film)
      || (keeps_modes (&film->settings) && !keeps_modes (&film->before)))
    reference_temporal_forget_modes (film);
  film->is_held = outlives_cuts (&film->settings)
      || film->n_frames % MAX (film->settings.update_interval, 1) != 0;
  film->rest = find_rest (film);
  film->stats.is_settled = film->rest == 65536;
  if (film->stats.is_settled) {
    repeat (film);
  } else {
    work_on (film);
    g_free (film->input);
    g_free (film->output);
    film->input = g_memdup2 (film->picture, 4 * film->n_pixels);
    film->output = g_memdup2 (film->shown, 4 * film->n_pixels);
  }
  film->n_frames++;
  film->held_for = film->is_held ? film->held_for + film->interval : 0;
}

static void
compute_by_itself (ReferenceTemporal * film)
{
  const ReferencePixels counted = { film->window->data, film->window->len / 4 };
  const ReferencePixels input = { film->picture, film->n_pixels };

  reference_temporal_forget_modes (film);
  reference_live_from (&film->settings.palette, film->settings.bin_capacity,
      &counted, &input, film->shown, NULL);
}

/* A palette that is given has its number of colours, and a number its radius and
 * chroma, if it does not keep them. */
static ReferenceTemporalSettings
what_counts_of (const ReferenceTemporalSettings * settings)
{
  ReferenceTemporalSettings what_counts = *settings;
  gboolean sets_radius;

  if (settings->n_colours > 0)
    what_counts.colors = 0;
  what_counts.keeps_radius &= what_counts.colors > 0;
  sets_radius = what_counts.colors > 0 && !what_counts.keeps_radius;
  if (settings->n_colours > 0 || sets_radius)
    what_counts.max_shift = 0;
  else if (settings->max_shift > 0)
    what_counts.max_shift = MAX (settings->max_shift, 1);
  if (sets_radius)
    what_counts.palette.radius = reference_limit_radius (settings->colors);
  else if (what_counts.keeps_radius)
    what_counts.palette.radius = MAX (0.005, settings->palette.radius);
  if (settings->palette.chroma == 0)
    what_counts.palette.chroma = sets_radius ? 2 : 1;
  return what_counts;
}

ReferenceTemporal *
reference_temporal_new (guint n_slots)
{
  ReferenceTemporal *film = g_new0 (ReferenceTemporal, 1);

  film->n_slots = n_slots;
  film->modes = g_new0 (ReferenceMode, reference_n_slots (film));
  film->window = g_byte_array_new ();
  film->owned_bins = g_array_new (FALSE, FALSE, sizeof (ReferenceOwnedBin));
  return film;
}

void
reference_temporal_free (ReferenceTemporal * film)
{
  g_byte_array_unref (film->window);
  g_array_unref (film->owned_bins);
  g_free (film->modes);
  g_free (film->input);
  g_free (film->output);
  g_free (film->pixels);
  g_free (film->blocks);
  g_free (film);
}

void
reference_temporal_forget_modes (ReferenceTemporal * film)
{
  film->n_frames = 0;
  film->held_for = 0;
  memset (&film->stats, 0, sizeof film->stats);
}

void
reference_temporal_reset (ReferenceTemporal * film)
{
  reference_temporal_forget_modes (film);
  g_byte_array_set_size (film->window, 0);
}

void
reference_temporal_frame (ReferenceTemporal * film,
    const ReferenceTemporalSettings * settings, guint64 interval,
    const ReferencePicture * input, guint8 * output,
    ReferenceTemporalStats * stats)
{
  const gsize n_pixels = (gsize) input->width * input->height;
  g_autofree guint8 *picture = g_memdup2 (input->bytes, 4 * n_pixels);

  film->settings = what_counts_of (settings);
  film->interval = interval > 0 ? MIN (interval, AN_HOUR) : 1000000000 / 30;
  film->picture = picture;
  film->shown = output;
  film->n_pixels = n_pixels;
  film->pictures = reference_pictures (film->input, picture, input->width,
      input->height);
  g_assert_cmpuint (film->settings.colors, <=, REFERENCE_TEMPORAL_COLOURS);
  count (film);
  if (!output)
    reference_temporal_forget_modes (film);
  else if (film->settings.palette.radius > 0
      && (keeps_modes (&film->settings) || film->settings.max_shift > 0
          || film->settings.coherence > 0))
    compute (film);
  else
    compute_by_itself (film);
  film->before = film->settings;
  film->width = input->width;
  film->height = input->height;
  if (stats != NULL)
    *stats = film->stats;
}

void
reference_temporal_alone (const ReferenceTemporalSettings * settings,
    const ReferencePicture * input, guint8 * output)
{
  g_autoptr (ReferenceTemporal) film =
      reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  const ReferenceTemporalSettings alone = {
    .palette = settings->palette,
    .bin_capacity = settings->bin_capacity,
    .max_shift = settings->max_shift,
    .coherence = settings->coherence,
  };

  reference_temporal_frame (film, &alone, 0, input, output, NULL);
}

const guint8 *
reference_temporal_get_window (const ReferenceTemporal * film, gsize * n)
{
  *n = film->window->len / 4;
  return film->window->data;
}
