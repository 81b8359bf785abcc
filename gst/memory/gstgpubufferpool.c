/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpubufferpool.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_buffer_pool_debug);
#define GST_CAT_DEFAULT gst_gpu_buffer_pool_debug

struct _GstGpuBufferPool
{
  GstVideoBufferPool parent;

  GstAllocator *allocator;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuBufferPool, gst_gpu_buffer_pool,
    GST_TYPE_VIDEO_BUFFER_POOL,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_buffer_pool_debug, "gpubufferpool", 0,
        "pool of frames shared by CPU and GPU"));

/* Returns whether the allocator can provide the memory. It must have @size bytes, or more
 * if the aligned frame needs more. Like the parent class, aligns it to @params and to the
 * strides that @config asks for. */
static gboolean
accepts_layout (GstGpuBufferPool * self, GstStructure * config,
    GstVideoInfo * info, gsize size, GstAllocationParams params)
{
  GstVideoAlignment alignment;

  if (gst_buffer_pool_config_has_option (config,
          GST_BUFFER_POOL_OPTION_VIDEO_META)
      && gst_buffer_pool_config_has_option (config,
          GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT)) {
    gst_buffer_pool_config_get_video_alignment (config, &alignment);
    for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
      params.align |= alignment.stride_align[i];
    for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
      alignment.stride_align[i] = params.align;
    if (!gst_video_info_align (info, &alignment))
      return FALSE;
  }
  return gst_gpu_allocator_accepts (GST_GPU_ALLOCATOR (self->allocator),
      MAX (size, GST_VIDEO_INFO_SIZE (info)), &params);
}

/* Checks everything before it calls the parent class, which forgets its configuration
 * while it checks the new one. */
static gboolean
gst_gpu_buffer_pool_set_config (GstBufferPool * pool, GstStructure * config)
{
  GstGpuBufferPool *self = GST_GPU_BUFFER_POOL (pool);
  GstAllocationParams params;
  GstVideoInfo info;
  GstCaps *caps;
  guint size, min, max;

  if (!gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max)
      || !gst_buffer_pool_config_get_allocator (config, NULL, &params)
      || !caps || !gst_video_info_from_caps (&info, caps)
      || size < GST_VIDEO_INFO_SIZE (&info)
      || !accepts_layout (self, config, &info, size, params)) {
    GST_WARNING_OBJECT (self, "no frames as in %" GST_PTR_FORMAT, config);
    return FALSE;
  }
  gst_buffer_pool_config_set_allocator (config, self->allocator, &params);
  return GST_BUFFER_POOL_CLASS
      (gst_gpu_buffer_pool_parent_class)->set_config (pool, config);
}

static void
gst_gpu_buffer_pool_finalize (GObject * object)
{
  gst_object_unref (GST_GPU_BUFFER_POOL (object)->allocator);
  G_OBJECT_CLASS (gst_gpu_buffer_pool_parent_class)->finalize (object);
}

static void
gst_gpu_buffer_pool_class_init (GstGpuBufferPoolClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_gpu_buffer_pool_finalize;
  GST_BUFFER_POOL_CLASS (klass)->set_config =
      GST_DEBUG_FUNCPTR (gst_gpu_buffer_pool_set_config);
}

static void
gst_gpu_buffer_pool_init (GstGpuBufferPool * self)
{
}

GstBufferPool *
gst_gpu_buffer_pool_new (GstAllocator * allocator)
{
  GstGpuBufferPool *self = g_object_new (GST_TYPE_GPU_BUFFER_POOL, NULL);

  gst_object_ref_sink (self);
  self->allocator = gst_object_ref (allocator);
  return GST_BUFFER_POOL (self);
}

GstBufferPool *
gst_gpu_buffer_pool_new_for_caps (GstAllocator * allocator, GstCaps * caps,
    guint min, gboolean with_meta)
{
  GstBufferPool *pool;
  GstStructure *config;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps))
    return NULL;
  pool = gst_gpu_buffer_pool_new (allocator);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, GST_VIDEO_INFO_SIZE (&info),
      min, 0);
  if (with_meta)
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config))
    gst_clear_object (&pool);
  return pool;
}

GpuDevice *
gst_gpu_buffer_pool_get_device (GstGpuBufferPool * pool)
{
  return gst_gpu_allocator_get_device (GST_GPU_ALLOCATOR (pool->allocator));
}

void
gst_gpu_buffer_pool_release (GstBufferPool ** pool)
{
  if (*pool)
    gst_buffer_pool_set_active (*pool, FALSE);
  gst_clear_object (pool);
}
