// SPDX-License-Identifier: LGPL-2.1-or-later
// Numbers of colours. A colour R << 16 | G << 8 | B is counted and listed by its number,
// a permutation of its bits: the 1024 colours of a block are 8 x 8 x 16 values of red,
// green and blue. The colours of a picture then lie in a quarter of the blocks that they
// would lie in by R << 16 | G << 8 | B.

uint number_of_colour (uint colour)
{
  return (colour & 0xf8000f) | (colour & 0xf800) << 3 | (colour & 0xf0) << 6
      | (colour & 0x70000) >> 9 | (colour & 0x700) >> 4;
}

uint colour_of_number (uint number)
{
  return (number & 0xf8000f) | (number & 0x7c000) >> 3
      | (number & 0x3c00) >> 6 | (number & 0x380) << 9 | (number & 0x70) << 4;
}
