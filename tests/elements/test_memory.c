/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GstGpuMemory by itself: which side is valid, who waits for what. */
#include "element_fixture.h"
#include "gpu_hooks.h"
#include "gst/common/gstgpucontext.h"
#include "gst/memory/gstgpubufferpool.h"
#include "gst/memory/gstgpumemory.h"
#include "lazy_device.h"

#define SIZE 4096

static guint events[GST_GPU_MAP_FAILED + 1];
static gint last_error_code;

static void
note_event (GstElement * owner, GstGpuAllocator * allocator,
    GstGpuMapEvent event, const GError * error)
{
  g_atomic_int_inc (&events[event]);
  g_assert_true ((error != NULL) == (event == GST_GPU_MAP_FAILED));
  if (error) {
    g_assert_true (error->domain == GPU_ERROR);
    last_error_code = error->code;
  }
}

typedef struct
{
  GpuDevice *device;
  GstElement *owner;
  GstAllocator *allocator;
  GpuStream *stream;
} Fixture;

static void
open_fixture (Fixture * f)
{
  g_autoptr (GError) error = NULL;

  f->device = gpu_device_open (g_getenv ("GPU_TEST_DEVICE"), &error);
  g_assert_no_error (error);
  f->owner = gst_object_ref_sink (element_fixture_make ("gpublur"));
  f->allocator = gst_gpu_allocator_new (f->device, f->owner, note_event);
  f->stream = gpu_stream_new (f->device, 2, "test", &error);
  g_assert_no_error (error);
  memset (events, 0, sizeof events);
}

static void
close_fixture (Fixture * f)
{
  g_clear_pointer (&f->stream, gpu_stream_unref);
  gst_clear_object (&f->allocator);
  gst_clear_object (&f->owner);
  g_clear_pointer (&f->device, gpu_device_unref);
}

/* @downloads: by maps, where there are two sides. */
static void
assert_events (guint downloads, guint result_waits, guint reader_waits)
{
  g_assert_cmpuint (events[GST_GPU_MAP_DOWNLOADED], ==,
      element_fixture_transfers (downloads));
  g_assert_cmpuint (events[GST_GPU_MAP_WAITED_FOR_RESULT], ==, result_waits);
  g_assert_cmpuint (events[GST_GPU_MAP_WAITED_FOR_READERS], ==, reader_waits);
  g_assert_cmpuint (events[GST_GPU_MAP_FAILED], ==, 0);
}

static void
write_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, value, map.size);
  gst_memory_unmap (memory, &map);
}

static void
assert_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    g_assert_cmpuint (map.data[i], ==, value);
  gst_memory_unmap (memory, &map);
}

/* Submits a copy of one memory to another; returns whether it uploaded. */
static gboolean
copy_on_device (Fixture * f, GstMemory * from, GstMemory * to,
    gboolean download)
{
  g_autoptr (GError) error = NULL;
  GstGpuAccess read, write;
  GpuTicket ticket = { NULL, 0 };
  gboolean uploaded;

  g_assert_true (gpu_stream_begin (f->stream, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, from, f->stream, &error));
  g_assert_true (gst_gpu_access_begin_write (&write, to, f->stream, &error));
  gpu_stream_copy (f->stream, read.buffer, 0, write.buffer, 0, SIZE);
  if (download)
    g_assert_true (gst_gpu_access_download (&write, f->stream, &error));
  g_assert_true (gpu_stream_submit (f->stream, &ticket, &error));
  uploaded = read.uploads;
  gst_gpu_access_end (&read, &ticket);
  gst_gpu_access_end (&write, &ticket);
  gpu_ticket_clear (&ticket);
  return uploaded;
}

/* The same, which uploads where there are two sides. */
static void
assert_upload (Fixture * f, GstMemory * from, GstMemory * to, gboolean download)
{
  g_assert_cmpuint (copy_on_device (f, from, to, download), ==,
      element_fixture_transfers (1));
}

static void
test_sides (void)
{
  Fixture f;
  GstMemory *a, *b;

  open_fixture (&f);
  lazy_device_begin (f.device);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);

  /* Uploaded once, as long as the CPU does not write again. */
  write_bytes (a, 1);
  assert_upload (&f, a, b, FALSE);
  g_assert_false (copy_on_device (&f, a, b, FALSE));
  assert_bytes (a, 1);
  g_assert_false (copy_on_device (&f, a, b, FALSE));
  assert_events (0, 0, 0);

  /* Downloaded by the first map and no other. */
  assert_bytes (b, 1);
  assert_bytes (b, 1);
  assert_events (1, 1, 0);

  /* A write makes the device's side stale. */
  write_bytes (a, 2);
  assert_upload (&f, a, b, TRUE);
  assert_bytes (b, 2);
  assert_events (1, 2, 0);

  lazy_device_end (f.device);
  gst_memory_unref (a);
  gst_memory_unref (b);
  close_fixture (&f);
}

/* A map for writing keeps what it does not touch. */
static void
test_partial_write (void)
{
  Fixture f;
  GstMemory *a, *b;
  GstMapInfo map;

  open_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 7);
  copy_on_device (&f, a, b, FALSE);

  g_assert_true (gst_memory_map (b, &map, GST_MAP_WRITE));
  map.data[0] = 9;
  gst_memory_unmap (b, &map);
  copy_on_device (&f, b, a, FALSE);

  g_assert_true (gst_memory_map (a, &map, GST_MAP_READ));
  g_assert_cmpuint (map.data[0], ==, 9);
  g_assert_cmpuint (map.data[1], ==, 7);
  gst_memory_unmap (a, &map);

  gst_memory_unref (a);
  gst_memory_unref (b);
  close_fixture (&f);
}

/* Whoever writes again waits for the upload that still reads; whoever only
 * reads does not. */
static void
test_overwrite (void)
{
  Fixture f;
  GstMemory *a, *b;

  open_fixture (&f);
  lazy_device_begin (f.device);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 3);
  copy_on_device (&f, a, b, FALSE);
  assert_bytes (a, 3);
  assert_events (0, 0, 0);
  write_bytes (a, 4);
  assert_events (0, 0, 1);
  assert_bytes (b, 3);

  lazy_device_end (f.device);
  gst_memory_unref (a);
  gst_memory_unref (b);
  close_fixture (&f);
}

/* Two streams read one memory: a write waits for both. */
static void
test_two_readers (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f;
  GstMemory *a, *b, *c;
  GpuStream *first;
  GstGpuAccess read, write;
  GpuTicket ticket = { NULL, 0 };

  open_fixture (&f);
  lazy_device_begin (f.device);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  c = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 5);

  /* Both recordings find the device's side stale, as neither has ended; the
   * one that is submitted first ends last. */
  first = f.stream;
  g_assert_true (gpu_stream_begin (first, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, a, first, &error));
  g_assert_true (gst_gpu_access_begin_write (&write, b, first, &error));
  gpu_stream_copy (first, read.buffer, 0, write.buffer, 0, SIZE);
  g_assert_true (gpu_stream_submit (first, &ticket, &error));
  f.stream = gpu_stream_new (f.device, 2, "second", &error);
  assert_upload (&f, a, c, FALSE);
  gst_gpu_access_end (&read, &ticket);
  gst_gpu_access_end (&write, &ticket);
  gpu_ticket_clear (&ticket);

  write_bytes (a, 6);
  assert_bytes (b, 5);
  assert_bytes (c, 5);

  lazy_device_end (f.device);
  gpu_stream_unref (first);
  gst_memory_unref (a);
  gst_memory_unref (b);
  gst_memory_unref (c);
  close_fixture (&f);
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
static void
test_late_reader (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f;
  GstMemory *a, *b, *c;
  GpuStream *second;
  GstGpuAccess read, write;
  GpuTicket ticket = { NULL, 0 };

  open_fixture (&f);
  lazy_device_begin (f.device);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  c = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 5);
  second = gpu_stream_new (f.device, 2, "second", &error);
  g_assert_true (gpu_stream_begin (second, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, a, second, &error));
  g_assert_true (gst_gpu_access_begin_write (&write, c, second, &error));
  gpu_stream_copy (second, read.buffer, 0, write.buffer, 0, SIZE);
  assert_upload (&f, a, b, FALSE);
  g_assert_true (gpu_stream_submit (second, &ticket, &error));
  gst_gpu_access_end (&write, &ticket);

  late.wait = f.device->vk.vkWaitForFences;
  late.access = &read;
  late.ticket = &ticket;
  f.device->vk.vkWaitForFences = wait_and_end_access;
  write_bytes (a, 6);
  g_assert_null (late.access);
  f.device->vk.vkWaitForFences = late.wait;
  assert_bytes (b, 5);
  assert_bytes (c, 5);

  gpu_ticket_clear (&ticket);
  lazy_device_end (f.device);
  gpu_stream_unref (second);
  gst_memory_unref (a);
  gst_memory_unref (b);
  gst_memory_unref (c);
  close_fixture (&f);
}

/* What was recorded and never submitted changes nothing. */
static void
test_abandon (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f;
  GstMemory *a, *b;
  GstGpuAccess read, write;

  open_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 1);
  write_bytes (b, 2);
  g_assert_true (gpu_stream_begin (f.stream, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, a, f.stream, &error));
  g_assert_true (gst_gpu_access_begin_write (&write, b, f.stream, &error));
  gpu_stream_abandon (f.stream);
  gst_gpu_access_give_up (&read, f.stream);
  gst_gpu_access_give_up (&write, f.stream);
  assert_bytes (b, 2);
  copy_on_device (&f, a, b, FALSE);
  assert_bytes (b, 1);

  gst_memory_unref (a);
  gst_memory_unref (b);
  close_fixture (&f);
}

/* Of a recording that was submitted in part, that part reads on. */
static void
test_abandon_the_rest (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f;
  GstMemory *memory;
  GstGpuAccess read;

  open_fixture (&f);
  lazy_device_begin (f.device);
  memory = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (memory, 1);
  g_assert_true (gpu_stream_begin (f.stream, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, memory, f.stream, &error));
  g_assert_true (gpu_stream_submit (f.stream, NULL, &error));
  g_assert_true (gpu_stream_begin (f.stream, &error));
  gpu_stream_abandon (f.stream);
  gst_gpu_access_give_up (&read, f.stream);
  write_bytes (memory, 2);
  assert_events (0, 0, 1);

  lazy_device_end (f.device);
  gst_memory_unref (memory);
  close_fixture (&f);
}

static gpointer
map_and_check (gpointer memory)
{
  assert_bytes (memory, 8);
  return NULL;
}

static void
test_concurrent_maps (void)
{
  Fixture f;
  GThread *threads[8];
  GstMemory *a, *b;

  open_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 8);
  for (guint round = 0; round < 20; round++) {
    copy_on_device (&f, a, b, round % 2);
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      threads[i] = g_thread_new ("map", map_and_check, b);
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      g_thread_join (threads[i]);
  }
  /* One of the eight, each time that none was recorded. */
  g_assert_cmpuint (events[GST_GPU_MAP_DOWNLOADED], ==,
      element_fixture_transfers (10));

  gst_memory_unref (a);
  gst_memory_unref (b);
  close_fixture (&f);
}

/* --- while a map waits --- */

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
static void
test_busy_device (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f;
  GThread *threads[N_STUCK];
  GstMemory *source, *target, *memories[N_STUCK];

  open_fixture (&f);
  /* Without a slot to wait for. */
  gpu_stream_unref (f.stream);
  f.stream = gpu_stream_new (f.device, 2 * N_STUCK, "test", &error);
  g_assert_no_error (error);
  source = gst_allocator_alloc (f.allocator, SIZE, NULL);
  target = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (source, 8);
  for (guint i = 0; i < N_STUCK; i++) {
    memories[i] = gst_allocator_alloc (f.allocator, SIZE, NULL);
    copy_on_device (&f, source, memories[i], FALSE);
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
    copy_on_device (&f, memories[i], target, FALSE);
  assert_bytes (target, 8);
  gst_memory_unref (target);
  gst_memory_unref (source);
  g_assert_cmpuint (events[GST_GPU_MAP_DOWNLOADED], ==,
      element_fixture_transfers (1));

  let_go ();
  for (guint i = 0; i < N_STUCK; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (events[GST_GPU_MAP_DOWNLOADED], ==,
      element_fixture_transfers (1 + N_STUCK));
  for (guint i = 0; i < N_STUCK; i++)
    gst_memory_unref (memories[i]);
  gpu_hooks_remove (f.device);
  close_fixture (&f);
}

static struct
{
  Fixture *fixture;
  GstMemory *from, *to;
} late_write;

static VkResult VKAPI_CALL
write_while_waiting (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  Fixture *f = late_write.fixture;

  late_write.fixture = NULL;
  if (f)
    copy_on_device (f, late_write.from, late_write.to, FALSE);
  return gpu_hooks_get_driver ()->vkWaitForFences (device, n, fences, all,
      timeout);
}

/* The device is told to write what a map waits for already. */
static void
test_write_while_mapping (void)
{
  Fixture f;
  GstMemory *a, *b, *c;

  open_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  c = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 8);
  write_bytes (b, 9);
  copy_on_device (&f, a, c, FALSE);
  late_write.fixture = &f;
  late_write.from = b;
  late_write.to = c;
  lazy_device_begin (f.device);
  gpu_hooks_install (f.device);
  f.device->vk.vkWaitForFences = write_while_waiting;
  assert_bytes (c, 9);
  assert_bytes (c, 9);
  g_assert_cmpuint (events[GST_GPU_MAP_DOWNLOADED], ==,
      element_fixture_transfers (1));

  gpu_hooks_remove (f.device);
  lazy_device_end (f.device);
  gst_memory_unref (a);
  gst_memory_unref (b);
  gst_memory_unref (c);
  close_fixture (&f);
}

/* The result outlives the element and everybody else who knew the device. */
static void
test_outlives_owner (void)
{
  Fixture f;
  GstMemory *a, *b;

  open_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 11);
  copy_on_device (&f, a, b, FALSE);
  gst_memory_unref (a);
  close_fixture (&f);

  assert_bytes (b, 11);
  gst_memory_unref (b);
  g_assert_cmpuint (events[GST_GPU_MAP_DOWNLOADED], ==, 0);
}

static void
test_lost_device (void)
{
  Fixture f;
  GstMemory *a, *b;
  GstMapInfo map;

  open_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (a, 1);
  lazy_device_begin (f.device);
  copy_on_device (&f, a, b, FALSE);
  gpu_device_mark_lost (f.device);
  g_assert_false (gst_memory_map (b, &map, GST_MAP_READ));
  g_assert_cmpuint (events[GST_GPU_MAP_FAILED], ==, 1);
  g_assert_cmpint (last_error_code, ==, GPU_ERROR_LOST);

  lazy_device_end (f.device);
  gst_memory_unref (a);
  gst_memory_unref (b);
  close_fixture (&f);
}

/* --- sharing --- */

static void
test_deep_copy (void)
{
  Fixture f;
  GstMemory *memory, *copy;

  open_fixture (&f);
  memory = gst_allocator_alloc (f.allocator, SIZE, NULL);
  write_bytes (memory, 13);
  g_assert_true (gst_gpu_memory_get_device (memory) == f.device);
  copy = gst_memory_copy (memory, 16, 32);
  g_assert_null (gst_gpu_memory_get_device (copy));
  assert_bytes (copy, 13);
  gst_memory_unref (copy);
  gst_memory_unref (memory);
  close_fixture (&f);
}

/* A buffer of a memory that only the device has written. */
static GstBuffer *
make_device_buffer (Fixture * f, guint8 value)
{
  GstMemory *source = gst_allocator_alloc (f->allocator, SIZE, NULL);
  GstMemory *memory = gst_allocator_alloc (f->allocator, SIZE, NULL);
  GstBuffer *buffer = gst_buffer_new ();

  write_bytes (source, value);
  copy_on_device (f, source, memory, FALSE);
  gst_memory_unref (source);
  gst_buffer_append_memory (buffer, memory);
  return buffer;
}

/* A buffer that is copied for its flags and times transfers nothing, and the
 * device finds its frame in the copy. */
static void
test_copied_buffer (void)
{
  Fixture f;
  GstBuffer *buffer, *copy;
  GstMemory *target;

  open_fixture (&f);
  target = gst_allocator_alloc (f.allocator, SIZE, NULL);
  buffer = make_device_buffer (&f, 13);
  copy = gst_buffer_make_writable (gst_buffer_ref (buffer));
  g_assert_true (copy != buffer);
  assert_events (0, 0, 0);
  g_assert_true (gst_gpu_memory_get_device (gst_buffer_peek_memory (copy, 0))
      == f.device);
  g_assert_false (copy_on_device (&f, gst_buffer_peek_memory (copy, 0), target,
          FALSE));
  assert_bytes (target, 13);
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
  gst_memory_unref (target);
  close_fixture (&f);
}

/* Who writes to one of two buffers that share gets memory of their own. */
static void
test_write_to_copied_buffer (void)
{
  Fixture f;
  GstBuffer *buffer, *copy;

  open_fixture (&f);
  buffer = make_device_buffer (&f, 13);
  copy = gst_buffer_copy (buffer);
  g_assert_false (gst_buffer_is_all_memory_writable (buffer));
  gst_buffer_memset (copy, 0, 77, SIZE);
  g_assert_null (gst_gpu_memory_get_device (gst_buffer_peek_memory (copy, 0)));
  assert_bytes (gst_buffer_peek_memory (buffer, 0), 13);
  assert_bytes (gst_buffer_peek_memory (copy, 0), 77);
  g_assert_true (gst_buffer_is_all_memory_writable (buffer));
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
  close_fixture (&f);
}

/* A part, and a part of a part, are views of the same sides. */
static void
test_parts (void)
{
  Fixture f;
  GstBuffer *buffer, *part, *smaller;
  GstMemory *view, *target;
  GstMapInfo map;

  open_fixture (&f);
  target = gst_allocator_alloc (f.allocator, SIZE, NULL);
  buffer = make_device_buffer (&f, 0);
  gst_buffer_memset (buffer, 20, 5, 4);
  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_MEMORY, 16, 32);
  smaller = gst_buffer_copy_region (part, GST_BUFFER_COPY_MEMORY, 4, 4);
  gst_buffer_unref (buffer);
  gst_buffer_unref (part);
  view = gst_buffer_peek_memory (smaller, 0);
  g_assert_true (gst_gpu_memory_get_device (view) == f.device);
  g_assert_cmpuint (view->offset, ==, 20);
  g_assert_cmpuint (view->size, ==, 4);
  assert_bytes (view, 5);
  g_assert_false (gst_memory_map (view, &map, GST_MAP_WRITE));

  /* The device's side is the whole. */
  assert_upload (&f, view, target, FALSE);
  g_assert_true (gst_memory_map (target, &map, GST_MAP_READ));
  g_assert_cmpuint (map.data[19], ==, 0);
  g_assert_cmpuint (map.data[20], ==, 5);
  gst_memory_unmap (target, &map);
  gst_buffer_unref (smaller);
  gst_memory_unref (target);
  close_fixture (&f);
}

/* --- memory that is not coherent --- */

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
  if (edit_device)
    edit_device (device);
}

static void
open_cached_fixture (Fixture * f)
{
  edit_device = gpu_device_edit;
  gpu_device_edit = cache_memory;
  open_fixture (f);
  gpu_device_edit = edit_device;
  seen.calls = g_string_new (NULL);
  seen.result = VK_SUCCESS;
  gpu_hooks_install (f->device);
  f->device->vk.vkFlushMappedMemoryRanges = see_flush;
  f->device->vk.vkInvalidateMappedMemoryRanges = see_invalidate;
  f->device->vk.vkQueueSubmit = see_submit;
}

static void
close_cached_fixture (Fixture * f)
{
  gpu_hooks_remove (f->device);
  g_string_free (seen.calls, TRUE);
  close_fixture (f);
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
static void
test_not_coherent (void)
{
  Fixture f;
  GstMemory *a, *b;
  VkMappedMemoryRange range_of_a, range_of_b;

  open_cached_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);

  write_bytes (a, 1);
  range_of_a = seen.last;
  assert_seen ("FF");
  write_bytes (b, 2);
  range_of_b = seen.last;
  assert_seen ("FF");
  g_assert_cmpuint (range_of_a.size, >=, SIZE);
  g_assert_true (range_of_a.memory != range_of_b.memory
      || range_of_a.offset != range_of_b.offset);

  /* The upload needs no more; what comes down is invalidated once, when it is
   * mapped. */
  copy_on_device (&f, a, b, TRUE);
  assert_seen ("S");
  assert_bytes (b, 1);
  assert_seen ("I");
  g_assert_true (seen.last.memory == range_of_b.memory);
  g_assert_cmpuint (seen.last.offset, ==, range_of_b.offset);
  g_assert_cmpuint (seen.last.size, ==, range_of_b.size);
  assert_bytes (b, 1);
  assert_bytes (a, 1);
  assert_seen ("");

  /* Also where a map that writes brings the content down itself. */
  copy_on_device (&f, a, b, FALSE);
  write_bytes (b, 3);
  assert_seen (element_fixture_transfers (1) ? "SSIF" : "SIF");

  gst_memory_unref (a);
  gst_memory_unref (b);
  close_cached_fixture (&f);
}

/* Who unmaps learns nothing of it; the element does. Memory that cannot be cleared
 * is not mapped. */
static void
test_failing_flush (void)
{
  Fixture f;
  GstMemory *a;
  GstMapInfo map;

  open_cached_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  seen.result = VK_ERROR_OUT_OF_HOST_MEMORY;
  g_assert_false (gst_memory_map (a, &map, GST_MAP_WRITE));
  g_assert_cmpuint (events[GST_GPU_MAP_FAILED], ==, 1);
  seen.result = VK_SUCCESS;
  write_bytes (a, 1);
  g_assert_cmpuint (events[GST_GPU_MAP_FAILED], ==, 1);
  seen.result = VK_ERROR_OUT_OF_HOST_MEMORY;
  write_bytes (a, 2);
  g_assert_cmpuint (events[GST_GPU_MAP_FAILED], ==, 2);
  g_assert_cmpint (last_error_code, ==, GPU_ERROR_OUT_OF_MEMORY);
  gst_memory_unref (a);
  close_cached_fixture (&f);
}

/* --- allocation --- */

static void
test_allocation_params (void)
{
  GstAllocationParams impossible[] = {
    {0, 4095, 0, 0}, {0, 127, 0, 0}, {GST_MEMORY_FLAG_ZERO_PADDED, 0, 0, 16},
    {0, 0, 6, 0}, {0, 0, G_MAXSIZE - 3, 0}, {0, 0, 64, G_MAXSIZE - SIZE - 60},
  };
  GstAllocationParams possible = { 0, 63, 64, 100 };
  Fixture f;
  GstMemory *memory;
  GstMapInfo map;

  open_fixture (&f);
  for (guint i = 0; i < G_N_ELEMENTS (impossible); i++)
    g_assert_null (gst_allocator_alloc (f.allocator, SIZE, &impossible[i]));
  g_assert_null (gst_allocator_alloc (f.allocator, 0, NULL));
  f.device->info.max_buffer = SIZE + 163;
  g_assert_null (gst_allocator_alloc (f.allocator, SIZE + 1, &possible));

  f.device->info.max_buffer = SIZE + 164;
  memory = gst_allocator_alloc (f.allocator, SIZE, &possible);
  g_assert_cmpuint (memory->align, ==, 63);
  g_assert_cmpuint (memory->offset, ==, 64);
  g_assert_cmpuint (memory->maxsize, ==, 64 + SIZE + 100);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  g_assert_cmpuint ((gsize) map.data % 64, ==, 0);
  memset (map.data - 64, 1, 64 + SIZE + 100);
  gst_memory_unmap (memory, &map);
  gst_memory_unref (memory);
  close_fixture (&f);
}

/* Bytes of sides that exist, however many views there are. */
static void
test_held (void)
{
  Fixture f;
  GstMemory *a, *b, *view;

  open_fixture (&f);
  a = gst_allocator_alloc (f.allocator, SIZE, NULL);
  b = gst_allocator_alloc (f.allocator, SIZE, NULL);
  g_assert_cmpuint (gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR
          (f.allocator)), ==, 0);
  write_bytes (a, 1);
  g_assert_cmpuint (gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR
          (f.allocator)), ==, SIZE);
  copy_on_device (&f, a, b, FALSE);
  view = gst_memory_share (b, 16, -1);
  g_assert_cmpuint (view->size, ==, SIZE - 16);
  gst_memory_unref (b);
  g_assert_cmpuint (gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR
          (f.allocator)), ==, (2 + element_fixture_transfers (1)) * SIZE);
  gst_memory_unref (view);
  gst_memory_unref (a);
  g_assert_cmpuint (gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR
          (f.allocator)), ==, 0);
  close_fixture (&f);
}

/* --- the pool --- */

static void
test_pool_layout (void)
{
  Fixture f;
  g_autoptr (GstCaps) caps = element_fixture_caps ("I420", 17, 9);
  GstBufferPool *pool;
  GstBuffer *buffer;
  GstVideoInfo info;
  GstVideoMeta *meta;

  open_fixture (&f);
  gst_video_info_from_caps (&info, caps);
  pool = gst_gpu_buffer_pool_new_for_caps (f.allocator, caps, 1, TRUE);
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_true (gst_buffer_pool_acquire_buffer (pool, &buffer,
          NULL) == GST_FLOW_OK);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, info.size);
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 1);
  meta = gst_buffer_get_video_meta (buffer);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpint (meta->stride[i], ==, info.stride[i]);
    g_assert_cmpuint (meta->offset[i], ==, info.offset[i]);
  }
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  close_fixture (&f);
}

static void
test_pool_alignment (void)
{
  Fixture f;
  g_autoptr (GstCaps) caps = element_fixture_caps ("NV12", 33, 9);
  GstAllocationParams params = { 0, 63, 64, 16 };
  GstVideoAlignment alignment;
  GstBufferPool *pool;
  GstStructure *config;
  GstBuffer *buffer;
  GstVideoMeta *meta;
  GstMapInfo map;

  open_fixture (&f);
  gst_video_alignment_reset (&alignment);
  alignment.padding_top = 2;
  alignment.padding_bottom = 4;
  for (guint i = 0; i < 2; i++)
    alignment.stride_align[i] = 63;

  pool = gst_gpu_buffer_pool_new (f.allocator);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, 4096, 2, 0);
  gst_buffer_pool_config_set_allocator (config, NULL, &params);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &alignment);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_true (gst_buffer_pool_acquire_buffer (pool, &buffer,
          NULL) == GST_FLOW_OK);
  meta = gst_buffer_get_video_meta (buffer);
  g_assert_cmpint (meta->stride[0], ==, 64);
  g_assert_cmpint (meta->stride[1], ==, 64);
  g_assert_cmpuint (meta->offset[0], ==, 2 * 64);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  g_assert_cmpuint ((gsize) map.data % 64, ==, 0);
  g_assert_cmpuint (map.maxsize, >=, map.size + 16);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  close_fixture (&f);
}

static GstStructure *
pool_config (const gchar * caps, guint size, gsize align, gsize prefix,
    guint stride_align)
{
  GstStructure *config = gst_structure_new_empty ("GstBufferPoolConfig");
  GstCaps *video = caps ? gst_caps_from_string (caps) : NULL;
  GstAllocationParams params = { 0, align, prefix, 0 };
  GstVideoAlignment alignment;

  gst_video_alignment_reset (&alignment);
  alignment.stride_align[0] = stride_align;
  gst_buffer_pool_config_set_params (config, video, size, 1, 1);
  gst_buffer_pool_config_set_allocator (config, NULL, &params);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &alignment);
  g_clear_pointer (&video, gst_caps_unref);
  return config;
}

#define LARGE "video/x-raw, format=NV12, width=64, height=64"

/* What the pool refuses leaves it as it was. */
static void
test_pool_refuses (void)
{
  GstStructure *impossible[] = {
    pool_config (NULL, 100, 0, 0, 0),
    pool_config ("audio/x-raw", 6144, 0, 0, 0),
    pool_config (LARGE, 6143, 0, 0, 0),
    pool_config (LARGE, 6144, 4095, 0, 0),
    pool_config (LARGE, 6144, 0, 6, 0),
    pool_config (LARGE, 8192, 0, 0, 127),
    pool_config (LARGE, 8192, 0, 0, 6),
  };
  /* With a prefix; with lines that are padded. */
  GstStructure *too_large[] = {
    pool_config (LARGE, 8192, 0, 64, 0),
    pool_config ("video/x-raw, format=GRAY8, width=33, height=129", 5160, 0, 0,
        63),
  };
  Fixture f;
  g_autoptr (GstCaps) caps = element_fixture_caps ("GRAY8", 17, 9);
  GstBufferPool *pool;
  GstBuffer *buffer;

  open_fixture (&f);
  pool = gst_gpu_buffer_pool_new_for_caps (f.allocator, caps, 1, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (impossible); i++)
    g_assert_false (gst_buffer_pool_set_config (pool, impossible[i]));
  f.device->info.max_buffer = 8192;
  for (guint i = 0; i < G_N_ELEMENTS (too_large); i++)
    g_assert_false (gst_buffer_pool_set_config (pool, too_large[i]));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 20 * 9);
  g_assert_cmpuint (gst_buffer_peek_memory (buffer, 0)->align, ==, 0);
  g_assert_cmpint (gst_buffer_get_video_meta (buffer)->width, ==, 17);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  close_fixture (&f);
}

static void
test_pool_keeps_allocator (void)
{
  Fixture f;
  g_autoptr (GstCaps) caps = element_fixture_caps ("GRAY8", 17, 9);
  GstAllocator *foreign = gst_allocator_find (GST_ALLOCATOR_SYSMEM), *set;
  GstBufferPool *pool;
  GstStructure *config;
  GstBuffer *buffer;

  open_fixture (&f);
  pool = gst_gpu_buffer_pool_new_for_caps (f.allocator, caps, 1, TRUE);
  g_assert_true (GST_IS_VIDEO_BUFFER_POOL (pool));
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_allocator (config, foreign, NULL);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_allocator (config, &set, NULL);
  g_assert_true (set == f.allocator);
  gst_structure_free (config);
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  g_assert_true (gst_buffer_peek_memory (buffer, 0)->allocator == f.allocator);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_object_unref (foreign);
  close_fixture (&f);
}

static void
test_type_names (void)
{
  Fixture f;
  GstMemory *memory;

  open_fixture (&f);
  memory = gst_allocator_alloc (f.allocator, SIZE, NULL);
  g_assert_true (gst_memory_is_type (memory, "GstGpuMemory"));
  g_assert_cmpstr (g_type_name (GST_TYPE_GPU_DEVICE), ==,
      "GstGpuFiltersDevice");
  gst_memory_unref (memory);
  close_fixture (&f);
}

int
main (int argc, char **argv)
{
  element_fixture_init (&argc, &argv);
  element_fixture_add ("/memory/sides", test_sides);
  element_fixture_add ("/memory/partial-write", test_partial_write);
  element_fixture_add ("/memory/overwrite", test_overwrite);
  element_fixture_add ("/memory/two-readers", test_two_readers);
  element_fixture_add ("/memory/late-reader", test_late_reader);
  element_fixture_add ("/memory/abandon", test_abandon);
  element_fixture_add ("/memory/abandon-the-rest", test_abandon_the_rest);
  element_fixture_add ("/memory/concurrent-maps", test_concurrent_maps);
  element_fixture_add ("/memory/busy-device", test_busy_device);
  element_fixture_add ("/memory/write-while-mapping", test_write_while_mapping);
  element_fixture_add ("/memory/outlives-owner", test_outlives_owner);
  element_fixture_add ("/memory/lost-device", test_lost_device);
  element_fixture_add ("/memory/deep-copy", test_deep_copy);
  element_fixture_add ("/memory/copied-buffer", test_copied_buffer);
  element_fixture_add ("/memory/write-to-copied-buffer",
      test_write_to_copied_buffer);
  element_fixture_add ("/memory/parts", test_parts);
  element_fixture_add ("/memory/not-coherent", test_not_coherent);
  element_fixture_add ("/memory/failing-flush", test_failing_flush);
  element_fixture_add ("/memory/allocation-params", test_allocation_params);
  element_fixture_add ("/memory/held", test_held);
  element_fixture_add ("/memory/pool-layout", test_pool_layout);
  element_fixture_add ("/memory/pool-alignment", test_pool_alignment);
  element_fixture_add ("/memory/pool-refuses", test_pool_refuses);
  element_fixture_add ("/memory/pool-keeps-allocator",
      test_pool_keeps_allocator);
  element_fixture_add ("/memory/type-names", test_type_names);
  return element_fixture_run ();
}
