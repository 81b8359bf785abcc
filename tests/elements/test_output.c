/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where output frames come from, and what happens where none can be had. */
#include "element_fixture.h"
#include "gstgpubufferpool.h"

#define RADIUS 2
#define BLUR "gpublur kernel=box radius=2"

/* --- pools that fail --- */

static GstBufferPoolClass real_pool;
static guint buffers_left;
static GstBufferPool *seen;     /* weak: the newest pool that was asked */

static gboolean
refuse_config (GstBufferPool * pool, GstStructure * config)
{
  return FALSE;
}

static GstFlowReturn
alloc_few (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  g_set_weak_pointer (&seen, pool);
  if (buffers_left == 0)
    return GST_FLOW_ERROR;
  buffers_left--;
  return real_pool.alloc_buffer (pool, buffer, params);
}

static GstBufferPoolClass *
pool_class (void)
{
  static gpointer klass;

  if (!klass)
    klass = g_type_class_ref (GST_TYPE_GPU_BUFFER_POOL);
  return klass;
}

/* From now on no pool of ours takes a configuration. */
static void
refuse_configs (void)
{
  real_pool = *pool_class ();
  pool_class ()->set_config = refuse_config;
}

/* From now on pools of ours make so many buffers, together. */
static void
leave_buffers (guint n)
{
  real_pool = *pool_class ();
  pool_class ()->alloc_buffer = alloc_few;
  buffers_left = n;
}

static void
mend_pools (void)
{
  *pool_class () = real_pool;
}

/* The element says once that there is no memory, and what to do. */
static void
assert_one_error (GstHarness * h)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (h->element);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  gst_message_unref (message);
  g_assert_error (error, GST_RESOURCE_ERROR,
      (gint) GST_RESOURCE_ERROR_NO_SPACE_LEFT);
  g_assert_nonnull (strstr (error->message, "There is no memory"));
  g_assert_nonnull (strstr (error->message, "use smaller frames"));
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
}

static void
assert_works (GstHarness * h, guint seed)
{
  GstBuffer *out = gst_harness_push_and_pull (h, element_fixture_frame ("RGBA",
          17, 9, seed));

  g_assert_true (element_fixture_is_box (out, "RGBA", 17, 9, seed, RADIUS));
  gst_buffer_unref (out);
  g_assert_cmpuint (element_fixture_take_messages (h->element,
          GST_MESSAGE_ERROR, NULL, NULL), ==, 0);
}

static void
assert_starts_again (GstHarness * h)
{
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_harness_play (h);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  element_fixture_set_caps (h, "RGBA", 17, 9);
  assert_works (h, 8);
}

/* No frame comes out, and nothing is kept of the pool that failed. */
static void
assert_fails (GstHarness * h, GstFlowReturn flow)
{
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gst_harness_push (h, element_fixture_frame ("RGBA", 17, 9,
                i)), ==, flow);
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
  g_assert_null (seen);
  assert_one_error (h);
}

/* What is wrong with the pool at the first caps. */
static void
fail_at_caps (const gchar * element, gboolean takes_config, guint n_buffers)
{
  GstHarness *h = element_fixture_harness (element);

  if (takes_config)
    leave_buffers (n_buffers);
  else
    refuse_configs ();
  element_fixture_set_caps (h, "RGBA", 17, 9);
  assert_fails (h, GST_FLOW_NOT_NEGOTIATED);
  mend_pools ();
  assert_starts_again (h);
  element_fixture_harness_free (h);
}

static void
test_refused_config (void)
{
  fail_at_caps (BLUR, FALSE, 0);
}

/* The pool makes three buffers when it begins. */
static void
test_failed_activation (void)
{
  for (guint n = 0; n < 3; n++)
    fail_at_caps (BLUR, TRUE, n);
}

/* Downstream asks for other frames while they flow. The caps are the same, so
 * that they are all there is to begin again with. */
static void
test_failed_renegotiation (void)
{
  for (guint takes_config = 0; takes_config < 2; takes_config++) {
    GstHarness *h = element_fixture_harness (BLUR);

    element_fixture_set_caps (h, "RGBA", 17, 9);
    assert_works (h, 1);
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
    if (takes_config)
      leave_buffers (1);
    else
      refuse_configs ();
    gst_harness_push_upstream_event (h, gst_event_new_reconfigure ());
    assert_fails (h, GST_FLOW_NOT_NEGOTIATED);
    mend_pools ();
    assert_works (h, 2);
    assert_starts_again (h);
    element_fixture_harness_free (h);
  }
}

/* Of the pool for copies of the input, too; which is tried again for each
 * frame. */
static void
test_failed_staging (void)
{
  GstHarness *h = element_fixture_harness (BLUR);

  element_fixture_set_caps (h, "RGBA", 17, 9);
  leave_buffers (1);
  assert_fails (h, GST_FLOW_ERROR);
  mend_pools ();
  assert_works (h, 3);
  assert_starts_again (h);
  element_fixture_harness_free (h);
}

int
main (int argc, char **argv)
{
  element_fixture_init (&argc, &argv);
  element_fixture_add ("/output/refused-config", test_refused_config);
  element_fixture_add ("/output/failed-activation", test_failed_activation);
  element_fixture_add ("/output/failed-renegotiation",
      test_failed_renegotiation);
  element_fixture_add ("/output/failed-staging", test_failed_staging);
  return element_fixture_run ();
}
