/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* 8-bit 4:2:0 YUV to R'G'B' and back, in integers. The matrices follow from
 * Kr and Kb (ITU-R BT.601, BT.709, BT.2020); primaries and transfer stay. */

typedef struct
{
  gdouble kr, kb;               /* luma of red and of blue, Kg = 1 - Kr - Kb */
  gboolean full_range;          /* 0…255, else 16…235 and 16…240 */
  gboolean h_cosited;           /* chroma sits on even columns, else between */
  gboolean v_cosited;           /* chroma sits on even rows, else between */
  gboolean interlaced;          /* each field is a frame of its own, with the
                                   chroma rows of its parity */
} ReferenceYuvSettings;

/* A frame of @width · @height pixels (odd sizes too, both >= 1) and half as
 * many chroma samples on both axes, rounded up. With interlaced fields the
 * chroma rows are those that either field needs: field rows / 2, rounded up,
 * of its parity (10 rows have 6 rows of chroma, not 5).
 * I420: two planes, uv_step 1. NV12: v = u + 1, uv_step 2. */
typedef struct
{
  guint width, height;
  guint8 *y, *u, *v;            /* the first sample of each */
  gsize y_stride, uv_stride;    /* bytes from row to row; u and v alike */
  gsize uv_step;                /* bytes from one chroma sample to the next */
} ReferenceYuvFrame;

/* @rgba: receives width · height pixels R, G, B, 255, tightly packed. */
void reference_yuv_to_rgba (const ReferenceYuvSettings * settings,
    const ReferenceYuvFrame * frame, guint8 * rgba);

/* Writes the samples of @frame, and no padding, from such pixels; their alpha
 * is ignored. */
void reference_yuv_from_rgba (const ReferenceYuvSettings * settings,
    const guint8 * rgba, const ReferenceYuvFrame * frame);

G_END_DECLS
