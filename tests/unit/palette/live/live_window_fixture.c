/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "live_window_fixture.h"

#include "reference_live.h"

#include <string.h>

Film *
window_film_new_of (Engine * engine)
{
  const GpuPaletteSettings settings = {.making.radius = 0.05,
    .quality = GPU_PALETTE_LIVE, .counting.history = 3};

  return film_new (engine, REFERENCE_TEMPORAL_SLOTS, &settings);
}

Film *
window_film_new (guint width, guint height)
{
  return window_film_new_of (engine_new (GPU_PALETTE_LIVE, width, height));
}

static gboolean
is_exact (Film * film)
{
  return film->settings.quality == GPU_PALETTE_EXACT;
}

/* --- pictures --- */

void
window_take_any_picture (Film * film)
{
  static const gchar *const names[] = { "blobs", "alpha-noise", "checker" };
  /* Walks of EXACT take longer. */
  const guint8 few = is_exact (film) ? 0xc0 : 0xe0;
  const guint8 many = is_exact (film) ? 0xe0 : 0xf8;
  const guint8 mask = g_rand_int_range (film->random, 0, 3) ? few : many;
  const guint name = g_rand_int_range (film->random, 0, G_N_ELEMENTS (names));

  film_take_picture (film, names[name], g_rand_int (film->random));
  for (gsize i = 0; i < 4 * film_n_pixels (film); i++)
    if (i % 4 != 3)
      film->rgba[i] &= mask;
}

void
window_darken (Film * film)
{
  for (gsize i = 0; i < 4 * film_n_pixels (film); i++)
    if (i % 4 < 3)
      film->rgba[i] /= 4;
}

void
window_edit (Film * film)
{
  for (guint i = 0; i < film_n_pixels (film) / 20; i++)
    memset (film->rgba + 4 * g_rand_int_range (film->random, 0,
            film_n_pixels (film)), g_rand_int (film->random), 4);
}

/* --- comparing --- */

static void
count_without_colour (Film * film, const guint8 * got)
{
  for (gsize i = 0; i < film_n_pixels (film); i++)
    film->n_without_colour += film->rgba[4 * i + 3] != 0
        && memcmp (film->rgba + 4 * i, got + 4 * i, 4) == 0;
}

static gchar *
describe (Film * film, const gchar * name)
{
  g_autofree gchar *how = engine_describe (film->engine, name);

  return g_strdup_printf ("%s, %u frames, from %u pixels on, %s, %u given", how,
      film->settings.counting.history, film->settings.making.min_frequency,
      film->settings.motion.hold ? "held" : "not held",
      film->settings.making.given.n_colours);
}

/* The statistics of a frame by itself. */
static ReferenceTemporalStats
stats_by_itself (Film * film, const ReferenceTemporalSettings * settings)
{
  g_autofree guint8 *output = g_malloc (4 * film_n_pixels (film));
  const ReferencePixels input = { film->rgba, film_n_pixels (film) };
  ReferencePixels window;
  ReferenceLiveStats stats;

  window.bytes = reference_temporal_get_window (film->temporal, &window.n);
  reference_live_from (&settings->palette, settings->bin_capacity, &window,
      &input, output, &stats);
  return (ReferenceTemporalStats) {.n_bins = stats.n_bins,
    .n_merges = stats.n_merges, .n_held = stats.n_output_colours};
}

static void
check_report (Film * film, const ReferenceTemporalSettings * settings,
    ReferenceTemporalStats stats)
{
  const GpuPaletteReport *report = &film->engine->report;
  gsize n_counted;

  reference_temporal_get_window (film->temporal, &n_counted);
  g_assert_cmpuint (report->counted.history, ==, settings->history);
  film->n_cuts += stats.is_cut;
  if (is_exact (film)) {
    /* The frames before stay counted. */
    if (n_counted > film_n_pixels (film))
      g_assert_false (report->counted.recounted);
    return;
  }
  if (stats.n_bins == 0)
    stats = stats_by_itself (film, settings);
  g_assert_cmpuint (report->counted.bins, ==, stats.n_bins);
  g_assert_cmpuint (report->made.output_colours, ==,
      stats.n_held + stats.n_strays);
  film->merges |= 1 << stats.n_merges;
}

static void
compare (Film * film, const gchar * name, guint room, const guint8 * picture,
    const guint8 * got)
{
  ReferenceTemporalSettings settings =
      engine_temporal_settings (film->engine, &film->settings);
  g_autofree gchar *what = describe (film, name);

  settings.history = room;
  check_report (film, &settings, film_compare (film, &settings, what, picture,
          got));
}

void
window_show_within (Film * film, const gchar * name, guint room)
{
  g_autofree guint8 *picture = engine_picture_in (film->engine, film->rgba);
  g_autofree guint8 *got =
      engine_run (film->engine, &film->settings, film->rgba);

  compare (film, name, room, picture, got);
  count_without_colour (film, got);
}

void
window_show_nv12 (Film * film, const gchar * name, guint8 * frame)
{
  g_autofree guint8 *picture = engine_picture_in_nv12 (film->engine, frame);
  g_autofree guint8 *got =
      engine_run_yuv (film->engine, &film->settings, frame);

  compare (film, name, film->settings.counting.history, picture, got);
}

void
window_show (Film * film, const gchar * name)
{
  window_show_within (film, name, MAX (film->settings.counting.history, 1));
}

void
window_show_pictures (Film * film, const gchar * name, guint n_frames)
{
  while (n_frames-- > 0) {
    window_take_any_picture (film);
    window_show (film, name);
  }
}
