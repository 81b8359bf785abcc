/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/frame/yuv.h"
#include <gst/video/video.h>

G_BEGIN_DECLS

/* Between GStreamer's descriptions of a frame and those of gpu/core/frame/frame.h. */

/* The error domain of frames that are not what they are said to be. */
#define GST_GPU_FRAME_ERROR (gst_gpu_frame_error_quark ())
GQuark gst_gpu_frame_error_quark (void);

typedef enum
{
  GST_GPU_FRAME_ERROR_FORMAT,   /* contradicts its caps or metas */
  GST_GPU_FRAME_ERROR_READ,     /* cannot be mapped */
} GstGpuFrameError;

/* FALSE where @video is of a format that gpu/ does not know. */
gboolean gst_gpu_frame_pixels_from_video (const GstVideoInfo * video,
    GpuPixels * pixels);

/* Matrix, range and siting; only of use where @video is Y'CbCr. */
void gst_gpu_frame_yuv_from_video (const GstVideoInfo * video, GpuYuv * yuv);

/* Of @video, or sRGB's where that describes no light between 0 and 1. */
GstVideoTransferFunction
gst_gpu_frame_transfer_from_video (const GstVideoInfo * video);

/* Whether a GstVideoCropMeta says that the frame is only a part of @buffer. The
 * rectangle has the size of @video then; one of another size is ignored here
 * and below. */
gboolean gst_gpu_frame_is_cropped (GstBuffer * buffer,
    const GstVideoInfo * video);

/* Whether who knows @video alone, and looks at no meta, reads the right bytes. */
gboolean gst_gpu_frame_has_default_layout (GstBuffer * buffer,
    const GstVideoInfo * video);

/* How the frame lies in the only memory of @buffer, counted from the start of
 * that memory (its offset included), and whether it is interlaced, which
 * @video leaves to the buffer's flags where modes are mixed. FALSE where there
 * are several memories, or where shaders cannot work on the layout. */
gboolean gst_gpu_frame_info_from_buffer (GpuFrameInfo * info,
    GstBuffer * buffer, const GstVideoInfo * video);

/* Copies the pixels of @from, wherever and however they lie, to @to, row by
 * row, and its flags. Where subsampled planes of a cropped frame cannot begin
 * between two samples, they begin at the one before. Errors:
 * GST_GPU_FRAME_ERROR where it is @from's fault; GST_RESOURCE_ERROR where @to
 * cannot be mapped. */
gboolean gst_gpu_frame_copy (GstBuffer * to, GstBuffer * from,
    const GstVideoInfo * video, GError ** error);

G_END_DECLS
