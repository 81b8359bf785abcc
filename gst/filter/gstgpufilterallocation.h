/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffer pools: the pool that is proposed upstream, and the output pool. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Returns the maximum size in bytes of the memory of a frame. */
gsize gst_gpu_filter_get_most (GstGpuFilter * self, const GstVideoInfo * info);
/* Returns whether a frame of this size is allowed; FALSE with @error set (TOO_LARGE) if
 * not. */
gboolean gst_gpu_filter_check_size (GstGpuFilter * self,
    const GstVideoInfo * info, GError ** error);

/* Returns the minimum number of buffers of a pool: one more than frames can be in flight,
 * so that the frame being filled never waits for an older one. */
guint gst_gpu_filter_get_min_buffers (GstGpuFilter * self);

/* Implement propose_allocation and decide_allocation of GstBaseTransformClass. */
gboolean gst_gpu_filter_offer_pool (GstGpuFilter * self,
    GstQuery * decide_query, GstQuery * query);
gboolean gst_gpu_filter_settle_output (GstGpuFilter * self, GstQuery * query);

/* Implements prepare_output_buffer of GstBaseTransformClass. Sets @outbuf to @inbuf itself
 * if the frame is foreign; also if it @may_stay where it lies, and downstream can use its
 * layout. */
GstFlowReturn gst_gpu_filter_get_output (GstGpuFilter * self,
    GstBuffer * inbuf, gboolean may_stay, GstBuffer ** outbuf);

G_END_DECLS
