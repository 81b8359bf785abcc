/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* More colours than there is room for: room is made, or refused, and the next frame is
 * right. And how frames are cut. */
#include "gpu/core/device/vulkan.h"
#include "gpu/palette/exact/exact.h"
#include "exact_fixture.h"
#include "generated.h"
#include "gpu_hooks.h"
#include "played_memory.h"

#include <string.h>

static VkDeviceSize largest_buffer;

static VKAPI_ATTR VkResult VKAPI_CALL
refuse_large (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  if (info->size > largest_buffer)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return gpu_hooks_get_driver ()->vkCreateBuffer (device, info, allocator,
      buffer);
}

/* More colours than walks have room for at first, behind a frame with few of
 * them, where no buffer is larger than @largest. */
static void
check_growth (const guint8 * noise, const guint8 * expected,
    VkDeviceSize largest, guint64 * memory)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Engine) engine = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);
  g_autofree guint8 *got = NULL;
  guint64 before;

  exact_check_generated (engine, "black-white", 0, &exact_few_neighbours);
  before = engine->report.effort.memory;
  gpu_hooks_install (device);
  largest_buffer = largest;
  device->vk.vkCreateBuffer = refuse_large;
  got = engine_run (engine, &exact_few_neighbours, noise);
  gpu_hooks_remove (device);
  compare_pixels ("growth", got, expected, MANY_WIDTH, MANY_HEIGHT);
  g_assert_cmpuint (engine->report.effort.memory, >, before);
  *memory = engine->report.effort.memory;
  exact_check_generated (engine, "black-white", 0, &exact_few_neighbours);
}

/* Room that is not there is an error, but not the end. */
static void
check_refused (const guint8 * noise, VkDeviceSize largest)
{
  const GpuPaletteSettings kept = {
    .making = {.radius = 0, .weighting = GPU_PALETTE_FREQUENCY},
  };
  g_autoptr (GError) error = NULL;
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Engine) engine = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);
  g_autofree guint8 *got = NULL;

  exact_check_generated (engine, "black-white", 0, &kept);
  gpu_hooks_install (device);
  largest_buffer = largest;
  device->vk.vkCreateBuffer = refuse_large;
  got = engine_try (engine, &kept, noise, engine_record, &error);
  gpu_hooks_remove (device);
  g_assert_null (got);
  g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
  got = engine_run (engine, &kept, noise);
  compare_pixels ("refused", got, noise, MANY_WIDTH, MANY_HEIGHT);
}

PALETTE_TEST (TESTS_OTHERS, "/palette/sequence/", growth)
{
  g_autoptr (Engine) engine = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);
  g_autofree guint8 *noise =
      generated_picture_new ("noise", MANY_WIDTH, MANY_HEIGHT, 1);
  g_autofree guint8 *expected =
      engine_run (engine, &exact_few_neighbours, noise);
  GpuDevice *device = gpu_fixture_device ();
  guint64 wanted, short_of, budgeted;

  g_assert_cmpuint (engine->report.counted.colours, >, 1 << 17);
  check_growth (noise, expected, G_MAXUINT64, &wanted);
  g_assert_cmpuint (wanted, ==, engine->report.effort.memory);
  /* Not for the set of visited points that is wanted. */
  check_growth (noise, expected, 1 << 24, &short_of);
  g_assert_cmpuint (short_of, <, wanted);
  /* Nor would it leave others anything. */
  played_memory_leave (device, 64 << 20);
  check_growth (noise, expected, G_MAXUINT64, &budgeted);
  g_assert_cmpuint (budgeted, ==, short_of);
  played_memory_end (device);
  /* Not for the list of colours, and not for walks. */
  check_refused (noise, 1 << 20);
  check_refused (noise, 1 << 21);
}

/* As many colours as there is room to list, one more, many more, few again; in
 * turns with either weighting, which lists know nothing of. */
PALETTE_TEST (TESTS_OTHERS, "/palette/sequence/", room)
{
  static const guint numbers[] = {
    2, GPU_PALETTE_LEAST_ROOM, GPU_PALETTE_LEAST_ROOM + 1, 3,
    MANY_WIDTH * MANY_HEIGHT, 5
  };
  g_autoptr (Engine) engine = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    exact_check_colours (engine, numbers[i], i % 2);
}

static void
check_interrupted (Engine * engine, GpuFixtureRecord interrupted, gint code)
{
  g_autofree guint8 *rgba = exact_colours_new (MANY_WIDTH * MANY_HEIGHT,
      MANY_WIDTH * MANY_HEIGHT);

  FAILS (code, engine_try (engine, &exact_few_neighbours, rgba, interrupted,
          &error));
}

/* Wherever a frame ends that has more colours than there is room to list, the
 * next one is right, whether it has few colours, as many as that one,
 * or one more than there is room for. */
PALETTE_TEST (TESTS_OTHERS, "/palette/sequence/", room_cancelled)
{
  static const guint numbers[] = {
    MANY_WIDTH * MANY_HEIGHT, 3, GPU_PALETTE_LEAST_ROOM + 1, 3
  };

  for (guint at = 0; at < G_N_ELEMENTS (numbers); at++) {
    g_autoptr (Engine) engine = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);

    exact_check_colours (engine, 2, GPU_PALETTE_FREQUENCY);
    engine->let_through = at;
    check_interrupted (engine, engine_record_cancelled, GPU_ERROR_CANCELLED);
    exact_check_colours (engine, numbers[at], GPU_PALETTE_FREQUENCY);
  }
}

/* The same where one of the arrays finds no memory, after which those that were
 * there serve, and nothing else is left. */
PALETTE_TEST (TESTS_OTHERS, "/palette/sequence/", room_refused)
{
  g_autoptr (Engine) engine = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);
  GpuDevice *device = gpu_fixture_device ();
  gsize memory;

  exact_check_colours (engine, 2, GPU_PALETTE_FREQUENCY);
  memory = gpu_palette_get_memory (engine->palette);
  for (guint refused = 0; refused < 4; refused++) {
    gint alive;

    gpu_hooks_install (device);
    exact_buffers_left = refused;
    check_interrupted (engine, exact_record_without_room,
        GPU_ERROR_OUT_OF_MEMORY);
    alive = gpu_hooks_get_alive ();
    gpu_hooks_remove (device);
    g_assert_cmpint (alive, <=, 0);
    g_assert_cmpuint (gpu_palette_get_memory (engine->palette), ==, memory);
    exact_check_colours (engine, 3, GPU_PALETTE_FREQUENCY);
  }
  exact_check_colours (engine, MANY_WIDTH * MANY_HEIGHT, GPU_PALETTE_FREQUENCY);
}

/* A frame is cut for what it may hold, whatever the one before it held. Without walks,
 * for which a GPU takes now a submission more, now less. */
PALETTE_TEST (TESTS_OTHERS, "/palette/sequence/", cuts)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0, .weighting = GPU_PALETTE_FREQUENCY},
  };
  const guint width = 1280, height = 720;
  g_autoptr (Engine) engine = exact_engine_new_slow (width, height);
  g_autofree guint8 *flat = g_malloc (width * height * 4);
  guint submissions[5];

  /* By the times of its class, not by what this device took. */
  engine->info.kind = GPU_DEVICE_CPU;
  engine->info.timestamp_period = 0;
  memset (flat, 255, width * height * 4);
  for (guint frame = 0; frame < 5; frame++) {
    g_autofree guint8 *noise =
        generated_picture_new ("noise", width, height, frame);
    const guint8 *rgba = frame == 2 ? flat : noise;
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);

    compare_pixels ("cuts", got, rgba, width, height);
    g_assert_true (engine->report.made.solved);
    submissions[frame] = engine->report.submissions;
  }
  g_assert_true (engine->report.counted.recounted);
  g_assert_cmpuint (submissions[3], ==, submissions[4]);
}

/* Frames without a colour need no buffers of walks. */
PALETTE_TEST (TESTS_OTHERS, "/palette/", no_colours)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.1, .weighting = GPU_PALETTE_FREQUENCY},
  };
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);
  g_autofree guint8 *rgba = g_malloc0 (WIDTH * HEIGHT * 4);

  exact_check (engine, "transparent", rgba, &settings);
  g_assert_cmpuint (engine->report.effort.memory, ==, 0);
  exact_check_generated (engine, "noise", 1, &settings);
  g_assert_cmpuint (engine->report.effort.memory, >, 0);
}

/* Where there is no room for walks the frame fails, nothing of them
 * is left, and the next frame tries again. */
PALETTE_TEST (TESTS_OTHERS, "/palette/", no_room)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.1, .weighting = GPU_PALETTE_FREQUENCY},
  };
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);
  g_autofree guint8 *rgba = generated_picture_new ("noise", WIDTH, HEIGHT, 1);
  gint alive = 0;

  gpu_hooks_install (device);
  for (guint room = 0; room < 24; room += 6) {
    exact_buffers_left = room;
    FAILS (GPU_ERROR_OUT_OF_MEMORY, engine_try (engine, &settings, rgba,
            exact_record_without_room, &error));
    if (room > 0)
      g_assert_cmpint (gpu_hooks_get_alive (), ==, alive);
    alive = gpu_hooks_get_alive ();
  }
  gpu_hooks_remove (device);
  exact_check_generated (engine, "noise", 1, &settings);
}
