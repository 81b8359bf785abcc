// SPDX-License-Identifier: LGPL-2.1-or-later
// Blurs the coarsest level along one axis, with kernels that are too wide for the step up.
#include "blur/pyramid/pyramid.glsl"

layout (push_constant) uniform Push
{
  int width, height;            // without margins
  int edge;
  int axis;                     // 0: along rows, 1: down columns
  int first_section;            // the first row of workgroups
  int radius;
  float weights[PYRAMID_MAX_RADIUS + 1];
};

// Returns the word of the sample with index @i along the axis. @line: the row, or column.
uint word_at (int i, int line)
{
  return axis == 0 ? sample_at (i, line, width) : sample_at (line, i, width);
}

void main ()
{
  // Margins are included, as the step up reads some of them.
  int line = int (gl_GlobalInvocationID.x) - MARGIN;
  int i = int (gl_WorkGroupID.y) + first_section - MARGIN;
  int n = axis == 0 ? width : height;
  vec4 sum = vec4 (0);

  if (line >= (axis == 0 ? height : width) + MARGIN)
    return;
  for (int k = -radius; k <= radius; k++)
    sum += weights[abs (k)] * sample_of (load_words (word_at (level_index (i
                    + k, n, edge), line)));
  store_words (word_at (i, line), words_of (sum));
}
