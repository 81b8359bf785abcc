/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilter.h"

#include "gstgpubufferpool.h"
#include "gstgpucontext.h"
#include "gstgpuframe.h"
#include "gstgpumemory.h"

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_gpu_filter_debug);
#define GST_CAT_DEFAULT gst_gpu_filter_debug

#define DEFAULT_ASYNC_DEPTH 2
#define MAX_ASYNC_DEPTH 8

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_ASYNC_DEPTH,
  PROP_STATS,
};

typedef struct
{
  guint64 frames, uploads, downloads;
  guint64 waits_for_result, waits_for_readers;
} Counters;

typedef struct
{
  /* The device is open from READY on, the rest is there from start to stop.
   * The object lock is held to change these three, and by other threads to look
   * at them. */
  GpuDevice *device;
  GpuStream *stream;
  GstAllocator *allocator;

  /* Of the streaming thread. */
  GstVideoInfo in_info, out_info;
  gboolean is_prepared;         /* the subclass, for these */
  GstBufferPool *staging;       /* for input that cannot be used in place */
  GstBufferPool *output;        /* NULL for frames too large for the device */

  /* What comes next. */
  gboolean next_reads_device;   /* so that no frame needs a download */
  gboolean next_knows_layouts;  /* GstVideoMeta */
  gboolean next_knows_crops;    /* GstVideoCropMeta */
  guint next_holds;             /* frames, at least */

  gboolean passes;              /* the frame at hand, unchanged */

  gint flushing, stopping;      /* atomic; either ends the frame at hand */

  /* With the object lock. */
  gchar *selector;
  guint async_depth;
  Counters counters;
  gsize engine_memory;          /* bytes */
  gboolean started;             /* the device stays the same */
  gboolean failed;
} GstGpuFilterPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstGpuFilter, gst_gpu_filter,
    GST_TYPE_BASE_TRANSFORM, G_ADD_PRIVATE (GstGpuFilter)
    GST_DEBUG_CATEGORY_INIT (gst_gpu_filter_debug, "gpufilter", 0,
        "base class of video filters on the GPU"));

static GstGpuFilterPrivate *
get_private (GstGpuFilter * self)
{
  return gst_gpu_filter_get_instance_private (self);
}

/* --- errors --- */

static GQuark
find_message_code (const GError * error, gint * code)
{
  if (error->domain != GPU_ERROR) {
    *code = error->code;
    return error->domain;
  }
  switch (error->code) {
    case GPU_ERROR_NO_VULKAN:
      *code = GST_LIBRARY_ERROR_INIT;
      return GST_LIBRARY_ERROR;
    case GPU_ERROR_NO_DEVICE:
      *code = GST_RESOURCE_ERROR_NOT_FOUND;
      return GST_RESOURCE_ERROR;
    case GPU_ERROR_UNSUPPORTED:
      *code = GST_RESOURCE_ERROR_SETTINGS;
      return GST_RESOURCE_ERROR;
    case GPU_ERROR_TOO_LARGE:
      *code = GST_STREAM_ERROR_FORMAT;
      return GST_STREAM_ERROR;
    case GPU_ERROR_OUT_OF_MEMORY:
      *code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
      return GST_RESOURCE_ERROR;
    case GPU_ERROR_LOST:
      *code = GST_RESOURCE_ERROR_FAILED;
      return GST_RESOURCE_ERROR;
    default:
      *code = GST_LIBRARY_ERROR_FAILED;
      return GST_LIBRARY_ERROR;
  }
}

/* Where and when it went wrong, for developers; NULL without a device. With
 * the object lock. */
static gchar *
describe_device_and_time (GstGpuFilterPrivate * priv)
{
  const GpuDeviceInfo *info;

  if (!priv->device)
    return NULL;
  info = gpu_device_get_info (priv->device);
  return g_strdup_printf ("device \"%s\" (%s), after %" G_GUINT64_FORMAT
      " frames", info->name, info->uuid, priv->counters.frames);
}

/* Whether an error is to be posted: the first, and none of an earlier run's.
 * With the object lock. */
static gboolean
is_news (GstGpuFilterPrivate * priv, GstGpuAllocator * allocator)
{
  return !priv->failed && (!allocator
      || GST_ALLOCATOR (allocator) == priv->allocator);
}

/* @allocator: of the memory that could not be mapped; NULL where it is not
 * that. */
static void
post_error (GstGpuFilter * self, GstGpuAllocator * allocator,
    const GError * error)
{
  GstGpuFilterPrivate *priv = get_private (self);
  gchar *debug = NULL;
  gboolean news;
  gint code;
  GQuark domain = find_message_code (error, &code);

  GST_OBJECT_LOCK (self);
  news = is_news (priv, allocator);
  if (news) {
    priv->failed = TRUE;
    debug = describe_device_and_time (priv);
  }
  GST_OBJECT_UNLOCK (self);
  if (!news) {
    GST_INFO_OBJECT (self, "not posted: %s", error->message);
    return;
  }
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, domain,
      code, g_strdup (error->message), debug, __FILE__, GST_FUNCTION, __LINE__);
}

void
gst_gpu_filter_post_error (GstGpuFilter * self, const GError * error)
{
  post_error (self, NULL, error);
}

/* What went wrong before has no part in what goes wrong from now on. */
static void
forget_errors (GstGpuFilter * self)
{
  GST_OBJECT_LOCK (self);
  get_private (self)->failed = FALSE;
  GST_OBJECT_UNLOCK (self);
}

static void
count_map_event (Counters * counters, GstGpuMapEvent event)
{
  if (event == GST_GPU_MAP_DOWNLOADED)
    counters->downloads++;
  else if (event == GST_GPU_MAP_WAITED_FOR_RESULT)
    counters->waits_for_result++;
  else
    counters->waits_for_readers++;
}

/* A map of our memory, wherever in the pipeline and after whatever time. Each
 * run has an allocator of its own: memory of an earlier one says nothing about
 * this one. */
static void
on_map_event (GstElement * owner, GstGpuAllocator * allocator,
    GstGpuMapEvent event, const GError * error)
{
  GstGpuFilter *self = GST_GPU_FILTER (owner);
  GstGpuFilterPrivate *priv = get_private (self);

  if (event == GST_GPU_MAP_FAILED) {
    post_error (self, allocator, error);
    return;
  }
  GST_OBJECT_LOCK (self);
  if (GST_ALLOCATOR (allocator) == priv->allocator)
    count_map_event (&priv->counters, event);
  GST_OBJECT_UNLOCK (self);
}

/* --- the device --- */

/* Takes the reference. */
static void
set_device (GstGpuFilter * self, GpuDevice * device)
{
  GstGpuFilterPrivate *priv = get_private (self);
  GpuDevice *old;

  GST_OBJECT_LOCK (self);
  old = g_steal_pointer (&priv->device);
  priv->device = device;
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&old, gpu_device_unref);
}

/* Also instead of one that was lost. */
static gboolean
ensure_device (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = get_private (self);
  g_autofree gchar *selector = NULL;
  gboolean is_good;
  GpuDevice *device;

  GST_OBJECT_LOCK (self);
  is_good = priv->device && !gpu_device_is_lost (priv->device);
  selector = g_strdup (priv->selector);
  GST_OBJECT_UNLOCK (self);
  if (is_good)
    return TRUE;
  device = gst_gpu_context_find_device (GST_ELEMENT (self), selector, error);
  if (!device)
    return FALSE;
  GST_INFO_OBJECT (self, "using %s", gpu_device_get_info (device)->name);
  set_device (self, device);
  return TRUE;
}

/* While frames flow, the device stays what it is. In NULL there is none yet:
 * the parent class keeps the context for then. */
static void
gst_gpu_filter_set_context (GstElement * element, GstContext * context)
{
  GstGpuFilterPrivate *priv = get_private (GST_GPU_FILTER (element));
  GpuDevice *device, *old = NULL;

  GST_OBJECT_LOCK (element);
  device = gst_gpu_context_take_device (context, priv->selector);
  if (device && priv->device && !priv->started) {
    old = g_steal_pointer (&priv->device);
    priv->device = g_steal_pointer (&device);
  }
  GST_OBJECT_UNLOCK (element);
  g_clear_pointer (&device, gpu_device_unref);
  g_clear_pointer (&old, gpu_device_unref);
  GST_ELEMENT_CLASS (gst_gpu_filter_parent_class)->set_context (element,
      context);
}

/* --- start and stop --- */

static void
warn_of_slow_device (GstGpuFilter * self, GpuDevice * device)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);

  if (info->kind == GPU_DEVICE_CPU)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("Running on \"%s\", which is the CPU: this is slow. If there is a "
            "GPU, install its Vulkan driver, or name it with the property "
            "\"device\".", info->name), (NULL));
}

static void
release_pool (GstBufferPool ** pool)
{
  if (*pool)
    gst_buffer_pool_set_active (*pool, FALSE);
  gst_clear_object (pool);
}

/* Forgets the stream. Frames that are still around keep what they need. */
static void
release_stream (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = get_private (self);
  GstAllocator *allocator;
  GpuStream *stream;

  GST_OBJECT_LOCK (self);
  allocator = g_steal_pointer (&priv->allocator);
  stream = g_steal_pointer (&priv->stream);
  priv->engine_memory = 0;
  priv->started = FALSE;
  GST_OBJECT_UNLOCK (self);

  release_pool (&priv->staging);
  release_pool (&priv->output);
  gst_clear_object (&allocator);
  g_clear_pointer (&stream, gpu_stream_unref);
  gst_video_info_init (&priv->in_info);
  gst_video_info_init (&priv->out_info);
  priv->is_prepared = FALSE;
}

static gboolean
open_stream (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = get_private (self);
  GstAllocator *allocator;
  GpuStream *stream;
  guint depth;

  GST_OBJECT_LOCK (self);
  memset (&priv->counters, 0, sizeof priv->counters);
  priv->started = TRUE;
  depth = priv->async_depth;
  GST_OBJECT_UNLOCK (self);

  if (!ensure_device (self, error))
    return FALSE;
  stream = gpu_stream_new (priv->device, depth, GST_OBJECT_NAME (self), error);
  allocator = gst_gpu_allocator_new (priv->device, GST_ELEMENT (self),
      on_map_event);
  GST_OBJECT_LOCK (self);
  priv->stream = stream;
  priv->allocator = allocator;
  GST_OBJECT_UNLOCK (self);
  return stream != NULL;
}

static gboolean
is_cancelled (gpointer filter)
{
  GstGpuFilterPrivate *priv = get_private (filter);

  return g_atomic_int_get (&priv->flushing)
      || g_atomic_int_get (&priv->stopping);
}

static gboolean
gst_gpu_filter_start (GstBaseTransform * trans)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = get_private (self);
  g_autoptr (GError) error = NULL;

  g_atomic_int_set (&priv->flushing, FALSE);
  g_atomic_int_set (&priv->stopping, FALSE);
  forget_errors (self);
  if (!open_stream (self, &error)) {
    gst_gpu_filter_post_error (self, error);
    release_stream (self);
    return FALSE;
  }
  gpu_stream_set_cancel (priv->stream, is_cancelled, self);
  warn_of_slow_device (self, priv->device);
  return TRUE;
}

static gboolean
gst_gpu_filter_stop (GstBaseTransform * trans)
{
  release_stream (GST_GPU_FILTER (trans));
  return TRUE;
}

/* The streaming thread may be inside of a long frame: it ends between two
 * submissions. */
static gboolean
gst_gpu_filter_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstGpuFilterPrivate *priv = get_private (GST_GPU_FILTER (trans));

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    g_atomic_int_set (&priv->flushing, TRUE);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    g_atomic_int_set (&priv->flushing, FALSE);
  return GST_BASE_TRANSFORM_CLASS
      (gst_gpu_filter_parent_class)->sink_event (trans, event);
}

static gboolean
open_device (GstGpuFilter * self)
{
  g_autoptr (GError) error = NULL;

  forget_errors (self);
  if (ensure_device (self, &error))
    return TRUE;
  gst_gpu_filter_post_error (self, error);
  return FALSE;
}

/* The parent class waits for the streaming thread. */
static GstStateChangeReturn
gst_gpu_filter_change_state (GstElement * element, GstStateChange transition)
{
  GstGpuFilter *self = GST_GPU_FILTER (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_device (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    g_atomic_int_set (&get_private (self)->stopping, TRUE);
  result = GST_ELEMENT_CLASS (gst_gpu_filter_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    set_device (self, NULL);
  return result;
}

/* --- caps --- */

/* What comes in may be padded. */
static gboolean
gst_gpu_filter_transform_size (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, gsize size,
    GstCaps * other_caps, gsize * other_size)
{
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, other_caps))
    return FALSE;
  *other_size = GST_VIDEO_INFO_SIZE (&info);
  return TRUE;
}

static gboolean
check_size (GpuDevice * device, const GstVideoInfo * info, GError ** error)
{
  const GpuDeviceInfo *limits = gpu_device_get_info (device);

  if (GST_VIDEO_INFO_SIZE (info) <= limits->max_binding)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "A frame of %d x %d in %s has %" G_GSIZE_FORMAT " bytes, but \"%s\" "
      "works on at most %" G_GSIZE_FORMAT " (its maxStorageBufferRange); use "
      "smaller frames or another device.", GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_NAME (info),
      GST_VIDEO_INFO_SIZE (info), limits->name, limits->max_binding);
  return FALSE;
}

static void
note_engine_memory (GstGpuFilter * self)
{
  gsize memory = GST_GPU_FILTER_GET_CLASS (self)->get_memory (self);

  GST_OBJECT_LOCK (self);
  get_private (self)->engine_memory = memory;
  GST_OBJECT_UNLOCK (self);
}

/* Builds what the frames of these caps need, unless it was done. */
static gboolean
ensure_prepared (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = get_private (self);

  if (priv->is_prepared)
    return TRUE;
  priv->is_prepared = check_size (priv->device, &priv->in_info, error)
      && check_size (priv->device, &priv->out_info, error)
      && GST_GPU_FILTER_GET_CLASS (self)->prepare (self, priv->device,
      &priv->in_info, &priv->out_info, error);
  note_engine_memory (self);
  return priv->is_prepared;
}

/* Whether frames of both are the same kind of work; how many of them a second
 * there are, or how wide a pixel is, makes no difference. */
static gboolean
describe_same_frames (const GstVideoInfo * a, const GstVideoInfo * b)
{
  return GST_VIDEO_INFO_FORMAT (a) == GST_VIDEO_INFO_FORMAT (b)
      && GST_VIDEO_INFO_WIDTH (a) == GST_VIDEO_INFO_WIDTH (b)
      && GST_VIDEO_INFO_HEIGHT (a) == GST_VIDEO_INFO_HEIGHT (b)
      && GST_VIDEO_INFO_INTERLACE_MODE (a) == GST_VIDEO_INFO_INTERLACE_MODE (b)
      && GST_VIDEO_INFO_CHROMA_SITE (a) == GST_VIDEO_INFO_CHROMA_SITE (b)
      && gst_video_colorimetry_is_equal (&GST_VIDEO_INFO_COLORIMETRY (a),
      &GST_VIDEO_INFO_COLORIMETRY (b));
}

/* Forgets what was made for frames of other caps. */
static void
set_infos (GstGpuFilterPrivate * priv, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  if (!describe_same_frames (&priv->in_info, in)
      || !describe_same_frames (&priv->out_info, out)) {
    release_pool (&priv->staging);
    release_pool (&priv->output);
    priv->is_prepared = FALSE;
  }
  priv->in_info = *in;
  priv->out_info = *out;
}

/* Frames that pass through do so whatever the device can or cannot do. It is
 * prepared nevertheless, as the next one may have to be worked on. Where caps
 * are refused, those before them stay in force. */
static gboolean
gst_gpu_filter_set_caps (GstBaseTransform * trans, GstCaps * incaps,
    GstCaps * outcaps)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = get_private (self);
  GstVideoInfo old_in = priv->in_info, old_out = priv->out_info;
  GstVideoInfo in, out;
  g_autoptr (GError) error = NULL;

  if (!gst_video_info_from_caps (&in, incaps)
      || !gst_video_info_from_caps (&out, outcaps)) {
    GST_WARNING_OBJECT (self, "no video: %" GST_PTR_FORMAT " to %"
        GST_PTR_FORMAT, incaps, outcaps);
    return FALSE;
  }
  set_infos (priv, &in, &out);
  priv->passes = GST_GPU_FILTER_GET_CLASS (self)->latch (self, &in);
  if (ensure_prepared (self, &error) || priv->passes) {
    forget_errors (self);
    return TRUE;
  }
  gst_gpu_filter_post_error (self, error);
  set_infos (priv, &old_in, &old_out);
  return FALSE;
}

/* --- allocation --- */

/* One frame more than can be in flight: the one being filled then never
 * waits for an older one. */
static guint
min_buffers (GstGpuFilter * self)
{
  guint depth;

  GST_OBJECT_LOCK (self);
  depth = get_private (self)->async_depth;
  GST_OBJECT_UNLOCK (self);
  return depth + 1;
}

static void
remove_meta (GstQuery * query, GType api)
{
  guint index;

  while (gst_query_find_allocation_meta (query, api, &index))
    gst_query_remove_nth_allocation_meta (query, index);
}

/* Our pool, also while frames pass through: nobody has to ask again when they
 * no longer do. Frames that pass are held by what comes next, too. */
static gboolean
gst_gpu_filter_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = get_private (self);
  guint min = priv->next_holds + min_buffers (self);
  GstBufferPool *pool = NULL;
  GstVideoInfo info;
  GstCaps *caps;
  gboolean need_pool;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (!caps || !gst_video_info_from_caps (&info, caps))
    return FALSE;
  /* All that frames which are too large can do is pass. */
  if (!check_size (priv->device, &info, NULL))
    decide_query = NULL;
  if (!GST_BASE_TRANSFORM_CLASS
      (gst_gpu_filter_parent_class)->propose_allocation (trans, decide_query,
          query))
    return FALSE;
  if (!decide_query) {
    remove_meta (query, GST_VIDEO_CROP_META_API_TYPE);
    return TRUE;
  }
  if (need_pool)
    pool = gst_gpu_buffer_pool_new_for_caps (priv->allocator, caps, min, FALSE);
  gst_query_add_allocation_pool (query, pool, GST_VIDEO_INFO_SIZE (&info), min,
      0);
  gst_query_add_allocation_param (query, priv->allocator, NULL);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_clear_object (&pool);
  return TRUE;
}

/* Whether what comes next is one of us on the same device, and how many
 * frames it wants to hold. */
static gboolean
parse_peer_pools (GpuDevice * device, GstQuery * query, guint * min)
{
  gboolean is_ours = FALSE;

  *min = 0;
  for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
    GstBufferPool *pool;
    guint peer_min;

    gst_query_parse_nth_allocation_pool (query, i, &pool, NULL, &peer_min,
        NULL);
    *min = MAX (*min, peer_min);
    is_ours |= GST_IS_GPU_BUFFER_POOL (pool) && gst_gpu_buffer_pool_get_device
        (GST_GPU_BUFFER_POOL (pool)) == device;
    gst_clear_object (&pool);
  }
  return is_ours;
}

/* What downstream asks of memory, where ours, of @size bytes, can be like
 * that. */
static GstAllocationParams
get_wanted_params (GstQuery * query, GstAllocator * allocator, gsize size)
{
  GstAllocationParams params, none;

  gst_allocation_params_init (&none);
  if (gst_query_get_n_allocation_params (query) == 0)
    return none;
  gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
  return gst_gpu_allocator_accepts (GST_GPU_ALLOCATOR (allocator), size,
      &params) ? params : none;
}

static void
set_pool (GstQuery * query, GstBufferPool * pool, GstAllocator * allocator)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstAllocationParams params;
  guint size, min, max;

  gst_buffer_pool_config_get_params (config, NULL, &size, &min, &max);
  gst_structure_free (config);
  params = get_wanted_params (query, allocator, size);
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_set_nth_allocation_pool (query, 0, pool, size, min, max);
  else
    gst_query_add_allocation_pool (query, pool, size, min, max);
  if (gst_query_get_n_allocation_params (query) > 0)
    gst_query_set_nth_allocation_param (query, 0, allocator, &params);
  else
    gst_query_add_allocation_param (query, allocator, &params);
}

/* Whether both make the same buffers. Caps are no part of that: those that are
 * not of the same frames came with another pool. */
static gboolean
pools_are_alike (GstBufferPool * a, GstBufferPool * b)
{
  GstStructure *x = gst_buffer_pool_get_config (a);
  GstStructure *y = gst_buffer_pool_get_config (b);
  gboolean alike;

  gst_structure_remove_field (x, "caps");
  gst_structure_remove_field (y, "caps");
  alike = gst_structure_is_equal (x, y);
  gst_structure_free (x);
  gst_structure_free (y);
  return alike;
}

/* The parent class would not keep a pool when caps change. So it is taken from
 * @query, and the one before stays, with its frames, where it will do. */
static gboolean
take_pool (GstGpuFilterPrivate * priv, GstQuery * query)
{
  GstBufferPool *pool;

  gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
  while (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);
  if (priv->output && pools_are_alike (priv->output, pool)) {
    gst_object_unref (pool);
    return TRUE;
  }
  release_pool (&priv->output);
  if (!gst_buffer_pool_set_active (pool, TRUE)) {
    gst_object_unref (pool);
    return FALSE;
  }
  priv->output = pool;
  return TRUE;
}

static void
post_no_output (GstGpuFilter * self)
{
  g_autoptr (GError) error = g_error_new_literal (GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "There is no memory for an output "
      "frame; use smaller frames or close other programs.");

  gst_gpu_filter_post_error (self, error);
}

/* Where @ours, from a pool of ours. */
static gboolean
negotiate_pool (GstGpuFilter * self, GstQuery * query, gboolean ours)
{
  GstGpuFilterPrivate *priv = get_private (self);
  GstBufferPool *pool;
  GstCaps *caps;

  if (ours) {
    gst_query_parse_allocation (query, &caps, NULL);
    pool = gst_gpu_buffer_pool_new_for_caps (priv->allocator, caps,
        priv->next_holds + min_buffers (self), priv->next_knows_layouts);
    if (!pool)
      return FALSE;
    set_pool (query, pool, priv->allocator);
    gst_object_unref (pool);
  }
  return GST_BASE_TRANSFORM_CLASS
      (gst_gpu_filter_parent_class)->decide_allocation (GST_BASE_TRANSFORM
      (self), query) && (!ours || take_pool (priv, query));
}

/* Output is always ours: no other pool has memory that the device can write.
 * Its layout is the default one, which those who know no GstVideoMeta take
 * for granted. */
static gboolean
gst_gpu_filter_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = get_private (self);
  gboolean ours = check_size (priv->device, &priv->out_info, NULL);

  priv->next_knows_layouts = gst_query_find_allocation_meta (query,
      GST_VIDEO_META_API_TYPE, NULL);
  priv->next_knows_crops = gst_query_find_allocation_meta (query,
      GST_VIDEO_CROP_META_API_TYPE, NULL);
  priv->next_reads_device = parse_peer_pools (priv->device, query,
      &priv->next_holds);
  if (!negotiate_pool (self, query, ours)) {
    post_no_output (self);
    return FALSE;
  }
  /* Caps that equal those before them, after others were refused, come only
   * this far. */
  forget_errors (self);
  return TRUE;
}

/* --- metas --- */

/* Whether a meta that describes the input describes the output as well: same
 * size, same orientation, and the same colours where the format stays; but
 * other memory, so that GstVideoMeta, for one, is not copied. Cropping has been
 * done by then; it is not asked for upstream either, as it takes a copy where
 * the rectangle lies badly. */
static gboolean
meta_stays_true (GstGpuFilter * self, GType api)
{
  GstGpuFilterPrivate *priv = get_private (self);
  const gchar *const *tags = gst_meta_api_type_get_tags (api);
  gboolean same_format = GST_VIDEO_INFO_FORMAT (&priv->in_info)
      == GST_VIDEO_INFO_FORMAT (&priv->out_info);

  if (api == GST_VIDEO_CROP_META_API_TYPE)
    return FALSE;
  for (; tags && *tags; tags++)
    if (!g_str_equal (*tags, GST_META_TAG_VIDEO_STR)
        && !g_str_equal (*tags, GST_META_TAG_VIDEO_SIZE_STR)
        && !g_str_equal (*tags, GST_META_TAG_VIDEO_ORIENTATION_STR)
        && !(g_str_equal (*tags, GST_META_TAG_VIDEO_COLORSPACE_STR)
            && same_format))
      return FALSE;
  return TRUE;
}

static gboolean
gst_gpu_filter_transform_meta (GstBaseTransform * trans, GstBuffer * outbuf,
    GstMeta * meta, GstBuffer * inbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GType api = meta->info->api;

  /* Of a larger frame: places in it are other places in the rectangle. */
  if (gst_gpu_frame_is_cropped (inbuf, &get_private (self)->in_info)
      && gst_meta_api_type_has_tag (api,
          g_quark_from_static_string (GST_META_TAG_VIDEO_SIZE_STR)))
    return FALSE;
  return meta_stays_true (self, api);
}

/* A meta that downstream understands may be proposed upstream if it would get
 * there. */
static gboolean
gst_gpu_filter_filter_meta (GstBaseTransform * trans, GstQuery * query,
    GType api, const GstStructure * params)
{
  return meta_stays_true (GST_GPU_FILTER (trans), api);
}

/* --- frames --- */

/* Controlled properties change with the time, which not every stream knows. */
static void
sync_properties (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstClockTime time;

  if (trans->segment.format != GST_FORMAT_TIME)
    return;
  time = gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
      GST_BUFFER_TIMESTAMP (buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (trans), time);
}

/* GstBaseTransform's own passthrough is never set: it stands for a stream, and
 * what was negotiated for it has to be negotiated anew for the other kind. */
static void
gst_gpu_filter_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = get_private (self);

  sync_properties (trans, buffer);
  priv->passes = GST_GPU_FILTER_GET_CLASS (self)->latch (self, &priv->in_info);
}

/* Whether what comes next sees in @buffer the frame that its caps speak of. */
static gboolean
next_understands (GstGpuFilterPrivate * priv, GstBuffer * buffer)
{
  if (gst_gpu_frame_is_cropped (buffer, &priv->in_info)
      && !priv->next_knows_crops)
    return FALSE;
  return priv->next_knows_layouts
      || gst_gpu_frame_has_default_layout (buffer, &priv->in_info);
}

static GstFlowReturn
gst_gpu_filter_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * inbuf, GstBuffer ** outbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = get_private (self);
  GstFlowReturn flow;

  if (priv->passes && next_understands (priv, inbuf)) {
    *outbuf = inbuf;
    return GST_FLOW_OK;
  }
  if (!priv->output)
    return GST_BASE_TRANSFORM_CLASS
        (gst_gpu_filter_parent_class)->prepare_output_buffer (trans, inbuf,
        outbuf);
  flow = gst_buffer_pool_acquire_buffer (priv->output, outbuf, NULL);
  if (flow == GST_FLOW_OK)
    GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans, inbuf, *outbuf);
  else if (flow == GST_FLOW_ERROR)
    post_no_output (self);
  return flow;
}

static gboolean
is_on_device (GstBuffer * buffer, GpuDevice * device)
{
  return gst_buffer_n_memory (buffer) == 1
      && gst_gpu_memory_get_device (gst_buffer_peek_memory (buffer, 0))
      == device;
}

static gboolean
ensure_staging (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = get_private (self);
  GstCaps *caps;

  if (priv->staging)
    return TRUE;
  caps = gst_video_info_to_caps (&priv->in_info);
  priv->staging = gst_gpu_buffer_pool_new_for_caps (priv->allocator, caps,
      min_buffers (self), FALSE);
  gst_caps_unref (caps);
  return priv->staging && gst_buffer_pool_set_active (priv->staging, TRUE);
}

/* @buffer itself where shaders can work on it, else a copy. Returns a
 * reference or NULL with @error set. */
static GstBuffer *
get_readable (GstGpuFilter * self, GstBuffer * buffer, GpuFrameInfo * info,
    GError ** error)
{
  GstGpuFilterPrivate *priv = get_private (self);
  GstBuffer *copy = NULL;

  if (is_on_device (buffer, priv->device)
      && gst_gpu_frame_info_from_buffer (info, buffer, &priv->in_info))
    return gst_buffer_ref (buffer);

  GST_LOG_OBJECT (self, "copying input");
  if (!ensure_staging (self) || gst_buffer_pool_acquire_buffer (priv->staging,
          &copy, NULL) != GST_FLOW_OK) {
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_SETTINGS,
        "There is no buffer to copy an input frame to.");
    return NULL;
  }
  if (!gst_gpu_frame_copy (copy, buffer, &priv->in_info, error)) {
    gst_buffer_unref (copy);
    return NULL;
  }
  gst_gpu_frame_info_from_buffer (info, copy, &priv->in_info);
  return copy;
}

/* Memory that others see too is not written. */
static gboolean
is_shared (GstBuffer * buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  return GST_MEMORY_IS_READONLY (memory) || !gst_memory_is_writable (memory);
}

/* Output comes from our pool, but others can put a buffer of theirs in its
 * place. */
static gboolean
check_writable (GstGpuFilter * self, GstBuffer * buffer, GpuFrameInfo * info,
    GError ** error)
{
  GstGpuFilterPrivate *priv = get_private (self);

  if (is_on_device (buffer, priv->device) && !is_shared (buffer)
      && gst_gpu_frame_info_from_buffer (info, buffer, &priv->out_info))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "An output frame does not come from this element's own buffer pool, and "
      "\"%s\" cannot write it. Remove the pad probe or the code of the "
      "application that puts other buffers or another pool in its place.",
      gpu_device_get_info (priv->device)->name);
  return FALSE;
}

static gboolean
record_frame (GstGpuFilter * self, GstGpuAccess * read, GstGpuAccess * write,
    GpuFrame * in, GpuFrame * out, GstBuffer * buffer, GError ** error)
{
  GstGpuFilterPrivate *priv = get_private (self);

  in->buffer = read->buffer;
  out->buffer = write->buffer;
  return GST_GPU_FILTER_GET_CLASS (self)->record (self, priv->stream, in, out,
      buffer, error)
      && (priv->next_reads_device
      || gst_gpu_access_download (write, priv->stream, error));
}

static void
count_frame (GstGpuFilter * self, const GstGpuAccess * read,
    const GstGpuAccess * write)
{
  Counters *counters = &get_private (self)->counters;

  GST_OBJECT_LOCK (self);
  counters->frames++;
  counters->uploads += read->uploads;
  counters->downloads += write->downloads;
  GST_OBJECT_UNLOCK (self);
}

/* @ticket: where the frame was submitted, else NULL. */
static void
end_access (GstGpuAccess * access, GpuStream * stream, const GpuTicket * ticket)
{
  if (!access->memory)
    return;
  if (ticket)
    gst_gpu_access_end (access, ticket);
  else
    gst_gpu_access_give_up (access, stream);
}

/* @readable: @inbuf or its copy. It and @outbuf are laid out as @in and @out
 * say. */
static gboolean
submit_frame (GstGpuFilter * self, GstBuffer * readable, GpuFrame * in,
    GstBuffer * inbuf, GstBuffer * outbuf, GpuFrame * out, GError ** error)
{
  GstGpuFilterPrivate *priv = get_private (self);
  GpuStream *stream = priv->stream;
  GstGpuAccess read = { NULL }, write = { NULL };
  GpuTicket ticket = { NULL, 0 };
  gboolean done;

  gpu_stream_next_frame (stream);
  done = gpu_stream_begin (stream, error)
      && gst_gpu_access_begin_read (&read,
      gst_buffer_peek_memory (readable, 0), stream, error)
      && gst_gpu_access_begin_write (&write,
      gst_buffer_peek_memory (outbuf, 0), stream, error)
      && record_frame (self, &read, &write, in, out, inbuf, error)
      && gpu_stream_submit (stream, &ticket, error);
  /* What was submitted of a frame that failed writes where nobody looks. */
  if (done) {
    count_frame (self, &read, &write);
    note_engine_memory (self);
  } else
    gpu_stream_abandon (stream);
  end_access (&read, stream, done ? &ticket : NULL);
  end_access (&write, stream, done ? &ticket : NULL);
  gpu_ticket_clear (&ticket);
  return done;
}

static gboolean
work_on_frame (GstGpuFilter * self, GstBuffer * inbuf, GstBuffer * outbuf,
    GError ** error)
{
  GpuFrame in, out;
  GstBuffer *readable;
  gboolean done;

  if (!ensure_prepared (self, error))
    return FALSE;
  readable = get_readable (self, inbuf, &in.info, error);
  done = readable && check_writable (self, outbuf, &out.info, error)
      && submit_frame (self, readable, &in, inbuf, outbuf, &out, error);
  gst_clear_buffer (&readable);
  return done;
}

static GstFlowReturn
gst_gpu_filter_transform (GstBaseTransform * trans, GstBuffer * inbuf,
    GstBuffer * outbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = get_private (self);
  g_autoptr (GError) error = NULL;
  gboolean done;

  /* Those that pass are copied only where they have to be laid out anew. */
  if (outbuf == inbuf)
    return GST_FLOW_OK;
  if (priv->passes)
    done = gst_gpu_frame_copy (outbuf, inbuf, &priv->in_info, &error);
  else
    done = work_on_frame (self, inbuf, outbuf, &error);
  if (done)
    return GST_FLOW_OK;
  if (g_error_matches (error, GPU_ERROR, GPU_ERROR_CANCELLED))
    return GST_FLOW_FLUSHING;
  gst_gpu_filter_post_error (self, error);
  return GST_FLOW_ERROR;
}

/* --- queries and properties --- */

static gboolean
gst_gpu_filter_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstGpuFilterPrivate *priv = get_private (GST_GPU_FILTER (trans));
  GpuDevice *device;
  gboolean answered = FALSE;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT) {
    GST_OBJECT_LOCK (trans);
    device = priv->device ? gpu_device_ref (priv->device) : NULL;
    GST_OBJECT_UNLOCK (trans);
    answered = gst_gpu_context_answer (query, device);
    g_clear_pointer (&device, gpu_device_unref);
  }
  return answered || GST_BASE_TRANSFORM_CLASS
      (gst_gpu_filter_parent_class)->query (trans, direction, query);
}

#define MIB (1024.0 * 1024.0)

static void
add_device_stats (GstStructure * stats, GpuDevice * device)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);

  gst_structure_set (stats,
      "device", G_TYPE_STRING, info->name,
      "device-uuid", G_TYPE_STRING, info->uuid,
      "memory", G_TYPE_DOUBLE, gpu_device_get_allocated (device) / MIB, NULL);
}

static void
add_stream_stats (GstStructure * stats, GpuStream * stream)
{
  GpuTimings timings;
  GValue stages = G_VALUE_INIT;

  gpu_stream_get_timings (stream, &timings);
  g_value_init (&stages, GST_TYPE_ARRAY);
  for (guint i = 0; i < timings.n_stages; i++) {
    const GpuStageTime *stage = &timings.stages[i];
    GValue value = G_VALUE_INIT;

    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, gst_structure_new ("stage",
            "name", G_TYPE_STRING, stage->name,
            "dispatches", G_TYPE_UINT, stage->dispatches,
            "time", G_TYPE_UINT64, stage->total,
            "longest", G_TYPE_UINT64, stage->longest, NULL));
    gst_value_array_append_and_take_value (&stages, &value);
  }
  gst_structure_take_value (stats, "stages", &stages);
  gst_structure_set (stats,
      "frame-time", G_TYPE_UINT64, timings.span,
      "submissions", G_TYPE_UINT, timings.submissions,
      "longest-submission", G_TYPE_UINT64, timings.longest_submission,
      "longest-dispatch", G_TYPE_UINT64, timings.longest_dispatch,
      "waits-for-slot", G_TYPE_UINT64, gpu_stream_get_slot_waits (stream),
      NULL);
}

static GstStructure *
collect_stats (GstGpuFilter * self)
{
  GstGpuFilterClass *klass = GST_GPU_FILTER_GET_CLASS (self);
  GstGpuFilterPrivate *priv = get_private (self);
  GstStructure *stats = gst_structure_new_empty ("stats");
  GpuDevice *device;
  GpuStream *stream;
  Counters counters;
  gsize memory;

  GST_OBJECT_LOCK (self);
  counters = priv->counters;
  device = priv->device ? gpu_device_ref (priv->device) : NULL;
  stream = priv->stream ? gpu_stream_ref (priv->stream) : NULL;
  memory = priv->engine_memory;
  if (priv->allocator)
    memory += gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR (priv->allocator));
  GST_OBJECT_UNLOCK (self);

  gst_structure_set (stats,
      "element-memory", G_TYPE_DOUBLE, memory / MIB,
      "frames", G_TYPE_UINT64, counters.frames,
      "uploads", G_TYPE_UINT64, counters.uploads,
      "downloads", G_TYPE_UINT64, counters.downloads,
      "waits-for-result", G_TYPE_UINT64, counters.waits_for_result,
      "waits-for-readers", G_TYPE_UINT64, counters.waits_for_readers, NULL);
  if (device)
    add_device_stats (stats, device);
  if (stream)
    add_stream_stats (stats, stream);
  g_clear_pointer (&device, gpu_device_unref);
  g_clear_pointer (&stream, gpu_stream_unref);
  if (klass->fill_stats)
    klass->fill_stats (self, stats);
  return stats;
}

static void
gst_gpu_filter_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstGpuFilterPrivate *priv = get_private (GST_GPU_FILTER (object));

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_DEVICE:
      g_free (priv->selector);
      priv->selector = g_value_dup_string (value);
      break;
    case PROP_ASYNC_DEPTH:
      priv->async_depth = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gpu_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstGpuFilterPrivate *priv = get_private (GST_GPU_FILTER (object));

  switch (id) {
    case PROP_DEVICE:
      GST_OBJECT_LOCK (object);
      g_value_set_string (value, priv->selector);
      GST_OBJECT_UNLOCK (object);
      break;
    case PROP_ASYNC_DEPTH:
      GST_OBJECT_LOCK (object);
      g_value_set_uint (value, priv->async_depth);
      GST_OBJECT_UNLOCK (object);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, collect_stats (GST_GPU_FILTER (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_gpu_filter_finalize (GObject * object)
{
  GstGpuFilterPrivate *priv = get_private (GST_GPU_FILTER (object));

  g_free (priv->selector);
  g_clear_pointer (&priv->device, gpu_device_unref);
  G_OBJECT_CLASS (gst_gpu_filter_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass * object_class)
{
  object_class->set_property = gst_gpu_filter_set_property;
  object_class->get_property = gst_gpu_filter_get_property;

  /**
   * GstGpuFilter:device:
   *
   * The Vulkan device to run on: its index in the loader's list, its UUID, or
   * a part of its name; empty for the best one. Opened on the way from NULL to
   * READY: a change counts from the next time on.
   */
  g_object_class_install_property (object_class, PROP_DEVICE,
      g_param_spec_string ("device", "Device",
          "Vulkan device: its index, UUID or a part of its name; empty for "
          "the best one (changeable in NULL)", NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  /**
   * GstGpuFilter:async-depth:
   *
   * How many frames the device may work on at once. One more waits for the
   * oldest of them.
   */
  g_object_class_install_property (object_class, PROP_ASYNC_DEPTH,
      g_param_spec_uint ("async-depth", "Async depth",
          "Frames that the device may work on at once", 1, MAX_ASYNC_DEPTH,
          DEFAULT_ASYNC_DEPTH,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
  /**
   * GstGpuFilter:stats:
   *
   * From READY on `device` and `device-uuid`, strings; `memory`, MiB that the
   * driver gave to all elements that share the device; `element-memory`, MiB
   * of it that frames made by this element and its engine take up.
   *
   * Counted since the start: `frames` that were processed; `uploads` and
   * `downloads` of whole frames; times that somebody waited: `waits-for-slot`,
   * a new frame for an older one, as #GstGpuFilter:async-depth wants it;
   * `waits-for-result`, who maps an output for the device;
   * `waits-for-readers`, who writes to an input again for the device.
   *
   * Of one recent frame, in ns, 0 on a device without timestamps:
   * `frame-time` from its first command to its last, `longest-submission`,
   * `longest-dispatch` (or fill or copy); also the number of `submissions`,
   * and `stages`: an array of structures with `name`, `dispatches`, `time`,
   * and `longest`, the time of the longest dispatch of this stage.
   *
   * Subclasses add fields of their own.
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Device, counters since the start, and times of a recent frame",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_gpu_filter_class_init (GstGpuFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->finalize = gst_gpu_filter_finalize;
  install_properties (object_class);

  GST_ELEMENT_CLASS (klass)->change_state =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_change_state);
  GST_ELEMENT_CLASS (klass)->set_context =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_set_context);
  trans_class->start = GST_DEBUG_FUNCPTR (gst_gpu_filter_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_gpu_filter_stop);
  trans_class->transform_size =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_transform_size);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_gpu_filter_sink_event);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_gpu_filter_set_caps);
  trans_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_propose_allocation);
  trans_class->decide_allocation =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_decide_allocation);
  trans_class->transform_meta =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_transform_meta);
  trans_class->filter_meta = GST_DEBUG_FUNCPTR (gst_gpu_filter_filter_meta);
  trans_class->before_transform =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_before_transform);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_prepare_output_buffer);
  trans_class->transform = GST_DEBUG_FUNCPTR (gst_gpu_filter_transform);
  trans_class->query = GST_DEBUG_FUNCPTR (gst_gpu_filter_query);

  gst_type_mark_as_plugin_api (GST_TYPE_GPU_FILTER, 0);
}

static void
gst_gpu_filter_init (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = get_private (self);

  priv->async_depth = DEFAULT_ASYNC_DEPTH;
  gst_video_info_init (&priv->in_info);
  gst_video_info_init (&priv->out_info);
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), TRUE);
}
