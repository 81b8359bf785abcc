/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of a recording of the pyramid, and helpers that pyramidsteps.c and
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

/* The two buffers of a plane's levels. Dispatches read one and write the other, in turn. */
typedef enum
{
  GPU_BLUR_SIDE_FIRST,          /* written first */
  GPU_BLUR_SIDE_SECOND,
  GPU_BLUR_SIDES,
} GpuBlurSide;

/* The recording of one plane. */
typedef struct
{
  GpuBlurPyramidKernels kernels;
  GpuBlurLevels levels;
  gboolean walks;               /* down */
  gboolean walks_up;
  GpuBuffer *const *sides;
  const GpuFrame *in, *out;
  guint plane;
  guint sample_words;           /* words of a sample of a level */
  GpuBlurSide side;             /* the one written last */
  guint edge, black;
  guint dispatches[2];          /* down; up, with those of wide kernels */
} GpuBlurPyramidPass;

typedef struct
{
  GpuDevice *device;
  GpuStream *stream;
  GpuBuffer *light;
  guint n_passes;
  GpuBlurPyramidPass passes[GPU_BLUR_MAX_PLANES];
} GpuBlurPyramidPasses;

/* Records one step of a plane. */
typedef void (*GpuBlurPyramidPassStep) (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step);

/* Return the samples of a level along an axis, without margins and with them. Level 0 is
 * the plane itself. */
guint gpu_blur_pyramid_pass_size (const GpuBlurPyramidPass * pass, GpuBlurLevelsAxis axis,
    guint level);
guint gpu_blur_pyramid_pass_extent (const GpuBlurPyramidPass * pass,
    GpuBlurLevelsAxis axis, guint level);

/* Return the samples and the bytes of a pixel. */
guint gpu_blur_pyramid_pass_components (const GpuBlurPyramidPass * pass);
guint gpu_blur_pyramid_pass_pixel_size (const GpuBlurPyramidPass * pass);

/* Return the buffer that the plane's last dispatch wrote; switch to the other one, which
 * the next dispatch writes, and return it. */
GpuBuffer *gpu_blur_pyramid_pass_side (const GpuBlurPyramidPass * pass);
GpuBuffer *gpu_blur_pyramid_pass_turn (GpuBlurPyramidPass * pass);

/* Returns the push constants of a step between levels @finer and @coarser. @frame: its
 * layout is filled in, and is used if @finer is the frame. */
GpuBlurStepPush gpu_blur_pyramid_pass_make_push (const GpuBlurPyramidPass * pass,
    const GpuFrame * frame, guint finer, guint coarser);

/* The work of gpu_blur_pyramid_pass_dispatch(). */
typedef struct
{
  GpuKernel *kernel;
  GpuBuffer *source, *target;
  guint groups, rows;           /* workgroups side by side; rows of workgroups */
  guint64 row_units;            /* units of work in a row of workgroups */
} GpuBlurPyramidPassWork;

/* Begins the description of a step down: fills in @push, except for its sections, and
 * source and target of @work. */
void gpu_blur_pyramid_pass_init_down (GpuBlurPyramidPass * pass, guint step,
    GpuBlurStepPush * push, GpuBlurPyramidPassWork * work);

/* Adds sections of @rows rows of the level that a step down writes: fills in section_rows
 * of @push, and rows and row_units of @work. */
void gpu_blur_pyramid_pass_set_section (const GpuBlurPyramidPass * pass, guint step,
    guint rows, GpuBlurStepPush * push, GpuBlurPyramidPassWork * work);

/* Records all rows of workgroups as short dispatches, and adds their number to
 * @dispatches. @first: the member of @push for the first row of a dispatch. Errors: as
 * gpu_blur_record(). */
void gpu_blur_pyramid_pass_dispatch (GpuBlurPyramidPasses * passes,
    const GpuBlurPyramidPassWork * work, gconstpointer push, gint32 * first,
    guint * dispatches);

G_END_DECLS
