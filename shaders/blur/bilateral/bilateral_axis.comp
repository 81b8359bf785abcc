// SPDX-License-Identifier: LGPL-2.1-or-later
// The bilateral filter along one axis, read from memory. A thread computes a few adjacent
// outputs, so that each pixel that it fetches serves several of them, and they weigh each
// other once for both.
#include "bilateral.glsl"

layout (constant_id = BILATERAL_DOWN) const bool DOWN = false;

// The outputs of a thread: along a row, or as many rows of a unit.
const uint N = BILATERAL_OUTPUTS;
const uint PIECE = DOWN ? PIXELS : N;   // adjacent pixels of a row
const uint ROWS = N / PIECE;
const uint ALONG = DOWN ? ROWS : N;     // outputs along the axis

// Copies of the push constants that loops use most: CPU devices gather one for each use.
int plane_width, plane_height, axis_radius;
float axis_rate, distance_scale, distance_rate;
uint edge_mode, black_word, first_word, words_of_row;

void load_constants ()
{
  plane_width = int (width);
  plane_height = int (height);
  axis_radius = int (DOWN ? radius_y : radius_x);
  axis_rate = DOWN ? rate_y : rate_x;
  distance_scale = range_scale;
  distance_rate = range_rate;
  edge_mode = edge;
  black_word = black;
  first_word = source_offset;
  words_of_row = source_stride;
}

// --- pieces ---

// Returns the codes of a piece that is inside the plane.
uvec4 fetch_codes (uint x, uint y)
{
  uint at = first_word + y * words_of_row + x * PIXEL_BYTES / 4;

  if (PIXEL_BYTES == 4)
    return PIECE == 1 ? uvec4 (source[at], 0, 0, 0) : uvec4 (source[at],
        source[at + 1], source[at + 2], source[at + 3]);
  if (PIXEL_BYTES == 3) {
    uvec3 words = uvec3 (source[at], source[at + 1], source[at + 2]);

    return uvec4 (words.x, words.x >> 24 | words.y << 8,
        words.y >> 16 | words.z << 16, words.z >> 8) & 0xffffff;
  }
  if (PIXEL_BYTES == 2) {
    uvec2 words = uvec2 (source[at], PIECE == 2 ? 0 : source[at + 1]);

    return uvec4 (words.x, words.x >> 16, words.y, words.y >> 16) & 0xffff;
  }
  return uvec4 (source[at]) >> uvec4 (0, 8, 16, 24) & 0xff;
}

// Returns the pixel words of a piece that is inside the plane.
uvec4 fetch_piece_inside (uint x, uint y)
{
  uvec4 piece = fetch_codes (x, y) & USED_BITS;

  if (GUIDED)
    piece |= uvec4 (luma_at_sites (x, y), PIECE < 4 ? uvec2 (0)
        : luma_at_sites (x + 2, y)) << 24;
  return piece;
}

uvec4 fetch_piece (int x, int y)
{
  bool inside = x >= 0 && x + int (PIECE) <= plane_width;
  int inside_y = DOWN ? edge_index (y, plane_height, edge_mode) : y;
  uvec4 piece = uvec4 (black_word);

  if (inside && inside_y >= 0)
    piece = fetch_piece_inside (uint (x), uint (inside_y));
  // CPU devices run the body of an `if` for no pixel, too, but leave this loop.
  for (uint p = inside ? PIECE : 0; p < PIECE; p++)
    piece[p] = fetch_word (x + int (p), y);
  return piece;
}

// --- sums ---

Pixel outputs[N];
Sum sums[N];

// @along: the distance of the pixels along the axis.
float weight_of (Pixel a, Pixel b, int along)
{
  float steps = floor (squared_distance (a.guide, b.guide, ALPHA >= 0)
      * distance_scale);
  bool counts = steps < BILATERAL_RANGES - 1 && abs (along) <= axis_radius;

  return counts ? exp2 (steps * distance_rate + float (along * along) * axis_rate) : 0;
}

void add_to_each_other (uint a, uint b, int along)
{
  float weight = weight_of (outputs[a], outputs[b], along);

  add (sums[a], outputs[b].value, weight, ALPHA >= 0);
  add (sums[b], outputs[a].value, weight, ALPHA >= 0);
}

// Begins with the outputs themselves; the weight of each is 1.
void begin_sums (int x, int y)
{
  for (uint k = 0; k < N; k += PIECE) {
    uvec4 piece = fetch_piece (x, y + int (k / PIECE));

    for (uint p = 0; p < PIECE; p++) {
      outputs[k + p] = pixel_of_word (piece[p], ALPHA >= 0);
      sums[k + p] = Sum (outputs[k + p].value, 1);
    }
  }
  for (uint k = 0; k < N; k++)
    for (uint along = 1; along < ALONG; along++) {
      uint other = k + along * (N / ALONG);

      if (other < N)
        add_to_each_other (k, other, int (along));
    }
}

// Adds a piece to all sums. @along: from the first output to the piece.
void add_piece (uvec4 piece, int along)
{
  for (uint p = 0; p < PIECE; p++) {
    Pixel pixel = pixel_of_word (piece[p], ALPHA >= 0);

    for (uint i = 0; i < ALONG; i++) {
      uint k = DOWN ? i * PIECE + p : i;
      int from_output = along + (DOWN ? 0 : int (p)) - int (i);

      add (sums[k], pixel.value, weight_of (outputs[k], pixel, from_output),
          ALPHA >= 0);
    }
  }
}

void add_pieces_around (int x, int y)
{
  const int step = DOWN ? 1 : int (PIECE), last = int (ALONG) - step;

  for (int i = step; i < axis_radius + step; i += step) {
    int after = last + i;

    if (DOWN) {
      add_piece (fetch_piece (x, y - i), -i);
      add_piece (fetch_piece (x, y + after), after);
    } else {
      add_piece (fetch_piece (x - i, y), -i);
      add_piece (fetch_piece (x + after, y), after);
    }
  }
}

// --- outputs ---

void store_outputs (uint unit, uint row)
{
  for (uint k = 0; k < N; k += PIXELS) {
    uint to_unit = unit + k % PIECE / PIXELS, to_row = row + k / PIECE;
    vec4 means[PIXELS];

    for (uint p = 0; p < PIXELS; p++)
      means[p] = mean_of (sums[k + p], ALPHA >= 0);
    if (to_unit < first_unit + units && to_row < first_row + rows)
      store_unit (to_unit, to_row, means);
  }
}

void main ()
{
  load_constants ();
  uint unit = first_unit + gl_GlobalInvocationID.x * (PIECE / PIXELS);
  uint row = first_row + gl_GlobalInvocationID.y * ROWS;
  int x = int (unit * PIXELS), y = int (row);

  if (unit >= first_unit + units || row >= first_row + rows)
    return;
  begin_sums (x, y);
  add_pieces_around (x, y);
  store_outputs (unit, row);
}
