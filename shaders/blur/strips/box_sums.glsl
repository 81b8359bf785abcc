// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums along rows of whole boxes.

#include "blur/quotient.glsl"

// --- pixels of four samples, each of which is a column ---

Sum load_sum (uint row, uint column)
{
  uint at = row * PITCH + place_of (column);
  uvec2 pairs = uvec2 (ring[at], ring[at + PLANE]);

  if (is_narrow ())
    return Sum (pairs, pairs >> 16);
  return Sum (pairs, ring[at + 2 * PLANE], ring[at + 3 * PLANE]);
}

// Returns a sum of no pixels, which rounds the means: of all lanes, or of alpha alone.
Sum empty_sum ()
{
  uint rounds = half_of_box ();

  if (is_narrow ())
    return Sum (uvec2 (rounds + (rounds << 16)), uvec2 (rounds));
  return Sum (0, rounds << 16, 0, rounds);
}

uint word_of (Sum sum)
{
  uvec4 lanes = uvec4 (sum.xy - (sum.zw << 16), sum.zw);
  uint alpha = max (lanes.w - half_of_box (), 1);
  float share = 1.0 / float (alpha);
  uvec4 codes;

  [[unroll]] for (int i = 0; i < 3; i++)
    codes[i] = is_narrow () ? mean_of (lanes[i])
        : rounded_quotient (lanes[i], alpha, share);
  codes.w = HAS_UNUSED || opaque ? 255 : mean_of (lanes.w);
  return in_memory (pack_codes (codes).x);
}

// Sums OUTPUTS columns of a row, whose first samples begin at @column in shared memory.
void sum_pixels_along (uint row, uint column, out uint words[OUTPUTS])
{
  uint taps = 2 * uint (radius_x ());
  Sum window = empty_sum ();

  for (uint i = 0; i < taps; i++)
    window += load_sum (row, column + i);
  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
    window += load_sum (row, column + taps + o);
    words[o] = word_of (window);
    window -= load_sum (row, column + o);
  }
}

// --- pixels of fewer than four samples, which begin anywhere in a column ---

// Where samples from any one on lie in shared memory: every second sample is in the same words,
// in their lower and upper lanes by turns.
struct Run
{
  uvec2 column;                 // of the first sample, and of the second
  uvec2 plane;                  // offset of their words
  bvec2 is_upper;               // whether they are in upper lanes
};

Run run_from (uint i)
{
  uvec2 ends = uvec2 (i, i + 1);

  return Run (ends / 4, ends % 2 * PLANE, notEqual (ends & 2, uvec2 (0)));
}

// Returns the first and the third, or the second and the fourth of four samples. @run: as if
// the row began where @piece is in shared memory. It is the same for all threads of a group,
// so that devices with registers that threads share compute the rest of the address there.
uvec2 every_second (uint piece, Run run, int which, uint columns_on)
{
  uint here = ring[piece + place_of (run.column[which] + columns_on) + run.plane[which]];
  uint next = ring[piece
      + place_of (run.column[which] + columns_on + 1) + run.plane[which]];

  return run.is_upper[which] ? uvec2 (here >> 16, next & 0xffff)
      : uvec2 (here & 0xffff, here >> 16);
}

// Returns the four samples of a run from sample 4 @columns_on on.
uvec4 four_samples (uint piece, Run run, uint columns_on)
{
  return uvec4 (every_second (piece, run, 0, columns_on),
      every_second (piece, run, 1, columns_on)).xzyw;
}

// The number of columns that have whole pixels.
const int WHOLE_COLUMNS = COMPONENTS == 3 ? 3 : 1;

// Returns the sums over @taps samples from sample @first on, for each component.
uint[4]
sum_taps (uint piece, uint first, uint taps)
{
  Run run = run_from (first);
  uint half_box = half_of_box ();
  uint sums[4] = uint[] (half_box, half_box, half_box, half_box);
  uint i = 0;

  for (; i + 4 * WHOLE_COLUMNS <= taps; i += 4 * WHOLE_COLUMNS)
    [[unroll]] for (int k = 0; k < WHOLE_COLUMNS; k++) {
      uvec4 samples = four_samples (piece, run, i / 4 + k);

      [[unroll]] for (int lane = 0; lane < 4; lane++)
        sums[(4 * k + lane) % COMPONENTS] += samples[lane];
    }
  for (; i < taps; i += COMPONENTS) {
    Run rest = run_from (first + i);
    uvec4 samples = four_samples (piece, rest, 0);

    [[unroll]] for (int c = 0; c < COMPONENTS; c++)
      sums[c] += samples[c];
  }
  return sums;
}

// Sums OUTPUTS columns of a row, whose first samples begin at or after @column in shared
// memory. @column is a multiple of OUTPUTS.
void sum_samples_along (uint row, uint column, out uint words[OUTPUTS])
{
  uint piece = row * PITCH + place_of (column);
  uint taps = 2 * radius_x () * COMPONENTS;
  uint from = 4 * apron () - radius_x () * COMPONENTS;
  Run first = run_from (from), last = run_from (from + taps);
  uint window[4] = sum_taps (piece, from, taps);

  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
    uvec4 enter = four_samples (piece, last, o);
    uvec4 leave = four_samples (piece, first, o);
    uvec4 codes;

    [[unroll]] for (int lane = 0; lane < 4; lane++) {
      const int c = (4 * o + lane) % COMPONENTS;

      window[c] += enter[lane];
      codes[lane] = mean_of (window[c]);
      window[c] -= leave[lane];
    }
    words[o] = pack_codes (codes).x;
  }
}
