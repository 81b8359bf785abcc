// SPDX-License-Identifier: LGPL-2.1-or-later
// Common to the kernels that list blocks. Each runs as one workgroup.
#include "core/group.glsl"
#include "palette/count/blocks.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) buffer Blocks { PaletteBlocks blocks; };

// Returns the number of workgroups for slice number `slice` of n items.
uint groups_of_slice (uint slice, uint n, uint per_slice, uint per_group)
{
  uint first = slice * per_slice;
  uint items = n > first ? min (n - first, per_slice) : 0;

  return (items + per_group - 1) / per_group;
}
