// SPDX-License-Identifier: LGPL-2.1-or-later
// Modes by slot. Included by temporal.glsl.

// Marks a mode to which a summit belongs. The plain read avoids most atomics. Bits are
// only set during the dispatch: if the read is stale, the bit is set once more.
void
own (uint slot)
{
  uint word = slot / 32, bit = 1u << slot % 32;

  if ((state.owning[word] & bit) == 0)
    atomicOr (state.owning[word], bit);
}

void
set_colour (uint slot, uint colour)
{
  modes[slot].red = (colour >> 16) << 8;
  modes[slot].green = colour & 0xff00;
  modes[slot].blue = (colour & 255) << 8;
}
