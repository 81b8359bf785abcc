/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that the CPU sees through a cache of its own. */
#include "memory_fixture.h"
#include "gpu_hooks.h"

/* What happened, in order: F, I, S for flush, invalidate, submit. */
static struct
{
  GString *calls;
  VkMappedMemoryRange last;
  VkResult result;              /* of a flush */
} seen;

static VkResult VKAPI_CALL
see_flush (VkDevice device, uint32_t n, const VkMappedMemoryRange * ranges)
{
  g_assert_cmpuint (n, ==, 1);
  g_string_append_c (seen.calls, 'F');
  seen.last = *ranges;
  return seen.result;
}

static VkResult VKAPI_CALL
see_invalidate (VkDevice device, uint32_t n, const VkMappedMemoryRange * ranges)
{
  g_assert_cmpuint (n, ==, 1);
  g_string_append_c (seen.calls, 'I');
  seen.last = *ranges;
  return VK_SUCCESS;
}

static VkResult VKAPI_CALL
see_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  /* The last batch of a submission has it. */
  if (fence)
    g_string_append_c (seen.calls, 'S');
  return gpu_hooks_get_driver ()->vkQueueSubmit (queue, n, infos, fence);
}

/* What the fixture says of memory. */
static void (*edit_device) (GpuDevice * device);

/* The host sees all memory through its cache, but for what is the device's own
 * and was not cached before. */
static void
cache_memory (GpuDevice * device)
{
  VkPhysicalDeviceMemoryProperties *memory = &device->memory;

  for (guint i = 0; i < memory->memoryTypeCount; i++) {
    VkMemoryPropertyFlags *flags = &memory->memoryTypes[i].propertyFlags;

    if (!(*flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))
      *flags |= VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    *flags &= ~(VkMemoryPropertyFlags) VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  }
  /* Only what is done to frames counts. */
  device->queries_wait = FALSE;
  if (edit_device)
    edit_device (device);
}

static void
open_cached_fixture (MemoryFixture * f)
{
  edit_device = gpu_device_edit;
  gpu_device_edit = cache_memory;
  *f = memory_fixture_open ();
  gpu_device_edit = edit_device;
  seen.calls = g_string_new (NULL);
  seen.result = VK_SUCCESS;
  gpu_hooks_install (f->device);
  f->device->vk.vkFlushMappedMemoryRanges = see_flush;
  f->device->vk.vkInvalidateMappedMemoryRanges = see_invalidate;
  f->device->vk.vkQueueSubmit = see_submit;
}

static void
close_cached_fixture (MemoryFixture * f)
{
  gpu_hooks_remove (f->device);
  g_string_free (seen.calls, TRUE);
  memory_fixture_close (f);
}

/* Also forgets. */
static void
assert_seen (const gchar * calls)
{
  g_assert_cmpstr (seen.calls->str, ==, calls);
  g_string_truncate (seen.calls, 0);
}

/* What the CPU wrote, and what it cleared at first, leaves its cache before anybody
 * else can come: a line of it that is written back later would land on what the
 * device wrote since. */
TEST (not_coherent)
{
  MemoryFixture f;
  GstMemory *a, *b;
  VkMappedMemoryRange range_of_a, range_of_b;

  open_cached_fixture (&f);
  a = memory_fixture_alloc (&f);
  b = memory_fixture_alloc (&f);

  memory_fixture_write (a, 1);
  range_of_a = seen.last;
  assert_seen ("FF");
  memory_fixture_write (b, 2);
  range_of_b = seen.last;
  assert_seen ("FF");
  g_assert_cmpuint (range_of_a.size, >=, MEMORY_FIXTURE_SIZE);
  g_assert_true (range_of_a.memory != range_of_b.memory
      || range_of_a.offset != range_of_b.offset);

  /* The upload needs no more; what comes down is invalidated once, when it is
   * mapped. */
  memory_fixture_copy (&f, a, b, TRUE);
  assert_seen ("S");
  memory_fixture_assert_bytes (b, 1);
  assert_seen ("I");
  g_assert_true (seen.last.memory == range_of_b.memory);
  g_assert_cmpuint (seen.last.offset, ==, range_of_b.offset);
  g_assert_cmpuint (seen.last.size, ==, range_of_b.size);
  memory_fixture_assert_bytes (b, 1);
  memory_fixture_assert_bytes (a, 1);
  assert_seen ("");

  /* Also where a map that writes brings the content down itself. */
  memory_fixture_copy (&f, a, b, FALSE);
  memory_fixture_write (b, 3);
  assert_seen (fixture_transfers (1) ? "SSIF" : "SIF");

  gst_memory_unref (a);
  gst_memory_unref (b);
  close_cached_fixture (&f);
}

/* Who unmaps learns nothing of it; the element does. Memory that cannot be cleared
 * is not mapped. */
TEST (failing_flush)
{
  MemoryFixture f;
  GstMemory *a;
  GstMapInfo map;

  open_cached_fixture (&f);
  a = memory_fixture_alloc (&f);
  seen.result = VK_ERROR_OUT_OF_HOST_MEMORY;
  g_assert_false (gst_memory_map (a, &map, GST_MAP_WRITE));
  g_assert_cmpuint (memory_fixture_counts.failures, ==, 1);
  seen.result = VK_SUCCESS;
  memory_fixture_write (a, 1);
  g_assert_cmpuint (memory_fixture_counts.failures, ==, 1);
  seen.result = VK_ERROR_OUT_OF_HOST_MEMORY;
  memory_fixture_write (a, 2);
  g_assert_cmpuint (memory_fixture_counts.failures, ==, 2);
  g_assert_cmpint (memory_fixture_last_error (), ==, GPU_ERROR_OUT_OF_MEMORY);
  gst_memory_unref (a);
  close_cached_fixture (&f);
}

FIXTURE_MAIN ("/memory/")
