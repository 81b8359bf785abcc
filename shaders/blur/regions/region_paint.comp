// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes the tiles of a frame that regions meet: regions blurred, as blocks or filled, and
// all else as it was. A thread writes one word of a plane, so that no two regions write the
// same word, and input and output may be the same frame.
#include "blur/regions/shared.h"

// An item is a word of a tile, also beyond the frame's edges. plane_rows: of the plane that is
// written. first_word: of the tiles in tables[]. masks: the words of masks behind each.
// has_one_owner: region 0 has all pixels of the frame, whose tiles are not in tables[].
// is_inverted: regions stay, and region 0 is the rest. amount, components: GpuAreas in
// gpu/blur/regions/regionlist.h, amount in parts of REGION_WHOLE. blurred_offset,
// blurred_stride: of the plane of the blurred frame, in words.
#define OWN_PUSH \
  uint plane_rows; \
  uint first_word, masks; \
  uint has_one_owner, is_inverted; \
  uint amount, components; \
  uint blurred_offset, blurred_stride;

#include "core/pixels/format.glsl"

layout (constant_id = FORMAT_CONSTANTS + PAINT_ACTION) const uint ACTION = PAINT_SEARCH;
layout (constant_id = FORMAT_CONSTANTS + PAINT_MIXES) const uint MIXES = PAINT_BY_ALPHA;
layout (constant_id = FORMAT_CONSTANTS + PAINT_SHAPES) const bool SHAPES = true;
layout (constant_id = FORMAT_CONSTANTS + PAINT_TILE_WORDS) const uint TILE_WORDS = 4;
layout (constant_id = FORMAT_CONSTANTS + PAINT_TILE_ROWS) const uint TILE_ROWS = 16;

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
layout (std430, binding = 2) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 3) readonly buffer Blurred { uint blurred[]; };
layout (std430, binding = 4) readonly buffer Means { uint means[]; };

DEFINE_FETCH (input_words)

#define ALPHA_OF(code) (MIXES == PAINT_BY_INVERSE ? largest_code (IN_3) - code : code)
#include "core/pixels/alpha.glsl"
#include "core/pixels/samples.glsl"
#include "shape.glsl"

// The pixels that share a sample.
struct Pixels
{
  ivec2 first, last;
};

// A sample of a word.
struct Sample
{
  uint word, i;                 // its word of the row, and its number in the word
  uint c;                       // its component: 0…3, or SLOT_…
  uint x, y;                    // its place in the component
  Pixels pixels;
};

// The region of a sample.
struct Found
{
  uint at;                      // the region's first word
  uint share;                   // of the treated sample, 0…REGION_WHOLE
  uvec2 codes;                  // codes_of()
};

Pixels pixels_of (uint component, uint x, uint y)
{
  uvec2 shift = uvec2 (shift_x_of (component), COMPONENT_SHIFT_Y (component));
  // The second Y' of the last pair may lie beyond the frame.
  uvec2 first = min (uvec2 (x, y) << shift, uvec2 (width, height) - 1);

  return Pixels (ivec2 (first),
      ivec2 (min (first + (uvec2 (1) << shift), uvec2 (width, height))) - 1);
}

Sample sample_of (uint word, uint i, uint y)
{
  uint slot = slot_at (word, i), c = component_of (slot);
  uint x = column_of (slot, (word * SAMPLES_A_WORD + i) / SAMPLES);

  return Sample (word, i, c, x, y, pixels_of (in_component (c), x, y));
}

// --- which region has it ---

// Returns the share of a region at a distance from it.
uint share_at (uint at, float distance)
{
  float feather = float (tables[at + REGION_FEATHER] + 1);

  return uint (max (1 - distance / feather, 0) * REGION_WHOLE + 0.5);
}

// Returns the share of a region in a sample. A region that stays has a sample wholly only if it
// has all its pixels.
uint share_of (uint at, Pixels pixels)
{
  ivec2 first = is_inverted != 0 ? pixels.last : pixels.first;
  ivec2 last = is_inverted != 0 ? pixels.first : pixels.last;

  return SHAPES ? share_at (at, distance_to (at, first, last))
      : is_in_rectangle (at, first, last) ? REGION_WHOLE : 0;
}

// A tile that is painted.
struct Tile
{
  uvec2 place;                  // column and row, in tiles
  uint region;                  // the first word of the region that has pixels of it
  uint masks;                   // index of its masks
};

// Returns the first region that has all of @pixels, or else the one with the largest share.
Found search_region (Tile tile, Pixels pixels)
{
  Found found = Found (tile.region, 0, uvec2 (0));

  if (masks == 0)
    found.share = share_of (tile.region, pixels);
  for (uint i = 0; i < masks && found.share < REGION_WHOLE; i++)
    for (uint bits = tables[tile.masks + i]; bits != 0 && found.share < REGION_WHOLE;
        bits &= bits - 1) {
      uint at = (32 * i + findLSB (bits)) * REGION_WORDS;
      uint share = share_of (at, pixels);

      if (share > found.share)
        found = Found (at, share, uvec2 (0));
    }
  return is_inverted != 0 ? Found (0, REGION_WHOLE - found.share, uvec2 (0))
      : found;
}

Found find_region (Tile tile, Pixels pixels)
{
  return ACTION == PAINT_SEARCH ? search_region (tile, pixels)
      : Found (tile.region, REGION_WHOLE, uvec2 (0));
}

// --- what becomes of it ---

// Returns one of four codes that lie in two words.
uint half_of (uint low, uint high, uint c)
{
  return bitfieldExtract (c < 2 ? low : high, int (c % 2 * 16), 16);
}

// Returns the quotient, for numbers below 2^15. CPU devices divide integers for one lane after
// the other. A float quotient is off by 2.5 units in the last place at most, which is less than
// the half of a remainder that is added.
uvec2 divide (uvec2 numbers, uint divisor)
{
  return uvec2 ((vec2 (numbers) + 0.5) / float (divisor));
}

// Pixels beyond the rectangle get the mean of the nearest block.
uvec2 block_means (uint at, Pixels pixels)
{
  ivec2 begin = ivec2 (tables[at + REGION_LEFT], tables[at + REGION_TOP]);
  ivec2 end = ivec2 (tables[at + REGION_RIGHT], tables[at + REGION_BOTTOM]);
  uvec2 counts = uvec2 (tables[at + REGION_COLUMNS], tables[at + REGION_ROWS]);
  uvec2 inside = uvec2 (clamp (pixels.first, begin, end - 1) - begin);
  uvec2 place = min (divide (inside, tables[at + REGION_BLOCK]), counts - 1);
  uint block = (tables[at + REGION_FIRST_BLOCK] + place.y * counts.x + place.x)
      * REGION_BLOCK_WORDS;

  return uvec2 (means[block], means[block + 1]);
}

const int LOW_BITS = int (PLANE_LOW (OUT_PLANE));

int bits_of (Sample place)
{
  return int (COMPONENT_BITS (in_component (place.c)));
}

// Returns the code of a sample in the bits of its word.
uint code_in (uint bits, Sample place)
{
  return bitfieldExtract (bits, int (place.i * SAMPLE_BITS) + LOW_BITS, bits_of (place));
}

// Shifts are whole tiles of the atlas, so samples of both frames have the same bits of a word.
uint blurred_word (uint at, uint word, uint y)
{
  ivec2 shift = ivec2 (tables[at + REGION_SHIFT_X], tables[at + REGION_SHIFT_Y])
      / REGION_TILE * ivec2 (TILE_WORDS, TILE_ROWS);

  return blurred[blurred_offset + uint (int (y) + shift.y) * blurred_stride
      + uint (int (word) + shift.x)];
}

uint action_of (uint at)
{
  return ACTION == PAINT_SEARCH ? tables[at + REGION_ACTION] : ACTION;
}

// Returns what treated() reads.
uvec2 codes_of (uint at, Sample place)
{
  uint action = action_of (at);

  return action == REGION_FILL
      ? uvec2 (tables[at + REGION_COLOUR], tables[at + REGION_COLOUR + 1])
      : action == REGION_PIXELATE ? block_means (at, place.pixels)
      : uvec2 (blurred_word (at, place.word, place.y), 0);
}

// Returns the treated code of a sample.
uint treated (Found found, Sample place)
{
  return action_of (found.at) == REGION_BLUR ? code_in (found.codes.x, place)
      : half_of (found.codes.x, found.codes.y, place.c);
}

// --- a word ---

// Returns how much of a sample is replaced, of which its region treats @share.
uint final_share (uint share, Sample place)
{
  if (MIXES == PAINT_WHOLLY)
    return share;
  uint component = in_component (place.c);
  uint all = (share * amount + REGION_WHOLE / 2) / REGION_WHOLE;

  if (MIXES < PAINT_BY_ALPHA)
    return all;
  return scale_code (all * mean_alpha (shift_x_of (component),
          COMPONENT_SHIFT_Y (component), place.x, place.y), largest_code (IN_3), 1);
}

uint mix_codes (uint from, uint to, uint share)
{
  return (from * (REGION_WHOLE - share) + to * share + REGION_WHOLE / 2) / REGION_WHOLE;
}

// Returns the word @bits with a sample treated. Unused bits of a sample stay if nothing is treated,
// and become 0 else.
uint paint_sample (uint bits, Found found, Sample place)
{
  uint share = place.c == SLOT_UNUSED ? found.share : final_share (found.share, place);

  if (share == 0)
    return bits;
  if (place.c == SLOT_UNUSED)
    return bitfieldInsert (bits, ~0u, int (place.i * SAMPLE_BITS), int (SAMPLE_BITS));
  uint code = treated (found, place);

  if (MIXES != PAINT_WHOLLY || (ACTION == PAINT_SEARCH && SHAPES))
    code = mix_codes (code_in (bits, place), code, share);
  // The last of four components that share a word ends with it.
  return bitfieldInsert (bits, code << LOW_BITS, int (place.i * SAMPLE_BITS),
      int (min (SAMPLE_BITS, 32 - place.i * SAMPLE_BITS)));
}

// Returns whether regions may change a sample. Slots that no component uses are changed as well, as
// they may hold copies of components.
bool is_treated (Sample place)
{
  bool is_inside = (place.word * SAMPLES_A_WORD + place.i) / SAMPLES < plane_width;

  return is_inside && (place.c == SLOT_UNUSED
      || (place.c <= ALPHA && (MIXES == PAINT_WHOLLY || (components >> place.c & 1) != 0)));
}

// Whether one region has all samples of a word, and their codes do not depend on their pixels.
const bool IS_UNIFORM = ACTION == REGION_BLUR || ACTION == REGION_FILL;

// Returns the word with the samples of regions. @bits: as it was. Samples of a pixel, but for
// those of pairs, have the same region, which is looked for once, as that takes longest.
uint paint_word (uint bits, Tile tile, uint word, uint y)
{
  Found found;
  bool is_found = false;

  for (uint i = 0; i < SAMPLES_A_WORD; i++) {
    Sample place = sample_of (word, i, y);

    if (!IS_UNIFORM && (HAS_PAIRS || (word * SAMPLES_A_WORD + i) % SAMPLES == 0))
      is_found = false;
    if (!is_treated (place))
      continue;
    if (!is_found) {
      found = find_region (tile, place.pixels);
      found.codes = codes_of (found.at, place);
      is_found = true;
    }
    bits = paint_sample (bits, found, place);
  }
  return bits;
}

// Returns tile @i of those that are painted.
Tile get_tile (uint i)
{
  uint tiles_a_row = (width + REGION_TILE - 1) / REGION_TILE;

  if (has_one_owner != 0)
    return Tile (uvec2 (i % tiles_a_row, i / tiles_a_row), 0, 0);
  uint at = first_word + i * (1 + masks), word = tables[at];

  return Tile (uvec2 (PAINTED_TILE_X (word), PAINTED_TILE_Y (word)),
      PAINTED_TILE_REGION (word) * REGION_WORDS, at + 1);
}

void main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;

  if (item >= end_item)
    return;
  Tile tile = get_tile (item / (TILE_WORDS * TILE_ROWS));
  uint word = tile.place.x * TILE_WORDS + item % TILE_WORDS;
  uint y = tile.place.y * TILE_ROWS + item / TILE_WORDS % TILE_ROWS;

  if (word >= row_words || y >= plane_rows)
    return;
  uint plane = PLANE_INDEX (OUT_PLANE);
  uint bits = input_words[in_offset[plane] + y * in_stride[plane] + word];

  output_words[out_offset + y * out_stride + word] =
      ACTION == REGION_BLUR && MIXES == PAINT_WHOLLY ? blurred_word (tile.region, word, y)
      : paint_word (bits, tile, word, y);
}
