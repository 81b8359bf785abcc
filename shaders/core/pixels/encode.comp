// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts pixels of one of the kinds in convert.h to a plane of a frame of any format. A thread
// writes a word. Unless samples are only moved, a chroma sample is the mean of R'G'B' around its
// position, over as many columns and rows as share it; beyond an edge, the pixels there are
// repeated.
#include "core/pixels/convert.glsl"

// What is converted. CONVERT_MOVED reads Input instead, and CONVERT_CODES and CONVERT_CURVED
// take alpha from there.
layout (std430, binding = 3) readonly buffer Pixels { uint pixel_words[]; };

#include "core/pixels/alpha.glsl"

const uint SHIFT_X = COMPONENT_SHIFT_X (OUT_1), SHIFT_Y = COMPONENT_SHIFT_Y (OUT_1);

// Returns the weight of a pixel in a chroma sample, which is the mean around its position.
// distance: from the first of the 2^shift pixels that share the sample. If the sample lies on
// that pixel, the last pixels on both sides are half covered.
int cover_weight (int distance, uint shift, bool is_cosited)
{
  int factor = 1 << shift, twice = 2 * abs (distance);

  if (is_cosited)
    return twice < factor ? 2 : twice == factor ? 1 : 0;
  return distance < 0 ? 0 : 2;
}

// A pixel that a chroma sample covers, and its weight.
struct Covered
{
  uint x, y;
  int weight;
};

// Returns pixel (@i, @j) from the first of those that share chroma sample (@x, @y).
Covered covered_at (uint x, uint y, int i, int j)
{
  return Covered (uint (clamp (int (x << SHIFT_X) + i, 0, int (width) - 1)),
      uint (clamp (int (y << SHIFT_Y) + j, 0, int (height) - 1)),
      cover_weight (i, SHIFT_X, H_COSITED) * cover_weight (j, SHIFT_Y, V_COSITED));
}

// --- samples of another frame ---

// Whether the plane that is written has samples of Cb.
const bool IS_CHROMA = PLANE_SLOT (OUT_PLANE, 0) == 1;

// Returns the code of a component, scaled if it has other bits. Alpha for a plane with fewer
// samples is the mean of that of the pixels that share a sample.
uint moved_code (uint c, uint x, uint y)
{
  uint code = c == ALPHA && IS_CHROMA ? mean_alpha (SHIFT_X, SHIFT_Y, x, y)
      : fetch (c, x, y);
  uint from = largest_code (in_component (c)), to = largest_code (out_component (c));

  return from == to ? code : scale_code (code, from, to);
}

// --- codes ---

// The bits of a code beyond 8.
const int MORE_BITS = int (COMPONENT_BITS (OUT_0)) - 8;

uint signal_of (uint code)
{
  return KIND == CONVERT_CURVED ? table[CURVE_SIGNALS_AT + code] : code;
}

// Returns R', G' and B' of the frame.
ivec3 signals_at (uint x, uint y)
{
  uint pixel = pixel_words[pixels_offset + y * pixels_stride + x];

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

// Returns the weighted sum of the pixels that a chroma sample covers.
ivec3 sum_at (uint x, uint y)
{
  ivec3 sum = ivec3 (0);

  for (int j = -(1 << SHIFT_Y) / 2; j < 1 << SHIFT_Y; j++)
    for (int i = -(1 << SHIFT_X) / 2; i < 1 << SHIFT_X; i++) {
      Covered at = covered_at (x, y, i, j);

      if (at.weight > 0)
        sum += at.weight * signals_at (at.x, at.y);
    }
  return sum;
}

uint alpha_at (uint x, uint y)
{
  uint largest = largest_code (OUT_3);

  return COMPONENT_BITS (IN_3) == 0 ? largest
      : scale_code (fetch (ALPHA, x, y), largest_code (IN_3), largest);
}

uint code_of_codes (uint c, uint x, uint y)
{
  if (c == ALPHA)
    return alpha_at (x, y);
  if (MODEL == CONVERT_RGB)
    return scale_code (uint (signals_at (x, y)[c]), WHITE, largest_code (OUT_0));
  if (c == 0)
    return code_of (ivec3 (YR, YG, YB), LUMA_OFFSET, signals_at (x, y), 0);
  return code_of (c == 1 ? ivec3 (UR, UG, UB) : ivec3 (VR, VG, VB), CHROMA_OFFSET,
      sum_at (x, y), WEIGHT_BITS (OUT_1));
}

// --- light ---

vec4 light_at (uint x, uint y)
{
  uint row = pixels_offset + y * pixels_stride;

  if (KIND == CONVERT_HALVES)
    return vec4 (unpackHalf2x16 (pixel_words[row + 2 * x]),
        unpackHalf2x16 (pixel_words[row + 2 * x + 1]));
  row += 4 * x;
  return uintBitsToFloat (uvec4 (pixel_words[row], pixel_words[row + 1],
          pixel_words[row + 2], pixel_words[row + 3]));
}

float component_of_light (float light)
{
  return look_up (TRANSFER_ENCODE_AT, TRANSFER_ENCODE_OCTAVES, light);
}

// Returns R'G'B'.
vec3 colour_at (uint x, uint y)
{
  vec3 light = light_at (x, y).rgb;

  return vec3 (component_of_light (light.r), component_of_light (light.g),
      component_of_light (light.b));
}

vec3 colour_of_chroma (uint x, uint y)
{
  vec3 sum = vec3 (0);
  int weights = 0;

  for (int j = -(1 << SHIFT_Y) / 2; j < 1 << SHIFT_Y; j++)
    for (int i = -(1 << SHIFT_X) / 2; i < 1 << SHIFT_X; i++) {
      Covered at = covered_at (x, y, i, j);

      sum += float (at.weight) * colour_at (at.x, at.y);
      weights += at.weight;
    }
  return sum / float (weights);
}

float luma_of (vec3 colour)
{
  return dot (colour, vec3 (red_weight, 1 - red_weight - blue_weight, blue_weight));
}

// Returns Cb or Cr in -1/2…1/2.
float chroma_of (uint c, vec3 colour)
{
  float weight = c == 1 ? blue_weight : red_weight;

  return ((c == 1 ? colour.b : colour.r) - luma_of (colour)) / (2 * (1 - weight));
}

// Returns the code, not rounded.
float value_at (uint c, uint x, uint y)
{
  vec3 colour;

  if (c == ALPHA)
    return light_at (x, y).a * float (largest_code (OUT_3));
  if (MODEL == CONVERT_YUV && c > 0)
    return chroma_middle + chroma_range * chroma_of (c, colour_of_chroma (x, y));
  colour = colour_at (x, y);
  return luma_low + luma_range * (MODEL == CONVERT_YUV ? luma_of (colour)
      : colour[c]);
}

// --- words ---

// Returns the code of component c in column x and row y of that component.
uint code_at (uint c, uint x, uint y)
{
  if (KIND == CONVERT_MOVED)
    return moved_code (c, x, y);
  if (KIND == CONVERT_CODES || KIND == CONVERT_CURVED)
    return code_of_codes (c, x, y);
  return uint (clamp (value_at (c, x, y) + 0.5, 0,
          float (largest_code (out_component (c)))));
}

#include "core/pixels/make_words.glsl"

void main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint word = item % row_words, y = item / row_words;

  if (item < end_item)
    output_words[out_offset + y * out_stride + word] = word_at (word, y);
}
