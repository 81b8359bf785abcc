/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a method has to do with a frame, counted: what auto goes by, and what
 * tests/bench/fit-costs finds constants for. */
#pragma once

#include "task.h"
#include "weights.h"

G_BEGIN_DECLS

/* What is summed, whatever precision was asked for. */
typedef enum
{
  GPU_BLUR_SUMS_HALF,           /* stored as such alone */
  GPU_BLUR_SUMS_IN_HALVES,
  GPU_BLUR_SUMS_FLOAT,
  GPU_BLUR_SUMS_INTEGERS,
} GpuBlurSums;

/* Of strips: those that differ by more than what is counted. */
typedef enum
{
  GPU_BLUR_USUAL,
  GPU_BLUR_CROWDED,             /* half the threads on a ring */
  GPU_BLUR_ROLLED,              /* too wide to be unrolled */
  GPU_BLUR_NARROW_ROLLED,       /* not unrolled for another reason */
  GPU_BLUR_OF_VALUES,           /* of formats of halves or floats, unrolled */
} GpuBlurForm;

/* A sample is a component, but for those that are not used. */
typedef enum
{
  GPU_BLUR_DISPATCHES,          /* one after the other */
  GPU_BLUR_CHAIN,               /* taps that one thread does after another, for
                                   frames that do not fill a device */
  GPU_BLUR_PIXELS,              /* millions, of all planes, as what follows */
  GPU_BLUR_STRADDLING,          /* pixels that words do not hold whole */
  GPU_BLUR_BYTES,
  GPU_BLUR_SAMPLES,
  GPU_BLUR_TAPS,                /* of all samples; of a pyramid, the samples of
                                   its levels */
  GPU_BLUR_GROUP_TAPS,          /* those that are summed for a group alone */
  GPU_BLUR_HELD,                /* taps of all pixels, times the words of shared
                                   memory that a thread has of its tile: the
                                   more, the fewer threads there are at a time */
  GPU_BLUR_N_WORKS,
} GpuBlurWork;

typedef struct
{
  GpuBlurMethod method;
  GpuBlurSums sums;
  GpuBlurForm form;
  gdouble n[GPU_BLUR_N_WORKS];
} GpuBlurWorkload;

typedef struct _GpuBlur GpuBlur;

/* Of the method of @settings, not AUTO, on a frame like @info. FALSE where it does not
 * reach. (blur.c) */
gboolean gpu_blur_get_workload (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GpuBlurWorkload * workload);

/* --- how it is counted --- */

/* All that does not depend on the method, as for sums of values that are usual: the rest
 * is added by its family (family.h). */
void gpu_blur_workload_init (GpuBlurWorkload * workload,
    const GpuBlurTask * task);

/* A plane, counted. */
typedef struct
{
  guint components;
  gdouble pixels, samples;      /* millions */
  GpuBlurAxes axes;
} GpuBlurPlaneSize;

void gpu_blur_plane_size_init (GpuBlurPlaneSize * size,
    const GpuBlurTask * task, guint plane);

G_END_DECLS
