// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums and prefix sums over the threads of a workgroup, 256 unless
// GROUP_THREADS is defined before, for any subgroup size. Relies on
// subgroups being full, of gl_SubgroupSize lanes, and runs of consecutive
// invocations: devices where a dispatch of 256 threads in a row finds them
// otherwise are not opened (gpu/core/open/subgroupprobe.c). Other shapes and shaders are taken
// to be like that one. All threads of the group must call these, in uniform control flow.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#ifndef GROUP_THREADS
const uint GROUP_THREADS = 256;
#endif

// One word per subgroup.
shared uint group_partials[GROUP_THREADS / 4];

// The sum of the first n partials, in every thread. Each lane adds every
// gl_SubgroupSize-th of them: with subgroups of 8 lanes, a loop over all would take 32
// steps.
uint
sum_of_partials (uint n)
{
  uint sum = 0;

  for (uint first = 0; first < n; first += gl_SubgroupSize) {
    uint i = first + gl_SubgroupInvocationID;

    sum += i < n ? group_partials[i] : 0;
  }
  return subgroupAdd (sum);
}

uint
group_sum (uint value)
{
  uint sum = subgroupAdd (value);

  barrier ();
  if (subgroupElect ())
    group_partials[gl_SubgroupID] = sum;
  barrier ();
  return sum_of_partials (gl_NumSubgroups);
}

// The sum of the values of all threads before this one; total: of all.
uint
group_exclusive_scan (uint value, out uint total)
{
  uint before = subgroupExclusiveAdd (value);

  total = group_sum (value);
  return before + sum_of_partials (gl_SubgroupID);
}
