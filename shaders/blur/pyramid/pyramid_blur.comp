// SPDX-License-Identifier: LGPL-2.1-or-later
// Blurs the columns of the coarsest level. A thread computes several vertically adjacent
// outputs, and loads each sample once for all of them.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"

layout (push_constant) uniform Push { PYRAMID_BLUR_PUSH (int, float) };

const int OUTPUTS = PYRAMID_OUTPUTS;
// Samples that are loaded at a time, ahead of their use.
const int AHEAD = 4;

void
main ()
{
  int x = int (gl_GlobalInvocationID.x) - MARGIN;
  // Margins are included, as the step up reads some of them.
  int first = (int (gl_WorkGroupID.y) + first_row) * OUTPUTS - MARGIN;
  int end = min (first + OUTPUTS, height + MARGIN);
  vec4 sums[OUTPUTS];
  // The weight of the current sample in each output.
  float weight[OUTPUTS];

  if (x >= width + MARGIN)
    return;
  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
    sums[o] = vec4 (0);
    weight[o] = 0;
  }
  for (int i = -radius; i < OUTPUTS + radius; i += AHEAD) {
    uvec4 ahead[AHEAD];

    [[unroll]] for (int k = 0; k < AHEAD; k++)
      ahead[k] = load_words (sample_at (x, level_index (first + i + k, height,
                  edge), width));
    [[unroll]] for (int k = 0; k < AHEAD; k++) {
      [[unroll]] for (int o = OUTPUTS - 1; o > 0; o--)
        weight[o] = weight[o - 1];
      weight[0] = i + k <= radius ? weights[abs (i + k)] : 0;
      [[unroll]] for (int o = 0; o < OUTPUTS; o++)
        sums[o] += weight[o] * sample_of (ahead[k]);
    }
  }
  [[unroll]] for (int o = 0; o < OUTPUTS; o++)
    if (first + o < end)
      store_words (sample_at (x, first + o, width), words_of (sums[o]));
}
