/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame on its way down the pyramid and up: what the steps of pyramid.c and
 * pyramidwalk.c share. */
#pragma once

#include "levels.h"
#include "pyramidkernels.h"
#include "gpu/core/frame/frame.h"
#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* *INDENT-OFF* */
typedef struct
{
  PYRAMID_STEP_PUSH (gint32)
} GpuBlurStepPush;
/* *INDENT-ON* */

/* What a plane's levels lie in by turns: what a step reads and what it writes. */
typedef enum
{
  GPU_BLUR_SIDE_COLUMNS,        /* done down columns, or the Gaussian of them */
  GPU_BLUR_SIDE_LEVELS,         /* done along both axes; where they are walked, as
                                   wide as the plane in the end */
  GPU_BLUR_SIDES,
} GpuBlurSide;

/* A plane. */
typedef struct
{
  GpuBlurPyramidKernels kernels;
  GpuBlurLevels levels;
  gboolean is_walked;
  GpuBuffer *const *sides;
  const GpuFrame *in, *out;
  guint plane;
  GpuBlurSide side;             /* that was written last */
  guint edge, black;
  guint dispatches[2];          /* of each way */
  guint blur_dispatches;
} GpuBlurClimb;

typedef struct
{
  GpuDevice *device;
  GpuStream *stream;
  GpuBuffer *light;
  guint n_climbs;
  GpuBlurClimb climbs[GPU_MAX_PLANES];
} GpuBlurClimbs;

/* Does one step of a plane. Errors: as gpu_blur_record(). */
typedef gboolean (*GpuBlurClimbStep) (GpuBlurClimbs * climbs,
    GpuBlurClimb * climb, guint step, GError ** error);

/* Samples of a level, of which 0 is the plane itself, without margins and with
 * them. */
guint gpu_blur_climb_size (const GpuBlurClimb * climb, GpuBlurLevelsAxis axis,
    guint level);
guint gpu_blur_climb_extent (const GpuBlurClimb * climb,
    GpuBlurLevelsAxis axis, guint level);

/* Of a pixel. */
guint gpu_blur_climb_components (const GpuBlurClimb * climb);

/* What the plane's last dispatch wrote; and what the next one writes. */
GpuBuffer *gpu_blur_climb_side (const GpuBlurClimb * climb);
GpuBuffer *gpu_blur_climb_turn (GpuBlurClimb * climb);

/* Between levels @finer and @coarser; @frame: if one of them is. */
GpuBlurStepPush gpu_blur_climb_make_push (const GpuBlurClimb * climb,
    const GpuFrame * frame, guint finer, guint coarser);

/* What gpu_blur_climb_dispatch() does. */
typedef struct
{
  GpuKernel *kernel;
  GpuBuffer *source, *target;
  guint groups, rows;           /* of groups */
  guint64 row_units;            /* of work in each row, */
  gdouble ns;                   /* and what one takes at worst */
} GpuBlurClimbWork;

/* Dispatches all rows of groups, in short ones, each of which is counted in
 * @dispatches. @first: what of @push tells the first. */
gboolean gpu_blur_climb_dispatch (GpuBlurClimbs * climbs,
    const GpuBlurClimbWork * work, gconstpointer push, gsize push_size,
    gint32 * first, guint * dispatches, GError ** error);

G_END_DECLS
