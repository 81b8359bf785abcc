// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts pixels to the values that are summed, and sums to pixels. For all shaders of
// the blur that read or write frames. They must include words.glsl first, and define
// ALPHA, LINEAR and light[].

#include "blur/light.h"

// The index of component ALPHA or UNUSED, which are -1 if pixels have none. Code that needs them
// is not run then, but an index must be inside its vector.
#define INDEX(component) (component < 0 ? 0 : component)

// Colours are summed premultiplied; otherwise transparent pixels would bleed. For an opaque
// pixel the factor is exactly 1, so that it is summed as if there were no alpha.
Sample premultiply (Sample pixel)
{
  if (ALPHA >= 0) {
#ifdef EXACT
    Sample product = pixel * pixel[INDEX (ALPHA)];
    product[INDEX (ALPHA)] = pixel[INDEX (ALPHA)];
#else
    precise float share = pixel[INDEX (ALPHA)] * (1 / FULL_SCALE);
    precise Sample product = pixel * share;
    product[INDEX (ALPHA)] = share;
#endif
    return product;
  }
  return pixel;
}

vec4 unpremultiply (vec4 sum)
{
  if (ALPHA >= 0) {
    float share = sum[INDEX (ALPHA)];
    sum = share > 0 ? sum / share : vec4 (0);
    sum[INDEX (ALPHA)] = share * FULL_SCALE;
  }
  return sum;
}

// The least sum of alpha that has colours. Smaller ones have no reciprocal on some devices.
#define LEAST_SHARE 1e-30

// Returns the factors that unpremultiply sums of bytes. @share: the sum of alpha, 0…1.

vec4 scale_of_share (float share)
{
  vec4 scale = vec4 (1);

  if (ALPHA >= 0) {
    scale = vec4 (share > LEAST_SHARE ? 1 / share : 0);
    scale[INDEX (ALPHA)] = FULL_SCALE;
  }
  return scale;
}

vec4 scale_of_sum (vec4 sum)
{
  return scale_of_share (sum[INDEX (ALPHA)]);
}

// --- linear light ---

vec4 lights_at (uvec4 halves)
{
  return vec4 (light[halves.x], light[halves.y], light[halves.z],
      light[halves.w]);
}

vec4 light_of_codes (vec4 codes)
{
  vec4 lights = lights_at (2 * uvec4 (codes));

  if (ALPHA >= 0)
    lights[INDEX (ALPHA)] = codes[INDEX (ALPHA)];
  return lights;
}

// Returns each code, or the next code if @lights reach the threshold between the two.
uvec4 next_codes (uvec4 codes, vec4 lights)
{
  return codes + uvec4 (lessThanEqual (lights_at (2 * codes + 1), lights));
}

// Uses the table and comparisons, as pow() differs between devices.
uvec4 codes_of_light (vec4 lights)
{
  ivec4 cells = (floatBitsToInt (max (lights, 0)) >> LIGHT_CELL_SHIFT)
      - LIGHT_FIRST_CELL;
  uvec4 codes = uvec4 (lights_at (LIGHT_CELLS_AT + uvec4 (clamp (cells, 0,
                LIGHT_CELLS - 1))));

  return next_codes (next_codes (codes, lights), lights);
}

// --- from codes to summed values, and back ---

// Converts codes without regard to alpha.
Sample colours_of_codes (Sample codes)
{
#ifndef EXACT
  if (LINEAR)
    codes = light_of_codes (codes);
#endif
  return codes;
}

Sample sample_of_codes (Sample codes)
{
  return premultiply (colours_of_codes (codes));
}

// @words: the words of four samples.
Sample sample_of_words (uvec4 words)
{
  Sample four = unpack_four (words);

  return ARE_VALUES ? premultiply (four) : sample_of_codes (four);
}

// Returns the codes of linear light @value. @codes: @value rounded; used for alpha, and for
// all samples if code values are blurred.
uvec4 encode_light (vec4 value, uvec4 codes)
{
  if (LINEAR) {
    uint alpha = codes[INDEX (ALPHA)];

    codes = codes_of_light (value);
    if (ALPHA >= 0)
      codes[INDEX (ALPHA)] = alpha;
  }
  return codes;
}

uvec4 codes_of_sum (vec4 sum, vec4 scale)
{
  return encode_light (sum * scale, uvec4 (clamp (fma (sum, scale, vec4 (0.5)),
              0, FULL_SCALE)));
}
