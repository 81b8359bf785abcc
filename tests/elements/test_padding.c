/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements hand on tells nothing of what was in its memory before, not even
 * between rows and planes and behind them. */
#include "element_fixture.h"

#include "gpu/core/stream/stream.h"
#include "gpu/core/device/vulkan.h"

#include <string.h>

#define N_FRAMES 4              /* more than a pool begins with */

typedef struct
{
  const gchar *element, *in_format, *out_format;
  guint width, height;
} Case;

/* --- memory that was used before --- */

static guint8 dirt;             /* what is in it, in each byte */

static void
fill_with_dirt (GpuDevice * device, GpuBuffer * buffer)
{
  GpuTicket ticket = { NULL, 0 };
  g_autoptr (GError) error = NULL;
  GpuStream *stream = gpu_stream_new (device, 1, "dirt", &error);

  g_assert_no_error (error);
  g_assert_true (gpu_stream_begin (stream, &error));
  gpu_stream_fill (stream, buffer, 0, gpu_buffer_get_size (buffer),
      dirt * 0x01010101u);
  g_assert_true (gpu_stream_submit (stream, &ticket, &error));
  g_assert_true (gpu_ticket_wait (&ticket, &error));
  gpu_ticket_clear (&ticket);
  gpu_stream_unref (stream);
}

static GpuBuffer *
new_buffer (GpuDevice * device, GpuBufferKind kind, gsize size)
{
  g_autoptr (GError) error = NULL;
  GpuBuffer *buffer = gpu_buffer_new_large (device, kind, size, "dirt", &error);

  g_assert_no_error (error);
  return buffer;
}

/* What is allocated next on the device gets memory that is not empty. */
static void
leave_dirt (GpuDevice * device)
{
  GpuBuffer *next;

  for (guint kind = 0; kind < 2; kind++) {
    GpuBuffer *buffer = new_buffer (device, kind, 1 << 20);

    fill_with_dirt (device, buffer);
    gpu_buffer_unref (buffer);
  }
  next = new_buffer (device, GPU_BUFFER_HOST, 64);
  g_assert_cmpuint (*(guint8 *) gpu_buffer_get_data (next), ==, dirt);
  gpu_buffer_unref (next);
}

/* The same bytes come out whatever was there. */
static void
check (void (*take) (const Case * test, GChecksum * sum), const Case * test)
{
  g_autoptr (GChecksum) first = g_checksum_new (G_CHECKSUM_MD5);
  g_autoptr (GChecksum) second = g_checksum_new (G_CHECKSUM_MD5);

  g_test_message ("%s: %s to %s", test->element, test->in_format,
      test->out_format);
  dirt = 0xa5;
  take (test, first);
  dirt = 0x3c;
  take (test, second);
  g_assert_cmpstr (g_checksum_get_string (first), ==,
      g_checksum_get_string (second));
}

/* --- frames --- */

/* Its padding is nothing that an element would write. */
static void
fill (GstBuffer * buffer, const GstVideoInfo * info, guint seed)
{
  gst_buffer_memset (buffer, 0, 0x5a, gst_buffer_get_size (buffer));
  fixture_fill (buffer, info, seed);
}

/* Where shaders cannot read it, and the next element cannot either. */
static GstBuffer *
new_odd_frame (const GstVideoInfo * info, guint seed)
{
  GstVideoInfo odd = *info;
  GstBuffer *buffer;

  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    odd.stride[p] += 3;
    odd.offset[p] = 8192 * p + 1;
  }
  buffer = gst_buffer_new_allocate (NULL, 3 * 8192, NULL);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), odd.offset,
      odd.stride);
  fill (buffer, info, seed);
  return buffer;
}

/* Where the shaders of the element read. */
static GstBuffer *
new_frame_in_place (GstBufferPool * pool, const GstVideoInfo * info, guint seed)
{
  GstBuffer *buffer = fixture_acquire (pool);

  fill (buffer, info, seed);
  return buffer;
}

/* Pushes @buffer, and takes its reference. All bytes that come out count, those of
 * pixels and those between them. */
static void
take_bytes (GstHarness * h, GstBuffer * buffer, GChecksum * sum)
{
  g_autoptr (GstBuffer) out = gst_harness_push_and_pull (h, buffer);
  GstMapInfo map;

  g_assert_nonnull (out);
  g_assert_true (gst_buffer_map (out, &map, GST_MAP_READ));
  g_checksum_update (sum, map.data, map.size);
  gst_buffer_unmap (out, &map);
}

/* --- frames that are worked on --- */

static void
take_bytes_of_work (const Case * test, GChecksum * sum)
{
  g_autoptr (Harness) h = fixture_harness (test->element);
  GstVideoInfo info;
  GstBufferPool *pool;

  gst_video_info_set_format (&info,
      gst_video_format_from_string (test->in_format), test->width,
      test->height);
  gst_harness_set_sink_caps (h, fixture_caps (test->out_format,
          test->width, test->height));
  leave_dirt (fixture_device ());
  pool = fixture_take_pool (h, test->in_format, test->width, test->height);
  /* Nobody wrote it. */
  take_bytes (h, fixture_acquire (pool), sum);
  for (guint i = 0; i < N_FRAMES; i++) {
    take_bytes (h, new_odd_frame (&info, i), sum);
    take_bytes (h, new_frame_in_place (pool, &info, i), sum);
  }
  fixture_release_pool (pool);
}

TEST (blur)
{
  static const gchar *const formats[] = {
    "RGB", "BGR", "GRAY8", "NV12", "I420"
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Case test = { "gpublur kernel=box radius=2", formats[i], formats[i], 5, 5 };

    check (take_bytes_of_work, &test);
  }
}

/* Each writes words in a way of its own. */
TEST (methods)
{
  static const gchar *const elements[] = {
    "gpublur sigma=3 method=separable", "gpublur sigma=3 method=strips",
    "gpublur sigma=3 method=pyramid"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    Case test = { elements[i], "RGB", "RGB", 37, 35 };

    check (take_bytes_of_work, &test);
  }
}

TEST (palette)
{
  static const Case tests[] = {
    {"meanshiftpalette", "RGB", "RGB", 5, 5},
    {"meanshiftpalette", "I420", "I420", 5, 5},
    {"meanshiftpalette", "NV12", "BGR", 5, 5},
    {"meanshiftpalette", "RGBA", "RGB8P", 5, 5},
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    check (take_bytes_of_work, &tests[i]);
}

/* --- frames that pass --- */

static void
take_bytes_that_pass (const Case * test, GChecksum * sum)
{
  g_autoptr (Harness) h = fixture_harness (test->element);
  GstVideoInfo info;

  gst_video_info_set_format (&info,
      gst_video_format_from_string (test->in_format), test->width,
      test->height);
  leave_dirt (fixture_device ());
  fixture_set_caps (h, test->in_format, test->width, test->height);
  for (guint i = 0; i < N_FRAMES; i++)
    take_bytes (h, new_odd_frame (&info, i), sum);
}

static void
check_passing (void)
{
  static const gchar *const formats[] = { "RGB", "GRAY8", "NV12", "I420" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Case test = { "gpublur sigma=0", formats[i], formats[i], 5, 5 };

    check (take_bytes_that_pass, &test);
  }
}

static GstAllocatorClass real;

static GstMemory *
allocate_dirt (GstAllocator * allocator, gsize size,
    GstAllocationParams * params)
{
  GstMemory *memory = real.alloc (allocator, size, params);
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, dirt, map.size);
  gst_memory_unmap (memory, &map);
  return memory;
}

/* In memory of others, as the device has none for them. */
TEST (passing_too_large)
{
  GpuDevice *device = fixture_device ();
  g_autoptr (GstAllocator) allocator =
      gst_allocator_find (GST_ALLOCATOR_SYSMEM);
  GstAllocatorClass *klass = GST_ALLOCATOR_GET_CLASS (allocator);
  gsize limit = device->info.max_binding;

  real = *klass;
  klass->alloc = allocate_dirt;
  device->info.max_binding = 16;
  check_passing ();
  device->info.max_binding = limit;
  *klass = real;
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/padding/");
  fixture_share_device ();
  tests_register ("passing", check_passing);
  return fixture_run ();
}
