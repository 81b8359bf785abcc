// SPDX-License-Identifier: LGPL-2.1-or-later
// Loads of all forms from buffers that are only read, and from one that is also written.
layout (local_size_x = 64) in;

struct Item
{
  int number;
  float weight;
  uvec2 pair;
};

layout (std430, binding = 0) readonly buffer Words
{
  uint header[3];
  uint words[];
};
layout (std430, binding = 0) readonly buffer WordQuads { uvec4 quads[]; };
layout (std430, binding = 1) buffer Items { Item items[]; };    // no store
layout (std430, binding = 2) buffer Counters { uint counters[]; };
layout (std430, binding = 2) buffer CounterPairs { uvec2 counter_pairs[]; };
layout (std430, binding = 3) writeonly buffer Results { uint results[][8]; };
layout (std430, binding = 4) readonly buffer Fours      // the words
{
  vec4 first;
  uvec4 fours[];
};
layout (push_constant) uniform Push { uint n; };

void main ()
{
  uint i = gl_GlobalInvocationID.x;

  if (i >= n)
    return;
  uvec4 quad = quads[i / 4];
  counters[2 * i] += 3;
  counter_pairs[i].y = 2 * counters[2 * i];
  results[i][0] = header[2] + words[i];
  results[i][1] = quads[i / 4][i % 4];
  results[i][2] = quad.x + 2 * quad.y + 3 * quad.z + 4 * quad.w;
  results[i][3] = uint (items[i].number + int (items[i].weight));
  results[i][4] = items[i].pair.x ^ items[i].pair.y;
  results[i][5] = counters[2 * i];
  results[i][6] = counters[2 * i + 1];
  uvec4 four = floatBitsToUint (first) ^ fours[i / 8];
  results[i][7] = four.x + 2 * four.y + 3 * four.z + 4 * four.w;
}
