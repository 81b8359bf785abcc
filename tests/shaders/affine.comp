// SPDX-License-Identifier: LGPL-2.1-or-later
// A step whose result depends on how often and in which order it ran.
layout (local_size_x = 64) in;
layout (constant_id = 0) const uint factor = 3;
layout (constant_id = 1) const uint index_factor = 0;
layout (constant_id = 2) const float bias = 0;
layout (std430, binding = 0) buffer Words { uint words[]; };
layout (push_constant) uniform Push { uint n, addend; };

void main ()
{
  uint i = gl_GlobalInvocationID.x;

  if (i < n)
    words[i] = words[i] * factor + addend + i * index_factor + uint (bias);
}
