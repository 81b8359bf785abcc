/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include "gpu/core/compute/pixels.h"
#include "gpu/core/device/foreign.h"
#include "gst/memory/gstgpubufferpool.h"
#include "gst/memory/gstgpuframe.h"

#define GST_CAT_DEFAULT gst_gpu_filter_debug

#define PARENT_CLASS \
    GST_BASE_TRANSFORM_CLASS (g_type_class_peek (GST_TYPE_BASE_TRANSFORM))

gsize
gst_gpu_filter_get_most (GstGpuFilter * self, const GstVideoInfo * info)
{
  const GpuDeviceInfo *limits = gpu_device_get_info (self->priv->device);
  GpuPixels pixels;

  return GST_GPU_FILTER_GET_CLASS (self)->binds_parts
      && GST_VIDEO_INFO_N_PLANES (info) == 1
      && gst_gpu_frame_pixels_from_video (info, &pixels)
      && gpu_pixels_are_supported (pixels)
      ? limits->max_buffer : limits->max_binding;
}

gboolean
gst_gpu_filter_check_size (GstGpuFilter * self, const GstVideoInfo * info,
    GError ** error)
{
  const GpuDeviceInfo *limits = gpu_device_get_info (self->priv->device);
  gsize most = gst_gpu_filter_get_most (self, info);
  gboolean would_fit;
  GstVideoInfo one;

  if (GST_VIDEO_INFO_SIZE (info) <= most)
    return TRUE;
  /* A format with one plane can be bound in parts. */
  would_fit = gst_video_info_set_format (&one, GST_VIDEO_FORMAT_RGBx,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info))
      && GST_VIDEO_INFO_SIZE (&one) <= gst_gpu_filter_get_most (self, &one);
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "A frame of %d x %d in %s has %" G_GSIZE_FORMAT " bytes, but \"%s\" "
      "works on at most %" G_GSIZE_FORMAT " (its %s); use smaller frames%s or "
      "another device.", GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_NAME (info),
      GST_VIDEO_INFO_SIZE (info), limits->name, most,
      most == limits->max_binding ? "maxStorageBufferRange"
      : "maxMemoryAllocationSize",
      would_fit ? ", a format of one plane such as RGBx" : "");
  return FALSE;
}

guint
gst_gpu_filter_get_min_buffers (GstGpuFilter * self)
{
  return gst_gpu_filter_get_async_depth (self) + 1;
}

/* Returns whether this element can have frames for @info. If not, they can still pass. */
static gboolean
can_work_on (GstGpuFilter * self, const GstVideoInfo * info, GError ** error)
{
  return gst_gpu_filter_check_size (self, info, error)
      && gst_gpu_filter_is_at_port (self);
}

/* The element reads whatever comes, so upstream can do without a pool. */
static void
propose_port_pool (GstGpuFilter * self, GstQuery * query, GstCaps * caps,
    guint min)
{
  GstGpuLink *link = self->priv->link;
  GstBufferPool *pool = link->port->has_pools_for_upstream
      ? link->port->get_pool (link, caps, min, NULL, NULL) : NULL;
  const GType sync = gst_gpu_filter_get_sync_api (self);
  guint size = GST_VIDEO_INFO_SIZE (&self->priv->in_info);
  GstStructure *config;

  if (sync != G_TYPE_INVALID)
    gst_query_add_allocation_meta (query, sync, NULL);
  if (pool) {
    config = gst_buffer_pool_get_config (pool);
    gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL);
    gst_structure_free (config);
  }
  gst_query_add_allocation_pool (query, pool, size, min, 0);
  gst_clear_object (&pool);
}

/* Proposes this element's pool even while frames pass through, so that no new negotiation
 * is needed when they no longer do. Downstream may hold frames that pass, so its number of
 * buffers is added. */
gboolean
gst_gpu_filter_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;
  guint min = priv->next_holds + gst_gpu_filter_get_min_buffers (self), index;
  g_autoptr (GError) error = NULL;
  GstBufferPool *pool = NULL;
  GstVideoInfo info;
  GstCaps *caps;
  gboolean need_pool;

  /* Upstream may ask for it because it frees its memory. */
  gst_gpu_filter_give_back (self);
  if (priv->foreign)
    return PARENT_CLASS->propose_allocation (trans, NULL, query);
  gst_query_parse_allocation (query, &caps, &need_pool);
  if (!caps || !gst_video_info_from_caps (&info, caps))
    return FALSE;
  /* Frames that are too large can only pass. */
  if (!can_work_on (self, &info, &error)) {
    GST_INFO_OBJECT (self, "offers no pool upstream: %s",
        error ? error->message : "its device is not that of the frames");
    decide_query = NULL;
  }
  if (!PARENT_CLASS->propose_allocation (trans, decide_query, query))
    return FALSE;
  if (!decide_query) {
    while (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE,
            &index))
      gst_query_remove_nth_allocation_meta (query, index);
    return TRUE;
  }
  /* Other elements take the first pool, and those of this plugin their own. */
  if (!gst_gpu_port_is_system (priv->port) && need_pool)
    propose_port_pool (self, query, caps, min);
  if (need_pool)
    pool = gst_gpu_buffer_pool_new_for_caps (priv->allocator, caps, min, FALSE);
  GST_INFO_OBJECT (self, "offers upstream %u buffers of %" G_GSIZE_FORMAT
      " bytes on %s", min, GST_VIDEO_INFO_SIZE (&info),
      gpu_device_get_info (priv->device)->name);
  gst_query_add_allocation_pool (query, pool, GST_VIDEO_INFO_SIZE (&info), min,
      0);
  if (gst_gpu_port_is_system (priv->port))
    gst_query_add_allocation_param (query, priv->allocator, NULL);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_clear_object (&pool);
  return TRUE;
}

/* Returns whether downstream proposes a pool of this type on the same device. @min: number
 * of frames that downstream wants to hold. */
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

/* Returns whether what follows @pad is an element of this plugin, with nothing in between but
 * elements that hand on any memory. A pool shows less: it can come from behind an element that
 * lets frames pass only for now. */
static gboolean
leads_to_ours (GstPad * pad)
{
  static const gchar *const transparent[] = {
    "GstQueue", "GstCapsFilter", "GstIdentity"
  };
  g_autoptr (GstPad) peer = gst_pad_get_peer (pad);
  g_autoptr (GstElement) next = peer ? gst_pad_get_parent_element (peer) : NULL;
  g_autoptr (GstPad) behind = NULL;

  if (!next || GST_IS_GPU_FILTER (next))
    return next != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (transparent); i++)
    if (g_str_equal (G_OBJECT_TYPE_NAME (next), transparent[i]))
      behind = gst_element_get_static_pad (next, "src");
  return behind && leads_to_ours (behind);
}

/* Returns the allocation parameters that downstream asks for if the allocator supports
 * them for @size bytes, else the default ones. */
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

/* Returns whether both pools make the same buffers. Caps are ignored: if caps describe
 * other frames, the old pool has already been released. */
static gboolean
pools_are_alike (GstBufferPool * a, GstBufferPool * b)
{
  GstStructure *x = gst_buffer_pool_get_config (a);
  GstStructure *y = gst_buffer_pool_get_config (b);
  gboolean alike;

  gst_structure_remove_field (x, "caps");
  gst_structure_remove_field (y, "caps");
  alike = G_OBJECT_TYPE (a) == G_OBJECT_TYPE (b)
      && gst_structure_is_equal (x, y);
  gst_structure_free (x);
  gst_structure_free (y);
  return alike;
}

/* Returns whether @pool, for frames under caps of system memory, is of downstream. */
static gboolean
is_theirs (GstGpuFilterPrivate * priv, GstBufferPool * pool)
{
  return gst_gpu_port_is_system (priv->port) && !GST_IS_GPU_BUFFER_POOL (pool);
}

/* Takes @proposed, the pool of downstream, for the output, if it is of dma-bufs that the device may
 * be able to write; or keeps one like it. Returns FALSE if not. A frame is done when it is
 * handed on, so this element needs one buffer beside those that downstream holds. */
static gboolean
take_their_pool (GstGpuFilter * self, GstCaps * caps, GstBufferPool * proposed)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (!proposed || !is_theirs (priv, proposed) || priv->next_reads_device
      || !priv->next_knows_layouts || priv->has_left_pool
      || !gst_gpu_dmabufs_are_supported (priv->device))
    return FALSE;
  /* A pool that is active keeps its configuration. */
  if (proposed != priv->output) {
    if (!gst_gpu_dmabufs_configure_pool (proposed, caps, priv->next_holds + 1))
      return FALSE;
    if (priv->output && pools_are_alike (priv->output, proposed))
      proposed = priv->output;
  }
  if (!gst_buffer_pool_set_active (proposed, TRUE))
    return FALSE;
  if (proposed != priv->output) {
    gst_gpu_buffer_pool_release (&priv->output);
    priv->output = gst_object_ref (proposed);
    GST_INFO_OBJECT (self,
        "output is from the pool of downstream, of dma-bufs");
  }
  return TRUE;
}

/* Returns a new pool for frames of @caps in memory of this element, or NULL on failure. */
static GstBufferPool *
new_own_pool (GstGpuFilter * self, GstCaps * caps)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstBufferPool *pool;
  GstStructure *config;

  pool = gst_gpu_buffer_pool_new_for_caps (priv->allocator, caps,
      priv->next_holds + gst_gpu_filter_get_min_buffers (self),
      priv->next_knows_layouts);
  if (!pool)
    return NULL;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_allocator (config, priv->allocator,
      &priv->next_params);
  if (!gst_buffer_pool_set_config (pool, config))
    gst_clear_object (&pool);
  return pool;
}

/* Returns a pool for frames of @caps, in memory of the port, or NULL on failure. */
static GstBufferPool *
get_pool (GstGpuFilter * self, GstCaps * caps, GstBufferPool * proposed,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  return gst_gpu_port_is_system (priv->port) || priv->next_reads_device
      ? new_own_pool (self, caps)
      : priv->port->get_pool (priv->link, caps,
      priv->next_holds + gst_gpu_filter_get_min_buffers (self), proposed,
      error);
}

/* Keeps the current pool with its frames if it suits. @proposed: the first pool of downstream, or
 * NULL. May return FALSE without @error. */
static gboolean
ensure_output (GstGpuFilter * self, GstCaps * caps, GstBufferPool * proposed,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstBufferPool *pool;

  if (take_their_pool (self, caps, proposed))
    return TRUE;
  pool = get_pool (self, caps, proposed, error);
  if (!pool)
    return FALSE;
  if (priv->output && pools_are_alike (priv->output, pool)) {
    gst_object_unref (pool);
    return TRUE;
  }
  gst_gpu_buffer_pool_release (&priv->output);
  if (!gst_buffer_pool_set_active (pool, TRUE)) {
    gst_object_unref (pool);
    return FALSE;
  }
  priv->output = pool;
  GST_INFO_OBJECT (self, "output is from a pool of %u buffers of %"
      G_GSIZE_FORMAT " bytes", priv->next_holds
      + gst_gpu_filter_get_min_buffers (self),
      GST_VIDEO_INFO_SIZE (&priv->out_info));
  return TRUE;
}

/* @reason: NULL for want of memory. */
static void
post_no_output (GstGpuFilter * self, const GError * reason)
{
  g_autoptr (GError) error = reason ? g_error_copy (reason)
      : g_error_new_literal (GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "There is no memory for an output "
      "frame; use smaller frames or close other programs.");

  GST_GPU_FILTER_ERROR (self, error);
}

/* In system memory, output comes from this element's pool, in the default layout, which elements
 * without GstVideoMeta assume: unless downstream proposes dma-bufs, the only memory of others that
 * the device can write. The pools of downstream are removed from the query before the parent
 * class sees it. It would not keep a pool when caps change, and would use another pool if it
 * cannot configure the first. */
gboolean
gst_gpu_filter_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;
  gboolean ours = can_work_on (self, &priv->out_info, NULL);
  g_autoptr (GstBufferPool) proposed = NULL;
  g_autoptr (GError) error = NULL;
  guint max = 0;
  GstCaps *caps;

  priv->next_knows_layouts = gst_query_find_allocation_meta (query,
      GST_VIDEO_META_API_TYPE, NULL);
  priv->next_knows_crops = gst_query_find_allocation_meta (query,
      GST_VIDEO_CROP_META_API_TYPE, NULL);
  priv->next_reads_device = parse_peer_pools (priv->device, query,
      &priv->next_holds) && (gst_gpu_port_is_system (priv->port)
      || leads_to_ours (GST_BASE_TRANSFORM_SRC_PAD (self)));
  GST_INFO_OBJECT (self,
      "downstream holds %u buffers, %s memory of the device, "
      "and knows%s GstVideoMeta and%s GstVideoCropMeta", priv->next_holds,
      priv->next_reads_device ? "reads" : "does not read",
      priv->next_knows_layouts ? "" : " no",
      priv->next_knows_crops ? "" : " no");
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &proposed, NULL, NULL, &max);
  /* A frame that waits for a buffer of downstream could wait for ever. */
  if (max > 0 && gst_gpu_port_is_system (priv->port))
    gst_clear_object (&proposed);
  while (ours && gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);
  /* On failure the parent class posts the error. */
  if (!PARENT_CLASS->decide_allocation (trans, query))
    return FALSE;
  gst_query_parse_allocation (query, &caps, NULL);
  if (ours)
    priv->next_params = get_wanted_params (query, priv->allocator,
        GST_VIDEO_INFO_SIZE (&priv->out_info));
  if (ours && !ensure_output (self, caps, proposed, &error)) {
    post_no_output (self, error);
    return FALSE;
  }
  /* Only a successful negotiation gets here. A negotiation that fails for every frame thus
   * posts one error. */
  gst_gpu_filter_forget_errors (self);
  return TRUE;
}

/* Returns whether downstream can use @buffer as it is: it understands the crop and the
 * layout. */
static gboolean
next_understands (GstGpuFilter * self, GstBuffer * buffer)
{
  GstGpuFilterPrivate *priv = self->priv;

  /* What other libraries have needs no layouts, and stays cropped: only the CPU could copy it. */
  if (!gst_gpu_port_is_system (priv->port))
    return gst_gpu_filter_fits_port (self, buffer);
  if (gst_gpu_frame_is_cropped (buffer, &priv->in_info)
      && !priv->next_knows_crops)
    return FALSE;
  return priv->next_knows_layouts
      || gst_gpu_frame_has_default_layout (buffer, &priv->in_info);
}

/* Takes a pool of this element in place of that of downstream, until frames of another kind come or
 * another device. If there can be none, nothing changes, and FALSE is returned. */
static gboolean
leave_their_pool (GstGpuFilter * self, const gchar * reason)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (&priv->out_info);
  g_autoptr (GstBufferPool) pool = new_own_pool (self, caps);

  GST_INFO_OBJECT (self, "leaves the pool of downstream: %s", reason);
  if (!pool || !gst_buffer_pool_set_active (pool, TRUE))
    return FALSE;
  gst_gpu_buffer_pool_release (&priv->output);
  gst_gpu_filter_release_port_frames (self);
  priv->output = g_steal_pointer (&pool);
  priv->has_left_pool = TRUE;
  return TRUE;
}

static GstFlowReturn
acquire_output (GstGpuFilter * self, GstBuffer ** buffer)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstFlowReturn flow =
      gst_buffer_pool_acquire_buffer (priv->output, buffer, NULL);
  g_autoptr (GError) error = NULL;

  if (!is_theirs (priv, priv->output) || flow == GST_FLOW_FLUSHING)
    return flow;
  /* The CPU copies a frame that passes. If the device is lost, the frame fails later on. */
  if (flow == GST_FLOW_OK && (priv->passes || gpu_device_is_lost (priv->device)
          || gst_gpu_filter_can_fill (self, *buffer, &error)))
    return flow;
  gst_clear_buffer (buffer);
  if (g_error_matches (error, GPU_ERROR, GPU_ERROR_CANCELLED))
    return GST_FLOW_FLUSHING;
  return leave_their_pool (self, error ? error->message : "it has no buffer")
      ? gst_buffer_pool_acquire_buffer (priv->output, buffer, NULL)
      : GST_FLOW_ERROR;
}

gboolean
gst_gpu_filter_fills_their_pool (GstGpuFilter * self)
{
  return self->priv->output && is_theirs (self->priv, self->priv->output);
}

GstFlowReturn
gst_gpu_filter_get_output (GstGpuFilter * self, GstBuffer * inbuf,
    gboolean may_stay, GstBuffer ** outbuf)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstGpuFilterPrivate *priv = self->priv;
  GstFlowReturn flow;

  if (priv->foreign || (may_stay && next_understands (self, inbuf))) {
    *outbuf = inbuf;
    return GST_FLOW_OK;
  }
  if (!priv->output) {
    /* The frame is too large for the device, and so passes. A frame may not fill all of a buffer
     * of another pool, and old memory content must not leak. */
    flow = PARENT_CLASS->prepare_output_buffer (trans, inbuf, outbuf);
    if (flow == GST_FLOW_OK)
      gst_buffer_memset (*outbuf, 0, 0, gst_buffer_get_size (*outbuf));
    return flow;
  }
  flow = acquire_output (self, outbuf);
  if (flow == GST_FLOW_OK)
    GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans, inbuf, *outbuf);
  else if (flow == GST_FLOW_ERROR)
    post_no_output (self, NULL);
  return flow;
}
