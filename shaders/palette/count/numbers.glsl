// SPDX-License-Identifier: LGPL-2.1-or-later
// Colours, R << 16 | G << 8 | B, are counted and listed by number: the 1024 of
// a block are 8 x 8 x 16 values of red, green and blue. What a picture has is
// in a quarter of the blocks that it would be in if colours were their own
// numbers.

uint
number_of_colour (uint colour)
{
  return (colour & 0xf8000f) | (colour & 0xf800) << 3 | (colour & 0xf0) << 6
      | (colour & 0x70000) >> 9 | (colour & 0x700) >> 4;
}

uint
colour_of_number (uint number)
{
  return (number & 0xf8000f) | (number & 0x7c000) >> 3
      | (number & 0x3c00) >> 6 | (number & 0x380) << 9 | (number & 0x70) << 4;
}
