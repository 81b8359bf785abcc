// SPDX-License-Identifier: LGPL-2.1-or-later
// Tables of samples in the memory that a workgroup shares.
#ifndef BLUR_HELD_GLSL
#define BLUR_HELD_GLSL

shared uint held[SHARED_WORDS];

// Each word of its samples comes after the word before of all of them, so that
// neighbouring lanes use neighbouring banks.
struct Table
{
  uint first;                   // word of held[]
  uint samples;
};

void
table_store (Table table, uint at, Sample value)
{
  uvec4 words = encode (value);

  for (uint i = 0; i < WORDS; i++)
    held[table.first + i * table.samples + at] = words[i];
}

Sample
table_load (Table table, uint at)
{
  uvec4 words = uvec4 (0);

  for (uint i = 0; i < WORDS; i++)
    words[i] = held[table.first + i * table.samples + at];
  return decode (words);
}

#endif
