/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in CUDA memory of GStreamer's own library, on a driver that is played: what comes out is
 * the same, byte for byte, as from system memory. */
#include "cuda_fixture.h"

#include "gpu/core/device/vulkan.h"

#define RADIUS 4

static GstHarness *
play (const gchar * description, const gchar * format, guint width,
    guint height)
{
  GstHarness *harness = fixture_harness (description);

  cuda_set_caps (harness, format, width, height);
  return harness;
}

static void
push_all (GstHarness * harness, GPtrArray * frames)
{
  for (guint i = 0; i < frames->len; i++)
    fixture_push (harness, gst_buffer_ref (frames->pdata[i]), GST_FLOW_OK);
}

/* All frames are on their way before the first is looked at. */
static void
check_frames (GstHarness * harness, const gchar * format, guint n)
{
  g_autoptr (GPtrArray) frames = cuda_frames (format, 61, 37, n);

  push_all (harness, frames);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (harness);

    g_assert_true (cuda_is_frame (out));
    g_assert_true (fixture_is_box (out, BOX_OF (format, 61, 37, i, RADIUS)));
  }
}

#define BOX "gpublur name=a kernel=box method=separable radius=4 "

/* More frames than are on their way at a time. */
TEST_OF_CUDA (frames)
{
  static const gchar *const formats[] = { "RGBA", "NV12" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (Harness) harness = play (BOX, formats[i], 61, 37);

    check_frames (harness, formats[i], 8);
    port_check_stats (harness->element, CUDA_MEMORY, CUDA_MEMORY, 8);
  }
}

/* Every one that is offered. GStreamer 1.26 itself takes too little memory for odd heights of some,
 * and the last pixel of pairs has a neighbour that is not looked at. */
TEST_OF_CUDA (formats)
{
  const GValue *formats = port_formats (CUDA_MEMORY, "gpublur");

  g_assert_cmpuint (gst_value_list_get_size (formats), >, 20);
  for (guint i = 0; i < gst_value_list_get_size (formats); i++) {
    const gchar *format = g_value_get_string (gst_value_list_get_value (formats,
            i));
    g_autoptr (Harness) harness = play (BOX, format, 62, 38);
    g_autoptr (Harness) plain = fixture_play (BOX, format, 62, 38);
    g_autoptr (GstBuffer) out = gst_harness_push_and_pull (harness,
        cuda_frame (format, 62, 38, i));
    g_autoptr (GstBuffer) expected = gst_harness_push_and_pull (plain,
        fixture_frame (format, 62, 38, i));

    g_test_message ("%s", format);
    port_assert_equal (out, expected, format, 62, 38);
  }
}

/* From one of our elements to the next, frames stay as they are. If the second has nothing to do,
 * it copies them to CUDA memory. */
TEST_OF_CUDA (between)
{
  static const gchar *const others[] = {
    "! gpublur name=b sigma=0",
    "! gpublur sigma=0 ! gpublur name=b sigma=0",
    "! meanshiftpalette radius=0 name=b",
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autofree gchar *description = g_strconcat (BOX, others[i], NULL);
    g_autoptr (Harness) harness = play (description, "NV12", 61, 37);

    check_frames (harness, "NV12", 8);
    port_check_stats (fixture_child (harness, "a"), CUDA_MEMORY, "GstGpuMemory",
        8);
    port_check_stats (fixture_child (harness, "b"), "GstGpuMemory", CUDA_MEMORY,
        0);
  }
}

/* Both work: the second one has no input to copy, and yet must not write what CUDA still copies. */
TEST_OF_CUDA (both_work)
{
  g_autoptr (Harness) harness = play ("gpublur sigma=0 ! " BOX
      "! gpublur name=b kernel=box method=separable radius=4", "RGBA", 61, 37);
  g_autoptr (Harness) plain = fixture_play (BOX
      "! gpublur name=b kernel=box method=separable radius=4", "RGBA", 61, 37);
  g_autoptr (GPtrArray) frames = cuda_frames ("RGBA", 61, 37, 8);

  push_all (harness, frames);
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (harness);
    g_autoptr (GstBuffer) expected = gst_harness_push_and_pull (plain,
        fixture_frame ("RGBA", 61, 37, i));

    port_assert_equal (out, expected, "RGBA", 61, 37);
  }
  port_check_stats (fixture_child (harness, "b"), "GstGpuMemory", CUDA_MEMORY,
      8);
}

/* Any rectangle of a larger frame; the meta does not come out. */
TEST_OF_CUDA (crop)
{
  g_autoptr (Harness) harness = play (BOX, "NV12", 30, 20);

  port_check_crop (harness, BOX, cuda_frame ("NV12", 61, 37, 1));
}

/* What is not CUDA memory of the pipeline's context is dropped, with one warning; the next frame is
 * worked on. */
TEST_OF_CUDA (bad_frames)
{
  g_autoptr (Harness) harness = play (BOX, "RGBA", 61, 37);
  GstBuffer *small = cuda_frame ("RGBA", 61, 37, 1);
  GstBuffer *both = cuda_frame ("RGBA", 61, 37, 1);
  GstVideoMeta *meta;

  meta = gst_buffer_get_video_meta (small);
  meta->offset[0] += 2 * meta->stride[0];
  gst_buffer_append (both, cuda_frame ("RGBA", 61, 37, 1));
  fixture_push (harness, fixture_frame ("RGBA", 61, 37, 1), GST_FLOW_OK);
  fixture_push (harness, cuda_frame_of_another ("RGBA", 61, 37), GST_FLOW_OK);
  fixture_push (harness, small, GST_FLOW_OK);
  fixture_push (harness, both, GST_FLOW_OK);
  fixture_check_stat (harness->element, "dropped", 4);
  fixture_take_warning (harness->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_READ, "no memory of the CUDA context");
  fixture_check_box (harness, cuda_frame ("RGBA", 61, 37, 7),
      BOX_OF ("RGBA", 61, 37, 7, RADIUS));
}

/* What upstream lent comes back when it asks, and at the end. */
TEST_OF_CUDA (lent)
{
  g_autoptr (Harness) harness = play (BOX, "RGBA", 61, 37);
  g_autoptr (GstBuffer) kept = cuda_frame ("RGBA", 61, 37, 1);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstQuery) query = gst_query_new_drain ();

    fixture_show (harness, gst_buffer_ref (kept));
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT (kept), ==, 2);
    if (i == 0)
      gst_pad_peer_query (harness->srcpad, query);
    else
      gst_harness_push_event (harness, gst_event_new_eos ());
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT (kept), ==, 1);
  }
}

static Harness *
play_into_their_pool (void)
{
  Harness *harness = fixture_harness (BOX);

  cuda_propose_pool (harness, "RGBA", 61, 37);
  cuda_set_caps (harness, "RGBA", 61, 37);
  return harness;
}

/* Frames of a pool of downstream are written, when its stream comes to that, and who waits for this
 * stream reads them whole. Meanwhile further frames overwrite nothing. */
TEST_OF_CUDA (their_pool)
{
  g_autoptr (Harness) harness = play_into_their_pool ();
  g_autoptr (GPtrArray) frames = cuda_frames ("RGBA", 61, 37, 8);
  g_autoptr (GstBuffer) busy = cuda_read_later (NULL, "RGBA", 61, 37);

  push_all (harness, frames);
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (harness);

    g_assert_true (cuda_is_of_proposed_pool (out));
    g_assert_true (fixture_is_box (out, BOX_OF ("RGBA", 61, 37, i, RADIUS)));
  }
}

/* A frame that came back to the pool is not written before downstream has read it. */
TEST_OF_CUDA (readers)
{
  g_autoptr (Harness) harness = play_into_their_pool ();
  g_autoptr (GPtrArray) frames = cuda_frames ("RGBA", 61, 37, 8);
  GstBuffer *out = gst_harness_push_and_pull (harness,
      gst_buffer_ref (frames->pdata[0]));
  g_autoptr (GstBuffer) copied = cuda_read_later (out, "RGBA", 61, 37);

  gst_buffer_unref (out);
  for (guint i = 1; i < frames->len; i++)
    fixture_show (harness, gst_buffer_ref (frames->pdata[i]));
  g_assert_true (fixture_is_box (copied, BOX_OF ("RGBA", 61, 37, 0, RADIUS)));
}

/* More frames on their way than by default, and one alone. */
TEST_OF_CUDA (depth)
{
  static const gchar *const elements[] = {
    BOX "async-depth=8", BOX "async-depth=8 ! gpublur sigma=0",
    BOX "async-depth=1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Harness) harness = play (elements[i], "RGBA", 61, 37);

    check_frames (harness, "RGBA", 20);
  }
}

/* To other sizes and formats, to system memory, and back. */
TEST_OF_CUDA (changes)
{
  g_autoptr (Harness) harness = play (BOX, "RGBA", 61, 37);

  for (guint i = 0; i < 2; i++) {
    check_frames (harness, "RGBA", 2);
    fixture_flush (harness);
    check_frames (harness, "RGBA", 2);
    cuda_set_caps (harness, "NV12", 61, 37);
    check_frames (harness, "NV12", 2);
    fixture_set_caps (harness, "RGBA", 33, 20);
    fixture_check_box (harness, fixture_frame ("RGBA", 33, 20, i),
        BOX_OF ("RGBA", 33, 20, i, RADIUS));
    cuda_set_caps (harness, "RGBA", 61, 37);
  }
  fixture_restart (harness);
  cuda_set_caps (harness, "RGBA", 61, 37);
  check_frames (harness, "RGBA", 4);
}

/* Each call of CUDA's driver, at first or in the middle of the stream: the frame whose call fails
 * does not come out, the error says what to do, and nothing is left behind. */
TEST_OF_CUDA (failures)
{
  static const struct
  {
    const gchar *call;
    guint after;                /* so many that succeed */
    guint n_frames;             /* that come out */
  } cases[] = {
    {"cuCtxGetDevice", 0, 0}, {"cuDeviceGetUuid", 0, 0},
    {"cuStreamCreate", 0, 0}, {"cuStreamCreate", 2, 0},
    {"cuImportExternalSemaphore", 0, 0}, {"cuImportExternalSemaphore", 1, 0},
    {"cuEventCreate", 0, 0}, {"cuEventCreate", 2, 0},
    {"cuImportExternalMemory", 0, 0}, {"cuImportExternalMemory", 3, 1},
    {"cuExternalMemoryGetMappedBuffer", 0, 0},
    {"cuExternalMemoryGetMappedBuffer", 2, 1},
    {"cuSignalExternalSemaphoresAsync", 0, 0},
    {"cuSignalExternalSemaphoresAsync", 1, 1},
    {"cuEventRecord", 0, 0}, {"cuStreamWaitEvent", 0, 0},
    {"cuMemcpy2DAsync", 0, 0}, {"cuMemcpy2DAsync", 1, 0},
    {"cuWaitExternalSemaphoresAsync", 0, 0},
    {"cuWaitExternalSemaphoresAsync", 1, 1},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gint alive = cuda_count_objects ();
    const guint files = tests_count_files ();
    g_autoptr (GPtrArray) frames = cuda_frames ("RGBA", 61, 37, 2);
    Harness *harness = fixture_harness (BOX);
    guint n = 0;

    g_test_message ("%s, %u", cases[i].call, cases[i].after);
    cuda_fail (cases[i].call, cases[i].after);
    cuda_set_caps (harness, "RGBA", 61, 37);
    while (n < frames->len && gst_harness_push (harness,
            gst_buffer_ref (frames->pdata[n])) == GST_FLOW_OK)
      n++;
    cuda_fail (NULL, 0);
    g_assert_cmpuint (n, ==, cases[i].n_frames);
    g_assert_cmpuint (gst_harness_buffers_received (harness), ==, n);
    fixture_take_error (harness->element, GST_LIBRARY_ERROR,
        GST_LIBRARY_ERROR_FAILED, "cudadownload");
    fixture_harness_free (harness);
    g_ptr_array_set_size (frames, 0);
    g_assert_cmpint (cuda_count_objects (), ==, alive);
    g_assert_cmpuint (tests_count_files (), ==, files);
  }
}

/* A property that changes between two elements, and in them. */
TEST_OF_CUDA (properties)
{
  g_autoptr (Harness) harness =
      play (BOX "! gpublur name=b sigma=0", "RGBA", 61, 37);
  GstElement *first = fixture_child (harness, "a");

  check_frames (harness, "RGBA", 3);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) frame = cuda_frame ("RGBA", 61, 37, 1);
    g_autoptr (GstBuffer) out = NULL;

    fixture_set (first, "radius", i == 0 ? "0" : "4");
    out = gst_harness_push_and_pull (harness, gst_buffer_ref (frame));
    g_assert_true (cuda_is_frame (out));
    g_assert_true (fixture_is_box (out, BOX_OF ("RGBA", 61, 37, 1,
                i == 0 ? 0 : RADIUS)));
  }
}

/* A new frame rate makes a new link, while frames of the old one are on their way. */
TEST_OF_CUDA (links)
{
  g_autoptr (Harness) harness = play (BOX "! gpublur name=b sigma=0", "RGBA",
      61, 37);
  g_autoptr (GPtrArray) frames = cuda_frames ("RGBA", 61, 37, 12);

  for (guint i = 0; i < frames->len; i++) {
    if (i % 2 == 1)
      cuda_set_rate (harness, "RGBA", 61, 37, 10 + i);
    fixture_push (harness, gst_buffer_ref (frames->pdata[i]), GST_FLOW_OK);
  }
  for (guint i = 0; i < frames->len; i++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (harness);

    g_assert_true (fixture_is_box (out, BOX_OF ("RGBA", 61, 37, i, RADIUS)));
  }
}

static PFN_vkQueueSubmit submit;
static gint n_nothing;          /* atomic */

/* Nothing is done of it, and nothing is signalled but that it is. */
static VkResult VKAPI_CALL
submit_nothing (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  g_atomic_int_inc (&n_nothing);
  return submit (queue, 0, NULL, fence);
}

/* Another device takes the place of one that was lost with frames on it. CUDA waits for them no
 * more: their memory, of which CUDA frees none while some may be in use, can be freed. */
TEST_OF_CUDA (loss)
{
  const gint alive = cuda_count_objects ();
  Harness *harness = play (BOX "on-device-lost=recover", "RGBA", 61, 37);
  GpuDevice *device = fixture_device_of (harness->element);
  g_autoptr (GPtrArray) frames = cuda_frames ("RGBA", 61, 37, 5);

  submit = device->vk.vkQueueSubmit;
  device->vk.vkQueueSubmit = submit_nothing;
  n_nothing = 0;
  push_all (harness, frames);
  gpu_device_mark_lost (device);
  device->vk.vkQueueSubmit = submit;
  gpu_device_unref (device);
  fixture_push (harness, gst_buffer_ref (frames->pdata[0]), GST_FLOW_OK);
  for (guint i = 0; i <= frames->len; i++)
    gst_buffer_unref (gst_harness_pull (harness));
  g_ptr_array_set_size (frames, 0);
  check_frames (harness, "RGBA", 5);
  fixture_take_warning (harness->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_FAILED, "lost");
  fixture_harness_free (harness);
  g_assert_cmpint (cuda_count_objects (), ==, alive);
}

static GstPadProbeReturn
read_frame (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (GST_PAD_PROBE_INFO_BUFFER (info), &map,
          GST_MAP_READ));
  gst_buffer_unmap (GST_PAD_PROBE_INFO_BUFFER (info), &map);
  return GST_PAD_PROBE_OK;
}

typedef struct
{
  GstHarness *harness;
  GstBuffer *frame;
} Push;

static gpointer
push_frame (gpointer data)
{
  const Push *push = data;

  gst_harness_push (push->harness, gst_buffer_ref (push->frame));
  return NULL;
}

/* Who waits in the element's own thread for a frame of a device that is lost need not wait for
 * ever: the pipeline can be stopped. The frame before is done: Mesa's CPU device (25.0) notes late
 * what its semaphores have reached, and sometimes forgot what others signalled meanwhile. */
TEST_OF_CUDA (blocked)
{
  g_autoptr (Harness) harness = play (BOX, "RGBA", 61, 37);
  g_autoptr (GpuDevice) device = fixture_device_of (harness->element);
  g_autoptr (GPtrArray) frames = cuda_frames ("RGBA", 61, 37, 1);
  Push push = { harness, frames->pdata[0] };
  GThread *thread;

  fixture_check_box (harness, gst_buffer_ref (push.frame),
      BOX_OF ("RGBA", 61, 37, 0, RADIUS));
  submit = device->vk.vkQueueSubmit;
  device->vk.vkQueueSubmit = submit_nothing;
  n_nothing = 0;
  gst_pad_add_probe (harness->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, read_frame,
      NULL, NULL);
  thread = g_thread_new ("upstream", push_frame, &push);
  while (!g_atomic_int_get (&n_nothing))
    g_usleep (1000);
  gpu_device_mark_lost (device);
  gst_element_set_state (harness->element, GST_STATE_READY);
  g_thread_join (thread);
  device->vk.vkQueueSubmit = submit;
}

TEST_OF_CUDA (no_context)
{
  g_autoptr (Harness) harness = fixture_harness (BOX);

  cuda_hides_context = TRUE;
  cuda_set_caps (harness, "RGBA", 61, 37);
  fixture_push (harness, cuda_frame ("RGBA", 61, 37, 1),
      GST_FLOW_NOT_NEGOTIATED);
  cuda_hides_context = FALSE;
  fixture_take_error (harness->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, "no element beside this one");
}

/* The CPU copies frames of a card that Vulkan does not know. */
TEST_OF_CUDA (unknown_card)
{
  g_autoptr (Harness) harness = fixture_harness (BOX
      "! gpublur name=b sigma=0");

  cuda_swap_card ();
  for (guint i = 0; i < 2; i++) {
    cuda_set_caps (harness, i == 0 ? "RGBA" : "NV12", 61, 37);
    check_frames (harness, i == 0 ? "RGBA" : "NV12", 3);
  }
  cuda_swap_card ();
  fixture_check_stat (fixture_child (harness, "a"), "frames-copied", 6);
  fixture_check_stat (fixture_child (harness, "b"), "frames-copied", 6);
  fixture_check_messages (harness->element, GST_MESSAGE_WARNING, 2);
}

/* Elements on a device that exports nothing leave such caps to others. */
TEST_OF_CUDA (no_exports)
{
  g_autoptr (Harness) harness = fixture_harness (BOX);
  g_autoptr (GpuDevice) device = fixture_device_of (harness->element);
  g_autoptr (GstCaps) before = gst_pad_peer_query_caps (harness->srcpad, NULL);
  g_autoptr (GstCaps) after = NULL;

  g_assert_true (port_is_in (CUDA_MEMORY, before));
  device->info.exports_semaphores = FALSE;
  after = gst_pad_peer_query_caps (harness->srcpad, NULL);
  g_assert_false (port_is_in (CUDA_MEMORY, after));
  device->info.exports_semaphores = TRUE;
}

CUDA_MAIN ("/cuda/")
