/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The settings of a blur, and its report. */
#pragma once

#include "light.h"
#include "gpu/core/frame/frame.h"
#include "shaders/blur/light.h"
#include "shaders/blur/shared.h"

G_BEGIN_DECLS

typedef enum
{
  GPU_BLUR_GAUSSIAN,
  GPU_BLUR_BOX,
  GPU_BLUR_BILATERAL,           /* a Gaussian of distances, times a Gaussian of
                                   differences of colour; only of bytes */
  GPU_BLUR_N_KERNELS
} GpuBlurKernel;

typedef enum
{
  GPU_BLUR_AUTO,
  GPU_BLUR_DIRECT,              /* N² taps a pixel out of memory */
  GPU_BLUR_DIRECT_SHARED,       /* the same, taps read from a tile in shared
                                   memory */
  GPU_BLUR_SEPARABLE,           /* N + N taps, two passes through memory */
  GPU_BLUR_SEPARABLE_SHARED,    /* the same, taps read from tiles in shared
                                   memory */
  GPU_BLUR_INLINE_SEPARABLE,    /* one pass: row sums are written to a tile in
                                   shared memory, column sums read it */
  GPU_BLUR_INLINE_SEPARABLE_SHARED,     /* the same; row sums, too, read a tile
                                           in shared memory */
  GPU_BLUR_SLIDING_WINDOW,      /* two passes, taps read from a ring in shared
                                   memory that slides along the axis */
  GPU_BLUR_INLINE_SLIDING_WINDOW,       /* one pass: row sums are written to a
                                           ring in shared memory, column sums
                                           read it */
  GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED,        /* the same; row sums read a
                                                   tile in shared memory */
  GPU_BLUR_STRIPS,              /* one pass like the inline ones, several
                                   outputs a thread on each axis */
  GPU_BLUR_PYRAMID,             /* only Gaussians without a radius: uses
                                   coarser levels */
  GPU_BLUR_RUNNING_SUMS,        /* only boxes of bytes: two passes; each sum is
                                   the one before, plus the sample that enters
                                   and minus the sample that leaves */
  GPU_BLUR_WALK,                /* one pass without shared memory, only small
                                   radii: row sums are added to column sums in
                                   registers */
  GPU_BLUR_N_METHODS
} GpuBlurMethod;

typedef enum
{
  GPU_BLUR_PRECISION_AUTO,      /* half for codes of 8 bits, else float */
  GPU_BLUR_HALF,
  GPU_BLUR_FLOAT,
  GPU_BLUR_N_PRECISIONS
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
#define GPU_BLUR_MAX_ROUNDS 4

typedef struct
{
  GpuBlurKernel kernel;
  gdouble sigma_x, sigma_y;     /* 0…GPU_BLUR_MAX_SIGMA, pixels */
  gint radius;                  /* the same on both axes, pixels:
                                   0…GPU_BLUR_MAX_RADIUS, -1: from sigma */
  gdouble range;                /* bilateral: standard deviation of differences of
                                   colour, 0…1, where 1 is that of black and white */
  guint rounds;                 /* bilateral: how often it is applied,
                                   1…GPU_BLUR_MAX_ROUNDS */
  GpuBlurMethod method;
  GpuBlurPrecision precision;
  GpuBlurEdge edge;
  gboolean full_range;          /* black is Y = 0, not 16 (YUV and grey) */
  gboolean is_field;            /* rows are two pixels apart; always TRUE for the
                                   fields of interlaced frames */
  /* The linear light of the code values 0, 1/2, 1, … 255: LIGHT_HALF_CODES values in
   * 0…1 that never decrease. Bytes, which must be R'G'B', are then blurred as linear
   * light. NULL: code values are blurred. Formats of halves or floats ignore it. */
  const gfloat *light;
  /* The same for all other formats of code values, which are converted to light in floats, and
   * back. Light above white is cut off. NULL: code values are blurred. */
  const GpuBlurTransfer *transfer;
} GpuBlurSettings;

/* The most planes of formats that methods read (working.h). */
#define GPU_BLUR_MAX_PLANES 3

/* What one call of gpu_blur_record() recorded: a stage for each pass over each plane;
 * all rounds of a bilateral filter are one stage. If
 * GPU_BLUR_STRIPS processes several planes together, they are one stage. For an interlaced
 * frame, only the first field is reported; the second needs the same stages. */
#define GPU_BLUR_MAX_STAGES (3 * GPU_BLUR_MAX_PLANES)
typedef struct
{
  GpuBlurMethod method;         /* the method that ran; never AUTO */
  GpuBlurPrecision precision;   /* the precision that was used; never AUTO */
  guint n_stages;
  struct
  {
    const gchar *name;
    guint plane;
    guint dispatches;
    guint taps;                 /* taps of one output */
    guint group_x, group_y;     /* only passes (pass.h): threads of a workgroup */
    guint groups_down;          /* only passes: workgroups from top to bottom */
  } stages[GPU_BLUR_MAX_STAGES];
} GpuBlurReport;

/* Whether the blur leaves frames unchanged, byte for byte: a Gaussian with radius 0 or
 * with sigma 0 on both axes, the same of a bilateral filter or one with range 0, or a box
 * with half-width 0 on both axes. */
gboolean gpu_blur_is_identity (const GpuBlurSettings * settings);

G_END_DECLS
