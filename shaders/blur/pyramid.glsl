// SPDX-License-Identifier: LGPL-2.1-or-later
// Levels of the pyramid: how samples lie in memory, and the cubic B-splines
// that lead from one level to the next, in positions that are exact.

#include "blur/shared.h"
#include "blur/pyramid.h"

// COMPONENTS is defined where the finer plane is a frame's: its samples a pixel.
#ifdef COMPONENTS
const bool FRAME = true;
#else
#define COMPONENTS 4
const bool FRAME = false;
#endif
layout (constant_id = PYRAMID_ALPHA) const int ALPHA = -1;
layout (constant_id = PYRAMID_UNUSED) const int UNUSED = -1;
layout (constant_id = PYRAMID_LANES) const uint LANES = 4;
layout (constant_id = PYRAMID_HALF) const bool HALF = true;
layout (local_size_x_id = PYRAMID_THREADS) in;

layout (std430, binding = PYRAMID_SOURCE) readonly buffer Source
{
  uint source[];
};
layout (std430, binding = PYRAMID_SOURCE) readonly buffer SourcePairs
{
  uvec2 source_pairs[];
};
layout (std430, binding = PYRAMID_SOURCE) readonly buffer SourceQuads
{
  uvec4 source_quads[];
};
layout (std430, binding = PYRAMID_TARGET) writeonly buffer Target
{
  uint target[];
};

const int MARGIN = PYRAMID_MARGIN;
const uint WORDS = HALF ? LANES / 2 : LANES;    // of a sample of a level

#include "blur/edges.glsl"

// --- samples of levels ---

uvec4
load_words (uint at)
{
  if (WORDS == 1)
    return uvec4 (source[at], 0, 0, 0);
  if (WORDS == 2)
    return uvec4 (source_pairs[at / 2], 0, 0);
  return source_quads[at / 4];
}

vec4
sample_of (uvec4 words)
{
  return HALF ? vec4 (unpackHalf2x16 (words.x), unpackHalf2x16 (words.y))
      : uintBitsToFloat (words);
}

// Lanes @lane and the next of the sample at @at.
void
store_lanes (uint at, uint lane, vec2 values)
{
  if (HALF) {
    target[at + lane / 2] = packHalf2x16 (values);
  } else {
    target[at + lane] = floatBitsToUint (values.x);
    target[at + lane + 1] = floatBitsToUint (values.y);
  }
}

void
store_sample (uint at, vec4 value)
{
  store_lanes (at, 0, value.xy);
  if (LANES == 4)
    store_lanes (at, 2, value.zw);
}

// Where a sample of a level of this width is, its margins included.
uint
sample_at (uint offset, int x, int y, int level_width)
{
  return offset + uint ((y + MARGIN) * (level_width + 2 * MARGIN) + x + MARGIN)
      * WORDS;
}

// The index of the sample of a level that stands for this one.
int
level_index (int i, int n, uint mode)
{
  if (mode == BLUR_EDGE_MIRROR || mode == BLUR_EDGE_WRAP)
    return edge_index (i, n, mode);
  return clamp (i, -MARGIN, n + MARGIN - 1);
}

// --- between a finer and a coarser plane ---

// Where index i of the finer plane lies on the coarser one: at whole
// + part / (2 fine), counted in integers, so that every thread agrees.
struct Place
{
  int whole, part;
};

Place
place_of (int i, int fine, int coarse)
{
  // % and / are undefined for negative numbers.
  const int bias = 16;
  int at = (2 * i + 1) * coarse - fine + bias * 2 * fine;

  return Place (at / (2 * fine) - bias, at % (2 * fine));
}

// Indices of the finer plane up to where the next whole one is passed, from a place
// that is the first behind one: as many as the ratio, rounded down, or one more.
int
steps_to_next (Place place, int fine, int coarse)
{
  int n = fine / coarse;

  return place.part + n * 2 * coarse < 2 * fine ? n + 1 : n;
}

// So many indices on, behind the next whole one.
Place
passed (Place place, int n, int fine, int coarse)
{
  return Place (place.whole + 1, place.part + n * 2 * coarse - 2 * fine);
}

// Any number of indices on.
Place
advanced (Place place, int n, int fine, int coarse)
{
  int part = place.part + n * 2 * coarse;

  return Place (place.whole + part / (2 * fine), part % (2 * fine));
}

// What the four samples around a place, from whole - 1 on, weigh there.
vec4
spline_weights (Place place, int fine)
{
  float t = float (place.part) / float (2 * fine);
  float s = 1 - t;
  float first = s * s * s / 6;
  float last = t * t * t / 6;
  float second = 2.0 / 3 - t * t + t * t * t / 2;

  return vec4 (first, second, 1 - first - second - last, last);
}
