/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames go in as other elements make them, and come out as others expect
 * them. */
#include "element_fixture.h"
#include "gpu/core/vulkan.h"
#include "gstgpubufferpool.h"
#include "gstgpuframe.h"
#include "gstgpumemory.h"
#include "lazy_device.h"

#define RADIUS 2
#define BLUR "gpublur kernel=box radius=2"

static GstFlowReturn
push_and_check (GstHarness * h, GstBuffer * buffer, const gchar * format,
    guint width, guint height, guint seed)
{
  GstFlowReturn flow = gst_harness_push (h, buffer);

  if (flow == GST_FLOW_OK) {
    GstBuffer *out = gst_harness_pull (h);

    g_assert_true (element_fixture_is_box (out, format, width, height, seed,
            RADIUS));
    gst_buffer_unref (out);
  }
  return flow;
}

/* Harnesses offer no GstVideoMeta, as file sinks do not: what comes out has to
 * lie as the caps alone say. */
static void
test_formats (void)
{
  static const gchar *formats[] = {
    "RGBA", "BGRA", "ARGB", "ABGR", "RGBx", "BGRx", "xRGB", "xBGR", "RGB",
    "BGR", "NV12", "I420", "GRAY8"
  };
  static const guint sizes[][2] = { {17, 9}, {1, 1}, {64, 3}, {2, 31} };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    GstHarness *h = element_fixture_harness (BLUR);

    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      guint width = sizes[s][0], height = sizes[s][1];
      GstBuffer *in = element_fixture_frame (formats[f], width, height, f);
      gsize size = gst_buffer_get_size (in);
      GstBuffer *out;

      g_test_message ("%s %u x %u", formats[f], width, height);
      element_fixture_set_caps (h, formats[f], width, height);
      g_assert_cmpint (gst_harness_push (h, in), ==, GST_FLOW_OK);
      out = gst_harness_pull (h);
      g_assert_cmpuint (gst_buffer_get_size (out), ==, size);
      g_assert_null (gst_buffer_get_video_meta (out));
      g_assert_true (element_fixture_is_box (out, formats[f], width, height,
              f, RADIUS));
      gst_buffer_unref (out);
    }
    element_fixture_harness_free (h);
  }
}

static void
test_meta_when_asked (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GstBuffer *out;

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  element_fixture_set_caps (h, "I420", 17, 9);
  out = gst_harness_push_and_pull (h, element_fixture_frame ("I420", 17, 9, 1));
  g_assert_nonnull (gst_buffer_get_video_meta (out));
  g_assert_true (element_fixture_is_box (out, "I420", 17, 9, 1, RADIUS));
  gst_buffer_unref (out);
  element_fixture_harness_free (h);
}

/* A frame at an odd offset with an odd stride. */
static GstBuffer *
make_odd_frame (GstBuffer * buffer, gsize * offset, gint * stride,
    const GstVideoInfo * info, guint seed)
{
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), offset,
      stride);
  element_fixture_fill (buffer, info, seed);
  return buffer;
}

static void
test_odd_layouts (void)
{
  gsize nv12_offset[GST_VIDEO_MAX_PLANES] = { 3, 401 };
  gint nv12_stride[GST_VIDEO_MAX_PLANES] = { 41, 23 };
  gsize rgb_offset[GST_VIDEO_MAX_PLANES] = { 5 };
  gint rgb_stride[GST_VIDEO_MAX_PLANES] = { 55 };
  gsize upside_down[GST_VIDEO_MAX_PLANES] = { 8 * 55 };
  gint downwards[GST_VIDEO_MAX_PLANES] = { -55 };
  GstHarness *h = element_fixture_harness (BLUR);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 17, 9);
  element_fixture_set_caps (h, "NV12", 17, 9);
  g_assert_cmpint (push_and_check (h, make_odd_frame (gst_buffer_new_allocate
              (NULL, 600, NULL), nv12_offset, nv12_stride, &info, 1), "NV12",
          17, 9, 1), ==, GST_FLOW_OK);

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 17, 9);
  element_fixture_set_caps (h, "RGB", 17, 9);
  g_assert_cmpint (push_and_check (h, make_odd_frame (gst_buffer_new_allocate
              (NULL, 500, NULL), rgb_offset, rgb_stride, &info, 2), "RGB", 17,
          9, 2), ==, GST_FLOW_OK);
  g_assert_cmpint (push_and_check (h, make_odd_frame (gst_buffer_new_allocate
              (NULL, 9 * 55, NULL), upside_down, downwards, &info, 3), "RGB",
          17, 9, 3), ==, GST_FLOW_OK);
  element_fixture_harness_free (h);
}

/* Larger than the caps say, as decoders round up. */
static void
test_padded_frame (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 20, 10);
  buffer = gst_buffer_new_allocate (NULL, 24 * 16, NULL);
  gst_buffer_memset (buffer, 0, 99, 24 * 16);
  info.stride[0] = 24;
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, 24, 16, 1, info.offset, info.stride);
  gst_buffer_get_video_meta (buffer)->width = 20;
  gst_buffer_get_video_meta (buffer)->height = 10;
  element_fixture_fill (buffer, &info, 4);
  gst_buffer_get_video_meta (buffer)->width = 24;
  gst_buffer_get_video_meta (buffer)->height = 16;
  element_fixture_set_caps (h, "GRAY8", 20, 10);
  g_assert_cmpint (push_and_check (h, buffer, "GRAY8", 20, 10, 4), ==,
      GST_FLOW_OK);
  element_fixture_harness_free (h);
}

static void
test_several_memories (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GstVideoInfo info;
  GstBuffer *whole, *parts;

  /* One memory per plane. */
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 17, 9);
  whole = element_fixture_frame ("I420", 17, 9, 1);
  parts = gst_buffer_new ();
  for (guint i = 0; i < 3; i++) {
    gsize end = i < 2 ? info.offset[i + 1] : info.size;

    gst_buffer_copy_into (parts, whole, GST_BUFFER_COPY_MEMORY
        | GST_BUFFER_COPY_DEEP, info.offset[i], end - info.offset[i]);
  }
  g_assert_cmpuint (gst_buffer_n_memory (parts), ==, 3);
  gst_buffer_add_video_meta_full (parts, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 17, 9, 3, info.offset, info.stride);
  element_fixture_set_caps (h, "I420", 17, 9);
  g_assert_cmpint (push_and_check (h, parts, "I420", 17, 9, 1), ==,
      GST_FLOW_OK);
  gst_buffer_unref (whole);

  /* Cut in the middle of a row, without a meta. */
  whole = element_fixture_frame ("RGBA", 17, 9, 2);
  parts = gst_buffer_new ();
  gst_buffer_copy_into (parts, whole, GST_BUFFER_COPY_MEMORY
      | GST_BUFFER_COPY_DEEP, 0, 101);
  gst_buffer_copy_into (parts, whole, GST_BUFFER_COPY_MEMORY
      | GST_BUFFER_COPY_DEEP, 101, -1);
  g_assert_cmpuint (gst_buffer_n_memory (parts), ==, 2);
  element_fixture_set_caps (h, "RGBA", 17, 9);
  g_assert_cmpint (push_and_check (h, parts, "RGBA", 17, 9, 2), ==,
      GST_FLOW_OK);
  gst_buffer_unref (whole);
  element_fixture_harness_free (h);
}

/* What contradicts the caps ends in one error, whatever else comes. */
static void
refuse (GstBuffer * buffer)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GQuark domain = 0;
  gint code = 0;

  element_fixture_set_caps (h, "I420", 17, 9);
  g_assert_cmpint (gst_harness_push (h, gst_buffer_ref (buffer)), ==,
      GST_FLOW_ERROR);
  g_assert_cmpint (gst_harness_push (h, buffer), ==, GST_FLOW_ERROR);
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
  g_assert_cmpuint (element_fixture_take_messages (h->element,
          GST_MESSAGE_ERROR, &domain, &code), ==, 1);
  g_assert_true (domain == GST_STREAM_ERROR);
  g_assert_cmpint (code, ==, GST_STREAM_ERROR_FORMAT);
  element_fixture_harness_free (h);
}

static void
test_bad_frames (void)
{
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 17, 9);

  refuse (gst_buffer_new_allocate (NULL, info.size - 1, NULL));
  refuse (gst_buffer_new ());

  /* A meta that points beyond the end. */
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 17, 9);
  gst_buffer_get_video_meta (buffer)->offset[2] += 64;
  refuse (buffer);

  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 17, 9);
  gst_buffer_get_video_meta (buffer)->stride[0] = -20;
  refuse (buffer);

  /* Metas of another frame. */
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 16, 9);
  refuse (buffer);
  buffer = gst_buffer_new_allocate (NULL, 4096, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGBA, 17, 9);
  refuse (buffer);
}

/* A rectangle that lies elsewhere than in the frame, or nobody knows where. */
static void
refuse_crop (guint x, guint y, gboolean with_layout)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 4096, NULL);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = x;
  crop->y = y;
  crop->width = 17;
  crop->height = 9;
  if (with_layout)
    gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_FORMAT_I420, 32, 32);
  refuse (buffer);
}

static void
test_bad_crops (void)
{
  refuse_crop (16, 0, TRUE);
  refuse_crop (0, 24, TRUE);
  refuse_crop (G_MAXUINT, 0, TRUE);
  refuse_crop (0, G_MAXUINT - 7, TRUE);
  refuse_crop (1, 0, FALSE);
}

/* --- metas with numbers near the limits --- */

__extension__ typedef __int128 Wide;

typedef struct
{
  GstVideoInfo info;
  GstVideoMeta *meta;
  gsize prefix, size;           /* of the memory */
} Wild;

static Wide
row_size (const Wild * wild, guint plane)
{
  return (Wide) GST_VIDEO_INFO_COMP_WIDTH (&wild->info, plane)
      * GST_VIDEO_INFO_COMP_PSTRIDE (&wild->info, plane);
}

/* Whether the rows of a plane lie inside of the memory. In numbers that do not
 * wrap. */
static gboolean
rows_lie_inside (const Wild * wild, guint plane)
{
  Wide rows = GST_VIDEO_INFO_COMP_HEIGHT (&wild->info, plane);
  Wide first = wild->meta->offset[plane];
  Wide last = first + (rows - 1) * wild->meta->stride[plane];

  return MIN (first, last) >= 0 && MAX (first, last) + row_size (wild, plane)
      <= wild->size;
}

static gboolean
can_be_copied (const Wild * wild)
{
  for (guint i = 0; i < wild->meta->n_planes; i++)
    if (!rows_lie_inside (wild, i))
      return FALSE;
  return TRUE;
}

/* As shaders want it: whole words, whole rows, nothing twice. */
static gboolean
can_be_used_in_place (const Wild * wild)
{
  for (guint i = 0; i < wild->meta->n_planes; i++) {
    Wide stride = wild->meta->stride[i], offset = wild->meta->offset[i];
    Wide end = offset + stride * GST_VIDEO_INFO_COMP_HEIGHT (&wild->info, i);

    if (stride % 4 || (offset + wild->prefix) % 4
        || stride < row_size (wild, i) || end > (Wide) wild->size)
      return FALSE;
    for (guint j = 0; j < i; j++) {
      Wide other = wild->meta->offset[j];

      if (offset < other + (Wide) wild->meta->stride[j]
          * GST_VIDEO_INFO_COMP_HEIGHT (&wild->info, j) && other < end)
        return FALSE;
    }
  }
  return TRUE;
}

static gsize
number_near (GRand * rand, gsize n)
{
  const gsize around[] = {
    n, n, n, n, 0, G_MAXINT32, G_MAXUINT32, G_MAXSSIZE, (gsize) 1 << 63,
    0 - n, 0 - (gsize) 256
  };
  gsize step = g_rand_int_range (rand, 0, 8) ? 4 : 1;

  return around[g_rand_int_range (rand, 0, G_N_ELEMENTS (around))]
      + step * (gsize) g_rand_int_range (rand, -3, 4);
}

/* Adds a meta that is right but for a number or two. */
static void
make_wild (GRand * rand, GstBuffer * buffer, Wild * wild)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_GRAY8
  };

  gst_video_info_set_format (&wild->info,
      formats[g_rand_int_range (rand, 0, G_N_ELEMENTS (formats))],
      g_rand_int_range (rand, 1, 20), g_rand_int_range (rand, 1, 20));
  wild->meta = gst_buffer_add_video_meta_full (buffer,
      GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&wild->info),
      GST_VIDEO_INFO_WIDTH (&wild->info), GST_VIDEO_INFO_HEIGHT (&wild->info),
      GST_VIDEO_INFO_N_PLANES (&wild->info), wild->info.offset,
      wild->info.stride);
  for (guint i = 0; i < wild->meta->n_planes; i++) {
    if (g_rand_int_range (rand, 0, 3) == 0)
      wild->meta->offset[i] = number_near (rand, wild->meta->offset[i]);
    if (g_rand_int_range (rand, 0, 3) == 0)
      wild->meta->stride[i] = number_near (rand, wild->meta->stride[i]);
    if (g_rand_int_range (rand, 0, 8) == 0)
      wild->meta->stride[i] = -wild->info.stride[i];
  }
}

/* Whatever a meta says: shaders and the CPU touch nothing but the frame. */
static void
test_wild_metas (void)
{
  GRand *rand = g_rand_new_with_seed (21);
  GstAllocationParams params = { 0, 0, 256, 16 };
  guint in_place = 0, copied = 0;

  for (guint n = 0; n < 20000; n++) {
    g_autoptr (GstBuffer) buffer = gst_buffer_new_allocate (NULL, 2048,
        &params);
    g_autoptr (GstBuffer) target = NULL;
    Wild wild = {.prefix = 256,.size = 2048 };
    GpuFrameInfo info;

    make_wild (rand, buffer, &wild);
    g_assert_cmpint (gst_gpu_frame_info_from_buffer (&info, buffer,
            &wild.info), ==, can_be_used_in_place (&wild));
    in_place += can_be_used_in_place (&wild);

    target = gst_buffer_new_allocate (NULL, wild.info.size, NULL);
    g_assert_cmpint (gst_gpu_frame_copy (target, buffer, &wild.info, NULL),
        ==, can_be_copied (&wild));
    copied += can_be_copied (&wild);
  }
  g_assert_cmpuint (in_place, >, 2000);
  g_assert_cmpuint (copied, >, in_place);
  g_assert_cmpuint (copied, <, 18000);
  g_rand_free (rand);
}

static GstBuffer *foreign_output;
static gboolean shares_output;

/* The reference that others have is on the memory, not on the buffer. */
static GstFlowReturn
prepare_foreign_output (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer ** out)
{
  *out = shares_output ? gst_buffer_copy (foreign_output)
      : gst_buffer_ref (foreign_output);
  return GST_FLOW_OK;
}

/* Somebody else's buffers in the place of our pool's: one error, and they are
 * left as they were. */
static void
refuse_output (GstHarness * h)
{
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (h->element);
  GstBaseTransformClass real = *klass;
  gsize size = gst_buffer_get_size (foreign_output);
  g_autoptr (GstBus) bus = gst_element_get_bus (h->element);
  g_autoptr (GError) error = NULL;
  GstMessage *message;
  GstMapInfo map;

  gst_buffer_memset (foreign_output, 0, 77, size);
  element_fixture_set_caps (h, "RGB", 17, 9);
  klass->prepare_output_buffer = prepare_foreign_output;
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gst_harness_push (h, element_fixture_frame ("RGB", 17, 9,
                i)), ==, GST_FLOW_ERROR);
  *klass = real;
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  gst_message_unref (message);
  g_assert_error (error, GST_RESOURCE_ERROR,
      (gint) GST_RESOURCE_ERROR_SETTINGS);
  /* It says what to do. */
  g_assert_nonnull (strstr (error->message, "Remove the pad probe"));
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  g_assert_true (gst_buffer_map (foreign_output, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    g_assert_cmpuint (map.data[i], ==, 77);
  gst_buffer_unmap (foreign_output, &map);
  gst_buffer_unref (foreign_output);
  element_fixture_harness_free (h);
}

static void
test_foreign_output (void)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 2 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 51 };
  GstHarness *h = element_fixture_harness (BLUR);
  GstAllocator *allocator;
  GstBufferPool *pool;

  foreign_output = gst_buffer_new_allocate (NULL, 52 * 9, NULL);
  refuse_output (h);

  foreign_output = gst_buffer_new ();
  refuse_output (element_fixture_harness (BLUR));

  /* Memory of another device. */
  allocator = gst_gpu_allocator_new (element_fixture_device (), NULL, NULL);
  foreign_output = gst_buffer_new_allocate (allocator, 52 * 9, NULL);
  refuse_output (element_fixture_harness (BLUR));
  gst_object_unref (allocator);

  /* Of the same, but where no shader can write. */
  h = element_fixture_harness (BLUR);
  pool = element_fixture_take_pool (h, "RGB", 17, 10);
  gst_buffer_pool_acquire_buffer (pool, &foreign_output, NULL);
  gst_buffer_add_video_meta_full (foreign_output, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGB, 17, 9, 1, offset, stride);
  refuse_output (h);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);

  /* Somebody else sees it too. */
  h = element_fixture_harness (BLUR);
  pool = element_fixture_take_pool (h, "RGB", 17, 9);
  gst_buffer_pool_acquire_buffer (pool, &foreign_output, NULL);
  shares_output = TRUE;
  refuse_output (h);
  shares_output = FALSE;
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

/* What downstream asks of memory is what it gets, where that can be; what it
 * does not get is not claimed. */
static void
test_allocation_params (void)
{
  static const struct
  {
    GstAllocationParams asked, given;
  } cases[] = {
    {{0, 31, 64, 100}, {0, 31, 64, 100}},
    {{0, 4095, 64, 100}, {0, 0, 0, 0}},
    {{0, 0, 3, 0}, {0, 0, 0, 0}},
    {{0, 0, 0, G_MAXUINT32}, {0, 0, 0, 0}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstAllocationParams given = cases[i].given;
    GstHarness *h = element_fixture_harness (BLUR);
    GstMemory *memory;
    GstBuffer *out;

    gst_harness_set_propose_allocator (h, NULL, &cases[i].asked);
    element_fixture_set_caps (h, "RGBA", 17, 9);
    out = gst_harness_push_and_pull (h, element_fixture_frame ("RGBA", 17, 9,
            1));
    memory = gst_buffer_peek_memory (out, 0);
    g_assert_cmpuint (memory->align, ==, given.align);
    g_assert_cmpuint (memory->offset, ==, given.prefix);
    g_assert_cmpuint (memory->maxsize, ==, given.prefix + 17 * 9 * 4
        + given.padding);
    g_assert_true (element_fixture_is_box (out, "RGBA", 17, 9, 1, RADIUS));
    gst_buffer_unref (out);
    element_fixture_harness_free (h);
  }
}

static void
test_caps_change (void)
{
  static const struct
  {
    const gchar *format;
    guint width, height;
  } caps[] = {
    {"RGBA", 17, 9}, {"NV12", 32, 16}, {"RGB", 5, 40}, {"RGBA", 17, 9},
    {"RGBA", 18, 9}
  };
  GstHarness *h = element_fixture_harness (BLUR);

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    element_fixture_set_caps (h, caps[i].format, caps[i].width, caps[i].height);
    for (guint k = 0; k < 3; k++)
      g_assert_cmpint (push_and_check (h,
              element_fixture_frame (caps[i].format, caps[i].width,
                  caps[i].height, 10 * i + k), caps[i].format, caps[i].width,
              caps[i].height, 10 * i + k), ==, GST_FLOW_OK);
  }
  g_assert_cmpuint (element_fixture_stat (h->element, "frames"), ==,
      3 * G_N_ELEMENTS (caps));
  element_fixture_harness_free (h);
}

/* Caps that are refused leave those before them in force, which need not come
 * again in full. An error after that is a new one. */
static void
test_refused_caps (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GpuDevice *device = element_fixture_device_of (h->element);
  gsize limit = device->info.max_binding;
  GstCaps *large = element_fixture_caps ("RGB", 64, 64);
  GstCaps *small = element_fixture_caps ("RGBA", 17, 9);

  element_fixture_set_caps (h, "RGBA", 17, 9);
  g_assert_cmpint (push_and_check (h, element_fixture_frame ("RGBA", 17, 9, 1),
          "RGBA", 17, 9, 1), ==, GST_FLOW_OK);
  device->info.max_binding = 4096;
  gst_harness_push_event (h, gst_event_new_caps (large));
  g_assert_cmpuint (element_fixture_take_messages (h->element,
          GST_MESSAGE_ERROR, NULL, NULL), ==, 1);
  device->info.max_binding = limit;
  gst_harness_push_event (h, gst_event_new_caps (small));
  g_assert_cmpint (push_and_check (h, element_fixture_frame ("RGBA", 17, 9, 2),
          "RGBA", 17, 9, 2), ==, GST_FLOW_OK);
  gpu_device_mark_lost (device);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gst_harness_push (h, element_fixture_frame ("RGBA", 17, 9,
                3)), ==, GST_FLOW_ERROR);
  g_assert_cmpuint (element_fixture_take_messages (h->element,
          GST_MESSAGE_ERROR, NULL, NULL), ==, 1);
  gst_caps_unref (large);
  gst_caps_unref (small);
  gpu_device_unref (device);
  element_fixture_harness_free (h);
}

/* New caps while the device has not begun with the frames before. */
static void
test_caps_change_in_flight (void)
{
  static const struct
  {
    const gchar *format;
    guint width, height;
  } caps[] = {
    {"RGBA", 17, 9}, {"NV12", 32, 16}, {"RGB", 5, 40}, {"RGBA", 17, 9}
  };
  GstHarness *h = element_fixture_harness (BLUR " async-depth=8");
  GpuDevice *device = element_fixture_device_of (h->element);
  GstBuffer *outputs[G_N_ELEMENTS (caps)][2];

  lazy_device_begin (device);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    element_fixture_set_caps (h, caps[i].format, caps[i].width, caps[i].height);
    for (guint k = 0; k < 2; k++)
      outputs[i][k] = gst_harness_push_and_pull (h, element_fixture_frame
          (caps[i].format, caps[i].width, caps[i].height, 2 * i + k));
  }
  g_assert_cmpuint (element_fixture_stat (h->element, "waits-for-slot"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++)
    for (guint k = 0; k < 2; k++) {
      g_assert_true (element_fixture_is_box (outputs[i][k], caps[i].format,
              caps[i].width, caps[i].height, 2 * i + k, RADIUS));
      gst_buffer_unref (outputs[i][k]);
    }
  lazy_device_end (device);
  gpu_device_unref (device);
  element_fixture_harness_free (h);
}

/* --- our memory as input --- */

/* A source that writes into one buffer again and again, as soon as it has it
 * back: no frame may show what was written later. */
static void
test_source_overwrites (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GstBufferPool *pool = element_fixture_take_pool (h, "RGBA", 33, 20);
  GpuDevice *device = element_fixture_device_of (h->element);
  GstVideoInfo info;
  GstBuffer *outputs[8];

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 33, 20);
  lazy_device_begin (device);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    GstBuffer *buffer;

    g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
        GST_FLOW_OK);
    element_fixture_fill (buffer, &info, i);
    g_assert_cmpint (gst_harness_push (h, buffer), ==, GST_FLOW_OK);
    outputs[i] = gst_harness_pull (h);
  }
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    g_assert_true (element_fixture_is_box (outputs[i], "RGBA", 33, 20, i,
            RADIUS));
    gst_buffer_unref (outputs[i]);
  }
  /* It did write into the memory that the device read from. */
  g_assert_cmpuint (element_fixture_stat (h->element, "waits-for-readers"),
      ==, G_N_ELEMENTS (outputs) - 1);
  g_assert_cmpuint (element_fixture_stat (h->element, "uploads"), ==,
      element_fixture_transfers (G_N_ELEMENTS (outputs)));

  lazy_device_end (device);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gpu_device_unref (device);
  element_fixture_harness_free (h);
}

/* Who has a pool already is offered the allocator alone. */
static void
test_allocator_without_pool (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  g_autoptr (GstCaps) caps = element_fixture_caps ("RGBA", 17, 9);
  GstQuery *query = gst_query_new_allocation (caps, FALSE);
  GstBufferPool *pool;
  GstAllocator *allocator;
  GstVideoInfo info;
  GstBuffer *buffer;
  guint size;

  gst_video_info_from_caps (&info, caps);
  element_fixture_set_caps (h, "RGBA", 17, 9);
  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
  g_assert_null (pool);
  g_assert_cmpuint (size, ==, info.size);
  gst_query_parse_nth_allocation_param (query, 0, &allocator, NULL);
  buffer = gst_buffer_new_allocate (allocator, info.size, NULL);
  element_fixture_fill (buffer, &info, 3);
  g_assert_cmpint (push_and_check (h, gst_buffer_ref (buffer), "RGBA", 17, 9,
          3), ==, GST_FLOW_OK);
  /* The device read this memory, no copy: it is uploaded now. */
  g_assert_cmpint (push_and_check (h, buffer, "RGBA", 17, 9, 3), ==,
      GST_FLOW_OK);
  g_assert_cmpuint (element_fixture_stat (h->element, "uploads"), ==,
      element_fixture_transfers (1));
  gst_object_unref (allocator);
  gst_query_unref (query);
  element_fixture_harness_free (h);
}

/* The element's own copies rotate: they never wait for one another. */
static void
test_copies_do_not_wait (void)
{
  GstHarness *h = element_fixture_harness (BLUR " async-depth=3");
  GpuDevice *device = element_fixture_device_of (h->element);
  GstBuffer *outputs[12];

  element_fixture_set_caps (h, "RGB", 33, 20);
  lazy_device_begin (device);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    outputs[i] = gst_harness_push_and_pull (h, element_fixture_frame ("RGB",
            33, 20, i));
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    g_assert_true (element_fixture_is_box (outputs[i], "RGB", 33, 20, i,
            RADIUS));
    gst_buffer_unref (outputs[i]);
  }
  g_assert_cmpuint (element_fixture_stat (h->element, "waits-for-readers"),
      ==, 0);
  lazy_device_end (device);
  gpu_device_unref (device);
  element_fixture_harness_free (h);
}

/* In our memory, but where no shader can read. */
static void
test_odd_layout_in_our_memory (void)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 2 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 51 };
  GstHarness *h = element_fixture_harness (BLUR);
  GstBufferPool *pool = element_fixture_take_pool (h, "RGB", 17, 10);
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 17, 10);
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  g_assert_cmpint (push_and_check (h, make_odd_frame (buffer, offset, stride,
              &info, 1), "RGB", 17, 10, 1), ==, GST_FLOW_OK);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  element_fixture_harness_free (h);
}

/* A memory that was cut at its start. */
static void
test_offset_in_our_memory (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GstBufferPool *pool = element_fixture_take_pool (h, "GRAY8", 16, 12);
  GstVideoInfo info;
  GstBuffer *buffer;

  element_fixture_set_caps (h, "GRAY8", 16, 10);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 16, 10);
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  gst_buffer_resize (buffer, 32, 160);
  element_fixture_fill (buffer, &info, 6);
  g_assert_cmpint (push_and_check (h, buffer, "GRAY8", 16, 10, 6), ==,
      GST_FLOW_OK);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  element_fixture_harness_free (h);
}

/* --- what frames carry --- */

static const gchar *colour_tags[] = {
  GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_COLORSPACE_STR, NULL
};

static const gchar *sound_tags[] = { "audio", NULL };

static void
test_metas (void)
{
  g_autoptr (GstCaps) reference = gst_caps_new_empty_simple ("timestamp/x");
  GstHarness *h = element_fixture_harness (BLUR);
  GstBuffer *in = element_fixture_frame ("RGBA", 17, 9, 1);
  GstVideoRegionOfInterestMeta *region;
  GstVideoCropMeta *crop;
  GstBuffer *out;

  gst_meta_register_custom ("TestColours", colour_tags, NULL, NULL, NULL);
  gst_meta_register_custom ("TestSound", sound_tags, NULL, NULL, NULL);
  crop = gst_buffer_add_video_crop_meta (in);
  crop->x = 3;
  crop->width = 10;
  gst_buffer_add_video_region_of_interest_meta (in, "face", 1, 2, 3, 4);
  gst_buffer_add_reference_timestamp_meta (in, reference, 77, 1);
  gst_buffer_add_video_meta (in, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGBA, 17, 9);
  g_assert_nonnull (gst_buffer_add_custom_meta (in, "TestColours"));
  g_assert_nonnull (gst_buffer_add_custom_meta (in, "TestSound"));
  GST_BUFFER_PTS (in) = 40 * GST_MSECOND;
  GST_BUFFER_DTS (in) = 30 * GST_MSECOND;
  GST_BUFFER_DURATION (in) = 40 * GST_MSECOND;
  GST_BUFFER_OFFSET (in) = 5;
  GST_BUFFER_FLAG_SET (in, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  GST_BUFFER_FLAG_SET (in, GST_VIDEO_BUFFER_FLAG_TFF);
  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_MARKER);

  element_fixture_set_caps (h, "RGBA", 17, 9);
  out = gst_harness_push_and_pull (h, in);

  /* Of another size than the frame: only a remark. */
  g_assert_null (gst_buffer_get_video_crop_meta (out));
  region = gst_buffer_get_video_region_of_interest_meta_id (out, 0);
  g_assert_nonnull (region);
  g_assert_cmpuint (region->w, ==, 3);
  g_assert_nonnull (gst_buffer_get_reference_timestamp_meta (out, reference));
  g_assert_nonnull (gst_buffer_get_custom_meta (out, "TestColours"));
  g_assert_null (gst_buffer_get_custom_meta (out, "TestSound"));
  g_assert_null (gst_buffer_get_video_meta (out));

  g_assert_cmpuint (GST_BUFFER_PTS (out), ==, 40 * GST_MSECOND);
  g_assert_cmpuint (GST_BUFFER_DTS (out), ==, 30 * GST_MSECOND);
  g_assert_cmpuint (GST_BUFFER_DURATION (out), ==, 40 * GST_MSECOND);
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out,
          GST_VIDEO_BUFFER_FLAG_INTERLACED));
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_TFF));
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_MARKER));
  g_assert_true (element_fixture_is_box (out, "RGBA", 17, 9, 1, RADIUS));
  gst_buffer_unref (out);
  element_fixture_harness_free (h);
}

/* What may be asked of upstream because downstream understands it. Not
 * cropping, whether frames pass through or not. */
static void
test_proposed_metas (void)
{
  static const gchar *const elements[] = {
    BLUR, "gpublur sigma=0", "gpublur sigma=0 ! gpublur",
    "gpublur ! gpublur sigma=0"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstHarness *h = element_fixture_harness (elements[i]);
    g_autoptr (GstCaps) caps = element_fixture_caps ("RGBA", 17, 9);
    GstQuery *query = gst_query_new_allocation (caps, TRUE);

    gst_harness_add_propose_allocation_meta (h,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE, NULL);
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
        NULL);
    element_fixture_set_caps (h, "RGBA", 17, 9);
    gst_buffer_unref (gst_harness_push_and_pull (h, element_fixture_frame
            ("RGBA", 17, 9, 1)));
    g_assert_true (gst_pad_peer_query (h->srcpad, query));
    g_assert_true (gst_query_find_allocation_meta (query,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE, NULL));
    g_assert_false (gst_query_find_allocation_meta (query,
            GST_VIDEO_CROP_META_API_TYPE, NULL));
    gst_query_unref (query);
    element_fixture_harness_free (h);
  }
}

/* Frames that pass on are held by who comes next as well as by us. */
static void
test_proposed_number (void)
{
  GstHarness *h = element_fixture_harness ("gpublur sigma=0 ! gpublur");
  g_autoptr (GstCaps) caps = element_fixture_caps ("RGBA", 17, 9);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  guint min;

  element_fixture_set_caps (h, "RGBA", 17, 9);
  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  gst_query_parse_nth_allocation_pool (query, 0, NULL, NULL, &min, NULL);
  g_assert_cmpuint (min, ==, 3 + 3);
  gst_query_unref (query);
  element_fixture_harness_free (h);
}

/* Output that cannot be allocated, once all of the pool's frames are held, is one
 * error, which says so. */
static void
test_no_output (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GpuDevice *device = element_fixture_device_of (h->element);
  gsize limit = device->info.max_binding;
  GQuark domain = 0;
  gint code = 0;

  element_fixture_set_caps (h, "RGBA", 17, 9);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (gst_harness_push (h, element_fixture_frame ("RGBA", 17, 9,
                i)), ==, GST_FLOW_OK);
  device->info.max_binding = 4;
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gst_harness_push (h, element_fixture_frame ("RGBA", 17, 9,
                i)), ==, GST_FLOW_ERROR);
  device->info.max_binding = limit;
  g_assert_cmpuint (element_fixture_take_messages (h->element,
          GST_MESSAGE_ERROR, &domain, &code), ==, 1);
  g_assert_true (domain == GST_RESOURCE_ERROR);
  g_assert_cmpint (code, ==, GST_RESOURCE_ERROR_NO_SPACE_LEFT);
  gpu_device_unref (device);
  element_fixture_harness_free (h);
}

/* Colorimetry, siting, aspect ratio and interlacing of the caps. */
static void
test_caps_fields (void)
{
  GstHarness *h = element_fixture_harness (BLUR);
  GstCaps *caps = gst_caps_from_string ("video/x-raw, format=I420, width=32, "
      "height=16, framerate=30/1, colorimetry=1:3:5:1, chroma-site=mpeg2, "
      "pixel-aspect-ratio=4/3, interlace-mode=interleaved, "
      "field-order=top-field-first");
  GstCaps *out;

  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  gst_buffer_unref (gst_harness_push_and_pull (h, element_fixture_frame
          ("I420", 32, 16, 1)));
  out = gst_pad_get_current_caps (h->sinkpad);
  g_assert_true (gst_caps_is_equal (caps, out));
  gst_caps_unref (out);
  gst_caps_unref (caps);
  element_fixture_harness_free (h);
}

int
main (int argc, char **argv)
{
  element_fixture_init (&argc, &argv);
  element_fixture_add ("/frames/formats", test_formats);
  element_fixture_add ("/frames/meta-when-asked", test_meta_when_asked);
  element_fixture_add ("/frames/odd-layouts", test_odd_layouts);
  element_fixture_add ("/frames/padded", test_padded_frame);
  element_fixture_add ("/frames/several-memories", test_several_memories);
  element_fixture_add ("/frames/bad", test_bad_frames);
  element_fixture_add ("/frames/wild-metas", test_wild_metas);
  element_fixture_add ("/frames/bad-crops", test_bad_crops);
  element_fixture_add ("/frames/foreign-output", test_foreign_output);
  element_fixture_add ("/frames/allocation-params", test_allocation_params);
  element_fixture_add ("/frames/caps-change", test_caps_change);
  element_fixture_add ("/frames/refused-caps", test_refused_caps);
  element_fixture_add ("/frames/caps-change-in-flight",
      test_caps_change_in_flight);
  element_fixture_add ("/frames/source-overwrites", test_source_overwrites);
  element_fixture_add ("/frames/allocator-without-pool",
      test_allocator_without_pool);
  element_fixture_add ("/frames/copies-do-not-wait", test_copies_do_not_wait);
  element_fixture_add ("/frames/odd-layout-in-our-memory",
      test_odd_layout_in_our_memory);
  element_fixture_add ("/frames/offset-in-our-memory",
      test_offset_in_our_memory);
  element_fixture_add ("/frames/metas", test_metas);
  element_fixture_add ("/frames/proposed-metas", test_proposed_metas);
  element_fixture_add ("/frames/proposed-number", test_proposed_number);
  element_fixture_add ("/frames/no-output", test_no_output);
  element_fixture_add ("/frames/caps-fields", test_caps_fields);
  return element_fixture_run ();
}
