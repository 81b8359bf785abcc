// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame in Y'CbCr 4:2:0 to a buffer output_words[]. Each invocation writes eight
// columns of two luma rows and the chroma samples that cover them. Include this like
// write.glsl.
#include "core/pixels/yuv.glsl"

layout (local_size_x = 256) in;

const int COLUMNS = 8;

ivec3 rgb_at (uint x, uint y)
{
  uint colour = result_at (x, y);

  return ivec3 (colour >> 16, colour >> 8 & 255, colour & 255);
}

// Adds the weighted pixels of a row to the chroma samples and returns their packed luma.
// Columns outside the frame repeat the nearest column.
uvec2 take_row (uint x, uint y, int weight, inout ivec3 sums[COLUMNS / 2])
{
  uint luma[COLUMNS];

  for (int i = H_COSITED ? -1 : 0; i < COLUMNS; i++) {
    ivec3 rgb = rgb_at (uint (clamp (int (x) + i, 0, int (width) - 1)), y);

    if (i >= 0)
      luma[i] = luma_of_rgb (rgb);
    for (int k = 0; k < COLUMNS / 2; k++)
      sums[k] += weight * cover_weight (H_COSITED, i - 2 * k) * rgb;
  }
  return uvec2 (luma[0] | luma[1] << 8 | luma[2] << 16 | luma[3] << 24,
      luma[4] | luma[5] << 8 | luma[6] << 16 | luma[7] << 24);
}

// Stores whole words: the bytes after the last column are row padding.
void store_luma (uint x, uint y, uvec2 luma)
{
  uint at = out_offset[0] + y * out_stride[0] + x / 4;

  output_words[at] = luma.x;
  if (x + 4 < width)
    output_words[at + 1] = luma.y;
}

void store_chroma (uint x, uint row, ivec3 sums[COLUMNS / 2])
{
  uvec2 a = chroma_of (sums[0]), b = chroma_of (sums[1]);
  uvec2 c = chroma_of (sums[2]), d = chroma_of (sums[3]);

  if (OUT_PLANES == 2) {
    uint at = out_offset[1] + row * out_stride[1] + x / 4;

    output_words[at] = a.x | a.y << 8 | b.x << 16 | b.y << 24;
    if (x + 4 < width)
      output_words[at + 1] = c.x | c.y << 8 | d.x << 16 | d.y << 24;
  } else {
    uvec2 uv = a | b << 8 | c << 16 | d << 24;

    output_words[out_offset[1] + row * out_stride[1] + x / 8] = uv.x;
    output_words[out_offset[2] + row * out_stride[2] + x / 8] = uv.y;
  }
}

void write_subsampled ()
{
  uint index = first_item + gl_GlobalInvocationID.x;
  uint per_row = (width + uint (COLUMNS) - 1) / uint (COLUMNS);
  uint x = index % per_row * uint (COLUMNS), chroma_row = index / per_row;
  ivec3 sums[COLUMNS / 2];

  if (index >= end_item)
    return;
  for (uint k = 0; k < COLUMNS / 2; k++)
    sums[k] = ivec3 (0);

  Picture picture = picture_of_row (chroma_row);
  int first = int (chroma_row / picture.step) * 2;

  for (int i = V_COSITED ? -1 : 0; i < 2; i++) {
    int row = clamp (first + i, 0, picture.rows - 1);
    uint y = picture.first + uint (row) * picture.step;
    uvec2 luma = take_row (x, y, cover_weight (V_COSITED, i), sums);

    if (i >= 0)
      store_luma (x, y, luma);
  }
  store_chroma (x, chroma_row, sums);
}
