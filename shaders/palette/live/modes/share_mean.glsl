// SPDX-License-Identifier: LGPL-2.1-or-later
// Mean colour of the share of a mode. Include after temporal.glsl and bin_mean.glsl.

// Returns the mean colour of a share whose weight is not 0.
uint
mean_of_share (ModeShare share)
{
  return mean_of_sums (uvec2[3] (uvec2 (share.low[0], share.high[0]),
          uvec2 (share.low[1], share.high[1]),
          uvec2 (share.low[2], share.high[2])), share.n);
}
