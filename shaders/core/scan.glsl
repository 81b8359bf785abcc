// SPDX-License-Identifier: LGPL-2.1-or-later
// Shared by the three kernels of the scan, reduce-then-scan: scan_totals.comp computes the
// sum of each block, scan_blocks.comp the prefix sums of these sums, scan_apply.comp the
// prefix sums within each block. A workgroup processes one block.
#include "core/group.glsl"
#include "core/shared.h"

layout (local_size_x = 256) in;
// Words per invocation in a row of the block. A row costs two barriers.
const uint PER_THREAD = 4;

const uint ROW = GROUP_THREADS * PER_THREAD;
const uint ROWS = SCAN_BLOCK / ROW;

layout (push_constant) uniform Push
{
  uint n;                       // number of words to scan
  uint first;                   // first block of this dispatch
};
