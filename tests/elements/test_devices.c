/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which device elements use: their own, a neighbour's, the application's. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"
#include "gst/common/gstgpucontext.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* An error says where in the source it comes from. */
static void
check_place_of_error (GstElement * element, const gchar * file)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (element);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autofree gchar *debug = NULL;

  g_assert_nonnull (message);
  gst_message_parse_error (message, NULL, &debug);
  g_assert_nonnull (strstr (debug, file));
}

TEST (unknown_device)
{
  g_autoptr (LoneElement) element = fixture_element ("gpublur");

  g_object_set (element, "device", "no such device", NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
      GST_STATE_CHANGE_FAILURE);
  check_place_of_error (element, "gstgpufilter.c");
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
      GST_STATE_CHANGE_FAILURE);
  fixture_take_error (element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, "no such device");

  /* And is told a better one. */
  g_object_set (element, "device",
      gpu_device_get_info (fixture_device ())->uuid, NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), !=,
      GST_STATE_CHANGE_FAILURE);
  fixture_check_messages (element, GST_MESSAGE_ERROR, 0);
}

static GpuDevice *
device_in_pipeline (GstElement * pipeline, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GpuDevice *device = fixture_device_of (element);

  gst_object_unref (element);
  gpu_device_unref (device);
  return device;
}

static void
add_blur (GstElement * pipeline, const gchar * name)
{
  GstElement *element = gst_element_factory_make ("gpublur", name);

  g_object_set (element, "device", g_getenv ("GPU_TEST_DEVICE"), NULL);
  gst_bin_add (GST_BIN (pipeline), element);
}

/* All elements of a process use one device, linked or not, in one pipeline or
 * in two. */
TEST (shared_device)
{
  g_autoptr (GstElement) one = gst_pipeline_new ("one");
  g_autoptr (GstElement) two = gst_pipeline_new ("two");

  add_blur (one, "a");
  add_blur (one, "b");
  add_blur (two, "a");
  gst_element_set_state (one, GST_STATE_PAUSED);
  gst_element_set_state (two, GST_STATE_PAUSED);
  g_assert_true (device_in_pipeline (one, "a") == device_in_pipeline (one,
          "b"));
  g_assert_true (device_in_pipeline (one, "a") == device_in_pipeline (two,
          "a"));
  gst_element_set_state (one, GST_STATE_NULL);
  gst_element_set_state (two, GST_STATE_NULL);
}

/* Linked elements ask each other, in whatever order they start. */
TEST (device_of_neighbour)
{
  for (guint first = 0; first < 2; first++) {
    GstElement *elements[2];
    GpuDevice *devices[2];

    for (guint i = 0; i < 2; i++)
      elements[i] = gst_object_ref_sink (fixture_make ("gpublur"));
    g_assert_true (gst_element_link (elements[0], elements[1]));
    gst_element_set_state (elements[first], GST_STATE_PAUSED);
    gst_element_set_state (elements[1 - first], GST_STATE_PAUSED);
    for (guint i = 0; i < 2; i++)
      devices[i] = fixture_device_of (elements[i]);
    g_assert_true (devices[0] == devices[1]);
    for (guint i = 0; i < 2; i++) {
      gpu_device_unref (devices[i]);
      gst_element_set_state (elements[i], GST_STATE_NULL);
      gst_element_set_bus (elements[i], NULL);
      gst_object_unref (elements[i]);
    }
  }
}

/* The application's own device, unless "device" names another. */
TEST (given_device)
{
  g_autoptr (GstContext) context = gst_context_new (GST_GPU_CONTEXT_TYPE, TRUE);
  g_autoptr (GstElement) pipeline = gst_pipeline_new (NULL);
  g_autoptr (GstElement) element = NULL;

  gst_structure_set (gst_context_writable_structure (context), "device",
      GST_TYPE_GPU_DEVICE, fixture_device (), NULL);
  gst_element_set_context (pipeline, context);
  add_blur (pipeline, "a");
  add_blur (pipeline, "b");
  element = gst_bin_get_by_name (GST_BIN (pipeline), "b");
  g_object_set (element, "device", "no such device", NULL);

  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_FAILURE);
  g_object_set (element, "device",
      gpu_device_get_info (fixture_device ())->uuid, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_true (device_in_pipeline (pipeline, "a") == fixture_device ());
  g_assert_true (device_in_pipeline (pipeline, "b") == fixture_device ());

  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static gboolean
has_device (GstElement * element, GpuDevice * device)
{
  GpuDevice *current = fixture_device_of (element);

  gpu_device_unref (current);
  return current == device;
}

static void
name_device (GstElement * element, const gchar * uuid)
{
  g_autoptr (GstContext) context =
      gst_context_new ("gst.gpufilters.device", TRUE);

  gst_structure_set (gst_context_writable_structure (context), "device-uuid",
      G_TYPE_STRING, uuid, NULL);
  gst_element_set_context (element, context);
}

/* An application that knows nothing of our types names a device by its UUID:
 * for the next start, in READY for the next frames, or one that is not there. */
TEST (named_device)
{
  static const gchar *nowhere = "00000000-0000-0000-0000-000000000000";
  g_autoptr (LoneElement) element = fixture_element ("gpublur");
  g_autofree gchar *uuid =
      g_strdup (gpu_device_get_info (fixture_device ())->uuid);
  GpuDevice *device;

  g_object_set (element, "device", NULL, NULL);
  name_device (element, nowhere);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
      GST_STATE_CHANGE_FAILURE);
  fixture_take_error (element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, nowhere);

  name_device (element, uuid);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
      GST_STATE_CHANGE_SUCCESS);
  device = fixture_device_of (element);
  g_assert_cmpstr (gpu_device_get_info (device)->uuid, ==, uuid);
  /* So that the next one to be opened is another. */
  gpu_device_mark_lost (device);
  name_device (element, uuid);
  g_assert_false (has_device (element, device));
  gpu_device_unref (device);

  name_device (element, nowhere);
  fixture_take_error (element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, nowhere);
}

/* Where the property names a device, a context of another is of no use, and what a
 * context only names is not looked for. */
TEST (context_of_another)
{
  GpuDevice *device = fixture_device ();
  const gchar *uuid = gpu_device_get_info (device)->uuid;
  g_autoptr (GstContext) given = gst_context_new (GST_GPU_CONTEXT_TYPE, FALSE);
  g_autoptr (GstContext) named = gst_context_new (GST_GPU_CONTEXT_TYPE, FALSE);
  g_autoptr (GError) error = NULL;

  gst_structure_set (gst_context_writable_structure (given), "device",
      GST_TYPE_GPU_DEVICE, device, NULL);
  gst_structure_set (gst_context_writable_structure (named), "device-uuid",
      G_TYPE_STRING, "no such device", NULL);
  g_assert_null (gst_gpu_context_take_device (given, "another", NULL, &error));
  g_assert_null (gst_gpu_context_take_device (named, uuid, NULL, &error));
  g_assert_no_error (error);
}

/* A given device serves the elements that can run on it; others take another. */
TEST (given_that_lacks)
{
  static const struct
  {
    const gchar *element;
    gboolean takes;
  } cases[] = { {"gpublur", TRUE}, {"meanshiftpalette", FALSE} };
  GpuDevice *device = fixture_device ();
  g_autoptr (GstContext) context = gst_context_new (GST_GPU_CONTEXT_TYPE, TRUE);
  guint lanes = device->info.subgroup_size;

  gst_structure_set (gst_context_writable_structure (context), "device",
      GST_TYPE_GPU_DEVICE, device, NULL);
  device->info.subgroup_size = 0;
  device->info.subgroup_fault = "subgroups";
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstElement *element = gst_object_ref_sink (fixture_make (cases[i].element));

    gst_element_set_context (element, context);
    g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
        GST_STATE_CHANGE_SUCCESS);
    g_assert_cmpint (has_device (element, device), ==, cases[i].takes);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_element_set_bus (element, NULL);
    gst_object_unref (element);
  }
  device->info.subgroup_size = lanes;
}

/* What an element offers to others says which device it is. */
TEST (offered_device)
{
  g_autoptr (LoneElement) element = fixture_element ("gpublur");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "src");
  GstQuery *query = gst_query_new_context (GST_GPU_CONTEXT_TYPE);
  GpuDevice *device;
  GstContext *context;

  gst_element_set_state (element, GST_STATE_READY);
  device = fixture_device_of (element);
  g_assert_true (gst_pad_query (pad, query));
  gst_query_parse_context (query, &context);
  g_assert_cmpstr (gst_structure_get_string (gst_context_get_structure
          (context), "device-uuid"), ==, gpu_device_get_info (device)->uuid);
  gst_query_unref (query);
  gpu_device_unref (device);
}

static gboolean
answers_for_device (GstElement * element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "src");
  GstQuery *query = gst_query_new_context (GST_GPU_CONTEXT_TYPE);
  gboolean answers = gst_pad_query (pad, query);

  gst_query_unref (query);
  return answers;
}

/* Open from READY on, and until NULL. */
TEST (device_in_ready)
{
  g_autoptr (LoneElement) element = fixture_element ("gpublur");
  g_autoptr (GstStructure) stats = NULL;
  GpuDevice *devices[2];

  g_assert_false (answers_for_device (element));
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
      GST_STATE_CHANGE_SUCCESS);
  g_object_get (element, "stats", &stats, NULL);
  g_assert_nonnull (gst_structure_get_string (stats, "device-uuid"));
  devices[0] = fixture_device_of (element);
  gst_element_set_state (element, GST_STATE_PAUSED);
  gst_element_set_state (element, GST_STATE_READY);
  devices[1] = fixture_device_of (element);
  g_assert_true (devices[0] == devices[1]);
  gst_element_set_state (element, GST_STATE_NULL);
  g_assert_false (answers_for_device (element));

  gpu_device_unref (devices[0]);
  gpu_device_unref (devices[1]);
}

/* Empty, as gst-inspect-1.0 shows. */
TEST (no_name)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("gpublur", NULL);
  GParamSpec *spec = g_object_class_find_property
      (G_OBJECT_GET_CLASS (element), "device");
  g_autofree gchar *name = NULL;

  g_object_get (element, "device", &name, NULL);
  g_assert_cmpstr (name, ==, "");
  g_assert_cmpstr (G_PARAM_SPEC_STRING (spec)->default_value, ==, name);
}

/* Which device it is stays as it is from READY on. */
TEST (property_in_ready)
{
  g_autoptr (LoneElement) element = fixture_element ("gpublur");
  const gchar *selector = g_getenv ("GPU_TEST_DEVICE");
  gchar *name;

  for (GstState state = GST_STATE_READY; state <= GST_STATE_PAUSED; state++) {
    gst_element_set_state (element, state);
    fixture_take_messages (element, GST_MESSAGE_WARNING);
    g_object_set (element, "device", "no such device", NULL);
    fixture_take_warning (element, GST_LIBRARY_ERROR,
        GST_LIBRARY_ERROR_SETTINGS, "\"device\" stays as it is: set the "
        "element to NULL");
    g_object_get (element, "device", &name, NULL);
    g_assert_cmpstr (name, ==, selector ? selector : "");
    g_free (name);
  }
  gst_element_set_state (element, GST_STATE_NULL);
  g_object_set (element, "device", "no such device", NULL);
  fixture_check_messages (element, GST_MESSAGE_WARNING, 0);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
      GST_STATE_CHANGE_FAILURE);
}

static void
set_device (GstElement * element, GpuDevice * device)
{
  g_autoptr (GstContext) context =
      gst_context_new (GST_GPU_CONTEXT_TYPE, FALSE);

  gst_structure_set (gst_context_writable_structure (context), "device",
      GST_TYPE_GPU_DEVICE, device, NULL);
  gst_element_set_context (element, context);
}

/* A context takes the place of the device that was found, but not while frames
 * flow. */
TEST (context_in_ready)
{
  g_autoptr (LoneElement) element = fixture_element ("gpublur");
  GpuDevice *first, *second;

  gst_element_set_state (element, GST_STATE_READY);
  first = fixture_device_of (element);
  /* So that the next to be opened is another. */
  gpu_device_mark_lost (first);
  second = gpu_device_open (g_getenv ("GPU_TEST_DEVICE"), NULL, NULL);
  g_assert_true (second != first);
  set_device (element, second);
  g_assert_true (has_device (element, second));

  gst_element_set_state (element, GST_STATE_PAUSED);
  gpu_device_unref (first);
  gpu_device_mark_lost (second);
  first = gpu_device_open (g_getenv ("GPU_TEST_DEVICE"), NULL, NULL);
  set_device (element, first);
  g_assert_true (has_device (element, second));
  gst_element_set_state (element, GST_STATE_NULL);
  gpu_device_unref (first);
  gpu_device_unref (second);
}

static void
check_end_of_warning (GstElement * element, const gchar * words)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (element);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  g_autoptr (GError) warning = NULL;

  g_assert_nonnull (message);
  gst_message_parse_warning (message, &warning, NULL);
  g_assert_true (g_str_has_suffix (warning->message, words));
}

/* Who gets the CPU is told which card was passed over for it, and why: what to do
 * depends on that. */
TEST (passed_over)
{
  g_autoptr (LoneElement) element = fixture_element ("gpublur");
  GpuDevice *device = fixture_device ();

  g_assert_null (device->passed_over);
  device->passed_over = g_strdup ("A card hangs; restart it");
  set_device (element, device);
  g_unsetenv ("GST_GPU_ALLOW_CPU");
  gst_element_set_state (element, GST_STATE_PAUSED);
  g_setenv ("GST_GPU_ALLOW_CPU", "1", TRUE);
  if (fixture_cpu_warnings () > 0)
    check_end_of_warning (element, "Passed over: A card hangs; restart it. To "
        "use the CPU without this warning, set GST_GPU_ALLOW_CPU=1 in the "
        "environment.");
  g_clear_pointer (&device->passed_over, g_free);
}

/* A device that is lost is no use, whoever offers it. */
TEST (given_lost_device)
{
  g_autoptr (LoneElement) element = fixture_element ("gpublur");
  g_autoptr (GstContext) context = gst_context_new (GST_GPU_CONTEXT_TYPE, TRUE);
  g_autoptr (GpuDevice) lost =
      gpu_device_open (g_getenv ("GPU_TEST_DEVICE"), NULL, NULL);
  GpuDevice *device;

  gpu_device_mark_lost (lost);
  gst_structure_set (gst_context_writable_structure (context), "device",
      GST_TYPE_GPU_DEVICE, lost, NULL);
  gst_element_set_context (element, context);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), !=,
      GST_STATE_CHANGE_FAILURE);
  device = fixture_device_of (element);
  g_assert_true (device != lost);

  gpu_device_unref (device);
}

static void
count_kernels (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer n)
{
  if (g_str_equal (gst_debug_category_get_name (category), "gpu")
      && level == GST_LEVEL_DEBUG
      && g_str_has_prefix (gst_debug_message_get (message), "built "))
    g_atomic_int_inc ((gint *) n);
}

/* What the compute layer logs is in GStreamer's log. */
TEST (log)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur method=direct");
  gint n = 0;

  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name ("gpu", GST_LEVEL_DEBUG);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_kernels, &n, NULL);
  fixture_set_caps (h, "GRAY8", 16, 16);
  fixture_show (h, fixture_frame ("GRAY8", 16, 16, 1));
  gst_debug_remove_log_function (count_kernels);
  gst_debug_add_log_function (gst_debug_log_default, NULL, NULL);
  gst_debug_unset_threshold_for_name ("gpu");
  g_assert_cmpint (n, >, 0);
}

static void
keep_negotiation (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer lines)
{
  if (g_str_equal (gst_debug_category_get_name (category), "gpufilter")
      && level == GST_LEVEL_INFO)
    g_string_append_printf (lines, "%s\n", gst_debug_message_get (message));
}

/* The log shows what was negotiated, and what was not. */
TEST (log_of_negotiation)
{
  static const gchar *const expected[] = {
    "using ", "frames are worked on: video/x-raw", "downstream holds 0 buffers",
    "output is from a pool of ", "no part of video/x-raw",
    "suits the sink pad", "(string)fields",
  };
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (Harness) h = NULL;
  GstCaps *caps =
      gst_caps_from_string ("video/x-raw, format=GRAY8, width=16, height=16, "
      "framerate=30/1, interlace-mode=fields");

  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name ("gpufilter", GST_LEVEL_INFO);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (keep_negotiation, lines, NULL);
  h = fixture_harness ("gpublur sigma=2");
  gst_caps_unref (gst_pad_query_caps (h->element->sinkpads->data, caps));
  fixture_set_caps (h, "GRAY8", 16, 16);
  fixture_show (h, fixture_frame ("GRAY8", 16, 16, 1));
  gst_debug_remove_log_function (keep_negotiation);
  gst_debug_add_log_function (gst_debug_log_default, NULL, NULL);
  gst_debug_unset_threshold_for_name ("gpufilter");
  g_test_message ("%s", lines->str);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_nonnull (strstr (lines->str, expected[i]));
  gst_caps_unref (caps);
}

/* What a child does with what it has of its parent ends at once, with an error
 * that says why. */
static void
use_in_child (GstBuffer * result, GstBuffer * unused)
{
  GstElement *element = fixture_make ("gpublur");
  g_autoptr (GstBus) bus = gst_element_get_bus (element);
  g_autoptr (GError) error = NULL;
  GstMessage *message;
  GstMapInfo map;

  alarm (60);
  if (gst_buffer_map (result, &map, GST_MAP_READ)
      || gst_buffer_map (unused, &map, GST_MAP_WRITE)
      || gst_element_set_state (element, GST_STATE_READY)
      != GST_STATE_CHANGE_FAILURE)
    _exit (1);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  if (!message)
    _exit (2);
  gst_message_parse_error (message, &error, NULL);
  _exit (strstr (error->message, "forked") ? 0 : 3);
}

TEST (fork)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur radius=2 kernel=box");
  GstBufferPool *pool = fixture_take_pool (h, "GRAY8", 16, 16);
  GstBuffer *unused = fixture_acquire (pool);
  GstBuffer *result;
  GstMapInfo map;
  int status;
  pid_t pid;

  gst_harness_push (h, fixture_frame ("GRAY8", 16, 16, 1));
  result = gst_harness_pull (h);
  g_assert_true (gst_buffer_map (unused, &map, GST_MAP_WRITE));
  gst_buffer_unmap (unused, &map);
  pid = fork ();
  if (pid == 0)
    use_in_child (result, unused);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  /* The parent's is as before. */
  g_assert_true (fixture_is_box (result, BOX_OF ("GRAY8", 16, 16, 1, 2)));
  gst_buffer_unref (result);
  gst_buffer_unref (unused);
  fixture_release_pool (pool);
}

FIXTURE_MAIN ("/devices/")
