/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of indexes: what their palettes make of them. */
#include "generated.h"
#include "palette_fixture.h"
#include "palette_tests.h"
#include "reference_live.h"
#include "reference_temporal.h"

#include <string.h>

static Engine *
engine_new_from (GpuPixels in, GpuPixels out, guint width, guint height)
{
  return engine_new_for (GPU_PALETTE_LIVE, in, out, width, height, FALSE);
}

/* Pixels with alpha 0 have an entry of their own, others lose it. */
static void
make_opaque (guint8 * rgba, gsize n_pixels)
{
  for (gsize i = 0; i < n_pixels; i++) {
    if (rgba[4 * i + 3] == 0)
      memset (rgba + 4 * i, 0, 4);
    else
      rgba[4 * i + 3] = 255;
  }
}

static guint
count_colours (const guint8 * rgba, gsize n_pixels)
{
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < n_pixels; i++) {
    guint32 colour;

    memcpy (&colour, rgba + 4 * i, sizeof colour);
    g_hash_table_add (colours, GUINT_TO_POINTER (colour));
  }
  return g_hash_table_size (colours);
}

/* By the oracle. Without a number there are as many modes as indexes. */
static void
check_number (GpuPixels in, guint width, guint height, guint colors)
{
  g_autoptr (Engine) engine =
      engine_new_from (in, GPU_PIXELS_RGB8P, width, height);
  g_autoptr (ReferenceTemporal) temporal =
      reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  const GpuPaletteSettings settings = {.quality = GPU_PALETTE_LIVE,
    .motion.stability = 0.5, .making.radius = 0.02, .making.max_shift = 2,
    .making.limit = colors};
  const guint most = gpu_pixels_get_format (in)->alpha < 0 ? 256 : 255;
  ReferenceTemporalSettings wanted =
      engine_temporal_settings (engine, &settings);

  wanted.colors = colors ? colors : most;
  wanted.keeps_radius = colors == 0;

  for (guint frame = 0; frame < 3; frame++) {
    g_autofree guint8 *picture =
        generated_picture_new ("alpha-noise", width, height, frame);
    g_autofree guint8 *shown = engine_picture_in (engine, picture);
    g_autofree guint8 *got = engine_run (engine, &settings, picture);
    const ReferencePicture input = { shown, width, height };

    reference_temporal_frame (temporal, &wanted, 0, &input, shown, NULL);
    make_opaque (shown, (gsize) width * height);
    compare_pixels ("number", got, shown, width, height);
  }
}

PALETTE_TEST (TESTS_ESSENTIAL, "/palette-indexed/", numbers)
{
  check_number (GPU_PIXELS_RGBA, 33, 21, 8);
  check_number (GPU_PIXELS_ARGB, 1, 1, 3);
  check_number (GPU_PIXELS_RGBX, 64, 48, 256);
  check_number (GPU_PIXELS_BGR, 257, 3, 16);
  check_number (GPU_PIXELS_RGBX, 64, 48, 0);
  check_number (GPU_PIXELS_BGRA, 32, 32, 0);
}

/* Without a number: all modes where there is an index for each, and any shift. */
PALETTE_TEST (TESTS_ESSENTIAL, "/palette-indexed/", few_modes)
{
  const guint width = 64, height = 48;
  g_autoptr (Engine) engine =
      engine_new_from (GPU_PIXELS_RGBX, GPU_PIXELS_RGB8P, width, height);
  const GpuPaletteSettings settings = {.quality = GPU_PALETTE_LIVE,
    .making.radius = 0.05};
  const ReferencePaletteSettings wanted =
      engine_reference_settings (engine, &settings);
  g_autofree guint8 *picture =
      generated_picture_new ("blobs", width, height, 1);
  g_autofree guint8 *shown = engine_picture_in (engine, picture);
  g_autofree guint8 *got = engine_run (engine, &settings, picture);

  reference_live (&wanted, shown, width, height, shown, NULL);
  compare_pixels ("few modes", got, shown, width, height);
  g_assert_cmpuint (count_colours (got, width * height), >, 8);
}

/* And so many of them where there is not. */
PALETTE_TEST (TESTS_OTHERS, "/palette-indexed/", many_modes)
{
  static const struct
  {
    GpuPixels in;
    guint least, most;
  } cases[] = {
    {GPU_PIXELS_RGBX, 250, 256}, {GPU_PIXELS_RGBA, 249, 256}
  };
  const guint width = 96, height = 80;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Engine) engine =
        engine_new_from (cases[i].in, GPU_PIXELS_RGB8P, width, height);
    g_autoptr (Engine) plain =
        engine_new_from (cases[i].in, GPU_PIXELS_RGBA, width, height);
    GpuPaletteSettings settings = {.quality = GPU_PALETTE_LIVE,
      .making.radius = 0};
    g_autofree guint8 *picture =
        generated_picture_new ("alpha-noise", width, height, 1);
    g_autofree guint8 *got = engine_run (engine, &settings, picture);
    g_autofree guint8 *limited = NULL;
    guint n = count_colours (got, width * height);

    g_assert_cmpuint (n, >=, cases[i].least);
    g_assert_cmpuint (n, <=, cases[i].most);
    settings.making.limit = cases[i].in == GPU_PIXELS_RGBA ? 255 : 256;
    settings.making.keeps_radius = TRUE;
    limited = engine_run (plain, &settings, picture);
    make_opaque (limited, width * height);
    compare_pixels ("many modes", got, limited, width, height);
  }
}

#define CUBE_SIDE 7
#define CUBE_PIXELS (CUBE_SIDE * CUBE_SIDE * CUBE_SIDE)

/* A frame that is shown on the way from one setting to another is as the first. */
static void
check_first (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * picture)
{
  const guint width = engine->in.width, height = engine->in.height;
  g_autoptr (Engine) other =
      engine_new_from (engine->in.pixels, engine->out.pixels, width, height);
  g_autofree guint8 *got = engine_run (engine, settings, picture);
  g_autofree guint8 *expected = engine_run (other, settings, picture);

  compare_pixels ("first", got, expected, width, height);
}

/* Neighbouring colours, so that there are more bins than summits. */
static guint8 *
cube_new (void)
{
  guint8 *rgba = g_malloc (4 * CUBE_PIXELS);

  for (guint i = 0; i < CUBE_PIXELS; i++) {
    rgba[4 * i] = 100 + i % CUBE_SIDE;
    rgba[4 * i + 1] = 100 + i / CUBE_SIDE % CUBE_SIDE;
    rgba[4 * i + 2] = 100 + i / CUBE_SIDE / CUBE_SIDE;
    rgba[4 * i + 3] = 255;
  }
  return rgba;
}

/* As many colours as there are indexes, asked for, are not those that indexes ask
 * for, even if they have the same radius. */
PALETTE_TEST (TESTS_OTHERS, "/palette-indexed/", asked_for)
{
  for (guint s = 0; s < 2; s++) {
    g_autoptr (Engine) engine =
        engine_new_from (GPU_PIXELS_RGB, GPU_PIXELS_RGB8P, CUBE_PIXELS, 1);
    GpuPaletteSettings settings = {.quality = GPU_PALETTE_LIVE,
      .making.radius = 0.005, .motion.stability = s * 0.5};
    g_autofree guint8 *picture = cube_new ();
    guint n_modes[2];

    for (guint i = 0; i < 4; i++) {
      settings.making.limit = i % 2 ? 256 : 0;
      g_assert_cmpfloat (gpu_palette_get_radius_in_use (engine->palette,
              &settings), ==, 0.005);
      check_first (engine, &settings, picture);
      n_modes[i % 2] = engine->report.made.output_colours;
    }
    g_assert_cmpuint (n_modes[0], <, n_modes[1]);
  }
}

static void
check_given (gdouble radius)
{
  const guint width = 20, height = 10;
  g_autoptr (Engine) engine =
      engine_new_from (GPU_PIXELS_RGBX, GPU_PIXELS_RGB8P, width, height);
  const GpuPaletteSettings settings = {.quality = GPU_PALETTE_LIVE,
    .making.radius = radius, .making.given.n_colours = 3,
    .making.given.colours = {0x102030, 0xa0b0c0, 0xff0000}};
  g_autofree guint8 *picture =
      generated_picture_new ("gradient", width, height, 1);
  g_autofree guint8 *got = engine_run (engine, &settings, picture);

  for (guint i = 0; i < width * height; i++) {
    guint32 colour = got[4 * i] << 16 | got[4 * i + 1] << 8 | got[4 * i + 2];

    g_assert_true (colour == 0x102030 || colour == 0xa0b0c0
        || colour == 0xff0000);
    g_assert_cmpuint (got[4 * i + 3], ==, 255);
  }
}

/* A palette that is given is that of the frame, whatever the radius. */
PALETTE_TEST (TESTS_ESSENTIAL, "/palette-indexed/", given)
{
  check_given (0.02);
  check_given (0);
}

/* Entries that no mode has are black, and pixels outside are left alone. */
PALETTE_TEST (TESTS_ESSENTIAL, "/palette-indexed/", bytes)
{
  g_autoptr (Engine) engine =
      engine_new_from (GPU_PIXELS_RGBA, GPU_PIXELS_RGB8P, 2, 1);
  const GpuFixtureWork work = {
    engine_record, engine, &engine->in, &engine->out
  };
  guint8 bytes[40] = { 0 };
  const guint8 pixels[] = { 200, 10, 10, 255, 10, 10, 200, 0 };
  g_autofree guint8 *frame = NULL;

  memcpy (bytes + engine->in.offset[0], pixels, sizeof pixels);
  engine->settings = (GpuPaletteSettings) {.quality = GPU_PALETTE_LIVE,
    .making.limit = 4};
  frame = OK (gpu_fixture_run (engine->stream, &work, bytes, &error));
  g_assert_cmpuint (frame[engine->out.offset[0]], ==, 0);
  g_assert_cmpuint (frame[engine->out.offset[0] + 1], ==, 255);
  for (guint i = 0; i < 256; i++) {
    guint32 entry;

    memcpy (&entry, frame + engine->out.offset[1] + 4 * i, sizeof entry);
    g_assert_cmphex (entry, ==, i == 0 ? 0xffc80a0a : i == 255 ? 0 :
        0xff000000);
  }
}

PALETTE_TEST (TESTS_ESSENTIAL, "/palette-indexed/", refused)
{
  g_autoptr (Engine) engine =
      engine_new_from (GPU_PIXELS_RGBA, GPU_PIXELS_RGB8P, 4, 4);
  GpuPaletteSettings settings = {.quality = GPU_PALETTE_EXACT,
    .making.radius = 0.02};
  const GpuPaletteFormat from_indexes = {.in = GPU_PIXELS_RGB8P,
    .out = GPU_PIXELS_RGBA, .width = 4, .height = 4};
  g_autofree guint8 *picture = generated_picture_new ("gradient", 4, 4, 1);

  for (guint i = 0; i < 2; i++) {
    settings.making.limit = 8 * i;
    FAILS (GPU_ERROR_UNSUPPORTED, engine_try (engine, &settings, picture,
            engine_record, &error));
  }
  settings.quality = GPU_PALETTE_LIVE;
  g_free (engine_run (engine, &settings, picture));
  g_assert_false (gpu_palette_configure (engine->palette, &from_indexes,
          GPU_PALETTE_LIVE, NULL));
}
