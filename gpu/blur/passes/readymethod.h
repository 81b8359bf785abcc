/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A method prepared for one device and one format of frames: the tiles of its passes, and
 * their kernels, which are requested when they are needed. */
#pragma once

#include "pass.h"
#include "gpu/blur/planekind.h"
#include "gpu/core/kernel/kernel.h"

G_BEGIN_DECLS

typedef struct
{
  GpuBlurTile tile;
  GpuKernel *kernel;            /* owned by the device; NULL: not requested */
} GpuBlurReadyTile;

/* The type of sums over both axes. */
typedef enum
{
  GPU_BLUR_TOTALS_FLOAT,
  GPU_BLUR_TOTALS_WORD,         /* integers of 32 bits */
  GPU_BLUR_TOTALS_WIDE,         /* integers of 64 bits */
  GPU_BLUR_N_TOTALS,
} GpuBlurTotals;

typedef struct
{
  const GpuBlurPass *pass;
  guint32 constants[BLUR_CONSTANTS];    /* without those of a tile */
  GpuBlurTotals totals;
  guint n_tiles;                /* only tiles that fit the device */
  GpuBlurReadyTile tiles[GPU_BLUR_MAX_TILES];
} GpuBlurReadyPass;

typedef struct
{
  GpuBlurMethod method;         /* never AUTO */
  guint n_passes;
  GpuBlurReadyPass
      passes[GPU_BLUR_MAX_PLANES][GPU_BLUR_N_TOTALS][GPU_BLUR_MAX_PASSES];
} GpuBlurReadyMethod;

/* Fills in @ready with all tiles of all passes. Includes integer sums only if @settings can
 * have integer sums (gpu_blur_can_sum_integers()). @shape: used instead of the shapes of
 * the passes, for benchmarks; may be NULL. @is_in_blocks: of all frames that are read
 * (gpu_frame_info_is_in_blocks()). Requests no kernel. */
void gpu_blur_ready_method_init (GpuBlurReadyMethod * ready,
    GpuDevice * device, GpuBlurMethod method, const GpuBlurShape * shape,
    const GpuBlurSettings * settings, const GpuPixelFormat * format,
    gboolean is_in_blocks);

/* Requests the kernels that @settings need. @settings must be within reach
 * (gpu_blur_ready_method_reaches()). Errors: those of gpu_kernel_request(). */
gboolean gpu_blur_ready_method_request (GpuBlurReadyMethod * ready,
    GpuDevice * device, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, GpuKernelUrgency urgency, GError ** error);

/* Requests the kernels of all tiles: every radius within reach then has its kernel.
 * Errors: as above. */
gboolean gpu_blur_ready_method_request_all (GpuBlurReadyMethod * ready,
    GpuDevice * device, const GpuPixelFormat * format,
    GpuKernelUrgency urgency, GError ** error);

/* Whether the kernels that @settings need are built. */
gboolean gpu_blur_ready_method_is_built (GpuBlurReadyMethod * ready,
    const GpuBlurSettings * settings, const GpuPixelFormat * format);

/* Returns the type of sums for @axes. */
GpuBlurTotals gpu_blur_ready_method_get_totals (const GpuBlurReadyMethod *
    ready, const GpuBlurAxes * axes);

/* Whether the method can do the radii of @settings on every plane. */
gboolean gpu_blur_ready_method_reaches (GpuBlurReadyMethod * ready,
    const GpuBlurSettings * settings, const GpuPixelFormat * format);

/* Returns the first tile that can do @axes; NULL if none can. Owned by @ready. */
GpuBlurReadyTile *gpu_blur_ready_pass_pick (GpuBlurReadyPass * ready,
    const GpuBlurAxes * axes);

G_END_DECLS
