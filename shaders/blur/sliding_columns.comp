// SPDX-License-Identifier: LGPL-2.1-or-later
// A group slides down a section of its columns with a ring of row sums in
// shared memory. The row sums come from the first pass, or, with INLINE, are
// made here out of the source: then one dispatch is the whole blur.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "plane.glsl"
#include "middle_row.glsl"

shared uint ring[SHARED_WORDS];

const uint RING_WIDTH = GROUP_X * PIXELS;       // pixels of a ring row

uint
ring_rows ()
{
  return 2 * radius_y + GROUP_Y;
}

// Neighbouring lanes use neighbouring banks, whatever PIXELS is.
uint
ring_at (uint ring_row, uint pixel)
{
  return ring_row * RING_WIDTH + pixel * GROUP_X + gl_LocalInvocationID.x;
}

void
ring_store (uint at, Sample value)
{
  uvec4 words = encode (value);

  for (uint i = 0; i < WORDS; i++)
    ring[at + i * ring_rows () * RING_WIDTH] = words[i];
}

Sample
ring_load (uint at)
{
  uvec4 words = uvec4 (0);

  for (uint i = 0; i < WORDS; i++)
    words[i] = ring[at + i * ring_rows () * RING_WIDTH];
  return decode (words);
}

Sample
row_sum (uint x, int y)
{
#ifdef INLINE
  int inside = edge_index (y, int (height));
  return inside < 0 ? black_row () : sum_row (int (min (x, width - 1)), inside);
#else
  return middle_row (x, y);
#endif
}

void
fill_ring_row (uint ring_row, uint unit, int y)
{
  for (uint p = 0; p < PIXELS; p++)
    ring_store (ring_at (ring_row, p), row_sum (unit * PIXELS + p, y));
}

uvec4
sum_column (uint start, uint pixel)
{
  Total total = empty_total ();
  uint ring_row = start;

  for (uint i = 0; i <= 2 * radius_y; i++) {
    add_row (total, ring_load (ring_at (ring_row, pixel)),
        weights_y + abs (int (i) - int (radius_y)));
    ring_row = ring_row + 1 == ring_rows () ? 0 : ring_row + 1;
  }
  return finish (total);
}

void
main ()
{
  uint lane = gl_LocalInvocationID.y;
  uint index = gl_WorkGroupID.x * GROUP_X + gl_LocalInvocationID.x;
  // Lanes past the last unit repeat it: they must reach every barrier.
  uint unit = first_unit + min (index, units - 1);
  uint begin = gl_WorkGroupID.y * section_rows;
  uint end = min (begin + section_rows, rows);
  int top = int (first_row + begin) - int (radius_y);   // the ring's first row

  for (uint i = lane; i < 2 * radius_y; i += GROUP_Y)
    fill_ring_row (i, unit, top + int (i));
  // The ring's row radius_y above this lane's output.
  uint start = lane;
  uint fill = 2 * radius_y + lane;
  for (uint base = begin; base < end; base += GROUP_Y) {
    uint y = base + lane;
    fill_ring_row (fill, unit, top + int (2 * radius_y + y - begin));
    barrier ();
    uvec4 codes[PIXELS];
    for (uint p = 0; p < PIXELS; p++)
      codes[p] = sum_column (start, p);
    if (index < units && y < end)
      store_unit (unit, first_row + y, codes);
    start = (start + GROUP_Y) % ring_rows ();
    fill = (fill + GROUP_Y) % ring_rows ();
    barrier ();
  }
}
