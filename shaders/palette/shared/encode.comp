// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts RGBx of 8 bits to a plane of a frame of any format. Alpha is that of the input of the
// element, in its own depth. Offset and stride of the RGBx frame in words.
#define OWN_PUSH uint working_offset, working_stride;
#include "core/pixels/format.glsl"
#include "palette/shared/coding.glsl"

layout (constant_id = CODING_YR) const int YR = 0;
layout (constant_id = CODING_YG) const int YG = 0;
layout (constant_id = CODING_YB) const int YB = 0;
layout (constant_id = CODING_UR) const int UR = 0;
layout (constant_id = CODING_UG) const int UG = 0;
layout (constant_id = CODING_UB) const int UB = 0;
layout (constant_id = CODING_VR) const int VR = 0;
layout (constant_id = CODING_VG) const int VG = 0;
layout (constant_id = CODING_VB) const int VB = 0;

layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 2) readonly buffer Working { uint working_words[]; };
#ifdef CURVED
layout (std430, binding = 3) readonly buffer Curve { uint curve[]; };
#endif

DEFINE_FETCH (input_words)

// The bits of a code beyond 8.
const int MORE_BITS = int (COMPONENT_BITS (OUT_0)) - 8;

uint signal_of (uint code)
{
#ifdef CURVED
  return curve[CURVE_SIGNALS_AT + code];
#else
  return code;
#endif
}

// Returns R', G' and B' of the frame.
ivec3 signals_at (uint x, uint y)
{
  uint pixel = working_words[working_offset + y * working_stride + x];

  return ivec3 (signal_of (pixel & 255), signal_of (pixel >> 8 & 255),
      signal_of (pixel >> 16 & 255));
}

// Returns the code of Y', Cb or Cr. offset: of 8 bits. signals: a sum with weights that add up
// to 2^weight_bits. The products with whole coefficients exceed 32 bits; so the high and low
// bits of both are summed separately, which is exact.
uint code_of (ivec3 coefficients, int offset, ivec3 signals, int weight_bits)
{
  ivec3 rgb = signals >> SIGNAL_BITS, rgb_low = signals & ((1 << SIGNAL_BITS) - 1);
  ivec3 low = coefficients & ((1 << MORE_BITS) - 1);
  int sum_bits = 16 + weight_bits;
  int half_ = 1 << (sum_bits + SIGNAL_BITS - 1);
  int rest = (dot_of (coefficients, rgb_low) + half_) >> SIGNAL_BITS;
  int carry = (dot_of (low, rgb) + rest) >> MORE_BITS;
  int sum = dot_of (coefficients >> MORE_BITS, rgb) + (offset << sum_bits) + carry;

  return uint (clamp (sum >> (sum_bits - MORE_BITS), 0, int (largest_code (OUT_0))));
}

// Returns the weighted sum of the pixels that a chroma sample covers. Beyond an edge, the
// pixels there are repeated.
ivec3 sum_at (uint x, uint y)
{
  const uint shift_x = COMPONENT_SHIFT_X (OUT_1), shift_y = COMPONENT_SHIFT_Y (OUT_1);
  ivec3 sum = ivec3 (0);

  for (int j = -(1 << shift_y) / 2; j < 1 << shift_y; j++)
    for (int i = -(1 << shift_x) / 2; i < 1 << shift_x; i++) {
      int weight = cover_weight (i, shift_x, H_COSITED) * cover_weight (j, shift_y, V_COSITED);
      uint column = uint (clamp (int (x << shift_x) + i, 0, int (width) - 1));
      uint row = uint (clamp (int (y << shift_y) + j, 0, int (height) - 1));

      if (weight > 0)
        sum += weight * signals_at (column, row);
    }
  return sum;
}

uint alpha_at (uint x, uint y)
{
  uint largest = largest_code (OUT_3);

  return COMPONENT_BITS (IN_3) == 0 ? largest
      : scale_code (fetch (ALPHA, x, y), largest_code (IN_3), largest);
}

uint code_at (uint c, uint x, uint y)
{
  if (c == ALPHA)
    return alpha_at (x, y);
  if (MODEL == CODING_RGB)
    return scale_code (uint (signals_at (x, y)[c]), WHITE, largest_code (OUT_0));
  if (c == 0)
    return code_of (ivec3 (YR, YG, YB), LUMA_OFFSET, signals_at (x, y), 0);
  return code_of (c == 1 ? ivec3 (UR, UG, UB) : ivec3 (VR, VG, VB), CHROMA_OFFSET,
      sum_at (x, y), WEIGHT_BITS (OUT_1));
}

#include "core/pixels/write_format.glsl"
