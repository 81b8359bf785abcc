/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/memory/bufferhandle.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "played_memory.h"
#include "tests.h"

#include <string.h>

static GpuBuffer *
new_buffer (GpuDevice * device, GpuBufferKind kind, gsize size)
{
  return OK (gpu_buffer_new (device, kind, size, "a test", &error));
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

TEST (sizes)
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

/* A buffer that is large enough stays, also if a larger one cannot be had. */
TEST (ensure)
{
  static const struct
  {
    gsize asked, got;
    gboolean stays;
  } cases[] = { {100, 100, FALSE}, {60, 100, TRUE}, {101, 104, FALSE} };
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuBuffer) buffer = NULL;
  GpuBuffer *before;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    before = buffer;
    OK (gpu_buffer_ensure (&buffer, device, cases[i].asked, "a test", &error));
    g_assert_cmpuint (gpu_buffer_get_size (buffer), ==, cases[i].got);
    g_assert_true (!cases[i].stays || buffer == before);
    g_assert_null (gpu_buffer_get_data (buffer));
  }
  before = buffer;
  FAILS (GPU_ERROR_TOO_LARGE, gpu_buffer_ensure (&buffer, device,
          gpu_device_get_info (device)->max_binding + (gsize) 1, "a test",
          &error));
  g_assert_true (buffer == before);
}

TEST (too_large)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
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
  /* No more than there are buffers of. */
  device->info.max_buffer = 50000;
  assert_fails (device, 50004, GPU_ERROR_TOO_LARGE, "at most 50000");
}

GPU_HOOK_RETURNS (refuse_create, VK_ERROR_OUT_OF_HOST_MEMORY, VkDevice device,
    const VkBufferCreateInfo * info, const VkAllocationCallbacks * allocator,
    VkBuffer * buffer);

GPU_HOOK_RETURNS (refuse_allocate, VK_ERROR_OUT_OF_DEVICE_MEMORY,
    VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory);

GPU_HOOK_RETURNS (refuse_bind, VK_ERROR_OUT_OF_DEVICE_MEMORY, VkDevice device,
    VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset);

TEST (failures)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
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
}

/* --- memory that is not coherent --- */

#define ATOM 128

static VkMemoryPropertyFlags coherence;
static VkResult range_result;
static VkMappedMemoryRange last_range;
static GString *calls;          /* a letter for each */

/* All of it is seen by the host, through its cache. */
static void
cache_memory (GpuDevice * device)
{
  VkPhysicalDeviceMemoryProperties *memory = &device->memory;

  for (guint i = 0; i < memory->memoryTypeCount; i++)
    memory->memoryTypes[i].propertyFlags =
        (memory->memoryTypes[i].propertyFlags
        & ~(VkMemoryPropertyFlags) VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
        | VK_MEMORY_PROPERTY_HOST_CACHED_BIT | coherence;
}

static VkResult VKAPI_CALL
see_flush (VkDevice device, uint32_t n, const VkMappedMemoryRange * ranges)
{
  g_assert_cmpuint (n, ==, 1);
  g_string_append_c (calls, 'f');
  last_range = *ranges;
  return range_result;
}

static VkResult VKAPI_CALL
see_invalidate (VkDevice device, uint32_t n, const VkMappedMemoryRange * ranges)
{
  g_assert_cmpuint (n, ==, 1);
  g_string_append_c (calls, 'i');
  last_range = *ranges;
  return range_result;
}

static GpuDevice *
open_cached (VkMemoryPropertyFlags flags)
{
  void (*edit) (GpuDevice *) = gpu_device_edit;
  GpuDevice *device;

  coherence = flags;
  gpu_device_edit = cache_memory;
  device = gpu_fixture_open_another ();
  gpu_device_edit = edit;
  device->vk.vkFlushMappedMemoryRanges = see_flush;
  device->vk.vkInvalidateMappedMemoryRanges = see_invalidate;
  device->atom = ATOM;
  range_result = VK_SUCCESS;
  calls = g_string_new (NULL);
  return device;
}

static void
close_cached (GpuDevice * device)
{
  g_string_free (g_steal_pointer (&calls), TRUE);
  gpu_device_unref (device);
}

static void
assert_range (GpuBuffer * buffer)
{
  g_assert_true (last_range.memory == buffer->piece.memory);
  g_assert_cmpuint (last_range.offset % ATOM, ==, 0);
  g_assert_cmpuint (last_range.size % ATOM, ==, 0);
  g_assert_cmpuint (last_range.offset, ==, buffer->piece.offset);
  g_assert_cmpuint (last_range.size, >=, buffer->size);
}

static void
assert_calls (const gchar * expected)
{
  g_assert_cmpstr (calls->str, ==, expected);
  g_string_truncate (calls, 0);
}

/* Each buffer its own bytes, all of them and no others'. */
TEST (ranges)
{
  static const gsize sizes[] = { 4, 1000, ATOM, ATOM + 4, 40 << 20 };
  GpuDevice *device = open_cached (0);
  GpuBuffer *buffers[G_N_ELEMENTS (sizes)], *local;
  guint64 end = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    buffers[i] = new_buffer (device, GPU_BUFFER_HOST, sizes[i]);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_assert_true (gpu_buffer_flush (buffers[i], NULL));
    assert_calls ("f");
    assert_range (buffers[i]);
    if (last_range.memory == buffers[0]->piece.memory) {
      g_assert_cmpuint (last_range.offset, >=, end);
      end = last_range.offset + last_range.size;
    }
    g_assert_true (gpu_buffer_invalidate (buffers[i], NULL));
    assert_calls ("i");
    assert_range (buffers[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    gpu_buffer_unref (buffers[i]);
  /* The CPU cannot reach it, whatever its memory is. */
  local = new_buffer (device, GPU_BUFFER_DEVICE, 4);
  g_assert_true (gpu_buffer_flush (local, NULL));
  g_assert_true (gpu_buffer_invalidate (local, NULL));
  assert_calls ("");
  gpu_buffer_unref (local);
  close_cached (device);
}

TEST (coherent)
{
  GpuDevice *device = open_cached (VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  GpuBuffer *buffer = new_buffer (device, GPU_BUFFER_HOST, 1000);

  g_assert_true (gpu_buffer_flush (buffer, NULL));
  g_assert_true (gpu_buffer_invalidate (buffer, NULL));
  assert_calls ("");
  gpu_buffer_unref (buffer);
  close_cached (device);
}

/* A driver that has no room for something says nothing of the device. */
TEST (failing_ranges)
{
  static const struct
  {
    VkResult result;
    gint code;
  } failures[] = {
    {VK_ERROR_OUT_OF_HOST_MEMORY, GPU_ERROR_OUT_OF_MEMORY},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, GPU_ERROR_OUT_OF_MEMORY},
    {VK_ERROR_DEVICE_LOST, GPU_ERROR_LOST},
  };
  GpuDevice *device = open_cached (0);
  GpuBuffer *buffer = new_buffer (device, GPU_BUFFER_HOST, 1000);
  GError *error = NULL;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (failures); i++) {
    range_result = failures[i / 2].result;
    g_assert_false (i % 2 ? gpu_buffer_flush (buffer, &error)
        : gpu_buffer_invalidate (buffer, &error));
    g_assert_error (error, GPU_ERROR, failures[i / 2].code);
    g_clear_error (&error);
    g_assert_cmpint (gpu_device_is_lost (device), ==,
        failures[i / 2].code == GPU_ERROR_LOST);
  }
  gpu_buffer_unref (buffer);
  close_cached (device);
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

TEST (name)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();

  device->set_object_name = see_name;
  gpu_buffer_unref (new_buffer (device, GPU_BUFFER_DEVICE, 4));
  g_assert_cmpstr (last_name, ==, "a test");
  g_clear_pointer (&last_name, g_free);
  device->set_object_name = NULL;
  gpu_buffer_unref (new_buffer (device, GPU_BUFFER_DEVICE, 4));
  g_assert_null (last_name);
}

/* A buffer is all that its user has to hold. */
TEST (outlives_device)
{
  GpuDevice *device = gpu_fixture_open_another ();
  GpuBuffer *buffer = new_buffer (device, GPU_BUFFER_HOST, 4000);
  g_autoptr (GpuBuffer) again = gpu_buffer_ref (buffer);

  gpu_device_unref (device);
  gpu_buffer_unref (buffer);
  memset (gpu_buffer_get_data (again), 1, 4000);
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

TEST (threads)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("buffers", make_and_check,
        GUINT_TO_POINTER (16 * i));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* --- one memory for the CPU and the device --- */

#define LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define VISIBLE VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define COHERENT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
#define CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
#define WITH_FEATURE VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD

static const VkMemoryPropertyFlags *types;      /* 0 ends them */

static void
have_types (GpuDevice * device)
{
  VkPhysicalDeviceMemoryProperties *memory = &device->memory;

  memory->memoryTypeCount = 0;
  for (guint i = 0; types[i]; i++)
    memory->memoryTypes[memory->memoryTypeCount++] = (VkMemoryType) {types[i],
      0};
}

TEST (unified)
{
  static const struct
  {
    VkMemoryPropertyFlags types[4];
    gboolean is_unified, is_unified_if_integrated;
  } cases[] = {
    {{LOCAL | VISIBLE | COHERENT | CACHED}, TRUE, TRUE},
    {{LOCAL, VISIBLE | COHERENT, LOCAL | VISIBLE | CACHED}, TRUE, TRUE},
    {{VISIBLE | COHERENT | CACHED, LOCAL | VISIBLE | CACHED}, TRUE, TRUE},
    {{LOCAL, VISIBLE | COHERENT | CACHED}, FALSE, TRUE},
    {{LOCAL, VISIBLE | COHERENT, VISIBLE | CACHED}, FALSE, TRUE},
    /* Seen through the bus. */
    {{LOCAL, VISIBLE | COHERENT | CACHED, LOCAL | VISIBLE | COHERENT}, FALSE,
        TRUE},
    {{LOCAL | VISIBLE | COHERENT,
            LOCAL | VISIBLE | COHERENT | CACHED | WITH_FEATURE}, FALSE, FALSE},
    {{LOCAL, VISIBLE | COHERENT}, FALSE, FALSE},
    {{LOCAL}, FALSE, FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GpuDevice *device;

    types = cases[i].types;
    device = gpu_fixture_open_another ();
    have_types (device);
    device->info.kind = GPU_DEVICE_DISCRETE;
    g_assert_cmpint (gpu_device_has_unified_memory (device), ==,
        cases[i].is_unified);
    device->info.kind = GPU_DEVICE_INTEGRATED;
    g_assert_cmpint (gpu_device_has_unified_memory (device), ==,
        cases[i].is_unified_if_integrated);
    gpu_device_unref (device);
  }
}

/* What shaders alone use stays in what the driver calls the device's own, what the CPU
 * uses is cached, and nothing is of a type that needs a feature. */
TEST (amd)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  GpuBuffer *buffers[2];

  played_memory_be_amd (device, GPU_DEVICE_INTEGRATED);
  buffers[GPU_BUFFER_DEVICE] = new_buffer (device, GPU_BUFFER_DEVICE, 1000);
  buffers[GPU_BUFFER_HOST] = new_buffer (device, GPU_BUFFER_HOST, 1000);
  g_assert_cmphex (buffers[GPU_BUFFER_DEVICE]->piece.flags, ==, LOCAL);
  g_assert_null (gpu_buffer_get_data (buffers[GPU_BUFFER_DEVICE]));
  g_assert_cmphex (buffers[GPU_BUFFER_HOST]->piece.flags, ==,
      VISIBLE | COHERENT | CACHED);
  g_assert_nonnull (gpu_buffer_get_data (buffers[GPU_BUFFER_HOST]));
  gpu_buffer_unref (buffers[GPU_BUFFER_DEVICE]);
  gpu_buffer_unref (buffers[GPU_BUFFER_HOST]);
}

GPU_FIXTURE_MAIN ("/buffer/", gpu_fixture_add_test)
