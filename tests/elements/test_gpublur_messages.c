/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What gpublur tells: warnings, and errors with what goes with them. */
#include "element_fixture.h"

static GstBuffer *
push_and_pull (GstHarness * h, guint seed)
{
  return gst_harness_push_and_pull (h, fixture_frame (SMALL, seed));
}

/* --- warnings --- */

static void
take_method_warning (GstHarness * h, const gchar * words)
{
  fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, words);
}

/* A sigma that no ring in shared memory holds: something else runs, and says
 * so once per start. */
TEST (method_warning)
{
  g_autoptr (Harness) h =
      fixture_harness ("gpublur method=inline-sliding-window");
  g_autoptr (GstStructure) stats = NULL;

  fixture_set_caps (h, SMALL);
  gst_buffer_unref (push_and_pull (h, 1));
  g_object_set (h->element, "sigma", 1000.0, NULL);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (push_and_pull (h, i));
  take_method_warning (h, "separable runs instead");

  fixture_restart (h);
  fixture_set_caps (h, SMALL);
  gst_buffer_unref (push_and_pull (h, 1));
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, 1);
  g_object_get (h->element, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "method"), !=,
      "inline-sliding-window");
}

/* What to change, which is not the same for all of them. */
TEST (method_advice)
{
  static const struct
  {
    const gchar *properties, *advice;
  } cases[] = {
    {"method=pyramid sigma=1", "a sigma of 2.8 or more"},
    {"method=running-sums", "takes kernel=box"},
    {"method=strips kernel=box radius=200", "takes a smaller sigma or radius"},
    {"method=direct sigma=40", "takes a smaller sigma or radius"},
    {"kernel=bilateral method=strips", "takes kernel=gaussian or kernel=box; "
          "separable runs instead"},
    {"kernel=bilateral method=direct", "takes kernel=gaussian or kernel=box"},
    {"kernel=bilateral method=direct-shared sigma=200",
        "takes a smaller sigma or radius"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *description = g_strconcat ("gpublur ",
        cases[i].properties, NULL);
    g_autoptr (Harness) h = fixture_harness (description);

    fixture_set_caps (h, SMALL);
    gst_buffer_unref (push_and_pull (h, i));
    take_method_warning (h, cases[i].advice);
  }
}

static void
count_cpu_warnings (GstHarness * h, guint n)
{
  fixture_set_caps (h, SMALL);
  gst_buffer_unref (push_and_pull (h, 1));
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, n);
}

/* Once for a pipeline, however many elements it has and however often it starts. */
TEST (cpu_warning)
{
  GstHarness *h;

  g_unsetenv ("GST_GPU_ALLOW_CPU");
  h = fixture_harness ("gpublur ! gpublur ! gpublur");
  count_cpu_warnings (h, fixture_cpu_warnings ());
  fixture_restart (h);
  count_cpu_warnings (h, 0);
  fixture_harness_free (h);
  g_setenv ("GST_GPU_ALLOW_CPU", "1", TRUE);
}

/* Not if the user has chosen it. */
TEST (cpu_is_meant)
{
  GstHarness *h = fixture_harness ("gpublur");

  count_cpu_warnings (h, 0);
  gst_element_set_state (h->element, GST_STATE_NULL);
  g_unsetenv ("GST_GPU_ALLOW_CPU");
  g_object_set (h->element, "device",
      gpu_device_get_info (fixture_device ())->uuid, NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  count_cpu_warnings (h, 0);
  fixture_harness_free (h);
  g_setenv ("GST_GPU_ALLOW_CPU", "1", TRUE);
}

/* --- errors --- */

/* What an error says to developers: which device, and when. */
TEST (error_details)
{
  g_autoptr (Harness) h = fixture_play ("gpublur", SMALL);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  const GpuDeviceInfo *info = gpu_device_get_info (device);
  g_autoptr (GstBus) bus = gst_element_get_bus (h->element);
  g_autofree gchar *expected = g_strdup_printf ("device \"%s\" (%s), after "
      "2 frames", info->name, info->uuid);
  g_autofree gchar *details = NULL;
  g_autoptr (GstMessage) message = NULL;

  gst_buffer_unref (push_and_pull (h, 1));
  gst_buffer_unref (push_and_pull (h, 2));
  gpu_device_mark_lost (device);
  fixture_push (h, fixture_frame (SMALL, 3), GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  gst_message_parse_error (message, NULL, &details);
  g_assert_nonnull (strstr (details, expected));
}

/* The largest frame that the device can bind, and one row more. */
TEST (too_large)
{
  gsize limit = gpu_device_get_info (fixture_device ())->max_binding;
  GstHarness *h = fixture_harness ("gpublur");

  if (limit / 16384 > 32768) {
    g_test_skip ("there is no such frame");
    fixture_harness_free (h);
    return;
  }
  fixture_set_caps (h, "RGBA", 4096, limit / 16384 + 1);
  fixture_push (h, gst_buffer_new (), GST_FLOW_NOT_NEGOTIATED);
  fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "use smaller frames");
  fixture_harness_free (h);
}

FIXTURE_MAIN ("/gpublur/")
