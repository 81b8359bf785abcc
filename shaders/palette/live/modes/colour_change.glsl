// SPDX-License-Identifier: LGPL-2.1-or-later
// By how much colours change, in the light of this frame.
// Include after temporal.glsl.

// Returns red, green and blue of a colour of the frame before, in 4096ths of a code value,
// as they would be in the light of this frame.
ivec3
expected_of (uint colour)
{
  ivec3 before = ivec3 (colour >> 16 & 255, colour >> 8 & 255, colour & 255);
  ivec3 lit = clamp (frame.light.gain * before + frame.light.shift, 0, 255 << 12);

  return mix (before << 12, lit, equal (before, clamp (before, DARKEST, LIGHTEST)));
}

// Returns how much more red, green and blue a colour is than the one of the frame before
// would be, in 4096ths of a code value.
ivec3
difference_of_colours (uint before, uint now)
{
  return (ivec3 (now >> 16 & 255, now >> 8 & 255, now & 255) << 12)
      - expected_of (before);
}

// Returns the sum of their sizes, in code values.
uint
change_of_colour (uint before, uint now)
{
  ivec3 d = abs (difference_of_colours (before, now));

  return uint (d.r + d.g + d.b + 2048 >> 12);
}
