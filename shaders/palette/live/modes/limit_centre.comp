// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup moves modes to the mean of their bins, if all are new.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#define TABLES 5
#include "palette/live/modes/shown_mode.glsl"
#include "palette/live/modes/limit.glsl"

layout (local_size_x = LIMIT_MOST) in;
#define MEAN 6
#include "palette/live/bin_mean.glsl"
#include "palette/live/modes/share_mean.glsl"

void
centre (uint slot)
{
  ModeShare share = state.limited.shares[slot];

  if (share.n != 0)
    set_colour (slot, mean_of_share (share));
  modes[slot].home = bin_at_level (show_mode (slot), live_level ());
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint slot = gl_LocalInvocationID.x;
  const uint[3] none = uint[3] (0, 0, 0);

  if (live.changed == 0 || !begins_with_means ())
    return;
  if (stands (slot))
    centre (slot);
  state.limited.shares[slot] = ModeShare (0, none, none);
}
