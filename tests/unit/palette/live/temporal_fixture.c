/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "temporal_fixture.h"

#include <string.h>

struct _Keeping
{
  const gchar *name;
  gboolean hold;
  guint update_interval, n_colours, limit;
  gboolean keeps_radius;
};

static const Keeping as_it_comes = { "as-it-comes", FALSE, 1, 0, 0 };

static const Keeping keepings[] = {
  {"hold", TRUE, 1, 0, 0}, {"update-interval", FALSE, 3, 0, 0},
  {"palette", FALSE, 1, 5, 0}, {"colors", FALSE, 1, 0, 9},
  {"colors-hold", TRUE, 1, 0, 4}, {"colors-update-interval", FALSE, 2, 0, 16},
  {"indexes", FALSE, 1, 0, 24, TRUE}
};

/* --- adding tests --- */

static void
add_as (const Keeping * keeping, const gchar * folder, const gchar * name,
    GTestDataFunc test)
{
  g_autofree gchar *path = g_strconcat ("/temporal/", folder, name, NULL);

  g_test_add_data_func (g_strdelimit (path, "_", '-'), keeping, test);
}

/* All with --full. */
static void
add_kept (const gchar * name, gboolean odd, GTestDataFunc test)
{
  for (guint i = 0; i < G_N_ELEMENTS (keepings); i++) {
    g_autofree gchar *folder = g_strconcat (keepings[i].name, "/", NULL);

    if (palette_is_full || i % 2 == (guint) odd)
      add_as (&keepings[i], folder, name, test);
  }
}

void
temporal_add (const gchar * name, guint ways, GTestDataFunc test)
{
  if (ways & AS_IT_COMES)
    add_as (&as_it_comes, "", name, test);
  if (ways & HELD)
    add_as (&keepings[0], "hold/", name, test);
  if (ways & (KEPT_EVEN | KEPT_ODD))
    add_kept (name, !!(ways & KEPT_ODD), test);
}

/* --- films --- */

Film *
temporal_film_new_of (Engine * engine, guint n_slots)
{
  const GpuPaletteSettings settings = {.making.radius = 0.02,
    .making.max_shift = 2, .quality = GPU_PALETTE_LIVE, .motion.stability = 0.5};

  return film_new (engine, n_slots, &settings);
}

Film *
temporal_film_new (guint width, guint height)
{
  return temporal_film_new_of (engine_new (GPU_PALETTE_LIVE, width, height),
      REFERENCE_TEMPORAL_SLOTS);
}

void
temporal_give_palette (Film * film, guint n_colours)
{
  film->settings.making.given.n_colours = n_colours;
  for (guint i = 0; i < n_colours; i++)
    film->settings.making.given.colours[i] =
        g_rand_int_range (film->random, 0, 1 << 24);
}

void
temporal_keep (Film * film, const Keeping * keeping)
{
  film->settings.motion.hold = keeping->hold;
  film->settings.motion.update_interval = keeping->update_interval;
  film->settings.making.limit = keeping->limit;
  film->settings.making.keeps_radius = keeping->keeps_radius;
  temporal_give_palette (film, keeping->n_colours);
}

/* --- pictures --- */

void
temporal_add_noise (Film * film, gint share)
{
  for (gsize i = 0; i < film_n_pixels (film); i++) {
    if (g_rand_int_range (film->random, 0, 100) >= share)
      continue;
    for (guint k = 0; k < 3; k++) {
      const gint noise = g_rand_int_range (film->random, -2, 3)
          + g_rand_int_range (film->random, -2, 3);

      film->rgba[4 * i + k] =
          (guint8) CLAMP (film->base[4 * i + k] + noise, 0, 255);
    }
    film->rgba[4 * i + 3] = film->base[4 * i + 3];
  }
}

void
temporal_lighten (Film * film, gint codes, gboolean half)
{
  for (gsize i = 0; i < film_n_pixels (film); i++)
    for (guint k = 0; k < 3; k++) {
      guint8 *code = &film->base[4 * i + k];

      if (!half || i % film->engine->in.width < film->engine->in.width / 2)
        *code = (guint8) CLAMP (*code + codes, 0, 255);
    }
}

/* --- comparing --- */

static void
count_steadied (Film * film, const guint8 * picture, const guint8 * got)
{
  ReferenceTemporalSettings settings =
      engine_temporal_settings (film->engine, &film->settings);
  const ReferencePicture input = { picture, film->engine->in.width,
    film->engine->in.height
  };
  g_autofree guint8 *live = g_malloc (4 * film_n_pixels (film));

  settings.coherence = 0;
  reference_temporal_alone (&settings, &input, live);
  for (gsize i = 0; i < film_n_pixels (film); i++)
    film->n_steadied += memcmp (live + 4 * i, got + 4 * i, 4) != 0;
}

void
temporal_compare (Film * film, const gchar * name, const guint8 * picture,
    const guint8 * got)
{
  const GpuPaletteReport *report = &film->engine->report;
  const ReferenceTemporalSettings settings =
      engine_temporal_settings (film->engine, &film->settings);
  g_autofree gchar *what = engine_describe (film->engine, name);
  const ReferenceTemporalStats stats =
      film_compare (film, &settings, what, picture, got);

  if (film->counts_steadied)
    count_steadied (film, picture, got);
  if (stats.n_bins > 0) {
    g_assert_cmpuint (report->counted.bins, ==, stats.n_bins);
    g_assert_cmpuint (report->made.output_colours, ==,
        stats.n_held + stats.n_strays);
    g_assert_cmpint (report->made.solved, ==, !stats.is_settled);
  }
  film->n_lit += stats.is_lit;
  film->n_cuts += stats.is_cut;
  film->n_strays += stats.n_strays;
  film->n_leashed += stats.n_leashed;
  film->merges |= 1 << stats.n_merges;
}

void
temporal_show_again (Film * film, const gchar * name)
{
  g_autofree guint8 *picture = engine_picture_in (film->engine, film->rgba);
  g_autofree guint8 *got =
      engine_run (film->engine, &film->settings, film->rgba);

  temporal_compare (film, name, picture, got);
}

void
temporal_show (Film * film, const gchar * name)
{
  temporal_add_noise (film, 100);
  temporal_show_again (film, name);
}

void
temporal_show_often (Film * film, const gchar * name, guint n_frames)
{
  while (n_frames-- > 0)
    temporal_show (film, name);
}

void
temporal_check_noise (Film * film, const gchar * name, gdouble radius,
    GpuPaletteWeighting weighting, gdouble stability)
{
  film_forget (film);
  film_take_picture (film, name, 1);
  film->settings.making.radius = radius;
  film->settings.making.weighting = weighting;
  film->settings.motion.stability = stability;
  temporal_show_often (film, name, 6);
}
