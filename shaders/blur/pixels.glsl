// SPDX-License-Identifier: LGPL-2.1-or-later
// What is summed of a pixel, and what becomes of the sums: for all shaders of the blur
// that read or write frames. They have ALPHA, LINEAR and light[].

#include "blur/light.h"

#ifndef Sample
#define Sample vec4
#endif

// Of four bytes.
Sample
unpack_bytes (uint word)
{
  return Sample (word & 255, bitfieldExtract (word, 8, 8),
      bitfieldExtract (word, 16, 8), word >> 24);
}

uint
pack_bytes (uvec4 codes)
{
  return codes.x | codes.y << 8 | codes.z << 16 | codes.w << 24;
}

// Colours are summed premultiplied, or transparent pixels would bleed.
Sample
premultiply (Sample pixel)
{
  if (ALPHA >= 0) {
    Sample product = pixel * pixel[ALPHA];
    product[ALPHA] = pixel[ALPHA];
    return product;
  }
  return pixel;
}

vec4
unpremultiply (vec4 sum)
{
  if (ALPHA >= 0) {
    float alpha = sum[ALPHA];
    sum = alpha != 0 ? sum / alpha : vec4 (0);
    sum[ALPHA] = alpha;
  }
  return sum;
}

// --- linear light ---

vec4
lights_at (uvec4 halves)
{
  return vec4 (light[halves.x], light[halves.y], light[halves.z],
      light[halves.w]);
}

vec4
light_of_codes (vec4 codes)
{
  vec4 lights = lights_at (2 * uvec4 (codes));

  if (ALPHA >= 0)
    lights[ALPHA] = codes[ALPHA];
  return lights;
}

// One more, where that has no more light than there is.
uvec4
next_codes (uvec4 codes, vec4 lights)
{
  return codes + uvec4 (lessThanEqual (lights_at (2 * codes + 1), lights));
}

// Looked up and compared: powers differ between devices.
uvec4
codes_of_light (vec4 lights)
{
  ivec4 cells = (floatBitsToInt (max (lights, 0)) >> LIGHT_CELL_SHIFT)
      - LIGHT_FIRST_CELL;
  uvec4 codes = uvec4 (lights_at (LIGHT_CELLS_AT + uvec4 (clamp (cells, 0,
                LIGHT_CELLS - 1))));

  return next_codes (next_codes (codes, lights), lights);
}

// --- from codes to what is summed, and back ---

Sample
sample_of_codes (Sample codes)
{
#ifndef EXACT
  if (LINEAR)
    codes = light_of_codes (codes);
#endif
  return premultiply (codes);
}

// @codes: @value rounded, which stay where it is not light.
uvec4
encode_light (vec4 value, uvec4 codes)
{
  if (LINEAR) {
    uint alpha = codes[max (ALPHA, 0)];

    codes = codes_of_light (value);
    if (ALPHA >= 0)
      codes[ALPHA] = alpha;
  }
  return codes;
}

uvec4
codes_of_sum (vec4 sum)
{
  vec4 value = unpremultiply (sum);

  return encode_light (value, uvec4 (clamp (value + 0.5, 0, 255)));
}
