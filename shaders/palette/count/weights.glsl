// SPDX-License-Identifier: LGPL-2.1-or-later
// Weight of a colour with `count` pixels. Include after push constants is_weighted and
// min_frequency.

uint weight_of (uint count)
{
  return count < min_frequency ? 0 : is_weighted != 0 ? count : 1;
}
