/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/bufferhandle.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"

#include <string.h>

static GpuBuffer *
new_buffer (GpuDevice * device, GpuBufferKind kind, gsize size)
{
  g_autoptr (GError) error = NULL;
  GpuBuffer *buffer = gpu_buffer_new (device, kind, size, "a test", &error);

  g_assert_no_error (error);
  return buffer;
}

/* Fails, says so in these words and leaves nothing behind. */
static void
assert_fails (GpuDevice * device, gsize size, GpuError code,
    const gchar * words)
{
  g_autoptr (GError) error = NULL;
  gint alive = gpu_hooks_get_alive ();

  g_assert_null (gpu_buffer_new (device, GPU_BUFFER_HOST, size, "a test",
          &error));
  g_assert_error (error, GPU_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_cmpint (gpu_hooks_get_alive (), ==, alive);
}

static void
test_sizes (void)
{
  GpuDevice *device = gpu_fixture_device ();
  static const struct
  {
    gsize asked, got;
  } sizes[] = { {1, 4}, {3, 4}, {4, 4}, {5, 8}, {100000, 100000} };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GpuBuffer) host =
        new_buffer (device, GPU_BUFFER_HOST, sizes[i].asked);
    g_autoptr (GpuBuffer) local =
        new_buffer (device, GPU_BUFFER_DEVICE, sizes[i].asked);

    g_assert_cmpuint (gpu_buffer_get_size (host), ==, sizes[i].got);
    g_assert_cmpuint (gpu_buffer_get_size (local), ==, sizes[i].got);
    g_assert_true (gpu_buffer_get_device (host) == device);
    g_assert_nonnull (gpu_buffer_get_data (host));
    g_assert_null (gpu_buffer_get_data (local));
    memset (gpu_buffer_get_data (host), 1, sizes[i].got);
  }
}

static void
test_too_large (void)
{
  GpuDevice *device = gpu_fixture_open_another ();
  g_autofree gchar *limit = NULL;

  gpu_hooks_install (device);
  /* The largest one of a device whose limit is no whole number of words. */
  device->info.max_binding = 100003;
  gpu_buffer_unref (new_buffer (device, GPU_BUFFER_HOST, 100000));
  limit = g_strdup_printf ("at most %" G_GSIZE_FORMAT,
      device->info.max_binding);
  assert_fails (device, 100001, GPU_ERROR_TOO_LARGE, limit);
  assert_fails (device, 100003, GPU_ERROR_TOO_LARGE, limit);
  assert_fails (device, G_MAXSIZE - 1, GPU_ERROR_TOO_LARGE, limit);
  gpu_device_unref (device);
}

static VkResult VKAPI_CALL
refuse_create (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult VKAPI_CALL
refuse_allocate (VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory)
{
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VkResult VKAPI_CALL
refuse_bind (VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
    VkDeviceSize offset)
{
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static void
test_failures (void)
{
  GpuDevice *device = gpu_fixture_open_another ();
  struct VolkDeviceTable *vk = &device->vk;
  struct VolkDeviceTable hooked;
  GpuBuffer *before, *after;
  VkDeviceSize offset;

  gpu_hooks_install (device);
  hooked = *vk;
  vk->vkCreateBuffer = refuse_create;
  assert_fails (device, 4, GPU_ERROR_OUT_OF_MEMORY, "a test");
  *vk = hooked;
  vk->vkAllocateMemory = refuse_allocate;
  assert_fails (device, 4, GPU_ERROR_OUT_OF_MEMORY, "a test: allocating");
  *vk = hooked;

  /* Where binding fails, the piece of memory goes back too. */
  before = new_buffer (device, GPU_BUFFER_HOST, 4);
  offset = before->piece.offset;
  gpu_buffer_unref (before);
  vk->vkBindBufferMemory = refuse_bind;
  assert_fails (device, 4, GPU_ERROR_OUT_OF_MEMORY, "a test");
  *vk = hooked;
  after = new_buffer (device, GPU_BUFFER_HOST, 4);
  g_assert_cmpuint (after->piece.offset, ==, offset);
  gpu_buffer_unref (after);

  gpu_device_mark_lost (device);
  assert_fails (device, 4, GPU_ERROR_LOST, "lost");
  gpu_device_unref (device);
}

/* --- memory that is not coherent --- */

static guint flushes, invalidations;
static VkMappedMemoryRange last_range;
static VkResult range_result;

static VkResult VKAPI_CALL
see_flush (VkDevice device, uint32_t n, const VkMappedMemoryRange * ranges)
{
  g_assert_cmpuint (n, ==, 1);
  flushes++;
  last_range = *ranges;
  return range_result;
}

static VkResult VKAPI_CALL
see_invalidate (VkDevice device, uint32_t n, const VkMappedMemoryRange * ranges)
{
  g_assert_cmpuint (n, ==, 1);
  invalidations++;
  last_range = *ranges;
  return range_result;
}

static void
assert_range (GpuBuffer * buffer, guint64 atom)
{
  g_assert_true (last_range.memory == buffer->piece.memory);
  g_assert_cmpuint (last_range.offset % atom, ==, 0);
  g_assert_cmpuint (last_range.size % atom, ==, 0);
  g_assert_cmpuint (last_range.offset, ==, buffer->piece.offset);
  g_assert_cmpuint (last_range.size, >=, buffer->size);
}

static void
test_coherence (void)
{
  GpuDevice *device = gpu_fixture_open_another ();
  guint32 type = gpu_heap_get_memory_type (device->heaps[GPU_BUFFER_HOST]);
  VkMemoryPropertyFlags *flags =
      &device->memory.memoryTypes[type].propertyFlags;
  g_autoptr (GpuBuffer) a = NULL;
  g_autoptr (GpuBuffer) b = NULL;

  flushes = invalidations = 0;
  range_result = VK_SUCCESS;
  device->vk.vkFlushMappedMemoryRanges = see_flush;
  device->vk.vkInvalidateMappedMemoryRanges = see_invalidate;
  device->atom = 128;
  a = new_buffer (device, GPU_BUFFER_HOST, 4);
  b = new_buffer (device, GPU_BUFFER_HOST, 1000);

  *flags |= VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  gpu_buffer_flush (b);
  gpu_buffer_invalidate (b);
  g_assert_cmpuint (flushes + invalidations, ==, 0);

  *flags &= ~VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  gpu_buffer_flush (b);
  g_assert_cmpuint (flushes, ==, 1);
  assert_range (b, device->atom);
  gpu_buffer_invalidate (a);
  g_assert_cmpuint (invalidations, ==, 1);
  assert_range (a, device->atom);
  g_assert_false (gpu_device_is_lost (device));

  range_result = VK_ERROR_OUT_OF_HOST_MEMORY;
  gpu_buffer_flush (a);
  g_assert_true (gpu_device_is_lost (device));
  g_atomic_int_set (&device->lost, FALSE);
  gpu_buffer_invalidate (a);
  g_assert_true (gpu_device_is_lost (device));
  gpu_device_unref (device);
}

static gchar *last_name;

static VkResult VKAPI_CALL
see_name (VkDevice device, const VkDebugUtilsObjectNameInfoEXT * info)
{
  g_assert_cmpint (info->objectType, ==, VK_OBJECT_TYPE_BUFFER);
  g_free (last_name);
  last_name = g_strdup (info->pObjectName);
  return VK_SUCCESS;
}

static void
test_name (void)
{
  GpuDevice *device = gpu_fixture_open_another ();

  device->set_object_name = see_name;
  gpu_buffer_unref (new_buffer (device, GPU_BUFFER_DEVICE, 4));
  g_assert_cmpstr (last_name, ==, "a test");
  g_clear_pointer (&last_name, g_free);
  device->set_object_name = NULL;
  gpu_buffer_unref (new_buffer (device, GPU_BUFFER_DEVICE, 4));
  g_assert_null (last_name);
  gpu_device_unref (device);
}

/* A buffer is all that its user has to hold. */
static void
test_outlives_device (void)
{
  GpuDevice *device = gpu_fixture_open_another ();
  GpuBuffer *buffer = new_buffer (device, GPU_BUFFER_HOST, 4000);
  GpuBuffer *again = gpu_buffer_ref (buffer);

  gpu_device_unref (device);
  gpu_buffer_unref (buffer);
  memset (gpu_buffer_get_data (again), 1, 4000);
  gpu_buffer_unref (again);
}

static gpointer
make_and_check (gpointer data)
{
  guint8 mark = GPOINTER_TO_UINT (data);

  for (guint round = 0; round < 50; round++) {
    GpuBuffer *buffers[5];

    for (guint i = 0; i < G_N_ELEMENTS (buffers); i++) {
      buffers[i] = new_buffer (gpu_fixture_device (), GPU_BUFFER_HOST,
          100 + 300 * i);
      memset (gpu_buffer_get_data (buffers[i]), mark + i, 100 + 300 * i);
    }
    for (guint i = 0; i < G_N_ELEMENTS (buffers); i++) {
      guint8 *bytes = gpu_buffer_get_data (buffers[i]);

      for (guint k = 0; k < 100 + 300 * i; k++)
        g_assert_cmpuint (bytes[k], ==, mark + i);
      gpu_buffer_unref (buffers[i]);
    }
  }
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("buffers", make_and_check,
        GUINT_TO_POINTER (16 * i));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/buffer/sizes", test_sizes);
  gpu_fixture_add_test ("/buffer/too-large", test_too_large);
  gpu_fixture_add_test ("/buffer/failures", test_failures);
  gpu_fixture_add_test ("/buffer/coherence", test_coherence);
  gpu_fixture_add_test ("/buffer/name", test_name);
  gpu_fixture_add_test ("/buffer/outlives-device", test_outlives_device);
  gpu_fixture_add_test ("/buffer/threads", test_threads);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
