/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gpublur as an element: properties, passthrough, states, messages. */
#include "element_fixture.h"
#include "gpu/core/kernel/kernel.h"
#include "gst/memory/gstgpubufferpool.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>

static GstBuffer *
push_and_pull (GstHarness * h, guint seed)
{
  return gst_harness_push_and_pull (h, fixture_frame (SMALL, seed));
}

static void
assert_next_is_box (GstHarness * h, guint seed, guint radius)
{
  fixture_check_box (h, fixture_frame (SMALL, seed), BOX_OF (SMALL, seed,
          radius));
}

/* --- properties --- */

TEST (properties)
{
  static const FixtureProperty properties[] = {
    {"sigma", 0, 1000, 3, 7, "1000.5"},
    {"sigma", 0, 1000, 7, 3, "-1.0"},
    {"sigma", 0, 1000, 3, 7, "nan"},
    {"sigma-x", -1, 1000, -1, 2, "-1.1"},
    {"sigma-y", -1, 1000, -1, 6, "1000.5"},
    {"kernel", 0, 2, 0, 2, NULL},
    {"radius", -1, 3000, -1, 5, "3001"},
    {"range", 0, 1, 0.05, 0.5, "1.1"},
    {"range", 0, 1, 0.5, 0.25, "-0.1"},
    {"rounds", 1, 4, 1, 2, "0"},
    {"rounds", 1, 4, 2, 3, "5"},
    {"method", 0, 12, 0, 3, NULL},
    {"precision", 0, 2, 0, 1, NULL},
    {"edge-mode", 0, 3, 0, 3, NULL},
    {"linear-light", 0, 1, 0, 1, NULL},
    {"roi-source", 0, 2, 0, 2, NULL},
    {"roi-unit", 0, 1, 0, 1, NULL},
    {"roi-x", -65535, 65535, 0, -9, "65536"},
    {"roi-y", -65535, 65535, 0, 9, "-65536"},
    {"roi-width", 0, 65535, 0, 9, "65536"},
    {"roi-height", 0, 65535, 0, 9, "65536"},
    {"roi-shape", 0, 1, 0, 1, NULL},
    {"roi-invert", 0, 1, 0, 1, NULL},
    {"roi-action", 0, 2, 0, 2, NULL},
    {"roi-block", 4, 256, 16, 8, "3"},
    {"roi-color", 0, G_MAXUINT, 0xff000000, 255, NULL},
    {"roi-scale", 0, 65535, 0, 9, "65536"},
    {"feather", 0, 1000, 0, 9, "1001"},
    {"roi-hold", 0, 60000, 0, 9, "60001"},
    {"on-missing", 0, 1, 0, 1, NULL},
    {"amount", 0, 1, 1, 0.5, "1.1"},
    {"planes", 0, 2, 0, 2, NULL},
    {"mask", 0, 2, 0, 2, NULL},
  };

  g_autoptr (LoneElement) element = fixture_element ("gpublur");
  gboolean qos;
  guint depth;

  fixture_check_properties ("gpublur", properties, G_N_ELEMENTS (properties));
  g_object_get (element, "async-depth", &depth, "qos", &qos, NULL);
  g_assert_cmpuint (depth, ==, 3);
  g_assert_true (qos);
}

/* Each frame is blurred with the values that were set before it came. */
TEST (change_while_playing)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=box radius=2", SMALL);

  assert_next_is_box (h, 1, 2);
  for (guint radius = 2; radius <= 12; radius += 2) {
    g_object_set (h->element, "radius", radius, NULL);
    assert_next_is_box (h, radius, radius);
  }
  /* Methods, precisions and kernels, each to be built first. */
  for (guint method = 0; method <= 12; method++) {
    g_object_set (h->element, "method", method, "precision", method % 3,
        "kernel", 1, "radius", 4, NULL);
    assert_next_is_box (h, method, 4);
    g_object_set (h->element, "kernel", 0, "edge-mode", method % 4, NULL);
    gst_buffer_unref (push_and_pull (h, method));
    g_object_set (h->element, "edge-mode", 0, NULL);
  }
  /* Nothing but the precision. */
  g_object_set (h->element, "kernel", 1, NULL);
  for (guint precision = 0; precision <= 2; precision++) {
    g_object_set (h->element, "precision", precision, NULL);
    assert_next_is_box (h, precision, 4);
  }
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
}

/* Taps of pass @i of the last frame. */
static guint
taps_of (GstHarness * h, guint i)
{
  g_autoptr (GstStructure) stats = NULL;
  const GValue *passes;
  guint taps = 0;

  g_object_get (h->element, "stats", &stats, NULL);
  passes = gst_structure_get_value (stats, "passes");
  gst_structure_get_uint (gst_value_get_structure (gst_value_array_get_value
          (passes, i)), "taps", &taps);
  return taps;
}

/* An axis has a sigma of its own, or that of both, with every frame; one radius is that
 * of both, but for weights of 0. */
TEST (axes)
{
  static const struct
  {
    gdouble sigma, sigma_x, sigma_y;
    gint radius;
    guint x_taps, y_taps;
  } cases[] = {
    {2, -1, -1, -1, 13, 13}, {2, 1, -1, -1, 7, 13}, {2, -1, 3, -1, 13, 19},
    {2, 1, 3, -1, 7, 19}, {2, 0, -1, -1, 1, 13}, {2, -1, 0, -1, 13, 1},
    {0, 3, -1, -1, 19, 1}, {2, -0.5, -0.5, -1, 13, 13}, {4, 1, -1, -1, 7, 25},
    {2, -1, 1, 4, 9, 9}, {2, 1, -1, 10, 21, 21}, {2, -1, 0.1, 3000, 59, 5},
  };
  g_autoptr (Harness) h = fixture_play ("gpublur method=separable", SMALL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_object_set (h->element, "sigma", cases[i].sigma, "sigma-x",
        cases[i].sigma_x, "sigma-y", cases[i].sigma_y, "radius",
        cases[i].radius, NULL);
    gst_buffer_unref (push_and_pull (h, i));
    g_assert_cmpuint (taps_of (h, 0), ==, cases[i].x_taps);
    g_assert_cmpuint (taps_of (h, 1), ==, cases[i].y_taps);
  }
}

/* Stages of the last frame, and which method had them. */
static void
assert_pyramid (GstHarness * h)
{
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (h->element, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "method"), ==, "pyramid");
  /* Down, and up with the Gaussian. */
  g_assert_cmpuint (gst_value_array_get_size (gst_structure_get_value (stats,
              "passes")), ==, 2);
}

/* A wide Gaussian goes over coarser levels, by itself or because it is told to,
 * and nothing is said of that; one that is cut by a radius does not. */
TEST (pyramid)
{
  g_autoptr (Harness) h = fixture_play ("gpublur sigma=20", "RGBA", 640, 360);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  g_autoptr (GstStructure) stats = NULL;

  /* The first frame does not wait for the kernels of the fastest method. */
  for (guint i = 0; i < 3; i++) {
    fixture_show (h, fixture_frame ("RGBA", 640, 360, 1));
    gpu_kernels_wait (device);
  }
  assert_pyramid (h);
  fixture_set (h->element, "method", "pyramid");
  g_object_set (h->element, "sigma", 4.0, NULL);
  fixture_show (h, fixture_frame ("RGBA", 640, 360, 2));
  assert_pyramid (h);

  g_object_set (h->element, "radius", 12, NULL);
  fixture_show (h, fixture_frame ("RGBA", 640, 360, 3));
  g_object_get (h->element, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "method"), ==, "separable");
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, 1);
}

/* --- passthrough --- */

static void
assert_passes (GstHarness * h, gboolean passes)
{
  g_autoptr (GstBuffer) in = fixture_frame (SMALL, 3);
  g_autoptr (GstBuffer) out =
      gst_harness_push_and_pull (h, gst_buffer_ref (in));

  g_assert_true ((in == out) == passes);
  g_assert_true (fixture_is_box (in, BOX_OF (SMALL, 3, 0)));
}

TEST (passthrough)
{
  g_autoptr (Harness) h =
      fixture_play ("gpublur method=separable sigma=0", SMALL);

  assert_passes (h, TRUE);
  g_object_set (h->element, "sigma", 2.0, NULL);
  assert_passes (h, FALSE);
  g_object_set (h->element, "radius", 0, NULL);
  assert_passes (h, TRUE);
  g_object_set (h->element, "kernel", 1, NULL);
  assert_passes (h, TRUE);
  g_object_set (h->element, "radius", -1, NULL);
  assert_passes (h, FALSE);
  g_object_set (h->element, "sigma", 0.0, NULL);
  assert_passes (h, TRUE);
  fixture_check_stat (h->element, "frames", 2);
  /* One axis is enough to work on. */
  g_object_set (h->element, "sigma-y", 1.0, NULL);
  assert_passes (h, FALSE);
  g_object_set (h->element, "sigma-x", 1.0, "sigma-y", 0.0, NULL);
  assert_passes (h, FALSE);
  g_object_set (h->element, "sigma-x", 0.0, "sigma", 2.0, NULL);
  assert_passes (h, TRUE);
  g_object_set (h->element, "kernel", 0, NULL);
  assert_passes (h, TRUE);
  g_object_set (h->element, "linear-light", TRUE, NULL);
  assert_passes (h, TRUE);
  g_object_set (h->element, "sigma-y", -1.0, "linear-light", FALSE, NULL);
  assert_passes (h, FALSE);

  /* Out of passthrough again, with caps that came in between. */
  fixture_set_caps (h, "RGBA", 17, 9);
  fixture_set_caps (h, SMALL);
  g_object_set (h->element, "kernel", 1, "radius", 4, NULL);
  assert_next_is_box (h, 5, 4);
}

#define INTERLACED "NV12", 33, 19

static void
set_interlace_mode (GstHarness * h, const gchar * mode)
{
  GstCaps *caps = fixture_caps (INTERLACED);

  gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, mode, NULL);
  gst_harness_set_src_caps (h, caps);
}

static void
check_fields (GstHarness * h, guint seed, gboolean flagged, gboolean has_fields)
{
  GstBuffer *frame = fixture_frame (INTERLACED, seed);

  if (flagged)
    GST_BUFFER_FLAG_SET (frame, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  frame = gst_harness_push_and_pull (h, frame);
  g_assert_true (fixture_is_box (frame,
          BOX_OF (INTERLACED, seed, 4, has_fields)));
  gst_buffer_unref (frame);
}

/* Where modes are mixed the flag of a frame decides, else the caps. */
TEST (interlaced)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box radius=4");

  set_interlace_mode (h, "mixed");
  for (guint i = 0; i < 6; i++)
    check_fields (h, i, i & 1, i & 1);
  set_interlace_mode (h, "interleaved");
  check_fields (h, 6, FALSE, TRUE);
  check_fields (h, 7, TRUE, TRUE);
  set_interlace_mode (h, "progressive");
  check_fields (h, 8, FALSE, FALSE);
}

/* Whether a source would be told to write into our memory. */
static gboolean
proposes_our_pool (GstHarness * h)
{
  g_autoptr (GstCaps) caps = fixture_caps (SMALL);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  gboolean ours = FALSE;

  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
    GstBufferPool *pool;

    gst_query_parse_nth_allocation_pool (query, i, &pool, NULL, NULL, NULL);
    ours |= GST_IS_GPU_BUFFER_POOL (pool);
    gst_clear_object (&pool);
  }
  gst_query_unref (query);
  return ours;
}

/* Whether frames pass through or not: what is agreed upon holds for both. */
TEST (proposal)
{
  g_autoptr (Harness) h =
      fixture_play ("gpublur method=separable sigma=0", SMALL);

  g_assert_true (proposes_our_pool (h));
  assert_passes (h, TRUE);
  g_assert_true (proposes_our_pool (h));
  g_object_set (h->element, "sigma", 1.0, NULL);
  assert_passes (h, FALSE);
  g_assert_true (proposes_our_pool (h));
}

/* Adds a binding for the property if it says that it can be controlled. */
static guint
bind_if_controllable (GstElement * element, const GParamSpec * spec,
    GstControlSource * source)
{
  if (!(spec->flags & GST_PARAM_CONTROLLABLE))
    return 0;
  g_test_message ("%s", spec->name);
  g_assert_true (gst_object_add_control_binding (GST_OBJECT (element),
          gst_direct_control_binding_new (GST_OBJECT (element), spec->name,
              source)));
  g_assert_true (gst_object_sync_values (GST_OBJECT (element), 0));
  return 1;
}

/* GstController drives every property that says so, which it does not if it is text. */
TEST (controllable)
{
  static const gchar *const names[] = { "gpublur", "meanshiftpalette" };

  for (guint e = 0; e < G_N_ELEMENTS (names); e++) {
    g_autoptr (GstElement) element = fixture_make (names[e]);
    GstControlSource *source = gst_interpolation_control_source_new ();
    guint n_specs, n = 0;
    g_autofree GParamSpec **specs = g_object_class_list_properties
        (G_OBJECT_GET_CLASS (element), &n_specs);

    gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE
        (source), 0, 0.5);
    for (guint i = 0; i < n_specs; i++)
      n += bind_if_controllable (element, specs[i], source);
    g_assert_cmpuint (n, >, 10);
    gst_object_unref (source);
  }
}

TEST (controller)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box");
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *timed = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  /* 0, 2, 4, … as fractions of the range -1…3000, one per second. */
  for (guint i = 0; i < 5; i++)
    gst_timed_value_control_source_set (timed, i * GST_SECOND,
        (2.0 * i + 1) / 3001);
  gst_object_add_control_binding (GST_OBJECT (h->element),
      gst_direct_control_binding_new (GST_OBJECT (h->element), "radius",
          source));
  gst_object_unref (source);

  fixture_set_caps (h, SMALL);
  for (guint i = 0; i < 5; i++) {
    GstBuffer *in = fixture_frame (SMALL, i);

    GST_BUFFER_PTS (in) = i * GST_SECOND;
    fixture_check_box (h, in, BOX_OF (SMALL, i, 2 * i));
  }
}

/* --- statistics --- */

/* Of the first stage, or of the last. */
static const gchar *
stage_name (const GstStructure * stats, gboolean last)
{
  const GValue *stages = gst_structure_get_value (stats, "stages");
  guint n = gst_value_array_get_size (stages);

  return gst_structure_get_string (gst_value_get_structure
      (gst_value_array_get_value (stages, last ? n - 1 : 0)), "name");
}

TEST (stats)
{
  g_autoptr (Harness) h = fixture_play ("gpublur method=direct sigma=1", SMALL);
  const GpuDeviceInfo *info = gpu_device_get_info (fixture_device ());
  g_autoptr (GstStructure) stats = NULL;
  gboolean is_copied = fixture_transfers (1), is_unified, is_cpu;
  guint64 own;

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) out = push_and_pull (h, i);
    GstMapInfo map;

    g_assert_true (gst_buffer_map (out, &map, GST_MAP_READ));
    gst_buffer_unmap (out, &map);
  }
  g_object_get (h->element, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "device"), ==, info->name);
  g_assert_cmpstr (gst_structure_get_string (stats, "device-uuid"), ==,
      info->uuid);
  g_assert_true (gst_structure_get_boolean (stats, "unified-memory",
          &is_unified));
  g_assert_cmpint (is_unified, ==, !is_copied);
  g_assert_true (gst_structure_get_boolean (stats, "on-cpu", &is_cpu));
  g_assert_cmpint (is_cpu, ==, info->kind == GPU_DEVICE_CPU);
  own = fixture_stat (h->element, "element-memory");
  g_assert_cmpuint (own, >, 0);
  g_assert_cmpuint (own, <, fixture_stat (h->element, "memory"));
  fixture_check_stat (h->element, "frames", 3);
  fixture_check_stat (h->element, "uploads", fixture_transfers (3));
  fixture_check_stat (h->element, "downloads", fixture_transfers (3));
  if (info->timestamp_period > 0)
    g_assert_cmpuint (fixture_stat (h->element, "frame-time"), >, 0);

  g_assert_cmpstr (gst_structure_get_string (stats, "method"), ==, "direct");
  g_assert_cmpuint (gst_value_array_get_size (gst_structure_get_value (stats,
              "passes")), ==, 1);
  g_assert_cmpuint (taps_of (h, 0), ==, 49);

  g_assert_cmpstr (stage_name (stats, FALSE), ==,
      is_copied ? "upload" : "weights");
  g_assert_cmpstr (stage_name (stats, TRUE), ==,
      is_copied ? "download" : "direct");
}

static guint64
element_memory (GstElement * element)
{
  return fixture_stat (element, "element-memory");
}

/* All sides of frames of 16 KiB, and what the engine holds. */
TEST (element_memory)
{
  gsize frame = (1 + fixture_transfers (1)) * 16384;
  g_autoptr (Harness) h = fixture_harness ("gpublur");
  GstBuffer *outputs[5];
  gsize before = 0;

  g_assert_cmpuint (element_memory (h->element), ==, 0);
  fixture_set_caps (h, "RGBA", 64, 64);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    before = element_memory (h->element);
    outputs[i] = gst_harness_push_and_pull (h, fixture_frame ("RGBA",
            64, 64, i));
  }
  /* Copies of the input come from a pool of three. */
  g_assert_cmpuint (element_memory (h->element), ==, before + frame);
  g_assert_cmpuint (element_memory (h->element), >, (5 + 3) * frame);

  gst_element_set_state (h->element, GST_STATE_READY);
  g_assert_cmpuint (element_memory (h->element), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    gst_buffer_unref (outputs[i]);
}

/* --- states --- */

TEST (states)
{
  /* A state to go to before frames come again, and whether that is a start:
   * counters begin anew. */
  static const struct
  {
    GstState state;
    gboolean starts;
  } steps[] = {
    {GST_STATE_READY, TRUE}, {GST_STATE_PAUSED, FALSE},
    {GST_STATE_NULL, TRUE}, {GST_STATE_READY, TRUE}, {GST_STATE_NULL, TRUE}
  };
  g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box radius=2");
  guint frames = 0;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    gst_element_set_state (h->element, steps[i].state);
    gst_harness_play (h);
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    fixture_set_caps (h, SMALL);
    assert_next_is_box (h, i, 2);
    assert_next_is_box (h, i + 10, 2);
    frames = steps[i].starts ? 2 : frames + 2;
    fixture_check_stat (h->element, "frames", frames);
  }
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
}

TEST (flush)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=box radius=2", SMALL);
  GstSegment segment;

  for (guint i = 0; i < 3; i++) {
    assert_next_is_box (h, i, 2);
    g_assert_true (gst_harness_push_event (h, gst_event_new_flush_start ()));
    fixture_push (h, fixture_frame (SMALL, i), GST_FLOW_FLUSHING);
    g_assert_true (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_harness_push_event (h, gst_event_new_segment (&segment));
    assert_next_is_box (h, i + 10, 2);
  }
}

/* Nothing to play for a while, said by an event between frames; and a frame
 * that says so itself, which is a frame like any other. */
TEST (gap)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=box radius=2", SMALL);
  GstBuffer *in = fixture_frame (SMALL, 2);
  GstEvent *event;

  assert_next_is_box (h, 1, 2);
  while ((event = gst_harness_try_pull_event (h)))
    gst_event_unref (event);
  g_assert_true (gst_harness_push_event (h, gst_event_new_gap (0, GST_SECOND)));
  event = gst_harness_try_pull_event (h);
  g_assert_nonnull (event);
  g_assert_cmpint (GST_EVENT_TYPE (event), ==, GST_EVENT_GAP);
  gst_event_unref (event);

  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_GAP);
  fixture_check_box (h, in, BOX_OF (SMALL, 2, 2));
}

/* Raw frames out of a file, as they lie there: no times to look up values of
 * controlled properties at. */
TEST (segment_in_bytes)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=box radius=2", SMALL);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_BYTES);
  g_assert_true (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  for (guint i = 0; i < 2; i++) {
    GstBuffer *in = fixture_frame (SMALL, i);

    GST_BUFFER_PTS (in) = i == 0 ? GST_CLOCK_TIME_NONE : 0;
    fixture_check_box (h, in, BOX_OF (SMALL, i, 2));
  }
}

/* Downstream that asks for something else in mid-stream gets it. */
TEST (reconfigure)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=box radius=2", SMALL);
  GstBuffer *out;

  out = push_and_pull (h, 1);
  g_assert_null (gst_buffer_get_video_meta (out));
  gst_buffer_unref (out);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  g_assert_true (gst_harness_push_upstream_event (h,
          gst_event_new_reconfigure ()));
  out = push_and_pull (h, 2);
  g_assert_nonnull (gst_buffer_get_video_meta (out));
  g_assert_true (fixture_is_box (out, BOX_OF (SMALL, 2, 2)));
  gst_buffer_unref (out);
}

/* Pushes a frame for a time in ms. Returns whether it was blurred. */
static gboolean
comes_out (GstHarness * h, guint at)
{
  const guint n = gst_harness_buffers_received (h);
  GstBuffer *in = fixture_frame (SMALL, 1);

  GST_BUFFER_PTS (in) = at * GST_MSECOND;
  fixture_push (h, in, GST_FLOW_OK);
  return gst_harness_buffers_received (h) > n;
}

/* Frames are given up, not blurred, for twice the delay of a late one, and for the delay and a
 * quarter of a second if that is less; as far as they were asked for with less work; and not if
 * they come early. */
TEST (qos)
{
  static const struct
  {
    GstQOSType type;
    gint delay;
    guint given_up;
  } cases[] = {
    {GST_QOS_TYPE_UNDERFLOW, 100, 200}, {GST_QOS_TYPE_UNDERFLOW, 2000, 2250},
    {GST_QOS_TYPE_THROTTLE, 100, 100}, {GST_QOS_TYPE_OVERFLOW, -100, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box radius=2");

    g_test_message ("case %u", i);
    fixture_set_caps (h, SMALL);
    gst_harness_push_upstream_event (h, gst_event_new_qos (cases[i].type, 2.0,
            cases[i].delay * (GstClockTimeDiff) GST_MSECOND, GST_SECOND));
    g_assert_cmpint (comes_out (h, 1000 + cases[i].given_up), ==,
        cases[i].given_up == 0);
    g_assert_true (comes_out (h, 1001 + cases[i].given_up));
  }
}

FIXTURE_MAIN ("/gpublur/")
