/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is wanted of a blur, and what it reports. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "shaders/blur/light.h"
#include "shaders/blur/shared.h"

G_BEGIN_DECLS

typedef enum
{
  GPU_BLUR_GAUSSIAN,
  GPU_BLUR_BOX,
} GpuBlurKernel;

typedef enum
{
  GPU_BLUR_AUTO,
  GPU_BLUR_DIRECT,              /* N² taps a pixel out of memory */
  GPU_BLUR_DIRECT_SHARED,       /* the same out of a tile in shared memory */
  GPU_BLUR_SEPARABLE,           /* N + N taps, two passes through memory */
  GPU_BLUR_SEPARABLE_SHARED,    /* the same out of tiles in shared memory */
  GPU_BLUR_INLINE_SEPARABLE,    /* one pass: the rows that a tile needs are
                                   filtered into shared memory, columns out
                                   of it */
  GPU_BLUR_INLINE_SEPARABLE_SHARED,     /* the same, rows out of a tile in
                                           shared memory too */
  GPU_BLUR_SLIDING_WINDOW,      /* two passes, taps out of a ring in shared
                                   memory that slides along the axis */
  GPU_BLUR_INLINE_SLIDING_WINDOW,       /* one pass: rows are filtered from
                                           memory into a ring, columns out of
                                           it */
  GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED,        /* the same, rows out of a
                                                   tile in shared memory */
  GPU_BLUR_STRIPS,              /* one pass like the inline ones, a few outputs
                                   a thread along either axis */
  GPU_BLUR_PYRAMID,             /* Gaussians that no radius cuts: over coarser
                                   levels */
  GPU_BLUR_RUNNING_SUMS,        /* boxes of bytes alone: two passes of sums that
                                   a sample enters and another one leaves */
  GPU_BLUR_N_METHODS
} GpuBlurMethod;

typedef enum
{
  GPU_BLUR_PRECISION_AUTO,      /* float for more than 10 bits, else half */
  GPU_BLUR_HALF,
  GPU_BLUR_FLOAT,
} GpuBlurPrecision;             /* how intermediate sums are stored */

typedef enum
{
  GPU_BLUR_CLAMP = BLUR_EDGE_CLAMP,     /* a a a | a b c */
  GPU_BLUR_MIRROR = BLUR_EDGE_MIRROR,   /* c b a | a b c */
  GPU_BLUR_WRAP = BLUR_EDGE_WRAP,       /* x y z | a b c */
  GPU_BLUR_BLACK = BLUR_EDGE_BLACK,
} GpuBlurEdge;

#define GPU_BLUR_MAX_SIGMA 1000.0
#define GPU_BLUR_MAX_RADIUS 3000

typedef struct
{
  GpuBlurKernel kernel;
  gdouble sigma_x, sigma_y;     /* 0…GPU_BLUR_MAX_SIGMA, pixels */
  gint radius;                  /* of both axes: 0…GPU_BLUR_MAX_RADIUS,
                                   -1: from sigma */
  GpuBlurMethod method;
  GpuBlurPrecision precision;
  GpuBlurEdge edge;
  gboolean full_range;          /* black is Y = 0, not 16 (YUV and grey) */
  gboolean is_field;            /* rows are two pixels apart; fields of interlaced
                                   frames are taken so, whatever this is */
  /* What light the code values 0, 1/2, 1, … 255 are, 0…1 and never decreasing,
   * LIGHT_HALF_CODES in all: of R'G'B' in bytes, light is blurred. NULL: code
   * values. Formats of halves or floats are blurred as they are. */
  const gfloat *light;
} GpuBlurSettings;

/* What one call of gpu_blur_record() recorded, plane by plane: a stage for each
 * pass over each plane, or over planes that strips do together. Of an interlaced frame,
 * what it recorded for the first field: the second takes the same. */
#define GPU_BLUR_MAX_STAGES (3 * GPU_MAX_PLANES)
typedef struct
{
  GpuBlurMethod method;         /* that ran; never AUTO */
  GpuBlurPrecision precision;   /* that was used; never AUTO */
  guint n_stages;
  struct
  {
    const gchar *name;
    guint plane;
    guint dispatches;
    guint taps;                 /* weights that one output of it sums */
    guint group_x, group_y;     /* of passes (pass.h): threads of a workgroup, */
    guint groups_down;          /* and workgroups from top to bottom */
  } stages[GPU_BLUR_MAX_STAGES];
} GpuBlurReport;

/* Whether frames pass unchanged, byte for byte: a Gaussian with radius 0 or
 * sigma 0 on both axes, a box with half-width 0 on both. */
gboolean gpu_blur_is_identity (const GpuBlurSettings * settings);

G_END_DECLS
