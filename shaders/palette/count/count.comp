// SPDX-License-Identifier: LGPL-2.1-or-later
// Updates the histogram by the pixels that differ between this frame and the frame that
// leaves the window, or counts this frame into cleared counters. Stores this frame's
// colours, as numbers.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "palette/shared/pixels.h"
#define OWN_PUSH uint recount;
#include "core/pixels/pixels.glsl"
#include "palette/count/blocks.h"
#include "palette/count/numbers.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Frame { uint words[]; };
layout (std430, binding = 1) buffer Numbers { uint numbers[]; };
layout (std430, binding = 2) buffer Counts { uint counts[]; };
layout (std430, binding = 3) buffer Touched { uint touched[]; };
layout (std430, binding = 4) buffer Blocks { PaletteBlocks blocks; };
layout (std430, binding = 5) buffer Changed { PaletteChanged changed; };

#include "core/pixels/load.glsl"
#include "palette/count/counters.glsl"

void main ()
{
  Quad quad = quad_of_thread ();
  uint newest = blocks.dispatches.newest;
  bool is_empty = blocks.scenes[newest] != blocks.scene;
  uint loaded[4];
  uint n_changed = 0;

  load_colours (quad, loaded);
  for (uint i = 0; i < 4; i++) {
    bool exists = i < quad.n;
    uint at = index_of_pixel (quad.x + i, quad.y);
    uint now = exists ? number_of_colour (loaded[i]) | (loaded[i] & TRANSPARENT) : NO_PIXEL;
    uint before = !exists ? now : is_empty ? NO_PIXEL : numbers[at];
    bool differs = before != now;
    bool adds = (recount != 0 || differs) && (now & TRANSPARENT) == 0;
    bool takes = recount == 0 && differs && (before & TRANSPARENT) == 0;

    // Padding, too, is not counted.
    if (differs || quad.n > 0 && !exists)
      numbers[at] = now;
    n_changed += differs ? 1 : 0;
    add (now, adds ? 1 : 0, recount == 0);
    if (recount == 0)
      add (before, takes ? 0xffffffff : 0, true);
  }
  n_changed = subgroupAdd (n_changed);
  if (subgroupElect () && n_changed != 0)
    atomicAdd (changed.pixels, n_changed);
}
