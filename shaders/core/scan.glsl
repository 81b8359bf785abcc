// SPDX-License-Identifier: LGPL-2.1-or-later
// What the three kernels of the scan agree on. A block is what one workgroup
// scans; reduce-then-scan: totals of blocks, their prefix sums, then blocks.
#include "core/group.glsl"
#include "core/shared.h"

layout (local_size_x = 256) in;
// Of a row of the block; a row costs two barriers.
layout (constant_id = 0) const uint PER_THREAD = 4;

const uint ROW = GROUP_THREADS * PER_THREAD;
const uint ROWS = SCAN_BLOCK / ROW;

layout (push_constant) uniform Push
{
  uint n;                       // words to scan
  uint first;                   // block of this dispatch
};
