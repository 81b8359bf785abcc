/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionatlas.h"

#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))
#define ROUND_UP(x, n) (DIV_UP (x, n) * (n))

/* The size of an atlas is a multiple of this, unless it is that of the frame: each size
 * needs a plan of its own. */
#define STEP 32

/* Rounds down to a multiple of ATLAS_TILE. */
static gint
round_down (gint x)
{
  return x - (x % ATLAS_TILE + ATLAS_TILE) % ATLAS_TILE;
}

static GpuAtlasCell
make_cell (const GpuRegion * region, guint width, guint height, gint reach_x,
    gint reach_y)
{
  const GpuRegionBox box = gpu_region_box_clip (&region->box, width, height);
  gint left = box.x - (gint) region->feather - reach_x;
  gint top = box.y - (gint) region->feather - reach_y;
  gint right = box.x + box.width + (gint) region->feather + reach_x;
  gint bottom = box.y + box.height + (gint) region->feather + reach_y;
  GpuAtlasCell cell = { round_down (left), round_down (top) };

  /* It keeps the edges of the frame. */
  if (left <= 0 && right >= (gint) width) {
    cell.x = 0;
    right = width;
  }
  cell.width = right - cell.x;
  cell.height = bottom - cell.y;
  return cell;
}

/* --- shelves --- */

typedef struct
{
  guint x, y;                   /* the next cell's place, if the row has room for it */
  guint row_height;
} Shelf;

/* Places a cell beside the one before, or in a new row. Returns FALSE if it does not
 * fit into a frame of this size. */
static gboolean
place (GpuAtlasCell * cell, Shelf * shelf, guint width, guint height)
{
  if (shelf->x > 0 && shelf->x + cell->width > width) {
    shelf->y += shelf->row_height;
    shelf->x = shelf->row_height = 0;
  }
  if (shelf->x + cell->width > width || shelf->y + cell->height > height)
    return FALSE;
  cell->atlas_x = shelf->x;
  cell->atlas_y = shelf->y;
  shelf->x += ROUND_UP (cell->width, ATLAS_TILE);
  shelf->row_height =
      MAX (shelf->row_height, ROUND_UP (cell->height, ATLAS_TILE));
  return TRUE;
}

/* The highest cells come first, so that cells of a row have similar heights. */
static gint
compare_heights (gconstpointer one, gconstpointer other)
{
  const GpuAtlasCell *a = *(GpuAtlasCell * const *) one;
  const GpuAtlasCell *b = *(GpuAtlasCell * const *) other;

  return a->height > b->height ? -1 : a->height < b->height;
}

static void
extend (GpuRegionAtlas * atlas, const GpuAtlasCell * cell)
{
  atlas->width = MAX (atlas->width, cell->atlas_x + cell->width);
  atlas->height = MAX (atlas->height, cell->atlas_y + cell->height);
}

static void
place_all (GpuRegionAtlas * atlas, GPtrArray * cells, guint width, guint height)
{
  Shelf shelf = { 0 };

  g_ptr_array_sort (cells, compare_heights);
  for (guint i = 0; i < cells->len; i++) {
    if (!place (cells->pdata[i], &shelf, width, height)) {
      atlas->width = atlas->height = 0;
      return;
    }
    extend (atlas, cells->pdata[i]);
  }
  atlas->width = MIN (ROUND_UP (atlas->width, STEP), width);
  atlas->height = MIN (ROUND_UP (atlas->height, STEP), height);
}

void
gpu_region_atlas_init (GpuRegionAtlas * atlas, const GArray * regions,
    guint width, guint height, guint reach_x, guint reach_y)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();

  memset (atlas, 0, sizeof *atlas);
  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = &g_array_index (regions, GpuRegion, i);

    if (region->action != GPU_REGION_BLUR)
      continue;
    atlas->cells[i] = make_cell (region, width, height, reach_x, reach_y);
    g_ptr_array_add (cells, &atlas->cells[i]);
  }
  place_all (atlas, cells, width, height);
}

void
gpu_region_atlas_make_tiles (const GpuRegionAtlas * atlas, guint n,
    guint32 * tiles)
{
  guint a_row = DIV_UP (atlas->width, ATLAS_TILE);

  memset (tiles, 0, (gsize) a_row * DIV_UP (atlas->height, ATLAS_TILE)
      * sizeof *tiles);
  for (guint i = 0; i < n; i++) {
    const GpuAtlasCell *cell = &atlas->cells[i];
    guint x = cell->atlas_x / ATLAS_TILE, y = cell->atlas_y / ATLAS_TILE;

    for (guint row = 0; row < DIV_UP (cell->height, ATLAS_TILE); row++)
      for (guint column = 0; column < DIV_UP (cell->width, ATLAS_TILE);
          column++)
        tiles[(y + row) * a_row + x + column] = i + 1;
  }
}
