/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "live_fixture.h"

#include "generated.h"

GpuPaletteSettings
live_settings (gdouble radius, GpuPaletteWeighting weighting)
{
  return (GpuPaletteSettings) {.making.radius = radius,
    .making.weighting = weighting, .quality = GPU_PALETTE_LIVE};
}

guint8 *
live_oracle (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba, ReferenceLiveStats * stats)
{
  ReferencePaletteSettings wanted =
      engine_reference_settings (engine, settings);
  guint capacity = engine->tuning.bin_capacity;
  guint8 *picture = engine_picture_in (engine, rgba);
  const ReferencePixels input = {
    picture, (gsize) engine->in.width * engine->in.height
  };

  reference_live_with_capacity (&wanted,
      capacity ? capacity : REFERENCE_LIVE_CAPACITY, &input, picture, stats);
  engine_make_picture_out (engine, picture);
  return picture;
}

guint
live_check_settings (Engine * engine, const gchar * picture,
    const guint8 * rgba, const GpuPaletteSettings * settings)
{
  ReferenceLiveStats stats;
  g_autofree guint8 *got = engine_run (engine, settings, rgba);
  g_autofree guint8 *expected = live_oracle (engine, settings, rgba, &stats);
  g_autofree gchar *what = engine_describe (engine, picture);

  compare_pixels (what, got, expected, engine->in.width, engine->in.height);
  g_assert_cmpuint (engine->report.counted.bins, ==, stats.n_bins);
  g_assert_cmpuint (engine->report.made.output_colours, ==,
      stats.n_output_colours);
  return stats.n_merges;
}

guint
live_check (Engine * engine, const gchar * picture, const guint8 * rgba,
    gdouble radius, GpuPaletteWeighting weighting)
{
  const GpuPaletteSettings settings = live_settings (radius, weighting);

  return live_check_settings (engine, picture, rgba, &settings);
}

guint
live_check_generated (Engine * engine, const gchar * picture, guint32 seed,
    gdouble radius, GpuPaletteWeighting weighting)
{
  g_autofree guint8 *rgba = generated_picture_new (picture, engine->in.width,
      engine->in.height, seed);

  return live_check (engine, picture, rgba, radius, weighting);
}
