// SPDX-License-Identifier: LGPL-2.1-or-later
// What is summed of a pixel, and what becomes of the sums: for all shaders of the blur
// that read or write frames. They have words.glsl, ALPHA, LINEAR and light[].

#include "blur/light.h"

// Colours are summed premultiplied, or transparent pixels would bleed. What they are
// multiplied by is 1 where a pixel is opaque: these are summed as if there were no
// alpha.
Sample
premultiply (Sample pixel)
{
  if (ALPHA >= 0) {
#ifdef EXACT
    Sample product = pixel * pixel[ALPHA];
    product[ALPHA] = pixel[ALPHA];
#else
    precise float share = pixel[ALPHA] * (1 / FULL_SCALE);
    precise Sample product = pixel * share;
    product[ALPHA] = share;
#endif
    return product;
  }
  return pixel;
}

vec4
unpremultiply (vec4 sum)
{
  if (ALPHA >= 0) {
    float share = sum[ALPHA];
    sum = share > 0 ? sum / share : vec4 (0);
    sum[ALPHA] = share * FULL_SCALE;
  }
  return sum;
}

// What sums of bytes are multiplied by for the same, once it is known what alpha comes to.
// Next to none has no reciprocal on some devices, and no colours.
#define LEAST_SHARE 1e-30

vec4
scale_of_share (float share)
{
  vec4 scale = vec4 (1);

  if (ALPHA >= 0) {
    scale = vec4 (share > LEAST_SHARE ? 1 / share : 0);
    scale[ALPHA] = FULL_SCALE;
  }
  return scale;
}

vec4
scale_of_sum (vec4 sum)
{
  return scale_of_share (sum[max (ALPHA, 0)]);
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

// As if they were opaque.
Sample
colours_of_codes (Sample codes)
{
#ifndef EXACT
  if (LINEAR)
    codes = light_of_codes (codes);
#endif
  return codes;
}

Sample
sample_of_codes (Sample codes)
{
  return premultiply (colours_of_codes (codes));
}

// Of the words of four samples.
Sample
sample_of_words (uvec4 words)
{
  Sample four = unpack_four (words);

  return ARE_VALUES ? premultiply (four) : sample_of_codes (four);
}

// @codes: @value rounded, which stay where that is not light.
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
codes_of_sum (vec4 sum, vec4 scale)
{
  return encode_light (sum * scale, uvec4 (clamp (fma (sum, scale, vec4 (0.5)),
              0, FULL_SCALE)));
}
