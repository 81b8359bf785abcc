/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where output frames come from, and what happens where none can be had. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"
#include "gst/memory/gstgpubufferpool.h"

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

static void
assert_works (GstHarness * h, guint seed)
{
  fixture_check_box (h, fixture_frame ("RGBA", 17, 9, seed),
      BOX_OF ("RGBA", 17, 9, seed, RADIUS));
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
}

static void
assert_starts_again (GstHarness * h)
{
  fixture_restart (h);
  fixture_set_caps (h, "RGBA", 17, 9);
  assert_works (h, 8);
}

/* No frame comes out, and nothing is kept of the pool that failed. */
static void
assert_fails (GstHarness * h, GstFlowReturn flow)
{
  for (guint i = 0; i < 2; i++)
    fixture_push (h, fixture_frame ("RGBA", 17, 9, i), flow);
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
  g_assert_null (seen);
  fixture_take_error (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "use smaller frames");
}

/* What is wrong with the pool at the first caps. */
static void
fail_at_caps (const gchar * element, gboolean takes_config, guint n_buffers)
{
  g_autoptr (Harness) h = fixture_harness (element);

  if (takes_config)
    leave_buffers (n_buffers);
  else
    refuse_configs ();
  fixture_set_caps (h, "RGBA", 17, 9);
  assert_fails (h, GST_FLOW_NOT_NEGOTIATED);
  mend_pools ();
  assert_starts_again (h);
}

TEST (refused_config)
{
  fail_at_caps (BLUR, FALSE, 0);
}

/* The pool makes three buffers when it begins. */
TEST (failed_activation)
{
  for (guint n = 0; n < 3; n++)
    fail_at_caps (BLUR, TRUE, n);
}

/* Downstream asks for other frames while they flow. The caps are the same, so
 * that they are all there is to begin again with. */
TEST (failed_renegotiation)
{
  for (guint takes_config = 0; takes_config < 2; takes_config++) {
    g_autoptr (Harness) h = fixture_harness (BLUR);

    fixture_set_caps (h, "RGBA", 17, 9);
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
  }
}

/* Of the pool for copies of the input, too; which is tried again for each
 * frame. */
TEST (failed_staging)
{
  g_autoptr (Harness) h = fixture_play (BLUR, "RGBA", 17, 9);

  leave_buffers (1);
  assert_fails (h, GST_FLOW_ERROR);
  mend_pools ();
  assert_works (h, 3);
  assert_starts_again (h);
}

/* --- other pools than ours --- */

static GstBuffer *foreign_output;
static gboolean shares_output;

/* The reference that others have is on the memory, not on the buffer. Of a larger
 * one it is a part that comes. */
static GstFlowReturn
prepare_foreign_output (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer ** out)
{
  *out = shares_output ? gst_buffer_copy_region (foreign_output,
      GST_BUFFER_COPY_MEMORY, 0, 52 * 9) : gst_buffer_ref (foreign_output);
  return GST_FLOW_OK;
}

/* Somebody else's buffers in the place of our pool's: one error, and they are
 * left as they were. */
static void
refuse_output (GstHarness * h)
{
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (h->element);
  GstBaseTransformClass real = *klass;
  gsize size = gst_buffer_get_size (foreign_output);
  GstMapInfo map;

  gst_buffer_memset (foreign_output, 0, 77, size);
  fixture_set_caps (h, "RGB", 17, 9);
  klass->prepare_output_buffer = prepare_foreign_output;
  for (guint i = 0; i < 2; i++)
    fixture_push (h, fixture_frame ("RGB", 17, 9, i), GST_FLOW_ERROR);
  *klass = real;
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
  fixture_take_error (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "Remove the pad probe");
  g_assert_true (gst_buffer_map (foreign_output, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    g_assert_cmpuint (map.data[i], ==, 77);
  gst_buffer_unmap (foreign_output, &map);
  gst_buffer_unref (foreign_output);
  fixture_harness_free (h);
}

TEST (foreign_output)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 2 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 51 };
  GstHarness *h = fixture_harness (BLUR);
  GstAllocator *allocator;
  GstBufferPool *pool;

  foreign_output = gst_buffer_new_allocate (NULL, 52 * 9, NULL);
  refuse_output (h);

  foreign_output = gst_buffer_new ();
  refuse_output (fixture_harness (BLUR));

  /* Memory of another device. */
  allocator = gst_gpu_allocator_new (fixture_device (), NULL, NULL);
  foreign_output = gst_buffer_new_allocate (allocator, 52 * 9, NULL);
  refuse_output (fixture_harness (BLUR));
  gst_object_unref (allocator);

  /* Of the same, but where no shader can write. */
  h = fixture_harness (BLUR);
  pool = fixture_take_pool (h, "RGB", 17, 10);
  foreign_output = fixture_acquire (pool);
  gst_buffer_add_video_meta_full (foreign_output, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGB, 17, 9, 1, offset, stride);
  refuse_output (h);
  fixture_release_pool (pool);

  /* Somebody else sees it too, or more than it. */
  shares_output = TRUE;
  for (guint height = 9; height <= 10; height++) {
    h = fixture_harness (BLUR);
    pool = fixture_take_pool (h, "RGB", 17, height);
    foreign_output = fixture_acquire (pool);
    refuse_output (h);
    fixture_release_pool (pool);
  }
  shares_output = FALSE;
}

/* What downstream asks of memory is what it gets, where that can be; what it
 * does not get is not claimed. */
TEST (allocation_params)
{
  static const struct
  {
    GstAllocationParams asked, given;
  } cases[] = {
    {{0, 31, 64, 100}, {0, 31, 64, 100}},
    {{0, 4095, 64, 100}, {0, 0, 0, 0}},
    {{0, 0, 3, 0}, {0, 0, 0, 0}},
    {{0, 0, 0, G_MAXUINT32}, {0, 0, 0, 0}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstAllocationParams given = cases[i].given;
    g_autoptr (Harness) h = fixture_harness (BLUR);
    GstMemory *memory;
    g_autoptr (GstBuffer) out = NULL;

    gst_harness_set_propose_allocator (h, NULL, &cases[i].asked);
    fixture_set_caps (h, "RGBA", 17, 9);
    out = gst_harness_push_and_pull (h, fixture_frame ("RGBA", 17, 9, 1));
    memory = gst_buffer_peek_memory (out, 0);
    g_assert_cmpuint (memory->align, ==, given.align);
    g_assert_cmpuint (memory->offset, ==, given.prefix);
    g_assert_cmpuint (memory->maxsize, ==, given.prefix + 17 * 9 * 4
        + given.padding);
    g_assert_true (fixture_is_box (out, BOX_OF ("RGBA", 17, 9, 1, RADIUS)));
  }
}

/* Output that cannot be allocated, once all of the pool's frames are held, is one
 * error, which says so. */
TEST (no_output)
{
  g_autoptr (Harness) h = fixture_play (BLUR " async-depth=2", "RGBA", 17, 9);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  gsize limit = device->info.max_buffer;

  for (guint i = 0; i < 3; i++)
    fixture_push (h, fixture_frame ("RGBA", 17, 9, i), GST_FLOW_OK);
  device->info.max_buffer = 4;
  for (guint i = 0; i < 2; i++)
    fixture_push (h, fixture_frame ("RGBA", 17, 9, i), GST_FLOW_ERROR);
  device->info.max_buffer = limit;
  fixture_take_error (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "close other programs");
}

FIXTURE_MAIN ("/output/")
