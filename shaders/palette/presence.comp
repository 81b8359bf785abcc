// SPDX-License-Identifier: LGPL-2.1-or-later
// Brings the bitmap of colours that occur up to date, where counters were
// touched.
#version 450

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Counts { uint counts[]; };
layout (std430, binding = 1) buffer Touched { uint touched[]; };
layout (std430, binding = 2) buffer Presence { uint presence[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint recount;                 // nothing occurs but what was touched
};

void
main ()
{
  uint word = first + gl_GlobalInvocationID.x;

  if (word >= end)
    return;
  uint bits = touched[word];
  uint present = recount != 0 ? 0 : presence[word];

  if (bits == 0 && recount == 0)
    return;
  present &= ~bits;
  for (uint left = bits; left != 0; left &= left - 1) {
    uint bit = findLSB (left);

    if (counts[word * 32 + bit] != 0)
      present |= 1u << bit;
  }
  presence[word] = present;
  touched[word] = 0;
}
