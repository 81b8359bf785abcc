/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memories that others share: copies of buffers, and parts of memories. */
#include "memory_fixture.h"

TEST (deep_copy)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) memory = memory_fixture_alloc (&f);
  GstMemory *copy;

  memory_fixture_write (memory, 13);
  g_assert_true (gst_gpu_memory_get_device (memory) == f.device);
  copy = gst_memory_copy (memory, 16, 32);
  g_assert_null (gst_gpu_memory_get_device (copy));
  memory_fixture_assert_bytes (copy, 13);
  gst_memory_unref (copy);
}

/* A buffer of a memory that only the device has written. */
static GstBuffer *
make_device_buffer (MemoryFixture * f, guint8 value)
{
  GstMemory *source = memory_fixture_alloc (f);
  GstMemory *memory = memory_fixture_alloc (f);
  GstBuffer *buffer = gst_buffer_new ();

  memory_fixture_write (source, value);
  memory_fixture_copy (f, source, memory, FALSE);
  gst_memory_unref (source);
  gst_buffer_append_memory (buffer, memory);
  return buffer;
}

/* A buffer that is copied for its flags and times transfers nothing, and the
 * device finds its frame in the copy. */
TEST (copied_buffer)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) target = memory_fixture_alloc (&f);
  GstBuffer *buffer, *copy;

  buffer = make_device_buffer (&f, 13);
  copy = gst_buffer_make_writable (gst_buffer_ref (buffer));
  g_assert_true (copy != buffer);
  memory_fixture_assert_events (0, 0, 0);
  g_assert_true (gst_gpu_memory_get_device (gst_buffer_peek_memory (copy, 0))
      == f.device);
  g_assert_false (memory_fixture_copy (&f, gst_buffer_peek_memory (copy, 0),
          target, FALSE));
  memory_fixture_assert_bytes (target, 13);
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
}

/* Who writes to one of two buffers that share gets memory of their own. */
TEST (write_to_copied_buffer)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  GstBuffer *buffer, *copy;

  buffer = make_device_buffer (&f, 13);
  copy = gst_buffer_copy (buffer);
  g_assert_false (gst_buffer_is_all_memory_writable (buffer));
  gst_buffer_memset (copy, 0, 77, MEMORY_FIXTURE_SIZE);
  g_assert_null (gst_gpu_memory_get_device (gst_buffer_peek_memory (copy, 0)));
  memory_fixture_assert_bytes (gst_buffer_peek_memory (buffer, 0), 13);
  memory_fixture_assert_bytes (gst_buffer_peek_memory (copy, 0), 77);
  g_assert_true (gst_buffer_is_all_memory_writable (buffer));
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
}

/* A part, and a part of a part, are views of the same sides. */
TEST (parts)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) target = memory_fixture_alloc (&f);
  GstBuffer *buffer, *part, *smaller;
  GstMemory *view;
  GstMapInfo map;

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
  memory_fixture_assert_bytes (view, 5);
  g_assert_false (gst_memory_map (view, &map, GST_MAP_WRITE));

  /* The device's side is the whole. */
  memory_fixture_assert_upload (&f, view, target, FALSE);
  g_assert_true (gst_memory_map (target, &map, GST_MAP_READ));
  g_assert_cmpuint (map.data[19], ==, 0);
  g_assert_cmpuint (map.data[20], ==, 5);
  gst_memory_unmap (target, &map);
  gst_buffer_unref (smaller);
}

FIXTURE_MAIN ("/memory/")
