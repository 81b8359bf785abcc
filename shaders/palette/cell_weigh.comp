// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds every pixel that weighs to its cell.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#define GRID 0
#define WORDS 1
#include "palette/cells.glsl"

layout (local_size_x = 256) in;
// Lanes add up what goes to one cell. Flat areas would queue up there otherwise;
// a CPU has no queue.
layout (constant_id = 0) const bool JOINS_LANES = true;
// Sums may exceed a word.
layout (constant_id = 1) const bool IS_WIDE = false;

layout (std430, binding = 2) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 3) readonly buffer Cells { uint cells[]; };
layout (std430, binding = 4) buffer Sums { CellSums sums[]; };
// 8 bits for each component.
layout (std430, binding = 5) buffer Carries { uint carries[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // fours of pixels
};

const uint NOWHERE = 0xffffffffu;

uint
place_of_pixel (uint at, uint level, uint first_word)
{
  uint cell = at < grid.n_pixels ? cells[at] : 0;

  if ((cell & PIXEL_WEIGHS) == 0)
    return NOWHERE;
  cell &= CELL_NUMBER;
  return place_of_cell (level == 0 ? cell : cell_at_level (cell, level),
      first_word);
}

uvec4
sums_of_pixel (uint at)
{
  uint colour = colours[at];

  return uvec4 (1, colour >> 16, colour >> 8 & 255, colour & 255);
}

void
add (uint place, uvec4 sum)
{
  uvec3 before;

  atomicAdd (sums[place].n, sum.x);
  before.r = atomicAdd (sums[place].red, sum.y);
  before.g = atomicAdd (sums[place].green, sum.z);
  before.b = atomicAdd (sums[place].blue, sum.w);
  if (IS_WIDE) {
    uvec3 carry = uvec3 (lessThan (before + sum.yzw, before));

    if (carry != uvec3 (0))
      atomicAdd (carries[place], carry.r | carry.g << 8 | carry.b << 16);
  }
}

// All threads come here. Those that agree with the first one that has something
// to add leave it to that one.
void
add_joined (uint place, uvec4 sum)
{
  bool adds = place != NOWHERE;
  uvec4 adding = subgroupBallot (adds);

  if (adding == uvec4 (0))
    return;
  uint leader = subgroupBallotFindLSB (adding);
  bool follows = adds && place == subgroupShuffle (place, leader);
  uvec4 joined = subgroupAdd (follows ? sum : uvec4 (0));

  if (gl_SubgroupInvocationID == leader)
    add (place, joined);
  else if (adds && !follows)
    add (place, sum);
}

void
main ()
{
  uint at = (first + gl_GlobalInvocationID.x) * 4;
  uint level = grid_level (), first_word = grid.first_word[level];
  uint place[4];
  uvec4 sum = uvec4 (0);

  for (uint i = 0; i < 4; i++)
    place[i] = place_of_pixel (at + i, level, first_word);
  for (uint i = 0; i < 4; i++) {
    if (place[i] != NOWHERE)
      sum += sums_of_pixel (at + i);
    // The next one goes to the same cell.
    bool goes_on = i < 3 && place[min (i + 1, 3)] == place[i];

    if (JOINS_LANES)
      add_joined (goes_on ? NOWHERE : place[i], sum);
    else if (!goes_on && place[i] != NOWHERE)
      add (place[i], sum);
    if (!goes_on)
      sum = uvec4 (0);
  }
}
