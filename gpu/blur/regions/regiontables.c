/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regiontables.h"
#include "gpu/core/rounding.h"

/* The shader that paints finds blurred words by shifts of its own tiles. */
G_STATIC_ASSERT (ATLAS_TILE % REGION_TILE == 0);

static guint32 *
get_words (GpuRegionTables * self, guint i)
{
  return &g_array_index (self->words, guint32, i);
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

static void
append_regions (GpuRegionTables * self, const GArray * regions,
    const GpuRegionAtlas * atlas, guint width, guint height)
{
  guint n_blocks = 0;

  g_array_set_size (self->words, regions->len * REGION_WORDS);
  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = get_region (regions, i);
    guint32 *at = get_words (self, i * REGION_WORDS);

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
}

/* --- tiles of the frame --- */

static GpuRegionBox
get_tile_box (guint x, guint y, guint width, guint height)
{
  const GpuRegionBox box = { x * REGION_TILE, y * REGION_TILE, REGION_TILE,
    REGION_TILE
  };

  return gpu_region_box_clip (&box, width, height);
}

static gboolean
covers (const GpuRegion * region, const GpuRegionBox * box)
{
  const GpuRegionBox *of_region = &region->box;

  return region->shape == GPU_REGION_RECTANGLE
      && of_region->x <= box->x && of_region->y <= box->y
      && of_region->x + of_region->width >= box->x + box->width
      && of_region->y + of_region->height >= box->y + box->height;
}

/* The tiles that are found so far. */
typedef struct
{
  const GArray *regions;
  guint width, height;          /* of the frame */
  guint a_row;                  /* tiles */
  guint n_masks;                /* words of a tile with a bit for each region */
  guint32 *masks;               /* of all tiles of the frame: the regions that meet them */
  guint first_row, end_row;     /* rows of tiles that regions meet */
  GArray *tiles[GPU_REGION_N_TILES];
} Tiles;

/* Marks the tiles that a region meets with its feather. */
static void
mark_tiles (Tiles * self, guint index)
{
  const GpuRegion *region = get_region (self->regions, index);
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

  self->first_row = MIN (self->first_row, (guint) box.y / REGION_TILE);
  self->end_row = MAX (self->end_row, bottom);
  for (guint y = box.y / REGION_TILE; y < bottom; y++)
    for (guint x = box.x / REGION_TILE; x < right; x++)
      self->masks[(y * self->a_row + x) * self->n_masks + index / 32] |=
          1u << index % 32;
}

/* Returns the first region from @from on that meets a tile; -1 if none does. */
static gint
find_next (const Tiles * self, const guint32 * masks, guint from)
{
  for (guint i = from / 32; i < self->n_masks; i++) {
    guint32 left = masks[i] & (i == from / 32 ? ~0u << from % 32 : ~0u);

    if (left != 0)
      return 32 * i + g_bit_nth_lsf (left, -1);
  }
  return -1;
}

static void
append_tile (Tiles * self, GpuRegionTiles kind, guint x, guint y,
    gint owner, const guint32 * masks)
{
  const guint32 word = PAINTED_TILE (x, y, owner);

  g_array_append_val (self->tiles[kind], word);
  if (kind == GPU_REGION_TILES_OF_SEVERAL)
    g_array_append_vals (self->tiles[kind], masks, self->n_masks);
}

/* Takes a tile if it must be painted. The first region that meets a tile and covers it has all
 * its pixels: shaders need not look for a region there. */
static void
take_tile (Tiles * self, guint x, guint y, const guint32 * masks)
{
  gint first = find_next (self, masks, 0);
  GpuRegionBox box;

  if (first < 0)
    return;
  box = get_tile_box (x, y, self->width, self->height);
  append_tile (self, covers (get_region (self->regions, first), &box)
      ? get_region (self->regions, first)->action
      : find_next (self, masks, first + 1) < 0 ? GPU_REGION_TILES_OF_ONE
      : GPU_REGION_TILES_OF_SEVERAL, x, y, first, masks);
}

/* The same if regions stay: the rest has the tiles that none meets, and a tile that one covers
 * stays. */
static void
take_tile_of_rest (Tiles * self, guint x, guint y, const guint32 * masks)
{
  const GpuRegionBox box = get_tile_box (x, y, self->width, self->height);
  gint first = find_next (self, masks, 0);

  for (gint i = first; i >= 0; i = find_next (self, masks, i + 1))
    if (covers (get_region (self->regions, i), &box))
      return;
  append_tile (self, first < 0 ? get_region (self->regions, 0)->action
      : find_next (self, masks, first + 1) < 0 ? GPU_REGION_TILES_OF_ONE
      : GPU_REGION_TILES_OF_SEVERAL, x, y, MAX (first, 0), masks);
}

static void
take_tiles (Tiles * self, gboolean is_inverted)
{
  guint first = is_inverted ? 0 : self->first_row;
  guint end = is_inverted ? DIV_UP (self->height, REGION_TILE)
      : self->end_row;
  const guint32 *masks = self->masks + first * self->a_row * self->n_masks;

  for (guint y = first; y < end; y++)
    for (guint x = 0; x < self->a_row; x++, masks += self->n_masks)
      (is_inverted ? take_tile_of_rest : take_tile) (self, x, y, masks);
}

static void
append_kind (GpuRegionTables * self, GpuRegionTiles kind, GArray * tiles,
    guint masks)
{
  self->tiles[kind].first_word = self->words->len;
  self->tiles[kind].masks = masks;
  self->tiles[kind].n = tiles->len / (1 + masks);
  g_array_append_vals (self->words, tiles->data, tiles->len);
}

static void
append_tiles (GpuRegionTables * self, const GArray * regions,
    gboolean is_inverted, guint width, guint height)
{
  guint a_row = DIV_UP (width, REGION_TILE);
  guint n_masks = DIV_UP (regions->len, 32);
  g_autofree guint32 *masks = g_new0 (guint32,
      (gsize) a_row * DIV_UP (height, REGION_TILE) * n_masks);
  Tiles tiles = { regions, width, height, a_row, n_masks, masks, G_MAXUINT };

  for (guint i = 0; i < GPU_REGION_N_TILES; i++)
    tiles.tiles[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = is_inverted ? 1 : 0; i < regions->len; i++)
    mark_tiles (&tiles, i);
  take_tiles (&tiles, is_inverted);
  for (guint i = 0; i < GPU_REGION_N_TILES; i++) {
    append_kind (self, i, tiles.tiles[i],
        i == GPU_REGION_TILES_OF_SEVERAL ? n_masks : 0);
    g_array_unref (tiles.tiles[i]);
  }
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

static void
append_atlas (GpuRegionTables * self, const GpuRegionAtlas * atlas, guint n)
{
  guint a_row = DIV_UP (atlas->width, ATLAS_TILE);
  guint n_tiles = a_row * DIV_UP (atlas->height, ATLAS_TILE);

  self->atlas_tiles = self->words->len;
  self->cells = self->atlas_tiles + n_tiles;
  g_array_set_size (self->words, self->cells + n * CELL_WORDS);
  for (guint i = 0; i < n; i++) {
    const GpuAtlasCell *cell = &atlas->cells[i];
    guint32 *at = get_words (self, self->cells + i * CELL_WORDS);

    mark_cell (get_words (self, self->atlas_tiles), a_row, cell, i + 1);
    at[CELL_SHIFT_X] = cell->x - (gint) cell->atlas_x;
    at[CELL_SHIFT_Y] = cell->y - (gint) cell->atlas_y;
  }
}

/* --- all --- */

static gboolean
has_one_owner (const GArray * regions, gboolean is_inverted, guint width,
    guint height)
{
  const GpuRegionBox frame = { 0, 0, width, height };

  return (!is_inverted || regions->len == 1)
      && covers (get_region (regions, 0), &frame);
}

void
gpu_region_tables_init (GpuRegionTables * self, const GArray * regions,
    gboolean is_inverted, const GpuRegionAtlas * atlas, guint width,
    guint height)
{
  *self = (GpuRegionTables) {
    .words = g_array_new (FALSE, TRUE, sizeof (guint32)),
    .has_one_owner = has_one_owner (regions, is_inverted, width, height),
  };
  append_regions (self, regions, atlas, width, height);
  if (self->has_one_owner)
    self->tiles[get_region (regions, 0)->action].n =
        DIV_UP (width, REGION_TILE) * DIV_UP (height, REGION_TILE);
  else
    append_tiles (self, regions, is_inverted, width, height);
  if (atlas)
    append_atlas (self, atlas, regions->len);
}

void
gpu_region_tables_clear (GpuRegionTables * self)
{
  g_clear_pointer (&self->words, g_array_unref);
}

guint
gpu_region_tables_count_tiles (const GpuRegionTables * self)
{
  guint n = 0;

  for (guint i = 0; i < GPU_REGION_N_TILES; i++)
    n += self->tiles[i].n;
  return n;
}

gsize
gpu_region_tables_get_most (guint width, guint height)
{
  gsize tiles = (gsize) DIV_UP (width, REGION_TILE)
      * DIV_UP (height, REGION_TILE);
  gsize cells = (gsize) DIV_UP (width, ATLAS_TILE)
      * DIV_UP (height, ATLAS_TILE);

  return (REGIONS_MOST * (REGION_WORDS + CELL_WORDS)
      + tiles * (1 + REGIONS_MOST / 32) + cells) * sizeof (guint32);
}
