/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Images in memory that others have, too. tests/elements/test_gl.c has others use it. */
#include "gpu/core/stream/sharedimage.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "tests.h"

#include <unistd.h>

/* Odd, and rows that are no whole words of some texels. */
#define WIDTH 7
#define HEIGHT 5

/* Returns NULL where there are no such images; the test is skipped then. */
static Fixture *
setup_shared (void)
{
  Fixture *fixture = setup (2);

  if (fixture->device->info.exports_memory)
    return fixture;
  teardown (fixture);
  g_test_skip ("the device does not export memory");
  return NULL;
}

static void
init (GpuSharedImage * shared, GpuDevice * device, guint texel)
{
  gint fd = -1;

  *shared = (GpuSharedImage) {texel, WIDTH, HEIGHT};
  OK (gpu_shared_image_init (shared, device, &fd, &error));
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpuint (shared->size, >=, WIDTH * HEIGHT * texel);
  close (fd);
}

/* What goes in comes out, in later submissions, too. */
static void
check_image (Fixture * fixture, guint texel)
{
  const GpuImageRegion region = {
    .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    .width = WIDTH,
    .height = HEIGHT,
    .row_texels = 8,
    .size = ((HEIGHT - 1) * 8 + WIDTH) * texel,
  };
  g_autoptr (GpuBuffer) from = new_buffer (fixture->device, GPU_BUFFER_HOST, N);
  g_autoptr (GpuBuffer) to = new_buffer (fixture->device, GPU_BUFFER_HOST, N);
  guint8 *in = gpu_buffer_get_data (from), *out = gpu_buffer_get_data (to);
  GpuSharedImage shared;

  init (&shared, fixture->device, texel);
  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < N * 4; i++)
      in[i] = (i * 2654435761u + round) >> 13;
    OK (gpu_buffer_flush (from, &error));
    for (guint is_read = 0; is_read < 2; is_read++) {
      begin (fixture->stream);
      gpu_stream_take_image (fixture->stream, &shared);
      if (is_read)
        gpu_stream_copy_from_image (fixture->stream, &shared.image, &region,
            to);
      else
        gpu_stream_copy_to_image (fixture->stream, from, &shared.image,
            &region);
      gpu_stream_return_image (fixture->stream, &shared);
      submit (fixture->stream, NULL);
    }
    wait_idle (fixture->stream);
    OK (gpu_buffer_invalidate (to, &error));
    for (guint y = 0; y < HEIGHT; y++)
      g_assert_cmpmem (out + y * 8 * texel, WIDTH * texel, in + y * 8 * texel,
          WIDTH * texel);
  }
  gpu_shared_image_clear (&shared);
  g_assert_null (shared.device);
}

TEST (texels)
{
  Fixture *fixture = setup_shared ();
  const guint files = tests_count_files ();

  if (!fixture)
    return;
  for (guint texel = 1; texel <= 4; texel *= 2)
    check_image (fixture, texel);
  g_assert_cmpuint (tests_count_files (), ==, files);
  teardown (fixture);
}

GPU_HOOK_RETURNS (refuse_image, VK_ERROR_OUT_OF_DEVICE_MEMORY, VkDevice device,
    const VkImageCreateInfo * info, const VkAllocationCallbacks * allocator,
    VkImage * image);
GPU_HOOK_RETURNS (refuse_memory, VK_ERROR_OUT_OF_DEVICE_MEMORY, VkDevice device,
    const VkMemoryAllocateInfo * info, const VkAllocationCallbacks * allocator,
    VkDeviceMemory * memory);
GPU_HOOK_RETURNS (refuse_bind, VK_ERROR_OUT_OF_DEVICE_MEMORY, VkDevice device,
    VkImage image, VkDeviceMemory memory, VkDeviceSize offset);
GPU_HOOK_RETURNS (refuse_stream, VK_ERROR_OUT_OF_DEVICE_MEMORY, VkDevice device,
    const VkCommandPoolCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkCommandPool * pool);
GPU_HOOK_RETURNS (refuse_file, VK_ERROR_OUT_OF_DEVICE_MEMORY, VkDevice device,
    const VkMemoryGetFdInfoKHR * info, int *fd);

/* Whichever call fails, nothing is left. */
TEST (failures)
{
  Fixture *fixture = setup_shared ();
  guint files;

  if (!fixture)
    return;
  files = tests_count_files ();
  for (guint i = 0; i < 5; i++) {
    struct VolkDeviceTable *vk = &fixture->device->vk;
    const struct VolkDeviceTable driver = *vk;
    GpuSharedImage shared = { 4, WIDTH, HEIGHT };
    gint fd;

    switch (i) {
      case 0:
        vk->vkCreateImage = refuse_image;
        break;
      case 1:
        vk->vkAllocateMemory = refuse_memory;
        break;
      case 2:
        vk->vkBindImageMemory = refuse_bind;
        break;
      case 3:
        vk->vkCreateCommandPool = refuse_stream;
        break;
      default:
        vk->vkGetMemoryFdKHR = refuse_file;
    }
    FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_shared_image_init (&shared,
            fixture->device, &fd, &error));
    *vk = driver;
    g_assert_null (shared.device);
    g_assert_cmpuint (tests_count_files (), ==, files);
  }
  teardown (fixture);
}

GPU_FIXTURE_MAIN ("/shared-image/", gpu_fixture_add_test)
