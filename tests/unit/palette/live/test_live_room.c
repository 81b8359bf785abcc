/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Room for the bins of quality=live: as many as there can be, more than fit, and memory that
 * is refused. */
#include "gpu/core/device/vulkan.h"
#include "gpu/palette/live/live.h"
#include "generated.h"
#include "gpu_hooks.h"
#include "live_fixture.h"
#include "palette_tests.h"

#include <string.h>

/* --- many bins --- */

/* More bins than there is room for, with the capacity of the product. */
PALETTE_TEST (TESTS_OTHERS, "/live/", many_bins)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, 1024, 640);

  g_assert_cmpuint (live_check_generated (engine, "noise", 1, 0.005,
          GPU_PALETTE_FREQUENCY), ==, 1);
}

static guint
check_with_chroma (Engine * engine, const gchar * picture, const guint8 * rgba,
    gdouble radius, gdouble chroma)
{
  GpuPaletteSettings settings = live_settings (radius, GPU_PALETTE_FREQUENCY);

  settings.making.chroma = chroma;
  return live_check_settings (engine, picture, rgba, &settings);
}

/* All 2^24 colours: those near the edge of a bin, and as many bins as there can be with the
 * least radius from which on their number is bounded, and with the least radius. */
PALETTE_TEST (TESTS_FULL, "/live/", all_colours)
{
  static const gdouble all_radii[] = { 0.02, 0.005 };
  static const gdouble chromas[] = { 0.5, 1, 2, 3 };
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, 4096, 4096);
  g_autofree guint8 *rgba = g_malloc (4 << 24);

  for (guint32 colour = 0; colour < 1 << 24; colour++) {
    const guint8 pixel[4] = { colour >> 16, colour >> 8, colour, 255 };

    memcpy (rgba + 4 * (gsize) colour, pixel, sizeof pixel);
  }
  for (guint r = 0; r < G_N_ELEMENTS (all_radii); r++)
    for (guint c = 0; c < G_N_ELEMENTS (chromas); c++) {
      struct LiveState bounds;

      gpu_palette_geometry_fill (&bounds, all_radii[r], chromas[c]);
      check_with_chroma (engine, "all colours", rgba, all_radii[r], chromas[c]);
      g_assert_cmpuint (engine->report.counted.bins, <=,
          gpu_palette_geometry_most_bins (&bounds.grid));
    }
}

/* --- room that grows --- */

static guint buffers_left;

static VkResult VKAPI_CALL
refuse_buffers (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  if (buffers_left == 0)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  buffers_left--;
  return gpu_hooks_get_driver ()->vkCreateBuffer (device, info, allocator,
      buffer);
}

/* Where the bins of a smaller radius find no room behind the first @n_made buffers, the frame
 * fails, and the next one of a radius with room is right. */
static void
check_room_refused (Engine * engine, const guint8 * rgba, gdouble radius,
    guint n_made)
{
  const GpuPaletteSettings settings =
      live_settings (radius, GPU_PALETTE_FREQUENCY);
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GError) error = NULL;

  gpu_hooks_install (device);
  buffers_left = n_made;
  device->vk.vkCreateBuffer = refuse_buffers;
  g_assert_null (engine_try (engine, &settings, rgba, engine_record, &error));
  gpu_hooks_remove (device);
  g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
}

/* More pixels than the whole gamut has bins with a radius of 0.02. */
#define ROOM_WIDTH 520
#define ROOM_HEIGHT 512

/* The smaller the radius, the more bins there may be. Their room grows, and stays. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", room)
{
  static const gdouble shrinking[] = { 0.3, 0.02, 0.012, 0.005 };
  g_autoptr (Engine) engine =
      engine_new (GPU_PALETTE_LIVE, ROOM_WIDTH, ROOM_HEIGHT);
  g_autofree guint8 *rgba =
      generated_picture_new ("blobs", ROOM_WIDTH, ROOM_HEIGHT, 9);
  gsize memory = gpu_palette_get_memory (engine->palette);

  for (guint i = 0; i < G_N_ELEMENTS (shrinking); i++) {
    if (i > 0) {
      check_room_refused (engine, rgba, shrinking[i], 0);
      live_check (engine, "refused", rgba, shrinking[i - 1], i % 2);
      g_assert_cmpuint (gpu_palette_get_memory (engine->palette), ==, memory);
      /* The bitmap of bins is made, what is by bin is not. */
      if (i == 2) {
        check_room_refused (engine, rgba, shrinking[i], 2);
        live_check (engine, "refused", rgba, shrinking[i - 1], i % 2);
        memory = gpu_palette_get_memory (engine->palette);
      }
    }
    live_check (engine, "room", rgba, shrinking[i], i % 2);
    g_assert_cmpuint (gpu_palette_get_memory (engine->palette), >, memory);
    memory = gpu_palette_get_memory (engine->palette);
  }
  live_check (engine, "room", rgba, shrinking[0], GPU_PALETTE_FREQUENCY);
  g_assert_cmpuint (gpu_palette_get_memory (engine->palette), ==, memory);
}
