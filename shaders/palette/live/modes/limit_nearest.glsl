// SPDX-License-Identifier: LGPL-2.1-or-later
// The modes nearest to a bin, with a limit of modes. Include after temporal.glsl.

struct Nearest
{
  uint slot;
  uint least, second;           // squared distances to the nearest two modes, or NOBODY
  bool is_home;                 // the home of a mode
};

Nearest
nearest_modes (uint bin, ivec3 middle)
{
  Nearest nearest = Nearest (COLOURS_STAY, NOBODY, NOBODY, false);

  for (uint word = 0; word < LIMIT_WORDS; word++)
    for (uint left = state.limited.standing[word]; left != 0; left &= left - 1) {
      uint slot = word * 32 + findLSB (left);
      uint distance = squared_distance (middle, place_of (slot));

      nearest.is_home = nearest.is_home || modes[slot].home == bin;
      nearest.second = min (nearest.second, max (nearest.least, distance));
      if (distance < nearest.least) {
        nearest.least = distance;
        nearest.slot = slot;
      }
    }
  return nearest;
}
