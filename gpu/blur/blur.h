/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/frame/frame.h"
#include "shaders/blur/light.h"
#include "shaders/blur/shared.h"

G_BEGIN_DECLS

/* Blurs frames. Every plane is blurred by itself, in code values, or in the
 * values that its samples are; colours with alpha are blurred premultiplied. So is each
 * field of an interlaced frame.
 *
 * Gaussian weights are exp(-i²/2σ²) for i = -R…R, normalised; a box has
 * equal weights, fractional ones at its ends. Rows and columns have a σ each.
 * Subsampled planes take σ and R divided by their subsampling, and so do fields down
 * columns: their rows are two of the frame apart. Methods differ
 * in how they get there: see docs/gpublur.md for the sources. */
typedef struct _GpuBlur GpuBlur;

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

/* The largest radius that @method runs on @device at @precision on both axes of
 * planes of @components samples, with the kernels that it can do at all; 0 where
 * it cannot run. */
guint gpu_blur_max_radius (GpuDevice * device, GpuBlurMethod method,
    GpuBlurPrecision precision, guint components);

GpuBlur *gpu_blur_new (GpuDevice * device);
void gpu_blur_free (GpuBlur * blur);

/* Bytes of its buffers. */
gsize gpu_blur_get_memory (GpuBlur * blur);

/* Makes room for progressive frames of this format and size with these settings, whatever
 * sigma and radius they come to have, and builds the pipelines of the method asked for and
 * of the one that stands in for it; for AUTO, what the first frame needs. The rest is built
 * in the background while frames flow; see gpu_blur_wait(). Room and pipelines that exist
 * already are kept. On FALSE, what was prepared before still is. Errors: TOO_LARGE,
 * OUT_OF_MEMORY, LOST. */
gboolean gpu_blur_prepare (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error);

/* The same for interlaced frames. Where both kinds may come, both are prepared. */
gboolean gpu_blur_prepare_fields (GpuBlur * blur, GpuPixels pixels,
    guint width, guint height, const GpuBlurSettings * settings,
    GError ** error);

/* Waits for pipelines that are built in the background: bytes do not depend on
 * them, times do. */
void gpu_blur_wait (GpuBlur * blur);

/* Records the blur of @in into @out: same format and size, both interlaced or neither,
 * any usable layout, different buffers. @stream is recording; where the work is too long for one
 * submission it is submitted in parts, and @stream is left recording the last
 * of them. Format, size, method, precision, kernel and whether light is
 * blurred are those prepared last. On FALSE (CANCELLED, or what submitting or
 * building reported) @out holds nothing of use and the recording is abandoned.
 * @report: filled, may be NULL. */
gboolean gpu_blur_record (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuBlur, gpu_blur_free)

G_END_DECLS
