// SPDX-License-Identifier: LGPL-2.1-or-later
// One plane of a frame as all blur shaders but strips see it: fetching, edges, weights,
// sums, storing. EXACT sums integers (a box of bytes); otherwise samples are
// weighted floats.

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

const uint PIXELS = BLUR_PIXELS_PER_UNIT (COMPONENTS);
const uint VALUE_WORDS = SAMPLE == SAMPLE_HALF ? 2 : 4; // of a pixel

#ifdef EXACT
#define Sample uvec4
const uint WORDS = BLUR_WORDS_PER_SUM (COMPONENTS, false);
#else
#define Sample vec4
const uint WORDS = BLUR_WORDS_PER_SUM (COMPONENTS, HALF);
#endif

#include "blur/edges.glsl"

int
edge_index (int i, int n)
{
  return edge_index (i, n, edge);
}

// Of alpha.
#define OPAQUE (SAMPLE == SAMPLE_BYTE ? 255.0 : 1.0)
#include "pixels.glsl"

Sample
black_sample ()
{
  return sample_of_codes (unpack_bytes (black));
}

#ifndef EXACT
vec4
load_values (uint at)
{
  if (SAMPLE == SAMPLE_HALF)
    return vec4 (unpackHalf2x16 (source[at]), unpackHalf2x16 (source[at + 1]));
  return uintBitsToFloat (uvec4 (source[at], source[at + 1], source[at + 2],
          source[at + 3]));
}
#endif

// The codes in column x of the row that begins at row_at.
Sample
load_codes (uint x, uint row_at)
{
  uint byte = x * COMPONENTS;
  uint at = row_at + byte / 4;
  uint shift = byte % 4 * 8;
  uint word = source[at] >> shift;

  if (COMPONENTS == 3 && shift > 8)
    word |= source[at + 1] << (32 - shift);
  if (COMPONENTS < 4)
    word &= (1u << (8 * COMPONENTS & 31)) - 1;
  return unpack_bytes (word);
}

// The pixel at x, y, which lies in the plane.
Sample
fetch_inside (uint x, uint y)
{
  uint row_at = source_offset + y * source_stride;

#ifndef EXACT
  if (SAMPLE != SAMPLE_BYTE)
    return premultiply (load_values (row_at + x * VALUE_WORDS));
#endif
  return sample_of_codes (load_codes (x, row_at));
}

Sample
fetch (int x, int y)
{
  int inside_x = edge_index (x, int (width));
  int inside_y = edge_index (y, int (height));

  if (inside_x < 0 || inside_y < 0)
    return black_sample ();
  return fetch_inside (uint (inside_x), uint (inside_y));
}

Sample
weighted (Sample value, uint weight_at)
{
#ifdef EXACT
  return value;
#else
  return value * weights[weight_at];
#endif
}

#ifdef EXACT
// What the taps of an axis of a box weigh together.
uint
box_weight (uint radius, uint inner, uint end)
{
  return 2 * (radius * inner + end) - inner;
}
#endif

// The sum along row y around column x.
Sample
sum_row (int x, int y)
{
  Sample sum = Sample (0);
  int radius = int (radius_x);

  for (int i = -radius; i <= radius; i++)
    sum += weighted (fetch (x + i, y), weights_x + abs (i));
  return sum;
}

// --- sums kept in memory ---

#ifndef EXACT
#include "halves.glsl"

uvec2
encode_halves (vec4 value)
{
  if (SAMPLE != SAMPLE_BYTE)
    value = within_halves (value);
  return uvec2 (packHalf2x16 (value.xy), packHalf2x16 (value.zw));
}
#endif

uvec4
encode (Sample value)
{
#ifdef EXACT
  return value;
#else
  if (HALF)
    return uvec4 (encode_halves (value), 0, 0);
  return floatBitsToUint (value);
#endif
}

Sample
decode (uvec4 words)
{
#ifdef EXACT
  return words;
#else
  if (HALF)
    return vec4 (unpackHalf2x16 (words.x), unpackHalf2x16 (words.y));
  return uintBitsToFloat (words);
#endif
}

void
store_middle (uint x, uint y, Sample value)
{
  uint at = (y * strip_width + x - strip) * WORDS;
  uvec4 words = encode (value);

  for (uint i = 0; i < WORDS; i++)
    middle[at + i] = words[i];
}

Sample
load_middle (uint x, uint y)
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

// Row sums fit 32 bits, sums over both axes may not.
struct Total
{
  uvec2 sum[4];
};

Total
empty_total ()
{
  return Total (uvec2[4] (uvec2 (0), uvec2 (0), uvec2 (0), uvec2 (0)));
}

void
add_row (inout Total total, uvec4 row, uint weight_at)
{
  for (uint i = 0; i < COMPONENTS; i++)
    total.sum[i] = wide_add (total.sum[i], uvec2 (row[i], 0));
}

uvec4
finish (Total total)
{
  uvec2 count = wide_multiply (box_weight (radius_x, inner_x, end_x),
      box_weight (radius_y, inner_y, end_y));
  uvec4 code = uvec4 (0);

  for (uint i = 0; i < COMPONENTS; i++)
    code[i] = wide_divide_rounded_unsigned (total.sum[i],
        ALPHA >= 0 && i != ALPHA ? total.sum[max (ALPHA, 0)] : count);
  return code;
}

#else

struct Total
{
  vec4 sum;
};

Total
empty_total ()
{
  return Total (vec4 (0));
}

void
add_row (inout Total total, vec4 row, uint weight_at)
{
  total.sum += weighted (row, weight_at);
}

vec4
finish (Total total)
{
  return SAMPLE == SAMPLE_BYTE ? vec4 (codes_of_sum (total.sum,
          scale_of_sum (total.sum)))
      : unpremultiply (total.sum);
}

void
store_values (uint at, vec4 values)
{
  uvec4 words = floatBitsToUint (values);

  if (SAMPLE == SAMPLE_HALF)
    words.xy = uvec2 (packHalf2x16 (values.xy), packHalf2x16 (values.zw));
  for (uint i = 0; i < VALUE_WORDS; i++)
    target[at + i] = words[i];
}

#endif

// Stores the pixels of a unit; bytes past the plane's edge, which pad its
// last word, become 0.
void
store_unit (uint unit, uint y, Sample samples[PIXELS])
{
  uint words[3] = uint[3] (0, 0, 0);
  uint row_at = target_offset + y * target_stride;
  uint at = row_at + unit * PIXELS * COMPONENTS / 4;
  uint used = 0;

#ifndef EXACT
  if (SAMPLE != SAMPLE_BYTE) {
    store_values (row_at + unit * VALUE_WORDS, samples[0]);
    return;
  }
#endif
  for (uint p = 0; p < PIXELS; p++) {
    uvec4 codes = uvec4 (samples[p]);

    if (unit * PIXELS + p >= width)
      break;
    for (uint c = 0; c < COMPONENTS; c++) {
      uint byte = p * COMPONENTS + c;
      uint code = int (c) == UNUSED ? 255 : codes[c];
      words[byte / 4] |= code << (byte % 4 * 8);
    }
    used = ((p + 1) * COMPONENTS + 3) / 4;
  }
  for (uint i = 0; i < used; i++)
    target[at + i] = words[i];
}
