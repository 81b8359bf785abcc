/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur over coarser levels: down to a level on which the Gaussian is narrow,
 * that Gaussian, and up again (levels.h, shaders/blur/pyramid/pyramid_*.comp). What a
 * frame costs hardly depends on sigma, and no Gaussian is cut.
 *
 * The first step down reads the frame, the last one up writes it. Planes are done
 * side by side. */
#pragma once

#include "gpu/blur/recording.h"
#include "pyramidkernels.h"
#include "gpu/blur/tuning.h"

G_BEGIN_DECLS

typedef struct _GpuBlurPyramid GpuBlurPyramid;

/* What is decided once for a Gaussian on frames that are alike, by plane. */
typedef struct
{
  GpuBlurLevels levels[GPU_MAX_PLANES];
  gboolean is_walked[GPU_MAX_PLANES];
  GpuBlurPyramidKernels kernels[GPU_MAX_PLANES];
} GpuBlurPyramidPlan;

/* @builder is freed first. */
GpuBlurPyramid *gpu_blur_pyramid_new (GpuDevice * device,
    GpuBuilder * builder);
void gpu_blur_pyramid_free (GpuBlurPyramid * pyramid);

/* Which kernels it has, from the next preparation on; 0: those for the device. */
void gpu_blur_pyramid_set_kind (GpuBlurPyramid * pyramid,
    GpuBlurPyramidKind kind);

/* Bytes of its buffers. */
gsize gpu_blur_pyramid_get_memory (GpuBlurPyramid * pyramid);

/* The levels of each plane for @settings on @info; NULL where they cannot be done: only
 * a Gaussian that is not cut by a radius can, wide enough, on planes that are neither
 * too small for it nor too large for the device. Those of the last call are kept, until
 * the next. */
const GpuBlurLevels *gpu_blur_pyramid_find_levels (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info);

/* Makes room for frames like @info, whatever sigma is; nothing, where they are too
 * large, or it is no Gaussian. On FALSE, what was prepared before still is. Errors:
 * OUT_OF_MEMORY, LOST. */
gboolean gpu_blur_pyramid_prepare (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error);

/* Builds kernels for frames like @info and any sigma. Errors: as above. */
gboolean gpu_blur_pyramid_build (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error);

/* Has the same built in the background, for what may come. */
void gpu_blur_pyramid_expect (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info);

/* Fills in @plan for @settings, which have levels, on frames like @info, and builds what
 * that needs and is not built. Errors: as above. */
gboolean gpu_blur_pyramid_plan (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GpuBlurPyramidPlan * plan, GError ** error);

/* As gpu_blur_record(), for a @recording whose settings and frames @plan is of, and that
 * are prepared. Sets the method of its report and adds its stages. */
gboolean gpu_blur_pyramid_record (GpuBlurPyramid * pyramid,
    const GpuBlurPyramidPlan * plan, const GpuBlurRecording * recording,
    GError ** error);

G_END_DECLS
