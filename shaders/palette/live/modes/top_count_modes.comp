// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the pixels of every mode.
#include "palette/live/bins.h"
#include "palette/shared/pixels.h"
#include "palette/live/modes/temporal.h"
#include "palette/shared/topcolours.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Live { LiveState live; };
layout (std430, binding = 1) readonly buffer PixelBins { uint pixel_bins[]; };
layout (std430, binding = 2) readonly buffer PixelModes { uint pixel_modes[]; };
layout (std430, binding = 3) buffer Counters { uint counters[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint first_row;               // first bound row, of PIXELS_PER_THREAD pixels
  uint recount;
};

uint counter_of (uint at)
{
  bool exists = at < live.n_words - first_row * PIXELS_PER_THREAD;
  uint pixel_mode = exists ? pixel_modes[at] : PIXEL_WITHOUT_MODE;

  if ((pixel_mode & PIXEL_WITHOUT_MODE) == 0)
    return pixel_mode & 0xffff;
  return !exists || (pixel_bins[at] & PIXEL_STAYS) != 0 ? TOP_NOWHERE : TOP_WITHOUT_MODE;
}

#include "palette/shared/top_count.glsl"

void main ()
{
  // In a settled film the list of the frame before stays valid.
  if (live.rest < SETTLED_AFTER || recount != 0)
    count_all ();
}
