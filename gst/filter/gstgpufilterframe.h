/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes a frame: from the input buffer to the submission of its work. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Initialises the debug category. Call this once before any frame. */
void gst_gpu_filter_init_frames (void);

/* Sets the video infos of the next frames. If these are other frames than before, releases
 * the pools and marks the subclass as not prepared. */
void gst_gpu_filter_set_infos (GstGpuFilter * self, const GstVideoInfo * in,
    const GstVideoInfo * out);

/* Returns whether a meta with type @api of the input also describes the output. The output
 * has the same size and orientation, and the same colour space if the format is the same.
 * It has other memory, so metas such as GstVideoMeta are not copied. The output is already
 * cropped, so GstVideoCropMeta is not copied. It is not proposed upstream either, because
 * some crop rectangles need a copy. */
gboolean gst_gpu_filter_meta_stays_true (GstGpuFilter * self, GType api);

/* Prepares the subclass for the current caps if that is not done yet. Returns FALSE with
 * @error set on failure: TOO_LARGE, or an error of the subclass. */
gboolean gst_gpu_filter_ensure_prepared (GstGpuFilter * self,
    GError ** error);

/* Returns whether the frame in @buffer may become the output where it lies: the subclass works
 * in place, nobody else has the frame, and all its metas stay true; it is not cropped then. */
gboolean gst_gpu_filter_may_write (GstGpuFilter * self, GstBuffer * buffer);

/* Copies an input frame with the CPU and counts it. Errors: see gst_gpu_frame_copy(). */
gboolean gst_gpu_filter_copy_frame (GstGpuFilter * self, GstBuffer * to,
    GstBuffer * from, GError ** error);

/* Records and submits the work of a frame. Copies @inbuf first if shaders cannot read it.
 * @outbuf must come from the output pool, or be @inbuf, which may be written. Returns FALSE with @error set on failure;
 * CANCELLED if the stream is flushing or stopping. */
gboolean gst_gpu_filter_work_on_frame (GstGpuFilter * self,
    GstBuffer * inbuf, GstBuffer * outbuf, GError ** error);

/* Handles the failure of the input frame @buffer: drops it, or posts an error. Returns the
 * flow of the element. */
GstFlowReturn gst_gpu_filter_fail_frame (GstGpuFilter * self,
    GstBuffer * buffer, const GError * error);

G_END_DECLS
