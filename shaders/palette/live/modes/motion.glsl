// SPDX-License-Identifier: LGPL-2.1-or-later
// Vectors of blocks, and the colours of a frame and of the one before, for kernels that
// compare samples of blocks. Sets the size of the workgroup.
// Include after temporal.glsl, and before core/group.glsl.

layout (local_size_x = 64, local_size_x_id = MOTION_THREADS) in;
#define GROUP_THREADS gl_WorkGroupSize.x
#include "palette/count/luma.glsl"

layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 6) readonly buffer ColoursBefore { uint colours_before[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // samples, 256 in each block
  uint first_row;               // first bound row of pixels
};

// Largest change of a colour.
const uint MOST_COLOUR_CHANGE = 765;

ivec2 size_of_frame ()
{
  return ivec2 (frame.width, frame.height);
}

bool is_in_frame (ivec2 at)
{
  return all (greaterThanEqual (at, ivec2 (0))) && all (lessThan (at, size_of_frame ()));
}

uint index_at (ivec2 at)
{
  return uint (at.y - int (first_row)) * PIXELS_ROW_WORDS (frame.width) + uint (at.x);
}

// Returns the colour of a sample, or TRANSPARENT if it is beyond the edges.
uint colour_at (ivec2 at)
{
  return is_in_frame (at) ? colours[index_at (at)] : TRANSPARENT;
}

// Returns the colour in the frame before. Beyond the edges it goes on as at them.
uint colour_before_at (ivec2 at)
{
  return colours_before[index_at (clamp (at, ivec2 (0), size_of_frame () - 1))];
}

// Returns by how much a sample differs, if it is counted in this frame.
uint difference_of (uint before, uint now)
{
  return (before & TRANSPARENT) != 0 ? MOST_COLOUR_CHANGE : change_of_colour (before, now);
}

// Vectors are found by a quarter of the samples: by every second one in both directions.
const uint COMPARED = LUMA_SIDE * LUMA_SIDE / 4;
const uint COMPARED_HERE = COMPARED / GROUP_THREADS;    // by an invocation
uint compared[COMPARED_HERE];   // their colours

// Returns the place in its block of sample k that this invocation compares.
ivec2 place_of_compared (uint k)
{
  uint i = gl_LocalInvocationID.x + k * GROUP_THREADS;

  return ivec2 (i % (LUMA_SIDE / 2), i / (LUMA_SIDE / 2))
      << frame.blocks.shift - LUMA_SHIFT + 1;
}

void load_compared (ivec2 begin)
{
  for (uint k = 0; k < COMPARED_HERE; k++)
    compared[k] = colour_at (begin + place_of_compared (k));
}

// Returns whether a vector is searched for a block, by its column and row: for one in four.
bool is_searched (ivec2 block)
{
  return ((block.x | block.y) & 1) == 0;
}

// Returns whether vector `a` is preferred to `b` if both fit as well: the shorter one,
// then the first in raster order.
bool comes_before (ivec2 a, ivec2 b)
{
  int of_a = a.x * a.x + a.y * a.y, of_b = b.x * b.x + b.y * b.y;

  if (of_a != of_b)
    return of_a < of_b;
  return a.y != b.y ? a.y < b.y : a.x < b.x;
}
