/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur by marching strips: one dispatch, in which a group marches down a
 * strip of columns, a few outputs a thread along either axis, row sums in a
 * ring in shared memory (shaders/blur/strips.comp). */
#pragma once

#include "blur.h"

G_BEGIN_DECLS

typedef struct _GpuBlurStrips GpuBlurStrips;

GpuBlurStrips *gpu_blur_strips_new (GpuDevice * device);
void gpu_blur_strips_free (GpuBlurStrips * strips);

/* Bytes of its buffers. */
gsize gpu_blur_strips_get_memory (GpuBlurStrips * strips);

/* The largest radius on @device at @precision, in any format of bytes; values
 * have a few more. */
guint gpu_blur_strips_max_radius (GpuDevice * device,
    GpuBlurPrecision precision);

/* Whether @settings can be done: weighted sums, within reach on every plane of
 * @info. Whole boxes of bytes are not: those are summed in integers. */
gboolean gpu_blur_strips_reaches (GpuBlurStrips * strips,
    const GpuBlurSettings * settings, const GpuFrameInfo * info);

/* Builds what the first frame needs, if settings are reached. On FALSE, what was
 * prepared before still is. Errors: OUT_OF_MEMORY, LOST. */
gboolean gpu_blur_strips_prepare (GpuBlurStrips * strips, GpuPixels pixels,
    const GpuBlurSettings * settings, GError ** error);

/* As gpu_blur_record(), for settings that are reached, and pixels and precision
 * that were prepared once. Sets the method and the stages of @report, one for
 * planes that are done together. */
gboolean gpu_blur_strips_record (GpuBlurStrips * strips, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error);

/* Waits for all kernels that are built in the background. */
void gpu_blur_strips_wait (GpuBlurStrips * strips);

G_END_DECLS
