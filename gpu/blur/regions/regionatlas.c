/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionatlas.h"
#include "gpu/core/rounding.h"

#include <string.h>

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
make_cell (const GpuRegion * region, const GpuAtlasGroup * group, guint width,
    guint height)
{
  const GpuRegionBox box = gpu_region_box_clip (&region->box, width, height);
  gint beside = region->feather + group->reach_x;
  gint above = region->feather + group->reach_y;
  gint left = box.x - beside, right = box.x + box.width + beside;
  gint top = box.y - above, bottom = box.y + box.height + above;
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

/* Places the cells of a group below those of the groups before. */
static gboolean
place_group (GpuRegionAtlas * atlas, GpuAtlasGroup * group, guint width,
    guint height)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  Shelf shelf = {.y = atlas->height};

  for (guint i = 0; i < group->n; i++)
    g_ptr_array_add (cells, &atlas->cells[group->first + i]);
  g_ptr_array_sort (cells, compare_heights);
  for (guint i = 0; i < cells->len; i++) {
    const GpuAtlasCell *cell = cells->pdata[i];

    if (!place (cells->pdata[i], &shelf, width, height))
      return FALSE;
    atlas->width = MAX (atlas->width, cell->atlas_x + cell->width);
  }
  group->y = atlas->height;
  atlas->height = MIN (ROUND_UP (shelf.y + shelf.row_height, STEP), height);
  group->height = atlas->height - group->y;
  return TRUE;
}

void
gpu_region_atlas_init (GpuRegionAtlas * atlas, const GArray * regions,
    GpuAtlasGroup * groups, guint n_groups, guint width, guint height)
{
  memset (atlas, 0, sizeof *atlas);
  for (guint i = 0; i < n_groups; i++) {
    GpuAtlasGroup *group = &groups[i];

    for (guint k = group->first; k < group->first + group->n; k++)
      atlas->cells[k] = make_cell (&g_array_index (regions, GpuRegion, k),
          group, width, height);
    if (!place_group (atlas, group, width, height)) {
      atlas->width = atlas->height = 0;
      return;
    }
  }
  atlas->width = MIN (ROUND_UP (atlas->width, STEP), width);
}
