/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of the colours that most pixels of a frame have with quality EXACT,
 * against the pixels that came out. */
#include "generated.h"
#include "palette_fixture.h"
#include "palette_tests.h"
#include "reference_count.h"
#include "reference_list.h"

#include <string.h>

static gboolean is_full;

#define WIDTH 64
#define HEIGHT 48

typedef struct
{
  GpuPaletteMode modes[GPU_PALETTE_MAX_MODES];
  guint n;
} List;

static GpuPaletteSettings
counting (gdouble radius)
{
  return (GpuPaletteSettings) {.making.radius = radius,
    .quality = GPU_PALETTE_EXACT, .counts_pixels = TRUE, .tag = 1};
}

/* The modes are those of the last frame. */
static void
take_list (Engine * engine, const GpuPaletteSettings * settings, List * list)
{
  guint64 tag = 0;

  g_assert_true (gpu_palette_get_modes (engine->palette, list->modes, &list->n,
          &tag));
  g_assert_cmpuint (tag, ==, settings->tag);
}

/* Returns how many colours are part of another. */
static guint
check_list (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * out, const gchar * name)
{
  ReferencePaletteSettings of_oracle =
      engine_reference_settings (engine, settings);
  ReferenceListed listed[GPU_PALETTE_MAX_MODES];
  g_autofree gchar *what = engine_describe (engine, name);
  g_autofree gchar *fault = NULL;
  guint n_merged;
  List list;

  take_list (engine, settings, &list);
  for (guint i = 0; i < list.n; i++)
    listed[i] = (ReferenceListed) {list.modes[i].colour, list.modes[i].share};
  fault = reference_list_find_fault (&of_oracle, out,
      (gsize) engine->in.width * engine->in.height, listed, list.n, &n_merged);
  if (fault)
    g_error ("%s, radius %g: %s", what, settings->making.radius, fault);
  return n_merged;
}

static guint
show (Engine * engine, GpuPaletteSettings * settings, const guint8 * picture,
    const gchar * name)
{
  g_autofree guint8 *out = NULL;

  settings->tag += G_GUINT64_CONSTANT (0x100000003);
  out = engine_run (engine, settings, picture);
  return check_list (engine, settings, out, name);
}

static void
add_noise (guint8 * picture, gsize n_pixels, GRand * random)
{
  for (gsize i = 0; i < n_pixels / 8; i++)
    picture[4 * g_rand_int_range (random, 0, n_pixels) + i % 3] ^= 9;
}

/* Frames that hardly differ, one behind the other. */
static guint
show_film (Engine * engine, GpuPaletteSettings * settings, const gchar * name)
{
  const gsize n_pixels = (gsize) engine->in.width * engine->in.height;
  g_autofree guint8 *picture = generated_picture_new (name, engine->in.width,
      engine->in.height, 1);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  guint n_merged = 0;

  for (guint frame = 0; frame < 3; frame++) {
    n_merged += show (engine, settings, picture, name);
    add_noise (picture, n_pixels, random);
  }
  return n_merged;
}

static void
test_pictures (void)
{
  static const gdouble radii[] = { 0.001, 0.01, 0.03, 0.3 };
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  guint n_merged = 0;

  for (guint i = 0; generated_names[i]; i++)
    for (guint r = is_full ? 0 : i % G_N_ELEMENTS (radii);
        r < G_N_ELEMENTS (radii); r += is_full ? 1 : G_N_ELEMENTS (radii)) {
      GpuPaletteSettings settings = counting (radii[r]);

      n_merged += show_film (engine, &settings, generated_names[i]);
    }
  g_assert_cmpuint (n_merged, >, 0);
}

static void
test_sizes (void)
{
  static const guint sizes[][2] = {
    {1, 1}, {3, 5}, {1023, 4}, {31, 33}
  };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (Engine) engine =
        engine_new (GPU_PALETTE_EXACT, sizes[s][0], sizes[s][1]);
    GpuPaletteSettings settings = counting (0.03);

    show_film (engine, &settings, "blobs");
    show_film (engine, &settings, "alpha-noise");
  }
}

/* One colour has all pixels that are counted, or there is none; and then there are
 * some again. */
static void
test_few (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  GpuPaletteSettings settings = counting (0.02);
  g_autofree guint8 *picture =
      generated_picture_new ("one-colour", WIDTH, HEIGHT, 0);
  List list;

  for (guint round = 0; round < 2; round++) {
    for (gsize i = 0; i < WIDTH * HEIGHT; i++)
      picture[4 * i + 3] = i < 9 ? 0 : 255;
    show (engine, &settings, picture, "one colour");
    take_list (engine, &settings, &list);
    g_assert_cmpuint (list.n, ==, 1);
    g_assert_cmphex (list.modes[0].colour, ==, reference_pack_rgb (picture));
    g_assert_cmpfloat (list.modes[0].share, ==, 1);
    for (gsize i = 0; i < WIDTH * HEIGHT; i++)
      picture[4 * i + 3] = 0;
    show (engine, &settings, picture, "nothing");
    take_list (engine, &settings, &list);
    g_assert_cmpuint (list.n, ==, 0);
  }
}

/* --- more colours than a workgroup looks at --- */

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

static void
take_many (GpuDeviceKind kind, const guint8 * picture, List * list)
{
  g_autoptr (Engine) engine = engine_new_as (kind, GPU_PALETTE_EXACT,
      MANY_WIDTH, MANY_HEIGHT);
  GpuPaletteSettings settings = counting (0);

  engine_tune (engine, &(GpuPaletteTuning) {.slice = 4096});
  show (engine, &settings, picture, "many");
  g_assert_cmpuint (engine->report.made.output_colours, >, 65536);
  take_list (engine, &settings, list);
}

/* GPUs gather what a workgroup counts, and work is cut into pieces. */
static void
test_many (void)
{
  g_autofree guint8 *picture = make_many ();
  List list, other;

  take_many (GPU_DEVICE_CPU, picture, &list);
  take_many (GPU_DEVICE_DISCRETE, picture, &other);
  g_assert_cmpuint (list.n, >, 60);
  g_assert_cmpuint (list.n, ==, other.n);
  for (guint i = 0; i < list.n; i++) {
    g_assert_cmphex (list.modes[i].colour, ==, other.modes[i].colour);
    g_assert_cmpfloat (list.modes[i].share, ==, other.modes[i].share);
  }
}

static void
check_ties (const List * list, gdouble share)
{
  g_assert_cmpuint (list->n, ==, GPU_PALETTE_MAX_MODES);
  for (guint i = 0; i < list->n; i++) {
    g_assert_cmphex (list->modes[i].colour, ==,
        (64 + i / 15 * 9) << 16 | (i % 15) << 12 | 0x80);
    g_assert_cmpfloat_with_epsilon (list->modes[i].share, share, 1e-12);
  }
}

/* All have as many pixels, and no two are near each other: those with lesser red,
 * green and blue come first. */
static void
test_ties (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, 60, 50);
  GpuPaletteSettings settings = counting (0);
  guint32 pixels[60 * 50];
  List list;

  for (guint i = 0; i < G_N_ELEMENTS (pixels); i++)
    pixels[i] = GUINT32_TO_LE (0xff800040 + (i % 15 << 12 | i / 15 % 20 * 9));
  show (engine, &settings, (const guint8 *) pixels, "ties");
  g_assert_cmpuint (engine->report.made.output_colours, ==, 300);
  take_list (engine, &settings, &list);
  check_ties (&list, 1 / 300.0);
}

/* The same among more colours than a workgroup looks at, each of which has one
 * pixel: those that have two are in all of the groups. */
static void
test_ties_of_groups (void)
{
  g_autoptr (Engine) engine =
      engine_new (GPU_PALETTE_EXACT, MANY_WIDTH, MANY_HEIGHT);
  GpuPaletteSettings settings = counting (0);
  g_autofree guint32 *pixels = g_new (guint32, MANY_WIDTH * MANY_HEIGHT);
  List list;

  for (guint i = 0; i < 600; i++)
    pixels[i] = GUINT32_TO_LE (0xff800040 + (i % 15 << 12 | i / 15 % 20 * 9));
  for (guint i = 600; i < MANY_WIDTH * MANY_HEIGHT; i++)
    pixels[i] = GUINT32_TO_LE (0xff010000 | (i * 118 & 0xff0000)
        | (i * 118 & 0xffff));
  show (engine, &settings, (const guint8 *) pixels, "ties of groups");
  g_assert_cmpuint (engine->report.made.output_colours, >, 65536);
  take_list (engine, &settings, &list);
  check_ties (&list, 2.0 / (MANY_WIDTH * MANY_HEIGHT));
}

/* --- frames in a row --- */

/* A frame like the one before has its list, and its own tag. */
static void
test_unchanged (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  GpuPaletteSettings settings = counting (0.02);
  g_autofree guint8 *picture =
      generated_picture_new ("blobs", WIDTH, HEIGHT, 2);

  for (guint frame = 0; frame < 3; frame++)
    show (engine, &settings, picture, "the same");
  g_assert_false (engine->report.made.solved);
  settings.making.radius = 0.1;
  show (engine, &settings, picture, "another radius");
  g_assert_true (engine->report.made.solved);
}

/* It is the frame's own pixels that are counted. Where those of the window are
 * the same as before, and the frame is like the one that left it, the frame before
 * was another one all the same. */
static void
test_history (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  GpuPaletteSettings settings = counting (0.02);
  g_autofree guint8 *pictures[] = {
    generated_picture_new ("blobs", WIDTH, HEIGHT, 2),
    generated_picture_new ("gradient", WIDTH, HEIGHT, 2)
  };

  settings.counting.history = 2;
  for (guint frame = 0; frame < 6; frame++)
    show (engine, &settings, pictures[frame % 2], "of two");
  g_assert_false (engine->report.made.solved);
}

/* The same picture, with one quality and the other in turns. */
static void
test_qualities (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  GpuPaletteSettings settings = counting (0.03);
  g_autofree guint8 *picture =
      generated_picture_new ("blobs", WIDTH, HEIGHT, 2);

  for (guint frame = 0; frame < 8; frame++) {
    settings.quality = frame % 3 == 1 ? GPU_PALETTE_LIVE : GPU_PALETTE_EXACT;
    show (engine, &settings, picture, frame % 3 == 1 ? "live" : "exact");
  }
}

/* What was solved in a frame that nobody counted is what the next one is counted
 * by. */
static void
test_solved_before (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  GpuPaletteSettings settings = counting (0.02);
  g_autofree guint8 *picture =
      generated_picture_new ("blobs", WIDTH, HEIGHT, 2);
  g_autofree guint8 *out = NULL;

  show (engine, &settings, picture, "counted");
  settings.counts_pixels = FALSE;
  settings.making.radius = 0.1;
  out = engine_run (engine, &settings, picture);
  settings.counts_pixels = TRUE;
  show (engine, &settings, picture, "solved before");
  g_assert_false (engine->report.made.solved);
}

/* Wherever a frame is cancelled, nothing is known of it, and the next one is
 * counted. */
static void
test_cancelled (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  GpuPaletteSettings settings = counting (0.02);
  g_autofree guint8 *picture =
      generated_picture_new ("blobs", WIDTH, HEIGHT, 2);

  for (guint at = 0; at < 3; at++) {
    g_autoptr (GError) error = NULL;
    List list;
    guint64 tag;

    show (engine, &settings, picture, "before");
    settings.making.radius += 0.01;
    engine->let_through = at;
    g_assert_null (engine_try (engine, &settings, picture,
            engine_record_cancelled, &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_CANCELLED);
    g_assert_false (gpu_palette_get_modes (engine->palette, list.modes, &list.n,
            &tag));
    show (engine, &settings, picture, "behind");
  }
}

/* Frames in which nobody counted are not known. */
static void
test_unknown (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  GpuPaletteSettings settings = counting (0.02);
  g_autofree guint8 *picture =
      generated_picture_new ("blobs", WIDTH, HEIGHT, 3);
  g_autofree guint8 *out = NULL;
  List list;
  guint64 tag;

  settings.counts_pixels = FALSE;
  out = engine_run (engine, &settings, picture);
  g_assert_false (gpu_palette_get_modes (engine->palette, list.modes, &list.n,
          &tag));
  settings.counts_pixels = TRUE;
  show (engine, &settings, picture, "counted");
  gpu_palette_forget (engine->palette);
  g_assert_false (gpu_palette_get_modes (engine->palette, list.modes, &list.n,
          &tag));
  show (engine, &settings, picture, "after a flush");
  settings.counts_pixels = FALSE;
  g_free (out);
  out = engine_run (engine, &settings, picture);
  g_assert_false (gpu_palette_get_modes (engine->palette, list.modes, &list.n,
          &tag));
}

/* A frame is the same whether it is counted or not. */
static void
test_same_frames (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  g_autoptr (Engine) other = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);
  g_autofree guint8 *picture =
      generated_picture_new ("alpha-noise", WIDTH, HEIGHT, 5);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  GpuPaletteSettings settings = counting (0.05);

  for (guint frame = 0; frame < 6; frame++) {
    g_autofree guint8 *out = NULL, *expected = NULL;

    settings.counts_pixels = FALSE;
    expected = engine_run (other, &settings, picture);
    settings.counts_pixels = frame % 3 > 0;
    out = engine_run (engine, &settings, picture);
    compare_pixels ("counted", out, expected, WIDTH, HEIGHT);
    if (frame % 4)
      add_noise (picture, WIDTH * HEIGHT, random);
  }
}

/* What a size of subgroups might break. */
static void
add_essential (void)
{
  g_test_add_func ("/exact-modes/few", test_few);
  g_test_add_func ("/exact-modes/many", test_many);
  g_test_add_func ("/exact-modes/ties", test_ties);
  g_test_add_func ("/exact-modes/ties-of-groups", test_ties_of_groups);
}

static void
add_others (void)
{
  g_test_add_func ("/exact-modes/pictures", test_pictures);
  g_test_add_func ("/exact-modes/sizes", test_sizes);
  g_test_add_func ("/exact-modes/unchanged", test_unchanged);
  g_test_add_func ("/exact-modes/history", test_history);
  g_test_add_func ("/exact-modes/qualities", test_qualities);
  g_test_add_func ("/exact-modes/solved-before", test_solved_before);
  g_test_add_func ("/exact-modes/cancelled", test_cancelled);
  g_test_add_func ("/exact-modes/unknown", test_unknown);
  g_test_add_func ("/exact-modes/same-frames", test_same_frames);
}

void
add_exact_modes_tests (PaletteTests tests)
{
  is_full = (tests & TESTS_FULL) != 0;
  if (tests & TESTS_ESSENTIAL)
    add_essential ();
  if (tests & TESTS_OTHERS)
    add_others ();
}
