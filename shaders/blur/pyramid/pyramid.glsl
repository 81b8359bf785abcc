// SPDX-License-Identifier: LGPL-2.1-or-later
// Levels of the pyramid: the layout of samples in memory, and the weights of the cubic
// B-splines between two levels, with exact positions.

#include "blur/shared.h"
#include "blur/pyramid/pyramid.h"

#include "core/shared.h"

layout (constant_id = PYRAMID_ALPHA) const int ALPHA = -1;
layout (constant_id = PYRAMID_UNUSED) const int UNUSED = -1;
layout (constant_id = PYRAMID_LANES) const uint LANES = 4;
layout (constant_id = PYRAMID_HALF) const bool HALF = true;
layout (constant_id = PYRAMID_LINEAR) const bool LINEAR = false;
layout (constant_id = PYRAMID_FRAME) const bool FRAME = true;
layout (constant_id = PYRAMID_SAMPLE) const int SAMPLE = SAMPLE_BYTE;
layout (constant_id = PYRAMID_COMPONENTS) const int COMPONENTS = 4;
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
const uint WORDS = HALF ? LANES / 2 : LANES;    // words of a sample of a level

#include "blur/edges.glsl"
#include "blur/halves.glsl"
#define SHORTS SAMPLE
#include "blur/words.glsl"

// The factor that scales sums to 0…1. With alpha it is 1, as unpremultiplying scales them.
#define FRAME_SCALE (ALPHA < 0 ? 1 / FULL_SCALE : 1.0)

// --- samples of levels ---

uvec4 load_words (uint at)
{
  if (WORDS == 1)
    return uvec4 (source[at], 0, 0, 0);
  if (WORDS == 2)
    return uvec4 (source_pairs[at / 2], 0, 0);
  return source_quads[at / 4];
}

vec4 sample_of (uvec4 words)
{
  return HALF ? vec4 (unpackHalf2x16 (words.x), unpackHalf2x16 (words.y))
      : uintBitsToFloat (words);
}

uvec4 words_of (vec4 value)
{
  // Values that were clamped before can only exceed the range of halves slightly, as sums
  // of weights are hardly more than 1.
  if (HALF && ARE_VALUES)
    value = within_halves (value);
  return HALF ? uvec4 (packHalf2x16 (value.xy), packHalf2x16 (value.zw), 0, 0)
      : floatBitsToUint (value);
}

void store_words (uint at, uvec4 words)
{
  if (WORDS == 1)
    target[at] = words.x;
  else if (WORDS == 2)
    target_pairs[at / 2] = words.xy;
  else
    target_quads[at / 4] = words;
}

// Adds @lanes, times @weight, to the first @n lanes of a sum, but not to an unused one. @n: a
// specialization constant. A select is straight-line code, in which drivers drop lanes; of
// branches or a loop there would be hundreds to resolve.
void add_lanes (inout vec4 sum, float weight, vec4 lanes, int n)
{
  bvec4 is_summed = bvec4 (n > 0 && UNUSED != 0, n > 1 && UNUSED != 1,
      n > 2 && UNUSED != 2, n > 3 && UNUSED != 3);

  sum = mix (sum, fma (vec4 (weight), lanes, sum), is_summed);
}

// Returns the word of a sample of a level. @x, @y may be in the margins. @level_width: the
// width without margins.
uint sample_at (int x, int y, int level_width)
{
  return uint ((y + MARGIN) * PYRAMID_PITCH (level_width + 2 * MARGIN) + x
      + MARGIN) * WORDS;
}

// Returns the index of the sample that replaces sample @i of a level of @n samples, which
// may be in the margins.
int level_index (int i, int n, uint mode)
{
  if (mode == BLUR_EDGE_MIRROR || mode == BLUR_EDGE_WRAP)
    return edge_index (i, n, mode);
  return clamp (i, -MARGIN, n + MARGIN - 1);
}

// --- between a finer and a coarser plane ---

// Returns @value / @n, for @value ≥ 0 and a result below 2²⁰. Devices divide floats faster
// than integers. The quotient of floats is off by one at most, which is corrected.
int quotient (int value, int n)
{
  int result = int (float (value) / float (n));
  int rest = value - result * n;

  return rest < 0 ? result - 1 : rest < n ? result : result + 1;
}

// The position of index i of the finer plane on the coarser one: whole + part / (2 fine).
// Integers make sure that all threads compute the same position.
struct Place
{
  int whole, part;
};

Place place_of (int i, int fine, int coarse)
{
  const int bias = 16;
  int at = (2 * i + 1) * coarse - fine + bias * 2 * fine;
  int whole = quotient (at, 2 * fine);

  return Place (whole - bias, at - whole * 2 * fine);
}

// Returns the number of indices of the finer plane from @place to the first one past the
// next whole position. @place must be the first one past a whole position. The result is
// the ratio rounded down, or one more.
int steps_to_next (Place place, int fine, int coarse)
{
  int n = fine / coarse;

  return place.part + n * 2 * coarse < 2 * fine ? n + 1 : n;
}

// As steps_to_next(), for any place.
int steps_from (Place place, int fine, int coarse)
{
  return quotient (2 * fine - place.part + 2 * coarse - 1, 2 * coarse);
}

// Returns the place @n indices after @place, which is past the next whole position.
Place passed (Place place, int n, int fine, int coarse)
{
  return Place (place.whole + 1, place.part + n * 2 * coarse - 2 * fine);
}

// Returns the place one index after @place. The finer plane has at least as many samples.
Place next_place (Place place, int fine, int coarse)
{
  int part = place.part + 2 * coarse;

  return part < 2 * fine ? Place (place.whole, part)
      : Place (place.whole + 1, part - 2 * fine);
}

// Returns the place @n indices after @place, for any @n.
Place advanced (Place place, int n, int fine, int coarse)
{
  int part = place.part + n * 2 * coarse;
  int whole = quotient (part, 2 * fine);

  return Place (place.whole + whole, part - whole * 2 * fine);
}

// Returns the weights of the samples whole - 1…whole + 2 at a place. @t: the fraction of
// the distance between whole and whole + 1.
vec4 spline_at (float t)
{
  float s = 1 - t;
  float first = s * s * s / 6;
  float last = t * t * t / 6;
  float second = 2.0 / 3 - t * t + t * t * t / 2;

  return vec4 (first, second, 1 - first - second - last, last);
}

vec4 spline_weights (Place place, int fine)
{
  return spline_at (float (place.part) * (1.0 / float (2 * fine)));
}

// Returns the first index of the finer plane that is a tap of sample @j of the coarser.
int first_tap (int j, int fine, int coarse)
{
  // Rounds up a quotient that may be negative.
  const int bias = 256;
  int at = (2 * j - 3) * fine - coarse;

  return quotient (at + (bias + 1) * 2 * coarse - 1, 2 * coarse) - bias;
}

// Returns the distance of index @i of the finer plane from sample @j of the coarser, in
// samples of the coarser.
float distance_of (int i, int j, int fine, int coarse)
{
  return float ((2 * i + 1) * coarse - (2 * j + 1) * fine)
      * (1.0 / float (2 * fine));
}

// Returns six times the weight of a tap at @distance.
float tap_weight (float distance)
{
  float outer = max (2 - abs (distance), 0);
  float inner = max (1 - abs (distance), 0);

  return outer * outer * outer - 4 * (inner * inner * inner);
}
