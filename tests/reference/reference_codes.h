/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_yuv.h"

G_BEGIN_DECLS

/* Y'CbCr of any depth and subsampling to 8-bit R'G'B' and back, in integers. */

/* Codes of @bits (8…16), tightly packed: Y', Cb and Cr. Chroma has as many columns and rows
 * as luma, divided by 2^shift and rounded up; where @settings of the functions below say
 * interlaced, the rows of either field are, and alternate like those of luma. */
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

/* @rgba: receives width · height pixels R, G, B, 255. */
void reference_codes_to_rgba (const ReferenceYuvSettings * settings,
    const ReferenceCodes * frame, guint8 * rgba);

/* Writes the codes of @frame; alpha of @rgba is ignored. */
void reference_codes_from_rgba (const ReferenceYuvSettings * settings,
    const guint8 * rgba, const ReferenceCodes * frame);

G_END_DECLS
