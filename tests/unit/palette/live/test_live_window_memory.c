/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many frames of quality=live are counted together where memory, or what a word
 * holds, ends. */
#include "gpu/core/device/vulkan.h"
#include "gpu_hooks.h"
#include "live_window_fixture.h"
#include "palette_tests.h"
#include "played_memory.h"

/* A window of so many frames, behind a frame that needs none. */
static void
show_between_windows (Film * film, guint history, guint left, guint room)
{
  film->settings.counting.history = film->settings.making.min_frequency = 1;
  window_show_pictures (film, "no window", 1);
  played_memory_leave (gpu_fixture_device (), left * 4 * film_n_pixels (film));
  film->settings.counting.history = history;
  for (guint i = 0; i < 8; i++) {
    window_take_any_picture (film);
    window_show_within (film, "window", room);
  }
}

/* As many frames are counted as fit into half of what is left; when there is more
 * memory, a change is what tells. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", budget)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);
  static const struct
  {
    guint history, left, room;  /* in frames */
  } steps[] = {
    {2, 100, 2}, {7, 9, 6}, {7, 100, 6}, {6, 100, 6}, {4, 0, 4}, {5, 0, 4},
    {7, 100, 7}, {2, 0, 2},
  };
  gsize others;

  film->settings.making.min_frequency = 2;
  /* What is by bin is there. */
  film->settings.counting.history = 7;
  window_show_pictures (film, "budget", 1);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    played_memory_leave (device, steps[i].left * 4 * film_n_pixels (film));
    film->settings.counting.history = steps[i].history;
    for (guint k = 0; k < 8; k++) {
      window_take_any_picture (film);
      window_show_within (film, "budget", steps[i].room);
    }
    if (i == 0)
      others = gpu_palette_get_memory (film->engine->palette)
          - 2 * 4 * film_n_pixels (film);
    g_assert_cmpuint (gpu_palette_get_memory (film->engine->palette), ==,
        others + steps[i].room * 4 * film_n_pixels (film));
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
  window_show_pictures (film, "filled", 1);
  filled = 0;
  window_show_pictures (film, "filled", 1);
  return filled;
}

/* What is by bin stays, but a frame fills no more of it than it needs: a word of
 * carries more than before there were any. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", room_that_stays)
{
  static const guint limits[] = { 0, 0, 5 };
  GpuDevice *device = gpu_fixture_device ();

  gpu_hooks_install (device);
  device->vk.vkCmdFillBuffer = add_filled;
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);
    VkDeviceSize before;

    film->settings.motion.stability = i * 0.5;
    film->settings.making.limit = limits[i];
    film->settings.counting.history = 1;
    before = bytes_filled (film);
    film->settings.counting.history = 4;
    g_assert_cmpuint (bytes_filled (film), >, before);
    film->settings.counting.history = 1;
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

/* Where counters, or sums of more bins, find no room, the frame fails, and those
 * that can do without go on. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", refused)
{
  const gsize sizes[] = { 1 << 26, 3 * WIDTH * HEIGHT * 16 };
  GpuDevice *device = gpu_fixture_device ();

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

    film->settings.counting.history = 1;
    window_show_pictures (film, "before", 2);
    refused_size = sizes[i];
    gpu_hooks_install (device);
    device->vk.vkCreateBuffer = refuse_size;
    film->settings.counting.history = 3;
    FAILS (GPU_ERROR_OUT_OF_MEMORY, engine_try (film->engine, &film->settings,
            film->rgba, engine_record, &error));
    reference_temporal_reset (film->temporal);
    film->settings.counting.history = 1;
    window_show_pictures (film, "without", 2);
    gpu_hooks_remove (device);
    film->settings.counting.history = 3;
    window_show_pictures (film, "again", 4);
  }
}

/* Densities are of four times as many as there are pixels, and a word holds no
 * more. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", too_many)
{
  static const guint max_sums[] = {
    20 * WIDTH * HEIGHT, 20 * WIDTH * HEIGHT - 1, 4 * WIDTH * HEIGHT
  };
  static const guint rooms[] = { 5, 4, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (max_sums); i++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);
    const GpuPaletteTuning tuning = {.max_sum = max_sums[i]};

    engine_tune (film->engine, &tuning);
    for (guint k = 0; k < 7; k++) {
      film->settings.counting.history = k < 2 ? 1 : 6;
      window_take_any_picture (film);
      window_show_within (film, "too many", k < 2 ? 1 : rooms[i]);
    }
  }
}
