// SPDX-License-Identifier: LGPL-2.1-or-later
// Alpha for samples of subsampled planes. Include this after DEFINE_FETCH (format.glsl).

#ifndef ALPHA_OF
// The alpha that counts, of a code. A shader may define it before.
#define ALPHA_OF(code) (code)
#endif

// Returns the mean alpha of the pixels that share sample (@x, @y) of a plane with this
// subsampling. Beyond the last column and row, the last is repeated.
uint mean_alpha (uint shift_x, uint shift_y, uint x, uint y)
{
  uint sum = 0, count = 1u << (shift_x + shift_y);

  for (uint i = 0; i < count; i++) {
    uint column = (x << shift_x) + (i & ((1u << shift_x) - 1));
    uint row = (y << shift_y) + (i >> shift_x);

    sum += ALPHA_OF (fetch (ALPHA, min (column, width - 1), min (row, height - 1)));
  }
  return (sum + count / 2) / count;
}
