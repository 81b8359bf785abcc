/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where images come from and what may be wrong with them: caps, devices that are found, kept and
 * lost, and frames that are not what their caps say. */
#include "vulkan_images_fixture.h"
#include "losing.h"

#include <gst/app/gstappsink.h>
#include <gst/base/gstbasetransform.h>
#include <string.h>

/* Bytes of a frame. */
#define SIZE (61 * 37 * 4)

static GstPad *
pad_of (GstElement * element, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (element, name);

  gst_object_unref (pad);
  return pad;
}

/* --- caps --- */

/* Whether frames of these caps may come. */
static gboolean
accepts (GstElement * element, const gchar * caps)
{
  g_autoptr (GstCaps) fixed = gst_caps_from_string (caps);

  return gst_pad_query_accept_caps (pad_of (element, "sink"), fixed);
}

/* Whether @caps offer images of @format. */
static gboolean
offer (GstCaps * caps, const gchar * format)
{
  g_autofree gchar *text = g_strdup_printf (IMAGES ", format=%s", format);
  g_autoptr (GstCaps) wanted = gst_caps_from_string (text);

  return gst_caps_can_intersect (caps, wanted);
}

static const gchar *const others[] = {
  "GRAY8", "YUY2", "I420", "RGBA64_LE", "RGB"
};

static void
check_formats (GstPad * pad)
{
  static const gchar *const taken[] = {
    "RGBA", "BGRA", "ARGB", "ABGR", "RGBx", "BGRx", "xRGB", "xBGR", "NV12",
    "NV21", "P010_10LE", "AYUV"
  };
  g_autoptr (GstCaps) offered = gst_pad_query_caps (pad, NULL);
  g_autoptr (GstCaps) listed = gst_pad_get_pad_template_caps (pad);

  /* The last ones are any that can pass. */
  listed = gst_caps_make_writable (listed);
  gst_caps_remove_structure (listed, gst_caps_get_size (listed) - 1);
  for (guint i = 0; i < G_N_ELEMENTS (taken); i++)
    g_assert_true (offer (offered, taken[i]) && offer (listed, taken[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (offer (offered, others[i]) || offer (listed, others[i]));
}

/* Images become images of formats that are taken, and nothing else. */
static void
check_output (GstElement * element)
{
  g_autoptr (GstCaps) in = gst_caps_from_string (IMAGES ", format=RGBA");
  g_autoptr (GstCaps) bare = gst_caps_from_string ("video/x-raw");
  g_autoptr (GstCaps) out = GST_BASE_TRANSFORM_GET_CLASS (element)
      ->transform_caps (GST_BASE_TRANSFORM (element), GST_PAD_SINK, in, NULL);

  g_assert_true (offer (out, "RGBA"));
  g_assert_false (gst_caps_can_intersect (out, bare));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (offer (out, others[i]));
}

/* Images of formats that cannot be worked on pass where there is nothing to do. */
TEST (formats)
{
  static const gchar *const elements[] = { "gpublur", "meanshiftpalette" };
  static const gchar *const neutral[] = {
    "gpublur sigma=0", "meanshiftpalette radius=0"
  };

  for (guint e = 0; e < G_N_ELEMENTS (elements); e++) {
    g_autoptr (LoneElement) works = fixture_element (elements[e]);
    g_autoptr (LoneElement) passes = fixture_element (neutral[e]);

    check_formats (pad_of (works, "sink"));
    check_formats (pad_of (works, "src"));
    check_output (works);
    for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
      g_autofree gchar *caps = g_strdup_printf (IMAGES ", format=%s, width=64, "
          "height=40, framerate=25/1", others[i]);

      g_assert_false (accepts (works, caps));
      g_assert_true (accepts (passes, caps));
    }
  }
}

/* A pipeline says which images its device lacks. */
TEST_OF_IMAGES (no_images)
{
  GstElement *pipeline = images_launch (PICTURES "P010_10LE" EVEN, BLUR, TRUE);
  g_autoptr (GstElement) blur = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    g_test_skip ("the device has images of P010");
  else {
    gst_message_parse_error (message, &error, NULL);
    g_assert_true (GST_MESSAGE_SRC (message) == GST_OBJECT (blur));
    g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS);
    g_assert_nonnull (strstr (error->message, "no images for P010_10LE"));
  }
  images_stop (pipeline);
}

/* --- the device --- */

static void
set_image_caps (GstHarness * h)
{
  GstCaps *caps = fixture_caps (SMALL);

  gst_caps_set_features_simple (caps, gst_caps_features_new
      (GST_CAPS_FEATURE_MEMORY_VULKAN_IMAGE, NULL));
  gst_harness_set_src_caps (h, caps);
}

/* What is wrong with images is told, as of frames in system memory. */
TEST (refused)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur planes=luma");

  set_image_caps (h);
  fixture_push (h, fixture_frame (SMALL, 1), GST_FLOW_NOT_NEGOTIATED);
  fixture_take_error (h->element, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "planes=luma needs");
}

static void
take_error_of_no_device (GstHarness * h)
{
  fixture_take_error (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, "no element beside this one has their");
}

/* Where no neighbour has a device, frames can still pass. */
TEST (no_neighbour)
{
  g_autoptr (Harness) passes = fixture_harness ("gpublur sigma=0");
  g_autoptr (Harness) works = fixture_harness ("gpublur");

  set_image_caps (passes);
  g_assert_true (fixture_passes (passes, fixture_frame (SMALL, 1)));
  fixture_check_messages (passes->element,
      GST_MESSAGE_ERROR | GST_MESSAGE_WARNING, 0);
  g_object_set (passes->element, "sigma", 3.0, NULL);
  fixture_push (passes, fixture_frame (SMALL, 1), GST_FLOW_ERROR);
  take_error_of_no_device (passes);

  set_image_caps (works);
  take_error_of_no_device (works);
  fixture_push (works, fixture_frame (SMALL, 1), GST_FLOW_NOT_NEGOTIATED);
}

/* A pipeline of images through @filter. GStreamer 1.26's elements mix devices when they are started
 * again, so those are new. */
static GstElement *
launch_around (GstElement * filter)
{
  GstElement *pipeline = pipeline_launch (PICTURES "RGBA" ODD
      "! vulkanupload name=u vulkandownload name=d ! appsink name=sink "
      "sync=false");
  g_autoptr (GstElement) upload = gst_bin_get_by_name (GST_BIN (pipeline), "u");
  g_autoptr (GstElement) download = gst_bin_get_by_name (GST_BIN (pipeline),
      "d");

  gst_bin_add (GST_BIN (pipeline), filter);
  g_assert_true (gst_element_link_many (upload, filter, download, NULL));
  return pipeline;
}

/* An element in READY keeps no device, and takes the next one when it is started again. */
TEST_OF_IMAGES (restart)
{
  g_autoptr (GstElement) blur = gst_object_ref_sink (fixture_make (BLUR));
  GByteArray *bytes[2];

  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++) {
    GstElement *pipeline = launch_around (blur);
    GObject *device;
    GWeakRef watch;

    bytes[i] = images_collect (pipeline, TRUE, N_FRAMES);
    device = images_ask_for_device (blur, "sink");
    g_weak_ref_init (&watch, device);
    g_object_unref (device);
    images_settle (pipeline);
    gst_element_set_state (pipeline, GST_STATE_READY);
    gst_element_set_locked_state (blur, TRUE);
    pipeline_stop (pipeline);
    g_assert_null (g_weak_ref_get (&watch));
    g_weak_ref_clear (&watch);
    gst_element_set_locked_state (blur, FALSE);
  }
  gst_element_set_state (blur, GST_STATE_NULL);
  images_assert_same (bytes[1], bytes[0]);
  g_byte_array_unref (bytes[0]);
  g_byte_array_unref (bytes[1]);
}

/* --- its loss --- */

/* A probe: the second frame loses the device. @data: how many came. */
static GstPadProbeReturn
lose_second (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  guint *n_frames = data;

  if (++*n_frames == 2)
    losing_here ();
  return GST_PAD_PROBE_OK;
}

/* The source posts another error behind it. */
static void
check_error_of_loss (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus,
      GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (message);
  g_assert_cmpstr (GST_MESSAGE_SRC_NAME (message), ==, "a");
  gst_message_parse_error (message, &error, NULL);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "restart the pipeline"));
}

/* Another device cannot take the place of one that others have lost, too. The next start is a
 * new beginning. */
static void
check_loss (const gchar * filter)
{
  g_autoptr (GstElement) blur = gst_object_ref_sink (fixture_make (filter));
  GstElement *pipeline = launch_around (blur);
  g_autoptr (GByteArray) bytes = NULL;
  guint n_frames = 0;

  images_add_probe (pipeline, "a", "sink", GST_PAD_PROBE_TYPE_BUFFER,
      lose_second, &n_frames);
  bytes = pipeline_collect (pipeline);
  g_assert_cmpuint (bytes->len, ==, SIZE);
  check_error_of_loss (pipeline);
  images_stop (pipeline);
  pipeline = launch_around (blur);
  g_byte_array_unref (images_collect (pipeline, TRUE, N_FRAMES));
  images_stop (pipeline);
}

TEST_OF_IMAGES (loss)
{
  static const gchar *const filters[] = {
    BLUR "on-device-lost=error", BLUR "on-device-lost=recover"
  };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++) {
    losing_begin ();
    check_loss (filters[i]);
    losing_end ();
  }
}

/* --- bad frames --- */

/* Which are the second and the third of four. */
typedef struct
{
  guint n_frames;
  GstBuffer *buffer;            /* in their place; NULL: their images are too small */
} Replacement;

/* A probe. Images come again. */
static GstPadProbeReturn
make_bad (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Replacement *replacement = data;
  guint n = ++replacement->n_frames;
  gboolean is_bad = n == 2 || n == 3;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstVulkanImageMemory *image =
      (GstVulkanImageMemory *) gst_buffer_peek_memory (buffer, 0);

  if (!replacement->buffer)
    image->create_info.extent.width = is_bad ? 60 : 61;
  else if (is_bad) {
    gst_buffer_unref (buffer);
    GST_PAD_PROBE_INFO_DATA (info) = gst_buffer_ref (replacement->buffer);
  }
  return GST_PAD_PROBE_OK;
}

/* Bad frames are dropped, with one warning; the others arrive. */
static void
check_bad (GstBuffer * buffer, GQuark domain, gint code, const gchar * words)
{
  GstElement *pipeline = images_launch (PICTURES "RGBA" ODD, BLUR, FALSE);
  g_autoptr (GByteArray) expected = images_collect (pipeline, FALSE, N_FRAMES);
  g_autoptr (GByteArray) got = NULL;
  Replacement replacement = {.buffer = buffer};
  GstElement *blur;

  images_stop (pipeline);
  g_byte_array_remove_range (expected, SIZE, 2 * SIZE);
  pipeline = images_launch (PICTURES "RGBA" ODD, BLUR, TRUE);
  images_add_probe (pipeline, "a", "sink", GST_PAD_PROBE_TYPE_BUFFER, make_bad,
      &replacement);
  got = pipeline_collect (pipeline);
  images_assert_same (got, expected);
  fixture_take_warning (pipeline, domain, code, words);
  fixture_check_messages (pipeline, GST_MESSAGE_ERROR, 0);
  blur = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  fixture_check_stat (blur, "dropped", 2);
  gst_object_unref (blur);
  images_stop (pipeline);
}

TEST_OF_IMAGES (system_memory)
{
  g_autoptr (GstBuffer) buffer = fixture_frame ("RGBA", 61, 37, 1);

  check_bad (buffer, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
      "has no images of the Vulkan device");
}

TEST_OF_IMAGES (too_small)
{
  check_bad (NULL, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
      "smaller ones than its caps");
}

/* Images of another pipeline, which has a device of its own. */
TEST_OF_IMAGES (another_device)
{
  GstElement *other = pipeline_launch (PICTURES "RGBA" ODD "! vulkanupload "
      "name=u ! gpublur name=a sigma=0 ! appsink name=sink sync=false");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (other), "sink");
  GstSample *sample;

  gst_element_set_state (other, GST_STATE_PLAYING);
  sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
  check_bad (gst_sample_get_buffer (sample), GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_READ, "has no images of the Vulkan device");
  gst_sample_unref (sample);
  gst_object_unref (sink);
  images_stop (other);
}

FIXTURE_MAIN ("/vulkan-images-devices/")
