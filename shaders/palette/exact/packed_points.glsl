// SPDX-License-Identifier: LGPL-2.1-or-later
// A lattice point in two words: biased a in the low half and biased b in the high half
// of the first, L in the second.
#include "palette/exact/points.h"

uvec2
pack_point (ivec3 lab)
{
  return uvec2 (uint (lab.y + POINT_BIAS) | uint (lab.z + POINT_BIAS) << 16,
      uint (lab.x));
}

ivec3
unpack_point (uvec2 point)
{
  return ivec3 (int (point.y), int (point.x & 0xffff) - POINT_BIAS,
      int (point.x >> 16) - POINT_BIAS);
}
