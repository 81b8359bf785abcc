// SPDX-License-Identifier: LGPL-2.1-or-later
// Moves every mode along with light, then towards the mean of the colours around it. Of
// modes that come into one bin, the one in the first slot stays. Modes of a held palette do
// not glide to a mean, nor do those without a summit, with a leash. With a limit of modes that
// sets the radius, limit_renew.comp moves them instead.
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/shown_mode.glsl"

layout (local_size_x = 256) in;
#define MEAN 6
#include "palette/live/bin_mean.glsl"
// By place of a bin; of occupied bins, bin_list.comp has set it to NOBODY.
layout (std430, binding = 8) buffer Homes { uint homes[]; };
layout (push_constant) uniform Push { uint first, end; };   // slots

struct Around
{
  uint n;
  uvec2 sums[3];
};

Around sums_around (uint middle, uint level)
{
  Run columns[COLUMNS_AROUND] = columns_around (middle, level);
  Around around = Around (0, uvec2[3] (uvec2 (0), uvec2 (0), uvec2 (0)));

  for (uint column = 0; column < COLUMNS_AROUND; column++)
    for (Run run = columns[column]; run.bits != 0; run.bits &= run.bits - 1) {
      uvec2 bin[3] = wide_sums (run.place);

      for (uint i = 0; i < 3; i++)
        around.sums[i] = wide_add (around.sums[i], bin[i]);
      around.n += sums[run.place++].n;
    }
  return around;
}

// A mode goes along with light that changes in the whole frame.
void follow (TemporalLight light, uint slot)
{
  TemporalMode mode = modes[slot];

  modes[slot].red = component_in (light, mode.red, 256);
  modes[slot].green = component_in (light, mode.green, 256);
  modes[slot].blue = component_in (light, mode.blue, 256);
}

// Moves a mode from its bin towards the mean of the colours around it.
void glide (uint slot, uint bin, uint level)
{
  Around around = sums_around (bin, level);

  if (around.n != 0)
    glide_to (slot, mean_of_sums (around.sums, around.n), frame.rates.glide);
}

// Returns whether a summit belonged to the mode in the frame before.
bool had_summit (uint slot)
{
  return frame.leash.was_on == 0 || (state.owning_before[slot / 32] >> slot % 32 & 1) != 0;
}

// Sets the home of a mode in a bin, and enters its slot there. Modes with the same home
// have met, except in a held palette.
void go_home (uint slot, uint bin, uint level, bool meets)
{
  uint first_word = bin_grid.first_word[level];
  bool is_occupied = (occupied[first_word + bin / 32] >> bin % 32 & 1) != 0;
  uint home = is_occupied ? place_of_bin (bin, first_word) : NOT_OCCUPIED;

  modes[slot].home = meets ? home : NOT_OCCUPIED;
  if (is_occupied)
    atomicMin (homes[home], slot);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint slot = first + gl_GlobalInvocationID.x, level = live_level ();

  if (slot >= end || (state.taken[slot / 32] >> (slot & 31) & 1) == 0)
    return;
  if (changes (frame.light))
    follow (frame.light, slot);
  bool is_free = frame.holds_palette == HOLDS_NO_PALETTE;
  bool glides = is_free && frame.limit.least_summits == 0 && had_summit (slot);
  uint bin;

  // A loop, as a second call of these long functions would be compiled once more.
  for (uint pass = 0; pass <= uint (glides); pass++) {
    if (pass == 1)
      glide (slot, bin, level);
    bin = bin_at_level (show_mode (slot), level);
  }
  if (frame.limit.most != 0) {
    modes[slot].home = bin;
    return;
  }
  go_home (slot, bin, level, is_free);
}
