// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the pixels of every mode.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/cells.h"
#include "palette/steady.h"
#include "palette/census.h"

layout (local_size_x = 256) in;
// A CPU has no queue, and pays for barriers.
layout (constant_id = 0) const bool GATHERS = true;

layout (std430, binding = 0) readonly buffer Grid { PaletteGrid grid; };
layout (std430, binding = 1) readonly buffer Cells { uint cells[]; };
layout (std430, binding = 2) readonly buffer Holds { uint holds[]; };
layout (std430, binding = 3) buffer Counters { uint counters[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // threads
  uint recount;
};

const uint NOWHERE = 0xffffffffu;

// The counter of a pixel.
uint
counter_of (uint at)
{
  uint hold = at < grid.n_pixels ? holds[at] : HOLDS_NONE;

  if ((hold & HOLDS_NONE) == 0)
    return hold & 0xffff;
  return at >= grid.n_pixels || (cells[at] & PIXEL_STAYS) != 0 ? NOWHERE
      : CENSUS_WITHOUT_MODE;
}

// What a workgroup adds to counters: flat areas would queue up at one
// otherwise. A counter that finds another in its place is added to at once.
const uint PLACES = 256;
shared uint place_counters[PLACES], place_sums[PLACES];

void
empty_places ()
{
  place_counters[gl_LocalInvocationID.x] = NOWHERE;
  place_sums[gl_LocalInvocationID.x] = 0;
  barrier ();
}

void
gather (uint counter, uint n)
{
  uint place = counter % PLACES;
  uint other = atomicCompSwap (place_counters[place], NOWHERE, counter);

  if (other == NOWHERE || other == counter)
    atomicAdd (place_sums[place], n);
  else
    atomicAdd (counters[counter], n);
}

void
add_places ()
{
  barrier ();
  uint counter = place_counters[gl_LocalInvocationID.x];

  if (counter != NOWHERE)
    atomicAdd (counters[counter], place_sums[gl_LocalInvocationID.x]);
}

void
add (uint counter, uint n)
{
  if (counter == NOWHERE)
    return;
  if (GATHERS)
    gather (counter, n);
  else
    atomicAdd (counters[counter], n);
}

// Those one after the other that have one counter go together.
void
count_pixels ()
{
  uint first_at = (first + gl_WorkGroupID.x * 256) * PIXELS_PER_THREAD
      + gl_LocalInvocationID.x * 4;
  uint counter = NOWHERE, n = 0;

  for (uint i = 0; i < PIXELS_PER_THREAD; i++) {
    uint now = counter_of (first_at + i / 4 * 1024 + i % 4);

    if (now != counter) {
      add (counter, n);
      n = 0;
    }
    counter = now;
    n++;
  }
  add (counter, n);
}

void
main ()
{
  // The list of the frame before is that of this one.
  if (grid.changed == 0 && recount == 0)
    return;
  if (GATHERS)
    empty_places ();
  count_pixels ();
  if (GATHERS)
    add_places ();
}
