/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpubufferpool.h"

#include <gst/video/video.h>

GST_DEBUG_CATEGORY_STATIC (gst_gpu_buffer_pool_debug);
#define GST_CAT_DEFAULT gst_gpu_buffer_pool_debug

/* The alignment of mapped memory, as a mask: that of gpu/core/heap.c. */
#define MAPPED_ALIGNMENT_MASK 63

struct _GstGpuBufferPool
{
  GstBufferPool parent;

  GstAllocator *allocator;
  GstAllocationParams params;
  GstVideoInfo info;
  GstVideoAlignment alignment;
  gboolean add_video_meta;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuBufferPool, gst_gpu_buffer_pool,
    GST_TYPE_BUFFER_POOL, GST_DEBUG_CATEGORY_INIT (gst_gpu_buffer_pool_debug,
        "gpubufferpool", 0, "pool of frames shared by CPU and GPU"));

static const gchar **
gst_gpu_buffer_pool_get_options (GstBufferPool * pool)
{
  static const gchar *options[] = {
    GST_BUFFER_POOL_OPTION_VIDEO_META,
    GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT,
    NULL
  };

  return options;
}

/* Writes the alignment that frames really get back into @config. */
static gboolean
apply_alignment (GstGpuBufferPool * self, GstStructure * config)
{
  gst_video_alignment_reset (&self->alignment);
  /* Without the meta nobody could tell where the pixels are. */
  if (!self->add_video_meta || !gst_buffer_pool_config_has_option (config,
          GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT))
    return TRUE;
  gst_buffer_pool_config_get_video_alignment (config, &self->alignment);
  if (!gst_video_info_align (&self->info, &self->alignment))
    return FALSE;
  gst_buffer_pool_config_set_video_alignment (config, &self->alignment);
  return TRUE;
}

static gboolean
gst_gpu_buffer_pool_set_config (GstBufferPool * pool, GstStructure * config)
{
  GstGpuBufferPool *self = GST_GPU_BUFFER_POOL (pool);
  GstCaps *caps;
  guint size, min, max;

  if (!gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max)
      || !caps || !gst_video_info_from_caps (&self->info, caps)) {
    GST_WARNING_OBJECT (self, "no video caps in %" GST_PTR_FORMAT, config);
    return FALSE;
  }
  gst_buffer_pool_config_get_allocator (config, NULL, &self->params);
  if (self->params.align > MAPPED_ALIGNMENT_MASK) {
    GST_WARNING_OBJECT (self, "cannot align memory to %" G_GSIZE_FORMAT,
        self->params.align + 1);
    return FALSE;
  }
  self->add_video_meta = gst_buffer_pool_config_has_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!apply_alignment (self, config)) {
    GST_WARNING_OBJECT (self, "unusable alignment in %" GST_PTR_FORMAT, config);
    return FALSE;
  }
  self->info.size = MAX (self->info.size, size);
  gst_buffer_pool_config_set_params (config, caps, self->info.size, min, max);
  gst_buffer_pool_config_set_allocator (config, self->allocator, &self->params);
  return GST_BUFFER_POOL_CLASS
      (gst_gpu_buffer_pool_parent_class)->set_config (pool, config);
}

static GstFlowReturn
gst_gpu_buffer_pool_alloc (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstGpuBufferPool *self = GST_GPU_BUFFER_POOL (pool);
  GstVideoInfo *info = &self->info;

  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, gst_allocator_alloc (self->allocator,
          info->size, &self->params));
  if (self->add_video_meta) {
    GstVideoMeta *meta = gst_buffer_add_video_meta_full (*buffer,
        GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
        GST_VIDEO_INFO_N_PLANES (info), info->offset, info->stride);

    gst_video_meta_set_alignment (meta, self->alignment);
  }
  return GST_FLOW_OK;
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
  GstBufferPoolClass *pool_class = GST_BUFFER_POOL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_gpu_buffer_pool_finalize;
  pool_class->get_options = GST_DEBUG_FUNCPTR (gst_gpu_buffer_pool_get_options);
  pool_class->set_config = GST_DEBUG_FUNCPTR (gst_gpu_buffer_pool_set_config);
  pool_class->alloc_buffer = GST_DEBUG_FUNCPTR (gst_gpu_buffer_pool_alloc);
}

static void
gst_gpu_buffer_pool_init (GstGpuBufferPool * self)
{
  gst_allocation_params_init (&self->params);
  gst_video_info_init (&self->info);
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
  GstBufferPool *pool = gst_gpu_buffer_pool_new (allocator);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, 0, min, 0);
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
