/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Y'CbCr to 8-bit R'G'B' and back, in integers. The matrices follow from Kr and Kb (ITU-R
 * BT.601, BT.709, BT.2020); primaries and transfer stay. Frames have width · height pixels
 * (odd sizes too, both >= 1). */

typedef struct
{
  gdouble kr, kb;               /* luma of red and of blue, Kg = 1 - Kr - Kb */
  gboolean full_range;          /* 0…255, else 16…235 and 16…240 */
  gboolean h_cosited;           /* chroma sits on even columns, else between */
  gboolean v_cosited;           /* chroma sits on even rows, else between */
  gboolean interlaced;          /* each field is a frame of its own, with the
                                   chroma rows of its parity */
} ReferenceYuvSettings;

/* Codes of @bits (8…16), tightly packed: Y', Cb and Cr. Chroma has as many columns and rows
 * as luma, divided by 2^shift and rounded up; where @settings of the functions below say
 * interlaced, the rows of either field are, and alternate like those of luma (of 4:2:0, 10
 * rows have 6 rows of chroma, not 5). */
typedef struct
{
  guint bits;
  guint width, height;
  guint shift_x, shift_y;
  guint16 *codes[3];
} ReferenceCodes;

/* The columns, and in progressive and interlaced frames the rows, of chroma. */
guint reference_codes_chroma_width (const ReferenceCodes * frame);
guint reference_codes_chroma_height (const ReferenceCodes * frame,
    gboolean interlaced);

/* @rgba: receives width · height pixels R, G, B, 255, tightly packed. */
void reference_codes_to_rgba (const ReferenceYuvSettings * settings,
    const ReferenceCodes * frame, guint8 * rgba);

/* Writes the codes of @frame from such pixels; their alpha is ignored. */
void reference_codes_from_rgba (const ReferenceYuvSettings * settings,
    const guint8 * rgba, const ReferenceCodes * frame);

/* 4:2:0 of 8 bits. I420: two planes, uv_step 1. NV12: v = u + 1, uv_step 2. */
typedef struct
{
  guint width, height;
  guint8 *y, *u, *v;            /* the first sample of each */
  gsize y_stride, uv_stride;    /* bytes from row to row; u and v alike */
  gsize uv_step;                /* bytes from one chroma sample to the next */
} ReferenceYuvFrame;

/* As above. No padding is written. */
void reference_yuv_to_rgba (const ReferenceYuvSettings * settings,
    const ReferenceYuvFrame * frame, guint8 * rgba);
void reference_yuv_from_rgba (const ReferenceYuvSettings * settings,
    const guint8 * rgba, const ReferenceYuvFrame * frame);

G_END_DECLS
