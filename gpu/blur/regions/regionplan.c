/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionplan.h"
#include "gpu/blur/plane.h"
#include "gpu/core/rounding.h"

#include <math.h>
#include <string.h>

/* The size of an atlas is a multiple of this, unless it is that of the frame: each size
 * needs a plan of its own. */
#define STEP 32

/* The shader that paints finds blurred words by shifts of its own tiles. */
G_STATIC_ASSERT (ATLAS_TILE % REGION_TILE == 0);

/* What a plan is made for. */
typedef struct
{
  const GpuFrameInfo *info;
  const GpuPixelFormat *format;
  const GpuBlurSettings *settings;
  const GpuAreas *areas;
} Task;

static GpuRegion *
get_region (const GArray * regions, guint i)
{
  return &g_array_index (regions, GpuRegion, i);
}

/* --- the atlas --- */

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

  /* A cell as wide as the frame ends at the edges of the frame, so that the blur finds edges
   * there, too. */
  if (left <= 0 && right >= (gint) width) {
    cell.x = 0;
    right = width;
  }
  cell.width = right - cell.x;
  cell.height = bottom - cell.y;
  return cell;
}

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
      atlas->cells[k] = make_cell (get_region (regions, k),
          group, width, height);
    if (!place_group (atlas, group, width, height)) {
      atlas->width = atlas->height = 0;
      return;
    }
  }
  atlas->width = MIN (ROUND_UP (atlas->width, STEP), width);
}

static guint32 *
get_words (GpuRegionTables * self, guint i)
{
  return &g_array_index (self->words, guint32, i);
}

/* --- tables: regions --- */

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

/* --- tables: tiles of the frame --- */

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

/* Appends a tile that regions meet. If the first of them covers it, all pixels of the tile are
 * of that region, and shaders search for no region there. */
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

/* The same if regions stay: tiles that no region meets are of the rest, and those that one
 * covers are not painted. */
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

/* --- tables: the atlas --- */

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

/* --- tables: all --- */

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

/* --- the plan: regions --- */

/* Adds the region that stands for all pixels outside of the others, which stay and so do
 * nothing. */
static void
insert_rest (GArray * regions, const Task * task)
{
  GpuRegion rest = *task->areas->rest;

  rest.box = (GpuRegionBox) {0, 0, task->info->width, task->info->height};
  rest.shape = GPU_REGION_RECTANGLE;
  rest.feather = 0;
  for (guint i = 0; i < regions->len; i++)
    get_region (regions, i)->action = GPU_REGION_FILL;
  g_array_insert_val (regions, 0, rest);
}

static gboolean
does_nothing (const GpuRegion * region, const GpuBlurSettings * settings)
{
  return region->action == GPU_REGION_BLUR && gpu_blur_is_identity (settings);
}

static void
remove_idle (GArray * regions, const GpuBlurSettings * settings)
{
  guint n = 0;

  for (guint i = 0; i < regions->len; i++)
    if (!does_nothing (get_region (regions, i), settings))
      *get_region (regions, n++) = *get_region (regions, i);
  g_array_set_size (regions, n);
}

static void
arrange (GArray * regions, const Task * task)
{
  guint width = task->info->width, height = task->info->height;

  gpu_regions_clip (regions, width, height);
  if (!task->areas->rest) {
    remove_idle (regions, task->settings);
    gpu_regions_merge (regions, REGIONS_MOST, width, height);
    gpu_regions_sort (regions);
    return;
  }
  gpu_regions_keep_largest (regions, REGIONS_MOST - 1);
  insert_rest (regions, task);
  if (does_nothing (task->areas->rest, task->settings))
    g_array_set_size (regions, 0);
}

static guint64
count_block_pixels (const GArray * regions, const GpuFrameInfo * info)
{
  guint64 n = 0;

  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = get_region (regions, i);
    const GpuRegionBox box = gpu_region_box_clip (&region->box, info->width,
        info->height);

    if (region->action == GPU_REGION_PIXELATE)
      n += (guint64) box.width * box.height;
  }
  return n;
}

/* --- the plan: the blur --- */

/* Regions that are blurred alike follow each other. */
static void
find_groups (GpuRegionPlan * self)
{
  gdouble strength = 0;

  for (guint i = 0; i < self->regions->len; i++) {
    const GpuRegion *region = get_region (self->regions, i);

    if (region->action != GPU_REGION_BLUR)
      continue;
    if (self->n_groups == 0 || region->strength != strength)
      self->groups[self->n_groups++].first = i;
    strength = region->strength;
    self->groups[self->n_groups - 1].n++;
  }
}

GpuBlurSettings
gpu_region_plan_get_settings (const GpuRegionPlan * self,
    const GpuAtlasGroup * group, const GpuBlurSettings * settings)
{
  gdouble strength = get_region (self->regions, group->first)->strength;
  GpuBlurSettings of_group = *settings;

  of_group.sigma_x = MIN (settings->sigma_x * strength, GPU_BLUR_MAX_SIGMA);
  of_group.sigma_y = MIN (settings->sigma_y * strength, GPU_BLUR_MAX_SIGMA);
  if (settings->radius > 0)
    of_group.radius = MIN (ceil (settings->radius * strength),
        GPU_BLUR_MAX_RADIUS);
  return of_group;
}

/* Returns how many pixels to each side the blur of an axis of a plane reads: those of all
 * samples within the radius, and of two more where light is converted from subsampled chroma
 * and back. A pyramid, which does Gaussians without a radius, reads farther
 * than the radius of 3 sigma; its weights beyond 3.5 sigma are 0.0005 together, which is an
 * eighth of a code value of 8 bits at most. */
static guint
get_reach (const GpuBlurSettings * settings, const GpuBlurAxis * axis,
    guint shift)
{
  guint rounds = settings->kernel == GPU_BLUR_BILATERAL ? settings->rounds : 1;
  gboolean may_exceed = settings->kernel == GPU_BLUR_GAUSSIAN
      && settings->radius < 0;
  guint samples = rounds
      * (may_exceed ? DIV_UP (axis->radius * 7, 6) : axis->radius);

  if (settings->transfer && shift > 0)
    samples += 2;
  return (samples << shift) + (1 << shift) - 1;
}

static void
find_reach (const GpuRegionPlan * self, const Task * task,
    GpuAtlasGroup * group)
{
  const GpuBlurSettings settings = gpu_region_plan_get_settings (self, group,
      task->settings);
  const GpuPixelFormat *format = task->format;

  for (guint i = 0; i < format->n_planes; i++) {
    const GpuBlurAxes axes = gpu_blur_plane_get (&settings, format, i).axes;

    group->reach_x = MAX (group->reach_x,
        get_reach (&settings, &axes.x, format->shift_x[i]));
    group->reach_y = MAX (group->reach_y,
        get_reach (&settings, &axes.y, format->shift_y[i]));
  }
}

/* Whether samples beyond the edges of the frame are not what the edge mode makes of those inside:
 * alpha, luma or light of several pixels goes into a sample of chroma, or a filter is
 * repeated. */
static gboolean
has_own_edges (const Task * task)
{
  return task->settings->kernel == GPU_BLUR_BILATERAL
      || (gpu_pixel_format_is_subsampled (task->format)
      && (task->format->alpha >= 0 || task->settings->transfer));
}

/* Words at the end of the frame may have samples beyond it; those of whole tiles have none. */
static gboolean
is_inside (const GpuRegionPlan * self, const GpuFrameInfo * info)
{
  gint width = info->width / ATLAS_TILE * ATLAS_TILE;
  gint height = info->height / ATLAS_TILE * ATLAS_TILE;

  for (guint i = self->groups[0].first; i < self->regions->len; i++) {
    const GpuAtlasCell *cell = &self->atlas.cells[i];

    if (cell->x < 0 || cell->y < 0 || cell->x + (gint) cell->width > width
        || cell->y + (gint) cell->height > height)
      return FALSE;
  }
  return TRUE;
}

/* Chooses between the atlas and the whole frame. It is the whole frame for a rest, which may lie
 * anywhere, and if alpha is inverted, which is done to a copy of the whole frame. */
static void
plan_blur (GpuRegionPlan * self, const Task * task)
{
  const GpuFrameInfo *info = task->info;

  for (guint i = 0; i < self->n_groups; i++)
    find_reach (self, task, &self->groups[i]);
  if (self->n_groups > 0 && !task->areas->rest
      && task->areas->mask != GPU_AREAS_INVERSE_ALPHA) {
    gpu_region_atlas_init (&self->atlas, self->regions, self->groups,
        self->n_groups, info->width, info->height);
    self->is_inside = is_inside (self, info);
    self->has_atlas = self->atlas.width > 0
        && (self->is_inside || !has_own_edges (task));
  }
  gpu_frame_info_init (&self->blurred, info->pixels,
      self->has_atlas ? self->atlas.width : info->width,
      self->has_atlas ? self->atlas.height : info->height);
}

/* --- the plan --- */

void
gpu_region_plan_init (GpuRegionPlan * self, const GpuFrameInfo * info,
    const GpuBlurSettings * settings, const GpuAreas * areas,
    const GArray * regions, guint most_blocks)
{
  const Task task = { info, gpu_pixels_get_format (info->pixels), settings,
    areas
  };

  *self = (GpuRegionPlan) {.regions = g_array_copy ((GArray *) regions)};
  arrange (self->regions, &task);
  if (self->regions->len == 0)
    return;
  self->n_blocks = gpu_regions_limit_blocks (self->regions, most_blocks,
      info->width, info->height);
  self->block_pixels = count_block_pixels (self->regions, info);
  find_groups (self);
  plan_blur (self, &task);
  gpu_region_tables_init (&self->tables, self->regions, areas->rest != NULL,
      self->has_atlas ? &self->atlas : NULL, info->width, info->height);
}

void
gpu_region_plan_clear (GpuRegionPlan * self)
{
  g_clear_pointer (&self->regions, g_array_unref);
  gpu_region_tables_clear (&self->tables);
}
