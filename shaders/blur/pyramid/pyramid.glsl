// SPDX-License-Identifier: LGPL-2.1-or-later
// Levels of the pyramid: how samples lie in memory, and the cubic B-splines
// that lead from one level to the next, in positions that are exact.

#include "blur/shared.h"
#include "blur/pyramid/pyramid.h"

// Defined where the finer plane is a frame's: SAMPLE, and COMPONENTS of a pixel.
#ifdef SAMPLE
const bool FRAME = true;
#else
const bool FRAME = false;
#define SAMPLE SAMPLE_BYTE
#define COMPONENTS 4
#endif
layout (constant_id = PYRAMID_ALPHA) const int ALPHA = -1;
layout (constant_id = PYRAMID_UNUSED) const int UNUSED = -1;
layout (constant_id = PYRAMID_LANES) const uint LANES = 4;
layout (constant_id = PYRAMID_HALF) const bool HALF = true;
layout (constant_id = PYRAMID_WIDE) const bool WIDE = true;
layout (constant_id = PYRAMID_LINEAR) const bool LINEAR = false;
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
layout (std430, binding = PYRAMID_TARGET) writeonly buffer TargetPairs
{
  uvec2 target_pairs[];
};
layout (std430, binding = PYRAMID_TARGET) writeonly buffer TargetQuads
{
  uvec4 target_quads[];
};
layout (std430, binding = PYRAMID_LIGHT) readonly buffer Light
{
  float light[];
};

const int MARGIN = PYRAMID_MARGIN;
const uint WORDS = HALF ? LANES / 2 : LANES;    // of a sample of a level

#include "blur/edges.glsl"
#include "blur/halves.glsl"
#include "blur/words.glsl"

// What sums are multiplied by, to be shares of 1: where there is alpha, what
// divides by it does that.
const float FRAME_SCALE = ALPHA < 0 ? 1 / FULL_SCALE : 1;

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

uvec4
words_of (vec4 value)
{
  // What levels hold was once within halves, and weights are hardly more than 1.
  if (HALF && ARE_VALUES)
    value = within_halves (value);
  return HALF ? uvec4 (packHalf2x16 (value.xy), packHalf2x16 (value.zw), 0, 0)
      : floatBitsToUint (value);
}

void
store_words (uint at, uvec4 words)
{
  if (WORDS == 1)
    target[at] = words.x;
  else if (WORDS == 2)
    target_pairs[at / 2] = words.xy;
  else
    target_quads[at / 4] = words;
}

// Two adjacent samples, the first at an even place.
void
store_two (uint at, uvec4 first, uvec4 second)
{
  if (WORDS == 1) {
    target_pairs[at / 2] = uvec2 (first.x, second.x);
  } else if (WORDS == 2) {
    target_quads[at / 4] = uvec4 (first.xy, second.xy);
  } else {
    target_quads[at / 4] = first;
    target_quads[at / 4 + 1] = second;
  }
}

// Where a sample of a level of this width is, its margins included.
uint
sample_at (int x, int y, int level_width)
{
  return uint ((y + MARGIN) * PYRAMID_PITCH (level_width + 2 * MARGIN) + x
      + MARGIN) * WORDS;
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

// What the four samples around a place, from whole - 1 on, weigh there; @t: of the way
// from whole to the next.
vec4
spline_at (float t)
{
  float s = 1 - t;
  float first = s * s * s / 6;
  float last = t * t * t / 6;
  float second = 2.0 / 3 - t * t + t * t * t / 2;

  return vec4 (first, second, 1 - first - second - last, last);
}

vec4
spline_weights (Place place, int fine)
{
  return spline_at (float (place.part) * (1.0 / float (2 * fine)));
}

// The first index of the finer plane that weighs on sample j of the coarser.
int
first_tap (int j, int fine, int coarse)
{
  // The ceiling of a quotient that may be negative.
  const int bias = 256;
  int at = (2 * j - 3) * fine - coarse;

  return (at + (bias + 1) * 2 * coarse - 1) / (2 * coarse) - bias;
}

// What index i of the finer plane weighs on sample j, times the ratio.
float
tap_weight (int i, int j, int fine, int coarse)
{
  int away = abs ((2 * i + 1) * coarse - (2 * j + 1) * fine);
  float t = float (away) * (1.0 / float (2 * fine));
  float rest = max (2 - t, 0);

  return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : rest * rest * rest / 6;
}

// One over what all taps weigh.
float
scale_of_taps (int j, int fine, int coarse)
{
  int first = first_tap (j, fine, coarse);
  float sum = 0;

  for (int i = 0; i <= 4 * fine / coarse; i++)
    sum += tap_weight (first + i, j, fine, coarse);
  return 1 / sum;
}
