/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Negotiation of caps. The filter offers the caps that it supports with the current
 * property values. If there is nothing to do, it offers all other caps after these. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Implements transform_caps of GstBaseTransformClass. */
GstCaps *gst_gpu_filter_get_other_caps (GstGpuFilter * self,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter);

/* Returns whether the filter can process frames with these fixed caps of the sink pad, with
 * some property values. Other frames are foreign: they can only pass. */
gboolean gst_gpu_filter_can_work_on (GstGpuFilter * self, GstCaps * caps);

/* Restricts the answer to a caps query on the pad in @direction to caps that can be
 * processed or passed. Without a peer on the other pad the answer is the template. */
void gst_gpu_filter_narrow_caps (GstGpuFilter * self,
    GstPadDirection direction, GstQuery * query);

/* Has the warning of gst_gpu_filter_note_ignored() posted again. Call this while latching. */
void gst_gpu_filter_warn_again (GstGpuFilter * self);

/* Call this for each frame on the streaming thread. If a property value does not apply to
 * the frame, asks upstream for other caps. If upstream cannot or does not provide them,
 * posts a warning: not again for the same reason in succession, unless
 * gst_gpu_filter_warn_again() asks for it. */
void gst_gpu_filter_note_ignored (GstGpuFilter * self);

G_END_DECLS
