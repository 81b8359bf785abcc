// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts a frame of any format to linear light: R, G, B and alpha as halves or floats in
// 0…1. An item is a pixel. Chroma is interpolated between its samples.
#include "blur/transfer.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };

DEFINE_FETCH (input_words)

// A position between two samples of an axis.
struct Between
{
  uint first, second;
  float part;                   // weight of the second
};

Between between_samples (uint at, uint n, uint shift, bool is_cosited)
{
  uint last = (n + (1u << shift) - 1 >> shift) - 1;
  float position = (float (at) - chroma_offset (is_cosited, shift))
      / float (1u << shift);
  int first = int (floor (position));

  return Between (uint (clamp (first, 0, int (last))),
      uint (clamp (first + 1, 0, int (last))), position - float (first));
}

float chroma_at (uint c, uint x, uint y)
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

  if (MODEL == TRANSFER_GREY)
    return vec3 (first);
  if (MODEL == TRANSFER_YUV)
    return rgb_of_yuv (first, chroma_at (1, x, y), chroma_at (2, x, y));
  return vec3 (first, float (fetch (1, x, y)) / luma_range,
      float (fetch (2, x, y)) / luma_range);
}

float alpha_at (uint x, uint y)
{
  return IN_3 == 0 ? 1 : float (fetch (ALPHA, x, y)) / float (largest_code (IN_3));
}

void main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint x = item % width, y = item / width;
  uint at = out_offset + y * out_stride + x * (HALF ? 2 : 4);

  if (item >= end_item)
    return;

  vec3 colour = colour_at (x, y);
  vec4 light = vec4 (decode (colour.r), decode (colour.g), decode (colour.b),
      alpha_at (x, y));

  if (HALF) {
    output_words[at] = packHalf2x16 (light.rg);
    output_words[at + 1] = packHalf2x16 (light.ba);
  } else {
    for (uint i = 0; i < 4; i++)
      output_words[at + i] = floatBitsToUint (light[i]);
  }
}
