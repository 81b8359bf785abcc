/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of the modes or, with quality EXACT, of the colours that most pixels of a frame
 * have, against the pixels that came out. */
#include "generated.h"
#include "live/live_film.h"
#include "palette_tests.h"
#include "reference_count.h"
#include "reference_live.h"
#include "reference_list.h"

#include <string.h>

#define WIDTH 64
#define HEIGHT 48

static Film *
modes_film_new_of (Engine * engine)
{
  const GpuPaletteSettings settings = {.making.radius = 0.02,
    .quality = GPU_PALETTE_LIVE, .motion.stability = 0.5,
    .counts_pixels = TRUE};

  return film_new (engine, REFERENCE_TEMPORAL_SLOTS, &settings);
}

static Film *
exact_film_new_of (Engine * engine, gdouble radius)
{
  const GpuPaletteSettings settings = {.making.radius = radius,
    .quality = GPU_PALETTE_EXACT, .counts_pixels = TRUE};

  return film_new (engine, REFERENCE_TEMPORAL_SLOTS, &settings);
}

static Film *
exact_film_new (guint width, guint height, gdouble radius)
{
  return exact_film_new_of (engine_new (GPU_PALETTE_EXACT, width, height),
      radius);
}

static Film *
modes_film_new (guint width, guint height)
{
  return modes_film_new_of (engine_new (GPU_PALETTE_LIVE, width, height));
}

static gboolean
is_live (Film * film)
{
  return film->settings.quality == GPU_PALETTE_LIVE;
}

static Film *
film_of (GpuPaletteQuality quality, guint width, guint height)
{
  return quality == GPU_PALETTE_LIVE ? modes_film_new (width, height)
      : exact_film_new (width, height, 0.02);
}

/* EXACT solves anew what hardly differs, so that only few pixels change. */
static void
add_noise (Film * film)
{
  const gsize n_pixels = film_n_pixels (film);

  if (!is_live (film)) {
    for (gsize i = 0; i < n_pixels / 8; i++)
      film->rgba[4 * g_rand_int_range (film->random, 0, n_pixels) + i % 3] ^= 9;
    return;
  }
  for (gsize i = 0; i < 4 * n_pixels; i++)
    if (i % 4 < 3) {
      const gint noise = g_rand_int_range (film->random, -4, 5);

      film->rgba[i] = (guint8) CLAMP (film->rgba[i] + noise, 0, 255);
    }
}

/* --- comparing --- */

/* Whether modes are known. */
static gboolean
get_modes (Film * film, guint64 * tag)
{
  return gpu_palette_get_modes (film->engine->palette, film->modes,
      &film->n_modes, tag);
}

static void
run (Film * film)
{
  g_free (film->out);
  film->settings.tag += G_GUINT64_CONSTANT (0x100000003);
  film->out = engine_run (film->engine, &film->settings, film->rgba);
}

/* The modes are known, of the frame at hand. */
static void
take_modes (Film * film)
{
  guint64 tag = 0;

  g_assert_true (get_modes (film, &tag));
  g_assert_cmpuint (tag, ==, film->settings.tag);
}

static void
check_modes (Film * film, const gchar * name)
{
  ReferencePaletteSettings settings =
      engine_reference_settings (film->engine, &film->settings);
  ReferenceListed modes[GPU_PALETTE_MAX_MODES];
  g_autofree gchar *what = engine_describe (film->engine, name);
  g_autofree gchar *fault = NULL;
  guint n_merged;

  take_modes (film);
  for (guint i = 0; i < film->n_modes; i++)
    modes[i] = (ReferenceListed) {film->modes[i].colour, film->modes[i].share};
  settings.radius = gpu_palette_get_radius (&film->settings);
  fault = reference_list_find_fault (&settings, film->out, film_n_pixels (film),
      modes, film->n_modes, &n_merged);
  if (fault)
    g_error ("%s: %s", what, fault);
  film->n_merged += n_merged;
}

static void
show (Film * film, const gchar * name)
{
  run (film);
  check_modes (film, name);
}

/* Without stability, frames are what they are when nobody counts. */
static void
check_live (Film * film, const gchar * name)
{
  const ReferencePaletteSettings settings =
      engine_reference_settings (film->engine, &film->settings);
  g_autofree guint8 *expected = g_malloc (4 * film_n_pixels (film));

  reference_live (&settings, film->rgba, film->engine->in.width,
      film->engine->in.height, expected, NULL);
  compare_pixels (name, film->out, expected, film->engine->in.width,
      film->engine->in.height);
}

/* --- pictures --- */

static void
show_noisy (Film * film, const gchar * name, gdouble radius)
{
  film->settings.making.radius = radius;
  film_take_picture (film, name, 1);
  for (guint frame = 0; frame < 3; frame++) {
    show (film, name);
    if (is_live (film) && film->settings.motion.stability == 0)
      check_live (film, name);
    add_noise (film);
  }
}

static void
check_pictures (GpuPaletteQuality quality, guint width, guint height,
    gdouble stability)
{
  static const gdouble radii[] = { 0.001, 0.01, 0.02, 0.05, 0.3 };
  g_autoptr (Film) film = film_of (quality, width, height);
  const guint step =
      palette_is_full ? 1 : is_live (film) ? 2 : G_N_ELEMENTS (radii);

  film->settings.motion.stability = stability;
  for (guint i = 0; generated_names[i]; i++)
    for (guint r = (i + (stability > 0)) % step; r < G_N_ELEMENTS (radii);
        r += step)
      show_noisy (film, generated_names[i], radii[r]);
  g_assert_cmpuint (film->n_merged, >, 0);
}

PALETTE_TEST (TESTS_OTHERS, "/modes/", live)
{
  check_pictures (GPU_PALETTE_LIVE, WIDTH, HEIGHT, 0);
}

/* So few pixels that all modes are listed: two of them may show one colour, which
 * one cannot tell apart from a single one with more pixels. */
PALETTE_TEST (TESTS_OTHERS, "/modes/", steady)
{
  check_pictures (GPU_PALETTE_LIVE, 15, 17, 0.5);
}

PALETTE_TEST (TESTS_OTHERS, "/exact-modes/", exact_pictures)
{
  check_pictures (GPU_PALETTE_EXACT, WIDTH, HEIGHT, 0);
}

static void
check_sizes (GpuPaletteQuality quality)
{
  static const guint sizes[][2] = {
    {1, 1}, {3, 5}, {1023, 4}, {31, 33}, {513, 17}
  };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (Film) film = film_of (quality, sizes[s][0], sizes[s][1]);

    show_noisy (film, "blobs", 0.02);
    show_noisy (film, "alpha-noise", 0.05);
  }
}

/* One mode has all pixels that are counted, or there is none; and then there are
 * some again. */
static void
check_few (GpuPaletteQuality quality)
{
  g_autoptr (Film) film = film_of (quality, WIDTH, HEIGHT);

  film_take_picture (film, "one-colour", 0);
  for (guint round = 0; round < 2; round++) {
    for (gsize i = 0; i < film_n_pixels (film); i++)
      film->rgba[4 * i + 3] = i < 9 ? 0 : 255;
    show (film, "one-colour");
    g_assert_cmpuint (film->n_modes, ==, 1);
    g_assert_cmpfloat (film->modes[0].share, ==, 1);
    g_assert_cmphex (film->modes[0].colour, ==,
        reference_pack_rgb (film->rgba));
    for (gsize i = 0; i < film_n_pixels (film); i++)
      film->rgba[4 * i + 3] = 0;
    show (film, "nothing");
    g_assert_cmpuint (film->n_modes, ==, 0);
  }
}

/* GPUs gather what a workgroup counts, and work is cut into pieces. */
PALETTE_TEST (TESTS_ESSENTIAL, "/modes/", ways)
{
  static const GpuDeviceKind kinds[] = {
    GPU_DEVICE_CPU, GPU_DEVICE_DISCRETE
  };
  static const gchar *const names[] = { "one-colour", "blobs", "noise" };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autoptr (Film) film = modes_film_new_of (engine_new_as (kinds[k],
            GPU_PALETTE_LIVE, 203, 97));

    engine_tune (film->engine, &(GpuPaletteTuning) {.slice = 512});
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      show_noisy (film, names[i], 0.01);
  }
}

PALETTE_TEST (TESTS_OTHERS, "/modes/", i420)
{
  const guint width = 49, height = 35;
  g_autoptr (Film) film = modes_film_new (width, height);
  const GpuFrameInfo *in = &film->engine->in;
  g_autofree guint8 *bytes = NULL;

  engine_configure (film->engine, GPU_PALETTE_LIVE, GPU_PIXELS_I420,
      GPU_PIXELS_RGBA, width, height);
  bytes = g_malloc (in->size);
  for (gsize i = 0; i < in->size; i++)
    bytes[i] = (guint8) (80 + i % 49 / 8 * 9
        + g_rand_int_range (film->random, 0, 5));
  film->out = engine_run_yuv (film->engine, &film->settings, bytes);
  check_modes (film, "i420");
  g_assert_cmpuint (film->n_modes, >, 3);
}

/* --- more modes than are listed --- */

/* Of 16³ colours that no two are near each other. */
static void
write_colour (guint8 * rgba, guint number)
{
  rgba[0] = 51 + 13 * (number & 15);
  rgba[1] = 51 + 13 * (number >> 4 & 15);
  rgba[2] = 51 + 13 * (number >> 8);
  rgba[3] = 255;
}

/* Of @n_colours each has three pixels, and @n_frequent of them have two more; the
 * rest of the picture does not count. All are spread. Returns how many count. */
static guint
spread_colours (Film * film, guint n_colours, guint n_frequent)
{
  guint n = 0;

  g_free (film->rgba);
  film->rgba = g_malloc0 (4 * film_n_pixels (film));
  for (guint round = 0; round < 5; round++)
    for (guint i = 0; i < (round < 3 ? n_colours : n_frequent); i++)
      write_colour (film->rgba + 4 * (n++ * 7919 % film_n_pixels (film)),
          (i * 1571 + 5) % 4096);
  g_assert_cmpuint (n, <, film_n_pixels (film));
  return n;
}

/* A colour and where it is listed. */
typedef struct
{
  guint n;
  ReferencePlace place;
  guint32 colour;
} Listed;

static gint
compare_listed (gconstpointer p, gconstpointer q)
{
  const Listed *a = p, *b = q;

  if (a->n != b->n)
    return a->n > b->n ? -1 : 1;
  return reference_places_compare (a->place, b->place);
}

/* Of as many pixels, modes in the first slots come first: those whose bins do,
 * in a first frame. */
static Listed *
list_colours (Film * film, guint * n_colours)
{
  const ReferencePaletteSettings settings =
      engine_reference_settings (film->engine, &film->settings);
  g_autoptr (GHashTable) counts =
      reference_count_colours (film->rgba, film_n_pixels (film));
  Listed *listed = g_new0 (Listed, g_hash_table_size (counts));
  ReferenceBins bins;
  GHashTableIter iter;
  gpointer colour, n;

  *n_colours = 0;
  reference_bins_init (&bins, &settings, REFERENCE_LIVE_CAPACITY,
      film->rgba, film_n_pixels (film));
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &colour, &n)) {
    Listed *entry = &listed[(*n_colours)++];
    guint8 rgb[3];

    entry->colour = GPOINTER_TO_UINT (colour);
    entry->n = GPOINTER_TO_UINT (n);
    reference_unpack_rgb (entry->colour, rgb);
    entry->place = reference_bins_place (&bins, rgb);
  }
  reference_bins_clear (&bins);
  qsort (listed, *n_colours, sizeof *listed, compare_listed);
  return listed;
}

static void
check_spread (Film * film, guint n_colours, guint n_frequent)
{
  const guint n_counted = spread_colours (film, n_colours, n_frequent);
  g_autofree Listed *listed = list_colours (film, &n_colours);

  gpu_palette_forget (film->engine->palette);
  run (film);
  take_modes (film);
  g_assert_cmpuint (film->n_modes, ==, MIN (n_colours, GPU_PALETTE_MAX_MODES));
  for (guint i = 0; i < film->n_modes; i++) {
    g_assert_cmphex (film->modes[i].colour, ==, listed[i].colour);
    g_assert_cmpfloat_with_epsilon (film->modes[i].share * n_counted,
        listed[i].n, 1e-6);
  }
}

PALETTE_TEST (TESTS_ESSENTIAL, "/modes/", many)
{
  static const guint numbers[][2] = {
    {4096, 0}, {4096, 1}, {4096, 100}, {4096, 255}, {4096, 256}, {4096, 257},
    {4096, 4096}, {1000, 300}, {257, 0}, {256, 0}, {256, 3}, {255, 254}, {2, 1}
  };
  g_autoptr (Film) film = modes_film_new (211, 101);

  film->settings.making.radius = 0.005;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    film->settings.motion.stability = i % 2 ? 0 : 0.5;
    check_spread (film, numbers[i][0], numbers[i][1]);
  }
}

/* Pixels whose summits find no slot are counted, but have no mode. */
PALETTE_TEST (TESTS_OTHERS, "/modes/", strays)
{
  g_autoptr (Film) film = modes_film_new (WIDTH, HEIGHT);
  g_autoptr (GHashTable) counts = NULL;

  engine_tune (film->engine, &(GpuPaletteTuning) {.mode_capacity = 5});
  film->settings.making.radius = 0.03;
  film_take_picture (film, "blobs", 1);
  run (film);
  take_modes (film);
  counts = reference_count_colours (film->out, film_n_pixels (film));
  g_assert_cmpuint (g_hash_table_size (counts), >, 5);
  g_assert_cmpuint (film->n_modes, ==, 5);
  for (guint i = 0; i < film->n_modes; i++)
    g_assert_cmpfloat_with_epsilon (film->modes[i].share * film_n_pixels (film),
        GPOINTER_TO_UINT (g_hash_table_lookup (counts,
                GUINT_TO_POINTER (film->modes[i].colour))), 1e-6);
}

/* --- palettes --- */

PALETTE_TEST (TESTS_OTHERS, "/modes/", given)
{
  static const guint32 colours[] = {
    0x303030, 0x323232, 0x808080, 0xc04040, 0x00ff00
  };
  g_autoptr (Film) film = modes_film_new (WIDTH, HEIGHT);

  film->settings.making.given.n_colours = G_N_ELEMENTS (colours);
  memcpy (film->settings.making.given.colours, colours, sizeof colours);
  show_noisy (film, "blobs", 0.02);
  show_noisy (film, "noise", 0.1);
  g_assert_cmpuint (film->n_modes, <=, G_N_ELEMENTS (colours));
  g_assert_cmpuint (film->n_merged, >, 0);
}

PALETTE_TEST (TESTS_OTHERS, "/modes/", limited)
{
  static const guint limits[] = { 1, 8, 256 };
  g_autoptr (Film) film = modes_film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    for (guint steady = 0; steady < 2; steady++) {
      film->settings.making.limit = limits[i];
      film->settings.motion.stability = 0.5 * steady;
      film_take_picture (film, "blobs", 2);
      for (guint frame = 0; frame < 4; frame++) {
        show (film, "limited");
        add_noise (film);
      }
      g_assert_cmpuint (film->n_modes, <=, limits[i]);
    }
}

/* --- frame after frame --- */

/* An unchanged frame is not solved, and has the list of the one before, even of one
 * that nobody counted. */
static void
check_unchanged (gdouble stability)
{
  g_autoptr (Film) film = modes_film_new (WIDTH, HEIGHT);
  guint n_modes;

  film->settings.motion.stability = stability;
  film_take_picture (film, "blobs", 3);
  show (film, "first");
  n_modes = film->n_modes;
  show (film, "unchanged");
  g_assert_false (film->engine->report.made.solved);
  g_assert_cmpuint (film->n_modes, ==, n_modes);
  film->settings.counts_pixels = FALSE;
  add_noise (film);
  run (film);
  film->settings.counts_pixels = TRUE;
  show (film, "not counted before");
  g_assert_cmpint (film->engine->report.made.solved, ==, stability == 0);
}

PALETTE_TEST (TESTS_OTHERS, "/modes/", unchanged)
{
  check_unchanged (0);
  check_unchanged (HARDLY_STABLE);
}

/* Of frames of which they were not counted, or not seen, modes are not known. */
static void
check_unknown (GpuPaletteQuality quality)
{
  g_autoptr (Film) film = film_of (quality, WIDTH, HEIGHT);
  GpuPaletteSettings counted = film->settings, others[] = {
    counted, counted, counted
  };
  guint64 tag;

  g_assert_false (get_modes (film, &tag));
  others[0].counts_pixels = FALSE;
  others[1].counts_pixels = FALSE;
  others[1].motion.stability = 0;
  others[2].making.radius = 0;
  film_take_picture (film, "blobs", 4);
  /* EXACT has no stability, and lists the colours of frames that do not change. */
  for (guint i = 0; i < (is_live (film) ? G_N_ELEMENTS (others) : 1); i++) {
    film->settings = counted;
    show (film, "counted");
    film->settings = others[i];
    add_noise (film);
    run (film);
    g_assert_false (get_modes (film, &tag));
    film->settings = counted;
    add_noise (film);
    show (film, "counted again");
  }
  gpu_palette_forget (film->engine->palette);
  g_assert_false (get_modes (film, &tag));
  show (film, "after a flush");
}

/* Frames are the same whether anything is counted or not, and whatever comes
 * next. */
static void
check_same_frames (GpuPaletteQuality quality)
{
  g_autoptr (Film) film = film_of (quality, WIDTH, HEIGHT);
  g_autoptr (Film) other = film_of (quality, WIDTH, HEIGHT);

  film_take_picture (film, is_live (film) ? "blobs" : "alpha-noise", 5);
  for (guint frame = 0; frame < (is_live (film) ? 60 : 6); frame++) {
    g_autofree gchar *name = g_strdup_printf ("frame %u", frame);

    if (is_live (film)) {
      film->settings.motion.stability = frame / 5 % 3 ? 0 : 0.5;
      film->settings.motion.hold = frame / 4 % 4 == 3;
      film->settings.motion.update_interval = frame / 20 % 2 ? 3 : 1;
      film->settings.counting.history = frame / 7 % 3 ? 1 : 3;
      film->settings.making.min_frequency = frame / 9 % 3 ? 1 : 2;
    }
    film->settings.counts_pixels = frame % 3 > 0;
    if (frame % (is_live (film) ? 6 : 4))
      add_noise (film);
    run (film);
    g_free (other->out);
    film->settings.counts_pixels = FALSE;
    other->out = engine_run (other->engine, &film->settings, film->rgba);
    compare_pixels (name, film->out, other->out, WIDTH, HEIGHT);
  }
}

/* Those of a frame whose format is another. */
PALETTE_TEST (TESTS_OTHERS, "/modes/", formats)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_BGRX, GPU_PIXELS_RGBA, GPU_PIXELS_RGB
  };
  g_autoptr (Film) film = modes_film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    engine_configure (film->engine, GPU_PALETTE_LIVE, formats[i],
        GPU_PIXELS_RGBA, WIDTH + i, HEIGHT - i);
    show_noisy (film, "blobs", 0.02);
  }
}

/* --- exact: more colours than a workgroup looks at --- */

#define MANY_WIDTH 400
#define MANY_HEIGHT 350

/* All are different, but for some that are far apart: 300 whose numbers of pixels
 * differ. */
static guint8 *
make_many (void)
{
  guint8 *picture = g_new (guint8, 4 * MANY_WIDTH * MANY_HEIGHT);
  guint32 *pixels = (guint32 *) picture;
  gsize at = 0;

  for (guint i = 0; i < 300; i++)
    for (guint n = 0; n < 2 + i / 3; n++)
      pixels[at++] = GUINT32_TO_LE (0xff000000 | (i * 0x0d2b47 & 0xf0f0f0));
  for (guint i = 0; at < MANY_WIDTH * MANY_HEIGHT; i++)
    pixels[at++] = GUINT32_TO_LE (0xff000000 | ((i * 97 + 1) & 0xffffff));
  return picture;
}

static Film *
show_many (GpuDeviceKind kind)
{
  Film *film = exact_film_new_of (engine_new_as (kind, GPU_PALETTE_EXACT,
          MANY_WIDTH, MANY_HEIGHT), 0);

  engine_tune (film->engine, &(GpuPaletteTuning) {.slice = 4096});
  film->rgba = make_many ();
  show (film, "many");
  g_assert_cmpuint (film->engine->report.made.output_colours, >, 65536);
  return film;
}

/* GPUs gather what a workgroup counts, and work is cut into pieces. */
PALETTE_TEST (TESTS_ESSENTIAL, "/exact-modes/", exact_many)
{
  g_autoptr (Film) film = show_many (GPU_DEVICE_CPU);
  g_autoptr (Film) other = show_many (GPU_DEVICE_DISCRETE);

  g_assert_cmpuint (film->n_modes, >, 60);
  g_assert_cmpuint (film->n_modes, ==, other->n_modes);
  for (guint i = 0; i < film->n_modes; i++) {
    g_assert_cmphex (film->modes[i].colour, ==, other->modes[i].colour);
    g_assert_cmpfloat (film->modes[i].share, ==, other->modes[i].share);
  }
}

static void
check_ties (Film * film, gdouble share)
{
  g_assert_cmpuint (film->n_modes, ==, GPU_PALETTE_MAX_MODES);
  for (guint i = 0; i < film->n_modes; i++) {
    g_assert_cmphex (film->modes[i].colour, ==,
        (64 + i / 15 * 9) << 16 | (i % 15) << 12 | 0x80);
    g_assert_cmpfloat_with_epsilon (film->modes[i].share, share, 1e-12);
  }
}

/* Pixel @i of 300 colours in turns, which are far from each other. */
static guint32
tie (guint i)
{
  return GUINT32_TO_LE (0xff800040 + (i % 15 << 12 | i / 15 % 20 * 9));
}

/* All have as many pixels, and no two are near each other: those with lesser red,
 * green and blue come first. */
PALETTE_TEST (TESTS_ESSENTIAL, "/exact-modes/", exact_ties)
{
  g_autoptr (Film) film = exact_film_new (60, 50, 0);
  guint32 *pixels = g_new (guint32, film_n_pixels (film));

  for (guint i = 0; i < film_n_pixels (film); i++)
    pixels[i] = tie (i);
  film->rgba = (guint8 *) pixels;
  show (film, "ties");
  g_assert_cmpuint (film->engine->report.made.output_colours, ==, 300);
  check_ties (film, 1 / 300.0);
}

/* The same among more colours than a workgroup looks at, each of which has one
 * pixel: those that have two are in all of the groups. */
PALETTE_TEST (TESTS_ESSENTIAL, "/exact-modes/", exact_ties_of_groups)
{
  g_autoptr (Film) film = exact_film_new (MANY_WIDTH, MANY_HEIGHT, 0);
  guint32 *pixels = g_new (guint32, film_n_pixels (film));

  for (guint i = 0; i < film_n_pixels (film); i++)
    pixels[i] = i < 600 ? tie (i)
        : GUINT32_TO_LE (0xff010000 | (i * 118 & 0xff0000)
        | (i * 118 & 0xffff));
  film->rgba = (guint8 *) pixels;
  show (film, "ties of groups");
  g_assert_cmpuint (film->engine->report.made.output_colours, >, 65536);
  check_ties (film, 2.0 / (MANY_WIDTH * MANY_HEIGHT));
}

/* --- exact: frames in a row --- */

/* A frame like the one before has its list, and its own tag. */
PALETTE_TEST (TESTS_OTHERS, "/exact-modes/", exact_unchanged)
{
  g_autoptr (Film) film = exact_film_new (WIDTH, HEIGHT, 0.02);

  film_take_picture (film, "blobs", 2);
  for (guint frame = 0; frame < 3; frame++)
    show (film, "the same");
  g_assert_false (film->engine->report.made.solved);
  film->settings.making.radius = 0.1;
  show (film, "another radius");
  g_assert_true (film->engine->report.made.solved);
}

/* It is the frame's own pixels that are counted. Where those of the window are
 * the same as before, and the frame is like the one that left it, the frame before
 * was another one all the same. */
PALETTE_TEST (TESTS_OTHERS, "/exact-modes/", exact_history)
{
  g_autoptr (Film) film = exact_film_new (WIDTH, HEIGHT, 0.02);

  film->settings.counting.history = 2;
  for (guint frame = 0; frame < 6; frame++) {
    film_take_picture (film, frame % 2 ? "gradient" : "blobs", 2);
    show (film, "of two");
  }
  g_assert_false (film->engine->report.made.solved);
}

/* The same picture, with one quality and the other in turns. */
PALETTE_TEST (TESTS_OTHERS, "/exact-modes/", exact_qualities)
{
  g_autoptr (Film) film = exact_film_new (WIDTH, HEIGHT, 0.03);

  film_take_picture (film, "blobs", 2);
  for (guint frame = 0; frame < 8; frame++) {
    film->settings.quality =
        frame % 3 == 1 ? GPU_PALETTE_LIVE : GPU_PALETTE_EXACT;
    show (film, frame % 3 == 1 ? "live" : "exact");
  }
}

/* What was solved in a frame that nobody counted is what the next one is counted
 * by. */
PALETTE_TEST (TESTS_OTHERS, "/exact-modes/", exact_solved_before)
{
  g_autoptr (Film) film = exact_film_new (WIDTH, HEIGHT, 0.02);

  film_take_picture (film, "blobs", 2);
  show (film, "counted");
  film->settings.counts_pixels = FALSE;
  film->settings.making.radius = 0.1;
  run (film);
  film->settings.counts_pixels = TRUE;
  show (film, "solved before");
  g_assert_false (film->engine->report.made.solved);
}

/* Wherever a frame is cancelled, nothing is known of it, and the next one is
 * counted. */
PALETTE_TEST (TESTS_OTHERS, "/exact-modes/", exact_cancelled)
{
  g_autoptr (Film) film = exact_film_new (WIDTH, HEIGHT, 0.02);
  guint64 tag;

  film_take_picture (film, "blobs", 2);
  for (guint at = 0; at < 3; at++) {
    show (film, "before");
    film->settings.making.radius += 0.01;
    film->engine->let_through = at;
    FAILS (GPU_ERROR_CANCELLED, engine_try (film->engine, &film->settings,
            film->rgba, engine_record_cancelled, &error));
    g_assert_false (get_modes (film, &tag));
    show (film, "behind");
  }
}

/* --- by quality --- */

#define OF_BOTH(kind, name) \
  PALETTE_TEST (kind, "/modes/", name) \
  { \
    check_##name (GPU_PALETTE_LIVE); \
  } \
  PALETTE_TEST (kind, "/exact-modes/", exact_##name) \
  { \
    check_##name (GPU_PALETTE_EXACT); \
  }

/* *INDENT-OFF* */
OF_BOTH (TESTS_ESSENTIAL, few)
OF_BOTH (TESTS_OTHERS, same_frames)
OF_BOTH (TESTS_OTHERS, sizes)
OF_BOTH (TESTS_OTHERS, unknown)
/* *INDENT-ON* */
