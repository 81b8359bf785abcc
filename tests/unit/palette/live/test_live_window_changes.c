/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Windows of frames of quality=live that change: they become longer or shorter, are
 * emptied, or frames in them are alike. */
#include "gpu/core/device/vulkan.h"
#include "gpu_hooks.h"
#include "live_window_fixture.h"
#include "palette_tests.h"

#include <string.h>

/* What empties a window, or does not. */
static void
disturb (Film * film)
{
  GpuPaletteSettings settings = film->settings;

  switch (g_rand_int_range (film->random, 0, 5)) {
    case 0:
      film_forget (film);
      break;
    case 1:
      film->engine->is_linear = !film->engine->is_linear;
      gpu_palette_set_transfer (film->engine->palette, film->engine->is_linear
          ? gpu_palette_transfer_linear : gpu_palette_transfer_srgb, NULL);
      break;
    case 2:
      FAILS (GPU_ERROR_OUT_OF_MEMORY, engine_try (film->engine, &settings,
              film->rgba, engine_record_and_fail, &error));
      reference_temporal_reset (film->temporal);
      break;
    case 3:
      settings.quality = GPU_PALETTE_EXACT;
      settings.making.limit = 0;
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
      settings->making.radius = radii[choice % G_N_ELEMENTS (radii)];
      break;
    case 1:
      settings->making.weighting = choice % 2;
      break;
    case 2:
      settings->motion.stability = choice % 2 * 0.5;
      break;
    case 3:
      settings->motion.hold = choice == 0;
      settings->motion.update_interval = choice % 3;
      break;
    case 4:
      settings->counting.scene_cut_threshold = choice % 2 * 0.05;
      settings->making.limit = choice < 2 ? 6 * choice + 2 : 0;
      break;
    case 5:
      settings->making.min_frequency = g_rand_int_range (film->random, 1, 21);
      break;
    default:
      settings->counting.history = MAX (choice - 2, 0);
  }
}

/* Frames that are other ones, nearly the same, or the same; with and without a
 * change of what is wanted of them; and windows that are emptied. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", sequences)
{
  g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

  window_take_any_picture (film);
  for (guint i = 0; i < 150; i++) {
    guint what = g_rand_int_range (film->random, 0, 4);

    if (what == 0)
      window_take_any_picture (film);
    else if (what == 1)
      window_edit (film);
    if (g_rand_int_range (film->random, 0, 2) == 0)
      choose_settings (film);
    if (g_rand_int_range (film->random, 0, 12) == 0)
      disturb (film);
    window_show (film, "sequence");
  }
}

/* The frame before counts, even if nobody asked for a window then. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", late)
{
  g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < 9; i++) {
    film->settings.counting.history = i % 3 ? 2 : 1;
    film->settings.making.radius = i == 6 ? 0 : 0.05;
    window_show_pictures (film, "late", 1);
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
  film->settings.making.min_frequency = min_frequency;
  n_dispatches = 0;
  window_show_pictures (film, "alone", 1);
  return n_dispatches;
}

/* A frame that is counted alone leaves the frame before alone, whether that was
 * counted or not. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", late_alone)
{
  GpuDevice *device = gpu_fixture_device ();

  gpu_hooks_install (device);
  device->vk.vkCmdDispatchIndirect = count_dispatch;
  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

    /* No frame is cut for what one before it took. */
    film->engine->info.timestamp_period = 0;
    film->settings.counting.history = 1;
    film->settings.motion.stability = s * 0.5;
    for (guint i = 0; i < 4; i++) {
      guint before = dispatches_of_frame (film, 1);
      guint first = dispatches_of_frame (film, 12);

      g_assert_cmpuint (first, >, before);
      g_assert_cmpuint (dispatches_of_frame (film, 12), >=, first);
    }
  }
  gpu_hooks_remove (device);
}

/* Scenes of some frames each: a cut empties the window, with the first frame that it
 * is wanted for and when it becomes shorter too, and not where none is looked for. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", cuts)
{
  static const guint histories[] = { 4, 1, 3, 2, 5 };

  for (guint s = 0; s < 3; s++) {
    g_autoptr (Film) film = window_film_new (64, 48);

    film->settings.making.radius = 0.2;
    film->settings.motion.stability = s * 0.25;
    for (guint i = 0; i < 30; i++) {
      film->settings.counting.history = histories[i / 6];
      film->settings.making.min_frequency = i % 5;
      film->settings.counting.scene_cut_threshold = i < 24 ? 0.05 : 0;
      window_take_any_picture (film);
      if (i % 6 > 2)
        window_darken (film);
      window_show (film, "cuts");
      if (i % 4 == 0)
        window_show (film, "cuts");
    }
  }
}

/* A frame that is as the one before is solved until one leaves that is too. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", unchanged)
{
  static const gboolean solved[] = {
    TRUE, TRUE, TRUE, FALSE, FALSE, TRUE, TRUE, TRUE, FALSE
  };

  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

    film->settings.motion.stability = s * HARDLY_STABLE;
    for (guint i = 0; i < G_N_ELEMENTS (solved); i++) {
      if (i == 0 || i == 5)
        film_take_picture (film, "alpha-noise", g_rand_int (film->random));
      /* Alphas above 0 make no other frame. */
      for (gsize p = 3; p < 4 * film_n_pixels (film); p += 4)
        film->rgba[p] = film->rgba[p] ? 100 + i : 0;
      window_show (film, "unchanged");
      g_test_message ("frame %u", i);
      g_assert_cmpint (film->engine->report.made.solved, ==, solved[i]);
    }
  }
}

static void
prepare_for (Film * film, guint history)
{
  GpuPaletteSettings settings = film->settings;

  settings.counting.history = history;
  g_assert_true (gpu_palette_prepare (film->engine->palette, &settings, NULL));
}

/* What is made ready for others changes no frame, nor one that is as the one
 * before while modes are on their way. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", prepared)
{
  static const gdouble stabilities[] = { 0, HARDLY_STABLE, 0.5 };

  for (guint s = 0; s < G_N_ELEMENTS (stabilities); s++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

    film->settings.counting.history = 1;
    film->settings.motion.stability = stabilities[s];
    film_take_picture (film, "blobs", g_rand_int (film->random));
    for (guint i = 0; i < 4; i++) {
      window_show (film, "prepared");
      window_edit (film);
      window_show (film, "prepared");
      prepare_for (film, 2 + i);
      window_show (film, "prepared");
    }
  }
}

/* Frames without a counted pixel are frames, the first and the last too. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", transparent)
{
  static const gboolean solved[] = {
    TRUE, TRUE, TRUE, FALSE, TRUE, TRUE, TRUE, TRUE, TRUE, FALSE
  };

  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

    film->settings.motion.stability = s * HARDLY_STABLE;
    for (guint i = 0; i < G_N_ELEMENTS (solved); i++) {
      window_take_any_picture (film);
      if (i != 4 && i != 5)
        memset (film->rgba, 0, 4 * film_n_pixels (film));
      window_show (film, "transparent");
      g_test_message ("frame %u", i);
      g_assert_cmpint (film->engine->report.made.solved, ==, solved[i]);
    }
  }
}

/* Behind frames that nobody worked on the window is as it was. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", modes_forgotten)
{
  g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

  film->settings.motion.stability = 0.5;
  for (guint i = 0; i < 12; i++) {
    film->settings.counting.history = i < 6 ? 3 : i % 2 + 1;
    if (i % 3 == 2) {
      gpu_palette_forget_modes (film->engine->palette);
      reference_temporal_forget_modes (film->temporal);
    } else {
      window_take_any_picture (film);
    }
    window_show (film, "modes forgotten");
  }
}

/* Wherever a frame ends, the next one is the first. A frame as large takes a slow
 * device several submissions, if it goes by the times of its class. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", cancelled)
{
  g_autoptr (Film) film =
      window_film_new_of (engine_new_as (GPU_DEVICE_CPU, GPU_PALETTE_LIVE, 480,
          270));
  guint n_ended;

  film->engine->info.timestamp_period = 0;
  film->settings.making.radius = 0.03;
  for (n_ended = 0;; n_ended++) {
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *ended = NULL;

    window_show_pictures (film, "before the end", 2);
    window_take_any_picture (film);
    film->engine->let_through = n_ended;
    ended = engine_try (film->engine, &film->settings, film->rgba,
        engine_record_cancelled, &error);
    if (ended)
      break;
    g_assert_error (error, GPU_ERROR, GPU_ERROR_CANCELLED);
    reference_temporal_reset (film->temporal);
    window_show (film, "after the end");
  }
  g_assert_cmpuint (n_ended, >, 0);
}
