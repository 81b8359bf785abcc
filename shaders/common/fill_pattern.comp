// SPDX-License-Identifier: LGPL-2.1-or-later
#version 450
layout (local_size_x = 64) in;
layout (std430, binding = 0) buffer Out { uint words[]; };
layout (push_constant) uniform Push { uint n; uint start; };
void main () { uint i = gl_GlobalInvocationID.x; if (i < n) words[i] = start + i; }
