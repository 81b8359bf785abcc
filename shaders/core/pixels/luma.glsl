// SPDX-License-Identifier: LGPL-2.1-or-later
// 8-bit luma in integer arithmetic. Coefficients have 16 fractional bits. Weighted sums of
// several samples use weights that add up to 16.
#ifndef CORE_LUMA
#define CORE_LUMA

const uint WEIGHT_BITS = 4;
const uint SUM_BITS = 16 + WEIGHT_BITS;

uint clamp_to_byte (int value)
{
  return uint (clamp (value, 0, 255));
}

// Returns the luma without its offset, scaled to 0…255 and multiplied by 2^SUM_BITS.
int scaled_luma (int sample_)
{
  return KY * ((sample_ - LUMA_OFFSET) << WEIGHT_BITS);
}

uint luma_of_rgb (ivec3 rgb)
{
  return clamp_to_byte ((YR * rgb.r + YG * rgb.g + YB * rgb.b
          + (LUMA_OFFSET << 16) + 32768) >> 16);
}

// Returns the colour with R = G = B.
uint grey_of_luma (uint luma)
{
  return 0x010101 * clamp_to_byte ((scaled_luma (int (luma))
          + (1 << (SUM_BITS - 1))) >> SUM_BITS);
}

#endif
