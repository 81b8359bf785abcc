// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the bin of every counted pixel, and marks it as occupied. The last workgroup may
// size the dispatches that follow.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "palette/shared/pixels.h"
#define OWN_PUSH uint recount, sizes_dispatches;
#include "core/pixels/pixels.glsl"

layout (local_size_x = 256) in;
// Words of the bitmap that an invocation of the kernels that it sizes processes.
layout (constant_id = FORMAT_CONSTANTS) const uint WORDS_PER_THREAD = 4;
// Whether to add up over workgroups, and to size dispatches in the last one. FALSE on CPU
// devices, where barriers are expensive, and atomic additions to one word are not.
layout (constant_id = FORMAT_CONSTANTS + 1) const bool GATHERS = true;
layout (std430, binding = 0) readonly buffer Input { uint words[]; };
layout (std430, binding = 1) readonly buffer Tables { uint tables[]; };
// Of the frame before, and of this one.
layout (std430, binding = 2) readonly buffer ColoursBefore { uvec4 colours_before[]; };
layout (std430, binding = 3) writeonly buffer Colours { uvec4 colours[]; };
layout (std430, binding = 4) writeonly buffer PixelBins { uvec4 pixel_bins[]; };
// Bitmap of colours that weigh already, for weighting by palette.
layout (std430, binding = 5) buffer Seen { uint seen[]; };
#define LIVE 6
#include "palette/live/bins.glsl"
#include "palette/oklab.glsl"
#include "palette/live/bin_estimate.glsl"
#include "palette/live/bin_gate.glsl"
#include "core/pixels/load.glsl"
#include "core/group.glsl"

bool is_first_of_colour (uint colour)
{
  uint word = colour >> 5, bit = 1u << (colour & 31);

  // The plain read avoids most atomics in flat areas. Bits are only set during this
  // dispatch: if the read is stale, the atomic decides.
  return (seen[word] & bit) == 0 && (atomicOr (seen[word], bit) & bit) == 0;
}

shared uint n_done;

// Returns whether all other workgroups of all slices are done. What they added is then visible
// to this one.
bool is_last_group ()
{
  uint n_groups = ((width + 3) / 4 * height + 255) / 256;

  // What this workgroup added is visible before it counts as done.
  memoryBarrierBuffer ();
  barrier ();
  if (gl_LocalInvocationID.x == 0)
    n_done = atomicAdd (live.marked_groups, 1) + 1;
  barrier ();
  memoryBarrierBuffer ();
  return n_done == n_groups;
}

// Returns the number of occupied bins.
uint count_occupied ()
{
  uint n = 0;

  for (uint first = 0; first * WORDS_OF_TOTAL < bin_grid.words[0]; first += 256) {
    uint i = first + gl_LocalInvocationID.x;

    if (i * WORDS_OF_TOTAL < bin_grid.words[0])
      n += atomicAdd (bin_totals[i], 0);
  }
  return group_sum (n);
}

void add_changed (uint changed)
{
  if (!GATHERS) {
    changed = subgroupAdd (changed);
    if (subgroupElect () && changed != 0)
      atomicAdd (live.changed, changed);
    return;
  }
  changed = group_sum (changed);
  if (gl_LocalInvocationID.x == 0 && changed != 0)
    atomicAdd (live.changed, changed);
  if (sizes_dispatches == 0 || !is_last_group ())
    return;
  uint n_changed = atomicAdd (live.changed, 0), rest = rest_with (n_changed);
  uint n_occupied = count_occupied ();

  if (gl_LocalInvocationID.x < MAX_SLICES)
    size_dispatches (n_changed, rest, n_occupied);
}

// Bins that the workgroup marked lately: of those with the same hash, the last one. Many
// workgroups have the same bins at the same time, before any of them sees that the others
// have set their bits.
const uint RECENT_BITS = 10, RECENT = 1 << RECENT_BITS;
shared uint recent[GATHERS ? RECENT : 1];

void empty_recent ()
{
  for (uint i = gl_LocalInvocationID.x; i < RECENT; i += 256)
    recent[i] = NOT_OCCUPIED;
  barrier ();
}

// Enters a bin. Returns whether it was there: then the invocation that entered it marks it.
bool was_recent (uint bin)
{
  uint slot = bin * 2654435761u >> 32 - RECENT_BITS;

  return recent[slot] == bin || atomicExchange (recent[slot], bin) == bin;
}

// Marks the bin of a counted pixel. Returns its word.
uint mark (uint colour, uvec3 at)
{
  uint bin = number_of_bin (at, 0);
  bool weighs = live.is_by_colour == 0 || is_first_of_colour (colour);

  if (!GATHERS || !was_recent (bin))
    occupy (bin, 0);
  return word_of_bin (at) | (weighs ? PIXEL_WEIGHS : 0);
}

// Returns the colours of pixels. Those that do not exist are not counted.
uvec4 load_quad (Quad quad)
{
  uint loaded[4];
  uvec4 now;

  load_colours (quad, loaded);
  for (uint i = 0; i < 4; i++)
    now[i] = i < quad.n ? loaded[i] : TRANSPARENT;
  return now;
}

// Marks the bins of pixels. Returns their words.
uvec4 mark_all (uvec4 now)
{
  bool keeps_all = live.keeps_all != 0;
  uvec4 words = uvec4 (PIXEL_WITHOUT_BIN);
  uint left = 0;                // a bit for each pixel whose bin is not certain

  for (uint i = 0; i < 4; i++) {
    uvec3 bin;

    if (keeps_all || (now[i] & TRANSPARENT) != 0)
      continue;
    if (estimate_bin (now[i], bin))
      words[i] = mark (now[i], bin);
    else
      left |= 1 << i;
  }
  for (; left != 0; left &= left - 1) {
    uint i = findLSB (left);

    words[i] = mark (now[i], bin_of_point (point_of_colour (now[i], bin_grid.shift)));
  }
  return words;
}

// Stores the colours of pixels. Returns how many changed.
uint store_changes (Quad quad, uint at, uvec4 now)
{
  if (quad.n == 0)
    return 0;
  uvec4 before = colours_before[at];

  colours[at] = now;
  return recount != 0 ? quad.n : uint (before.x != now.x) + uint (before.y != now.y)
      + uint (before.z != now.z) + uint (before.w != now.w);
}

void main ()
{
  load_grid ();
  load_estimate ();
  Quad quad = quad_of_thread ();
  uint at = index_of_quad (quad);
  uvec4 now = load_quad (quad);

  if (GATHERS)
    empty_recent ();
  uint changed = store_changes (quad, at, now);
  uvec4 bins = mark_all (now);

  if (quad.n > 0)
    pixel_bins[at] = bins;
  add_changed (changed);
}
