/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The encoding of Y'CbCr relative to R'G'B'. ITU-R BT.601, BT.709 and
 * BT.2020 differ only in kr and kb. */
typedef struct
{
  gdouble kr, kb;               /* luma weights of red and blue; green: 1 - kr - kb */
  gboolean full_range;          /* of 8 bits 0…255, else luma 16…235, chroma 16…240 */
  gboolean h_cosited, v_cosited;        /* chroma samples lie on the first of the columns,
                                           rows that share them; else in their middle */
} GpuYuv;

/* Writes the specialization constants from PIXELS_YUV on
 * (shaders/core/pixels/constants.h): GPU_YUV_CONSTANTS words. They are the siting, the
 * offset of luma of 8 bits, then signed coefficients for codes of @bits (8…16) bits. Those
 * to R'G'B' of 8 bits have 16 fractional bits more than the codes have beyond 8; those from
 * R'G'B' of 8 bits have 16. */
#define GPU_YUV_CONSTANTS 17
void gpu_yuv_get_constants (const GpuYuv * yuv, guint bits,
    guint32 * constants);

G_END_DECLS
