// SPDX-License-Identifier: LGPL-2.1-or-later
// What decode.comp and encode.comp share: the encoding of codes of any depth. Chroma weights
// of an axis add up to twice its subsampling factor. With CURVED, R', G' and B' of the frame
// are signals (coding.h); else they are the codes of 8 bits that maps read and write.
#include "palette/shared/coding.h"

layout (constant_id = CODING_MODEL) const uint MODEL = CODING_RGB;
// Whether chroma samples lie on the first of the columns and rows that share them; else in
// the middle of these.
layout (constant_id = CODING_H_COSITED) const bool H_COSITED = false;
layout (constant_id = CODING_V_COSITED) const bool V_COSITED = false;
// Of 8 bits.
layout (constant_id = CODING_LUMA_OFFSET) const int LUMA_OFFSET = 16;
const int CHROMA_OFFSET = 128;

#ifdef CURVED
const int SIGNAL_BITS = CURVE_BITS;
#else
const int SIGNAL_BITS = 0;
#endif
const uint WHITE = 255 << SIGNAL_BITS;

// Log2 of the sum of the chroma weights of both axes.
#define WEIGHT_BITS(component) \
  (2 + int (COMPONENT_SHIFT_X (component) + COMPONENT_SHIFT_Y (component)))

// Returns the sum of the products, modulo 2^32.
int dot_of (ivec3 a, ivec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
