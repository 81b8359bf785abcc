/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regiontables.h"

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

guint
gpu_region_tables_count_masks (const GArray * regions)
{
  return DIV_UP (regions->len, 32);
}

/* The tiles that are found so far. */
typedef struct
{
  const GArray *regions;
  guint width, height;
  guint n_masks;
  guint32 *masks;               /* of all tiles of the frame */
  GArray *tiles[PAINT_SEARCH + 1];
} Tiles;

/* Marks region @index in the masks of the tiles that it meets with its feather. */
static void
mark_tiles (Tiles * self, guint index)
{
  const GpuRegion *region = get_region (self->regions, index);
  guint a_row = DIV_UP (self->width, REGION_TILE);
  gint feather = region->feather;
  const GpuRegionBox inside = gpu_region_box_clip (&region->box, self->width,
      self->height);
  const GpuRegionBox wide = { inside.x - feather, inside.y - feather,
    inside.width + 2 * feather, inside.height + 2 * feather
  };
  const GpuRegionBox box = gpu_region_box_clip (&wide, self->width,
      self->height);
  guint right = DIV_UP (box.x + box.width, REGION_TILE);
  guint bottom = DIV_UP (box.y + box.height, REGION_TILE);

  for (guint y = box.y / REGION_TILE; y < bottom; y++)
    for (guint x = box.x / REGION_TILE; x < right; x++)
      self->masks[(y * a_row + x) * self->n_masks + index / 32] |=
          1u << index % 32;
}

/* Returns the first region after @before that meets a tile; -1 if none does. */
static gint
find_next (const guint32 * masks, guint n_masks, gint before)
{
  for (guint i = (before + 1) / 32; i < n_masks; i++) {
    gint first = i * 32;
    gint bit = g_bit_nth_lsf (masks[i], before >= first ? before - first : -1);

    if (bit >= 0 && bit < 32)
      return first + bit;
  }
  return -1;
}

static void
append_tile (Tiles * self, guint index, const guint32 * masks, gint owner)
{
  GArray *tiles = self->tiles[owner < 0 ? PAINT_SEARCH
      : get_region (self->regions, owner)->action];
  guint a_row = DIV_UP (self->width, REGION_TILE);
  const guint32 words[] = {
    [PAINTED_TILE_PLACE] = index % a_row | index / a_row << 16,
    [PAINTED_TILE_OWNER] = MAX (owner, 0)
  };

  g_array_append_vals (tiles, words, G_N_ELEMENTS (words));
  g_array_append_vals (tiles, masks, self->n_masks);
}

/* Takes tile @index if it must be painted. The first region that meets a tile and covers it owns
 * it: shaders need not look for a region there. */
static void
take_tile (Tiles * self, guint index)
{
  const guint32 *masks = self->masks + (gsize) index * self->n_masks;
  const GpuRegionBox box = get_tile_box (index, self->width, self->height);
  gint first = find_next (masks, self->n_masks, -1);

  if (first >= 0)
    append_tile (self, index, masks,
        covers (get_region (self->regions, first), &box) ? first : -1);
}

/* The same if regions stay: the rest owns the tiles that none meets, and a tile that one covers
 * stays. */
static void
take_tile_of_rest (Tiles * self, guint index)
{
  const guint32 *masks = self->masks + (gsize) index * self->n_masks;
  const GpuRegionBox box = get_tile_box (index, self->width, self->height);
  gint first = find_next (masks, self->n_masks, -1);

  for (gint i = first; i >= 0; i = find_next (masks, self->n_masks, i))
    if (covers (get_region (self->regions, i), &box))
      return;
  append_tile (self, index, masks, first < 0 ? 0 : -1);
}

/* Appends the tiles of each kind to those before. */
static GArray *
join_tiles (Tiles * self, guint * counts)
{
  guint a_tile = PAINTED_TILE_MASKS + self->n_masks;

  for (guint i = 0; i <= PAINT_SEARCH; i++) {
    counts[i] = self->tiles[i]->len / a_tile;
    if (i == 0)
      continue;
    g_array_append_vals (self->tiles[0], self->tiles[i]->data,
        self->tiles[i]->len);
    g_array_unref (self->tiles[i]);
  }
  return self->tiles[0];
}

GArray *
gpu_region_tables_make_tiles (const GArray * regions, gboolean is_inverted,
    guint width, guint height, guint * counts)
{
  guint n = DIV_UP (width, REGION_TILE) * DIV_UP (height, REGION_TILE);
  guint n_masks = gpu_region_tables_count_masks (regions);
  g_autofree guint32 *masks = g_new0 (guint32, (gsize) n * n_masks);
  Tiles self = { regions, width, height, n_masks, masks };

  for (guint i = 0; i <= PAINT_SEARCH; i++)
    self.tiles[i] = new_words (0);
  for (guint i = is_inverted ? 1 : 0; i < regions->len; i++)
    mark_tiles (&self, i);
  for (guint i = 0; i < n; i++)
    (is_inverted ? take_tile_of_rest : take_tile) (&self, i);
  return join_tiles (&self, counts);
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
