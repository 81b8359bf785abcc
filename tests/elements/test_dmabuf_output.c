/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Output frames in dma-bufs that the next element proposes, as sinks of GStreamer 1.28 do. */
#include "dmabuf_fixture.h"

#include <gst/video/gstvideopool.h>

#define BLUR "gpublur kernel=box radius=2"
#define RADIUS 2

/* --- a pool of the next element --- */

#define STRIDE_MASK 63

typedef GstVideoBufferPool TheirPool;
typedef GstVideoBufferPoolClass TheirPoolClass;

static GType their_pool_get_type (void);
G_DEFINE_TYPE (TheirPool, their_pool, GST_TYPE_VIDEO_BUFFER_POOL);

/* As GStreamer's own, it refuses what does not ask for its strides, and adds them. */
static gboolean
set_config (GstBufferPool * pool, GstStructure * config)
{
  GstVideoAlignment alignment = { 0 };
  GstCaps *caps = NULL;
  gboolean is_done;

  gst_buffer_pool_config_get_params (config, &caps, NULL, NULL, NULL);
  if (!caps)
    return TRUE;
  gst_buffer_pool_config_get_video_alignment (config, &alignment);
  is_done = alignment.stride_align[0] == STRIDE_MASK;
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    alignment.stride_align[i] = STRIDE_MASK;
  gst_buffer_pool_config_set_video_alignment (config, &alignment);
  return GST_BUFFER_POOL_CLASS (their_pool_parent_class)->set_config (pool,
      config) && is_done;
}

static void
their_pool_class_init (TheirPoolClass * klass)
{
  GST_BUFFER_POOL_CLASS (klass)->set_config = set_config;
}

static void
their_pool_init (TheirPool * self)
{
}

static GstBufferPool *
new_pool (void)
{
  GstBufferPool *pool = g_object_new (their_pool_get_type (), NULL);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_allocator (config, dmabuf_allocator (), NULL);
  gst_buffer_pool_set_config (pool, config);
  return gst_object_ref_sink (pool);
}

/* --- the next element --- */

typedef struct
{
  GstBufferPool *pool;
  gboolean knows_layouts;
  guint max;                    /* buffers; 0: any number */
} Next;

static GstPadProbeReturn
answer (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  const Next *next = data;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, next->pool, 0, 2, next->max);
  if (next->knows_layouts)
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

static GstHarness *
begin (const gchar * description, Next * next)
{
  GstHarness *h = fixture_harness (description);

  next->pool = new_pool ();
  gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answer,
      next, NULL);
  return h;
}

static void
end (GstHarness * h, Next * next)
{
  fixture_harness_free (h);
  gst_object_unref (next->pool);
}

static gboolean
is_dmabuf (GstBuffer * buffer)
{
  return gst_is_dmabuf_memory (gst_buffer_peek_memory (buffer, 0));
}

/* Nothing is in it but the frame: between rows there are zeros. */
static void
check_gaps (GstBuffer * buffer)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoInfo info;
  GstMapInfo map;

  g_assert_nonnull (meta);
  gst_video_info_set_format (&info, meta->format, meta->width, meta->height);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (guint p = 0; p < meta->n_planes; p++) {
    const guint row = GST_VIDEO_INFO_COMP_WIDTH (&info, p)
        * GST_VIDEO_INFO_COMP_PSTRIDE (&info, p);
    const guint8 *bytes = map.data + meta->offset[p];

    g_assert_cmpint (meta->stride[p] % (STRIDE_MASK + 1), ==, 0);
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (&info, p); y++)
      for (gint x = row; x < meta->stride[p]; x++)
        g_assert_cmpuint (bytes[y * meta->stride[p] + x], ==, 0);
  }
  gst_buffer_unmap (buffer, &map);
}

/* A frame of noise; it comes out blurred, in their memory if @is_theirs. */
static void
check (GstHarness * h, const gchar * format, guint width, guint height,
    guint seed, gboolean is_theirs)
{
  g_autoptr (GstBuffer) out = gst_harness_push_and_pull (h,
      fixture_frame (format, width, height, seed));
  g_autoptr (GstStructure) stats = NULL;

  g_test_message ("%s %u x %u", format, width, height);
  g_assert_nonnull (out);
  g_assert_true (gst_buffer_is_writable (out));
  g_assert_cmpint (is_dmabuf (out), ==, is_theirs);
  g_assert_true (fixture_is_box (out, BOX_OF (format, width, height, seed,
              RADIUS)));
  if (is_theirs)
    check_gaps (out);
  g_object_get (h->element, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "output-memory"), ==,
      is_theirs ? "DMABuf" : "SystemMemory");
}

/* --- tests --- */

/* Frames are written into their memory, in its layout. */
TEST (formats)
{
  static const gchar *const formats[] = {
    "RGBA", "RGB", "GRAY8", "NV12", "I420", "GRAY8"
  };
  const gboolean imports = dmabuf_can_import ();
  Next next = {.knows_layouts = TRUE};

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstHarness *h = begin (BLUR, &next);

    fixture_set_caps (h, formats[i], 33, 20);
    for (guint seed = 0; seed < 3; seed++)
      check (h, formats[i], 33, 20, seed, imports);
    if (imports)
      fixture_check_stat (h->element, "downloads", 0);
    end (h, &next);
  }
}

/* The CPU copies nothing from lent memory to lent memory. */
TEST (between)
{
  const gboolean imports = dmabuf_can_import ();
  Next next = {.knows_layouts = TRUE};
  GstHarness *h = begin (BLUR, &next);
  GstBuffer *buffer = gst_buffer_new (), *out;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 33, 20);
  gst_buffer_append_memory (buffer, dmabuf_new_memory (info.size));
  fixture_fill (buffer, &info, 5);
  fixture_set_caps (h, SMALL);
  out = gst_harness_push_and_pull (h, buffer);
  g_assert_true (fixture_is_box (out, BOX_OF (SMALL, 5, RADIUS)));
  g_assert_cmpint (is_dmabuf (out), ==, imports);
  fixture_check_stat (h->element, "frames-copied", imports ? 0 : 1);
  gst_buffer_unref (out);
  end (h, &next);
}

/* Areas of a frame are worked on where it lies, unless it is to be in their memory. */
TEST (areas)
{
  const gboolean imports = dmabuf_can_import ();
  Next next = {.knows_layouts = TRUE};
  GstHarness *h = begin (BLUR " roi-source=rectangle roi-width=33 "
      "roi-height=20", &next);
  GstBufferPool *pool = fixture_take_pool (h, SMALL);
  GstBuffer *buffer = fixture_acquire (pool), *out;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 33, 20);
  fixture_fill (buffer, &info, 5);
  out = gst_harness_push_and_pull (h, buffer);
  g_assert_true (fixture_is_box (out, BOX_OF (SMALL, 5, RADIUS)));
  g_assert_cmpint (is_dmabuf (out), ==, imports);
  gst_buffer_unref (out);
  fixture_release_pool (pool);
  end (h, &next);
}

/* Who ignores GstVideoMeta gets the default layout. */
TEST (default_layout)
{
  Next next = {.knows_layouts = FALSE};
  GstHarness *h = begin (BLUR, &next);

  fixture_set_caps (h, SMALL);
  check (h, SMALL, 1, FALSE);
  end (h, &next);
}

/* Frames come out, of their memory up to the one before frame @good. Holds all of them, so that the
 * pool makes more. */
static void
check_leaving (GstHarness * h, guint good, void (*fail) (void))
{
  const gboolean imports = dmabuf_can_import ();
  g_autoptr (GstCaps) slower = fixture_caps (SMALL);
  GstBuffer *held[8];

  for (guint i = 0; i < G_N_ELEMENTS (held); i++) {
    if (i == good)
      fail ();
    held[i] = gst_harness_push_and_pull (h, fixture_frame (SMALL, i));
    g_assert_true (fixture_is_box (held[i], BOX_OF (SMALL, i, RADIUS)));
    g_assert_cmpint (is_dmabuf (held[i]), ==, imports && i < good);
  }
  fixture_check_messages (h->element, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING,
      0);
  /* Another frame rate is no reason to try again. */
  gst_caps_set_simple (slower, "framerate", GST_TYPE_FRACTION, 5, 1, NULL);
  gst_harness_set_src_caps (h, gst_caps_ref (slower));
  check (h, SMALL, 9, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (held); i++)
    gst_buffer_unref (held[i]);
}

static void
refuse_imports (void)
{
  dmabuf_set_answer (fixture_device (), VK_ERROR_INVALID_EXTERNAL_HANDLE);
}

/* Before the first frame, and in the middle of a stream: the element then has a pool of its own. */
TEST (refused)
{
  Next next = {.knows_layouts = TRUE};

  for (guint good = 0; good < 6; good += 5) {
    GstHarness *h = begin (BLUR, &next);

    /* Before imports are refused, all buffers of the pool are imported but the last. */
    fixture_set_caps (h, SMALL);
    check_leaving (h, good, refuse_imports);
    dmabuf_set_answer (fixture_device (), VK_SUCCESS);
    end (h, &next);
  }
}

static void
refuse_memory (void)
{
  dmabuf_lacks_memory = TRUE;
}

/* Their pool cannot be activated, or has no further buffer. */
TEST (no_memory)
{
  Next next = {.knows_layouts = TRUE};
  GstHarness *h = begin (BLUR, &next);

  refuse_memory ();
  fixture_set_caps (h, SMALL);
  check_leaving (h, 0, refuse_memory);
  end (h, &next);
  dmabuf_lacks_memory = FALSE;

  h = begin (BLUR, &next);
  fixture_set_caps (h, SMALL);
  check_leaving (h, 5, refuse_memory);
  end (h, &next);
  dmabuf_lacks_memory = FALSE;
}

/* The pool stays when only the frame rate changes, also if others have ended it meanwhile, and
 * serves frames of another size. */
TEST (renegotiation)
{
  const gboolean imports = dmabuf_can_import ();
  Next next = {.knows_layouts = TRUE};
  GstHarness *h = begin (BLUR, &next);
  g_autoptr (GstCaps) slower = fixture_caps (SMALL);

  fixture_set_caps (h, SMALL);
  check (h, SMALL, 1, imports);
  gst_caps_set_simple (slower, "framerate", GST_TYPE_FRACTION, 5, 1, NULL);
  gst_harness_set_src_caps (h, gst_caps_ref (slower));
  check (h, SMALL, 2, imports);
  gst_buffer_pool_set_active (next.pool, FALSE);
  fixture_set_caps (h, SMALL);
  check (h, SMALL, 3, imports);
  /* As many sinks do, it proposes a new one, and the old one serves. */
  gst_object_unref (next.pool);
  next.pool = new_pool ();
  gst_harness_set_src_caps (h, gst_caps_ref (slower));
  check (h, SMALL, 3, imports);
  g_assert_false (gst_buffer_pool_is_active (next.pool));
  fixture_set_caps (h, "NV12", 34, 20);
  check (h, "NV12", 34, 20, 4, imports);
  end (h, &next);
}

/* A pool with a limit is not used: a frame could wait for ever. */
TEST (limited)
{
  Next next = {.knows_layouts = TRUE, .max = 2};
  GstHarness *h = begin (BLUR, &next);

  fixture_set_caps (h, SMALL);
  check (h, SMALL, 1, FALSE);
  end (h, &next);
}

static VkResult VKAPI_CALL
fail_to_end (VkCommandBuffer commands)
{
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* The frame that was to clear the memory fails, and the next one does it. After the first turn the
 * memory has been used before. */
TEST (first_fails)
{
  const gboolean imports = dmabuf_can_import ();
  struct VolkDeviceTable *vk = &fixture_device ()->vk;
  PFN_vkEndCommandBuffer end_commands = vk->vkEndCommandBuffer;
  Next next = {.knows_layouts = TRUE};

  for (guint i = 0; i < 3; i++) {
    GstHarness *h = begin (BLUR, &next);

    fixture_set_caps (h, SMALL);
    vk->vkEndCommandBuffer = fail_to_end;
    fixture_push (h, fixture_frame (SMALL, 1), GST_FLOW_ERROR);
    vk->vkEndCommandBuffer = end_commands;
    check (h, SMALL, 2, imports);
    end (h, &next);
  }
}

/* Who still reads is waited for, but not for ever. */
TEST (still_read)
{
  Next next = {.knows_layouts = TRUE};
  GstHarness *h;
  GstBuffer *out;
  guint seed = 1;

  if (!dmabuf_can_import ()) {
    g_test_skip ("the device cannot import a memfd");
    return;
  }
  h = begin (BLUR, &next);
  fixture_set_caps (h, SMALL);
  out = gst_harness_push_and_pull (h, fixture_frame (SMALL, 0));
  dmabuf_use = (DmabufUse) {
    gst_dmabuf_memory_get_fd (gst_buffer_peek_memory (out, 0)), POLLOUT, 3};
  gst_buffer_unref (out);
  /* The pool has several. */
  while (dmabuf_use.waits >= 0)
    check (h, SMALL, seed++, TRUE);
  dmabuf_use.waits = G_MAXINT;
  while (dmabuf_use.waits == G_MAXINT) {
    out = gst_harness_push_and_pull (h, fixture_frame (SMALL, seed++));
    g_assert_cmpint (is_dmabuf (out), ==, dmabuf_use.waits == G_MAXINT);
    gst_buffer_unref (out);
  }
  g_assert_cmpint (dmabuf_use.waits, ==, G_MAXINT - 100);
  dmabuf_use = (DmabufUse) {0};
  check (h, SMALL, seed, FALSE);
  end (h, &next);
}

/* The next device writes into the same memory. The last test: the device is that of all. */
TEST (lost)
{
  const gboolean imports = dmabuf_can_import ();
  Next next = {.knows_layouts = TRUE};
  GstHarness *h = begin (BLUR " on-device-lost=recover", &next);
  GpuDevice *device;

  fixture_set_caps (h, SMALL);
  check (h, SMALL, 1, imports);
  device = fixture_device_of (h->element);
  gpu_device_mark_lost (device);
  gpu_device_unref (device);
  check (h, SMALL, 2, imports);
  end (h, &next);
}

FIXTURE_MAIN_AFTER ("/dmabuf-output/", dmabuf_begin ())
