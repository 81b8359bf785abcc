// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds pixels to counters, after adding up those of a workgroup in shared memory.
// Include after topcolours.h and pixels.h; a buffer of words, counters; uint counter_of
// (uint at), which returns the counter of bound pixel `at`, or TOP_NOWHERE; and push
// constants with first and first_row.

// Whether to add up in shared memory. FALSE on CPU devices: barriers are expensive
// there, and atomic additions to one word are not.
layout (constant_id = 0) const bool GATHERS = true;

// Sums of a workgroup in a hash table without probing, as in flat areas many atomic
// additions would wait for the same counter. A counter whose place is taken by another
// counter is added to directly.
const uint PLACES = 256;
shared uint place_counters[PLACES], place_sums[PLACES];

void empty_places ()
{
  place_counters[gl_LocalInvocationID.x] = TOP_NOWHERE;
  place_sums[gl_LocalInvocationID.x] = 0;
  barrier ();
}

void gather (uint counter, uint n)
{
  uint place = counter % PLACES;
  uint other = atomicCompSwap (place_counters[place], TOP_NOWHERE, counter);

  if (other == TOP_NOWHERE || other == counter)
    atomicAdd (place_sums[place], n);
  else
    atomicAdd (counters[counter], n);
}

void add_places ()
{
  barrier ();
  uint counter = place_counters[gl_LocalInvocationID.x];

  if (counter != TOP_NOWHERE)
    atomicAdd (counters[counter], place_sums[gl_LocalInvocationID.x]);
}

void add (uint counter, uint n)
{
  if (counter == TOP_NOWHERE)
    return;
  if (GATHERS)
    gather (counter, n);
  else
    atomicAdd (counters[counter], n);
}

// Adds the pixels of an invocation; successive pixels with one counter are added together.
void count_pixels ()
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

// All invocations of the workgroup call it, in uniform control flow.
void count_all ()
{
  if (GATHERS)
    empty_places ();
  count_pixels ();
  if (GATHERS)
    add_places ();
}
