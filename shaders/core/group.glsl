// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums and prefix sums over a workgroup, for any subgroup size. The workgroup has 256
// invocations unless GROUP_THREADS is defined before. The functions assume that subgroups
// are full (gl_SubgroupSize invocations, or those of a smaller workgroup) and consist of
// consecutive invocations. A probe checks this for workgroups of 256 x 1 x 1 and rejects
// other devices (gpu/core/open/subgroupprobe.c); other workgroup shapes are assumed to
// behave the same. All invocations of the workgroup must call these functions, in uniform
// control flow, and after loops in which all take the same number of rounds: after others,
// those of a subgroup may not be together.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#ifndef GROUP_THREADS
const uint GROUP_THREADS = 256;
#endif

// One word per subgroup.
shared uint group_partials[GROUP_THREADS / 4];

// Returns the sum of the first n partials to every invocation. Each invocation of the
// subgroup adds every gl_SubgroupSize-th partial. With subgroups of 8, a loop over all
// partials would take 32 steps.
uint sum_of_partials (uint n)
{
  uint sum = 0;

  for (uint first = 0; first < n; first += gl_SubgroupSize) {
    uint i = first + gl_SubgroupInvocationID;

    sum += i < n ? group_partials[i] : 0;
  }
  return subgroupAdd (sum);
}

// Returns the sum of value over the workgroup.
uint group_sum (uint value)
{
  uint sum = subgroupAdd (value);

  barrier ();
  if (subgroupElect ())
    group_partials[gl_SubgroupID] = sum;
  barrier ();
  return sum_of_partials (gl_NumSubgroups);
}

shared uvec3 group_partial_sums[GROUP_THREADS / 4];

// Returns the sums of the components of value over the workgroup.
uvec3 group_sums (uvec3 value)
{
  uvec3 sums = subgroupAdd (value), all = uvec3 (0);

  barrier ();
  if (subgroupElect ())
    group_partial_sums[gl_SubgroupID] = sums;
  barrier ();
  for (uint first = 0; first < gl_NumSubgroups; first += gl_SubgroupSize) {
    uint i = first + gl_SubgroupInvocationID;

    all += i < gl_NumSubgroups ? group_partial_sums[i] : uvec3 (0);
  }
  return subgroupAdd (all);
}

// Returns the sum of value over all preceding invocations. total: the sum over all.
uint group_exclusive_scan (uint value, out uint total)
{
  uint before = subgroupExclusiveAdd (value);

  total = group_sum (value);
  return before + sum_of_partials (gl_SubgroupID);
}
