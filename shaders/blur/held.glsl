// SPDX-License-Identifier: LGPL-2.1-or-later
// Tables of samples in shared memory.
#ifndef BLUR_HELD_GLSL
#define BLUR_HELD_GLSL

shared uint held[SHARED_WORDS];

// The first words of all samples come first, then all second words, and so on: adjacent
// threads then use adjacent banks.
struct Table
{
  uint first;                   // index in held[]
  uint samples;                 // number of samples
};

void table_store (Table table, uint at, Sample value)
{
  uvec4 words = encode (value);

  for (uint i = 0; i < WORDS; i++)
    held[table.first + i * table.samples + at] = words[i];
}

Sample table_load (Table table, uint at)
{
  uvec4 words = uvec4 (0);

  for (uint i = 0; i < WORDS; i++)
    words[i] = held[table.first + i * table.samples + at];
  return decode (words);
}

#endif
