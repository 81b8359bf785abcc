/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events and frames that come from another thread while an element starts or stops, as where a
 * branch is linked into a playing pipeline and brought to the state of its parent. */
#include "pipeline_fixture.h"

/* An element without a pipeline, between two pads that are always active. */
typedef struct
{
  GstElement *element;
  GstPad *before, *behind;
  gint ends;                    /* atomic */
  gint n_out;                   /* atomic; frames that came out */
} Branch;

static GstFlowReturn
take (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Branch *branch = g_object_get_data (G_OBJECT (pad), "branch");

  g_atomic_int_inc (&branch->n_out);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static void
push_stream (Branch * branch, GstCaps * caps)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (branch->before, gst_event_new_stream_start ("stream"));
  gst_pad_push_event (branch->before, gst_event_new_caps (caps));
  gst_pad_push_event (branch->before, gst_event_new_segment (&segment));
  for (guint i = 0; i < 3; i++)
    gst_pad_push (branch->before, gst_buffer_new_allocate (NULL, 16 * 16 * 4,
            NULL));
}

static gpointer
push_streams (gpointer data)
{
  Branch *branch = data;
  GstCaps *caps = gst_caps_from_string ("video/x-raw, format=RGBA, width=16, "
      "height=16, framerate=25/1");

  while (!g_atomic_int_get (&branch->ends))
    push_stream (branch, caps);
  gst_caps_unref (caps);
  return NULL;
}

static GstPad *
link_pad (GstElement * element, const gchar * name, GstPadDirection direction)
{
  GstPad *pad = gst_pad_new (NULL, direction);
  GstPad *peer = gst_element_get_static_pad (element, name);
  gboolean is_source = direction == GST_PAD_SRC;

  gst_pad_set_active (pad, TRUE);
  g_assert_cmpint (gst_pad_link_full (is_source ? pad : peer,
          is_source ? peer : pad, GST_PAD_LINK_CHECK_NOTHING), ==,
      GST_PAD_LINK_OK);
  gst_object_unref (peer);
  return pad;
}

static void
branch_init (Branch * branch, const gchar * description)
{
  *branch = (Branch) {.element = pipeline_launch ("%s", description)};
  branch->before = link_pad (branch->element, "sink", GST_PAD_SRC);
  branch->behind = link_pad (branch->element, "src", GST_PAD_SINK);
  g_object_set_data (G_OBJECT (branch->behind), "branch", branch);
  gst_pad_set_chain_function (branch->behind, take);
}

static void
branch_clear (Branch * branch)
{
  pipeline_stop (branch->element);
  gst_object_unref (branch->before);
  gst_object_unref (branch->behind);
}

/* More with --full: a minute on a CPU device. */
static guint n_starts = 300;

/* Frames come out of an element that plays. */
static void
wait_for_frames (Branch * branch)
{
  const gint before = g_atomic_int_get (&branch->n_out);

  gst_element_set_state (branch->element, GST_STATE_PLAYING);
  while (g_atomic_int_get (&branch->n_out) == before)
    g_usleep (1000);
}

/* How many frames come out before is left open: GstBaseTransform loses some as it starts. */
static void
start_while_frames_come (const gchar * description)
{
  Branch branch;
  GThread *thread;

  branch_init (&branch, description);
  thread = g_thread_new ("push", push_streams, &branch);
  for (guint i = 0; i < n_starts; i++) {
    g_assert_cmpint (gst_element_set_state (branch.element, GST_STATE_PLAYING),
        !=, GST_STATE_CHANGE_FAILURE);
    g_usleep (g_random_int_range (0, 2000));
    gst_element_set_state (branch.element, i % 2 ? GST_STATE_NULL
        : GST_STATE_READY);
  }
  wait_for_frames (&branch);
  g_atomic_int_set (&branch.ends, TRUE);
  g_thread_join (thread);
  branch_clear (&branch);
}

static void
test_gpublur (void)
{
  start_while_frames_come (BOX "roi-source=meta");
}

static void
test_meanshiftpalette (void)
{
  start_while_frames_come ("meanshiftpalette colors=4 post-messages=true");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  if (argc > 1 && g_str_equal (argv[1], "--full"))
    n_starts = 10000;
  /* GStreamer warns of sticky events out of order: a stream-start that comes while an element
   * stops does not come again when it starts. */
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  pipeline_add_test ("/starting/gpublur", test_gpublur);
  pipeline_add_test ("/starting/meanshiftpalette", test_meanshiftpalette);
  return g_test_run ();
}
