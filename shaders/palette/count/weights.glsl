// SPDX-License-Identifier: LGPL-2.1-or-later
// Push constants of kernels over the words of present colours, and the weights of colours.

layout (push_constant) uniform Push
{
  uint first, end;              // words of the listed blocks
  uint is_weighted;
  uint min_frequency;           // colours with fewer pixels have no weight
};

// Returns the weight of a colour with `count` pixels.
uint weight_of (uint count)
{
  return count < min_frequency ? 0 : is_weighted != 0 ? count : 1;
}
