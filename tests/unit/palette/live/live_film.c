/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "live_film.h"

#include "generated.h"
#include "reference_blocks.h"

Film *
film_new (Engine * engine, guint n_slots, const GpuPaletteSettings * settings)
{
  Film *film = g_new0 (Film, 1);

  film->engine = engine;
  film->temporal = reference_temporal_new (n_slots);
  film->random = g_rand_new_with_seed (1);
  film->settings = *settings;
  return film;
}

void
film_free (Film * film)
{
  engine_free (film->engine);
  reference_temporal_free (film->temporal);
  g_rand_free (film->random);
  g_free (film->base);
  g_free (film->rgba);
  g_free (film->out);
  g_free (film);
}

gsize
film_n_pixels (Film * film)
{
  return (gsize) film->engine->in.width * film->engine->in.height;
}

void
film_take_picture (Film * film, const gchar * name, guint32 seed)
{
  g_free (film->base);
  g_free (film->rgba);
  film->base = generated_picture_new (name, film->engine->in.width,
      film->engine->in.height, seed);
  film->rgba = g_memdup2 (film->base, 4 * film_n_pixels (film));
}

void
film_set_threshold (Film * film, const guint8 * before, gboolean begins_scene)
{
  guint threshold = 0;

  for (guint step = 1 << 15; step > 0; step /= 2)
    if (reference_is_cut ((threshold + step) / 65280., before, film->rgba,
            film->engine->in.width, film->engine->in.height))
      threshold += step;
  g_assert_cmpuint (threshold, >, 0);
  film->settings.counting.scene_cut_threshold =
      (threshold + !begins_scene) / 65280.;
}

void
film_forget (Film * film)
{
  gpu_palette_forget (film->engine->palette);
  reference_temporal_reset (film->temporal);
}

/* What quality EXACT makes of the frame and those that are counted with it. */
static ReferenceTemporalStats
expect_exact (Film * film, const ReferenceTemporalSettings * settings,
    const ReferencePicture * input, guint8 * expected)
{
  const ReferencePixels pixels = { input->bytes, film_n_pixels (film) };
  ReferencePixels window;
  gsize n_before;

  reference_temporal_get_window (film->temporal, &n_before);
  reference_temporal_frame (film->temporal, settings, 0, input, NULL, NULL);
  window.bytes = reference_temporal_get_window (film->temporal, &window.n);
  reference_palette_from (&settings->palette, &window, &pixels, expected, NULL);
  return (ReferenceTemporalStats) {.is_cut = n_before > 0
        && settings->history > 1 && window.n == pixels.n};
}

ReferenceTemporalStats
film_compare (Film * film, const ReferenceTemporalSettings * settings,
    const gchar * what, const guint8 * picture, const guint8 * got)
{
  Engine *engine = film->engine;
  const ReferencePicture input = {
    picture, engine->in.width, engine->in.height
  };
  g_autofree guint8 *expected = g_malloc (4 * film_n_pixels (film));
  ReferenceTemporalStats stats;

  if (film->settings.quality == GPU_PALETTE_EXACT)
    stats = expect_exact (film, settings, &input, expected);
  else
    reference_temporal_frame (film->temporal, settings, film->settings.interval,
        &input, expected, &stats);
  engine_make_picture_out (engine, expected);
  compare_pixels (what, got, expected, input.width, input.height);
  return stats;
}
