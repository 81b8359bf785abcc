// SPDX-License-Identifier: LGPL-2.1-or-later
// The base of the shaders of passes: fetches pixels of a plane, handles edges, weights, sums and
// stores. With EXACT, sums are integers (boxes of bytes); otherwise they are weighted floats.

#include "blur/shared.h"
#include "core/shared.h"

layout (constant_id = BLUR_GROUP_X) const uint GROUP_X = 32;
layout (constant_id = BLUR_GROUP_Y) const uint GROUP_Y = 8;
layout (constant_id = BLUR_COMPONENTS) const uint COMPONENTS = 4;
layout (constant_id = BLUR_ALPHA) const int ALPHA = -1;
layout (constant_id = BLUR_UNUSED) const int UNUSED = -1;
layout (constant_id = BLUR_HALF) const bool HALF = false;
layout (constant_id = BLUR_SHARED_WORDS) const uint SHARED_WORDS = 1;
layout (constant_id = BLUR_SAMPLE) const uint SAMPLE = SAMPLE_BYTE;
layout (constant_id = BLUR_LINEAR) const bool LINEAR = false;
layout (constant_id = BLUR_WIDE) const bool WIDE = false;
layout (local_size_x_id = BLUR_GROUP_X, local_size_y_id = BLUR_GROUP_Y) in;

layout (std430, binding = BLUR_SOURCE) readonly buffer Source
{
  uint source[];
};
layout (std430, binding = BLUR_TARGET) writeonly buffer Target
{
  uint target[];
};
layout (std430, binding = BLUR_WEIGHTS) readonly buffer Weights
{
  float weights[];
};
layout (std430, binding = BLUR_MIDDLE) buffer Middle { uint middle[]; };
layout (std430, binding = BLUR_LIGHT) readonly buffer Light { float light[]; };

layout (push_constant) uniform Push { BLUR_PUSH (uint) };

#ifdef EXACT
#define Sample uvec4
const uint WORDS = BLUR_WORDS_PER_SUM (COMPONENTS, false);
#else
#define Sample vec4
const uint WORDS = BLUR_WORDS_PER_SUM (COMPONENTS, HALF);
#endif

#define SHORTS SAMPLE
#include "words.glsl"

const uint PIXELS = BLUR_PIXELS_PER_UNIT (PIXEL_BYTES);

#include "blur/edges.glsl"

int edge_index (int i, int n)
{
  return edge_index (i, n, edge);
}

#include "pixels.glsl"

Sample black_sample ()
{
  return sample_of_codes (Sample (black));
}

// Returns the pixel at @x, @y, which must lie in the plane.
Sample fetch_inside (uint x, uint y)
{
  return sample_of_words (load_pixel (x, source_offset + y * source_stride));
}

Sample fetch (int x, int y)
{
  int inside_x = edge_index (x, int (width));
  int inside_y = edge_index (y, int (height));

  if (inside_x < 0 || inside_y < 0)
    return black_sample ();
  return fetch_inside (uint (inside_x), uint (inside_y));
}

Sample weighted (Sample value, uint weight_at)
{
#ifdef EXACT
  return value;
#else
  return value * weights[weight_at];
#endif
}

#ifdef EXACT
// Returns the sum of the weights of an axis of a box.
uint box_weight (uint radius, uint inner, uint end)
{
  return 2 * (radius * inner + end) - inner;
}
#endif

// Returns the weighted sum along row @y around column @x.
Sample sum_row (int x, int y)
{
  Sample sum = Sample (0);
  int radius = int (radius_x);

  for (int i = -radius; i <= radius; i++)
    sum += weighted (fetch (x + i, y), weights_x + abs (i));
  return sum;
}

// --- sums in memory ---

#ifndef EXACT
#include "halves.glsl"

uvec2 encode_halves (vec4 value)
{
  if (ARE_VALUES)
    value = within_halves (value);
  return uvec2 (packHalf2x16 (value.xy), packHalf2x16 (value.zw));
}
#endif

uvec4 encode (Sample value)
{
#ifdef EXACT
  return value;
#else
  if (HALF)
    return uvec4 (encode_halves (value), 0, 0);
  return floatBitsToUint (value);
#endif
}

Sample decode (uvec4 words)
{
#ifdef EXACT
  return words;
#else
  if (HALF)
    return vec4 (unpackHalf2x16 (words.x), unpackHalf2x16 (words.y));
  return uintBitsToFloat (words);
#endif
}

void store_middle (uint x, uint y, Sample value)
{
  uint at = (y * strip_width + x - strip) * WORDS;
  uvec4 words = encode (value);

  for (uint i = 0; i < WORDS; i++)
    middle[at + i] = words[i];
}

Sample load_middle (uint x, uint y)
{
  uint at = (y * strip_width + x - strip) * WORDS;
  uvec4 words = uvec4 (0);

  for (uint i = 0; i < WORDS; i++)
    words[i] = middle[at + i];
  return decode (words);
}

// --- from the sum over both axes to codes ---

#ifdef EXACT

#include "core/wide.glsl"
#include "quotient.glsl"

// Row sums fit into one word. Sums over both axes may need two; otherwise the second is 0.
struct Total
{
  uvec2 sum[4];
};

Total empty_total ()
{
  return Total (uvec2[4] (uvec2 (0), uvec2 (0), uvec2 (0), uvec2 (0)));
}

void add_row (inout Total total, uvec4 row, uint weight_at)
{
  for (uint i = 0; i < COMPONENTS; i++)
    total.sum[i] = WIDE ? wide_add (total.sum[i], uvec2 (row[i], 0))
        : uvec2 (total.sum[i].x + row[i], 0);
}

uvec4 finish_wide (Total total)
{
  uvec2 count = wide_multiply (box_weight (radius_x, inner_x, end_x),
      box_weight (radius_y, inner_y, end_y));
  uvec4 code = uvec4 (0);

  for (uint i = 0; i < COMPONENTS; i++)
    code[i] = wide_divide_rounded_unsigned (total.sum[i],
        ALPHA >= 0 && i != ALPHA ? total.sum[INDEX (ALPHA)] : count);
  return code;
}

uvec4 finish (Total total)
{
  uint count = box_weight (radius_x, inner_x, end_x)
      * box_weight (radius_y, inner_y, end_y);
  uint alpha = ALPHA >= 0 ? max (total.sum[INDEX (ALPHA)].x, 1) : count;
  float per_count = 1.0 / float (count), per_alpha = 1.0 / float (alpha);
  uvec4 code = uvec4 (0);

  if (WIDE)
    return finish_wide (total);
  for (uint i = 0; i < COMPONENTS; i++)
    code[i] = i == ALPHA ? rounded_quotient (total.sum[i].x, count, per_count)
        : rounded_quotient (total.sum[i].x, alpha, per_alpha);
  return code;
}

#else

struct Total
{
  vec4 sum;
};

Total empty_total ()
{
  return Total (vec4 (0));
}

void add_row (inout Total total, vec4 row, uint weight_at)
{
  total.sum += weighted (row, weight_at);
}

vec4 finish (Total total)
{
  return ARE_VALUES ? unpremultiply (total.sum)
      : vec4 (codes_of_sum (total.sum, scale_of_sum (total.sum)));
}

#endif

#include "unit.glsl"
