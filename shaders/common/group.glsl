// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums and prefix sums over the threads of a workgroup, 256 unless
// GROUP_THREADS is defined before, for any subgroup size. Relies on
// subgroups being full, and runs of consecutive invocations: devices where a
// dispatch of 256 threads in a row finds them otherwise are not opened
// (gpu/core/lanes.c). Other shapes and shaders are taken to be like that one.
// All threads of the group must call these, in uniform control flow.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#ifndef GROUP_THREADS
const uint GROUP_THREADS = 256;
#endif

// One word per subgroup.
shared uint group_partials[GROUP_THREADS / 4];

uint
group_sum (uint value)
{
  uint sum = subgroupAdd (value);

  barrier ();
  if (subgroupElect ())
    group_partials[gl_SubgroupID] = sum;
  barrier ();
  sum = 0;
  for (uint i = 0; i < gl_NumSubgroups; i++)
    sum += group_partials[i];
  return sum;
}

// The sum of the values of all threads before this one; total: of all.
uint
group_exclusive_scan (uint value, out uint total)
{
  uint before = subgroupExclusiveAdd (value);
  uint sum = subgroupAdd (value);

  barrier ();
  if (subgroupElect ())
    group_partials[gl_SubgroupID] = sum;
  barrier ();
  total = 0;
  for (uint i = 0; i < gl_NumSubgroups; i++) {
    if (i == gl_SubgroupID)
      before += total;
    total += group_partials[i];
  }
  return before;
}
