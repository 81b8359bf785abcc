/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cellmap.h"
#include "arrays.h"
#include "lattice.h"
#include "shaders.h"
#include "shaders/palette/cells.h"
#include "gpu/core/readback.h"

#include <math.h>
#include <stddef.h>

#define CELLS_PER_RADIUS 3

#define BITMAP_WORDS (1u << 24 >> 5)    /* of colours */

/* Sums of more pixels may exceed a word. */
#define MAX_NARROW_PIXELS (1u << 24)

/* Of what a thread takes, on two cores of a CPU. */
#define WEIGH_NS 500
#define WORDS_NS 100
#define CELL_NS 250

/* Buffers of a kernel, beside the grid. */
#define MAX_OTHERS 5

/* A frame has no more cells than so many times those of one a moment ago, when
 * it is paced. */
#define GROWTH 4

/* What the host wants to know of a frame that is done. */
#define NEWS_AT offsetof (struct PaletteGrid, changed)
#define NEWS_WORDS \
    ((offsetof (struct PaletteGrid, pixel_groups) - NEWS_AT) / 4)

typedef struct
{
  guint32 changed, occupied[CELL_LEVELS], output_colours;
} News;

G_STATIC_ASSERT (sizeof (News) == NEWS_WORDS * 4);

typedef struct
{
  GpuPaletteMap parent;
  guint n_pixels;
  guint most_cells;             /* that can be occupied */
  GpuKernel *mark, *gate, *merge, *total, *list, *weigh, *density, *climb,
      *follow, *colour, *apply;

  GpuBuffer *grid;              /* struct PaletteGrid */
  GpuBuffer *occupied, *ranks;  /* bitmap of cells, and those before a word */
  GpuBuffer *totals;            /* per workgroup over these */
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *seen;              /* bitmap of colours: of pixels, then of what
                                   they become */
  GpuBuffer *colours, *cells;   /* per pixel */
  /* Per occupied cell, in order. */
  GpuBuffer *cell_list, *sums, *carries, *densities, *next, *results;
  GpuReadback *news;

  /* What the results were made for. */
  gboolean is_known;
  GpuPaletteSettings settings;
  guint revision;

  /* Of the frame at hand. */
  GpuPaletteItems of_pixels, of_words, of_cells;
  guint bound;                  /* cells that it is paced for */
} CellMap;

/* --- geometry --- */

static guint
pitch_of (gdouble radius, guint shift)
{
  guint pitch = floor (ldexp (radius, shift) / CELLS_PER_RADIUS + 0.5);

  return MAX (pitch, LEAST_PITCH);
}

/* Every level halves the numbers of cells. */
static guint
up_to_whole_levels (guint n)
{
  const guint unit = 1 << (CELL_LEVELS - 1);

  return (n + unit - 1) / unit * unit;
}

/* Cells along an axis, of which @before come before the one in whose middle 0
 * is. */
static guint
side_of (guint axis, guint pitch, guint shift, guint * before)
{
  guint below = gpu_palette_below_zero[axis] >> (16 - shift);
  guint above = (gpu_palette_gamut[axis] - gpu_palette_below_zero[axis])
      >> (16 - shift);
  guint reach = CELL_REACH << (CELL_LEVELS - 1);

  /* One more on either side, as points are rounded. */
  *before = up_to_whole_levels (reach + (below + pitch / 2) / pitch + 1);
  return up_to_whole_levels (*before + (above + pitch / 2) / pitch + 2);
}

/* Everything by radius. Returns the words of all levels. */
static guint
fill_geometry (struct PaletteGrid *grid, gdouble radius)
{
  guint before[3], side[3], first = 0;

  grid->shift = gpu_palette_lattice_shift (radius);
  grid->pitch = pitch_of (radius, grid->shift);
  for (guint axis = 0; axis < 3; axis++) {
    side[axis] = side_of (axis, grid->pitch, grid->shift, &before[axis]);
    grid->bias[axis] = before[axis] * grid->pitch + grid->pitch / 2;
  }
  grid->sides[0] = side[0];
  grid->sides[1] = side[2];
  /* Offsets from the last cell lead to cells as well. */
  side[1] += CELL_REACH << (CELL_LEVELS - 1);
  for (guint level = 0; level < CELL_LEVELS; level++) {
    guint n = (side[0] >> level) * (side[1] >> level) * (side[2] >> level);

    grid->words[level] = (n + 31) / 32 + 1;
    grid->first_word[level] = first;
    first += grid->words[level];
  }
  return first;
}

/* --- building --- */

static void
cell_map_free (GpuPaletteMap * parent)
{
  CellMap *map = (CellMap *) parent;
  GpuBuffer **buffers[] = {
    &map->grid, &map->occupied, &map->ranks, &map->totals, &map->tables,
    &map->seen, &map->colours, &map->cells, &map->cell_list, &map->sums,
    &map->carries, &map->densities, &map->next, &map->results
  };

  g_clear_pointer (&map->news, gpu_readback_free);
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    g_clear_pointer (buffers[i], gpu_buffer_unref);
  g_free (map);
}

static gsize
cell_map_get_memory (GpuPaletteMap * parent)
{
  CellMap *map = (CellMap *) parent;
  GpuBuffer *buffers[] = {
    map->grid, map->occupied, map->ranks, map->totals, map->tables,
    map->seen, map->colours, map->cells, map->cell_list, map->sums,
    map->carries, map->densities, map->next, map->results
  };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers))
      + gpu_readback_get_memory (map->news);
}

static gboolean
make_kernels (CellMap * map, GpuDevice * device, GError ** error)
{
  const guint32 weigh[] = {
    !gpu_device_is_slow (device), map->n_pixels > MAX_NARROW_PIXELS
  };
  const struct
  {
    GpuKernel **kernel;
    const GpuShader *shader;
  } list[] = {
    {&map->gate, &gpu_shader_palette_cell_gate},
    {&map->merge, &gpu_shader_palette_cell_merge},
    {&map->total, &gpu_shader_palette_cell_total},
    {&map->list, &gpu_shader_palette_cell_list},
    {&map->density, &gpu_shader_palette_cell_density},
    {&map->climb, &gpu_shader_palette_cell_climb},
    {&map->follow, &gpu_shader_palette_cell_follow},
    {&map->colour, &gpu_shader_palette_cell_colour},
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    *list[i].kernel = gpu_kernel_get (device, list[i].shader, NULL, 0, error);
    if (!*list[i].kernel)
      return FALSE;
  }
  map->weigh = gpu_kernel_get (device, &gpu_shader_palette_cell_weigh, weigh,
      G_N_ELEMENTS (weigh), error);
  return map->weigh != NULL;
}

static gboolean
make_pixel_kernels (CellMap * map, const GpuPaletteFormat * format,
    GError ** error)
{
  guint32 constants[GPU_PALETTE_PIXEL_CONSTANTS];

  gpu_palette_pixel_constants (format, constants);
  map->mark = gpu_kernel_get (format->device,
      gpu_pixels_get_format (format->in)->is_yuv
      ? &gpu_shader_palette_cell_mark_yuv : &gpu_shader_palette_cell_mark,
      constants, GPU_PALETTE_PIXEL_CONSTANTS, error);
  if (map->mark)
    map->apply = gpu_kernel_get (format->device,
        gpu_pixels_get_format (format->out)->is_yuv
        ? &gpu_shader_palette_cell_apply_yuv : &gpu_shader_palette_cell_apply,
        constants, GPU_PALETTE_PIXEL_CONSTANTS, error);
  return map->apply != NULL;
}

static gboolean
make_buffers (CellMap * map, GpuDevice * device, GError ** error)
{
  struct PaletteGrid finest;
  gsize n_words = fill_geometry (&finest, 0);
  gsize n_pixels = map->n_pixels, n_cells = map->most_cells;
  const GpuPaletteArray arrays[] = {
    {&map->grid, sizeof (struct PaletteGrid) / 4, "palette grid"},
    {&map->occupied, n_words, "palette occupied cells"},
    {&map->ranks, n_words, "palette ranks of cells"},
    {&map->totals, finest.words[0] / WORDS_PER_GROUP + 1,
        "palette totals of the grid"},
    {&map->tables, sizeof (GpuPaletteTables) / 4, "palette transfer tables"},
    {&map->seen, BITMAP_WORDS, "palette seen colours"},
    {&map->colours, n_pixels, "palette pixel colours"},
    {&map->cells, n_pixels, "palette pixel cells"},
    {&map->cell_list, n_cells, "palette cells"},
    {&map->sums, n_cells * 4, "palette sums of cells"},
    {&map->carries, n_pixels > MAX_NARROW_PIXELS ? n_cells : 1,
        "palette carries of sums"},
    {&map->densities, n_cells, "palette densities"},
    {&map->next, n_cells, "palette ways uphill"},
    {&map->results, n_cells, "palette results"},
  };

  map->news = gpu_readback_new (device, NEWS_WORDS, error);
  return map->news && gpu_palette_make_arrays (device, arrays,
      G_N_ELEMENTS (arrays), NULL, error);
}

static GpuPaletteMap *
cell_map_create (const GpuPaletteFormat * format, GError ** error)
{
  CellMap *map = g_new0 (CellMap, 1);

  map->parent.type = &gpu_palette_cell_map;
  map->n_pixels = format->width * format->height;
  map->most_cells = MIN (map->n_pixels, CELL_CAPACITY);
  if (make_kernels (map, format->device, error)
      && make_pixel_kernels (map, format, error)
      && make_buffers (map, format->device, error))
    return &map->parent;
  cell_map_free (&map->parent);
  return NULL;
}

/* --- a frame --- */

static gboolean
is_same (CellMap * map, const GpuPaletteRun * run)
{
  return map->is_known && map->revision == run->revision
      && map->settings.radius == run->settings->radius
      && map->settings.weighting == run->settings->weighting;
}

/* Pixels and words are all there or not at all; of cells there are about so many
 * as there were. */
static void
choose_slices (CellMap * map, GpuPaletteRun * run, guint n_words)
{
  guint per_thread = PIXELS_PER_THREAD;

  map->of_pixels = (GpuPaletteItems) {
  .most = (map->n_pixels + per_thread - 1) / per_thread,.ns = WEIGH_NS,.key =
        map->weigh};
  map->of_words = (GpuPaletteItems) {
  .most = (n_words + WORDS_PER_THREAD - 1) / WORDS_PER_THREAD,.ns =
        WORDS_NS,.key = map->list};
  map->of_cells = (GpuPaletteItems) {
  .most = map->most_cells,.ns = CELL_NS,.key = map->density,.is_by_data = TRUE};
  gpu_palette_run_choose_slice (run, &map->of_pixels);
  gpu_palette_run_choose_slice (run, &map->of_words);
  gpu_palette_run_choose_slice (run, &map->of_cells);
}

/* What pixels are added to. */
static gboolean
clear (CellMap * map, GpuPaletteRun * run, gsize n_words, GError ** error)
{
  return gpu_palette_run_clear (run, map->occupied, n_words * 4, error)
      && gpu_palette_run_clear (run, map->sums,
      gpu_buffer_get_size (map->sums), error)
      && gpu_palette_run_clear (run, map->carries,
      gpu_buffer_get_size (map->carries), error)
      && (run->settings->weighting == GPU_PALETTE_FREQUENCY
      || gpu_palette_run_clear (run, map->seen, BITMAP_WORDS * 4, error));
}

/* Everything of this frame that kernels want to know. */
static gboolean
begin (CellMap * map, GpuPaletteRun * run, GError ** error)
{
  struct PaletteGrid grid;
  guint n_words = fill_geometry (&grid, run->settings->radius);

  choose_slices (map, run, grid.words[0]);
  grid.capacity = run->tuning->cell_capacity ? run->tuning->cell_capacity
      : CELL_CAPACITY;
  grid.is_by_colour = run->settings->weighting == GPU_PALETTE_PALETTE;
  grid.keeps_all = run->settings->radius == 0;
  grid.n_pixels = map->n_pixels;
  grid.pixels_per_slice = map->of_pixels.slice;
  grid.words_per_slice = map->of_words.slice;
  grid.cells_per_slice = map->of_cells.slice;
  grid.changed = 0;
  for (guint level = 0; level < CELL_LEVELS; level++)
    grid.occupied[level] = 0;
  gpu_stream_write (run->stream, map->grid, 0, &grid,
      offsetof (struct PaletteGrid, output_colours));
  if (!is_same (map, run))
    gpu_stream_write (run->stream, map->tables, 0, run->tables,
        sizeof *run->tables);
  return clear (map, run, n_words, error);
}

static gboolean
mark (CellMap * map, GpuPaletteRun * run, const GpuFrame * in, GError ** error)
{
  GpuBuffer *buffers[] = {
    in->buffer, map->tables, map->colours, map->cells, map->seen, map->grid,
    map->occupied, map->ranks
  };

  gpu_stream_stage (run->stream, "palette-mark");
  if (!begin (map, run, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  if (!gpu_palette_run_over_pixels (run, map->mark, buffers,
          G_N_ELEMENTS (buffers), &in->info, NULL, !is_same (map, run), error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, map->gate, &map->grid, 1, NULL, 0, 1, 1, 1);
  return TRUE;
}

/* Records @kernel, with the grid, its cells and @others (NULL where there are
 * fewer) bound in this order. */
static gboolean
run_gated (CellMap * map, GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const others[MAX_OTHERS], const GpuPaletteItems * items,
    guint bound, gsize groups_at, guint level, GError ** error)
{
  GpuBuffer *buffers[3 + MAX_OTHERS] = { map->grid, map->occupied, map->ranks };
  guint32 push[3] = { 0, 0, level };
  guint n = 3;

  while (n < G_N_ELEMENTS (buffers) && others[n - 3]) {
    buffers[n] = others[n - 3];
    n++;
  }
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, kernel, buffers, n, push, sizeof push,
      items, bound, map->grid, groups_at, error);
}

#define GROUPS(kind) offsetof (struct PaletteGrid, kind ## _groups)

static gboolean
over_words (CellMap * map, GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const others[MAX_OTHERS], GError ** error)
{
  return run_gated (map, run, kernel, others, &map->of_words,
      map->of_words.most, GROUPS (word), 0, error);
}

/* Not paced: hardly any frame has so many cells. */
static gboolean
merge_cells (CellMap * map, GpuPaletteRun * run, guint level, GError ** error)
{
  GpuBuffer *none[MAX_OTHERS] = { NULL };

  return run_gated (map, run, map->merge, none, &map->of_words, 0,
      GROUPS (merge), level, error);
}

static gboolean
over_cells (CellMap * map, GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const others[MAX_OTHERS], GError ** error)
{
  return run_gated (map, run, kernel, others, &map->of_cells, map->bound,
      GROUPS (cell), 0, error);
}

static gboolean
list_cells (CellMap * map, GpuPaletteRun * run, GError ** error)
{
  GpuBuffer *total[MAX_OTHERS] = { map->totals };
  GpuBuffer *list[MAX_OTHERS] = { map->totals, map->cell_list };

  gpu_stream_stage (run->stream, "palette-cells");
  for (guint level = 0; level + 1 < CELL_LEVELS; level++)
    if (!merge_cells (map, run, level, error))
      return FALSE;
  return over_words (map, run, map->total, total, error)
      && over_words (map, run, map->list, list, error);
}

static gboolean
weigh_cells (CellMap * map, GpuPaletteRun * run, GError ** error)
{
  GpuBuffer *weigh[MAX_OTHERS] =
      { map->colours, map->cells, map->sums, map->carries };

  gpu_stream_stage (run->stream, "palette-weigh");
  return run_gated (map, run, map->weigh, weigh, &map->of_pixels,
      map->of_pixels.most, GROUPS (pixel), 0, error);
}

static gboolean
climb (CellMap * map, GpuPaletteRun * run, GError ** error)
{
  GpuBuffer *density[MAX_OTHERS] =
      { map->cell_list, map->sums, map->densities };
  GpuBuffer *climb[MAX_OTHERS] = { map->cell_list, map->densities, map->next };
  /* Densities are of no use any more. */
  GpuBuffer *ahead = map->densities;
  GpuBuffer *follow[MAX_OTHERS] = { map->next, ahead };
  GpuBuffer *colour[MAX_OTHERS] = {
    ahead, map->sums, map->carries, map->results, map->seen
  };

  gpu_stream_stage (run->stream, "palette-climb");
  if (!over_cells (map, run, map->density, density, error)
      || !over_cells (map, run, map->climb, climb, error)
      || !over_cells (map, run, map->follow, follow, error))
    return FALSE;
  return gpu_palette_run_clear (run, map->seen, BITMAP_WORDS * 4, error)
      && over_cells (map, run, map->colour, colour, error);
}

/* What is known by now: of a frame that is done. */
static gboolean
read_news (CellMap * map, News * news)
{
  return gpu_readback_read (map->news, (guint32 *) news);
}

static guint
occupied_of (const News * news)
{
  for (guint level = CELL_LEVELS - 1; level > 0; level--)
    if (news->occupied[level] > 0)
      return news->occupied[level];
  return news->occupied[0];
}

static void
cell_map_get_report (GpuPaletteMap * parent, GpuPaletteReport * report)
{
  News news;

  if (!read_news ((CellMap *) parent, &news))
    return;
  report->cells = occupied_of (&news);
  report->output_colours = news.output_colours;
  report->changed_pixels = news.changed;
  report->solved = news.changed > 0;
}

static guint
bound_of (CellMap * map)
{
  News news;

  if (!read_news (map, &news) || news.occupied[0] == 0)
    return map->most_cells;
  return MIN ((guint64) news.occupied[0] * GROWTH, map->most_cells);
}

static gboolean
cell_map_update (GpuPaletteMap * parent, GpuPaletteRun * run,
    const GpuFrame * in, GError ** error)
{
  CellMap *map = (CellMap *) parent;

  map->bound = bound_of (map);
  if (!mark (map, run, in, error) || !list_cells (map, run, error)
      || !weigh_cells (map, run, error) || !climb (map, run, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_readback_record (map->news, run->stream, map->grid, NEWS_AT);
  map->is_known = TRUE;
  map->settings = *run->settings;
  map->revision = run->revision;
  cell_map_get_report (parent, run->report);
  return TRUE;
}

static gboolean
cell_map_apply (GpuPaletteMap * parent, GpuPaletteRun * run,
    const GpuFrame * in, const GpuFrame * out, GError ** error)
{
  CellMap *map = (CellMap *) parent;
  GpuBuffer *buffers[] = {
    in->buffer, out->buffer, map->grid, map->occupied, map->ranks,
    map->colours, map->cells, map->results
  };

  gpu_stream_stage (run->stream, "palette-apply");
  return gpu_palette_run_over_pixels (run, map->apply, buffers,
      G_N_ELEMENTS (buffers), &in->info, &out->info, FALSE, error);
}

static void
cell_map_forget (GpuPaletteMap * parent)
{
  CellMap *map = (CellMap *) parent;

  map->is_known = FALSE;
  gpu_readback_forget (map->news);
}

const GpuPaletteMapType gpu_palette_cell_map = {
  .create = cell_map_create,
  .free = cell_map_free,
  .get_memory = cell_map_get_memory,
  .update = cell_map_update,
  .apply = cell_map_apply,
  .forget = cell_map_forget,
  .get_report = cell_map_get_report,
};
