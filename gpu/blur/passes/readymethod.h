/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A method made ready for frames of one format: what the passes need on the
 * device at hand is computed, and their pipelines are built as they are needed. */
#pragma once

#include "pass.h"
#include "gpu/blur/planekind.h"
#include "gpu/core/kernel/builder.h"

G_BEGIN_DECLS

typedef struct
{
  GpuBlurTile tile;
  GpuKernel *kernel;            /* atomic; the device's; NULL: not built */
  gboolean is_requested;        /* of a builder */
} GpuBlurReadyTile;

typedef struct
{
  const GpuBlurPass *pass;
  guint32 constants[BLUR_CONSTANTS];    /* but for those of a tile */
  gboolean exact;
  guint n_tiles;                /* those that fit the device */
  GpuBlurReadyTile tiles[GPU_BLUR_MAX_TILES];
} GpuBlurReadyPass;

typedef struct
{
  GpuBlurMethod method;         /* not AUTO */
  guint n_passes;
  /* By plane and by whether sums are exact. */
  GpuBlurReadyPass passes[GPU_MAX_PLANES][2][GPU_BLUR_MAX_PASSES];
} GpuBlurReadyMethod;

/* Every tile of every pass; exact sums where the kernel is a box, of bytes. @shape: that
 * of all groups, for benchmarks; NULL for those of the passes. Builds nothing. */
void gpu_blur_ready_method_init (GpuBlurReadyMethod * ready,
    GpuDevice * device, GpuBlurMethod method, const GpuBlurShape * shape,
    const GpuBlurSettings * settings, const GpuPixelFormat * format);

/* Builds what these settings, which are reached, need. FALSE with @error set where a
 * pipeline cannot be built. */
gboolean gpu_blur_ready_method_build (GpuBlurReadyMethod * ready,
    GpuDevice * device, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, GError ** error);

/* Builds all tiles, so that any radius finds its pipeline. */
gboolean gpu_blur_ready_method_build_all (GpuBlurReadyMethod * ready,
    GpuDevice * device, const GpuPixelFormat * format, GError ** error);

/* Has them built in the background. @ready stays as long as the builder. */
void gpu_blur_ready_method_request_all (GpuBlurReadyMethod * ready,
    GpuBuilder * builder, const GpuPixelFormat * format);

/* Whether it sums integers. */
gboolean gpu_blur_ready_method_is_exact (const GpuBlurReadyMethod * ready,
    const GpuBlurAxes * axes);

/* Whether it can do the radii of @settings on every plane. */
gboolean gpu_blur_ready_method_reaches (GpuBlurReadyMethod * ready,
    const GpuBlurSettings * settings, const GpuPixelFormat * format);

/* The first tile for @axes; NULL where no tile is. */
GpuBlurReadyTile *gpu_blur_ready_pass_pick (GpuBlurReadyPass * ready,
    const GpuBlurAxes * axes);

G_END_DECLS
