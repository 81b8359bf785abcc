/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Input frames in dma-bufs, whether the device can import them or not. */
#include "dmabuf_fixture.h"

#include "gst/memory/gstgpudmabufs.h"

#define BLUR "gpublur kernel=box radius=2"
#define RADIUS 2

/* --- frames --- */

/* How a frame lies in dma-bufs. */
typedef struct
{
  const gchar *format;
  guint width, height;
  guint padding;                /* bytes at the end of each row of plane 0 */
  guint skip;                   /* bytes of a memory before the frame */
  gboolean is_apart;            /* a memory for each plane */
  gboolean is_copied;           /* by the CPU: shaders cannot use this layout */
} Layout;

static const Layout layouts[] = {
  {"RGBA", 33, 20},
  {"RGBA", 33, 20, 4},
  {"RGBA", 33, 20, 0, 64},
  {"RGB", 33, 20, 4},
  {"RGB", 33, 20, 1, 0, FALSE, TRUE},
  {"GRAY8", 16, 9, 16},
  {"NV12", 32, 18},
  {"NV12", 33, 19, 28, 4},
  {"NV12", 32, 18, 0, 0, TRUE},
  {"NV12", 33, 19, 28, 4, TRUE},
  {"I420", 34, 20, 0, 0, TRUE},
  {"I420", 34, 20, 12, 8, TRUE},
  {"RGBA", 33, 20, 2, 0, FALSE, TRUE},
  {"RGBA", 33, 20, 0, 2, FALSE, FALSE},
  {"NV12", 32, 18, 3, 0, TRUE, TRUE},
};

/* Strides and offsets from the first byte of the frame. Returns the size. */
static gsize
lay_out (const Layout * layout, const GstVideoInfo * info, gint strides[4],
    gsize offsets[5])
{
  gsize size = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gsize rows = GST_VIDEO_INFO_COMP_HEIGHT (info, i);

    strides[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i) + layout->padding;
    offsets[i] = size;
    size += rows * strides[i];
  }
  offsets[GST_VIDEO_INFO_N_PLANES (info)] = size;
  return size;
}

/* A view of the last @size bytes of a dma-buf of its own. */
static void
append (GstBuffer * buffer, gsize skip, gsize size)
{
  GstMemory *memory = dmabuf_new_memory (skip + size);

  if (skip > 0) {
    gst_buffer_append_memory (buffer, gst_memory_share (memory, skip, size));
    gst_memory_unref (memory);
  } else
    gst_buffer_append_memory (buffer, memory);
}

static GstVideoInfo
info_of (const Layout * layout)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info,
      gst_video_format_from_string (layout->format), layout->width,
      layout->height);
  return info;
}

static GstBuffer *
new_frame (const Layout * layout)
{
  const GstVideoInfo info = info_of (layout);
  const guint n = GST_VIDEO_INFO_N_PLANES (&info);
  GstBuffer *buffer = gst_buffer_new ();
  gint strides[4];
  gsize offsets[5], size = lay_out (layout, &info, strides, offsets);

  if (layout->is_apart)
    for (guint i = 0; i < n; i++)
      append (buffer, layout->skip, offsets[i + 1] - offsets[i]);
  else
    append (buffer, layout->skip, size);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (&info), layout->width, layout->height, n, offsets,
      strides);
  return buffer;
}

/* Views cannot be written, so this writes what they show. */
static void
fill (GstBuffer * buffer, const Layout * layout, guint seed)
{
  g_autoptr (GstBuffer) writable = gst_buffer_new ();
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoInfo info = info_of (layout);

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);
    gsize skip = memory->parent ? layout->skip : 0;

    gst_buffer_append_memory (writable,
        gst_dmabuf_allocator_alloc_with_flags (dmabuf_allocator (),
            gst_dmabuf_memory_get_fd (memory), skip + memory->size,
            GST_FD_MEMORY_FLAG_DONT_CLOSE));
    gst_memory_resize (gst_buffer_peek_memory (writable, i), skip,
        memory->size);
  }
  gst_buffer_add_video_meta_full (writable, meta->flags, meta->format,
      meta->width, meta->height, meta->n_planes, meta->offset, meta->stride);
  fixture_fill (writable, &info, seed);
}

static void
check (GstHarness * h, GstBuffer * buffer, const Layout * layout, guint seed)
{
  g_test_message ("%s %u x %u, %u bytes of padding, %u before it, %s",
      layout->format, layout->width, layout->height, layout->padding,
      layout->skip, layout->is_apart ? "planes apart" : "one memory");
  fixture_check_box (h, gst_buffer_ref (buffer), BOX_OF (layout->format,
          layout->width, layout->height, seed, RADIUS));
}

/* The newest of @frames, of which the CPU copied @copied. */
static void
check_stats (GstHarness * h, gboolean is_imported, guint64 frames,
    guint64 copied)
{
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (h->element, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "input-memory"), ==,
      is_imported ? "DMABuf" : "SystemMemory");
  g_assert_cmpstr (gst_structure_get_string (stats, "output-memory"), ==,
      "SystemMemory");
  fixture_check_stat (h->element, "frames", frames);
  fixture_check_stat (h->element, "frames-copied", copied);
}

/* Bytes are those of system memory, and the CPU copies only what it must. */
TEST (layouts)
{
  const gboolean imports = dmabuf_can_import ();
  g_autoptr (Harness) h = fixture_harness (BLUR);
  guint copied = 0;

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++) {
    const Layout *layout = &layouts[i];
    g_autoptr (GstBuffer) buffer = new_frame (layout);

    fixture_set_caps (h, layout->format, layout->width, layout->height);
    fill (buffer, layout, i);
    check (h, buffer, layout, i);
    copied += !imports || layout->is_copied;
    check_stats (h, imports && !layout->is_copied, i + 1, copied);
  }
}

/* The memory is imported once, also for its views, and its frames change. */
TEST (again)
{
  const Layout *layout = &layouts[0];
  g_autoptr (Harness) h = fixture_play (BLUR, layout->format, layout->width,
      layout->height);
  g_autoptr (GstBuffer) buffer = new_frame (layout);

  if (!dmabuf_can_import ()) {
    g_test_skip ("the device cannot import a memfd");
    return;
  }
  dmabuf_set_answer (fixture_device (), VK_SUCCESS);
  dmabuf_n_imports = 0;
  for (guint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) view = gst_buffer_new ();

    gst_buffer_append_memory (view, gst_memory_share (gst_buffer_peek_memory
            (buffer, 0), 0, -1));
    fill (buffer, layout, i);
    check (h, i % 2 == 0 ? buffer : view, layout, i);
  }
  g_assert_cmpuint (dmabuf_n_imports, ==, 1);
  check_stats (h, TRUE, 6, 0);
}

/* A memory that claims more bytes than its dma-buf has is not read beyond them by the device. */
TEST (too_small)
{
  const Layout *layout = &layouts[0];
  g_autoptr (Harness) h = fixture_play (BLUR, layout->format, layout->width,
      layout->height);
  GstMemory *small = dmabuf_new_memory (100);
  GstBuffer *buffer = gst_buffer_new ();

  /* Within the first page, so that the CPU reads zeros there. */
  gst_buffer_append_memory (buffer, gst_dmabuf_allocator_alloc_with_flags
      (dmabuf_allocator (), gst_dmabuf_memory_get_fd (small), 33 * 20 * 4,
          GST_FD_MEMORY_FLAG_DONT_CLOSE));
  fixture_show (h, buffer);
  check_stats (h, FALSE, 1, 1);
  gst_memory_unref (small);
}

/* After a frame that is done, of which nobody has mapped the output, upstream wants its memory. */
static void
push_next (GstHarness * h)
{
  g_autoptr (GstBuffer) next = new_frame (&layouts[8]);

  fixture_push (h, gst_buffer_ref (next), GST_FLOW_OK);
}

static void
push_system_memory (GstHarness * h)
{
  fixture_push (h, fixture_frame (layouts[8].format, layouts[8].width,
          layouts[8].height, 1), GST_FLOW_OK);
}

static void
drain (GstHarness * h)
{
  GstQuery *query = gst_query_new_drain ();

  gst_pad_peer_query (h->srcpad, query);
  gst_query_unref (query);
}

static void
ask_for_pool (GstHarness * h)
{
  g_autoptr (GstCaps) caps = fixture_caps (layouts[8].format,
      layouts[8].width, layouts[8].height);
  GstQuery *query = gst_query_new_allocation (caps, FALSE);

  gst_pad_peer_query (h->srcpad, query);
  gst_query_unref (query);
}

static void
end_stream (GstHarness * h)
{
  g_assert_true (gst_harness_push_event (h, gst_event_new_eos ()));
}

static void
flush (GstHarness * h)
{
  fixture_flush (h);
}

static void
pass (GstHarness * h)
{
  g_object_set (h->element, "radius", 0, NULL);
  push_next (h);
}

static void
stop (GstHarness * h)
{
  gst_element_set_state (h->element, GST_STATE_READY);
}

/* A buffer is lent until the device has read it, and given back with the next frame, and whenever
 * upstream wants its memory. */
TEST (given_back)
{
  static void (*const wants[]) (GstHarness *) = {
    push_next, push_system_memory, drain, ask_for_pool, end_stream, flush, pass,
    stop
  };
  const gboolean imports = dmabuf_can_import ();
  const guint files = tests_count_files ();
  const Layout *layout = &layouts[8];

  for (guint i = 0; i < G_N_ELEMENTS (wants); i++) {
    GstHarness *h = fixture_play (BLUR, layout->format, layout->width,
        layout->height);
    GstBuffer *buffer = new_frame (layout), *out;

    fill (buffer, layout, i);
    fixture_push (h, gst_buffer_ref (buffer), GST_FLOW_OK);
    out = gst_harness_pull (h);
    g_assert_cmpuint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==,
        imports ? 2 : 1);
    wants[i] (h);
    g_assert_cmpuint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
    fill (buffer, layout, 99);
    g_assert_true (fixture_is_box (out, BOX_OF (layout->format,
                layout->width, layout->height, i, RADIUS)));
    gst_buffer_unref (out);
    gst_buffer_unref (buffer);
    fixture_harness_free (h);
  }
  g_assert_cmpuint (tests_count_files (), ==, files);
}

/* --- who writes --- */

static GstHarness *
begin_unwritten (GstBuffer ** buffer, gint waits)
{
  const Layout *layout = &layouts[0];

  if (!dmabuf_can_import ()) {
    g_test_skip ("the device cannot import a memfd");
    return NULL;
  }
  *buffer = new_frame (layout);
  fill (*buffer, layout, 1);
  dmabuf_use = (DmabufUse) {
    gst_dmabuf_memory_get_fd (gst_buffer_peek_memory (*buffer, 0)), POLLIN,
    waits};
  return fixture_play (BLUR, layout->format, layout->width, layout->height);
}

static void
end_unwritten (GstHarness * h, GstBuffer * buffer)
{
  dmabuf_use = (DmabufUse) {0};
  fixture_harness_free (h);
  gst_buffer_unref (buffer);
}

TEST (written_late)
{
  GstBuffer *buffer;
  GstHarness *h = begin_unwritten (&buffer, 3);

  if (!h)
    return;
  dmabuf_use.is_interrupted = TRUE;
  check (h, buffer, &layouts[0], 1);
  g_assert_cmpint (dmabuf_use.waits, <, 0);
  end_unwritten (h, buffer);
}

/* The frame is dropped, and the next one is not. */
TEST (never_written)
{
  GstBuffer *buffer;
  GstHarness *h = begin_unwritten (&buffer, G_MAXINT);

  if (!h)
    return;
  fixture_push (h, gst_buffer_ref (buffer), GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (h));
  fixture_take_warning (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_READ, "ten seconds");
  dmabuf_use = (DmabufUse) {0};
  check (h, buffer, &layouts[0], 1);
  end_unwritten (h, buffer);
}

TEST (flushed_meanwhile)
{
  GstBuffer *buffer;
  GstHarness *h = begin_unwritten (&buffer, G_MAXINT);

  if (!h)
    return;
  dmabuf_use.flushed = h;
  fixture_push (h, gst_buffer_ref (buffer), GST_FLOW_FLUSHING);
  g_assert_cmpint (dmabuf_use.waits, ==, G_MAXINT - 1);
  end_unwritten (h, buffer);
}

/* --- refusals and losses --- */

/* In the middle of a stream: the CPU copies that frame, and the device the next one. */
TEST (refused)
{
  const Layout *layout = &layouts[6];
  g_autoptr (Harness) h = fixture_play (BLUR, layout->format, layout->width,
      layout->height);
  const gboolean imports = dmabuf_can_import ();

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) buffer = new_frame (layout);

    dmabuf_set_answer (fixture_device (),
        i == 1 ? VK_ERROR_INVALID_EXTERNAL_HANDLE : VK_SUCCESS);
    fill (buffer, layout, i);
    check (h, buffer, layout, i);
    check_stats (h, imports && i != 1, i + 1, imports ? MIN (i, 1) : i + 1);
  }
}

static gboolean
import (GstBuffer * buffer, const Layout * layout, GpuDevice * device)
{
  const GstVideoInfo video = info_of (layout);
  GstGpuDmabufs dmabufs;
  GpuFrameInfo info;
  gboolean done = gst_gpu_dmabufs_import (&dmabufs, buffer, &video, device,
      &info);

  gst_gpu_dmabufs_clear (&dmabufs);
  return done;
}

/* That a device cannot import a memory is remembered, and that it had no room is not. Devices
 * do not get in each other's way. */
TEST (remembered)
{
  const Layout *layout = &layouts[0];
  g_autoptr (GpuDevice) other = gpu_device_open_own (NULL, NULL, NULL);
  GpuDevice *device = fixture_device ();

  if (!dmabuf_can_import ()) {
    g_test_skip ("the device cannot import a memfd");
    return;
  }
  for (guint i = 0; i < 3; i++) {
    static const VkResult results[] = { VK_SUCCESS,
      VK_ERROR_INVALID_EXTERNAL_HANDLE, VK_ERROR_OUT_OF_HOST_MEMORY
    };
    const gboolean has = results[i] == VK_SUCCESS;
    g_autoptr (GstBuffer) buffer = new_frame (layout);

    dmabuf_set_answer (device, results[i]);
    dmabuf_n_imports = 0;
    for (guint j = 0; j < 3; j++) {
      g_assert_cmpint (import (buffer, layout, device), ==, has);
      g_assert_true (import (buffer, layout, other));
    }
    g_assert_cmpuint (dmabuf_n_imports, ==, i == 2 ? 3 : 1);
    dmabuf_set_answer (device, VK_SUCCESS);
    g_assert_cmpint (import (buffer, layout, device), ==, i != 1);
  }
}

/* The CPU maps frames for itself. */
TEST (cpu)
{
  const Layout *layout = &layouts[0];
  g_autoptr (GstBuffer) buffer = new_frame (layout);

  fixture_device ()->info.kind = GPU_DEVICE_CPU;
  g_assert_false (import (buffer, layout, fixture_device ()));
  fixture_device ()->info.kind = GPU_DEVICE_INTEGRATED;
}

/* The next device imports the memory anew. The last test: the device is that of all. */
TEST (lost)
{
  const Layout *layout = &layouts[0];
  const gboolean imports = dmabuf_can_import ();
  g_autoptr (Harness) h = fixture_play (BLUR " on-device-lost=recover",
      layout->format, layout->width, layout->height);
  g_autoptr (GstBuffer) buffer = new_frame (layout);
  GpuDevice *device;

  fill (buffer, layout, 1);
  check (h, buffer, layout, 1);
  device = fixture_device_of (h->element);
  gpu_device_mark_lost (device);
  gpu_device_unref (device);
  check (h, buffer, layout, 1);
  check_stats (h, imports, 2, imports ? 0 : 2);
}

FIXTURE_MAIN_AFTER ("/dmabuf/", dmabuf_begin ())
