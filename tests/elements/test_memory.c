/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GstGpuMemory by itself: which side is valid, and how long it lives. */
#include "memory_fixture.h"
#include "gst/common/gstgpucontext.h"
#include "lazy_device.h"

TEST (sides)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);

  lazy_device_begin (f.device);

  /* Uploaded once, as long as the CPU does not write again. */
  memory_fixture_write (a, 1);
  memory_fixture_assert_upload (&f, a, b, FALSE);
  g_assert_false (memory_fixture_copy (&f, a, b, FALSE));
  memory_fixture_assert_bytes (a, 1);
  g_assert_false (memory_fixture_copy (&f, a, b, FALSE));
  memory_fixture_assert_events (0, 0, 0);

  /* Downloaded by the first map and no other. */
  memory_fixture_assert_bytes (b, 1);
  memory_fixture_assert_bytes (b, 1);
  memory_fixture_assert_events (1, 1, 0);

  /* A write makes the device's side stale. */
  memory_fixture_write (a, 2);
  memory_fixture_assert_upload (&f, a, b, TRUE);
  memory_fixture_assert_bytes (b, 2);
  memory_fixture_assert_events (1, 2, 0);

  lazy_device_end (f.device);
}

/* A map for writing keeps what it does not touch. */
TEST (partial_write)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);
  GstMapInfo map;

  memory_fixture_write (a, 7);
  memory_fixture_copy (&f, a, b, FALSE);

  g_assert_true (gst_memory_map (b, &map, GST_MAP_WRITE));
  map.data[0] = 9;
  gst_memory_unmap (b, &map);
  memory_fixture_copy (&f, b, a, FALSE);

  g_assert_true (gst_memory_map (a, &map, GST_MAP_READ));
  g_assert_cmpuint (map.data[0], ==, 9);
  g_assert_cmpuint (map.data[1], ==, 7);
  gst_memory_unmap (a, &map);
}

/* What was recorded and never submitted changes nothing. */
TEST (abandon)
{
  g_autoptr (GError) error = NULL;
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);
  GstGpuAccess read, write;

  memory_fixture_write (a, 1);
  memory_fixture_write (b, 2);
  g_assert_true (gpu_stream_begin (f.stream, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, a, f.stream, &error));
  g_assert_true (gst_gpu_access_begin_write (&write, b, f.stream, &error));
  gpu_stream_abandon (f.stream);
  gst_gpu_access_give_up (&read, f.stream);
  gst_gpu_access_give_up (&write, f.stream);
  memory_fixture_assert_bytes (b, 2);
  memory_fixture_copy (&f, a, b, FALSE);
  memory_fixture_assert_bytes (b, 1);
}

/* Of a recording that was submitted in part, that part reads on. */
TEST (abandon_the_rest)
{
  g_autoptr (GError) error = NULL;
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) memory = memory_fixture_alloc (&f);
  GstGpuAccess read;

  lazy_device_begin (f.device);
  memory_fixture_write (memory, 1);
  g_assert_true (gpu_stream_begin (f.stream, &error));
  g_assert_true (gst_gpu_access_begin_read (&read, memory, f.stream, &error));
  g_assert_true (gpu_stream_submit (f.stream, NULL, &error));
  g_assert_true (gpu_stream_begin (f.stream, &error));
  gpu_stream_abandon (f.stream);
  gst_gpu_access_give_up (&read, f.stream);
  memory_fixture_write (memory, 2);
  memory_fixture_assert_events (0, 0, 1);

  lazy_device_end (f.device);
}

/* The result outlives the element and everybody else who knew the device. */
TEST (outlives_owner)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  GstMemory *a, *b;

  a = memory_fixture_alloc (&f);
  b = memory_fixture_alloc (&f);
  memory_fixture_write (a, 11);
  memory_fixture_copy (&f, a, b, FALSE);
  gst_memory_unref (a);
  memory_fixture_close (&f);

  memory_fixture_assert_bytes (b, 11);
  gst_memory_unref (b);
  g_assert_cmpuint (memory_fixture_counts.downloads, ==, 0);
}

TEST (lost_device)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) a = memory_fixture_alloc (&f);
  g_autoptr (GstMemory) b = memory_fixture_alloc (&f);
  GstMapInfo map;

  memory_fixture_write (a, 1);
  lazy_device_begin (f.device);
  memory_fixture_copy (&f, a, b, FALSE);
  gpu_device_mark_lost (f.device);
  g_assert_false (gst_memory_map (b, &map, GST_MAP_READ));
  g_assert_cmpuint (memory_fixture_counts.failures, ==, 1);
  g_assert_cmpint (memory_fixture_last_error (), ==, GPU_ERROR_LOST);

  lazy_device_end (f.device);
}

TEST (type_names)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstMemory) memory = memory_fixture_alloc (&f);

  g_assert_true (gst_memory_is_type (memory, "GstGpuMemory"));
  g_assert_cmpstr (g_type_name (GST_TYPE_GPU_DEVICE), ==,
      "GstGpuFiltersDevice");
}

FIXTURE_MAIN ("/memory/")
