/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "blur.h"

G_BEGIN_DECLS

/* Shapes of workgroups that slide down columns: a ring of row sums in shared
 * memory bounds the radius. Narrow rings reach far, small ones leave room for
 * more groups at a time. */
#define GPU_BLUR_TILES 3

typedef struct
{
  guint group_x, group_y;       /* units of pixels, rows */
  guint shared_words;
  guint max_radius;             /* 0: does not fit the device */
} GpuBlurTile;

/* Adjacent pixels that one thread stores, so that it fills whole words. */
guint gpu_blur_pixels_per_unit (guint components);

/* Words that one sum of a pixel takes. */
guint gpu_blur_words_per_sum (guint components, gboolean exact,
    gboolean half);

/* Tile @index (0 = for the smallest radii) of the sliding methods' columns
 * pass for sums of @words words. */
void gpu_blur_column_tile (GpuDevice * device, guint index, guint components,
    guint words, GpuBlurTile * tile);
/* The one shape of their rows pass. */
void gpu_blur_row_tile (GpuDevice * device, guint words, GpuBlurTile * tile);

/* Rows that a group of the sliding methods slides over, a multiple of the
 * tile's rows; 0 where the radius is too large for any. */
guint gpu_blur_section_rows (const GpuBlurTile * tile, guint components,
    guint radius);

/* Pixel columns that a group of their rows pass may slide over. */
guint gpu_blur_section_columns (const GpuBlurTile * tile, guint radius);

/* The largest radius of a concrete method for sums of @words words. */
guint gpu_blur_reach (GpuDevice * device, GpuBlurMethod method,
    guint components, guint words);

/* The method that runs where @settings ask for one: the same, or for AUTO
 * and where the radius is out of reach, the nearest that can. */
GpuBlurMethod gpu_blur_choose (GpuDevice * device,
    const GpuBlurSettings * settings, GpuPixels pixels);

GpuBlurPrecision gpu_blur_choose_precision (const GpuBlurSettings * settings);

G_END_DECLS
