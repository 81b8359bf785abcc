// SPDX-License-Identifier: LGPL-2.1-or-later
// What a group reads and writes, its plane and its section, and its shared memory. For
// shaders that march down strips. They must define SAMPLE, and Weight, the type of weights in
// the push constants.

layout (constant_id = STRIPS_COMPONENTS) const int COMPONENTS = 4;
layout (constant_id = STRIPS_HAS_ALPHA) const bool HAS_ALPHA = false;
layout (constant_id = STRIPS_HAS_UNUSED) const bool HAS_UNUSED = false;
layout (constant_id = STRIPS_IS_FIRST) const bool IS_FIRST = false;
// Only for pixels of bytes with alpha.
layout (constant_id = STRIPS_HOPES) const bool HOPES = false;
layout (constant_id = STRIPS_SHORTS) const uint SHORTS = SAMPLE_SHORT_16;
layout (constant_id = STRIPS_SHARED_WORDS) const uint SHARED_WORDS = 1;
layout (local_size_x_id = STRIPS_THREADS) in;

layout (std430, binding = STRIPS_SOURCE) readonly buffer Source
{
  uint source[];
};
layout (std430, binding = STRIPS_TARGET) writeonly buffer Target
{
  uint target[];
};

// Members are packed, so that all fit into the 128 bytes that every device has. Planes of
// one shape are processed together; source_step and target_step are the distances between
// them.
layout (push_constant) uniform Push
{
  uint width, height;           // of the plane, in pixels
  uint source_offset, source_stride, source_step;       // words
  uint target_offset, target_stride, target_step;
  uint strips;                  // strips before a gap | strips to skip << 16; of
                                // whole boxes: columns of a strip
  uint section;                 // edge mode | number of the weights << 2 | rows of
                                // a section << 4 | black sample << 16
  uint reach;                   // radius of rows | of columns << 8 | first section
                                // << 16
  Weight weights[STRIPS_MAX_UNROLLED + 1];
};

const int COLUMN_WORDS = STRIPS_COLUMN_WORDS (SAMPLE);
// A multiple of every value of COMPONENTS. Added to operands of % and /, which must not be
// negative.
const int BIAS = 12 * 1024;

shared uint ring[SHARED_WORDS];
// The word that is 1 if some pixel is not opaque. It is free while alpha is not in the ring.
const uint SEEN_THROUGH = SHARED_WORDS - 1;

// The state of the group:
uint source_at, target_at;      // where the plane begins
uint begin, end;                // rows of its section
int columns;                    // of the plane
// Whether all pixels are assumed to be opaque, until one is not. Alpha is then not summed.
bool opaque;

int edge_mode ()
{
  return int (section & 3);
}

#include "blur/edges.glsl"

int edge_index (int i, int n)
{
  return edge_index (i, n, uint (edge_mode ()));
}

uint black_sample ()
{
  return section >> 16;
}

// Returns the index in its row of the sample that replaces sample @i of the row, which may be
// beyond the edges; -1: black.
int sample_from (int i)
{
  int x = (i + BIAS) / COMPONENTS - BIAS / COMPONENTS;
  int stands = edge_index (x, int (width));

  return stands < 0 ? -1 : stands * COMPONENTS + i - x * COMPONENTS;
}

int radius_x ()
{
  return int (bitfieldExtract (reach, 0, 8));
}

void find_plane ()
{
  source_at = source_offset + gl_WorkGroupID.z * source_step;
  target_at = target_offset + gl_WorkGroupID.z * target_step;
  columns = (int (width) * COMPONENTS + 3) / 4;
}

void find_section ()
{
  uint rows = bitfieldExtract (section, 4, 12);

  begin = (gl_WorkGroupID.y + (reach >> 16)) * rows;
  end = min (begin + rows, height);
}
