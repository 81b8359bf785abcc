// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes the tiles of a frame that regions meet: regions blurred, as blocks or filled, and
// all else as it was. A thread writes one word of a plane, so that no two regions write the
// same word.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "blur/regions/shared.h"

// plane, shift_x, shift_y: the plane and its subsampling. plane_height: its rows.
// blurred_offset, blurred_stride: of the plane of the blurred frame, in words. first_mean: the
// index of this plane's means. An item is a word of a tile, also beyond the frame's edges.
#define OWN_PUSH \
  uint plane, shift_x, shift_y; \
  uint plane_height; \
  uint blurred_offset, blurred_stride; \
  uint first_mean;

#include "core/pixels/format.glsl"
#include "core/wide.glsl"
#include "samples.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
layout (std430, binding = 2) readonly buffer Tiles { uint tiles[]; };
layout (std430, binding = 3) readonly buffer Regions { uint regions[]; };
layout (std430, binding = 4) readonly buffer Blurred { uint blurred[]; };
layout (std430, binding = 5) readonly buffer Means { uint means[]; };

DEFINE_SAMPLE (sample_of_blurred, blurred)

// Shares of a treated pixel are counted in this many parts.
const uint WHOLE = 256;

// --- which region has a pixel ---

// The region of a pixel.
struct Found
{
  uint at;                      // index of the region's first word
  uint share;                   // of the treated pixel, 0…WHOLE
};

ivec4
box_of (uint at)
{
  return ivec4 (regions[at + REGION_BOX_X], regions[at + REGION_BOX_Y],
      regions[at + REGION_BOX_WIDTH], regions[at + REGION_BOX_HEIGHT]);
}

// Returns whether a point is in an ellipse. @line: from the middle to the point, @size: the
// sides of the ellipse's rectangle, at most REGION_MOST_ELLIPSE; both in halves of pixels.
bool
is_in_ellipse (uvec2 line, uvec2 size)
{
  if (line.x >= size.x || line.y >= size.y)
    return false;
  uint x = line.x * size.y, y = line.y * size.x, whole = size.x * size.y;

  return wide_less (wide_add (wide_multiply (x, x), wide_multiply (y, y)),
      wide_multiply (whole, whole));
}

// Returns the distance in pixels from the shape of a region to the pixels @first to @last,
// which share a sample; 0: they meet it, 1: they are next to it. That from an ellipse is
// measured along the line to its middle.
float
distance_to (uint at, ivec2 first, ivec2 last)
{
  ivec4 box = box_of (at);

  if (regions[at + REGION_SHAPE] == REGION_RECTANGLE)
    return length (vec2 (max (max (box.xy - last, first - (box.xy + box.zw - 1)), 0)));
  // From the middle to the nearest point of the pixels, in halves of pixels.
  ivec2 middle = 2 * box.xy + box.zw;
  ivec2 line = max (max (2 * first - middle, middle - 2 * (last + 1)), 0);

  if (is_in_ellipse (uvec2 (line), uvec2 (box.zw)))
    return 0;
  return 1 + length (vec2 (line)) * (0.5 - 0.5 / length (vec2 (line) / vec2 (box.zw)));
}

// Returns the share of a region in pixels at a distance from it.
uint
share_at (uint at, float distance)
{
  float feather = float (regions[at + REGION_FEATHER] + 1);

  return uint (max (1 - distance / feather, 0) * WHOLE + 0.5);
}

// Returns the first region that has all of the pixel of the plane, or else the one with the
// largest share. @tile: the index of the first word of the pixel's tile.
Found
find_region (uint tile, uvec2 pixel)
{
  uint owner = tiles[tile + PAINTED_TILE_OWNER];

  if (owner > 0)
    return Found ((owner - 1) * REGION_WORDS, WHOLE);
  ivec2 first = ivec2 (pixel.x << shift_x, pixel.y << shift_y);
  ivec2 last = min (first + ivec2 (1 << shift_x, 1 << shift_y), ivec2 (width, height)) - 1;
  Found found = Found (0, 0);

  for (uint i = 0; i < REGION_TILE_WORDS && found.share < WHOLE; i++)
    for (uint bits = tiles[tile + PAINTED_TILE_MASKS + i]; bits != 0 && found.share < WHOLE;
        bits &= bits - 1) {
      uint at = (32 * i + findLSB (bits)) * REGION_WORDS;
      uint share = share_at (at, distance_to (at, first, last));

      if (share > found.share)
        found = Found (at, share);
    }
  return found;
}

// --- what becomes of it ---

uint
filled (uint at, uint index)
{
  uint slot = PLANE_SLOT (OUT_PLANE, index);

  return slot < 4 ? bitfieldExtract (regions[at + REGION_COLOUR], int (8 * slot), 8) : 255;
}

// Pixels beyond the rectangle get the mean of the nearest block.
uint
block_mean (uint at, uvec2 pixel, uint index)
{
  uvec2 begin = uvec2 (regions[at + REGION_LEFT], regions[at + REGION_TOP]);
  uvec2 end = uvec2 (regions[at + REGION_RIGHT], regions[at + REGION_BOTTOM]);
  uvec2 inside = clamp (uvec2 (pixel.x << shift_x, pixel.y << shift_y), begin, end - 1);
  uint side = regions[at + REGION_BLOCK];
  uvec2 block = (inside - begin) / side;
  uint columns = (end.x - begin.x + side - 1) / side;
  uint mean = means[first_mean + regions[at + REGION_FIRST_MEAN] + block.y * columns
      + block.x];

  return bitfieldExtract (mean, int (8 * index), 8);
}

uint
blurred_sample (uint at, uvec2 pixel, uint index)
{
  ivec2 shift = ivec2 (int (regions[at + REGION_SHIFT_X]) >> shift_x,
      int (regions[at + REGION_SHIFT_Y]) >> shift_y);

  return sample_of_blurred (blurred_offset, blurred_stride,
      uvec2 (ivec2 (pixel) + shift), index);
}

uint
treated (uint at, uvec2 pixel, uint index)
{
  uint action = regions[at + REGION_ACTION];

  return action == REGION_FILL ? filled (at, index)
      : action == REGION_PIXELATE ? block_mean (at, pixel, index)
      : blurred_sample (at, pixel, index);
}

// --- a word ---

uint
mix_samples (uint from, uint to, uint share)
{
  return (from * (WHOLE - share) + to * share + WHOLE / 2) / WHOLE;
}

// Returns the word with the samples of a pixel, as far as they are in the word, treated.
uint
painted_pixel (uint bits, Found found, uint word, uvec2 pixel)
{
  for (uint index = 0; index < SAMPLES; index++) {
    int i = int (pixel.x * SAMPLES + index) - int (word * SAMPLES_A_WORD);

    if (i >= 0 && i < SAMPLES_A_WORD)
      bits = bitfieldInsert (bits, mix_samples (bitfieldExtract (bits, 8 * i, 8),
              treated (found.at, pixel, index), found.share), 8 * i, 8);
  }
  return bits;
}

// Returns the word with the samples of regions. @bits: as it was. The region of a pixel is
// looked for once, as that takes longest.
uint
painted (uint bits, uint tile, uint word, uint y)
{
  uint first = word * SAMPLES_A_WORD;
  uint last = min ((first + SAMPLES_A_WORD - 1) / SAMPLES, plane_width - 1);

  for (uint x = first / SAMPLES; x <= last; x++) {
    Found found = find_region (tile, uvec2 (x, y));

    if (found.share > 0)
      bits = painted_pixel (bits, found, word, uvec2 (x, y));
  }
  return bits;
}

void
main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uvec2 size = uvec2 ((REGION_TILE >> shift_x) * SAMPLES / SAMPLES_A_WORD,
      REGION_TILE >> shift_y);
  uint at = item / (size.x * size.y) * PAINTED_TILE_WORDS;
  uint tiles_a_row = (width + REGION_TILE - 1) / REGION_TILE;

  if (item >= end_item)
    return;
  uint tile = tiles[at + PAINTED_TILE_INDEX];
  uint word = tile % tiles_a_row * size.x + item % size.x;
  uint y = tile / tiles_a_row * size.y + item / size.x % size.y;

  if (word >= row_words || y >= plane_height)
    return;
  uint bits = input_words[in_offset[plane] + y * in_stride[plane] + word];

  output_words[out_offset + y * out_stride + word] = painted (bits, at, word, y);
}
