// SPDX-License-Identifier: LGPL-2.1-or-later
// A set of lattice points, which only grows: a hash table with open addressing and
// linear probing. A slot is one word, so that a single compare-and-swap both claims a
// slot and publishes its point.
//
// A point has 49 bits, a word 32. The point is permuted by a bijection. Some bits of the result
// are the slot where probing starts; the others (the remainder) are stored in the word, with the
// distance from there (Cleary, "Compact hash tables using bidirectional linear probing", 1984,
// after Knuth). The point can be computed from slot and word.
//
// A word is remainder << distance_bits | distance + 1, and 0 in an empty slot. table_bits is
// 18…25, so the remainder has 49 - table_bits bits and the distance is kept in table_bits - 17.

const uint NO_SLOT = 0xffffffffu;

// Most slots that are probed for a point. In a set that is nearly full, further probing
// costs more than a walk without sharing.
const uint MAX_DISTANCES = 15;

uint scramble (uint x)
{
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  x ^= x >> 16;
  return x;
}

const uint L_MASK = 0x1ffff;

// Three Feistel rounds over the halves of 32 and 17 bits.
uvec2 permute (uvec2 point)
{
  point.x ^= scramble (point.y + 0x9e3779b9u);
  point.y ^= scramble (point.x) & L_MASK;
  point.x ^= scramble (point.y ^ 0x7f4a7c15u);
  return point;
}

uvec2 permute_back (uvec2 point)
{
  point.x ^= scramble (point.y ^ 0x7f4a7c15u);
  point.y ^= scramble (point.x) & L_MASK;
  point.x ^= scramble (point.y + 0x9e3779b9u);
  return point;
}

struct Home
{
  uint slot;                    // where probing starts
  uint word;                    // remainder, shifted
  uint distances;               // number of slots to probe
};

Home home_of (uvec2 point, uint table_bits)
{
  uvec2 permuted = permute (point);
  uint distance_bits = table_bits - 17;
  uint remainder = (permuted.x & (0xffffffffu >> table_bits)) << 17 | permuted.y;

  return Home (permuted.x >> (32 - table_bits), remainder << distance_bits,
      min ((1u << distance_bits) - 1, MAX_DISTANCES));
}

uvec2 point_in_slot (uint slot, uint word, uint table_bits)
{
  uint distance_bits = table_bits - 17;
  uint distance = (word & ((1u << distance_bits) - 1)) - 1;
  uint home = (slot - distance) & ((1u << table_bits) - 1);
  uint remainder = word >> distance_bits;

  return permute_back (uvec2 (home << (32 - table_bits) | remainder >> 17,
          remainder & L_MASK));
}

// visit: returns the slot of the point, and inserts the point if it is missing; NO_SLOT if there
// is no room for it. find: returns the slot of the point, or NO_SLOT if it is missing.
#define DEFINE_VISIT(slots) \
uint \
visit (uvec2 point, uint table_bits) \
{ \
  Home home = home_of (point, table_bits); \
  for (uint i = 1; i <= home.distances; i++) { \
    uint slot = (home.slot + i - 1) & ((1u << table_bits) - 1); \
    uint there = atomicCompSwap (slots[slot], 0, home.word | i); \
    if (there == 0 || there == (home.word | i)) \
      return slot; \
  } \
  return NO_SLOT; \
}

#define DEFINE_FIND(slots) \
uint \
find (uvec2 point, uint table_bits) \
{ \
  Home home = home_of (point, table_bits); \
  for (uint i = 1; i <= home.distances; i++) { \
    uint slot = (home.slot + i - 1) & ((1u << table_bits) - 1); \
    uint there = atomicOr (slots[slot], 0); \
    if (there == (home.word | i)) \
      return slot; \
    if (there == 0) \
      return NO_SLOT; \
  } \
  return NO_SLOT; \
}
