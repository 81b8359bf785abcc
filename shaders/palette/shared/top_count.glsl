// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds pixels to counters, those of a workgroup's threads at once. Include behind
// topcolours.h and pixels.h, a buffer of words, counters, and uint counter_of (uint at),
// the counter of a pixel among those that are bound, or TOP_NOWHERE; and behind push
// constants with first and first_row.

// A CPU has no queue, and pays for barriers.
layout (constant_id = 0) const bool GATHERS = true;

// What a workgroup adds to counters: flat areas would queue up at one
// otherwise. A counter that finds another in its place is added to at once.
const uint PLACES = 256;
shared uint place_counters[PLACES], place_sums[PLACES];

void
empty_places ()
{
  place_counters[gl_LocalInvocationID.x] = TOP_NOWHERE;
  place_sums[gl_LocalInvocationID.x] = 0;
  barrier ();
}

void
gather (uint counter, uint n)
{
  uint place = counter % PLACES;
  uint other = atomicCompSwap (place_counters[place], TOP_NOWHERE, counter);

  if (other == TOP_NOWHERE || other == counter)
    atomicAdd (place_sums[place], n);
  else
    atomicAdd (counters[counter], n);
}

void
add_places ()
{
  barrier ();
  uint counter = place_counters[gl_LocalInvocationID.x];

  if (counter != TOP_NOWHERE)
    atomicAdd (counters[counter], place_sums[gl_LocalInvocationID.x]);
}

void
add (uint counter, uint n)
{
  if (counter == TOP_NOWHERE)
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
  uint first_at = (first - first_row + gl_WorkGroupID.x * 256)
      * PIXELS_PER_THREAD
      + gl_LocalInvocationID.x * 4;
  uint counter = TOP_NOWHERE, n = 0;

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

// All threads of the group call it, in uniform control flow.
void
count_all ()
{
  if (GATHERS)
    empty_places ();
  count_pixels ();
  if (GATHERS)
    add_places ();
}
