/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who waits for whom: maps, and what the device reads and writes. */
#include "memory_fixture.h"
#include "gpu_hooks.h"
#include "lazy_device.h"

/* Whoever writes again waits for the upload that still reads; whoever only
 * reads does not. */
TEST (overwrite)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);

  lazy_device_begin (f.device);
  memory_fixture_write (a, 3);
  memory_fixture_copy (&f, a, b, FALSE);
  memory_fixture_assert_bytes (a, 3);
  memory_fixture_assert_events (0, 0, 0);
  memory_fixture_write (a, 4);
  memory_fixture_assert_events (0, 0, 1);
  memory_fixture_assert_bytes (b, 3);

  lazy_device_end (f.device);
}

/* Two streams read one memory: a write waits for both. */
TEST (two_readers)
{
  g_autoptr (GError) error = NULL;
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) c = memory_fixture_alloc (&f);
  GpuStream *first;
  GstGpuAccess read, write;
  GpuTicket ticket = { NULL, 0 };

  lazy_device_begin (f.device);
  memory_fixture_write (a, 5);

  /* Both recordings find the device's side stale, as neither has ended; the
   * one that is submitted first ends last. */
  first = f.stream;
  g_assert_true (gpu_stream_begin (first, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, a, first, &error));
  g_assert_true (gst_gpu_access_begin_write (&write, b, first, &error));
  gpu_stream_copy (first, read.buffer, 0, write.buffer, 0, MEMORY_FIXTURE_SIZE);
  g_assert_true (gpu_stream_submit (first, &ticket, &error));
  f.stream = gpu_stream_new (f.device, 3, "second", &error);
  memory_fixture_assert_upload (&f, a, c, FALSE);
  gst_gpu_access_end (&read, &ticket);
  gst_gpu_access_end (&write, &ticket);
  gpu_ticket_clear (&ticket);

  memory_fixture_write (a, 6);
  memory_fixture_assert_bytes (b, 5);
  memory_fixture_assert_bytes (c, 5);

  lazy_device_end (f.device);
  gpu_stream_unref (first);
}

static struct
{
  PFN_vkWaitForFences wait;
  GstGpuAccess *access;         /* what ends after the first wait, then NULL */
  const GpuTicket *ticket;
} late;

static VkResult
wait_and_end_access (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  VkResult result = late.wait (device, n, fences, all, timeout);
  GstGpuAccess *access = g_steal_pointer (&late.access);

  if (access)
    gst_gpu_access_end (access, late.ticket);
  return result;
}

/* While a write waits for one reader, another takes its place. */
TEST (late_reader)
{
  g_autoptr (GError) error = NULL;
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) c = memory_fixture_alloc (&f);
  GpuStream *second;
  GstGpuAccess read, write;
  GpuTicket ticket = { NULL, 0 };

  lazy_device_begin (f.device);
  memory_fixture_write (a, 5);
  second = gpu_stream_new (f.device, 3, "second", &error);
  g_assert_true (gpu_stream_begin (second, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, a, second, &error));
  g_assert_true (gst_gpu_access_begin_write (&write, c, second, &error));
  gpu_stream_copy (second, read.buffer, 0, write.buffer, 0,
      MEMORY_FIXTURE_SIZE);
  memory_fixture_assert_upload (&f, a, b, FALSE);
  g_assert_true (gpu_stream_submit (second, &ticket, &error));
  gst_gpu_access_end (&write, &ticket);

  late.wait = f.device->vk.vkWaitForFences;
  late.access = &read;
  late.ticket = &ticket;
  f.device->vk.vkWaitForFences = wait_and_end_access;
  memory_fixture_write (a, 6);
  g_assert_null (late.access);
  f.device->vk.vkWaitForFences = late.wait;
  memory_fixture_assert_bytes (b, 5);
  memory_fixture_assert_bytes (c, 5);

  gpu_ticket_clear (&ticket);
  lazy_device_end (f.device);
  gpu_stream_unref (second);
}

static gpointer
map_and_check (gpointer memory)
{
  memory_fixture_assert_bytes (memory, 8);
  return NULL;
}

TEST (concurrent_maps)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);
  GThread *threads[8];

  memory_fixture_write (a, 8);
  for (guint round = 0; round < 20; round++) {
    memory_fixture_copy (&f, a, b, round % 2);
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      threads[i] = g_thread_new ("map", map_and_check, b);
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      g_thread_join (threads[i]);
  }
  /* One of the eight, each time that none was recorded. */
  g_assert_cmpuint (memory_fixture_counts.downloads, ==,
      fixture_transfers (10));
}

#define N_STUCK 4

/* Threads other than the first stay inside their wait until let go. */
static struct
{
  GThread *first;
  GMutex lock;
  GCond changed;
  guint inside;
  gboolean may_leave;
} stuck;

static VkResult VKAPI_CALL
get_stuck (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  if (g_thread_self () != stuck.first) {
    g_mutex_lock (&stuck.lock);
    stuck.inside++;
    g_cond_broadcast (&stuck.changed);
    while (!stuck.may_leave)
      g_cond_wait (&stuck.changed, &stuck.lock);
    g_mutex_unlock (&stuck.lock);
  }
  return gpu_hooks_get_driver ()->vkWaitForFences (device, n, fences, all,
      timeout);
}

static VkResult VKAPI_CALL
be_busy (VkDevice device, VkFence fence)
{
  gboolean is_busy;

  g_mutex_lock (&stuck.lock);
  is_busy = g_thread_self () != stuck.first && !stuck.may_leave;
  g_mutex_unlock (&stuck.lock);
  return is_busy ? VK_NOT_READY
      : gpu_hooks_get_driver ()->vkGetFenceStatus (device, fence);
}

static void
wait_until_all_are_stuck (void)
{
  g_mutex_lock (&stuck.lock);
  while (stuck.inside < N_STUCK)
    g_cond_wait (&stuck.changed, &stuck.lock);
  g_mutex_unlock (&stuck.lock);
}

static void
let_go (void)
{
  g_mutex_lock (&stuck.lock);
  stuck.may_leave = TRUE;
  g_cond_broadcast (&stuck.changed);
  g_mutex_unlock (&stuck.lock);
}

/* However many maps wait for a device that is busy, each waits for its own
 * work alone, and nobody else waits for them: not who reads the same memories
 * on the device, nor who makes, maps or frees others. A lock that is held for
 * too long shows as a test that never ends. */
TEST (busy_device)
{
  g_autoptr (GError) error = NULL;
  g_auto (MemoryFixture) f = memory_fixture_open ();
  GThread *threads[N_STUCK];
  GstMemory *source, *target, *memories[N_STUCK];

  /* Without a slot to wait for. */
  gpu_stream_unref (f.stream);
  f.stream = gpu_stream_new (f.device, 2 * N_STUCK, "test", &error);
  g_assert_no_error (error);
  source = memory_fixture_alloc (&f);
  target = memory_fixture_alloc (&f);
  memory_fixture_write (source, 8);
  for (guint i = 0; i < N_STUCK; i++) {
    memories[i] = memory_fixture_alloc (&f);
    memory_fixture_copy (&f, source, memories[i], FALSE);
  }

  gpu_hooks_install (f.device);
  f.device->vk.vkWaitForFences = get_stuck;
  f.device->vk.vkGetFenceStatus = be_busy;
  stuck.first = g_thread_self ();
  stuck.inside = 0;
  stuck.may_leave = FALSE;
  for (guint i = 0; i < N_STUCK; i++)
    threads[i] = g_thread_new ("map", map_and_check, memories[i]);
  wait_until_all_are_stuck ();

  for (guint i = 0; i < N_STUCK; i++)
    memory_fixture_copy (&f, memories[i], target, FALSE);
  memory_fixture_assert_bytes (target, 8);
  gst_memory_unref (target);
  gst_memory_unref (source);
  g_assert_cmpuint (memory_fixture_counts.downloads, ==, fixture_transfers (1));

  let_go ();
  for (guint i = 0; i < N_STUCK; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (memory_fixture_counts.downloads, ==,
      fixture_transfers (1 + N_STUCK));
  for (guint i = 0; i < N_STUCK; i++)
    gst_memory_unref (memories[i]);
  gpu_hooks_remove (f.device);
}

static struct
{
  MemoryFixture *fixture;
  GstMemory *from, *to;
} late_write;

static VkResult VKAPI_CALL
write_while_waiting (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  MemoryFixture *f = late_write.fixture;

  late_write.fixture = NULL;
  if (f)
    memory_fixture_copy (f, late_write.from, late_write.to, FALSE);
  return gpu_hooks_get_driver ()->vkWaitForFences (device, n, fences, all,
      timeout);
}

/* The device is told to write what a map waits for already. */
TEST (write_while_mapping)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) c = memory_fixture_alloc (&f);

  memory_fixture_write (a, 8);
  memory_fixture_write (b, 9);
  lazy_device_begin (f.device);
  memory_fixture_copy (&f, a, c, FALSE);
  late_write.fixture = &f;
  late_write.from = b;
  late_write.to = c;
  gpu_hooks_install (f.device);
  f.device->vk.vkWaitForFences = write_while_waiting;
  memory_fixture_assert_bytes (c, 9);
  memory_fixture_assert_bytes (c, 9);
  g_assert_cmpuint (memory_fixture_counts.downloads, ==, fixture_transfers (1));

  gpu_hooks_remove (f.device);
  lazy_device_end (f.device);
}

FIXTURE_MAIN ("/memory/")
