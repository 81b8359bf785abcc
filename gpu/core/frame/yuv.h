/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How Y'CbCr in 8 bits, subsampled 4:2:0, relates to R'G'B': ITU-R BT.601,
 * BT.709 and BT.2020 differ in kr and kb alone. */
typedef struct
{
  gdouble kr, kb;               /* luma of red and of blue; of green: the rest */
  gboolean full_range;          /* 0…255, else 16…235 and 16…240 */
  gboolean h_cosited, v_cosited;        /* chroma sits on the even columns, rows;
                                           else between two */
} GpuYuv;

/* The specialization constants of shaders/core/pixels/constants.h from PIXELS_YUV on:
 * siting, then coefficients of 16 fractional bits, signed. */
#define GPU_YUV_CONSTANTS 17
void gpu_yuv_get_constants (const GpuYuv * yuv, guint32 * constants);

G_END_DECLS
