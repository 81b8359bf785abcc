/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that contradict their caps, and metas that say what cannot be. */
#include "element_fixture.h"
#include "gst/memory/gstgpuframe.h"

#define BLUR "gpublur kernel=box radius=2"

/* Frames that contradict the caps are dropped, with one warning, and those
 * around them are not; takes the references. */
static void
check_dropped (const gchar * element, GstBuffer * first, GstBuffer * second,
    guint radius)
{
  g_autoptr (Harness) h = fixture_play (element, "I420", 17, 9);

  fixture_push (h, first, GST_FLOW_OK);
  fixture_take_warning (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "is at fault");
  fixture_check_box (h, fixture_frame ("I420", 17, 9, 1),
      BOX_OF ("I420", 17, 9, 1, radius));
  fixture_push (h, second, GST_FLOW_OK);
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
  fixture_check_stat (h->element, "dropped", 2);
  fixture_check_messages (h->element, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR,
      0);
}

static void
refuse (GstBuffer * buffer)
{
  check_dropped (BLUR, gst_buffer_ref (buffer), buffer, 2);
}

TEST (bad)
{
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 17, 9);

  refuse (gst_buffer_new_allocate (NULL, info.size - 1, NULL));
  refuse (gst_buffer_new ());

  /* A meta that points beyond the end. */
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 17, 9);
  gst_buffer_get_video_meta (buffer)->offset[2] += 64;
  refuse (buffer);

  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 17, 9);
  gst_buffer_get_video_meta (buffer)->stride[0] = -20;
  refuse (buffer);

  /* A plane that begins in one memory and ends in another. */
  buffer = gst_buffer_append (gst_buffer_new_allocate (NULL, 100, NULL),
      gst_buffer_new_allocate (NULL, info.size - 100, NULL));
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 17, 9);
  refuse (buffer);

  /* Metas of another frame. */
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 16, 9);
  refuse (buffer);
  buffer = gst_buffer_new_allocate (NULL, 4096, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGBA, 17, 9);
  refuse (buffer);
}

/* A rectangle that lies elsewhere than in the frame, or nobody knows where. */
static void
refuse_crop (guint x, guint y, gboolean with_layout)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 4096, NULL);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = x;
  crop->y = y;
  crop->width = 17;
  crop->height = 9;
  if (with_layout)
    gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_FORMAT_I420, 32, 32);
  refuse (buffer);
}

TEST (bad_crops)
{
  refuse_crop (16, 0, TRUE);
  refuse_crop (0, 24, TRUE);
  refuse_crop (G_MAXUINT, 0, TRUE);
  refuse_crop (0, G_MAXUINT - 7, TRUE);
  refuse_crop (1, 0, FALSE);
}

/* Those that pass, too, where they have to be laid out anew. */
TEST (passing)
{
  check_dropped ("gpublur sigma=0", gst_buffer_new_allocate (NULL, 16, NULL),
      gst_buffer_new (), 0);
}

/* The warning is told once in a run. */
TEST (next_run)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);

  for (guint i = 0; i < 2; i++) {
    fixture_set_caps (h, "I420", 17, 9);
    for (guint k = 0; k < 2; k++)
      fixture_push (h, gst_buffer_new (), GST_FLOW_OK);
    fixture_take_warning (h->element, GST_STREAM_ERROR,
        GST_STREAM_ERROR_FORMAT, "are dropped");
    fixture_check_stat (h->element, "dropped", 2);
    fixture_restart (h);
  }
}

static void
push_gap (GstHarness * h, GstClockTime pts)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = pts;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  fixture_push (h, buffer, GST_FLOW_OK);
}

static guint
take_gaps (GstHarness * h, GstClockTime * pts)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_event (h))) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_GAP) {
      gst_event_parse_gap (event, pts, NULL);
      n++;
    }
    gst_event_unref (event);
  }
  return n;
}

/* A buffer without memory that says so is no bad frame: it stands for none. */
TEST (gap)
{
  g_autoptr (Harness) h = fixture_play (BLUR, "I420", 17, 9);
  GstClockTime pts;

  push_gap (h, 80 * GST_MSECOND);
  g_assert_cmpuint (take_gaps (h, &pts), ==, 1);
  g_assert_cmpuint (pts, ==, 80 * GST_MSECOND);
  push_gap (h, GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (take_gaps (h, &pts), ==, 0);
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
  fixture_check_stat (h->element, "dropped", 0);
  fixture_check_messages (h->element, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR,
      0);
  fixture_check_box (h, fixture_frame ("I420", 17, 9, 1), BOX_OF ("I420", 17, 9,
          1, 2));
}

static gpointer
map_nothing (GstMemory * memory, gsize size, GstMapFlags flags)
{
  return NULL;
}

/* Memory that the CPU cannot get at. */
TEST (not_mappable)
{
  g_autoptr (Harness) h = fixture_play (BLUR, "I420", 17, 9);
  GstBuffer *buffer = fixture_frame ("I420", 17, 9, 1);
  GstAllocator *allocator = gst_buffer_peek_memory (buffer, 0)->allocator;
  GstMemoryMapFunction map = allocator->mem_map;

  allocator->mem_map = map_nothing;
  fixture_push (h, gst_buffer_ref (buffer), GST_FLOW_OK);
  allocator->mem_map = map;
  fixture_take_warning (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_READ, "cannot be mapped");
  fixture_check_stat (h->element, "dropped", 1);
  fixture_check_box (h, buffer, BOX_OF ("I420", 17, 9, 1, 2));
}

/* --- metas with numbers near the limits --- */

__extension__ typedef __int128 Wide;

typedef struct
{
  GstVideoInfo info;
  GstVideoMeta *meta;
  gsize prefix, size;           /* of the memory */
} Wild;

static Wide
row_size (const Wild * wild, guint plane)
{
  return (Wide) GST_VIDEO_INFO_COMP_WIDTH (&wild->info, plane)
      * GST_VIDEO_INFO_COMP_PSTRIDE (&wild->info, plane);
}

/* Whether the rows of a plane lie inside of the memory. In numbers that do not
 * wrap. */
static gboolean
rows_lie_inside (const Wild * wild, guint plane)
{
  Wide rows = GST_VIDEO_INFO_COMP_HEIGHT (&wild->info, plane);
  Wide first = wild->meta->offset[plane];
  Wide last = first + (rows - 1) * wild->meta->stride[plane];

  return MIN (first, last) >= 0 && MAX (first, last) + row_size (wild, plane)
      <= wild->size;
}

static gboolean
can_be_copied (const Wild * wild)
{
  for (guint i = 0; i < wild->meta->n_planes; i++)
    if (!rows_lie_inside (wild, i))
      return FALSE;
  return TRUE;
}

/* As shaders want it: whole words, whole rows, nothing twice. */
static gboolean
can_be_used_in_place (const Wild * wild)
{
  for (guint i = 0; i < wild->meta->n_planes; i++) {
    Wide stride = wild->meta->stride[i], offset = wild->meta->offset[i];
    Wide end = offset + stride * GST_VIDEO_INFO_COMP_HEIGHT (&wild->info, i);

    if (stride % 4 || (offset + wild->prefix) % 4
        || stride < row_size (wild, i) || end > (Wide) wild->size)
      return FALSE;
    for (guint j = 0; j < i; j++) {
      Wide other = wild->meta->offset[j];

      if (offset < other + (Wide) wild->meta->stride[j]
          * GST_VIDEO_INFO_COMP_HEIGHT (&wild->info, j) && other < end)
        return FALSE;
    }
  }
  return TRUE;
}

static gsize
number_near (GRand * rand, gsize n)
{
  const gsize around[] = {
    n, n, n, n, 0, G_MAXINT32, G_MAXUINT32, G_MAXSSIZE, (gsize) 1 << 63,
    0 - n, 0 - (gsize) 256
  };
  gsize step = g_rand_int_range (rand, 0, 8) ? 4 : 1;

  return around[g_rand_int_range (rand, 0, G_N_ELEMENTS (around))]
      + step * (gsize) g_rand_int_range (rand, -3, 4);
}

/* Adds a meta that is right but for a number or two. */
static void
make_wild (GRand * rand, GstBuffer * buffer, Wild * wild)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_GRAY8
  };

  gst_video_info_set_format (&wild->info,
      formats[g_rand_int_range (rand, 0, G_N_ELEMENTS (formats))],
      g_rand_int_range (rand, 1, 20), g_rand_int_range (rand, 1, 20));
  wild->meta = gst_buffer_add_video_meta_full (buffer,
      GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&wild->info),
      GST_VIDEO_INFO_WIDTH (&wild->info), GST_VIDEO_INFO_HEIGHT (&wild->info),
      GST_VIDEO_INFO_N_PLANES (&wild->info), wild->info.offset,
      wild->info.stride);
  for (guint i = 0; i < wild->meta->n_planes; i++) {
    if (g_rand_int_range (rand, 0, 3) == 0)
      wild->meta->offset[i] = number_near (rand, wild->meta->offset[i]);
    if (g_rand_int_range (rand, 0, 3) == 0)
      wild->meta->stride[i] = number_near (rand, wild->meta->stride[i]);
    if (g_rand_int_range (rand, 0, 8) == 0)
      wild->meta->stride[i] = -wild->info.stride[i];
  }
}

/* Whatever a meta says: shaders and the CPU touch nothing but the frame. */
TEST (wild_metas)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);
  GstAllocationParams params = { 0, 0, 256, 16 };
  guint in_place = 0, copied = 0;

  for (guint n = 0; n < 20000; n++) {
    g_autoptr (GstBuffer) buffer = gst_buffer_new_allocate (NULL, 2048,
        &params);
    g_autoptr (GstBuffer) target = NULL;
    Wild wild = {.prefix = 256, .size = 2048};
    GpuFrameInfo info;

    make_wild (rand, buffer, &wild);
    g_assert_cmpint (gst_gpu_frame_info_from_buffer (&info, buffer,
            &wild.info), ==, can_be_used_in_place (&wild));
    in_place += can_be_used_in_place (&wild);

    target = gst_buffer_new_allocate (NULL, wild.info.size, NULL);
    g_assert_cmpint (gst_gpu_frame_copy (target, buffer, &wild.info, NULL),
        ==, can_be_copied (&wild));
    copied += can_be_copied (&wild);
  }
  g_assert_cmpuint (in_place, >, 2000);
  g_assert_cmpuint (copied, >, in_place);
  g_assert_cmpuint (copied, <, 18000);
}

FIXTURE_MAIN_SHARING ("/bad-frames/")
