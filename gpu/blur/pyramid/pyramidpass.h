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
} GpuBlurPyramidPass;

typedef struct
{
  GpuDevice *device;
  GpuStream *stream;
  GpuBuffer *light;
  guint n_passes;
  GpuBlurPyramidPass passes[GPU_MAX_PLANES];
} GpuBlurPyramidPasses;

/* Does one step of a plane. Errors: as gpu_blur_record(). */
typedef gboolean (*GpuBlurPyramidPassStep) (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

/* Samples of a level, of which 0 is the plane itself, without margins and with
 * them. */
guint gpu_blur_pyramid_pass_size (const GpuBlurPyramidPass * pass, GpuBlurLevelsAxis axis,
    guint level);
guint gpu_blur_pyramid_pass_extent (const GpuBlurPyramidPass * pass,
    GpuBlurLevelsAxis axis, guint level);

/* Samples and bytes of a pixel. */
guint gpu_blur_pyramid_pass_components (const GpuBlurPyramidPass * pass);
guint gpu_blur_pyramid_pass_pixel_size (const GpuBlurPyramidPass * pass);

/* What the plane's last dispatch wrote; and what the next one writes. */
GpuBuffer *gpu_blur_pyramid_pass_side (const GpuBlurPyramidPass * pass);
GpuBuffer *gpu_blur_pyramid_pass_turn (GpuBlurPyramidPass * pass);

/* Between levels @finer and @coarser; @frame: if one of them is. */
GpuBlurStepPush gpu_blur_pyramid_pass_make_push (const GpuBlurPyramidPass * pass,
    const GpuFrame * frame, guint finer, guint coarser);

/* What gpu_blur_pyramid_pass_dispatch() does. */
typedef struct
{
  GpuKernel *kernel;
  GpuBuffer *source, *target;
  guint groups, rows;           /* of groups */
  guint64 row_units;            /* of work in each row, */
  gdouble ns;                   /* and what one takes at worst */
} GpuBlurPyramidPassWork;

/* Dispatches all rows of groups, in short ones, each of which is counted in
 * @dispatches. @first: what of @push tells the first. */
gboolean gpu_blur_pyramid_pass_dispatch (GpuBlurPyramidPasses * passes,
    const GpuBlurPyramidPassWork * work, gconstpointer push, gint32 * first,
    guint * dispatches, GError ** error);

G_END_DECLS
