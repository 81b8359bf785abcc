/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One frame: from an input buffer to work that is submitted, or has failed. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Once, before any frame. */
void gst_gpu_filter_init_frames (void);

/* What the next frames are. Forgets what was made for frames of other caps. */
void gst_gpu_filter_set_infos (GstGpuFilter * self, const GstVideoInfo * in,
    const GstVideoInfo * out);

/* Whether a meta that describes the input describes the output as well: same
 * size, same orientation, and the same colours where the format stays; but
 * other memory, so that GstVideoMeta, for one, is not copied. Cropping has been
 * done by then; it is not asked for upstream either, as it takes a copy where
 * the rectangle lies badly. */
gboolean gst_gpu_filter_meta_stays_true (GstGpuFilter * self, GType api);

/* Builds what frames of the present caps need, unless it was done. Errors:
 * TOO_LARGE, and what the subclass says. */
gboolean gst_gpu_filter_ensure_prepared (GstGpuFilter * self,
    GError ** error);

/* Copies an input frame by the CPU, which is counted. Errors: as of
 * gst_gpu_frame_copy(). */
gboolean gst_gpu_filter_copy_frame (GstGpuFilter * self, GstBuffer * to,
    GstBuffer * from, GError ** error);

/* Submits the work on one frame; @inbuf is copied first where it cannot be read
 * in place. @outbuf: of the output pool. Errors: CANCELLED among others. */
gboolean gst_gpu_filter_work_on_frame (GstGpuFilter * self,
    GstBuffer * inbuf, GstBuffer * outbuf, GError ** error);

/* What becomes of @buffer, an input frame that could not be worked on. */
GstFlowReturn gst_gpu_filter_fail_frame (GstGpuFilter * self,
    GstBuffer * buffer, const GError * error);

G_END_DECLS
