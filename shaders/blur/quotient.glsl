// SPDX-License-Identifier: LGPL-2.1-or-later
// Means of code values, rounded, from sums of one word.
#ifndef BLUR_QUOTIENT_GLSL
#define BLUR_QUOTIENT_GLSL

// Returns floor ((2 sum + by) / (2 by)), for a quotient of at most 255 and 0 < @by < 2^29.
// @reciprocal: 1 / by. The estimate is the quotient or one less: all its rounding errors
// together are below 0.0005, whatever the device.
uint rounded_quotient (uint sum, uint by, float reciprocal)
{
  uint estimate = uint (float (sum) * reciprocal + 0.499);
  int rest = int (sum - estimate * by);

  return 2 * rest >= int (by) ? estimate + 1 : estimate;
}

#endif
