// SPDX-License-Identifier: LGPL-2.1-or-later
// One step of walkers by brute force: every point of the palette is looked
// at for every one of them. Points may be cut into several dispatches.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/exact/packed_points.glsl"
#include "ball.glsl"

layout (local_size_x = 256) in;
layout (constant_id = 0) const bool WEIGHTED = true;

layout (std430, binding = 0) readonly buffer Points { uvec2 points[]; };
layout (std430, binding = 1) readonly buffer Weights { uint weights[]; };
layout (std430, binding = 2) buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 3) readonly buffer Active { uint active_list[]; };
layout (std430, binding = 4) writeonly buffer Next { uint next_list[]; };
layout (std430, binding = 5) buffer Partial { uint partial_sums[]; };
layout (std430, binding = 6) buffer Counts { uint counts[2]; };
layout (push_constant) uniform Push
{
  uint first_walker;            // of the active list
  uint first_point, end_point;
  uint n_points;
  int radius_squared;
  int reach;                    // floor (radius)
  uint list;                    // which count is the active list's
  uint is_last_step;            // of the iteration limit
};

shared uvec2 tile_points[256];
shared uint tile_weights[256];

DEFINE_TOTALS (partial_sums)

void
step_walker (uint walker, ivec3 from, Sums sum)
{
  ivec3 move = mean_of (sum);

  if (move == ivec3 (0))
    return;
  walkers[walker] = pack_point (from + move);
  if (is_last_step == 0)
    next_list[atomicAdd (counts[1 - list], 1)] = walker;
}

void
main ()
{
  uint n_active = counts[list];
  uint at = first_walker + gl_GlobalInvocationID.x;
  bool is_alive = at < n_active;

  if (first_walker + gl_WorkGroupID.x * 256 >= n_active)
    return;
  uint walker = is_alive ? active_list[at] : 0;
  ivec3 from = unpack_point (walkers[walker]);
  Sums sum = NO_SUMS;

  if (is_alive && first_point != 0)
    sum = load_total (gl_GlobalInvocationID.x);
  for (uint tile = first_point; tile < end_point; tile += 256) {
    uint n = min (end_point - tile, 256);

    if (gl_LocalInvocationID.x < n) {
      uint i = tile + gl_LocalInvocationID.x;

      tile_points[gl_LocalInvocationID.x] = points[i];
      tile_weights[gl_LocalInvocationID.x] = WEIGHTED ? weights[i] : 1;
    }
    barrier ();
    for (uint i = 0; i < n; i++)
      add_point (sum, unpack_point (tile_points[i]) - from, tile_weights[i],
          reach, radius_squared);
    barrier ();
  }
  if (!is_alive)
    return;
  if (end_point == n_points)
    step_walker (walker, from, sum);
  else
    store_total (gl_GlobalInvocationID.x, sum);
}
