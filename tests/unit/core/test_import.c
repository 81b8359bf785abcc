/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of others, by file descriptor. A memfd serves as a dma-buf where a driver maps it, as
 * Mesa's CPU device does. */
#include "gpu/core/memory/import.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "tests.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 1003               /* neither pages nor words */

static GpuBuffer *
import (GpuDevice * device, gint fd)
{
  return OK (gpu_buffer_import (device, fd, &error));
}

static gint
new_memfd (gsize size)
{
  gint fd = memfd_create ("test", MFD_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (ftruncate (fd, size), ==, 0);
  return fd;
}

static guint8 *
map (gint fd)
{
  guint8 *bytes = mmap (NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  g_assert_true (bytes != MAP_FAILED);
  return bytes;
}

static void
fill (guint8 * bytes, guint seed)
{
  for (guint i = 0; i < SIZE; i++)
    bytes[i] = (i * 2654435761u + seed * 40503u) >> 7;
}

/* Returns NULL where a memfd is no dma-buf; the test is skipped then. */
static Fixture *
setup_import (void)
{
  gint fd = new_memfd (SIZE);
  g_autoptr (GpuBuffer) memory =
      gpu_buffer_import (gpu_fixture_device (), fd, NULL);

  close (fd);
  if (!memory) {
    g_test_skip ("the device cannot import a memfd");
    return NULL;
  }
  return setup (2);
}

/* From any byte to any byte, however often the memory changes; it stays when its file
 * descriptor is closed. */
TEST (read)
{
  Fixture *fixture = setup_import ();
  GpuBuffer *memory;
  guint8 *bytes;
  guint files;
  gint fd;

  if (!fixture)
    return;
  files = tests_count_files ();
  fd = new_memfd (SIZE);
  bytes = map (fd);
  memory = import (fixture->device, fd);
  g_assert_cmpuint (gpu_buffer_get_size (memory), ==, SIZE);
  close (fd);
  for (guint i = 0; i < 3; i++) {
    fill (bytes, i);
    begin (fixture->stream);
    gpu_stream_fill (fixture->stream, fixture->work, 0, N * 4, 0xa5a5a5a5);
    gpu_stream_copy (fixture->stream, memory, 7, fixture->work, 3, 101);
    gpu_stream_copy (fixture->stream, memory, SIZE - 50,
        fixture->work, 200, 50);
    gpu_stream_copy (fixture->stream, fixture->work, 0, fixture->host, 0,
        N * 4);
    submit (fixture->stream, NULL);
    wait_idle (fixture->stream);
    for (guint j = 0; j < N * 4; j++)
      g_assert_cmpuint (((guint8 *) gpu_buffer_get_data (fixture->host))[j], ==,
          j >= 3 && j < 104 ? bytes[j + 4]
          : j >= 200 && j < 250 ? bytes[SIZE - 250 + j] : 0xa5);
  }
  gpu_buffer_unref (memory);
  munmap (bytes, SIZE);
  g_assert_cmpuint (tests_count_files (), ==, files);
  teardown (fixture);
}

/* Bytes beside it stay as they are. */
TEST (write)
{
  Fixture *fixture = setup_import ();
  guint8 *bytes, before[SIZE];
  GpuBuffer *memory;
  gint fd;

  if (!fixture)
    return;
  fd = new_memfd (SIZE);
  bytes = map (fd);
  memory = import (fixture->device, fd);
  fill (bytes, 1);
  memcpy (before, bytes, SIZE);
  begin (fixture->stream);
  gpu_stream_fill (fixture->stream, fixture->work, 0, N * 4, 0xa5a5a5a5);
  gpu_stream_copy (fixture->stream, fixture->work, 1, memory, 13, 99);
  /* Nobody else keeps it. */
  gpu_buffer_unref (memory);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  for (guint i = 0; i < SIZE; i++)
    g_assert_cmpuint (bytes[i], ==, i >= 13 && i < 112 ? 0xa5 : before[i]);
  munmap (bytes, SIZE);
  close (fd);
  teardown (fixture);
}

GPU_HOOK_RETURNS (refuse_memory, VK_ERROR_INVALID_EXTERNAL_HANDLE,
    VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory);
GPU_HOOK_RETURNS (refuse_file, VK_ERROR_INVALID_EXTERNAL_HANDLE,
    VkDevice device, VkExternalMemoryHandleTypeFlagBits type, int fd,
    VkMemoryFdPropertiesKHR * properties);
GPU_HOOK_RETURNS (lack_memory, VK_ERROR_OUT_OF_DEVICE_MEMORY,
    VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
    VkDeviceSize offset);

static VkResult VKAPI_CALL
take_no_type (VkDevice device, VkExternalMemoryHandleTypeFlagBits type, int fd,
    VkMemoryFdPropertiesKHR * properties)
{
  properties->memoryTypeBits = 0;
  return VK_SUCCESS;
}

/* What the driver refuses leaves nothing behind, and the device works on. */
TEST (refused)
{
  Fixture *fixture = setup_import ();
  struct VolkDeviceTable *vk, driver;
  guint files;
  gint fd;

  if (!fixture)
    return;
  vk = &fixture->device->vk;
  driver = *vk;
  fd = new_memfd (SIZE);
  files = tests_count_files ();
  vk->vkGetMemoryFdPropertiesKHR = refuse_file;
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_buffer_import (fixture->device, fd,
          &error));
  vk->vkGetMemoryFdPropertiesKHR = take_no_type;
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_buffer_import (fixture->device, fd,
          &error));
  *vk = driver;
  vk->vkAllocateMemory = refuse_memory;
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_buffer_import (fixture->device, fd,
          &error));
  *vk = driver;
  vk->vkBindBufferMemory = lack_memory;
  FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_buffer_import (fixture->device, fd,
          &error));
  *vk = driver;
  g_assert_cmpuint (tests_count_files (), ==, files);
  gpu_buffer_unref (import (fixture->device, fd));
  close (fd);
  do_step (fixture, 1, 0, NULL);
  teardown (fixture);
}

/* There are no dma-bufs like these. */
TEST (no_dmabuf)
{
  gint empty = new_memfd (0), ends[2];

  g_assert_cmpint (pipe (ends), ==, 0);
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_buffer_import (gpu_fixture_device (), -1,
          &error));
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_buffer_import (gpu_fixture_device (),
          ends[0], &error));
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_buffer_import (gpu_fixture_device (),
          empty, &error));
  close (ends[0]);
  close (ends[1]);
  close (empty);
}

/* A device that lacks the extensions says so. */
TEST (unsupported)
{
  GpuDevice *device = gpu_fixture_open_another ();
  gint fd = new_memfd (SIZE);

  device->info.imports_dmabufs = FALSE;
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_buffer_import (device, fd, &error));
  close (fd);
  gpu_device_unref (device);
}

GPU_FIXTURE_MAIN ("/import/", gpu_fixture_add_test)
