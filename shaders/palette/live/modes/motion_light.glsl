// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds how light changes in the whole frame: one workgroup of 256 fits a line to the lumas of
// blocks, in this frame and in the one before. Include after core/group.glsl, temporal.glsl,
// and a buffer with `Motion motion`.

// Samples: blocks of this invocation that are compared, the first n_own.
int luma[BLOCKS_PER_LANE];      // in the frame before, in quarters of a code value
int change[BLOCKS_PER_LANE];    // in 32nds of a code value
bool is_near[BLOCKS_PER_LANE];  // to the first line
uint n_own;
const int MOST_CHANGE_OF_LUMA = 2047;

void find_samples ()
{
  uint n_blocks = frame.blocks.columns * frame.blocks.rows;

  n_own = 0;
  for (uint b = gl_LocalInvocationID.x; b < n_blocks; b += 256) {
    int before = int (motion.blocks[b].colour_before.luma);
    int by = int (motion.blocks[b].colour.luma) - before + 4 >> 3;

    if ((motion.blocks[b].is_clipped | motion.blocks[b].was_clipped) != 0
        || abs (by) > MOST_CHANGE_OF_LUMA)
      continue;
    luma[n_own] = before >> 6;
    change[n_own] = by;
    is_near[n_own++] = true;
  }
}

struct Line
{
  int gain;                     // in 4096ths, above 1
  int shift;                    // in 4096ths of a code value
};

// Returns floor (512 * a / b), b > 0.
int floor_512_times_over (int a, int b)
{
  int quotient = floor_over (a, b), rest = a - quotient * b;

  for (uint i = 0; i < 9; i++) {
    rest <<= 1;
    quotient = quotient << 1 | int (rest >= b);
    if (rest >= b)
      rest -= b;
  }
  return quotient;
}

// Returns the line of least squares through the samples that are near. The gain is drawn
// to 0 where their lumas are alike.
Line fit ()
{
  uint n = 0, sum_of_luma = 0, sum_of_change = 0, steepness = 0, spread = 0;

  for (uint i = 0; i < n_own; i++)
    if (is_near[i]) {
      n++;
      sum_of_luma += luma[i];
      sum_of_change += change[i];
    }
  uvec3 sums = group_sums (uvec3 (n, sum_of_luma, sum_of_change));

  n = sums.x;
  sum_of_change = sums.z;
  int mean_luma = int (sums.y / n);
  int mean_change = floor_over (int (sum_of_change), int (n));

  for (uint i = 0; i < n_own; i++)
    if (is_near[i]) {
      int from = luma[i] - mean_luma;

      steepness += from * (change[i] - mean_change);
      spread += from * from;
    }
  uvec3 slopes = group_sums (uvec3 (steepness, spread, 0));
  int gain = floor_512_times_over (int (slopes.x), int (slopes.y + n));

  return Line (gain, floor_over (128 * int (sum_of_change), int (n)) - (gain * mean_luma >> 2));
}

// In 4096ths of a code value.
uint error_of (Line line, uint i)
{
  return uint (abs (128 * change[i] - line.shift - (line.gain * luma[i] >> 2)));
}

uint sum_of_errors (Line line)
{
  uint sum = 0;

  for (uint i = 0; i < n_own; i++)
    sum += error_of (line, i);
  return group_sum (sum);
}

// Leaves out what moves, and what has a light of its own: less than half of n samples.
void choose_near (Line line, uint errors, uint n)
{
  uint limit = 4096 + 2 * (errors / n);

  for (uint i = 0; i < n_own; i++)
    is_near[i] = error_of (line, i) <= limit;
}

// Returns the line that most changes of light are on. That of no change if fewer blocks than
// one in eight are samples, if the mean change is less than a quarter of a code value, or if
// the line leaves more than half of the changes.
Line find_line ()
{
  const Line none = Line (0, 0);
  uint sum_of_changes = 0, errors;
  Line line;

  for (uint i = 0; i < n_own; i++)
    sum_of_changes += abs (change[i]);
  uvec3 sums = group_sums (uvec3 (n_own, sum_of_changes, 0));

  if (8 * sums.x < frame.blocks.columns * frame.blocks.rows || sums.y < 8 * sums.x)
    return none;
  for (uint round = 0; round < 2; round++) {
    if (round > 0)
      choose_near (line, errors, sums.x);
    line = fit ();
    // If light loses more than a quarter, or gains more than a half, it is another picture.
    if (line.gain < -1024 || line.gain > 2048)
      return none;
    errors = sum_of_errors (line);
  }
  return errors <= 64 * sums.y ? line : none;
}

// Cells of the frame before are compared with those of this one.
void light_cells (TemporalLight light)
{
  uint n = CELLS_ALONG * frame.blocks.columns * frame.blocks.rows;

  for (uint i = gl_LocalInvocationID.x; i < n; i += 256) {
    uint before = motion.cells_before[i], lit = 0;

    for (uint k = 0; k < 32; k += 8) {
      uint cell = before >> k & 255;

      lit |= (cell == clamp (cell, DARKEST, LIGHTEST) ? component_in (light, cell, 1)
          : cell) << k;
    }
    motion.cells_before[i] = lit;
  }
}

// Returns how light changes; if it does, the cells of the frame before go along.
TemporalLight find_light ()
{
  find_samples ();
  Line line = find_line ();
  TemporalLight light = TemporalLight (SAME_GAIN + line.gain, line.shift);

  if (changes (light))
    light_cells (light);
  return light;
}
