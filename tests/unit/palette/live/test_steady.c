/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine of quality=live with stability against the oracle, byte for
 * byte, frame after frame. */
#include "generated.h"
#include "palette_fixture.h"
#include "palette_tests.h"
#include "reference_live.h"
#include "reference_steady.h"
#include "reference_yuv.h"

#include <string.h>

#define WIDTH 64
#define HEIGHT 48

static gboolean is_full;

#define MS G_GUINT64_CONSTANT (1000000)

/* How palettes outlive frames, besides by stability. */
typedef struct
{
  const gchar *name;
  gboolean hold;
  guint update_interval, n_colours, limit;
} Keeping;

static const Keeping as_it_comes = { "as-it-comes", FALSE, 1, 0, 0 };

static const Keeping keepings[] = {
  {"hold", TRUE, 1, 0, 0}, {"update-interval", FALSE, 3, 0, 0},
  {"palette", FALSE, 1, 5, 0}, {"colors", FALSE, 1, 0, 9},
  {"colors-hold", TRUE, 1, 0, 4}, {"colors-update-interval", FALSE, 2, 0, 16}
};

/* What an engine and the oracle are shown. */
typedef struct
{
  Engine *engine;
  ReferenceSteady *steady;
  GpuPaletteSettings settings;
  GRand *random;
  guint8 *base;                 /* a picture */
  guint8 *noisy;                /* that with noise in it */
  gboolean counts_steadied;     /* by one more oracle */
  guint n_steadied;             /* pixels that live would have shown otherwise */
  guint n_cuts, n_strays, merges;       /* of merges bit n: there were n */
} Film;

static gsize
n_pixels (Film * film)
{
  return (gsize) film->engine->in.width * film->engine->in.height;
}

/* A palette of any colours. */
static void
give_palette (Film * film, guint n_colours)
{
  film->settings.n_colours = n_colours;
  for (guint i = 0; i < n_colours; i++)
    film->settings.colours[i] = g_rand_int_range (film->random, 0, 1 << 24);
}

static void
keep (Film * film, const Keeping * keeping)
{
  film->settings.hold = keeping->hold;
  film->settings.update_interval = keeping->update_interval;
  film->settings.limit = keeping->limit;
  give_palette (film, keeping->n_colours);
}

static Film *
film_new_of (Engine * engine, guint n_slots)
{
  Film *film = g_new0 (Film, 1);

  film->engine = engine;
  film->steady = reference_steady_new (n_slots);
  film->random = g_rand_new_with_seed (1);
  film->settings = (GpuPaletteSettings) {
  .radius = 0.02,.quality = GPU_PALETTE_LIVE,.stability = 0.5};
  return film;
}

static Film *
film_new (guint width, guint height)
{
  return film_new_of (engine_new_for (GPU_PALETTE_LIVE, GPU_PIXELS_RGBA,
          GPU_PIXELS_RGBA, width, height, FALSE), REFERENCE_STEADY_SLOTS);
}

static void
film_free (Film * film)
{
  engine_free (film->engine);
  reference_steady_free (film->steady);
  g_rand_free (film->random);
  g_free (film->base);
  g_free (film->noisy);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

static void
forget (Film * film)
{
  gpu_palette_forget (film->engine->palette);
  reference_steady_reset (film->steady);
}

/* --- pictures --- */

/* With a variance of 4, in so many of a hundred pixels; others are as they
 * were. */
static void
add_noise (Film * film, gint share)
{
  for (gsize i = 0; i < n_pixels (film); i++) {
    if (g_rand_int_range (film->random, 0, 100) >= share)
      continue;
    for (guint k = 0; k < 3; k++) {
      const gint noise = g_rand_int_range (film->random, -2, 3)
          + g_rand_int_range (film->random, -2, 3);

      film->noisy[4 * i + k] =
          (guint8) CLAMP (film->base[4 * i + k] + noise, 0, 255);
    }
    film->noisy[4 * i + 3] = film->base[4 * i + 3];
  }
}

static void
take_picture (Film * film, const gchar * name, guint32 seed)
{
  g_free (film->base);
  g_free (film->noisy);
  film->base = generated_picture_new (name, film->engine->in.width,
      film->engine->in.height, seed);
  film->noisy = g_memdup2 (film->base, 4 * n_pixels (film));
}

/* All of it, or its left half. */
static void
lighten (Film * film, gint codes, gboolean half)
{
  for (gsize i = 0; i < n_pixels (film); i++)
    for (guint k = 0; k < 3; k++) {
      guint8 *code = &film->base[4 * i + k];

      if (!half || i % film->engine->in.width < film->engine->in.width / 2)
        *code = (guint8) CLAMP (*code + codes, 0, 255);
    }
}

/* Pixels in odd columns and rows, which large blocks are not looked at in. */
static void
lighten_between (Film * film, gint codes)
{
  const guint width = film->engine->in.width;

  for (gsize i = 0; i < n_pixels (film); i++)
    for (guint k = 0; k < 3; k++)
      if (i % width % 2 == 1 || i / width % 2 == 1)
        film->base[4 * i + k] =
            (guint8) CLAMP (film->base[4 * i + k] + codes, 0, 255);
}

/* --- comparing --- */

static ReferenceSteadySettings
wanted (Film * film)
{
  return engine_steady_settings (film->engine, &film->settings);
}

static void
count_steadied (Film * film, const guint8 * picture, const guint8 * expected)
{
  const ReferenceSteadySettings settings = wanted (film);
  g_autofree guint8 *live = g_malloc (4 * n_pixels (film));

  reference_live_with_capacity (&settings.palette, settings.cell_capacity,
      picture, film->engine->in.width, film->engine->in.height, live, NULL);
  for (gsize i = 0; i < n_pixels (film); i++)
    film->n_steadied += memcmp (live + 4 * i, expected + 4 * i, 4) != 0;
}

static void
compare (Film * film, const gchar * name, const guint8 * picture,
    const guint8 * got)
{
  Engine *engine = film->engine;
  const guint width = engine->in.width, height = engine->in.height;
  const ReferenceSteadySettings settings = wanted (film);
  g_autofree guint8 *expected = g_malloc (4 * n_pixels (film));
  g_autofree gchar *what = engine_describe (engine, name);
  ReferenceSteadyStats stats;

  reference_steady_frame (film->steady, &settings, film->settings.interval,
      picture, width, height, expected, &stats);
  if (film->counts_steadied)
    count_steadied (film, picture, expected);
  engine_make_picture_out (engine, expected);
  compare_pixels (what, got, expected, width, height);
  if (stats.n_cells > 0) {
    g_assert_cmpuint (engine->report.cells, ==, stats.n_cells);
    g_assert_cmpuint (engine->report.output_colours, ==,
        stats.n_held + stats.n_strays);
  }
  film->n_cuts += stats.is_cut;
  film->n_strays += stats.n_strays;
  film->merges |= 1 << stats.n_merges;
}

/* The picture as it is, once more. */
static void
show_again (Film * film, const gchar * name)
{
  g_autofree guint8 *picture = engine_picture_in (film->engine, film->noisy);
  g_autofree guint8 *got =
      engine_run (film->engine, &film->settings, film->noisy);

  compare (film, name, picture, got);
}

static void
show (Film * film, const gchar * name)
{
  add_noise (film, 100);
  show_again (film, name);
}

static void
show_often (Film * film, const gchar * name, guint n_frames)
{
  while (n_frames-- > 0)
    show (film, name);
}

/* --- films --- */

static void
check_noise (Film * film, const gchar * name, gdouble radius,
    GpuPaletteWeighting weighting, gdouble stability)
{
  forget (film);
  take_picture (film, name, 1);
  film->settings.radius = radius;
  film->settings.weighting = weighting;
  film->settings.stability = stability;
  show_often (film, name, 6);
}

static void
test_noise (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  film->counts_steadied = TRUE;
  check_noise (film, "blobs", 0.02, GPU_PALETTE_FREQUENCY, 0.5);
  check_noise (film, "gradient", 0.05, GPU_PALETTE_PALETTE, 0.25);
  g_assert_cmpuint (film->n_steadied, >, 1000);
}

static void
test_settings (void)
{
  static const gdouble radii[] = { 0.001, 0.01, 0.02, 0.03, 0.05, 0.3 };
  static const gdouble stabilities[] = { 0.001, 0.1, 0.25, 0.5, 1 };
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
    for (guint w = 0; w < 2; w++)
      for (guint s = (2 * r + w) % (is_full ? 2 : 5);
          s < G_N_ELEMENTS (stabilities); s += is_full ? 2 : 5)
        check_noise (film, s % 3 ? "blobs" : "gradient", radii[r], w,
            stabilities[s]);
}

static void
test_intervals (void)
{
  static const guint64 intervals[] = { 1, 999999, MS, 16666667, 33333333,
    40 * MS, 0, 149 * MS, 150 * MS, 250 * MS, 32767 * MS, 65536 * MS,
    1000 * 1000 * 1000 * MS
  };
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++) {
    film->settings.interval = intervals[i];
    check_noise (film, "blobs", 0.02, i % 2, 0.5);
  }
  /* Each frame another one. */
  forget (film);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (intervals); i++) {
    film->settings.interval = intervals[5 * i % G_N_ELEMENTS (intervals)];
    show (film, "intervals");
  }
}

static void
test_sizes (void)
{
  static const guint sizes[][2] = {
    {1, 1}, {3, 5}, {64, 1}, {31, 33}, {97, 53}, {530, 17}, {19, 515}
  };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (Film) film = film_new (sizes[s][0], sizes[s][1]);

    film->settings.scene_cut_threshold = 0.05;
    take_picture (film, "blobs", s);
    show_often (film, "size", 9);
    lighten_between (film, 12);
    show (film, "size");
    lighten (film, 3, TRUE);
    show (film, "size");
    lighten (film, 30, FALSE);
    show (film, "size");
  }
}

static void
test_formats (void)
{
  static const GpuPixels formats[][2] = {
    {GPU_PIXELS_RGBA, GPU_PIXELS_BGRX}, {GPU_PIXELS_BGRX, GPU_PIXELS_BGRX},
    {GPU_PIXELS_XRGB, GPU_PIXELS_ABGR}, {GPU_PIXELS_ARGB, GPU_PIXELS_RGB},
    {GPU_PIXELS_RGB, GPU_PIXELS_BGRA}, {GPU_PIXELS_BGR, GPU_PIXELS_BGR}
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (Film) film =
        film_new_of (engine_new_for (GPU_PALETTE_LIVE, formats[i][0],
            formats[i][1], 33 + i, 21, FALSE), REFERENCE_STEADY_SLOTS);

    film->settings.radius = 0.05;
    take_picture (film, "alpha-noise", 2);
    show_often (film, "format", 4);
    show_again (film, "format");
    show_often (film, "format", 2);
  }
}

static guint8 *
run_nv12 (Film * film, guint8 * bytes)
{
  Engine *engine = film->engine;
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *frame = NULL;
  guint8 *rgba = g_malloc (4 * n_pixels (film));

  engine->settings = film->settings;
  frame = gpu_fixture_run (engine->stream, &engine->in, bytes, &engine->out,
      engine_record, engine, &error);
  g_assert_no_error (error);
  gpu_palette_get_report (engine->palette, &engine->report);
  gpu_fixture_unpack (&engine->out, 0, frame, rgba);
  return rgba;
}

static void
show_nv12 (Film * film, guint8 * bytes, const ReferenceYuvSettings * yuv)
{
  const GpuFrameInfo *in = &film->engine->in;
  guint8 *chroma = bytes + in->offset[1];
  const ReferenceYuvFrame frame = { in->width, in->height, bytes, chroma,
    chroma + 1, in->stride[0], in->stride[1], 2
  };
  g_autofree guint8 *picture = g_malloc (4 * n_pixels (film));
  g_autofree guint8 *got = run_nv12 (film, bytes);

  reference_yuv_to_rgba (yuv, &frame, picture);
  compare (film, "nv12", picture, got);
}

static void
test_nv12 (void)
{
  const guint width = 49, height = 35;
  const GpuYuv yuv = { 0.2126, 0.0722, FALSE, TRUE, FALSE };
  const ReferenceYuvSettings reference = { 0.2126, 0.0722, FALSE, TRUE, FALSE };
  g_autoptr (Film) film = film_new (width, height);
  GpuFrameInfo *in = &film->engine->in;
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *bytes = NULL;

  film->counts_steadied = TRUE;
  gpu_palette_configure (film->engine->palette, GPU_PIXELS_NV12,
      GPU_PIXELS_RGBA, width, height, &yuv, GPU_PALETTE_LIVE, &error);
  g_assert_no_error (error);
  gpu_frame_info_init (in, GPU_PIXELS_NV12, width, height);
  bytes = g_malloc (in->size);
  for (guint frame = 0; frame < 8; frame++) {
    for (gsize i = 0; i < in->size; i++)
      bytes[i] = (guint8) (80 + i % in->stride[0] / 8 * 9
          + g_rand_int_range (film->random, 0, 5));
    show_nv12 (film, bytes, &reference);
  }
  g_assert_cmpuint (film->n_steadied, >, 100);
}

/* Holes that come and go, and a while without any pixel. */
static void
test_alpha (gconstpointer keeping)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  keep (film, keeping);
  take_picture (film, "blobs", 3);
  for (guint frame = 0; frame < 10; frame++) {
    const guint percent = frame == 6 ? 100 : 10 * (frame % 3);

    for (gsize i = 0; i < n_pixels (film); i++)
      film->base[4 * i + 3] =
          g_rand_int_range (film->random, 0,
          100) < (gint) percent ? 0 : 255 - i;
    show (film, "alpha");
  }
}

/* Nearly all pixels are as in the frame before, now and then the light is not. */
static void
test_still (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  film->counts_steadied = TRUE;
  take_picture (film, "blobs", 4);
  for (guint frame = 0; frame < 24; frame++) {
    if (frame % 7 == 5)
      lighten (film, frame % 2 ? 4 : -5, TRUE);
    add_noise (film, frame % 3 ? 10 : 40);
    show_again (film, "still");
  }
  g_assert_cmpuint (film->n_steadied, >, 1000);
}

/* Light that fades, everywhere or in some blocks, at every age. */
static void
test_light (void)
{
  for (guint half = 0; half < 2; half++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    take_picture (film, "blobs", 5);
    for (guint frame = 0; frame < 20; frame++) {
      lighten (film, frame % 5 ? 1 : -2, half);
      show (film, "light");
    }
  }
}

static void
test_cuts (gconstpointer keeping)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  keep (film, keeping);
  film->settings.scene_cut_threshold = 0.05;
  for (guint frame = 0; frame < 12; frame++) {
    if (frame % 4 == 0)
      take_picture (film, frame % 8 ? "noise" : "blobs", frame);
    if (frame % 4 == 2)
      lighten (film, 10, FALSE);
    show (film, "cut");
  }
  g_assert_cmpuint (film->n_cuts, ==, 2);
}

/* With fewer slots than summits, those that become free are taken. */
static void
test_slots (gconstpointer keeping)
{
  static const guint numbers[] = { 1, 7, 60 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autoptr (Film) film = film_new_of (engine_new_for (GPU_PALETTE_LIVE,
            GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, WIDTH, HEIGHT, FALSE),
        numbers[i]);

    engine_tune (film->engine, &(GpuPaletteTuning) {
        .mode_capacity = numbers[i]}
    );
    keep (film, keeping);
    film->settings.radius = 0.01;
    film->settings.weighting = i % 2;
    take_picture (film, "blobs", 6);
    show_often (film, "slots", 3);
    lighten (film, 20, TRUE);
    show_often (film, "slots", 5);
    g_assert_cmpuint (film->n_strays, >, 0);
  }
}

static void
test_merging (gconstpointer keeping)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  engine_tune (film->engine, &(GpuPaletteTuning) {
      .cell_capacity = 1800});
  keep (film, keeping);
  film->settings.radius = 0.01;
  for (guint frame = 0; frame < 12; frame++) {
    if (frame % 4 == 0)
      take_picture (film, frame % 8 ? "two-colours" : "blobs", 7);
    if (frame % 4 == 2) {
      film->settings.radius *= 2;
      film->settings.weighting = !film->settings.weighting;
    }
    show (film, "merging");
  }
  /* A number of colours sets the radius, whatever is asked for. */
  if (film->settings.limit == 0)
    g_assert_cmpuint (film->merges, ==, 7);
  else
    g_assert_cmpuint (film->merges, >, 1);
}

/* What large frames are cut into several dispatches for; and another output. */
static void
test_slices (void)
{
  g_autoptr (Film) film = film_new_of (engine_new_for (GPU_PALETTE_LIVE,
          GPU_PIXELS_RGBA, GPU_PIXELS_BGRA, 160, 90, FALSE),
      REFERENCE_STEADY_SLOTS);

  engine_tune (film->engine, &(GpuPaletteTuning) {
      .slice = 256});
  film->settings.radius = 0.01;
  take_picture (film, "blobs", 8);
  show_often (film, "slices", 5);
}

static void
test_gathering (void)
{
  static const GpuDeviceKind kinds[] = { GPU_DEVICE_CPU, GPU_DEVICE_DISCRETE };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autoptr (Film) film = film_new_of (engine_new_as (kinds[k],
            GPU_PALETTE_LIVE, 160, 90), REFERENCE_STEADY_SLOTS);

    take_picture (film, "blobs", 9);
    show_often (film, "gathering", 4);
  }
}

/* --- what changes midway --- */

/* With each the picture changes, or does not. */
static void
test_changed_settings (gconstpointer keeping)
{
  static const gdouble radii[] = { 0.02, 0.03, 0.05, 0.01 };
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  keep (film, keeping);
  take_picture (film, "blobs", 10);
  for (guint i = 0; i < 32; i++) {
    film->settings.radius = radii[i / 4 % G_N_ELEMENTS (radii)];
    film->settings.stability = i % 7 < 4 ? 0.5 : 0.2;
    film->settings.weighting = i % 9 < 5 ? 0 : 1;
    film->settings.scene_cut_threshold = i % 11 < 6 ? 0 : 0.5;
    if (i % 3 > 0)
      add_noise (film, 100);
    show_again (film, "settings");
  }
}

/* A frame as the one before changes nothing, however late it is. */
static void
test_repeated (gconstpointer keeping)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  keep (film, keeping);
  take_picture (film, "alpha-noise", 11);
  for (guint frame = 0; frame < 16; frame++) {
    const gboolean is_repeated = frame % 4 > 1;

    film->settings.interval = (20 + frame) * MS;
    add_noise (film, is_repeated ? 0 : 100);
    show_again (film, "repeated");
    g_assert_cmpint (film->engine->report.solved, ==, !is_repeated);
  }
}

/* Another alpha makes no other frame, but comes out; what a pixel is that nobody
 * counts makes one. */
static void
test_changed_bytes (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  take_picture (film, "blobs", 12);
  for (guint frame = 0; frame < 18; frame++) {
    const gboolean is_repeated = frame % 3 == 2;

    add_noise (film, frame % 3 == 0 ? 100 : 0);
    film->noisy[3] = 0;
    film->noisy[is_repeated ? 7 : 0] ^= 1;
    show_again (film, "bytes");
    g_assert_cmpint (film->engine->report.solved, ==, !is_repeated);
  }
}

/* What keeps nothing, and what makes the next frame the first. */
static void
test_forgetting (gconstpointer keeping)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  keep (film, keeping);
  take_picture (film, "blobs", 13);
  for (guint i = 0; i < 6; i++) {
    const GpuPaletteSettings settings = film->settings;

    show_often (film, "before", 4);
    switch (i) {
      case 0:
        forget (film);
        break;
      case 1:
        film->settings.stability = 0;
        show_often (film, "no stability", 2);
        break;
      case 2:
        film->settings.radius = 0;
        show_often (film, "no radius", 2);
        break;
      case 3:
        film->settings.quality = GPU_PALETTE_EXACT;
        film->settings.limit = 0;
        g_free (engine_run (film->engine, &film->settings, film->noisy));
        break;
      default:
        gpu_palette_set_transfer (film->engine->palette, i == 4
            ? gpu_palette_transfer_linear : gpu_palette_transfer_srgb, NULL);
        film->engine->is_linear = i == 4;
    }
    film->settings = settings;
    /* The same picture too. */
    show_again (film, "after");
    show_often (film, "after", 2);
  }
}

/* Modes outlive other sizes and formats. */
static void
test_other_shapes (gconstpointer keeping)
{
  static const struct
  {
    GpuPixels format;
    guint width, height;
  } shapes[] = {
    {GPU_PIXELS_RGBA, 50, 35}, {GPU_PIXELS_BGRA, 50, 35},
    {GPU_PIXELS_BGRA, 64, 48}, {GPU_PIXELS_RGBX, 35, 50},
    {GPU_PIXELS_RGBX, 17, 9}, {GPU_PIXELS_RGBA, 64, 48}
  };
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  keep (film, keeping);
  film->settings.scene_cut_threshold = 0.05;
  take_picture (film, "blobs", 14);
  show_often (film, "shape", 4);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    engine_configure (film->engine, GPU_PALETTE_LIVE, shapes[i].format,
        shapes[i].format, shapes[i].width, shapes[i].height);
    take_picture (film, i % 3 ? "blobs" : "gradient", 14);
    film->counts_steadied = TRUE;
    film->n_steadied = 0;
    show (film, "shape");
    g_assert_cmpuint (film->n_steadied, >, 0);
    film->counts_steadied = FALSE;
    show_often (film, "shape", 3);
  }
}

/* --- frames that end --- */

static gboolean
record_and_fail (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  g_assert_true (engine_record (stream, in, out, data, error));
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY, "no memory");
  return FALSE;
}

/* Behind a frame that nobody submits the next one is the first. */
static void
test_not_submitted (gconstpointer keeping)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  keep (film, keeping);
  take_picture (film, "blobs", 15);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GError) error = NULL;

    add_noise (film, 100);
    g_assert_null (engine_try (film->engine, &film->settings, film->noisy,
            record_and_fail, &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
    reference_steady_reset (film->steady);
    if (i == 2)
      lighten (film, 5, FALSE);
    add_noise (film, i ? 100 : 0);
    show_again (film, "not submitted");
    show_often (film, "not submitted", 3);
  }
}

/* Nor is anything known of one that was cancelled, wherever that was. By what is
 * stated, a frame as large takes a slow device several submissions. */
static void
test_cancelled (gconstpointer keeping)
{
  g_autoptr (Film) film = film_new_of (engine_new_as (GPU_DEVICE_CPU,
          GPU_PALETTE_LIVE, 480, 270), REFERENCE_STEADY_SLOTS);
  guint n_ended;

  film->engine->info.timestamp_period = 0;
  keep (film, keeping);
  film->settings.radius = 0.03;
  take_picture (film, "blobs", 16);
  for (n_ended = 0;; n_ended++) {
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *ended = NULL;

    show_often (film, "before the end", 2);
    add_noise (film, 100);
    film->engine->let_through = n_ended;
    ended = engine_try (film->engine, &film->settings, film->noisy,
        engine_record_cancelled, &error);
    if (ended)
      break;
    g_assert_error (error, GPU_ERROR, GPU_ERROR_CANCELLED);
    reference_steady_reset (film->steady);
    show (film, "after the end");
  }
  g_assert_cmpuint (n_ended, >, 0);
}

/* --- palettes that are kept and given midway --- */

/* With the very picture, whatever comes meanwhile. */
static void
check_switching (Film * film, gdouble stability)
{
  forget (film);
  film->settings.stability = stability;
  take_picture (film, "blobs", 17);
  for (guint frame = 0; frame < 16; frame++) {
    film->settings.hold = frame % 8 > 1 && frame % 8 < 6;
    if (frame % 8 == 3)
      lighten (film, 20, TRUE);
    add_noise (film, frame % 4 == 2 ? 0 : 100);
    show_again (film, "switching");
  }
}

static void
test_switching (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  check_switching (film, 0.5);
  check_switching (film, 0);
}

/* From the first frame on. */
static void
test_without_stability (gconstpointer keeping)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  keep (film, keeping);
  film->settings.stability = 0;
  film->settings.scene_cut_threshold = 0.05;
  take_picture (film, "blobs", 18);
  for (guint frame = 0; frame < 16; frame++) {
    if (frame == 7 || frame == 12)
      take_picture (film, frame == 7 ? "noise" : "blobs", frame);
    add_noise (film, frame % 5 == 4 ? 0 : 100);
    show_again (film, "without stability");
  }
}

/* Another one, and none, at each place in it; a frame that is shown again and a cut
 * in between. */
static void
test_intervals_between_updates (void)
{
  static const guint intervals[] = { 3, 1, 4 };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.stability = i ? 0 : 0.5;
    film->settings.scene_cut_threshold = 0.05;
    take_picture (film, "blobs", 19);
    for (guint frame = 0; frame < 33; frame++) {
      film->settings.update_interval = intervals[frame / 11];
      if (frame % 10 == 8)
        take_picture (film, frame % 4 ? "noise" : "blobs", frame);
      lighten (film, 1, TRUE);
      add_noise (film, frame % 7 == 4 ? 0 : 100);
      show_again (film, "update-interval");
    }
    g_assert_cmpuint (film->n_cuts, >, 0);
  }
}

static void
test_palettes (void)
{
  static const guint sizes[] = { 1, 2, 5, 256, 256 };
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < 4 * G_N_ELEMENTS (sizes); i++) {
    const guint n = sizes[i % G_N_ELEMENTS (sizes)];

    take_picture (film, i % 3 ? "blobs" : "gradient", i);
    give_palette (film, n);
    /* Two are equal. */
    film->settings.colours[n / 2] = film->settings.colours[n - 1];
    film->settings.weighting = i / G_N_ELEMENTS (sizes) % 2;
    film->settings.stability = i < 2 * G_N_ELEMENTS (sizes) ? 0.5 : 0;
    show_often (film, "palette", 2);
  }
}

/* Palettes come and go, with hold and without. */
static void
test_other_palettes (void)
{
  static const guint sizes[] = { 0, 3, 3, 0, 40, 2 };

  for (guint i = 0; i < 4; i++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.stability = i % 2 ? 0.5 : 0;
    film->settings.hold = i / 2;
    film->settings.scene_cut_threshold = 0.05;
    take_picture (film, "blobs", 20);
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
      give_palette (film, sizes[k]);
      if (k % 2 == 0)
        show_again (film, "other palette");
      show_often (film, "other palette", 2);
    }
  }
}

static void
check_colours (guint width, guint height, const gchar * name, guint first,
    guint step)
{
  static const guint numbers[] = { 1, 2, 8, 16, 33, 64, 256 };
  g_autoptr (Film) film = film_new (width, height);

  for (guint i = first; i < G_N_ELEMENTS (numbers); i += step) {
    film->settings.limit = numbers[i];
    check_noise (film, name, 0.02, i % 2, i % 3 ? 0.5 : 0.2);
    g_assert_cmpuint (film->engine->report.output_colours, <=, numbers[i]);
  }
}

static void
test_colours (void)
{
  check_colours (WIDTH, HEIGHT, "blobs", 0, is_full ? 1 : 3);
}

static void
test_more_colours (void)
{
  const guint step = is_full ? 1 : 3;

  check_colours (WIDTH, HEIGHT, "gradient", 1 % step, step);
  check_colours (120, 72, "noise", 2 % step, step);
  check_colours (3, 2, "noise", 0, step);
}

/* Modes go with it, and others come. */
static void
test_colours_in_light (void)
{
  for (guint half = 0; half < 2; half++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.limit = 12;
    take_picture (film, "blobs", 22);
    for (guint frame = 0; frame < 30; frame++) {
      lighten (film, frame % 5 ? 3 : -5, half);
      show (film, "colours in light");
    }
  }
}

/* Of random colours, so many codes apart. */
static void
take_cluster (Film * film, gint codes)
{
  guint8 colours[24];
  guint8 corner[3];

  take_picture (film, "blobs", 1);
  for (guint k = 0; k < 3; k++)
    corner[k] = (guint8) g_rand_int_range (film->random, 0, 250 - codes);
  for (guint i = 0; i < sizeof colours; i++)
    colours[i] = (guint8) (corner[i % 3]
        + g_rand_int_range (film->random, 0, codes));
  for (gsize i = 0; i < n_pixels (film); i++)
    memcpy (film->base + 4 * i,
        colours + 3 * g_rand_int_range (film->random, 0, 8), 3);
  memcpy (film->noisy, film->base, 4 * n_pixels (film));
}

/* Modes that nobody comes to stay as well. */
static void
test_held_colours (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  film->settings.hold = TRUE;
  film->settings.limit = 16;
  for (guint i = 0; i < 24; i++) {
    forget (film);
    take_cluster (film, 2 + i % 5);
    show_again (film, "cluster");
    show_often (film, "cluster", 2);
  }
}

/* One setting, or the picture. */
static void
change_anything (Film * film)
{
  static const gdouble stabilities[] = { 0, 0, 0.5, 0.2 };
  static const gdouble radii[] = { 0.01, 0.02, 0.03, 0 };
  const gint choice = g_rand_int_range (film->random, 0, 4);

  switch (g_rand_int_range (film->random, 0, 10)) {
    case 0:
    case 1:
      film->settings.hold = choice % 2;
      break;
    case 2:
      film->settings.update_interval = choice + 1;
      break;
    case 3:
      give_palette (film, choice < 2 ? 0 : 4 * choice);
      break;
    case 4:
      film->settings.stability = stabilities[choice];
      break;
    case 5:
      film->settings.radius = radii[choice];
      break;
    case 6:
      film->settings.scene_cut_threshold = 0.03 * (choice % 2);
      break;
    case 7:
      film->settings.weighting = choice % 2;
      break;
    case 8:
      film->settings.limit = choice < 2 ? 0 : 5 * choice;
      break;
    default:
      take_picture (film, choice < 2 ? "blobs" : "gradient", choice);
  }
}

static void
test_anything (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  take_picture (film, "blobs", 21);
  for (guint frame = 0; frame < 60; frame++) {
    if (frame % 2 == 0)
      change_anything (film);
    add_noise (film, g_rand_int_range (film->random, 0, 4) ? 100 : 0);
    show_again (film, "anything");
  }
}

/* What a size of subgroups might break. */
static void
add_essential (void)
{
  g_test_add_func ("/steady/noise", test_noise);
  g_test_add_data_func ("/steady/slots", &as_it_comes, test_slots);
  g_test_add_func ("/steady/slices", test_slices);
  g_test_add_func ("/steady/still", test_still);
  g_test_add_func ("/steady/switching", test_switching);
  g_test_add_func ("/steady/colours", test_colours);
}

static void
add_others (void)
{
  g_test_add_func ("/steady/settings", test_settings);
  g_test_add_func ("/steady/intervals", test_intervals);
  g_test_add_func ("/steady/sizes", test_sizes);
  g_test_add_func ("/steady/formats", test_formats);
  g_test_add_func ("/steady/nv12", test_nv12);
  g_test_add_data_func ("/steady/alpha", &as_it_comes, test_alpha);
  g_test_add_func ("/steady/light", test_light);
  g_test_add_data_func ("/steady/cuts", &as_it_comes, test_cuts);
  g_test_add_data_func ("/steady/merging", &as_it_comes, test_merging);
  g_test_add_func ("/steady/gathering", test_gathering);
  g_test_add_data_func ("/steady/changed-settings", &as_it_comes,
      test_changed_settings);
  g_test_add_data_func ("/steady/repeated", &as_it_comes, test_repeated);
  g_test_add_func ("/steady/changed-bytes", test_changed_bytes);
  g_test_add_data_func ("/steady/forgetting", &as_it_comes, test_forgetting);
  g_test_add_data_func ("/steady/other-shapes", &as_it_comes,
      test_other_shapes);
  g_test_add_data_func ("/steady/not-submitted", &as_it_comes,
      test_not_submitted);
  g_test_add_data_func ("/steady/cancelled", &as_it_comes, test_cancelled);
  g_test_add_func ("/steady/intervals-between-updates",
      test_intervals_between_updates);
  g_test_add_func ("/steady/palettes", test_palettes);
  g_test_add_func ("/steady/more-colours", test_more_colours);
  g_test_add_func ("/steady/colours-in-light", test_colours_in_light);
  g_test_add_func ("/steady/held-colours", test_held_colours);
  g_test_add_func ("/steady/anything", test_anything);
  g_test_add_data_func ("/steady/hold/slots", &keepings[0], test_slots);
  g_test_add_data_func ("/steady/hold/cancelled", &keepings[0], test_cancelled);
  g_test_add_func ("/steady/other-palettes", test_other_palettes);
}

static void
add_kept_as (const Keeping * keeping)
{
  static const struct
  {
    const gchar *name;
    GTestDataFunc test;
  } tests[] = {
    {"without-stability", test_without_stability}, {"alpha", test_alpha},
    {"cuts", test_cuts}, {"merging", test_merging},
    {"changed-settings", test_changed_settings}, {"repeated", test_repeated},
    {"forgetting", test_forgetting}, {"other-shapes", test_other_shapes},
    {"not-submitted", test_not_submitted}
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/steady/%s/%s", keeping->name, tests[i].name);

    g_test_add_data_func (path, keeping, tests[i].test);
  }
}

void
add_steady_tests (PaletteTests tests)
{
  is_full = (tests & TESTS_FULL) != 0;
  if (tests & TESTS_ESSENTIAL)
    add_essential ();
  if (tests & TESTS_OTHERS) {
    add_others ();
    for (guint i = 0; i < G_N_ELEMENTS (keepings); i++)
      add_kept_as (&keepings[i]);
  }
}
