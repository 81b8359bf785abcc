// SPDX-License-Identifier: LGPL-2.1-or-later
// Reads and writes frames of any format, sample by sample. A shader with more push constants
// defines OWN_PUSH before it includes this.
//
// A shader includes this, declares its buffers, and uses DEFINE_FETCH. One that writes frames
// then defines
//   uint code_at (uint c, uint x, uint y)
// which returns the code of component c of the output in column x and row y of that component,
// and includes make_words.glsl.
#include "core/pixels/constants.glsl"

#ifndef OWN_PUSH
#define OWN_PUSH
#endif

layout (push_constant) uniform Push
{
  FORMAT_PUSH (uint)
  OWN_PUSH
};

const uint ALPHA = 3;

uint in_component (uint c)
{
  return c == 0 ? IN_0 : c == 1 ? IN_1 : c == 2 ? IN_2 : IN_3;
}

uint out_component (uint c)
{
  return c == 0 ? OUT_0 : c == 1 ? OUT_1 : c == 2 ? OUT_2 : OUT_3;
}

// Returns the largest code of a component.
uint largest_code (uint component)
{
  return (1u << COMPONENT_BITS (component)) - 1;
}

// Returns the subsampling of a component: log2 of the pixels of a row that share a sample. Each
// pixel of a pair has a Y'.
uint shift_x_of (uint component)
{
  return COMPONENT_SECOND (component) > 0 ? 0 : COMPONENT_SHIFT_X (component);
}

// Returns a code scaled from one largest code to another, rounded to nearest.
uint scale_code (uint code, uint from, uint to)
{
  return (code * to + from / 2) / from;
}

// Defines fetch(), which returns the code of component c of the input in column x and row y
// of that component. Samples never lie in two words.
#define DEFINE_FETCH(words) \
uint \
fetch (uint c, uint x, uint y) \
{ \
  uint component = in_component (c); \
  uint plane = COMPONENT_PLANE (component); \
  uint second = COMPONENT_SECOND (component); \
  uint pixel = second > 0 ? x / 2 : x; \
  uint bit = 8 * COMPONENT_PIXEL (component) * pixel + COMPONENT_BIT (component) \
      + (second > 0 ? x % 2 * second : 0); \
  return bitfieldExtract (words[in_offset[plane] + y * in_stride[plane] + bit / 32], \
      int (bit % 32), int (COMPONENT_BITS (component))); \
}
