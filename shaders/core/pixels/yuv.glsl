// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts between Y'CbCr 4:2:0 of 8 bits, or luma, and R'G'B' in integer arithmetic.
// Coefficients have 16 fractional bits. The weights of the chroma samples of a pixel, and of
// the pixels of a chroma sample, add up to 16.
#ifndef CORE_YUV
#define CORE_YUV

// --- luma ---

const uint WEIGHT_BITS = 4;
const uint SUM_BITS = 16 + WEIGHT_BITS;

uint clamp_to_byte (int value)
{
  return uint (clamp (value, 0, 255));
}

// Returns the luma without its offset, scaled to 0…255 and multiplied by 2^SUM_BITS.
int scaled_luma (int sample_)
{
  return KY * ((sample_ - LUMA_OFFSET) << WEIGHT_BITS);
}

uint luma_of_rgb (ivec3 rgb)
{
  return clamp_to_byte ((YR * rgb.r + YG * rgb.g + YB * rgb.b
          + (LUMA_OFFSET << 16) + 32768) >> 16);
}

// Returns the colour with R = G = B.
uint grey_of_luma (uint luma)
{
  return 0x010101 * clamp_to_byte ((scaled_luma (int (luma))
          + (1 << (SUM_BITS - 1))) >> SUM_BITS);
}

// --- pictures ---

// A picture that is converted separately: the frame or a field. Its row r is row
// first + r * step of a luma or chroma plane.
struct Picture
{
  uint first, step;
  int rows;                     // number of luma rows
};

// Returns the picture that contains a row. row: of the luma or of a chroma plane.
Picture picture_of_row (uint row)
{
  if (is_interlaced == 0)
    return Picture (0, 1, int (height));
  return Picture (row & 1, 2, int ((height + 1 - (row & 1)) / 2));
}

// --- from chroma to luma positions ---

// Returns the weight, out of 4, of the chroma sample at position / 2. The remaining weight
// is that of neighbour (position).
int near_weight (bool is_cosited, int position)
{
  if (!is_cosited)
    return 3;
  return (position & 1) != 0 ? 2 : 4;
}

// Returns the other chroma sample: the next one for odd positions, the previous one for
// even positions.
int neighbour (int position)
{
  return (position >> 1) + ((position & 1) != 0 ? 1 : -1);
}

// Returns the colour of a luma sample and chroma. chroma: Cb and Cr times 16, with offset.
uint colour_from_yuv (int luma, ivec2 chroma)
{
  ivec2 uv = chroma - (CHROMA_OFFSET << WEIGHT_BITS);
  ivec3 rgb = scaled_luma (luma) + ivec3 (RV * uv.y, -GU * uv.x - GV * uv.y, BU * uv.x);

  rgb = (rgb + (1 << (SUM_BITS - 1))) >> SUM_BITS;
  return clamp_to_byte (rgb.r) << 16 | clamp_to_byte (rgb.g) << 8
      | clamp_to_byte (rgb.b);
}

#define DEFINE_LOAD_YUV(words) \
int \
load_byte (uint plane, uint row, uint column) \
{ \
  uint at = in_offset[plane] + row * in_stride[plane] + column / 4; \
  return int (words[at] >> (column % 4 * 8) & 255); \
} \
ivec2 \
load_chroma (uint row, uint column) \
{ \
  if (IN_PLANES == 2) \
    return ivec2 (load_byte (1, row, 2 * column), \
        load_byte (1, row, 2 * column + 1)); \
  return ivec2 (load_byte (1, row, column), load_byte (2, row, column)); \
} \
/* Returns four times the chroma of a column, interpolated at a luma row. */ \
ivec2 \
load_chroma_column (Picture picture, int row, int column) \
{ \
  int last = (picture.rows - 1) / 2; \
  int other = clamp (neighbour (row), 0, last); \
  int weight = near_weight (V_COSITED, row); \
  uint x = uint (clamp (column, 0, (int (width) - 1) / 2)); \
  return weight \
      * load_chroma (picture.first + uint (row / 2) * picture.step, x) \
      + (4 - weight) \
      * load_chroma (picture.first + uint (other) * picture.step, x); \
} \
uint \
load_colour (uint x, uint y) \
{ \
  Picture picture = picture_of_row (y); \
  int row = int (y / picture.step), column = int (x); \
  int weight = near_weight (H_COSITED, column); \
  ivec2 chroma = weight * load_chroma_column (picture, row, column / 2) \
      + (4 - weight) * load_chroma_column (picture, row, neighbour (column)); \
  return colour_from_yuv (load_byte (0, y, x), chroma); \
} \
/* Loads the colours of a quad, whose pixels share columns of chroma. */ \
void \
load_subsampled (Quad quad, out uint colours[4]) \
{ \
  Picture picture = picture_of_row (quad.y); \
  int row = int (quad.y / picture.step), first = int (quad.x / 2) - 1; \
  ivec2 columns[4]; \
  colours = uint[4] (0, 0, 0, 0); \
  if (quad.n == 0) \
    return; \
  for (int i = 0; i < 4; i++) \
    columns[i] = load_chroma_column (picture, row, first + i); \
  for (int i = 0; i < 4; i++) { \
    int x = int (quad.x) + i, weight = near_weight (H_COSITED, x); \
    ivec2 chroma = weight * columns[x / 2 - first] \
        + (4 - weight) * columns[neighbour (x) - first]; \
    if (uint (i) < quad.n) \
      colours[i] = colour_from_yuv (load_byte (0, quad.y, uint (x)), chroma); \
  } \
}

// --- from pixels to chroma samples ---

// Returns the weight, out of 4, of a pixel in a chroma sample. distance: position of the
// pixel relative to the first of the two pixels that the sample covers.
int cover_weight (bool is_cosited, int distance)
{
  if (abs (distance) > 1)
    return 0;
  if (is_cosited)
    return distance == 0 ? 2 : 1;
  return distance < 0 ? 0 : 2;
}

// Returns the Cb and Cr samples. sum: weighted sum of R, G and B; the weights add up to 16.
uvec2 chroma_of (ivec3 sum)
{
  ivec2 uv = ivec2 (UR, VR) * sum.r + ivec2 (UG, VG) * sum.g
      + ivec2 (UB, VB) * sum.b;

  uv = (uv + (CHROMA_OFFSET << SUM_BITS) + (1 << (SUM_BITS - 1))) >> SUM_BITS;
  return uvec2 (clamp_to_byte (uv.x), clamp_to_byte (uv.y));
}

#endif
