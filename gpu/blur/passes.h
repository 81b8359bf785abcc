/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur by passes over planes (pass.h), of any settings. Where the method asked
 * for does not reach, another one that always does stands in. */
#pragma once

#include "blur.h"

G_BEGIN_DECLS

typedef struct _GpuBlurPasses GpuBlurPasses;

GpuBlurPasses *gpu_blur_passes_new (GpuDevice * device);
void gpu_blur_passes_free (GpuBlurPasses * passes);

/* Bytes of its buffers. */
gsize gpu_blur_passes_get_memory (GpuBlurPasses * passes);

/* As gpu_blur_prepare(). */
gboolean gpu_blur_passes_prepare (GpuBlurPasses * passes, GpuPixels pixels,
    guint width, guint height, const GpuBlurSettings * settings,
    GError ** error);

/* As gpu_blur_record(). Sets the method and the stages of @report. */
gboolean gpu_blur_passes_record (GpuBlurPasses * passes, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error);

G_END_DECLS
