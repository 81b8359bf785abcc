/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine of quality=live where colours of several frames are counted,
 * or rare ones attract nothing, against the oracle, byte for byte. */
#include "gpu/core/device/vulkan.h"
#include "generated.h"
#include "gpu_hooks.h"
#include "palette_fixture.h"
#include "palette_tests.h"
#include "played_memory.h"
#include "reference_live.h"

#include <string.h>

#define WIDTH 40
#define HEIGHT 18

static gboolean is_full;

/* What an engine and the oracle are shown. */
typedef struct
{
  Engine *engine;
  ReferenceSteady *steady;
  GRand *random;
  GpuPaletteSettings settings;
  guint8 *rgba;                 /* the last frame */
  guint n_without_colour;       /* pixels that stayed as they were */
  guint merges;                 /* bit n: there were n */
} Film;

static Film *
film_new_of (Engine * engine)
{
  Film *film = g_new0 (Film, 1);

  film->engine = engine;
  film->steady = reference_steady_new (REFERENCE_STEADY_SLOTS);
  film->random = g_rand_new_with_seed (1);
  film->settings = (GpuPaletteSettings) {
  .radius = 0.05,.quality = GPU_PALETTE_LIVE,.history = 3};
  return film;
}

static Film *
film_new (guint width, guint height)
{
  return film_new_of (engine_new_for (GPU_PALETTE_LIVE, GPU_PIXELS_RGBA,
          GPU_PIXELS_RGBA, width, height, FALSE));
}

static void
film_free (Film * film)
{
  engine_free (film->engine);
  reference_steady_free (film->steady);
  g_rand_free (film->random);
  g_free (film->rgba);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

static gsize
n_pixels (Film * film)
{
  return (gsize) film->engine->in.width * film->engine->in.height;
}

/* --- pictures --- */

static void
take_picture (Film * film, const gchar * name)
{
  g_free (film->rgba);
  film->rgba = generated_picture_new (name, film->engine->in.width,
      film->engine->in.height, g_rand_int (film->random));
}

/* Few colours, so that they come back; and pixels that are not counted. */
static void
take_any_picture (Film * film)
{
  static const gchar *const names[] = { "blobs", "alpha-noise", "checker" };
  const guint8 mask = g_rand_int_range (film->random, 0, 3) ? 0xe0 : 0xf8;

  take_picture (film, names[g_rand_int_range (film->random, 0,
              G_N_ELEMENTS (names))]);
  for (gsize i = 0; i < 4 * n_pixels (film); i++)
    if (i % 4 != 3)
      film->rgba[i] &= mask;
}

/* A few pixels become others. */
static void
edit (Film * film)
{
  for (guint i = 0; i < n_pixels (film) / 20; i++)
    memset (film->rgba + 4 * g_rand_int_range (film->random, 0,
            n_pixels (film)), g_rand_int (film->random), 4);
}

/* --- comparing --- */

static void
count_without_colour (Film * film, const guint8 * expected)
{
  for (gsize i = 0; i < n_pixels (film); i++)
    film->n_without_colour += film->rgba[4 * i + 3] != 0
        && memcmp (film->rgba + 4 * i, expected + 4 * i, 4) == 0;
}

static gchar *
describe (Film * film, const gchar * name)
{
  g_autofree gchar *how = engine_describe (film->engine, name);

  return g_strdup_printf ("%s, %u frames, from %u pixels on, %s, %u given", how,
      film->settings.history, film->settings.min_frequency,
      film->settings.hold ? "held" : "not held", film->settings.n_colours);
}

/* The statistics of a frame by itself. */
static ReferenceSteadyStats
stats_by_itself (Film * film, const ReferenceSteadySettings * settings)
{
  g_autofree guint8 *output = g_malloc (4 * n_pixels (film));
  gsize n;
  const guint8 *window = reference_steady_get_window (film->steady, &n);
  ReferenceLiveStats stats;

  reference_live_from (&settings->palette, settings->cell_capacity, window, n,
      film->rgba, n_pixels (film), output, &stats);
  return (ReferenceSteadyStats) {
  .n_cells = stats.n_cells,.n_merges = stats.n_merges,.n_held =
        stats.n_output_colours};
}

static void
check_report (Film * film, const ReferenceSteadySettings * settings,
    ReferenceSteadyStats stats)
{
  const GpuPaletteReport *report = &film->engine->report;

  if (stats.n_cells == 0)
    stats = stats_by_itself (film, settings);
  g_assert_cmpuint (report->cells, ==, stats.n_cells);
  g_assert_cmpuint (report->output_colours, ==, stats.n_held + stats.n_strays);
  film->merges |= 1 << stats.n_merges;
}

/* The frame as it is, where at most @room frames are counted. */
static void
show_within (Film * film, const gchar * name, guint room)
{
  Engine *engine = film->engine;
  ReferenceSteadySettings settings =
      engine_steady_settings (engine, &film->settings);
  g_autofree guint8 *got = engine_run (engine, &film->settings, film->rgba);
  g_autofree guint8 *expected = g_malloc (4 * n_pixels (film));
  g_autofree gchar *what = describe (film, name);
  ReferenceSteadyStats stats;

  settings.history = room;
  reference_steady_frame (film->steady, &settings, film->settings.interval,
      film->rgba, engine->in.width, engine->in.height, expected, &stats);
  count_without_colour (film, expected);
  count_without_colour (film, expected);
  compare_pixels (what, got, expected, engine->in.width, engine->in.height);
  g_assert_cmpuint (engine->report.history, ==, room);
  check_report (film, &settings, stats);
}

static void
show (Film * film, const gchar * name)
{
  show_within (film, name, MAX (film->settings.history, 1));
}

static void
show_pictures (Film * film, const gchar * name, guint n_frames)
{
  while (n_frames-- > 0) {
    take_any_picture (film);
    show (film, name);
  }
}

/* --- windows of one length --- */

static void
test_lengths (gconstpointer stability)
{
  static const guint min_frequencies[] = { 1, 2, 7, 20 };

  for (guint history = 1; history <= 5; history++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.history = history;
    film->settings.stability = *(const gdouble *) stability;
    for (guint i = 0; i < history + 6; i++) {
      film->settings.weighting = i % 2;
      film->settings.min_frequency =
          min_frequencies[(history + i / 2) % G_N_ELEMENTS (min_frequencies)];
      show_pictures (film, "length", 1);
    }
    g_assert_cmpuint (film->n_without_colour, >, 0);
  }
}

/* Where nothing attracts anything, only a palette that is kept or given does. */
static void
test_nothing_attracts (void)
{
  static const gdouble stabilities[] = { 0, 0.5 };

  for (guint i = 0; i < G_N_ELEMENTS (stabilities); i++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.stability = stabilities[i];
    film->settings.min_frequency = 1000000;
    show_pictures (film, "nothing attracts", 3);
    g_assert_cmpuint (film->engine->report.output_colours, ==, 0);
    film->settings.hold = TRUE;
    show_pictures (film, "nothing to hold", 2);
    film->settings.min_frequency = 1;
    show_pictures (film, "something to hold", 1);
    film->settings.min_frequency = 1000000;
    show_pictures (film, "nothing attracts, held", 2);
    film->settings.n_colours = 3;
    show_pictures (film, "nothing attracts, given", 2);
    film->settings.n_colours = 0;
    film->settings.hold = FALSE;
    film->settings.min_frequency = 40;
    show_pictures (film, "some attract", 3);
  }
}

/* All go to as many, rare ones too; and nobody to any where all are rare. */
static void
test_number_of_colours (void)
{
  static const guint min_frequencies[] = { 1000000, 1, 12, 40, 1000000 };

  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.stability = s * 0.5;
    film->settings.limit = 7;
    for (guint i = 0; i < 2 * G_N_ELEMENTS (min_frequencies); i++) {
      film->settings.min_frequency = min_frequencies[i / 2];
      film->settings.history = i % 3 + 1;
      film->settings.hold = s && i > 7;
      show_pictures (film, "number of colours", 1);
    }
  }
}

/* Cells of several frames are more than a frame has pixels. */
static void
test_many_cells (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  film->settings.radius = 0.005;
  film->settings.history = 1;
  for (guint i = 0; i < 12; i++) {
    if (i == 2 || i == 6)
      film->settings.history += 3;
    film->settings.weighting = i % 2;
    film->settings.stability = i % 3 ? 0.5 : 0;
    take_picture (film, "noise");
    show (film, "many cells");
  }
  g_assert_cmpuint (film->engine->report.cells, >, 2 * WIDTH * HEIGHT);
}

static void
test_merging (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  engine_tune (film->engine, &(GpuPaletteTuning) {
      .cell_capacity = 1200,.slice = 256});
  film->settings.radius = 0.02;
  film->settings.history = 2;
  for (guint i = 0; i < 12; i++) {
    film->settings.weighting = i % 2;
    film->settings.min_frequency = i % 3;
    film->settings.stability = i % 4 ? 0.5 : 0;
    take_picture (film, i < 4 ? "blobs" : "noise");
    show (film, "merging");
  }
  g_assert_cmpuint (film->merges, ==, 7);
}

/* What large windows are cut into several dispatches for. */
static void
test_slices (void)
{
  g_autoptr (Film) film = film_new (200, 90);

  engine_tune (film->engine, &(GpuPaletteTuning) {
      .slice = 256});
  film->settings.radius = 0.02;
  for (guint i = 0; i < 5; i++) {
    film->settings.stability = i % 2 ? 0.5 : 0;
    take_picture (film, "noise");
    show (film, "slices");
  }
}

static void
fill (guint8 * rgba, gsize n, const guint8 * pixel)
{
  for (gsize i = 0; i < n; i++)
    memcpy (rgba + 4 * i, pixel, 4);
}

#define N_HEAVY 20

/* Colours so often that sums of component @high exceed a word, with what one of two
 * adds alone, or with both. The oracle sees frames of one pixel, which have the same
 * shares. */
static void
check_wide_sums (guint high, gboolean alone)
{
  const guint size = 1024, n = size * size;
  g_autoptr (Engine) engine = engine_new_for (GPU_PALETTE_LIVE,
      GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, size, size, FALSE);
  const GpuPaletteSettings settings = {
    .radius = 0.2,.quality = GPU_PALETTE_LIVE,.history = N_HEAVY
  };
  const ReferencePaletteSettings wanted =
      engine_reference_settings (engine, &settings);
  g_autofree guint8 *rgba = g_malloc (4 * n);
  g_autofree guint8 *got = NULL;
  guint8 counted[4 * N_HEAVY], expected[4];

  for (guint frame = 0; frame < N_HEAVY; frame++) {
    fill (counted + 4 * frame, 1, (guint8[]) {
        80, 80, 80, 255}
    );
    counted[4 * frame + high] =
        alone ? frame < 17 ? 255 : 249 : 253 + frame % 2 * 2;
    fill (rgba, n, counted + 4 * frame);
    g_free (got);
    got = engine_run (engine, &settings, rgba);
  }
  reference_live_from (&wanted, REFERENCE_LIVE_CAPACITY, counted, N_HEAVY,
      rgba, 1, expected, NULL);
  g_assert_cmpuint (expected[high], ==, 254);
  fill (rgba, n, expected);
  compare_pixels ("wide sums", got, rgba, size, size);
}

static void
test_wide_sums (void)
{
  for (guint high = is_full ? 0 : 1; high < 3; high++)
    check_wide_sums (high, high != 1);
}

/* --- windows that change --- */

static void
forget (Film * film)
{
  gpu_palette_forget (film->engine->palette);
  reference_steady_reset (film->steady);
}

/* Nobody submits it. */
static gboolean
record_and_fail (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  g_assert_true (engine_record (stream, in, out, data, error));
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY, "no memory");
  return FALSE;
}

/* What empties a window, or does not. */
static void
disturb (Film * film)
{
  GpuPaletteSettings settings = film->settings;
  g_autoptr (GError) error = NULL;

  switch (g_rand_int_range (film->random, 0, 5)) {
    case 0:
      forget (film);
      break;
    case 1:
      film->engine->is_linear = !film->engine->is_linear;
      gpu_palette_set_transfer (film->engine->palette, film->engine->is_linear
          ? gpu_palette_transfer_linear : gpu_palette_transfer_srgb, NULL);
      break;
    case 2:
      g_assert_null (engine_try (film->engine, &settings, film->rgba,
              record_and_fail, &error));
      g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
      reference_steady_reset (film->steady);
      break;
    case 3:
      settings.quality = GPU_PALETTE_EXACT;
      settings.limit = 0;
      g_free (engine_run (film->engine, &settings, film->rgba));
      break;
    default:
      engine_configure (film->engine, GPU_PALETTE_LIVE,
          film->engine->in.pixels == GPU_PIXELS_RGBA ? GPU_PIXELS_BGRA
          : GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, WIDTH, HEIGHT);
  }
}

static void
choose_settings (Film * film)
{
  static const gdouble radii[] = { 0.05, 0.2, 0.01, 0 };
  GpuPaletteSettings *settings = &film->settings;
  const gint choice = g_rand_int_range (film->random, 0, 8);

  switch (g_rand_int_range (film->random, 0, 8)) {
    case 0:
      settings->radius = radii[choice % G_N_ELEMENTS (radii)];
      break;
    case 1:
      settings->weighting = choice % 2;
      break;
    case 2:
      settings->stability = choice % 2 * 0.5;
      break;
    case 3:
      settings->hold = choice == 0;
      settings->update_interval = choice % 3;
      break;
    case 4:
      settings->scene_cut_threshold = choice % 2 * 0.05;
      settings->limit = choice < 2 ? 6 * choice + 2 : 0;
      break;
    case 5:
      settings->min_frequency = g_rand_int_range (film->random, 1, 21);
      break;
    default:
      settings->history = MAX (choice - 2, 0);
  }
}

/* Frames that are other ones, nearly the same, or the same; with and without a
 * change of what is wanted of them; and windows that are emptied. */
static void
test_sequences (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  take_any_picture (film);
  for (guint i = 0; i < 150; i++) {
    guint what = g_rand_int_range (film->random, 0, 4);

    if (what == 0)
      take_any_picture (film);
    else if (what == 1)
      edit (film);
    if (g_rand_int_range (film->random, 0, 2) == 0)
      choose_settings (film);
    if (g_rand_int_range (film->random, 0, 12) == 0)
      disturb (film);
    show (film, "sequence");
  }
}

/* The frame before counts, even if nobody asked for a window then. */
static void
test_late (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < 9; i++) {
    film->settings.history = i % 3 ? 2 : 1;
    film->settings.radius = i == 6 ? 0 : 0.05;
    show_pictures (film, "late", 1);
  }
}

static guint n_dispatches;

static void VKAPI_CALL
count_dispatch (VkCommandBuffer commands, VkBuffer groups, VkDeviceSize offset)
{
  n_dispatches++;
  gpu_hooks_get_driver ()->vkCmdDispatchIndirect (commands, groups, offset);
}

/* Those whose workgroups the device counts. */
static guint
dispatches_of_frame (Film * film, guint min_frequency)
{
  film->settings.min_frequency = min_frequency;
  n_dispatches = 0;
  show_pictures (film, "alone", 1);
  return n_dispatches;
}

/* A frame that is counted alone leaves the frame before alone, whether that was
 * counted or not. */
static void
test_late_alone (void)
{
  GpuDevice *device = gpu_fixture_device ();

  gpu_hooks_install (device);
  device->vk.vkCmdDispatchIndirect = count_dispatch;
  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    /* No frame is cut for what one before it took. */
    film->engine->info.timestamp_period = 0;
    film->settings.history = 1;
    film->settings.stability = s * 0.5;
    for (guint i = 0; i < 4; i++) {
      guint before = dispatches_of_frame (film, 1);
      guint first = dispatches_of_frame (film, 12);

      g_assert_cmpuint (first, >, before);
      g_assert_cmpuint (dispatches_of_frame (film, 12), >=, first);
    }
  }
  gpu_hooks_remove (device);
}

static void
darken (Film * film)
{
  for (gsize i = 0; i < 4 * n_pixels (film); i++)
    if (i % 4 < 3)
      film->rgba[i] /= 4;
}

/* Scenes of some frames each: a cut empties the window, with the first frame that it
 * is wanted for and when it becomes shorter too, and not where none is looked for. */
static void
test_cuts (void)
{
  static const guint histories[] = { 4, 1, 3, 2, 5 };

  for (guint s = 0; s < 3; s++) {
    g_autoptr (Film) film = film_new (64, 48);

    film->settings.radius = 0.2;
    film->settings.stability = s * 0.25;
    for (guint i = 0; i < 30; i++) {
      film->settings.history = histories[i / 6];
      film->settings.min_frequency = i % 5;
      film->settings.scene_cut_threshold = i < 24 ? 0.05 : 0;
      take_any_picture (film);
      if (i % 6 > 2)
        darken (film);
      show (film, "cuts");
      if (i % 4 == 0)
        show (film, "cuts");
    }
  }
}

/* A frame that is as the one before is solved until one leaves that is too. */
static void
test_unchanged (void)
{
  static const gboolean solved[] = {
    TRUE, TRUE, TRUE, FALSE, FALSE, TRUE, TRUE, TRUE, FALSE
  };

  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.stability = s * 0.5;
    for (guint i = 0; i < G_N_ELEMENTS (solved); i++) {
      if (i == 0 || i == 5)
        take_picture (film, "alpha-noise");
      /* Alphas above 0 make no other frame. */
      for (gsize p = 3; p < 4 * n_pixels (film); p += 4)
        film->rgba[p] = film->rgba[p] ? 100 + i : 0;
      show (film, "unchanged");
      g_test_message ("frame %u", i);
      g_assert_cmpint (film->engine->report.solved, ==, solved[i]);
    }
  }
}

static void
prepare_for (Film * film, guint history)
{
  GpuPaletteSettings settings = film->settings;

  settings.history = history;
  g_assert_true (gpu_palette_prepare (film->engine->palette, &settings, NULL));
}

/* What is made ready for others changes no frame, nor one that is as the one
 * before while modes are on their way. */
static void
test_prepared (void)
{
  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.history = 1;
    film->settings.stability = s * 0.5;
    take_picture (film, "blobs");
    for (guint i = 0; i < 4; i++) {
      show (film, "prepared");
      edit (film);
      show (film, "prepared");
      prepare_for (film, 2 + i);
      show (film, "prepared");
    }
  }
}

/* Frames without a counted pixel are frames, the first and the last too. */
static void
test_transparent (void)
{
  static const gboolean solved[] = {
    TRUE, TRUE, TRUE, FALSE, TRUE, TRUE, TRUE, TRUE, TRUE, FALSE
  };

  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

    film->settings.stability = s * 0.5;
    for (guint i = 0; i < G_N_ELEMENTS (solved); i++) {
      take_any_picture (film);
      if (i != 4 && i != 5)
        memset (film->rgba, 0, 4 * n_pixels (film));
      show (film, "transparent");
      g_test_message ("frame %u", i);
      g_assert_cmpint (film->engine->report.solved, ==, solved[i]);
    }
  }
}

/* Behind frames that nobody worked on the window is as it was. */
static void
test_modes_forgotten (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);

  film->settings.stability = 0.5;
  for (guint i = 0; i < 12; i++) {
    film->settings.history = i < 6 ? 3 : i % 2 + 1;
    if (i % 3 == 2) {
      gpu_palette_forget_modes (film->engine->palette);
      reference_steady_forget_modes (film->steady);
    } else {
      take_any_picture (film);
    }
    show (film, "modes forgotten");
  }
}

/* Wherever a frame ends, the next one is the first. By what is stated, a frame as
 * large takes a slow device several submissions. */
static void
test_cancelled (void)
{
  g_autoptr (Film) film =
      film_new_of (engine_new_as (GPU_DEVICE_CPU, GPU_PALETTE_LIVE, 480, 270));
  guint n_ended;

  film->engine->info.timestamp_period = 0;
  film->settings.radius = 0.03;
  for (n_ended = 0;; n_ended++) {
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *ended = NULL;

    show_pictures (film, "before the end", 2);
    take_any_picture (film);
    film->engine->let_through = n_ended;
    ended = engine_try (film->engine, &film->settings, film->rgba,
        engine_record_cancelled, &error);
    if (ended)
      break;
    g_assert_error (error, GPU_ERROR, GPU_ERROR_CANCELLED);
    reference_steady_reset (film->steady);
    show (film, "after the end");
  }
  g_assert_cmpuint (n_ended, >, 0);
}

/* --- memory --- */

/* A window of so many frames, behind a frame that needs none. */
static void
show_between_windows (Film * film, guint history, guint left, guint room)
{
  film->settings.history = film->settings.min_frequency = 1;
  show_pictures (film, "no window", 1);
  played_memory_leave (gpu_fixture_device (), left * 4 * n_pixels (film));
  film->settings.history = history;
  for (guint i = 0; i < 8; i++) {
    take_any_picture (film);
    show_within (film, "window", room);
  }
}

/* As many frames are counted as fit into half of what is left; when there is more
 * memory, a change is what tells. */
static void
test_budget (void)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT);
  static const struct
  {
    guint history, left, room;  /* in frames */
  } steps[] = {
    {2, 100, 2}, {7, 9, 6}, {7, 100, 6}, {6, 100, 6}, {4, 0, 4}, {5, 0, 4},
    {7, 100, 7}, {2, 0, 2},
  };
  gsize others;

  film->settings.min_frequency = 2;
  /* What is by cell is there. */
  film->settings.history = 7;
  show_pictures (film, "budget", 1);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    played_memory_leave (device, steps[i].left * 4 * n_pixels (film));
    film->settings.history = steps[i].history;
    for (guint k = 0; k < 8; k++) {
      take_any_picture (film);
      show_within (film, "budget", steps[i].room);
    }
    if (i == 0)
      others = gpu_palette_get_memory (film->engine->palette)
          - 2 * 4 * n_pixels (film);
    g_assert_cmpuint (gpu_palette_get_memory (film->engine->palette), ==,
        others + steps[i].room * 4 * n_pixels (film));
  }
  show_between_windows (film, 7, 100, 7);
  show_between_windows (film, 7, 6, 4);
  played_memory_end (device);
}

static VkDeviceSize filled;

static void VKAPI_CALL
add_filled (VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
    VkDeviceSize size, uint32_t word)
{
  filled += size;
  gpu_hooks_get_driver ()->vkCmdFillBuffer (commands, buffer, offset, size,
      word);
}

/* Bytes that are filled for the second of two frames. */
static VkDeviceSize
bytes_filled (Film * film)
{
  show_pictures (film, "filled", 1);
  filled = 0;
  show_pictures (film, "filled", 1);
  return filled;
}

/* What is by cell stays, but a frame fills no more of it than it needs: a word of
 * carries more than before there were any. */
static void
test_room_that_stays (void)
{
  static const guint limits[] = { 0, 0, 5 };
  GpuDevice *device = gpu_fixture_device ();

  gpu_hooks_install (device);
  device->vk.vkCmdFillBuffer = add_filled;
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);
    VkDeviceSize before;

    film->settings.stability = i * 0.5;
    film->settings.limit = limits[i];
    film->settings.history = 1;
    before = bytes_filled (film);
    film->settings.history = 4;
    g_assert_cmpuint (bytes_filled (film), >, before);
    film->settings.history = 1;
    g_assert_cmpuint (bytes_filled (film), <=,
        before + WIDTH * HEIGHT * sizeof (guint32));
  }
  gpu_hooks_remove (device);
}

static gsize refused_size;

static VkResult VKAPI_CALL
refuse_size (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  if (info->size == refused_size)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return gpu_hooks_get_driver ()->vkCreateBuffer (device, info, allocator,
      buffer);
}

/* Where counters, or sums of more cells, find no room, the frame fails, and those
 * that can do without go on. */
static void
test_refused (void)
{
  const gsize sizes[] = { 1 << 26, 3 * WIDTH * HEIGHT * 16 };
  GpuDevice *device = gpu_fixture_device ();

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);
    g_autoptr (GError) error = NULL;

    film->settings.history = 1;
    show_pictures (film, "before", 2);
    refused_size = sizes[i];
    gpu_hooks_install (device);
    device->vk.vkCreateBuffer = refuse_size;
    film->settings.history = 3;
    g_assert_null (engine_try (film->engine, &film->settings, film->rgba,
            engine_record, &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
    reference_steady_reset (film->steady);
    film->settings.history = 1;
    show_pictures (film, "without", 2);
    gpu_hooks_remove (device);
    film->settings.history = 3;
    show_pictures (film, "again", 4);
  }
}

/* Densities are of four times as many as there are pixels, and a word holds no
 * more. */
static void
test_too_many (void)
{
  static const guint max_sums[] = {
    20 * WIDTH * HEIGHT, 20 * WIDTH * HEIGHT - 1, 4 * WIDTH * HEIGHT
  };
  static const guint rooms[] = { 5, 4, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (max_sums); i++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT);
    const GpuPaletteTuning tuning = {.max_sum = max_sums[i] };

    engine_tune (film->engine, &tuning);
    for (guint k = 0; k < 7; k++) {
      film->settings.history = k < 2 ? 1 : 6;
      take_any_picture (film);
      show_within (film, "too many", k < 2 ? 1 : rooms[i]);
    }
  }
}

/* What a size of subgroups might break. */
static void
add_essential (void)
{
  static const gdouble none = 0, half = 0.5;

  g_test_add_data_func ("/live-window/lengths", &none, test_lengths);
  g_test_add_data_func ("/live-window/lengths-steady", &half, test_lengths);
  g_test_add_func ("/live-window/nothing-attracts", test_nothing_attracts);
  g_test_add_func ("/live-window/number-of-colours", test_number_of_colours);
  g_test_add_func ("/live-window/slices", test_slices);
}

static void
add_others (void)
{
  g_test_add_func ("/live-window/many-cells", test_many_cells);
  g_test_add_func ("/live-window/merging", test_merging);
  g_test_add_func ("/live-window/wide-sums", test_wide_sums);
  g_test_add_func ("/live-window/sequences", test_sequences);
  g_test_add_func ("/live-window/late", test_late);
  g_test_add_func ("/live-window/late-alone", test_late_alone);
  g_test_add_func ("/live-window/cuts", test_cuts);
  g_test_add_func ("/live-window/unchanged", test_unchanged);
  g_test_add_func ("/live-window/prepared", test_prepared);
  g_test_add_func ("/live-window/transparent", test_transparent);
  g_test_add_func ("/live-window/modes-forgotten", test_modes_forgotten);
  g_test_add_func ("/live-window/cancelled", test_cancelled);
  g_test_add_func ("/live-window/budget", test_budget);
  g_test_add_func ("/live-window/room-that-stays", test_room_that_stays);
  g_test_add_func ("/live-window/refused", test_refused);
  g_test_add_func ("/live-window/too-many", test_too_many);
}

void
add_live_window_tests (PaletteTests tests)
{
  is_full = (tests & TESTS_FULL) != 0;
  if (tests & TESTS_ESSENTIAL)
    add_essential ();
  if (tests & TESTS_OTHERS)
    add_others ();
}
