// SPDX-License-Identifier: LGPL-2.1-or-later
// Distances from the shapes of regions. The shader declares the buffer tables[].
#include "core/wide.glsl"

// Returns whether a point is in an ellipse. @line: from the middle to the point, @size: the
// sides of the ellipse's rectangle, at most REGION_MOST_ELLIPSE; both in halves of pixels.
bool is_in_ellipse (uvec2 line, uvec2 size)
{
  if (line.x >= size.x || line.y >= size.y)
    return false;
  uint x = line.x * size.y, y = line.y * size.x, whole = size.x * size.y;

  return wide_less (wide_add (wide_multiply (x, x), wide_multiply (y, y)),
      wide_multiply (whole, whole));
}

// Returns whether one of the pixels @first to @last, which share a sample, is in the rectangle of
// a region. With @first and @last swapped, whether all are. @at: the first word of the region.
bool is_in_rectangle (uint at, ivec2 first, ivec2 last)
{
  ivec2 begin = ivec2 (tables[at + REGION_BOX_X], tables[at + REGION_BOX_Y]);
  ivec2 size = ivec2 (tables[at + REGION_BOX_WIDTH], tables[at + REGION_BOX_HEIGHT]);

  return all (greaterThanEqual (last, begin)) && all (lessThan (first, begin + size));
}

// Returns the distance in pixels from the shape of a region to the nearest of the pixels @first
// to @last, which share a sample; 0: they meet it, 1: they are next to it. With @first and @last
// swapped, to the farthest. That from an ellipse is measured along the line to its middle.
// @at: the first word of the region.
float distance_to (uint at, ivec2 first, ivec2 last)
{
  ivec2 begin = ivec2 (tables[at + REGION_BOX_X], tables[at + REGION_BOX_Y]);
  ivec2 size = ivec2 (tables[at + REGION_BOX_WIDTH], tables[at + REGION_BOX_HEIGHT]);

  if (tables[at + REGION_SHAPE] == REGION_RECTANGLE)
    return length (vec2 (max (max (begin - last, first - (begin + size - 1)), 0)));
  // From the middle to the nearest point of the pixels, in halves of pixels.
  ivec2 middle = 2 * begin + size;
  ivec2 line = max (max (2 * first - middle, middle - 2 * (last + 1)), 0);

  if (is_in_ellipse (uvec2 (line), uvec2 (size)))
    return 0;
  return max (1 + length (vec2 (line)) * (0.5 - 0.5 / length (vec2 (line) / vec2 (size))), 1);
}
