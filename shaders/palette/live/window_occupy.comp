// SPDX-License-Identifier: LGPL-2.1-or-later
// Marks the bins of the colours in the window as occupied.
#include "palette/live/bins.glsl"
#include "palette/live/window.glsl"

layout (local_size_x = 256) in;

void main ()
{
  load_grid ();
  Word word = word_of_thread ();

  for (; word.bits != 0; word.bits &= word.bits - 1)
    occupy (bin_of_colour (colour_of_number (word.first + findLSB (word.bits))), 0);
}
