// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/slices.h"

// Returns the workgroup counts of slice number `slice` of n items, 256 to a workgroup.
uint[3] groups_of_slice (uint slice, uint n, uint per_slice)
{
  uint first = slice * per_slice;
  uint items = n > first ? min (n - first, per_slice) : 0;

  return uint[3] ((items + 255) / 256, 1, 1);
}
