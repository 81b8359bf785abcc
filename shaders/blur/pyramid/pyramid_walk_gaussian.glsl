// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernel on the coarsest level, for samples that arrive one after the other, and the weighted
// sum of four of its outputs. The shader must define weights[], and SUMMED, the number of lanes.

// The unfinished outputs, oldest first.
struct Pending
{
  vec4 sums[2 * RADIUS];
};

Pending no_samples ()
{
  Pending pending;

  [[unroll]] for (int k = 0; k < 2 * RADIUS; k++)
    pending.sums[k] = vec4 (0);
  return pending;
}

// The four outputs around a position in the frame.
struct Four
{
  vec4 values[4];
};

// Zeroed although four steps replace all of it: an NVIDIA compiler makes wrong sums of values
// that were never written.
Four no_outputs ()
{
  return Four (vec4[] (vec4 (0), vec4 (0), vec4 (0), vec4 (0)));
}

float kept_weights[RADIUS + 1];

void keep_weights ()
{
  [[unroll]] for (int i = 0; i <= RADIUS; i++)
    kept_weights[i] = weights[i];
}

// Adds the next sample, and returns the output that it finishes.
vec4 blur (inout Pending pending, vec4 value)
{
  vec4 output_now = pending.sums[0];

  add_lanes (output_now, kept_weights[RADIUS], value, SUMMED);
  [[unroll]] for (int k = 1; k <= 2 * RADIUS; k++) {
    vec4 sum = k < 2 * RADIUS ? pending.sums[k] : vec4 (0);

    add_lanes (sum, kept_weights[abs (RADIUS - k)], value, SUMMED);
    pending.sums[k - 1] = sum;
  }
  return output_now;
}

void go_on (inout Four four, vec4 value)
{
  [[unroll]] for (int k = 0; k < 3; k++)
    four.values[k] = four.values[k + 1];
  four.values[3] = value;
}

vec4 sum_four (Four four, vec4 weight)
{
  vec4 sum = vec4 (0);

  [[unroll]] for (int k = 0; k < 4; k++)
    add_lanes (sum, weight[k], four.values[k], SUMMED);
  return sum;
}
