/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in images of GStreamer's own Vulkan elements: what comes out is the same, byte for byte,
 * as from system memory, and the CPU copies nothing. */
#include "vulkan_images_fixture.h"

#include <gst/app/gstappsink.h>

/* --- the same bytes --- */

/* @probe, which may be NULL, sees the frames that come to filter "a", and is given a copy of the
 * @size bytes of @data for each pipeline. */
static void
check_same_with (const gchar * source, const gchar * filters, guint n,
    GstPadProbeCallback probe, gconstpointer data, gsize size)
{
  g_autoptr (GByteArray) expected = NULL;
  g_autoptr (GByteArray) got = NULL;

  for (guint i = 0; i < 2; i++) {
    GstElement *pipeline = images_launch (source, filters, i == 1);
    g_autofree gpointer copy = g_memdup2 (data, size);

    if (probe)
      images_add_probe (pipeline, "a", "sink", GST_PAD_PROBE_TYPE_BUFFER,
          probe, copy);
    *(i == 1 ? &got : &expected) = images_collect (pipeline, i == 1, n);
    images_stop (pipeline);
  }
  images_assert_same (got, expected);
}

static void
check_same (const gchar * source, const gchar * filters, guint n)
{
  check_same_with (source, filters, n, NULL, NULL, 0);
}

static const gchar *const sources[] = {
  PICTURES "RGBA" ODD, PICTURES "BGRx" ODD, PICTURES "ARGB" ODD,
  PICTURES "AYUV" ODD, PICTURES "NV12" EVEN, PICTURES "NV21" EVEN,
};

TEST_OF_IMAGES (blur)
{
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    check_same (sources[i], BLUR, N_FRAMES);
}

TEST_OF_IMAGES (palette)
{
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    check_same (sources[i], "meanshiftpalette name=a", N_FRAMES);
}

/* Another format behind the element, what is kept of a frame, and one element behind the
 * other. */
TEST_OF_IMAGES (filters)
{
  static const gchar *const filters[] = {
    "meanshiftpalette name=a ! video/x-raw(ANY), format=BGRA",
    BLUR "amount=0.4",
    BLUR "roi-source=rectangle roi-x=9 roi-y=7 roi-width=30 roi-height=20",
    BLUR "! meanshiftpalette name=b",
  };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    check_same (PICTURES "NV12" EVEN, filters[i], N_FRAMES);
}

TEST_OF_IMAGES (threads)
{
  check_same_with (PICTURES "NV12" EVEN, BLUR "! queue ! meanshiftpalette "
      "name=b", N_FRAMES, images_wait_for_upload, NULL, 0);
}

TEST_OF_IMAGES (passing)
{
  check_same (PICTURES "RGBA" ODD, "gpublur name=a sigma=0", 0);
  check_same (PICTURES "NV12" EVEN, "gpublur name=a sigma=0 "
      "! meanshiftpalette name=b radius=0", 0);
}

/* Frames stay in memory of ours behind the first element, and the second makes images of them, also
 * if it has nothing to do. A tee hides that the second one is of ours. */
TEST_OF_IMAGES (between)
{
  static const gchar *const filters[] = {
    BLUR "! meanshiftpalette radius=0",
    BLUR "! meanshiftpalette radius=0 ! gpublur sigma=2 method=separable",
    BLUR "! gpublur sigma=0 ! meanshiftpalette",
    BLUR "! tee name=t ! queue ! fakesink t. ! queue ! meanshiftpalette",
  };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    check_same_with (PICTURES "NV12" EVEN, filters[i], N_FRAMES,
        images_wait_for_upload, NULL, 0);
}

/* The first frame passes. */
TEST_OF_IMAGES (change_of_property)
{
  const PipelineChange change = {.property = "sigma", .value = "3"};

  check_same_with (PICTURES "RGBA" ODD, "gpublur name=a method=separable "
      "sigma=0", N_FRAMES - 1, pipeline_make_change, &change, sizeof change);
}

/* --- semaphores --- */

/* Frames are in one image each. */
static GstVulkanBarrierImageInfo *
state_of (GstBuffer * buffer)
{
  return &((GstVulkanImageMemory *) gst_buffer_peek_memory (buffer,
          0))->barrier;
}

/* The frame that the filter works on. */
static struct
{
  PFN_vkQueueSubmit submit;     /* of the driver */
  GstBuffer *buffer;            /* a reference */
  guint64 value;                /* of its semaphore, before */
  gboolean is_waited_for;
} input;

static VkResult VKAPI_CALL
look_and_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  for (guint i = 0; n > 0 && i < infos->waitSemaphoreCount; i++) {
    const VkTimelineSemaphoreSubmitInfo *values = infos->pNext;

    if (infos->pWaitSemaphores[i] == state_of (input.buffer)->parent.semaphore)
      input.is_waited_for = values->pWaitSemaphoreValues[i] == input.value;
  }
  return input.submit (queue, n, infos, fence);
}

/* A probe. */
static GstPadProbeReturn
note_input (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  g_autoptr (GstElement) filter = gst_pad_get_parent_element (pad);
  g_autoptr (GpuDevice) device = images_device_of (filter);

  if (device->vk.vkQueueSubmit != look_and_submit)
    input.submit = device->vk.vkQueueSubmit;
  device->vk.vkQueueSubmit = look_and_submit;
  input.buffer = gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info));
  input.value = state_of (input.buffer)->parent.semaphore_value;
  input.is_waited_for = FALSE;
  return GST_PAD_PROBE_OK;
}

/* A probe: what was noted is reached. */
static GstPadProbeReturn
check_states (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  GstBuffer *output = GST_PAD_PROBE_INFO_BUFFER (info);

  g_assert_true (input.is_waited_for);
  g_assert_cmpuint (state_of (input.buffer)->parent.semaphore_value, ==,
      input.value + 1);
  g_assert_cmpint (state_of (input.buffer)->image_layout, ==,
      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  g_assert_cmpuint (state_of (output)->parent.semaphore_value, >, 0);
  g_assert_cmpint (state_of (output)->image_layout, ==,
      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  images_wait (pad, input.buffer);
  images_wait (pad, output);
  gst_clear_buffer (&input.buffer);
  return GST_PAD_PROBE_OK;
}

/* The filter waits for what was done with the frame before, and tells others what to wait
 * for. */
TEST_OF_IMAGES (semaphores)
{
  GstElement *pipeline = images_launch (PICTURES "RGBA" ODD, BLUR, TRUE);

  images_add_probe (pipeline, "a", "sink", GST_PAD_PROBE_TYPE_BUFFER,
      note_input, NULL);
  images_add_probe (pipeline, "a", "src", GST_PAD_PROBE_TYPE_BUFFER,
      check_states, NULL);
  g_byte_array_unref (images_collect (pipeline, TRUE, N_FRAMES));
  images_stop (pipeline);
}

/* --- a change of memory --- */

/* A probe: contexts are asked for at pad @other. */
static GstPadProbeReturn
ask_elsewhere (GstPad * pad, GstPadProbeInfo * info, gpointer other)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  return GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT
      && gst_pad_query (other, query) ? GST_PAD_PROBE_HANDLED :
      GST_PAD_PROBE_OK;
}

/* Downloads what is on the device of which @pad tells. */
static GstHarness *
make_download (GstPad * pad)
{
  g_autoptr (GstElement) element = gst_object_ref_sink
      (gst_element_factory_make ("vulkandownload", NULL));
  g_autoptr (GstPad) sink = gst_element_get_static_pad (element, "sink");

  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, ask_elsewhere,
      pad, NULL);
  return gst_harness_new_with_element (element, "sink", "src");
}

/* Appends the frame in @sample. */
static void
append (GByteArray * bytes, GstSample * sample, GstHarness * download)
{
  GstBuffer *buffer = gst_buffer_ref (gst_sample_get_buffer (sample));
  GstCaps *caps = gst_sample_get_caps (sample);
  GstMapInfo map;

  if (images_are_in (caps)) {
    gst_harness_set_src_caps (download, gst_caps_ref (caps));
    buffer = gst_harness_push_and_pull (download, buffer);
  }
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  g_byte_array_append (bytes, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

/* As pipeline_collect(), from whatever memory. Downloads after the end, as a VkQueue is for one
 * thread at a time. */
static GByteArray *
collect_all (GstElement * pipeline)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline),
      "sink");
  g_autoptr (GstElement) upload = gst_bin_get_by_name (GST_BIN (pipeline), "u");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (upload, "src");
  g_autoptr (GPtrArray) samples = g_ptr_array_new_with_free_func
      ((GDestroyNotify) gst_sample_unref);
  GByteArray *bytes = g_byte_array_new ();
  GstHarness *download;
  GstSample *sample;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink))))
    g_ptr_array_add (samples, sample);
  download = make_download (pad);
  for (guint i = 0; i < samples->len; i++)
    append (bytes, g_ptr_array_index (samples, i), download);
  images_settle (pipeline);
  gst_harness_teardown (download);
  return bytes;
}

#define OF_SYSTEM PICTURES "RGBA" ODD "! c. "
#define OF_IMAGES PICTURES "RGBA" ODD "! vulkanupload name=u ! c. "
#define CHANGING(first, second) first second OF_SYSTEM "concat name=c ! " BLUR \
    "! appsink name=sink sync=false"

/* To images and back to system memory, and from images. */
TEST_OF_IMAGES (change_of_memory)
{
  static const gchar *const changing[] = {
    CHANGING (OF_SYSTEM, OF_IMAGES), CHANGING (OF_IMAGES, OF_SYSTEM)
  };
  GstElement *pipeline = pipeline_launch (CHANGING (OF_SYSTEM, OF_SYSTEM));
  g_autoptr (GByteArray) expected = images_collect (pipeline, FALSE,
      3 * N_FRAMES);

  images_stop (pipeline);
  for (guint i = 0; i < G_N_ELEMENTS (changing); i++) {
    g_autoptr (GByteArray) got = NULL;

    pipeline = pipeline_launch ("%s", changing[i]);
    images_add_probe (pipeline, "a", "sink", GST_PAD_PROBE_TYPE_BUFFER,
        images_wait_for_upload, NULL);
    images_add_probe (pipeline, "a", "sink",
        GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, images_settle_before_caps,
        pipeline);
    got = collect_all (pipeline);
    fixture_check_messages (pipeline, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING,
        0);
    images_check_stats (pipeline, "a", FALSE, 3 * N_FRAMES);
    images_assert_same (got, expected);
    images_stop (pipeline);
  }
}

FIXTURE_MAIN ("/vulkan-images/")
