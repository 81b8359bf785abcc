/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames and memory that are larger than what a device binds, as 8K is for some. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"

#include <string.h>

#define WIDTH 8192
#define HEIGHT 4320

/* A frame with an eighth of the pixels, on a device that binds an eighth:
 * arrays with a word for each pixel exceed that by the same factor. */
#define SMALL_WIDTH (WIDTH / 4)
#define SMALL_HEIGHT (HEIGHT / 2)
#define SMALL_BINDING (16 << 20)

static gboolean is_full;

/* Of what frames repeat: not as many rows as parts begin at. */
#define TILE_WIDTH 64
#define TILE_HEIGHT 60

/* A colour each, of a tile whose edges have one, so that chroma around it is the
 * same in all tiles. */
static guint8
sample_of_tile (guint x, guint y, guint component, guint width, guint height)
{
  if (x < 4 || y < 4 || x >= width - 4 || y >= height - 4)
    return 90 + 20 * component;
  return 40 + (x / 4 * 11 + y / 4 * 7 + component * 50) % 150;
}

/* The alpha that RGBx does not have is what RGBx has in output. */
static void
fill_tiles (GstVideoFrame * frame)
{
  for (guint plane = 0; plane < GST_VIDEO_FRAME_N_PLANES (frame); plane++) {
    guint n = GST_VIDEO_FRAME_COMP_PSTRIDE (frame, plane);
    guint width = GST_VIDEO_FRAME_COMP_WIDTH (frame, plane);
    guint height = GST_VIDEO_FRAME_COMP_HEIGHT (frame, plane);
    guint shift = GST_VIDEO_FRAME_WIDTH (frame) / width - 1;
    guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (frame, plane);

    for (guint y = 0; y < height; y++) {
      for (guint i = 0; i < width * n; i++)
        row[i] = n == 4 && i % 4 == 3 ? 255
            : sample_of_tile (i / n % (TILE_WIDTH >> shift),
            y % (TILE_HEIGHT >> shift), plane + i % n, TILE_WIDTH >> shift,
            TILE_HEIGHT >> shift);
      row += GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);
    }
  }
}

static void
limit_binding (GstHarness * h, gsize limit)
{
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);

  device->info.max_binding = MIN (device->info.max_binding, limit);
}

static GstBuffer *
reduce (const gchar * description, const gchar * format, guint width,
    guint height, GstVideoInfo * info)
{
  GstHarness *h = fixture_harness (description);
  GstCaps *caps = fixture_caps (format, width, height);
  GstVideoFrame frame;
  GstBuffer *buffer;

  if (width == SMALL_WIDTH)
    limit_binding (h, SMALL_BINDING);
  /* The same for both, which they are not by default. */
  if (g_str_equal (format, "NV12"))
    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, "bt709",
        "chroma-site", G_TYPE_STRING, "mpeg2", NULL);
  else
    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, "sRGB", NULL);
  g_assert_true (gst_video_info_from_caps (info, caps));
  gst_harness_set_src_caps (h, caps);
  buffer = gst_harness_create_buffer (h, GST_VIDEO_INFO_SIZE (info));
  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  fill_tiles (&frame);
  gst_video_frame_unmap (&frame);
  buffer = gst_harness_push_and_pull (h, buffer);
  g_assert_nonnull (buffer);
  fixture_harness_free (h);
  return buffer;
}

/* @large repeats @tile. */
static void
compare_plane (const GstVideoFrame * large, const GstVideoFrame * tile,
    guint plane)
{
  gsize row = GST_VIDEO_FRAME_COMP_PSTRIDE (tile, plane)
      * GST_VIDEO_FRAME_COMP_WIDTH (tile, plane);
  guint n_columns = GST_VIDEO_FRAME_WIDTH (large) / TILE_WIDTH;

  for (guint y = 0; y < (guint) GST_VIDEO_FRAME_COMP_HEIGHT (large, plane); y++) {
    const guint8 *got = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (large, plane)
        + y * (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (large, plane);
    const guint8 *expected = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (tile, plane)
        + y % GST_VIDEO_FRAME_COMP_HEIGHT (tile, plane)
        * GST_VIDEO_FRAME_PLANE_STRIDE (tile, plane);

    for (guint i = 0; i < n_columns; i++)
      if (memcmp (got + i * row, expected, row))
        g_error ("plane %u, row %u: tile %u is another", plane, y, i);
  }
}

static void
check (const gchar * description, const gchar * format, guint width,
    guint height)
{
  GstVideoInfo tile_info, large_info;
  g_autoptr (GstBuffer) of_tile =
      reduce (description, format, TILE_WIDTH, TILE_HEIGHT, &tile_info);
  g_autoptr (GstBuffer) of_large =
      reduce (description, format, width, height, &large_info);
  GstVideoFrame tile, large;

  g_assert_true (gst_video_frame_map (&tile, &tile_info, of_tile,
          GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&large, &large_info, of_large,
          GST_MAP_READ));
  for (guint plane = 0; plane < GST_VIDEO_INFO_N_PLANES (&tile_info); plane++)
    compare_plane (&large, &tile, plane);
  gst_video_frame_unmap (&tile);
  gst_video_frame_unmap (&large);
}

/* What colours become depends on which there are alone. */
#define PALETTE "meanshiftpalette weighting=palette radius=0.08 "

TEST (exact)
{
  check (PALETTE "quality=exact", "RGBx", WIDTH, HEIGHT);
  if (is_full)
    check (PALETTE "quality=exact", "NV12", WIDTH, HEIGHT);
}

TEST (live)
{
  check (PALETTE "quality=live", "NV12", SMALL_WIDTH, SMALL_HEIGHT);
  if (!is_full)
    return;
  check (PALETTE "quality=live", "NV12", WIDTH, HEIGHT);
  check (PALETTE "quality=live", "RGBx", WIDTH, HEIGHT);
}

/* Each frame by itself. */
static void
test_unsteady (void)
{
  check (PALETTE "quality=live stability=0", "RGBx", WIDTH, HEIGHT);
}

static void
refuse (const gchar * description, const gchar * format, guint width,
    guint height, const gchar * words)
{
  g_autoptr (Harness) h = fixture_harness (description);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  const GpuDeviceInfo real = device->info;

  device->info.max_binding = 128 << 20;
  device->info.max_buffer = 1 << 30;
  fixture_set_caps (h, format, width, height);
  fixture_push (h, gst_buffer_new (), GST_FLOW_NOT_NEGOTIATED);
  fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, words);
  device->info = real;
}

/* What helps is said, and nothing that would not: several planes are not bound in parts,
 * nor is anything by gpublur, and RGBx has its limit too. */
TEST (too_large)
{
  refuse ("meanshiftpalette", "I420", 8192, 11008,
      "A frame of 8192 x 11008 in I420 has 135266304 bytes");
  refuse ("meanshiftpalette quality=exact", "I420", 8192, 11008,
      "use smaller frames, a format of one plane such as RGBx or another device");
  refuse ("meanshiftpalette", "I420", 16400, 16400,
      "(its maxStorageBufferRange); use smaller frames or another device");
  refuse ("meanshiftpalette", "RGBx", 16400, 16400,
      "(its maxMemoryAllocationSize); use smaller frames or another device");
  refuse ("gpublur", "I420", 8192, 11008,
      "use smaller frames or another device");
  refuse ("gpublur", "RGBx", 8192, 4320,
      "A frame of 8192 x 4320 in RGBx has 141557760 bytes");
}

/* A frame in memory that has more than a shader is bound to, as those of 8K that
 * another of our elements was given, is copied. */
TEST (memory)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box radius=2");
  GstBufferPool *pool = fixture_take_pool (h, "RGBA", 64, 60);
  GstBuffer *frame = fixture_acquire (pool), *buffer, *out;
  GstAllocationParams params = {.padding = 200000};
  GstAllocator *allocator = gst_buffer_peek_memory (frame, 0)->allocator;
  GpuDevice *device = fixture_device_of (h->element);
  gsize limit = device->info.max_binding, size = gst_buffer_get_size (frame);
  g_autoptr (GstCaps) caps = fixture_caps ("RGBA", 64, 60);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, gst_allocator_alloc (allocator, size,
          &params));
  fixture_fill (buffer, &info, 1);
  device->info.max_binding = 200000;
  out = gst_harness_push_and_pull (h, buffer);
  g_assert_nonnull (out);
  g_assert_true (fixture_is_box (out, BOX_OF ("RGBA", 64, 60, 1, 2)));
  device->info.max_binding = limit;
  gst_buffer_unref (out);
  gst_buffer_unref (frame);
  gpu_device_unref (device);
  fixture_release_pool (pool);
}

int
main (int argc, char **argv)
{
  is_full = argc > 1 && g_str_equal (argv[1], "--full");
  fixture_init (&argc, &argv, "/large/");
  if (is_full)
    tests_register ("unsteady", test_unsteady);
  return fixture_run ();
}
