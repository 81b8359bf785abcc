/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette of several frames at once with quality EXACT against the oracle, which is
 * given all of their pixels each time. */
#include "gpu/core/device/vulkan.h"
#include "gpu_hooks.h"
#include "live/live_window_fixture.h"
#include "played_memory.h"

#include "generated.h"
#include "tests.h"

#include <string.h>

static gboolean is_full;

static const GpuPaletteWalkKind walks[] = {
  GPU_PALETTE_WALK_GROUPS, GPU_PALETTE_WALK_LANES
};

static const guint min_frequencies[] = { 1, 2, 5, 1000 };

static Film *
exact_film_new_of (GpuPixels format, guint width, guint height,
    const GpuPaletteTuning * tuning)
{
  Engine *engine = engine_new_for (GPU_PALETTE_EXACT, format, GPU_PIXELS_RGBA,
      width, height, FALSE);
  Film *film = window_film_new_of (engine);

  engine->walk = tuning->walk;
  engine_tune (engine, tuning);
  film->settings = (GpuPaletteSettings) {.quality = GPU_PALETTE_EXACT,
    .making.radius = 0.2, .counting.history = 3};
  return film;
}

static Film *
exact_film_new (guint width, guint height, const GpuPaletteTuning * tuning)
{
  return exact_film_new_of (GPU_PIXELS_RGBA, width, height, tuning);
}

static Film *
plain_film_new (guint width, guint height)
{
  return exact_film_new (width, height, &(GpuPaletteTuning) {0});
}

static void
choose_settings (Film * film)
{
  static const gdouble radii[] = { 0.05, 0.2, 0.4 };
  GpuPaletteSettings *settings = &film->settings;

  settings->making.radius =
      radii[g_rand_int_range (film->random, 0, G_N_ELEMENTS (radii))];
  settings->making.weighting = g_rand_int_range (film->random, 0, 2);
  settings->making.min_frequency =
      min_frequencies[g_rand_int_range (film->random, 0,
          G_N_ELEMENTS (min_frequencies))];
  settings->counting.scene_cut_threshold =
      g_rand_int_range (film->random, 0, 2) * 0.05;
}

/* --- windows of one length --- */

static void
check_length (GpuPaletteWalkKind walk, guint history)
{
  g_autoptr (Film) film = exact_film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {
    .walk = walk,
  });

  film->settings.counting.history = history;
  for (guint i = 0; i < history + 8; i++) {
    film->settings.making.weighting = i % 2;
    film->settings.making.min_frequency =
        min_frequencies[i / 2 % G_N_ELEMENTS (min_frequencies)];
    window_show_pictures (film, "fixed length", 1);
  }
}

TEST (lengths)
{
  /* The last one in full. */
  static const guint lengths[] = { 1, 3, 7, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    for (guint h = 0; h < (is_full ? 4 : 3); h++)
      check_length (walks[i], lengths[h]);
}

/* Where nothing attracts anything, nothing moves. */
TEST (nothing_attracts)
{
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++) {
    g_autoptr (Film) film =
        exact_film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {
          .walk = walks[i],
        });
    g_autofree guint8 *got = NULL;

    film->settings.making.radius = 0.02;
    film->settings.making.min_frequency = 1000;
    film_take_picture (film, "noise", 1);
    got = engine_run (film->engine, &film->settings, film->rgba);
    compare_pixels ("nothing attracts", got, film->rgba, WIDTH, HEIGHT);
  }
}

/* --- windows that change --- */

/* What empties a window. */
static void
empty (Film * film)
{
  switch (g_rand_int_range (film->random, 0, 3)) {
    case 0:
      gpu_palette_forget (film->engine->palette);
      break;
    case 1:
      gpu_palette_set_transfer (film->engine->palette,
          gpu_palette_transfer_srgb, NULL);
      break;
    default:
      film->engine->let_through = 0;
      FAILS (GPU_ERROR_CANCELLED, engine_try (film->engine, &film->settings,
              film->rgba, engine_record_cancelled, &error));
      break;
  }
  reference_temporal_reset (film->temporal);
}

/* Frames that are other ones, nearly the same, or the same; with and without a
 * change of what is wanted of them; and windows that are emptied. */
static void
check_sequence (GpuPaletteWalkKind walk, guint slice)
{
  g_autoptr (Film) film =
      exact_film_new (PADDED_WIDTH, HEIGHT, &(GpuPaletteTuning) {
        .walk = walk, .slice = slice,
      });

  window_take_any_picture (film);
  for (guint i = 0; i < (is_full ? 40 : 20); i++) {
    guint what = g_rand_int_range (film->random, 0, 4);

    if (what == 0)
      window_take_any_picture (film);
    else if (what == 1)
      window_edit (film);
    if (g_rand_int_range (film->random, 0, 3) == 0)
      film->settings.counting.history = g_rand_int_range (film->random, 0, 8);
    if (g_rand_int_range (film->random, 0, 3) == 0)
      choose_settings (film);
    if (g_rand_int_range (film->random, 0, 8) == 0)
      empty (film);
    window_show (film, "sequence");
  }
}

TEST (sequences)
{
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    for (guint slice = is_full ? 0 : i; slice < (is_full ? 2 : i + 1); slice++)
      check_sequence (walks[i], slice * 256);
}

/* Scenes of some frames each, in windows that become longer and shorter. */
TEST (cuts)
{
  static const GpuPixels formats[] = { GPU_PIXELS_RGBA, GPU_PIXELS_BGR };
  static const guint histories[] = { 4, 1, 3, 2 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (Film) film =
        exact_film_new_of (formats[f], 51, 35, &(GpuPaletteTuning) {
          0,
        });

    for (guint i = 0; i < 24; i++) {
      film->settings.counting.history = histories[i / 6];
      film->settings.making.min_frequency = i % 4;
      film->settings.counting.scene_cut_threshold = i < 18 ? 0.05 : 1e-6;
      window_take_any_picture (film);
      if (i % 6 > 2)
        window_darken (film);
      window_show (film, "cuts");
    }
    g_assert_cmpuint (film->n_cuts, >, 3);
  }
}

/* To the bit of a mean, with hues that change at the same luma, or with it. */
TEST (cuts_by_hue)
{
  static const guint sizes[][2] = { {13, 10}, {51, 35}, {530, 9} };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (Film) film = plain_film_new (sizes[s][0], sizes[s][1]);

    film->settings.counting.history = 3;
    film->settings.making.radius = 0.2;
    film_take_picture (film, "blobs", s);
    for (guint i = 0; i < 5; i++) {
      g_autofree guint8 *before =
          g_memdup2 (film->rgba, 4 * film_n_pixels (film));

      generated_swap (film->rgba, film_n_pixels (film), 0, 1 + i / 2 % 2);
      window_edit (film);
      film_set_threshold (film, before, i % 2);
      window_show (film, "cuts by hue");
    }
    g_assert_cmpuint (film->n_cuts, ==, 2);
  }
}

TEST (nv12_cuts)
{
  g_autoptr (Film) film = plain_film_new (49, 35);
  const GpuFrameInfo *in = &film->engine->in;
  g_autofree guint8 *bytes = NULL;

  engine_configure (film->engine, GPU_PALETTE_EXACT, GPU_PIXELS_NV12,
      GPU_PIXELS_RGBA, 49, 35);
  film->settings.counting.scene_cut_threshold = 0.05;
  bytes = g_malloc (in->size);
  for (guint frame = 0; frame < 8; frame++) {
    for (gsize i = 0; i < in->size; i++)
      bytes[i] = (i < in->offset[1] ? frame % 4 < 2 ? 60 : 90 : 120)
          + i % 7 * (frame + 1);
    window_show_nv12 (film, "nv12", bytes);
  }
  g_assert_cmpuint (film->n_cuts, ==, 3);
}

/* A frame alone is counted anew where that is cheaper, and those behind it are
 * added to what was. */
TEST (anew)
{
  g_autoptr (Film) film = plain_film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < 6; i++) {
    film->settings.making.radius = 0.1;
    film->settings.counting.history = i < 3 || i == 5 ? 1 : 2;
    film_take_picture (film, "alpha-noise", i);
    window_show (film, "anew");
    g_assert_cmpint (film->engine->report.counted.recounted, ==, i == 0
        || i == 2);
  }
}

/* A frame that is as the one before changes what colours weigh until all of the
 * window are. */
TEST (unchanged)
{
  static const struct
  {
    GpuPaletteWeighting weighting;
    guint min_frequency;
    gboolean solved[6];
  } cases[] = {
    {GPU_PALETTE_FREQUENCY, 1, {TRUE, TRUE, TRUE, FALSE, FALSE, TRUE}},
    {GPU_PALETTE_PALETTE, 1, {TRUE, FALSE, FALSE, FALSE, FALSE, TRUE}},
    /* Two frames of it are enough. */
    {GPU_PALETTE_PALETTE, 2, {TRUE, TRUE, FALSE, FALSE, FALSE, TRUE}},
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (Film) film = plain_film_new (WIDTH, HEIGHT);

    film->settings.making.radius = 0.05;
    film->settings.making.weighting = cases[c].weighting;
    film->rgba = g_malloc (4 * WIDTH * HEIGHT);
    for (guint i = 0; i < WIDTH * HEIGHT; i++)
      ((guint32 *) film->rgba)[i] = GUINT32_TO_LE (0xff000000 | i * 0x0731);
    for (guint i = 0; i < 6; i++) {
      film->settings.making.min_frequency = i == 5 ? 3 : cases[c].min_frequency;
      window_show (film, "unchanged");
      g_test_message ("case %u, frame %u", c, i);
      g_assert_cmpint (film->engine->report.made.solved, ==,
          cases[c].solved[i]);
    }
  }
}

/* Without a pixel that changes: other settings, and room for fewer colours, so
 * that they are handed out in other slices. */
TEST (untouched)
{
  const guint width = 256, height = 72;
  g_autoptr (Film) film = exact_film_new (width, height, &(GpuPaletteTuning) {
    .slice = 256,
  });

  film->settings.making.radius = 0.003;
  film->settings.counting.history = 2;
  film->rgba = g_malloc0 (width * height * 4);
  window_show (film, "nothing");
  film_take_picture (film, "noise", 1);
  window_show (film, "noise");
  film->settings.making.radius = 0.004;
  film->settings.counting.history = 1;
  window_show (film, "noise");
}

/* Colours that are heavier than any is for walks of a single frame, and more of
 * them than one could have, near the surface of each other's balls. */
TEST (heavy)
{
  const guint size = 1024, n_frames = 8;

  for (guint i = 0; i < G_N_ELEMENTS (walks); i++) {
    g_autoptr (Film) film = exact_film_new (size, size, &(GpuPaletteTuning) {
      .walk = walks[i],
    });

    film->settings.making.radius = 0.029;
    film->rgba = g_malloc (4 * size * size);
    for (guint frame = 0; frame < n_frames; frame++) {
      guint shade = frame * 3;

      for (guint p = 0; p < size * size; p++)
        ((guint32 *) film->rgba)[p] =
            GUINT32_TO_LE (0xff808080 + shade * 0x010101);
      film->settings.counting.history = frame + 1;
      window_show (film, "heavy");
    }
  }
}

/* --- memory --- */

static guint64
memory_without_solver (Film * film)
{
  return gpu_palette_get_memory (film->engine->palette)
      - film->engine->report.effort.memory;
}

/* The driver has room for @left frames. */
static void
leave (Film * film, gdouble left)
{
  played_memory_leave (gpu_fixture_device (), left * 4 * film_n_pixels (film));
}

static void
show_any_within (Film * film, const gchar * name, guint room)
{
  window_take_any_picture (film);
  window_show_within (film, name, room);
}

/* As many frames are counted as fit into half of what is left; when there is more
 * memory, a change is what tells. */
TEST (budget)
{
  g_autoptr (Film) film = plain_film_new (WIDTH, HEIGHT);
  static const struct
  {
    guint history, left, room;  /* in frames */
  } steps[] = {
    {1, 100, 1}, {7, 9, 5}, {7, 100, 5}, {6, 100, 6}, {4, 0, 4}, {5, 0, 4},
    {7, 100, 7}, {0, 0, 1},
  };
  const guint64 size = 4 * film_n_pixels (film);
  guint64 others;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    leave (film, steps[i].left);
    film->settings.counting.history = steps[i].history;
    for (guint k = 0; k < 8; k++)
      show_any_within (film, "budget", steps[i].room);
    if (i == 0)
      others = memory_without_solver (film) - size;
    g_assert_cmpuint (memory_without_solver (film), ==,
        others + steps[i].room * size);
  }
  played_memory_end (gpu_fixture_device ());
}

/* What others take while the window fills counts too, and what they give back when
 * another history is asked for. */
TEST (taken_by_others)
{
  g_autoptr (Film) film = plain_film_new (WIDTH, HEIGHT);

  film->settings.counting.history = 7;
  for (guint i = 0; i < 12; i++) {
    gboolean is_taken = i >= 3 && i < 8;

    leave (film, is_taken ? 0.99 : 100);
    if (i == 9)
      film->settings.counting.history = 5;
    show_any_within (film, "taken by others", i < 3 ? 7 : i < 9 ? 3 : 5);
  }
  played_memory_end (gpu_fixture_device ());
}

static guint frames_left;

/* A driver that has no more than so many frames. */
static VkResult VKAPI_CALL
refuse_frames (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  if (info->size == WIDTH * HEIGHT * 4 && frames_left-- == 0)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return gpu_hooks_get_driver ()->vkCreateBuffer (device, info, allocator,
      buffer);
}

TEST (refused)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Film) film = plain_film_new (WIDTH, HEIGHT);

  gpu_hooks_install (device);
  device->vk.vkCreateBuffer = refuse_frames;
  /* More than one is there already. */
  frames_left = 3;
  for (guint i = 0; i < 12; i++) {
    film->settings.counting.history = i < 9 ? 7 : 2;
    show_any_within (film, "refused", i < 4 ? 7 : i < 9 ? 4 : 2);
  }
  gpu_hooks_remove (device);
}

/* Weights add up to no more than a word holds. */
TEST (too_many)
{
  static const guint max_sums[] = {
    5 * WIDTH * HEIGHT, 5 * WIDTH * HEIGHT - 1, WIDTH * HEIGHT
  };
  static const guint rooms[] = { 5, 4, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (max_sums); i++) {
    const GpuPaletteTuning tuning = {.max_sum = max_sums[i]};
    g_autoptr (Film) film = exact_film_new (WIDTH, HEIGHT, &tuning);

    for (guint k = 0; k < 7; k++) {
      film->settings.counting.history = k < 2 ? 1 : 6;
      show_any_within (film, "too many", k < 2 ? 1 : rooms[i]);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  if (gpu_fixture_skips_all ())
    return 0;
  tests_add ("/window/", g_test_add_func);
  return gpu_fixture_run_tests ();
}
