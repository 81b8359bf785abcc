// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts linear light, as enter_light.comp makes it, to a plane of a frame of any format.
// A chroma sample is the mean of R'G'B' around its position, over as many columns and rows as
// share it.
#include "blur/transfer.glsl"

layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };

vec4 light_at (uint x, uint y)
{
  uint at = in_offset[0] + y * in_stride[0] + x * (HALF ? 2 : 4);

  if (HALF)
    return vec4 (unpackHalf2x16 (input_words[at]),
        unpackHalf2x16 (input_words[at + 1]));
  return uintBitsToFloat (uvec4 (input_words[at], input_words[at + 1],
          input_words[at + 2], input_words[at + 3]));
}

// Returns R'G'B'. Beyond the edges, the last pixels are repeated.
vec3 colour_at (int x, int y)
{
  vec3 light = light_at (uint (clamp (x, 0, int (width) - 1)),
      uint (clamp (y, 0, int (height) - 1))).rgb;

  return vec3 (encode (light.r), encode (light.g), encode (light.b));
}

vec3 colour_of_chroma (uint x, uint y)
{
  uint shift_x = COMPONENT_SHIFT_X (OUT_1), shift_y = COMPONENT_SHIFT_Y (OUT_1);
  vec3 sum = vec3 (0);
  int weights = 0;

  for (int j = -(1 << shift_y) / 2; j < 1 << shift_y; j++)
    for (int i = -(1 << shift_x) / 2; i < 1 << shift_x; i++) {
      int weight = cover_weight (i, shift_x, H_COSITED)
          * cover_weight (j, shift_y, V_COSITED);

      sum += float (weight) * colour_at ((int (x) << shift_x) + i,
          (int (y) << shift_y) + j);
      weights += weight;
    }
  return sum / float (weights);
}

float luma_of (vec3 colour)
{
  return dot (colour, vec3 (red_weight, 1 - red_weight - blue_weight, blue_weight));
}

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
  if (MODEL == TRANSFER_YUV && c > 0)
    return chroma_middle + chroma_range * chroma_of (c, colour_of_chroma (x, y));
  colour = colour_at (int (x), int (y));
  return luma_low + luma_range * (MODEL == TRANSFER_YUV ? luma_of (colour)
      : colour[c]);
}

uint code_at (uint c, uint x, uint y)
{
  return uint (clamp (value_at (c, x, y) + 0.5, 0,
          float (largest_code (out_component (c)))));
}

#include "core/pixels/write_format.glsl"
