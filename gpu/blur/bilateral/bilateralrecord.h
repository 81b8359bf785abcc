/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records the passes of the bilateral filter, from frame to frame, as short
 * dispatches. */
#pragma once

#include "bilateralkernels.h"
#include "gpu/blur/family.h"

G_BEGIN_DECLS

#define GPU_BLUR_BILATERAL_SCRATCHES 2

/* The family's private struct. */
typedef struct
{
  GpuBlurFamily family;
  GpuDevice *device;
  GpuBlurBilateralKernels *kernels;
  GpuBuffer *tables;            /* bilateraltables.h */
  GpuBuffer *scratches[GPU_BLUR_BILATERAL_SCRATCHES];   /* frames between passes */
} GpuBlurBilateral;

/* Fills in the layout of a scratch frame for frames like @like. */
void gpu_blur_bilateral_lay_out (const GpuFrameInfo * like,
    GpuFrameInfo * scratch);

/* As record() of a family (family.h). The buffers are prepared for the settings. */
gboolean gpu_blur_bilateral_record (GpuBlurBilateral * bilateral,
    GpuBlurMethod method, const GpuBlurRecording * recording, GError ** error);

G_END_DECLS
