/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats and frames: GStreamer's descriptions of them, as those of gpu/core/frame/. */
#pragma once

#include "gpu/core/frame/frame.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

/* --- formats --- */

/* Returns whether to include the format. */
typedef gboolean (*GstGpuFormatsFilter) (GpuPixels pixels);

/* Returns caps with all formats that @is_wanted accepts and GStreamer knows, in the order
 * of the table: one structure for system memory, with only a format field. They are made
 * once for each function @is_wanted. The caller owns the reference. */
GstCaps *gst_gpu_formats_get_caps (GstGpuFormatsFilter is_wanted);

/* Finds GStreamer's @format in the table. Returns FALSE if it is not there. */
gboolean gst_gpu_formats_find (GstVideoFormat format, GpuPixels * pixels);

/* --- frames ---
 *
 * Converts GStreamer's descriptions of a frame to those of gpu/core/frame/frame.h. */

/* Error domain for invalid input frames. */
#define GST_GPU_FRAME_ERROR (gst_gpu_frame_error_quark ())
GQuark gst_gpu_frame_error_quark (void);

typedef enum
{
  GST_GPU_FRAME_ERROR_FORMAT,   /* the frame contradicts its caps or metas */
  GST_GPU_FRAME_ERROR_READ,     /* the frame cannot be mapped */
} GstGpuFrameError;

/* Sets @pixels to the format of @video. Returns FALSE if gpu/ does not support it. */
gboolean gst_gpu_frame_pixels_from_video (const GstVideoInfo * video,
    GpuPixels * pixels);

/* Sets @yuv to the matrix, range and chroma siting of @video. Meaningful only if @video
 * is Y'CbCr. */
void gst_gpu_frame_yuv_from_video (const GstVideoInfo * video, GpuYuv * yuv);

/* Returns the transfer function of @video. Returns that of sRGB if it is unknown or does
 * not map to light between 0 and 1 (PQ, HLG, logarithmic). */
GstVideoTransferFunction
gst_gpu_frame_transfer_from_video (const GstVideoInfo * video);

/* Returns whether the frame is only a part of @buffer according to its GstVideoCropMeta.
 * A crop rectangle whose size is not that of @video is ignored, here and below. */
gboolean gst_gpu_frame_is_cropped (GstBuffer * buffer,
    const GstVideoInfo * video);

/* Sets @x and @y to the pixel of @buffer at which the frame begins: that of the crop rectangle, or
 * in formats whose pixels are pairs, the first one of the pair. Returns FALSE if the frame is not
 * cropped; both are 0 then. */
gboolean gst_gpu_frame_get_origin (GstBuffer * buffer,
    const GstVideoInfo * video, gint * x, gint * y);

/* Returns whether @buffer has the layout of @video, so that an element that ignores metas
 * reads it correctly. */
gboolean gst_gpu_frame_has_default_layout (GstBuffer * buffer,
    const GstVideoInfo * video);

/* Fills in @info with the layout of the frame in the only memory of @buffer. Offsets count
 * from the start of that memory, so they include its offset. In interlace mode "mixed",
 * the flags of the buffer tell whether the frame is interlaced. Returns FALSE if there
 * are several memories, if the metas do not fit, or if shaders cannot use the layout. */
gboolean gst_gpu_frame_info_from_buffer (GpuFrameInfo * info,
    GstBuffer * buffer, const GstVideoInfo * video);

/* Does the same for a copy of all bytes of @buffer, in which one memory follows another. */
gboolean gst_gpu_frame_info_from_bytes (GpuFrameInfo * info,
    GstBuffer * buffer, const GstVideoInfo * video);

/* Does the same, but the layout need not suit shaders: copies may use it. */
gboolean gst_gpu_frame_locate (GpuFrameInfo * info, GstBuffer * buffer,
    const GstVideoInfo * video);

/* Fills in @info with the default layout of @video, which is progressive, and whose format
 * shaders can use. */
void gst_gpu_frame_info_from_video (GpuFrameInfo * info,
    const GstVideoInfo * video);

/* Copies the pixels and the flags of @from, in any memory and layout, to @to with the CPU.
 * If a crop rectangle begins between two chroma samples, chroma begins at the sample
 * before. Returns FALSE with @error set on failure: GST_GPU_FRAME_ERROR if @from is
 * invalid, GST_RESOURCE_ERROR if @to cannot be mapped. */
gboolean gst_gpu_frame_copy (GstBuffer * to, GstBuffer * from,
    const GstVideoInfo * video, GError ** error);

/* --- work on the CPU that several threads share ---
 *
 * Such as the copy of a frame: one thread alone does not use all of the memory's
 * bandwidth. */

/* Does part @i of @n. */
typedef void (*GstGpuPart) (guint i, guint n, gpointer data);

/* Calls @part for each part, on this thread and on others if they are free; returns when
 * all are done. Thread safe. */
void gst_gpu_parts_run (GstGpuPart part, gpointer data);

G_END_DECLS
