// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts a frame of any format to RGBA of 8 bits. A thread writes a pixel.
#include "core/pixels/format.glsl"
#include "palette/shared/coding.glsl"

layout (constant_id = CODING_KY) const int KY = 0;
layout (constant_id = CODING_RV) const int RV = 0;
layout (constant_id = CODING_GU) const int GU = 0;
layout (constant_id = CODING_GV) const int GV = 0;
layout (constant_id = CODING_BU) const int BU = 0;

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
#ifdef CURVED
layout (std430, binding = 2) readonly buffer Curve { uint curve[]; };
#endif

DEFINE_FETCH (input_words)

// The bits of a code beyond 8.
const int MORE_BITS = int (COMPONENT_BITS (IN_0)) - 8;
const int SUM_BITS = 16 + WEIGHT_BITS (IN_1);

// Two chroma samples of an axis at the position of a pixel, and the weight of the first.
struct Taps
{
  uint first, second;
  int weight;
};

Taps taps_at (uint position, uint shift, bool is_cosited, uint n)
{
  int factor = 1 << shift, index = int (position >> shift);
  int from_first = int (position) & (factor - 1);
  // In units of a half pixel.
  int distance = is_cosited ? 2 * from_first : 2 * from_first + 1 - factor;
  int second = clamp (index + sign (distance), 0, int ((n - 1) >> shift));

  return Taps (uint (index), uint (second), 2 * factor - abs (distance));
}

// Returns chroma at a pixel, times the sum of all weights.
int chroma_at (uint c, Taps x, Taps y)
{
  int x_rest = 2 * (1 << COMPONENT_SHIFT_X (IN_1)) - x.weight;
  int y_rest = 2 * (1 << COMPONENT_SHIFT_Y (IN_1)) - y.weight;

  return y.weight * (x.weight * int (fetch (c, x.first, y.first))
          + x_rest * int (fetch (c, x.second, y.first)))
      + y_rest * (x.weight * int (fetch (c, x.first, y.second))
          + x_rest * int (fetch (c, x.second, y.second)));
}

// Returns Y', Cb and Cr without their offsets, times the sum of all weights.
ivec3 yuv_at (uint x, uint y)
{
  int luma = int (fetch (0, x, y)) - (LUMA_OFFSET << MORE_BITS);
  ivec3 yuv = ivec3 (luma << WEIGHT_BITS (IN_1), 0, 0);

  if (MODEL == CODING_YUV) {
    Taps columns = taps_at (x, COMPONENT_SHIFT_X (IN_1), H_COSITED, width);
    Taps rows = taps_at (y, COMPONENT_SHIFT_Y (IN_1), V_COSITED, height);
    int offset = CHROMA_OFFSET << (MORE_BITS + WEIGHT_BITS (IN_1));

    yuv.y = chroma_at (1, columns, rows) - offset;
    yuv.z = chroma_at (2, columns, rows) - offset;
  }
  return yuv;
}

// Returns red, green or blue of the frame, rounded. The products of whole codes exceed 32
// bits; so their high and low bits are summed separately, which is exact.
uint signal_of (ivec3 coefficients, ivec3 yuv)
{
  ivec3 low = yuv & ((1 << MORE_BITS) - 1);
  int half_ = 1 << (SUM_BITS + MORE_BITS - SIGNAL_BITS - 1);
  int carry = (dot_of (coefficients, low) + half_) >> MORE_BITS;
  int sum = dot_of (coefficients, yuv >> MORE_BITS) + carry;

  return uint (clamp (sum >> (SUM_BITS - SIGNAL_BITS), 0, int (WHITE)));
}

// Returns a component of R'G'B' or alpha, rounded to 0…white.
uint scaled_at (uint c, uint x, uint y, uint white)
{
  return scale_code (fetch (c, x, y), largest_code (in_component (c)), white);
}

uvec3 signals_at (uint x, uint y)
{
  if (MODEL == CODING_RGB)
    return uvec3 (scaled_at (0, x, y, WHITE), scaled_at (1, x, y, WHITE),
        scaled_at (2, x, y, WHITE));
  ivec3 yuv = yuv_at (x, y);

  return uvec3 (signal_of (ivec3 (KY, 0, RV), yuv),
      signal_of (ivec3 (KY, -GU, -GV), yuv), signal_of (ivec3 (KY, BU, 0), yuv));
}

uint code_of (uint signal)
{
#ifdef CURVED
  return bitfieldExtract (curve[signal / 4], int (signal % 4) * 8, 8);
#else
  return signal;
#endif
}

uint pixel_at (uint x, uint y)
{
  uvec3 signals = signals_at (x, y);
  uint alpha = COMPONENT_BITS (IN_3) > 0 ? scaled_at (ALPHA, x, y, 255) : 255;

  return code_of (signals.r) | code_of (signals.g) << 8 | code_of (signals.b) << 16
      | alpha << 24;
}

void main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint x = item % width, y = item / width;

  if (item < end_item)
    output_words[out_offset + y * out_stride + x] = pixel_at (x, y);
}
