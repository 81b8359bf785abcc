/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "memory_fixture.h"

MemoryFixtureCounts memory_fixture_counts;
static gint last_error_code;

static void
note_map (GstElement * owner, GstGpuAllocator * allocator,
    const GstGpuMapReport * report, const GError * error)
{
  MemoryFixtureCounts *counts = &memory_fixture_counts;

  g_atomic_int_add (&counts->downloads, report->downloaded);
  g_atomic_int_add (&counts->result_waits, report->waited_for_result);
  g_atomic_int_add (&counts->reader_waits, report->waited_for_readers);
  g_atomic_int_add (&counts->failures, error != NULL);
  if (error) {
    g_assert_true (error->domain == GPU_ERROR);
    last_error_code = error->code;
  }
}

MemoryFixture
memory_fixture_open (void)
{
  g_autoptr (GError) error = NULL;
  MemoryFixture f = {
    .device = gpu_device_open (g_getenv ("GPU_TEST_DEVICE"), NULL, &error),
    .owner = gst_object_ref_sink (fixture_make ("gpublur")),
  };

  g_assert_no_error (error);
  f.allocator = gst_gpu_allocator_new (f.device, f.owner, note_map);
  f.stream = gpu_stream_new (f.device, 3, "test", &error);
  g_assert_no_error (error);
  memory_fixture_counts = (MemoryFixtureCounts) {0};
  return f;
}

void
memory_fixture_close (MemoryFixture * f)
{
  g_clear_pointer (&f->stream, gpu_stream_unref);
  gst_clear_object (&f->allocator);
  gst_clear_object (&f->owner);
  g_clear_pointer (&f->device, gpu_device_unref);
}

GstMemory *
memory_fixture_alloc (MemoryFixture * f)
{
  return gst_allocator_alloc (f->allocator, MEMORY_FIXTURE_SIZE, NULL);
}

gint
memory_fixture_last_error (void)
{
  return last_error_code;
}

void
memory_fixture_assert_events (guint downloads, guint result_waits,
    guint reader_waits)
{
  const MemoryFixtureCounts *counts = &memory_fixture_counts;

  g_assert_cmpuint (counts->downloads, ==, fixture_transfers (downloads));
  g_assert_cmpuint (counts->result_waits, ==, result_waits);
  g_assert_cmpuint (counts->reader_waits, ==, reader_waits);
  g_assert_cmpuint (counts->failures, ==, 0);
}

void
memory_fixture_write (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, value, map.size);
  gst_memory_unmap (memory, &map);
}

void
memory_fixture_assert_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    g_assert_cmpuint (map.data[i], ==, value);
  gst_memory_unmap (memory, &map);
}

gboolean
memory_fixture_copy (MemoryFixture * f, GstMemory * from, GstMemory * to,
    gboolean download)
{
  g_autoptr (GError) error = NULL;
  GstGpuAccess read, write;
  GpuTicket ticket = { NULL, 0 };
  gboolean uploaded;

  g_assert_true (gpu_stream_begin (f->stream, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, from, f->stream, &error));
  g_assert_true (gst_gpu_access_begin_write (&write, to, f->stream, &error));
  gpu_stream_copy (f->stream, read.buffer, 0, write.buffer, 0,
      MEMORY_FIXTURE_SIZE);
  if (download)
    g_assert_true (gst_gpu_access_download (&write, f->stream, &error));
  g_assert_true (gpu_stream_submit (f->stream, &ticket, &error));
  uploaded = read.uploads;
  gst_gpu_access_end (&read, &ticket);
  gst_gpu_access_end (&write, &ticket);
  gpu_ticket_clear (&ticket);
  return uploaded;
}

void
memory_fixture_assert_upload (MemoryFixture * f, GstMemory * from,
    GstMemory * to, gboolean download)
{
  g_assert_cmpuint (memory_fixture_copy (f, from, to, download), ==,
      fixture_transfers (1));
}
