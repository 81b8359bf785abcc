// SPDX-License-Identifier: LGPL-2.1-or-later
// The base of the bilateral shaders: pixels of a plane with what guides them, weights,
// and means. docs/internals/design.md defines the filter.
#include "blur/shared.h"
#include "blur/bilateral/shared.h"

layout (constant_id = BILATERAL_GROUP_X) const uint GROUP_X = 32;
layout (constant_id = BILATERAL_GROUP_Y) const uint GROUP_Y = 8;
layout (constant_id = BILATERAL_COMPONENTS) const uint COMPONENTS = 4;
layout (constant_id = BILATERAL_ALPHA) const int ALPHA = -1;
layout (constant_id = BILATERAL_UNUSED) const int UNUSED = -1;
layout (constant_id = BILATERAL_LINEAR) const bool LINEAR = false;
layout (constant_id = BILATERAL_GUIDED) const bool GUIDED = false;
layout (constant_id = BILATERAL_SHIFT_X) const uint SHIFT_X = 1;
layout (constant_id = BILATERAL_SHIFT_Y) const uint SHIFT_Y = 1;
layout (local_size_x_id = BILATERAL_GROUP_X,
    local_size_y_id = BILATERAL_GROUP_Y) in;

layout (std430, binding = BILATERAL_SOURCE) readonly buffer Source
{
  uint source[];
};
layout (std430, binding = BILATERAL_TARGET) writeonly buffer Target
{
  uint target[];
};
layout (std430, binding = BILATERAL_LIGHT) readonly buffer Light
{
  float light[];
};

layout (push_constant) uniform Push { BILATERAL_PUSH (uint, float) };

#define SAMPLE SAMPLE_BYTE
#define SHORTS SAMPLE
#include "blur/words.glsl"

const uint PIXELS = BLUR_PIXELS_PER_UNIT (PIXEL_BYTES);

#include "blur/edges.glsl"
#include "blur/pixels.glsl"
#include "blur/unit.glsl"

// --- pixel words ---

const uint USED_BITS = UNUSED < 0 ? ~0u : ~(255u << (8 * UNUSED & 31));

// Returns byte @i of the row at @row_at.
uint byte_at (uint i, uint row_at)
{
  return source[row_at + i / 4] >> (i % 4 * 8) & 255;
}

// A pixel word has the codes of a pixel; its unused byte is 0. That of chroma has the
// luma at its site in the highest byte.

// The luma at the site of a chroma sample is the mean of the luma codes that share the
// sample. Beyond the last column and row, the last is repeated.

// For any subsampling.
uint luma_at_site (uint x, uint y)
{
  uint n = 1 << (SHIFT_X + SHIFT_Y), sum = 0;

  for (uint i = 0; i < n; i++) {
    uint column = (x << SHIFT_X) + i % (1 << SHIFT_X);
    uint row = (y << SHIFT_Y) + (i >> SHIFT_X);

    sum += byte_at (min (column, guide_width - 1), guide_offset
        + guide_stride * min (row, guide_height - 1));
  }
  return (sum + n / 2) / n;
}

// Returns the luma at the sites in columns @x and @x + 1. @x is even.
uvec2 luma_at_sites (uint x, uint y)
{
  if (SHIFT_X != 1)
    return uvec2 (luma_at_site (x, y), luma_at_site (x + 1, y));

  // Without subsampled rows, both are the same row.
  uint last_row = guide_height - 1, first_row = y << SHIFT_Y;
  uvec2 rows = guide_offset + guide_stride * uvec2 (min (first_row, last_row),
      min (first_row + SHIFT_Y, last_row));
  uvec2 words = uvec2 (source[rows.x + x / 2], source[rows.y + x / 2]);
  uvec2 left = words & 0xff00ff, right = words >> 8 & 0xff00ff;
  uint missing = (2 * x + 1 < guide_width ? 0 : 0xff)
      | (2 * x + 3 < guide_width ? 0 : 0xff0000);
  uvec2 pairs = left + (right & ~missing | left & missing);
  uint sums = pairs.x + pairs.y + 0x20002;

  return uvec2 (sums & 0xffff, sums >> 16) >> 2;
}

uint fetch_inside (uint x, uint y)
{
  uint word = load_pixel (x, source_offset + y * source_stride).x;

  word &= USED_BITS;
  if (GUIDED)
    word |= luma_at_sites (x & ~1, y)[x & 1] << 24;
  return word;
}

uint fetch_word (int x, int y)
{
  int inside_x = edge_index (x, int (width), edge);
  int inside_y = edge_index (y, int (height), edge);

  if (inside_x < 0 || inside_y < 0)
    return black;
  return fetch_inside (uint (inside_x), uint (inside_y));
}

// --- pixels and their distances ---

// Functions with the argument @has_alpha leave alpha out if it is false: all pixels are
// opaque, or have none.

// Whether the first three components are the colours, and a fourth one does not count if
// alpha is left out.
const bool COLOURS_FIRST = COMPONENTS == 3 || ALPHA == 3 || UNUSED == 3;

// A pixel as the sums need it.
struct Pixel
{
  vec4 guide;                   // the codes whose differences decide
  vec4 value;
};

// Returns the codes multiplied by alpha, rounded to whole codes. They are what is seen,
// so that the colour of transparent pixels has no effect.
uvec4 premultiply_codes (uvec4 codes)
{
  uint alpha = codes[INDEX (ALPHA)];

  if (alpha < 255) {
    codes = codes * alpha + 128;
    codes = (codes + (codes >> 8)) >> 8;
    codes[INDEX (ALPHA)] = alpha;
  }
  return codes;
}

Pixel pixel_of_word (uint word, bool has_alpha)
{
  uvec4 codes = uvec4 (word & 255, bitfieldExtract (word, 8, 8),
      bitfieldExtract (word, 16, 8), word >> 24);
  vec4 values = vec4 (codes);
  Pixel pixel;

  pixel.value = has_alpha ? sample_of_codes (values) : colours_of_codes (values);
  pixel.guide = GUIDED ? vec4 (values.w, 0, 0, 0)
      : has_alpha ? vec4 (premultiply_codes (codes)) : values;
  return pixel;
}

// Returns an integer, as coordinates are.
float squared_distance (vec4 a, vec4 b, bool has_alpha)
{
  vec4 d = a - b;

  if (GUIDED || COMPONENTS == 1)
    return d.x * d.x;
  if (has_alpha)
    return dot (d, d) + (BILATERAL_ALPHA_WEIGHT - 1) * d[INDEX (ALPHA)]
        * d[INDEX (ALPHA)];
  return COLOURS_FIRST ? dot (d.xyz, d.xyz) : dot (d, d);
}

// --- means ---

struct Sum
{
  vec4 values;
  float weights;
};

void add (inout Sum sum, vec4 value, float weight, bool has_alpha)
{
  if (COLOURS_FIRST && !has_alpha)
    sum.values.xyz += value.xyz * weight;
  else
    sum.values += value * weight;
  sum.weights += weight;
}

// Returns codes. The weight of the pixel itself is never 0.
vec4 mean_of (Sum sum, bool has_alpha)
{
  vec4 mean = sum.values / sum.weights;
  uvec4 codes = codes_of_sum (mean, has_alpha ? scale_of_sum (mean) : vec4 (1));

  if (ALPHA >= 0 && !has_alpha)
    codes[INDEX (ALPHA)] = 255;
  return vec4 (codes);
}
