// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup decides whether a scene ended. If so, forget.comp clears its counts.
#include "core/group.glsl"
#include "palette/count/blocks.h"
#include "palette/count/luma.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer State { Scene scene; };
layout (std430, binding = 1) buffer Blocks { PaletteBlocks blocks; };

#define COLOUR(i) scene.now[i]
#define COLOUR_BEFORE(i) scene.before[i]
#include "palette/count/change.glsl"

void main ()
{
  uint slice = gl_LocalInvocationID.x;
  bool is_cut = scene_ends (scene.columns * scene.rows, scene.cut_sum);

  if (slice < MAX_SLICES)
    blocks.cut_groups[slice] =
        uint[3] (is_cut ? blocks.present_groups[slice][0] : 0, 1, 1);
  if (slice == 0 && is_cut)
    blocks.scene++;
}
