// SPDX-License-Identifier: LGPL-2.1-or-later
// One axis of the Gaussian on a level. A thread has some outputs side by side
// along the axis, to which it adds each sample once.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid.glsl"

layout (push_constant) uniform Push { PYRAMID_BLUR_PUSH (int, float) };

const int OUTPUTS = PYRAMID_OUTPUTS;
// Samples that are loaded at a time, before they are needed.
const int AHEAD = 4;

int width, height;              // of the level
bool is_down;

// Where the sample is that lies @i along the axis, on line @line across it.
uint
at_axis (uint offset, int i, int line)
{
  return is_down ? sample_at (offset, line, i, width)
      : sample_at (offset, i, line, width);
}

void
main ()
{
  width = size & 0xffff;
  height = size >> 16;
  is_down = down != 0;
  int n = is_down ? height : width;
  int x = int (gl_GlobalInvocationID.x);
  int y = int (gl_WorkGroupID.y) + first_row;
  // Margins are done, too: the way up needs some of them.
  int first = (is_down ? y : x) * OUTPUTS - MARGIN;
  int line = (is_down ? x : y) - MARGIN;
  int end = min (first + OUTPUTS, n + MARGIN);
  vec4 sums[OUTPUTS];
  // What the sample at hand weighs on each output.
  float weight[OUTPUTS];

  if (line >= (is_down ? width : height) + MARGIN || first >= end)
    return;
  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
    sums[o] = vec4 (0);
    weight[o] = 0;
  }
  for (int i = -radius; i < OUTPUTS + radius; i += AHEAD) {
    uvec4 ahead[AHEAD];

    [[unroll]] for (int k = 0; k < AHEAD; k++)
      ahead[k] = load_words (at_axis (source_offset,
              level_index (first + i + k, n, edge), line));
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
      store_sample (at_axis (target_offset, first + o, line), sums[o]);
}
