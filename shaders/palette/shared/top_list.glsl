// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lists the slots with the largest counts, TOP_MODES at most. Include
// after group.glsl, topcolours.h and uint count_of (uint slot).

shared uint shared_end, shared_most;

// Returns the sum of the counts of n_slots slots. end: one past the last slot with a
// count above 0; most: the largest count.
uint look_at_all (uint n_slots, out uint end, out uint most)
{
  uint n = 0;

  end = most = 0;
  if (gl_LocalInvocationID.x == 0)
    shared_end = shared_most = 0;
  for (uint slot = gl_LocalInvocationID.x; slot < n_slots; slot += 256) {
    uint count = count_of (slot);

    n += count;
    most = max (most, count);
    if (count != 0)
      end = slot + 1;
  }
  n = group_sum (n);
  atomicMax (shared_end, end);
  atomicMax (shared_most, most);
  barrier ();
  end = shared_end;
  most = shared_most;
  return n;
}

uint count_slots (uint end, uint least)
{
  uint n = 0;

  for (uint slot = gl_LocalInvocationID.x; slot < end; slot += 256)
    n += uint (count_of (slot) >= least);
  return group_sum (n);
}

// Returns the least count in the list: the largest count that at least TOP_MODES slots
// reach, or 1 if fewer slots have any.
uint find_least (uint end, uint most)
{
  uint low = 1, high = most;

  while (low < high) {
    uint middle = high - (high - low) / 2;

    if (count_slots (end, middle) >= TOP_MODES)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

shared uint listed_slots[TOP_MODES], listed_counts[TOP_MODES];

// Lists all slots with counts above `least`, then the first slots with counts equal to
// it, both in the order of slots. Returns the number of listed slots.
uint choose (uint end, uint least)
{
  uint n_slots = (end + 255) / 256;
  uint first = gl_LocalInvocationID.x * n_slots;
  uint behind = min (first + n_slots, end);
  uint more = 0, equal = 0, all_more, all_equal;

  for (uint slot = first; slot < behind; slot++) {
    more += uint (count_of (slot) > least);
    equal += uint (count_of (slot) == least);
  }
  more = group_exclusive_scan (more, all_more);
  equal = all_more + group_exclusive_scan (equal, all_equal);
  for (uint slot = first; slot < behind; slot++) {
    uint count = count_of (slot);

    if (count < least)
      continue;
    uint at = count > least ? more++ : equal++;

    if (at < TOP_MODES) {
      listed_slots[at] = slot;
      listed_counts[at] = count;
    }
  }
  barrier ();
  return min (all_more + all_equal, TOP_MODES);
}

// Returns the rank of entry `at` of the n listed: by counts, largest first, then by slot.
uint rank_of (uint at, uint n)
{
  uint count = listed_counts[at], rank = 0;

  for (uint i = 0; i < n; i++)
    rank += uint (listed_counts[i] > count || (listed_counts[i] == count && i < at));
  return rank;
}

// Lists the slots with the largest counts of n_slots. Returns the sum of all counts;
// n_listed: the number of listed slots, of which those with equal counts are in the
// order of slots. All invocations call it, in uniform control flow.
uint list_most (uint n_slots, out uint n_listed)
{
  uint end, most;
  uint n = look_at_all (n_slots, end, most);

  n_listed = choose (end, find_least (end, most));
  return n;
}
