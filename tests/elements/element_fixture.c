/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "element_fixture.h"

#include "gpu/core/kernel/kernel.h"
#include "gpu/core/kernel/rehearsal.h"
#include "gpu/core/device/vulkan.h"
#include "gpu/core/memory/buffer.h"
#include "gpu_fixture.h"
#include "gst/blur/gstgpublur.h"
#include "gst/common/gstgpucontext.h"
#include "gst/memory/gstgpubufferpool.h"
#include "gst/palette/gstmeanshiftpalette.h"

static GpuDevice *the_device;
static gboolean is_device_shared;
static const gchar *path_prefix;

/* --- the test program --- */

static const gchar *
selector (void)
{
  return g_getenv ("GPU_TEST_DEVICE");
}

/* What the CPU caches is not the device's, which has memory of its own. */
static void
separate_memory (GpuDevice * device)
{
  VkPhysicalDeviceMemoryProperties *memory = &device->memory;

  if (device->info.kind == GPU_DEVICE_INTEGRATED)
    device->info.kind = GPU_DEVICE_DISCRETE;
  for (guint i = 0; i < memory->memoryTypeCount; i++)
    if (memory->memoryTypes[i].propertyFlags
        & VK_MEMORY_PROPERTY_HOST_CACHED_BIT)
      memory->memoryTypes[i].propertyFlags &=
          ~(VkMemoryPropertyFlags) VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
}

/* As on a card with one queue. */
static void
play_two_sides (GpuDevice * device)
{
  separate_memory (device);
  device->upload_queue = device->download_queue = NULL;
}

/* As on a card with transfer queues. Where there are none, the only queue plays them. */
static void
play_transfers (GpuDevice * device)
{
  separate_memory (device);
  if (!device->upload_queue)
    device->upload_queue = device->download_queue = device->queue;
}

void
fixture_init (int *argc, char ***argv, const gchar * prefix)
{
  g_autoptr (GError) error = NULL;

  g_test_init (argc, argv, NULL);
  gst_init (argc, argv);
  path_prefix = prefix;
  g_setenv ("GST_GPU_ALLOW_CPU", "1", TRUE);
  /* Tests request many kernels that they never dispatch, and need not compile. */
  gpu_rehearsal_is_allowed = FALSE;
  gpu_kernels_later_delay = G_TIME_SPAN_DAY;
  if (g_strcmp0 (g_getenv ("GPU_TEST_MEMORY"), "two-sides") == 0)
    gpu_device_edit = play_two_sides;
  if (g_strcmp0 (g_getenv ("GPU_TEST_MEMORY"), "transfers") == 0)
    gpu_device_edit = play_transfers;
  GST_ELEMENT_REGISTER (gpublur, NULL);
  GST_ELEMENT_REGISTER (meanshiftpalette, NULL);
  /* Not for elements, unless it is given to them. */
  the_device = gpu_device_open_own (selector (), NULL, &error);
  if (!the_device)
    gpu_fixture_explain_absence (error);
}

void
fixture_share_device (void)
{
  is_device_shared = TRUE;
}

void
fixture_replace_device (GpuDevice * device)
{
  gpu_device_unref (the_device);
  the_device = device;
  is_device_shared = TRUE;
}

static void
run_or_skip (gconstpointer run)
{
  if (the_device)
    ((GTestFunc) run) ();
  else
    g_test_skip ("no device");
}

static void
add_test (const gchar * path, GTestFunc run)
{
  g_test_add_data_func (path, run, run_or_skip);
}

int
fixture_run (void)
{
  int status;

  tests_add (path_prefix, add_test);
  status = g_test_run ();
  g_clear_pointer (&the_device, gpu_device_unref);
  return status;
}

GpuDevice *
fixture_device (void)
{
  return the_device;
}

guint
fixture_transfers (guint n)
{
  return gpu_device_has_unified_memory (the_device) ? 0 : n;
}

/* --- elements --- */

static void
select_device (const GValue * value, gpointer unused)
{
  if (GST_IS_GPU_FILTER (g_value_get_object (value)))
    g_object_set (g_value_get_object (value), "device", selector (), NULL);
}

static void
give_device (GstElement * element)
{
  g_autoptr (GstContext) context = gst_context_new (GST_GPU_CONTEXT_TYPE, TRUE);

  gst_structure_set (gst_context_writable_structure (context), "device",
      GST_TYPE_GPU_DEVICE, the_device, NULL);
  gst_element_set_context (element, context);
}

GstElement *
fixture_make (const gchar * description)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstElement *element;

  if (strchr (description, '!')) {
    element = gst_parse_bin_from_description (description, TRUE, &error);
    g_assert_no_error (error);

    GstIterator *children = gst_bin_iterate_elements (GST_BIN (element));

    gst_iterator_foreach (children, select_device, NULL);
    gst_iterator_free (children);
  } else {
    element = gst_parse_launch (description, &error);
    g_assert_no_error (error);
    g_object_set (element, "device", selector (), NULL);
    if (is_device_shared)
      give_device (element);
  }
  gst_element_set_bus (element, bus);
  return element;
}

GstHarness *
fixture_harness (const gchar * description)
{
  GstElement *element = gst_object_ref_sink (fixture_make (description));
  GstHarness *harness = gst_harness_new_with_element (element, "sink", "src");

  gst_object_unref (element);
  return harness;
}

GstHarness *
fixture_play (const gchar * description, const gchar * format, guint width,
    guint height)
{
  GstHarness *harness = fixture_harness (description);

  fixture_set_caps (harness, format, width, height);
  return harness;
}

LoneElement *
fixture_element (const gchar * description)
{
  return gst_object_ref_sink (fixture_make (description));
}

void
fixture_element_free (LoneElement * element)
{
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
}

void
fixture_set (GstElement * element, const gchar * property, const gchar * value)
{
  gst_util_set_object_arg (G_OBJECT (element), property, value);
}

void
fixture_restart (GstHarness * harness)
{
  gst_element_set_state (harness->element, GST_STATE_READY);
  gst_harness_play (harness);
  gst_harness_push_event (harness, gst_event_new_stream_start ("again"));
}

void
fixture_flush (GstHarness * h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (FALSE));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
}

void
fixture_harness_free (GstHarness * harness)
{
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

GstElement *
fixture_child (GstHarness * harness, const gchar * name)
{
  GstElement *child = gst_bin_get_by_name (GST_BIN (harness->element), name);

  g_assert_nonnull (child);
  gst_object_unref (child);
  return child;
}

GpuDevice *
fixture_device_of (GstElement * element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  GstQuery *query = gst_query_new_context (GST_GPU_CONTEXT_TYPE);
  GstContext *context = NULL;
  GpuDevice *device;

  g_assert_true (gst_pad_query (pad, query));
  gst_query_parse_context (query, &context);
  device = gpu_device_ref (gst_gpu_context_get_device (context));
  gst_query_unref (query);
  return device;
}

guint64
fixture_stat (GstElement * element, const gchar * name)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 value = 0;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, name, &value));
  return value;
}

static GError *
parse_message (GstMessage * message)
{
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    gst_message_parse_warning (message, &error, NULL);
  if (error)
    g_test_message ("%s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
  return error;
}

guint
fixture_take_messages (GstElement * element, GstMessageType type)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (element);
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, type))) {
    GError *error = parse_message (message);

    g_clear_error (&error);
    gst_message_unref (message);
    n++;
  }
  return n;
}

static void
take_message (GstElement * element, GstMessageType type, GQuark domain,
    gint code, const gchar * words)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (element);
  GstMessage *message = gst_bus_pop_filtered (bus, type);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (message);
  error = parse_message (message);
  gst_message_unref (message);
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_cmpuint (fixture_take_messages (element, type), ==, 0);
}

void
fixture_take_error (GstElement * element, GQuark domain, gint code,
    const gchar * words)
{
  take_message (element, GST_MESSAGE_ERROR, domain, code, words);
}

void
fixture_take_warning (GstElement * element, GQuark domain, gint code,
    const gchar * words)
{
  take_message (element, GST_MESSAGE_WARNING, domain, code, words);
}

guint
fixture_cpu_warnings (void)
{
  const GpuDeviceInfo *info = gpu_device_get_info (fixture_device ());

  return info->kind == GPU_DEVICE_CPU && !selector ();
}

static void
keep_text (const gchar * domain, GLogLevelFlags level, const gchar * text,
    gpointer kept)
{
  g_free (*(gchar **) kept);
  *(gchar **) kept = g_strdup (text);
}

void
fixture_check_refused (GstElement * element, const gchar * property,
    const gchar * value)
{
  /* Newer versions of GLib call critical what was a warning in older ones. */
  const GLogLevelFlags levels = G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL;
  const GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_autofree gchar *text = NULL;
  const guint handler =
      g_log_set_handler ("GLib-GObject", levels, keep_text, &text);

  fixture_set (element, property, value);
  g_log_remove_handler ("GLib-GObject", handler);
  g_log_set_always_fatal (fatal);
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, property));
}

static gdouble
get_number (GstElement * element, const gchar * name)
{
  GValue value = G_VALUE_INIT, number = G_VALUE_INIT;
  gdouble result;

  g_value_init (&number, G_TYPE_DOUBLE);
  g_object_get_property (G_OBJECT (element), name, &value);
  if (G_VALUE_HOLDS_ENUM (&value))
    result = g_value_get_enum (&value);
  else if (G_VALUE_HOLDS_BOOLEAN (&value))
    result = g_value_get_boolean (&value);
  else {
    g_assert_true (g_value_transform (&value, &number));
    result = g_value_get_double (&number);
  }
  g_value_unset (&value);
  return result;
}

void
fixture_check_properties (const gchar * description,
    const FixtureProperty * properties, guint n)
{
  g_autoptr (LoneElement) element = fixture_element (description);
  const guint live = GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;

  for (guint i = 0; i < n; i++) {
    const FixtureProperty *row = &properties[i];
    GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS
        (element), row->name);
    g_autofree gchar *text = g_strdup_printf ("%.9g", row->other);

    g_test_message ("%s", row->name);
    g_assert_cmpuint (spec->flags & live, ==, live);
    if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
      g_assert_cmpfloat (G_PARAM_SPEC_DOUBLE (spec)->minimum, ==, row->least);
      g_assert_cmpfloat_with_epsilon (G_PARAM_SPEC_DOUBLE (spec)->maximum,
          row->most, 1e-4);
    } else if (G_IS_PARAM_SPEC_UINT (spec)) {
      g_assert_cmpuint (G_PARAM_SPEC_UINT (spec)->minimum, ==, row->least);
      g_assert_cmpuint (G_PARAM_SPEC_UINT (spec)->maximum, ==, row->most);
    } else if (G_IS_PARAM_SPEC_INT (spec)) {
      g_assert_cmpint (G_PARAM_SPEC_INT (spec)->minimum, ==, row->least);
      g_assert_cmpint (G_PARAM_SPEC_INT (spec)->maximum, ==, row->most);
    }
    g_assert_cmpfloat (get_number (element, row->name), ==, row->usual);
    fixture_set (element, row->name, text);
    g_assert_cmpfloat (get_number (element, row->name), ==, row->other);
    if (row->refused)
      fixture_check_refused (element, row->name, row->refused);
    g_assert_cmpfloat (get_number (element, row->name), ==, row->other);
  }
}

/* --- frames --- */

GstCaps *
fixture_caps (const gchar * format, guint width, guint height)
{
  return gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, format,
      "width", G_TYPE_INT, width,
      "height", G_TYPE_INT, height,
      "framerate", GST_TYPE_FRACTION, 25, 1, NULL);
}

void
fixture_set_caps (GstHarness * harness, const gchar * format,
    guint width, guint height)
{
  gst_harness_set_src_caps (harness, fixture_caps (format, width, height));
}

GstBufferPool *
fixture_take_pool (GstHarness * h, const gchar * format, guint width,
    guint height)
{
  g_autoptr (GstCaps) caps = fixture_caps (format, width, height);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstBufferPool *pool;
  GstStructure *config;
  guint size, min;

  fixture_set_caps (h, format, width, height);
  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  g_assert_true (gst_query_find_allocation_meta (query,
          GST_VIDEO_META_API_TYPE, NULL));
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, NULL);
  g_assert_true (GST_IS_GPU_BUFFER_POOL (pool));
  g_assert_cmpuint (min, >=, 3);

  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, size, 1, 1);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  gst_query_unref (query);
  return pool;
}

GstBuffer *
fixture_acquire (GstBufferPool * pool)
{
  GstBuffer *buffer = NULL;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  return buffer;
}

void
fixture_release_pool (GstBufferPool * pool)
{
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

static void
init_info (GstVideoInfo * info, const gchar * format, guint width, guint height)
{
  g_autoptr (GstCaps) caps = fixture_caps (format, width, height);

  g_assert_true (gst_video_info_from_caps (info, caps));
}

/* Bytes that differ from each other and from those of other seeds. Alpha and
 * what pads a pixel are 255, as the elements write it. */
static guint8
noise (const GstVideoInfo * info, guint plane, guint y, guint byte, guint seed)
{
  guint pixel_stride = GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);
  guint32 hash = (seed + 1) * 2654435761u ^ (plane + 1) * 2246822519u
      ^ (y + 1) * 3266489917u ^ (byte + 1) * 668265263u;

  if (pixel_stride == 4) {
    gboolean is_colour = FALSE;

    for (guint i = 0; i < 3; i++)
      is_colour |= (guint) GST_VIDEO_INFO_COMP_POFFSET (info, i) == byte % 4;
    if (!is_colour)
      return 255;
  }
  hash = (hash ^ hash >> 15) * 2246822519u;
  return hash >> 24;
}

/* Bytes of a pixel of the plane. */
static guint
pixel_size (const GstVideoInfo * info, guint plane)
{
  return plane == 0 ? GST_VIDEO_INFO_COMP_PSTRIDE (info, 0)
      : GST_VIDEO_INFO_COMP_PSTRIDE (info, 1);
}

void
fixture_fill (GstBuffer * buffer, const GstVideoInfo * info, guint seed)
{
  GstVideoFrame frame;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES (&frame); p++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, p); y++) {
      guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, p)
          + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p);
      guint bytes = GST_VIDEO_FRAME_COMP_WIDTH (&frame, p)
          * pixel_size (info, p);

      for (guint i = 0; i < bytes; i++)
        row[i] = noise (info, p, y, i, seed);
    }
  gst_video_frame_unmap (&frame);
}

GstBuffer *
fixture_frame (const gchar * format, guint width, guint height, guint seed)
{
  GstVideoInfo info;
  GstBuffer *buffer;

  init_info (&info, format, width, height);
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (buffer, 0, 0, info.size);
  fixture_fill (buffer, &info, seed);
  return buffer;
}

/* The row @steps rows of its field away, or the last of them. */
static gint
row_of_field (gint y, gint steps, gint step, gint height)
{
  gint first = y % step;
  gint last = first + (height - 1 - first) / step * step;

  return CLAMP (y + steps * step, first, last);
}

/* A plane of a frame of noise, and its box. */
typedef struct
{
  const GstVideoInfo *info;
  guint plane;
  gint width, height;           /* pixels */
  guint seed;
  gint radius;                  /* pixels along rows */
  gint step;                    /* rows to the next one of a field */
} BoxPlane;

/* The contract for a box of whole half-widths: the rounded mean, ties up. */
static guint8
box_sample (const BoxPlane * box, gint x, gint y, gint component)
{
  gint size = pixel_size (box->info, box->plane);
  gint down = box->radius / box->step;
  guint n = (2 * box->radius + 1) * (2 * down + 1);
  guint sum = 0;

  for (gint j = -down; j <= down; j++)
    for (gint i = x - box->radius; i <= x + box->radius; i++)
      sum += noise (box->info, box->plane,
          row_of_field (y, j, box->step, box->height),
          CLAMP (i, 0, box->width - 1) * size + component, box->seed);
  return (2 * sum + n) / (2 * n);
}

static gboolean
plane_is_box (const GstVideoFrame * frame, const GstVideoInfo * info,
    guint plane, const ElementBox * box)
{
  const BoxPlane expected = {.info = info, .plane = plane,
    .width = GST_VIDEO_FRAME_COMP_WIDTH (frame, plane),
    .height = GST_VIDEO_FRAME_COMP_HEIGHT (frame, plane), .seed = box->seed,
    .radius = box->radius >> GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, plane),
    .step = box->of_fields ? 2 : 1};
  gint size = pixel_size (info, plane);

  for (gint y = 0; y < expected.height; y++) {
    const guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, plane)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);

    for (gint i = 0; i < expected.width * size; i++) {
      guint8 sample = box_sample (&expected, i / size, y, i % size);

      if (row[i] != sample) {
        g_test_message ("plane %u, row %d, byte %d: %u instead of %u", plane,
            y, i, row[i], sample);
        return FALSE;
      }
    }
  }
  return TRUE;
}

gboolean
fixture_is_box (GstBuffer * buffer, const ElementBox * box)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  gboolean equal = TRUE;

  init_info (&info, box->format, box->width, box->height);
  if (!gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    g_test_message ("the frame cannot be mapped");
    return FALSE;
  }
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES (&frame) && equal; p++)
    equal = plane_is_box (&frame, &info, p, box);
  gst_video_frame_unmap (&frame);
  return equal;
}

void
fixture_assert_equal (GstBuffer * got, GstBuffer * expected)
{
  GstMapInfo a, b;

  g_assert_true (gst_buffer_map (got, &a, GST_MAP_READ));
  g_assert_true (gst_buffer_map (expected, &b, GST_MAP_READ));
  g_assert_cmpmem (a.data, a.size, b.data, b.size);
  gst_buffer_unmap (got, &a);
  gst_buffer_unmap (expected, &b);
}

void
fixture_check_box (GstHarness * harness, GstBuffer * buffer,
    const ElementBox * box)
{
  g_autoptr (GstBuffer) out = NULL;

  fixture_push (harness, buffer, GST_FLOW_OK);
  out = gst_harness_pull (harness);
  g_assert_true (fixture_is_box (out, box));
}

gboolean
fixture_passes (GstHarness * harness, GstBuffer * buffer)
{
  GstBuffer *out = gst_harness_push_and_pull (harness, gst_buffer_ref (buffer));
  gboolean passes = out == buffer;

  gst_buffer_unref (buffer);
  gst_buffer_unref (out);
  return passes;
}
