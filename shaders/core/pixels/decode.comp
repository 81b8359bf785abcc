// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts a frame of any format to pixels of one of the kinds in convert.h, but for
// CONVERT_MOVED. A thread writes a pixel. Chroma is interpolated between its samples.
#include "core/pixels/convert.glsl"

// --- codes ---

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

  if (MODEL == CONVERT_YUV) {
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
  if (MODEL == CONVERT_RGB)
    return uvec3 (scaled_at (0, x, y, WHITE), scaled_at (1, x, y, WHITE),
        scaled_at (2, x, y, WHITE));
  ivec3 yuv = yuv_at (x, y);

  return uvec3 (signal_of (ivec3 (KY, 0, RV), yuv),
      signal_of (ivec3 (KY, -GU, -GV), yuv), signal_of (ivec3 (KY, BU, 0), yuv));
}

uint code_of (uint signal)
{
  return KIND == CONVERT_CURVED
      ? bitfieldExtract (table[signal / 4], int (signal % 4) * 8, 8) : signal;
}

// Returns R | G << 8 | B << 16 | A << 24.
uint codes_at (uint x, uint y)
{
  uvec3 signals = signals_at (x, y);
  uint alpha = COMPONENT_BITS (IN_3) > 0 ? scaled_at (ALPHA, x, y, 255) : 255;

  return code_of (signals.r) | code_of (signals.g) << 8 | code_of (signals.b) << 16
      | alpha << 24;
}

// --- light ---

// A position between two samples of an axis.
struct Between
{
  uint first, second;
  float part;                   // weight of the second
};

Between between_samples (uint at, uint n, uint shift, bool is_cosited)
{
  uint last = (n + (1u << shift) - 1 >> shift) - 1;
  float first_sample = is_cosited ? 0 : float ((1u << shift) - 1) / 2;
  float position = (float (at) - first_sample) / float (1u << shift);
  int first = int (floor (position));

  return Between (uint (clamp (first, 0, int (last))),
      uint (clamp (first + 1, 0, int (last))), position - float (first));
}

// Returns Cb or Cr in -1/2…1/2.
float exact_chroma_at (uint c, uint x, uint y)
{
  uint component = in_component (c);
  Between columns = between_samples (x, width, COMPONENT_SHIFT_X (component),
      H_COSITED);
  Between rows = between_samples (y, height, COMPONENT_SHIFT_Y (component),
      V_COSITED);
  float upper = mix (float (fetch (c, columns.first, rows.first)),
      float (fetch (c, columns.second, rows.first)), columns.part);
  float lower = mix (float (fetch (c, columns.first, rows.second)),
      float (fetch (c, columns.second, rows.second)), columns.part);

  return (mix (upper, lower, rows.part) - chroma_middle) / chroma_range;
}

vec3 rgb_of_yuv (float luma, float cb, float cr)
{
  float red = luma + 2 * (1 - red_weight) * cr;
  float blue = luma + 2 * (1 - blue_weight) * cb;

  return vec3 (red, (luma - red_weight * red - blue_weight * blue)
      / (1 - red_weight - blue_weight), blue);
}

// Returns R'G'B'.
vec3 colour_at (uint x, uint y)
{
  float first = (float (fetch (0, x, y)) - luma_low) / luma_range;

  if (MODEL == CONVERT_GREY)
    return vec3 (first);
  if (MODEL == CONVERT_YUV)
    return rgb_of_yuv (first, exact_chroma_at (1, x, y), exact_chroma_at (2, x, y));
  return vec3 (first, float (fetch (1, x, y)) / luma_range,
      float (fetch (2, x, y)) / luma_range);
}

float light_of (float component)
{
  return look_up (TRANSFER_DECODE_AT, TRANSFER_DECODE_OCTAVES, component);
}

vec4 light_at (uint x, uint y)
{
  vec3 colour = colour_at (x, y);
  float alpha = IN_3 == 0 ? 1 : float (fetch (ALPHA, x, y)) / float (largest_code (IN_3));

  return vec4 (light_of (colour.r), light_of (colour.g), light_of (colour.b), alpha);
}

void main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint x = item % width, y = item / width;
  uint row = out_offset + y * out_stride;

  if (item >= end_item)
    return;
  if (KIND == CONVERT_CODES || KIND == CONVERT_CURVED) {
    output_words[row + x] = codes_at (x, y);
    return;
  }

  vec4 light = light_at (x, y);

  if (KIND == CONVERT_HALVES) {
    output_words[row + 2 * x] = packHalf2x16 (light.rg);
    output_words[row + 2 * x + 1] = packHalf2x16 (light.ba);
  } else {
    for (uint i = 0; i < 4; i++)
      output_words[row + 4 * x + i] = floatBitsToUint (light[i]);
  }
}
