// SPDX-License-Identifier: LGPL-2.1-or-later
// Lists the present colours in the order of their numbers, with their weights, as far as there is
// room, and computes the ranks of all words. Sets CONTROL_WEIGHTS_CHANGED if a weight changed.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "palette/count/blocks.h"
#include "palette/count/numbers.glsl"
#include "palette/count/weights.glsl"
#include "palette/exact/shared.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Counts { uint counts[]; };
layout (std430, binding = 1) readonly buffer Presence { uint presence[]; };
layout (std430, binding = 2) readonly buffer Blocks { PaletteBlocks blocks; };
layout (std430, binding = 3) writeonly buffer Ranks { uint ranks[]; };
layout (std430, binding = 4) writeonly buffer List { uint list[]; };
layout (std430, binding = 5) buffer Weights { uint weights[]; };
layout (std430, binding = 6) buffer Control { uint control[]; };

// Returns the number of colours in the words of the block before word `at`, which has
// count colours and is this invocation's. A subgroup may hold several blocks or a part
// of one. All invocations call it.
uint count_before (uint block, uint at, uint count)
{
  uint lanes = subgroupBallotBitCount (subgroupBallot (true));
  uint lane = gl_SubgroupInvocationID;
  uint before = subgroupExclusiveAdd (count);

  before -= subgroupShuffle (before, lane & ~(BLOCK_WORDS - 1u));
  for (uint word = lane; word < at; word += lanes)
    before += subgroupAdd (bitCount (presence[block * BLOCK_WORDS + word]));
  return before;
}

void main ()
{
  uint index = first + gl_GlobalInvocationID.x;
  uint i = index / BLOCK_WORDS, at = index % BLOCK_WORDS;
  bool exists = i < blocks.n_present;
  uint block = exists ? blocks.present[i] : 0;
  uint word = block * BLOCK_WORDS + at;
  uint bits = exists ? presence[word] : 0;
  uint rank = blocks.ranks[block] + count_before (block, at, bitCount (bits));
  bool changed = false;

  if (bits != 0)
    ranks[word] = rank;
  for (uint left = bits; left != 0 && rank < list.length ();
      left &= left - 1) {
    uint number = word * 32 + findLSB (left);
    uint weight = weight_of (counts[number]);

    list[rank] = colour_of_number (number);
    if (weights[rank] != weight) {
      weights[rank] = weight;
      changed = true;
    }
    rank++;
  }
  if (changed)
    atomicOr (control[CONTROL_WEIGHTS_CHANGED], 1);
}
