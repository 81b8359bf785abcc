// SPDX-License-Identifier: LGPL-2.1-or-later
// A round of coherence: each pixel takes a bin of the pixels around it, the one with the least
// spread (docs/internals/temporal.md). Of bins that are near each other, distances and sums are
// whole numbers below 2^24, so floats hold them exactly.
#include "palette/live/bins.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer From { uvec4 from[]; };
layout (std430, binding = 4) writeonly buffer To { uvec4 to[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // quads
  uint first_row;               // first bound row of pixels
};

// Four pixels of a row, and those around them.
struct Around
{
  uint words[3][6];
  vec3 bins[3][6];
};

// Returns the words of a quad. Pixels that do not exist are not counted.
uvec4 load_quad (uint column, uint row, uint columns, uint rows)
{
  return column < columns && row < rows ? from[(row - first_row) * columns + column]
      : uvec4 (PIXEL_WITHOUT_BIN);
}

Around load_around (uint column, uint row, uint columns, uint rows)
{
  Around around;

  for (uint r = 0; r < 3; r++) {
    // Before the first row and column, numbers wrap around, to beyond the last one.
    uvec4 quad = load_quad (column, row + r - 1, columns, rows);

    around.words[r] = uint[6] (load_quad (column - 1, row + r - 1, columns, rows).w, quad.x,
        quad.y, quad.z, quad.w, load_quad (column + 1, row + r - 1, columns, rows).x);
    for (uint i = 0; i < 6; i++)
      // CPU devices have no instruction for numbers without a sign.
      around.bins[r][i] = vec3 (ivec3 (bin_of_word (around.words[r][i])));
  }
  return around;
}

// Returns the new word of pixel i.
uint typical_word (Around around, uint i, float most)
{
  vec3 own = around.bins[1][i + 1], ways[8], sum = vec3 (0);
  float squares[8], near[8], n = 1, least = 0;
  uint word = around.words[1][i + 1];

  // All but the pixel itself.
  for (uint k = 0; k < 8; k++) {
    uint at = k + uint (k > 3);

    ways[k] = around.bins[at / 3][i + at % 3] - own;
    squares[k] = dot (ways[k], ways[k]);
    near[k] = squares[k] <= most ? 1 : 0;
    n += near[k];
    sum += near[k] * ways[k];
  }
  sum *= 2;
  for (uint k = 0; k < 8; k++) {
    uint at = k + uint (k > 3);
    // By how much the spread differs from that of the pixel's own bin.
    float more = near[k] * (n * squares[k] - dot (ways[k], sum));

    if (more < least) {
      least = more;
      word = around.words[at / 3][i + at % 3];
    }
  }
  return word;
}

void main ()
{
  uint columns = (live.width + 3) / 4, rows = live.height;
  float most = float (live.coherence);
  uint index = first + gl_GlobalInvocationID.x, column = index % columns, row = index / columns;

  // In a settled film nothing is chosen.
  if (index >= end || live.rest >= SETTLED_AFTER)
    return;
  Around around = load_around (column, row, columns, rows);

  to[(row - first_row) * columns + column] = uvec4 (typical_word (around, 0, most),
      typical_word (around, 1, most), typical_word (around, 2, most),
      typical_word (around, 3, most));
}
