/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Films in which a part of the picture changes: what is solved again is as exact as
 * what is solved from nothing, and no more than it has to be. */
#include "desktop.h"
#include "generated.h"
#include "palette_fixture.h"
#include "tests.h"

#include <string.h>

#define WIDTH 40
#define HEIGHT 24
#define N_PIXELS (WIDTH * HEIGHT)
#define N_KEPT 6
#define MAX_HISTORY 3

static const GpuPaletteWalkKind walks[] = {
  GPU_PALETTE_WALK_GROUPS, GPU_PALETTE_WALK_LANES
};

static gboolean is_full;

/* Two engines: one has the film, the other begins anew with every frame. */
typedef struct
{
  Engine *engine, *fresh;
  GpuPaletteTuning tuning;
  gsize size;                   /* of a frame */
  GPtrArray *window;            /* the last frames, oldest first */
  guint colours;                /* of the last frame that was solved */
  guint n_partly;               /* frames of which a part was solved */
} Film;

static Film *
film_new (guint width, guint height, const GpuPaletteTuning * tuning)
{
  Film *film = g_new0 (Film, 1);
  Engine **engines[] = { &film->engine, &film->fresh };

  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    *engines[i] = engine_new (GPU_PALETTE_EXACT, width, height);
    (*engines[i])->walk = tuning->walk;
    engine_tune (*engines[i], tuning);
  }
  film->tuning = *tuning;
  film->size = (gsize) width *height * 4;
  film->window = g_ptr_array_new_with_free_func (g_free);
  return film;
}

static void
film_free (Film * film)
{
  engine_free (film->engine);
  engine_free (film->fresh);
  g_ptr_array_unref (film->window);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

/* What becomes of the last frame of the window where nothing is known of others. */
static guint8 *
run_anew (Film * film, const GpuPaletteSettings * settings)
{
  guint8 *got = NULL;

  /* Tuning discards the successors, which forgetting does not. */
  engine_tune (film->fresh, &film->tuning);
  gpu_palette_forget (film->fresh->palette);
  for (guint i = 0; i < film->window->len; i++) {
    g_free (got);
    got = engine_run (film->fresh, settings,
        g_ptr_array_index (film->window, i));
    if (i == 0 && film->fresh->report.made.solved)
      g_assert_cmpuint (film->fresh->report.made.solved_colours, ==,
          film->fresh->report.counted.colours);
  }
  return got;
}

static void
compare (Film * film, const GpuPaletteSettings * settings, const guint8 * got)
{
  g_autofree guint8 *expected = run_anew (film, settings);
  g_autofree gchar *what = engine_describe (film->engine, "changes");

  compare_pixels (what, got, expected, film->engine->in.width,
      film->engine->in.height);
  g_assert_cmpuint (film->engine->report.made.output_colours, ==,
      film->fresh->report.made.output_colours);
  g_assert_cmpuint (film->engine->report.made.fixed_points, ==,
      film->fresh->report.made.fixed_points);
}

static void
compare_with_oracle (Film * film, const GpuPaletteSettings * settings,
    const guint8 * got)
{
  const ReferencePaletteSettings wanted =
      engine_reference_settings (film->engine, settings);
  const guint n = film->window->len, n_pixels = film->size / 4;
  g_autofree guint8 *frames = g_malloc (n * film->size);
  g_autofree guint8 *expected = g_malloc (film->size);
  const ReferencePixels counted = { frames, n * n_pixels };
  const ReferencePixels newest = {
    frames + (n - 1) * film->size, n_pixels
  };

  for (guint i = 0; i < n; i++)
    memcpy (frames + i * film->size, g_ptr_array_index (film->window, i),
        film->size);
  reference_palette_from (&wanted, &counted, &newest, expected, NULL);
  compare_pixels ("changes, by the oracle", got, expected,
      film->engine->in.width, film->engine->in.height);
}

static guint8 *
show (Film * film, const guint8 * rgba, const GpuPaletteSettings * settings)
{
  GpuPaletteReport *report = &film->engine->report;
  guint8 *got = engine_run (film->engine, settings, rgba);

  g_ptr_array_add (film->window, g_memdup2 (rgba, film->size));
  while (film->window->len > MAX (settings->counting.history, 1))
    g_ptr_array_remove_index (film->window, 0);
  g_assert_cmpuint (report->made.solved_colours, <=, report->counted.colours);
  if (!report->made.solved)
    return got;
  if (report->made.solved_colours < report->counted.colours) {
    g_assert_cmpuint (film->colours + report->made.added, ==,
        report->counted.colours + report->made.removed);
    film->n_partly++;
  }
  film->colours = report->counted.colours;
  return got;
}

/* --- edits --- */

static void
paint_area (GRand * random, guint8 * rgba)
{
  guint x = g_rand_int_range (random, 0, WIDTH - 4);
  guint y = g_rand_int_range (random, 0, HEIGHT - 4);
  guint32 colour = g_rand_int (random) | 0xff000000;

  for (guint v = 0; v < 4; v++)
    for (guint u = 0; u < 4; u++)
      memcpy (rgba + 4 * ((y + v) * WIDTH + x + u), &colour, 4);
}

/* All pixels of a colour become those of another. */
static void
replace_colour (GRand * random, guint8 * rgba)
{
  guint32 from, to;

  memcpy (&from, rgba + 4 * g_rand_int_range (random, 0, N_PIXELS), 4);
  memcpy (&to, rgba + 4 * g_rand_int_range (random, 0, N_PIXELS), 4);
  for (guint i = 0; i < N_PIXELS; i++)
    if (memcmp (rgba + 4 * i, &from, 4) == 0)
      memcpy (rgba + 4 * i, &to, 4);
}

static void
change_pixels (GRand * random, guint8 * rgba, guint n)
{
  for (guint i = 0; i < n; i++)
    desktop_change (rgba, g_rand_int_range (random, 0, N_PIXELS), 1,
        g_rand_int (random));
}

static void
draw_anew (GRand * random, guint8 * rgba)
{
  static const gchar *const names[] = { "blobs", "gradient", "noise" };
  g_autofree guint8 *other = generated_picture_new (names[g_rand_int_range
          (random, 0, G_N_ELEMENTS (names))], WIDTH, HEIGHT,
      g_rand_int (random));

  memcpy (rgba, other, 4 * N_PIXELS);
}

/* @kept: frames of a while ago. */
static void
edit (GRand * random, guint8 * rgba, guint8 (*kept)[4 * N_PIXELS])
{
  guint which = g_rand_int_range (random, 0, N_KEPT);

  switch (g_rand_int_range (random, 0, 12)) {
    case 0:
      draw_anew (random, rgba);
      break;
    case 1:
      memcpy (rgba, kept[which], 4 * N_PIXELS);
      break;
    case 2:
      memcpy (kept[which], rgba, 4 * N_PIXELS);
      break;
    case 3:
    case 4:
      paint_area (random, rgba);
      break;
    case 5:
    case 6:
      replace_colour (random, rgba);
      break;
    default:
      change_pixels (random, rgba, g_rand_int_range (random, 1, 20));
      break;
  }
}

/* --- sequences --- */

static void
choose_settings (GRand * random, GpuPaletteSettings * settings)
{
  static const gdouble radii[] = { 0.005, 0.02, 0.05, 0.3 };

  switch (g_rand_int_range (random, 0, 40)) {
    case 0:
      settings->making.radius =
          radii[g_rand_int_range (random, 0, G_N_ELEMENTS (radii))];
      break;
    case 1:
      settings->making.weighting = g_rand_int_range (random, 0, 2);
      break;
    case 2:
      settings->making.min_frequency = g_rand_int_range (random, 1, 4);
      break;
    case 3:
      settings->making.iteration_limit = g_rand_int_range (random, 0, 2) * 9;
      break;
    case 4:
      settings->counting.history =
          g_rand_int_range (random, 1, MAX_HISTORY + 1);
      break;
  }
}

static void
disturb (GRand * random, Film * film)
{
  switch (g_rand_int_range (random, 0, 60)) {
    case 0:
      gpu_palette_forget (film->engine->palette);
      g_ptr_array_set_size (film->window, 0);
      break;
    case 1:
      engine_configure (film->engine, GPU_PALETTE_EXACT, GPU_PIXELS_RGBA,
          GPU_PIXELS_RGBA, WIDTH, HEIGHT);
      g_ptr_array_set_size (film->window, 0);
      break;
  }
}

static void
check_sequence (const GpuPaletteTuning * tuning,
    const GpuPaletteSettings * first, guint n, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT, tuning);
  g_autofree guint8 (*kept)[4 * N_PIXELS] = g_malloc0 (N_KEPT * 4 * N_PIXELS);
  g_autofree guint8 *rgba =
      generated_picture_new ("blobs", WIDTH, HEIGHT, seed);
  GpuPaletteSettings settings = *first;

  for (guint i = 0; i < n; i++) {
    g_autofree guint8 *got = NULL;

    edit (random, rgba, kept);
    choose_settings (random, &settings);
    disturb (random, film);
    got = show (film, rgba, &settings);
    compare (film, &settings, got);
    if (i % 16 == 0)
      compare_with_oracle (film, &settings, got);
  }
  g_assert_cmpuint (film->n_partly, >, n / 16);
}

/* Half of them with ways that are too long to be followed at once. Any two of walk, length
 * of ways and history meet in all four ways, in full all three in all eight. */
TEST (sequences)
{
  static const guint settings[] = { 0, 3, 5, 6, 1, 2, 4, 7 };
  const guint n_frames = is_full ? 60 : 12;

  for (guint k = 0; k < (is_full ? 8 : 4); k++) {
    const guint i = settings[k];

    check_sequence (&(GpuPaletteTuning) {.walk = walks[i & 1],
      .table_bits = 21, .max_hops = i >> 1 & 1 ? 2 : 0},
        &(GpuPaletteSettings) {.making.radius = 0.05,
          .making.weighting = i >> 1 & 1, .counting.history = i >> 2 ? 3 : 1,
          .making.min_frequency = 1 + (i >> 1 & 2)}, n_frames, i + 1);
  }
}

/* Sets of visited points that are full before long. */
TEST (full_sets)
{
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    check_sequence (&(GpuPaletteTuning) {.walk = walks[i], .table_bits = 18},
        &(GpuPaletteSettings) {.making.radius = 0.05, .making.weighting = i},
        is_full ? 60 : 12, 100 + i);
}

/* --- for hours --- */

TEST (long)
{
  const guint width = 16, height = 4, n = is_full ? 100000 : 300;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (Film) film = film_new (width, height, &(GpuPaletteTuning) {
    .table_bits = 18,
  });
  g_autofree guint8 *rgba = generated_picture_new ("blobs", width, height, 1);

  for (guint i = 0; i < n; i++) {
    const GpuPaletteSettings settings = {.making.radius = 0.1,
      .making.weighting = i / 100 % 2};
    g_autofree guint8 *got = NULL;

    desktop_change (rgba, g_rand_int_range (random, 0, width * height), 1, i);
    got = show (film, rgba, &settings);
    if (i % 150 == 0 || i + 1 == n)
      compare (film, &settings, got);
  }
}

/* --- a cursor --- */

static void
check_cursor (GpuPaletteWeighting weighting)
{
  const guint width = 960, height = 540;
  g_autoptr (Film) film = film_new (width, height, &(GpuPaletteTuning) {0});
  g_autofree guint8 *desktop = desktop_new (width, height);
  const GpuPaletteSettings settings = {.making.radius = 0.01,
    .making.weighting = weighting};
  guint64 n_solved = 0;

  for (guint i = 0; i < (is_full ? 8 : 3); i++) {
    g_autofree guint8 *rgba = g_memdup2 (desktop, 4 * width * height);
    g_autofree guint8 *got = NULL;
    const GpuPaletteReport *report = &film->engine->report;
    guint x, y;

    desktop_move_cursor (width, height, i, &x, &y);
    desktop_draw_cursor (rgba, width, height, x, y);
    got = show (film, rgba, &settings);
    g_test_message ("%u: %u of %u colours, %u came, %u went", i,
        report->made.solved_colours, report->counted.colours,
        report->made.added, report->made.removed);
    if (i == 0)
      continue;
    g_assert_cmpuint (report->made.solved_colours, <=,
        report->counted.colours / 20);
    n_solved += report->made.solved_colours;
  }
  g_assert_cmpuint (n_solved, >, 0);
}

TEST (cursor)
{
  check_cursor (GPU_PALETTE_FREQUENCY);
  if (is_full)
    check_cursor (GPU_PALETTE_PALETTE);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && strcmp (argv[1], "--full") == 0;
  tests_add ("/changes/", gpu_fixture_add_test);
  status = g_test_run ();
  gpu_fixture_close ();
  return status;
}
