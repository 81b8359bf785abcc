/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur by marching strips: one dispatch, in which a group marches down a
 * strip of columns, a few outputs a thread along either axis, row sums in a
 * ring in shared memory (shaders/blur/strips/strips.comp). */
#pragma once

#include "stripskernels.h"
#include "gpu/blur/recording.h"

G_BEGIN_DECLS

typedef struct _GpuBlurStrips GpuBlurStrips;

/* What is decided once for frames that are alike. */
typedef struct
{
  GpuBlurStripsSet *sets[GPU_MAX_PLANES];
} GpuBlurStripsPlan;

/* @builder is freed first. */
GpuBlurStrips *gpu_blur_strips_new (GpuDevice * device, GpuBuilder * builder);
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

/* What is best for a plane. */
GpuBlurStripsShape gpu_blur_strips_get_shape (GpuBlurStrips * strips,
    const GpuBlurSettings * settings, const GpuFrameInfo * info, guint plane);

/* Makes room for any frame. Errors: OUT_OF_MEMORY, LOST. */
gboolean gpu_blur_strips_prepare (GpuBlurStrips * strips, GError ** error);

/* Builds what is fastest for @settings, which are reached: what a frame would have
 * built in the background. @rolled: what would serve meanwhile, too, whatever settings
 * come that reach no further. Errors: as above. */
gboolean gpu_blur_strips_build (GpuBlurStrips * strips,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    gboolean rolled, GError ** error);

/* Has what would serve meanwhile built in the background. */
void gpu_blur_strips_expect (GpuBlurStrips * strips,
    const GpuBlurSettings * settings, const GpuFrameInfo * info);

/* Fills in @plan for frames like @info, and for the precision of @settings and whether
 * they are of light. It is good as long as @strips. */
void gpu_blur_strips_plan (GpuBlurStrips * strips,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GpuBlurStripsPlan * plan);

/* As gpu_blur_record(), for a @recording whose settings are reached, and whose frames and
 * precision @plan is of. Sets the method and the stages of its report, one for planes that
 * are done together. */
gboolean gpu_blur_strips_record (GpuBlurStrips * strips,
    const GpuBlurStripsPlan * plan, const GpuBlurRecording * recording,
    GError ** error);

G_END_DECLS
