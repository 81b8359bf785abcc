/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables between code values and linear light. */
#pragma once

#include "gpu/core/frame/format.h"
#include "shaders/blur/light.h"
#include "shaders/core/pixels/convert.h"

G_BEGIN_DECLS

/* Fills in @table, LIGHT_TABLE_SIZE floats (shaders/blur/light.h), which shaders/blur/pixels.glsl
 * uses. @light: as in GpuBlurSettings. */
void gpu_blur_light_make_table (const gfloat * light, gfloat * table);

/* How the codes of frames and linear light in floats relate. */
typedef struct
{
  GpuYuv yuv;                   /* of formats with luma */
  gfloat tables[TRANSFER_TABLE_SIZE];   /* see shaders/core/pixels/convert.h */
} GpuBlurTransfer;

/* Maps a component of R'G'B' to light or back, both in 0…1. Never decreases. */
typedef gdouble (*GpuBlurTransferFunction) (gdouble value,
    gconstpointer data);

/* Fills in @transfer. @data is passed to both functions, which are only used during the
 * call. */
void gpu_blur_transfer_init (GpuBlurTransfer * transfer, const GpuYuv * yuv,
    GpuBlurTransferFunction decode, GpuBlurTransferFunction encode,
    gconstpointer data);

G_END_DECLS
