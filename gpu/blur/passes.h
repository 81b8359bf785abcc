/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur by passes over planes (pass.h): methods that are lists of these. */
#pragma once

#include "method.h"
#include "recording.h"

G_BEGIN_DECLS

typedef struct _GpuBlurPasses GpuBlurPasses;

GpuBlurPasses *gpu_blur_passes_new (GpuDevice * device);
void gpu_blur_passes_free (GpuBlurPasses * passes);

/* Bytes of its buffers. */
gsize gpu_blur_passes_get_memory (GpuBlurPasses * passes);

/* Makes room for frames like @info, whatever method, sigma and radius. On FALSE,
 * what was prepared before still is. Errors: TOO_LARGE, OUT_OF_MEMORY. */
gboolean gpu_blur_passes_prepare (GpuBlurPasses * passes,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error);

/* @method for frames of @pixels with the kernel and the precision of @settings, and
 * light if they have it: the same at each call, with what was built of it; what the
 * device has room for is found out at the first. Owned by @passes. */
GpuBlurReadyMethod *gpu_blur_passes_get_method (GpuBlurPasses * passes,
    GpuBlurMethod method, const GpuBlurSettings * settings, GpuPixels pixels);

/* As gpu_blur_record(), for room that is prepared and a method that has been built for
 * the settings of @recording. Sets the method and the stages of its report. */
gboolean gpu_blur_passes_record (GpuBlurPasses * passes,
    GpuBlurReadyMethod * method, const GpuBlurRecording * recording,
    GError ** error);

G_END_DECLS
