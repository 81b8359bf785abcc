/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The encoding of 8-bit Y'CbCr 4:2:0 relative to R'G'B'. ITU-R BT.601, BT.709 and
 * BT.2020 differ only in kr and kb. */
typedef struct
{
  gdouble kr, kb;               /* luma weights of red and blue; green: 1 - kr - kb */
  gboolean full_range;          /* 0…255, else luma 16…235 and chroma 16…240 */
  gboolean h_cosited, v_cosited;        /* chroma samples lie on the even columns, rows;
                                           else halfway between two */
} GpuYuv;

/* Writes the specialization constants from PIXELS_YUV on
 * (shaders/core/pixels/constants.h): GPU_YUV_CONSTANTS words. They are the siting, then
 * signed coefficients with 16 fractional bits. */
#define GPU_YUV_CONSTANTS 17
void gpu_yuv_get_constants (const GpuYuv * yuv, guint32 * constants);

G_END_DECLS
