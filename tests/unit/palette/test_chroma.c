/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The weight of a and b against L, by the oracles of both qualities. */
#include "generated.h"
#include "live/temporal_fixture.h"
#include "palette_fixture.h"
#include "palette_tests.h"
#include "reference_live.h"
#include "gpu/palette/live/live.h"

static const gdouble chromas[] = { 0.5, 2, 3, 1 };

/* Least bins, merged bins, and a coarser lattice. */
static const gdouble radii[] = { 0.005, 0.03, 0.1 };

static const gchar *const pictures[] = { "blobs", "noise", "black-white" };

static void
check (Engine * engine, const GpuPaletteSettings * settings, guint picture)
{
  const guint width = engine->in.width, height = engine->in.height;
  const ReferencePaletteSettings wanted =
      engine_reference_settings (engine, settings);
  g_autofree guint8 *rgba =
      generated_picture_new (pictures[picture], width, height, 1);
  g_autofree guint8 *got = engine_run (engine, settings, rgba);

  if (settings->quality == GPU_PALETTE_EXACT)
    reference_palette (&wanted, rgba, width, height, rgba, NULL);
  else
    reference_live (&wanted, rgba, width, height, rgba, NULL);
  compare_pixels (pictures[picture], got, rgba, width, height);
}

/* With one engine, as what was found with one chroma must not be used with another. */
static void
check_quality (GpuPaletteQuality quality, guint width, guint height)
{
  g_autoptr (Engine) engine = engine_new (quality, width, height);

  for (guint p = 0; p < G_N_ELEMENTS (pictures); p++)
    for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
      for (guint c = 0; c < G_N_ELEMENTS (chromas); c++) {
        const GpuPaletteSettings settings = {.quality = quality,
          .making.radius = radii[r], .making.chroma = chromas[c]};

        check (engine, &settings, p);
      }
}

PALETTE_TEST (TESTS_OTHERS, "/chroma/", exact)
{
  check_quality (GPU_PALETTE_EXACT, 32, 18);
}

PALETTE_TEST (TESTS_OTHERS, "/chroma/", live)
{
  check_quality (GPU_PALETTE_LIVE, 64, 40);
}

/* A frame with another chroma is a first one; 0 is that of the other settings. */
TEMPORAL_TEST (TESTS_OTHERS, chroma, AS_IT_COMES | KEPT_EVEN)
{
  static const gdouble values[] = { 0, 2, 1, 3, 0.5 };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 31);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (values); i++) {
    film->settings.making.chroma = values[i % G_N_ELEMENTS (values)];
    temporal_show_often (film, "chroma", 3);
  }
}

/* Memory for bins does not depend on the chroma. */
PALETTE_TEST (TESTS_OTHERS, "/chroma/", room)
{
  for (guint i = 500; i <= 3000; i++) {
    struct LiveState live;

    g_assert_cmpuint (gpu_palette_geometry_fill (&live, 0, i / 1000.0), <=,
        gpu_palette_geometry_most_words ());
    for (guint level = 0; level < BIN_LEVELS; level++)
      g_assert_cmpuint ((live.grid.first_word[level] + live.grid.words[level]
              + WORDS_OF_TOTAL - 1) / WORDS_OF_TOTAL + level, <=, BIN_TOTALS);
    /* A pixel has bits for each coordinate, and one that is not counted is far from all
     * bins: farther than with the largest coherence. */
    g_assert_cmpuint (live.grid.sides[0], <=, 1 << BIN_AXIS_BITS);
    g_assert_cmpuint (live.grid.sides[1], <, (1 << BIN_AXIS_BITS) - 100);
    g_assert_cmpuint (32 * live.grid.words[0] / live.grid.sides[0]
        / live.grid.sides[1], <=, 1 << BIN_AXIS_BITS);
  }
}
