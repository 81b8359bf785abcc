/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where frames come from: the pool that is proposed upstream, and the one for
 * output. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Bytes of memory that a frame may be in. */
gsize gst_gpu_filter_get_most (GstGpuFilter * self, const GstVideoInfo * info);
/* Whether a frame of this size may. Errors: TOO_LARGE. */
gboolean gst_gpu_filter_check_size (GstGpuFilter * self,
    const GstVideoInfo * info, GError ** error);

/* One frame more than can be in flight: the one being filled then never waits
 * for an older one. */
guint gst_gpu_filter_get_min_buffers (GstGpuFilter * self);

/* As propose_allocation and decide_allocation of GstBaseTransformClass. */
gboolean gst_gpu_filter_offer_pool (GstGpuFilter * self,
    GstQuery * decide_query, GstQuery * query);
gboolean gst_gpu_filter_settle_output (GstGpuFilter * self, GstQuery * query);

/* Where the frame in @inbuf goes, as prepare_output_buffer of GstBaseTransformClass:
 * @inbuf itself where it passes and needs no other layout. */
GstFlowReturn gst_gpu_filter_get_output (GstGpuFilter * self,
    GstBuffer * inbuf, GstBuffer ** outbuf);

G_END_DECLS
