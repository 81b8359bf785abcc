// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lists the slots that have most. Include behind group.glsl,
// topcolours.h and uint count_of (uint slot).

shared uint shared_end, shared_most;

// Returns the sum of n_slots counts. end: behind the last slot that has any; most:
// that one has.
uint
look_at_all (uint n_slots, out uint end, out uint most)
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

uint
count_slots (uint end, uint least)
{
  uint n = 0;

  for (uint slot = gl_LocalInvocationID.x; slot < end; slot += 256)
    n += uint (count_of (slot) >= least);
  return group_sum (n);
}

// What the last in the list has: as many slots have no less as there is room for,
// or 1 where there are not as many.
uint
find_least (uint end, uint most)
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

void
list (uint at, uint slot)
{
  if (at < TOP_MODES) {
    listed_slots[at] = slot;
    listed_counts[at] = count_of (slot);
  }
}

// All that have more, and of those that have as much the first ones, both in the
// order of slots. Returns how many there are.
uint
choose (uint end, uint least)
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

    if (count >= least)
      list (count > least ? more++ : equal++, slot);
  }
  barrier ();
  return min (all_more + all_equal, TOP_MODES);
}

// Where one that is listed belongs: by counts, most first, then by slot.
uint
rank_of (uint at, uint n)
{
  uint count = listed_counts[at], rank = 0;

  for (uint i = 0; i < n; i++)
    rank += uint (listed_counts[i] > count
        || (listed_counts[i] == count && i < at));
  return rank;
}

// Lists those of n_slots. Returns the sum of all counts; n_listed: how many there
// are in the list, where those with equal counts are in the order of slots. All
// threads call it, in uniform control flow.
uint
list_most (uint n_slots, out uint n_listed)
{
  uint end, most;
  uint n = look_at_all (n_slots, end, most);

  n_listed = choose (end, find_least (end, most));
  return n;
}
