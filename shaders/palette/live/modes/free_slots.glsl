// SPDX-License-Identifier: LGPL-2.1-or-later
// Slots that were free when the frame began. Include after temporal.glsl.

// Returns the last word with no more than `number` free slots before it.
uint word_with (uint number)
{
  uint word = 0;

  for (uint step = SLOT_WORDS / 2; step > 0; step /= 2)
    if (state.free_before[word + step] <= number)
      word += step;
  return word;
}

// Returns free slot `number`, counted from 0. If there is none, the result is not less
// than the capacity.
uint free_slot (uint number)
{
  uint word = word_with (number);
  uint left = ~state.taken[word];

  for (uint i = state.free_before[word]; i < number && left != 0; i++)
    left &= left - 1;
  return left == 0 ? MODE_CAPACITY : word * 32 + findLSB (left);
}
