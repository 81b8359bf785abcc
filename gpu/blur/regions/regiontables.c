/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regiontables.h"

#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

static GArray *
new_words (gsize n)
{
  GArray *words = g_array_new (FALSE, TRUE, sizeof (guint32));

  return g_array_set_size (words, n);
}

static guint32 *
get_words (GArray * words, guint i)
{
  return &g_array_index (words, guint32, i);
}

static const GpuRegion *
get_region (const GArray * regions, guint i)
{
  return &g_array_index (regions, GpuRegion, i);
}

/* --- regions --- */

static void
fill_region (guint32 * words, const GpuRegion * region, guint width,
    guint height)
{
  const GpuRegionBox *box = &region->box;
  const GpuRegionBox inside = gpu_region_box_clip (box, width, height);

  words[REGION_LEFT] = inside.x;
  words[REGION_TOP] = inside.y;
  words[REGION_RIGHT] = inside.x + inside.width;
  words[REGION_BOTTOM] = inside.y + inside.height;
  words[REGION_BOX_X] = box->x;
  words[REGION_BOX_Y] = box->y;
  words[REGION_BOX_WIDTH] = box->width;
  words[REGION_BOX_HEIGHT] = box->height;
  words[REGION_SHAPE] = region->shape;
  words[REGION_FEATHER] = region->feather;
  words[REGION_ACTION] = region->action;
  words[REGION_BLOCK] = region->block;
  words[REGION_COLOUR] = region->colour[0] | (guint32) region->colour[1] << 16;
  words[REGION_COLOUR + 1] =
      region->colour[2] | (guint32) region->colour[3] << 16;
}

GArray *
gpu_region_tables_make_regions (const GArray * regions,
    const GpuRegionAtlas * atlas, guint width, guint height)
{
  GArray *words = new_words (regions->len * REGION_WORDS);
  guint n_blocks = 0;

  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = get_region (regions, i);
    guint32 *at = get_words (words, i * REGION_WORDS);

    fill_region (at, region, width, height);
    if (region->action == GPU_REGION_PIXELATE) {
      gpu_region_count_blocks (region, width, height, &at[REGION_COLUMNS],
          &at[REGION_ROWS]);
      at[REGION_FIRST_BLOCK] = n_blocks;
      n_blocks += at[REGION_COLUMNS] * at[REGION_ROWS];
    } else if (region->action == GPU_REGION_BLUR && atlas) {
      at[REGION_SHIFT_X] = atlas->cells[i].atlas_x - atlas->cells[i].x;
      at[REGION_SHIFT_Y] = atlas->cells[i].atlas_y - atlas->cells[i].y;
    }
  }
  return words;
}

/* --- tiles of the frame --- */

static GpuRegionBox
get_tile_box (guint index, guint width, guint height)
{
  guint a_row = DIV_UP (width, REGION_TILE);
  const GpuRegionBox box = { index % a_row * REGION_TILE,
    index / a_row * REGION_TILE, REGION_TILE, REGION_TILE
  };

  return gpu_region_box_clip (&box, width, height);
}

static gboolean
covers (const GpuRegion * region, const GpuRegionBox * box)
{
  const GpuRegionBox *of_region = &region->box;

  return region->shape == GPU_REGION_RECTANGLE
      && of_region->x <= box->x && of_region->y <= box->y
      && of_region->x + (gint64) of_region->width >= box->x + box->width
      && of_region->y + (gint64) of_region->height >= box->y + box->height;
}

/* Marks region @index in the masks of the tiles that it meets with its feather. */
static void
mark_tiles (const GpuRegion * region, guint index, guint width, guint height,
    guint32 * masks)
{
  guint a_row = DIV_UP (width, REGION_TILE);
  gint feather = region->feather;
  const GpuRegionBox inside = gpu_region_box_clip (&region->box, width, height);
  const GpuRegionBox wide = { inside.x - feather, inside.y - feather,
    inside.width + 2 * feather, inside.height + 2 * feather
  };
  const GpuRegionBox box = gpu_region_box_clip (&wide, width, height);
  guint right = DIV_UP (box.x + box.width, REGION_TILE);
  guint bottom = DIV_UP (box.y + box.height, REGION_TILE);

  for (guint y = box.y / REGION_TILE; y < bottom; y++)
    for (guint x = box.x / REGION_TILE; x < right; x++)
      masks[(y * a_row + x) * REGION_TILE_WORDS + index / 32] |=
          1u << index % 32;
}

/* Returns the first region that meets a tile; REGIONS_MOST if none does. */
static guint
find_first (const guint32 * masks)
{
  for (guint i = 0; i < REGION_TILE_WORDS; i++)
    if (masks[i] != 0)
      return 32 * i + g_bit_nth_lsf (masks[i], -1);
  return REGIONS_MOST;
}

static gboolean
is_covered_by_any (const GpuRegionBox * tile, const guint32 * masks,
    const GArray * regions)
{
  for (guint i = 0; i < regions->len; i++)
    if ((masks[i / 32] >> i % 32 & 1) != 0
        && covers (get_region (regions, i), tile))
      return TRUE;
  return FALSE;
}

/* Appends tile @index if it must be painted. The first region that meets a tile and covers it
 * owns it: shaders need not look for a region there. */
static void
append_tile (GArray * tiles, guint index, const guint32 * masks,
    const GArray * regions, const GpuRegionBox * box)
{
  guint first = find_first (masks);
  guint32 words[PAINTED_TILE_WORDS] = { index };

  if (first == REGIONS_MOST)
    return;
  if (covers (get_region (regions, first), box))
    words[PAINTED_TILE_OWNER] = first + 1;
  memcpy (words + PAINTED_TILE_MASKS, masks, REGION_TILE_WORDS * sizeof *masks);
  g_array_append_vals (tiles, words, PAINTED_TILE_WORDS);
}

/* The same if regions stay: the rest owns the tiles that none meets. */
static void
append_tile_of_rest (GArray * tiles, guint index, const guint32 * masks,
    const GArray * regions, const GpuRegionBox * box)
{
  guint32 words[PAINTED_TILE_WORDS] = { index };

  if (is_covered_by_any (box, masks, regions))
    return;
  if (find_first (masks) == REGIONS_MOST)
    words[PAINTED_TILE_OWNER] = 1;
  memcpy (words + PAINTED_TILE_MASKS, masks, REGION_TILE_WORDS * sizeof *masks);
  g_array_append_vals (tiles, words, PAINTED_TILE_WORDS);
}

GArray *
gpu_region_tables_make_tiles (const GArray * regions, gboolean is_inverted,
    guint width, guint height)
{
  guint n = DIV_UP (width, REGION_TILE) * DIV_UP (height, REGION_TILE);
  g_autofree guint32 *masks = g_new0 (guint32, (gsize) n * REGION_TILE_WORDS);
  GArray *tiles = new_words (0);

  for (guint i = is_inverted ? 1 : 0; i < regions->len; i++)
    mark_tiles (get_region (regions, i), i, width, height, masks);
  for (guint i = 0; i < n; i++) {
    const GpuRegionBox box = get_tile_box (i, width, height);

    (is_inverted ? append_tile_of_rest : append_tile) (tiles, i,
        masks + i * REGION_TILE_WORDS, regions, &box);
  }
  return tiles;
}

/* --- the atlas --- */

static void
mark_cell (guint32 * tiles, guint a_row, const GpuAtlasCell * cell,
    guint number)
{
  guint x = cell->atlas_x / ATLAS_TILE, y = cell->atlas_y / ATLAS_TILE;

  for (guint row = 0; row < DIV_UP (cell->height, ATLAS_TILE); row++)
    for (guint column = 0; column < DIV_UP (cell->width, ATLAS_TILE); column++)
      tiles[(y + row) * a_row + x + column] = number;
}

GArray *
gpu_region_tables_make_atlas_tiles (const GpuRegionAtlas * atlas, guint n)
{
  guint a_row = DIV_UP (atlas->width, ATLAS_TILE);
  GArray *words = new_words (a_row * DIV_UP (atlas->height, ATLAS_TILE));

  for (guint i = 0; i < n; i++)
    mark_cell (get_words (words, 0), a_row, &atlas->cells[i], i + 1);
  return words;
}

GArray *
gpu_region_tables_make_cells (const GpuRegionAtlas * atlas, guint n)
{
  GArray *words = new_words (n * CELL_WORDS);

  for (guint i = 0; i < n; i++) {
    const GpuAtlasCell *cell = &atlas->cells[i];
    guint32 *at = get_words (words, i * CELL_WORDS);

    at[CELL_SHIFT_X] = cell->x - (gint) cell->atlas_x;
    at[CELL_SHIFT_Y] = cell->y - (gint) cell->atlas_y;
  }
  return words;
}
