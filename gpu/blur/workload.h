/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The work of a method on a frame, as counts. AUTO computes a method's cost from them
 * (cost.h); tests/bench/fit-costs fits the constants. */
#pragma once

#include "task.h"
#include "weights.h"

G_BEGIN_DECLS

/* The type of sums. */
typedef enum
{
  GPU_BLUR_SUMS_HALF,           /* stored as halves, computed as floats */
  GPU_BLUR_SUMS_IN_HALVES,      /* stored and computed as halves */
  GPU_BLUR_SUMS_FLOAT,
  GPU_BLUR_SUMS_INTEGERS,
} GpuBlurSums;

/* Forms of strips: each has constants of its own, as its counts do not explain its time.
 * Other methods are GPU_BLUR_USUAL. */
typedef enum
{
  GPU_BLUR_USUAL,
  GPU_BLUR_CROWDED,             /* fewer threads than usual, as the ring is large */
  GPU_BLUR_ROLLED,              /* not unrolled, as the radius is too large */
  GPU_BLUR_NARROW_ROLLED,       /* not unrolled for another reason */
  GPU_BLUR_OF_VALUES,           /* unrolled, for formats of halves or floats */
} GpuBlurForm;

/* The kinds of work that are counted. Unused components are not samples. */
typedef enum
{
  GPU_BLUR_DISPATCHES,          /* dispatches that run one after the other */
  GPU_BLUR_CHAIN,               /* taps that one thread sums one after the other:
                                   matters for frames that do not fill a device */
  GPU_BLUR_PIXELS,              /* of all planes; this count and those below are in
                                   millions */
  GPU_BLUR_STRADDLING,          /* pixels of three components, some of which lie in
                                   two words */
  GPU_BLUR_BYTES,
  GPU_BLUR_SAMPLES,
  GPU_BLUR_TAPS,                /* of all samples; for a pyramid, the number of
                                   samples of its levels */
  GPU_BLUR_GROUP_TAPS,          /* additional taps whose sums only one group uses,
                                   such as row sums above and below it */
  GPU_BLUR_HELD,                /* taps of all pixels, multiplied by the words of
                                   shared memory per thread: with more words, fewer
                                   threads run at a time. Of walks: taps of all
                                   pixels */
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

/* Fills in the work of the method of @settings, which is not AUTO, on a frame like @info, in a
 * format that families read (working.h).
 * Returns FALSE if the method cannot do it. Defined in blur.c. */
gboolean gpu_blur_get_workload (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GpuBlurWorkload * workload);

/* --- for families --- */

/* Fills in all counts that do not depend on the method, with weighted sums and the form
 * GPU_BLUR_USUAL. The family adds the rest (count() in family.h). */
void gpu_blur_workload_init (GpuBlurWorkload * workload,
    const GpuBlurTask * task);

/* The size and axes of a plane. */
typedef struct
{
  guint components;
  gdouble pixels, samples;      /* millions */
  GpuBlurAxes axes;
} GpuBlurPlaneSize;

void gpu_blur_plane_size_init (GpuBlurPlaneSize * size,
    const GpuBlurTask * task, guint plane);

G_END_DECLS
