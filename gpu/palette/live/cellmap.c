/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cellmap.h"
#include "gpu/palette/shared/arrays.h"
#include "cellwindow.h"
#include "gpu/palette/oklab.h"
#include "gpu/palette/live/modes/limit.h"
#include "shaders.h"
#include "gpu/palette/live/modes/steady.h"
#include "gpu/core/stream/readback.h"
#include "shaders/palette/count/changed.h"
#include "shaders/palette/shared/pixels.h"

#include <stddef.h>
#include <string.h>

#define BITMAP_WORDS (1u << 24 >> 5)    /* of colours */

G_STATIC_ASSERT (BITMAP_WORDS >= CELL_CAPACITY);

/* Sums of more pixels may exceed a word. */
#define MAX_NARROW_PIXELS (1u << 24)

/* Words of the bitmap of cells that a thread takes. Most are empty, and on a CPU device
 * a thread costs more than reading a word. */
#define WORDS_PER_THREAD 4
#define WORDS_PER_THREAD_CPU 16

/* Of what a thread takes, on two cores of a CPU; @n: its words. */
#define WEIGH_NS 500
#define WORDS_NS(n) (60 + 10 * (n))
#define CELL_NS 250

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
  GpuPaletteFormat format;
  guint n_pixels;
  GpuKernel *mark, *gate, *merge, *total, *list, *weigh, *density, *climb,
      *follow, *colour, *apply;

  GpuPaletteCells cells;
  GpuPaletteSteady *steady;     /* NULL until it is wanted */
  GpuPaletteCellWindow *window; /* NULL until it is wanted */
  GpuReadback *news;

  gboolean has_frame;           /* colours of pixels are those of a frame */
  gboolean has_results;         /* arrays by cell were not made anew since */

  /* What the results were made for. */
  gboolean is_known;
  GpuPaletteSettings settings;
  guint revision;
} CellMap;

/* --- geometry --- */

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
  grid->pitch = gpu_palette_lattice_pitch (radius, grid->shift);
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

static guint
words_per_thread (const CellMap * map)
{
  return gpu_device_is_slow (map->format.device) ? WORDS_PER_THREAD_CPU
      : WORDS_PER_THREAD;
}

/* All that it has, with room for them, but what is by cell. */
#define N_ARRAYS 9

static void
list_arrays (CellMap * map, GpuPaletteArray arrays[N_ARRAYS])
{
  GpuPaletteCells *cells = &map->cells;
  struct PaletteGrid finest;
  gsize n_words = fill_geometry (&finest, 0);
  gsize n_pixels = map->n_pixels;
  const GpuPaletteArray list[N_ARRAYS] = {
    {&cells->grid, sizeof (struct PaletteGrid) / 4, "palette grid"},
    {&cells->changed, sizeof (struct PaletteChanged) / 4,
        "palette changes of counts"},
    {&cells->occupied, n_words, "palette occupied cells"},
    {&cells->ranks, n_words, "palette ranks of cells"},
    {&cells->totals, MAX (finest.words[0] / (256 * words_per_thread (map)),
              CELL_CAPACITY / 256) + 1,
        "palette totals of workgroups"},
    {&cells->tables, sizeof (GpuPaletteTables) / 4, "palette transfer tables"},
    {&map->cells.seen, BITMAP_WORDS, "palette seen colours"},
    {&cells->colours, n_pixels, "palette pixel colours", TRUE},
    {&cells->cells, n_pixels, "palette pixel cells", TRUE},
  };

  for (guint i = 0; i < N_ARRAYS; i++)
    arrays[i] = list[i];
}

static void
cell_map_free (GpuPaletteMap * parent)
{
  CellMap *map = (CellMap *) parent;
  GpuPaletteArray arrays[N_ARRAYS];

  list_arrays (map, arrays);
  g_clear_pointer (&map->steady, gpu_palette_steady_free);
  g_clear_pointer (&map->window, gpu_palette_cell_window_free);
  g_clear_pointer (&map->news, gpu_readback_free);
  for (guint i = 0; i < N_ARRAYS; i++)
    g_clear_pointer (arrays[i].buffer, gpu_buffer_unref);
  gpu_palette_cells_drop_room (&map->cells);
  g_free (map);
}

static gsize
cell_map_get_memory (GpuPaletteMap * parent)
{
  CellMap *map = (CellMap *) parent;
  gsize memory = gpu_readback_get_memory (map->news)
      + gpu_palette_cells_get_room (&map->cells);
  GpuPaletteArray arrays[N_ARRAYS];

  list_arrays (map, arrays);
  for (guint i = 0; i < N_ARRAYS; i++)
    memory += gpu_buffers_get_size (arrays[i].buffer, 1);
  if (map->steady)
    memory += gpu_palette_steady_get_memory (map->steady);
  if (map->window)
    memory += gpu_palette_cell_window_get_memory (map->window);
  return memory;
}

static gboolean
make_kernels (CellMap * map, GpuDevice * device, GError ** error)
{
  const guint32 weigh[] = {
    !gpu_device_is_slow (device), map->n_pixels > MAX_NARROW_PIXELS
  };
  const guint32 of_words[] = { words_per_thread (map) };
  const struct
  {
    GpuKernel **kernel;
    const GpuShader *shader;
    guint n_constants;          /* of_words, or none */
  } list[] = {
    {&map->gate, &gpu_shader_palette_cell_gate, 1},
    {&map->merge, &gpu_shader_palette_cell_merge, 1},
    {&map->total, &gpu_shader_palette_cell_total, 1},
    {&map->list, &gpu_shader_palette_cell_list, 1},
    {&map->density, &gpu_shader_palette_cell_density},
    {&map->climb, &gpu_shader_palette_cell_climb},
    {&map->follow, &gpu_shader_palette_cell_follow},
    {&map->colour, &gpu_shader_palette_cell_colour},
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    *list[i].kernel = gpu_kernel_get (device, list[i].shader, of_words,
        list[i].n_constants, error);
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

/* Cells that colours of so many frames can occupy. */
static guint
most_cells (const CellMap * map, guint history)
{
  return MIN ((guint64) map->n_pixels * MAX (history, 1), CELL_CAPACITY);
}

static gboolean
make_buffers (CellMap * map, GpuDevice * device, GError ** error)
{
  GpuPaletteArray arrays[N_ARRAYS];

  list_arrays (map, arrays);
  map->news = gpu_readback_new (device, NEWS_WORDS, error);
  return map->news && gpu_palette_make_arrays (device, arrays, N_ARRAYS, NULL,
      error) && gpu_palette_cells_make_room (&map->cells, device,
      most_cells (map, 1), map->n_pixels > MAX_NARROW_PIXELS, error);
}

/* Modes outlive a change of format. */
static void
take_steady (CellMap * map, CellMap * old)
{
  map->steady = g_steal_pointer (&old->steady);
  cell_map_free (&old->parent);
}

static GpuPaletteMap *
cell_map_create (const GpuPaletteFormat * format, GpuPaletteMap * old,
    GError ** error)
{
  CellMap *map = g_new0 (CellMap, 1);

  if (old)
    take_steady (map, (CellMap *) old);
  map->parent.type = &gpu_palette_cell_map;
  map->format = *format;
  map->n_pixels = format->width * format->height;
  if (make_kernels (map, format->device, error)
      && make_pixel_kernels (map, format, error)
      && make_buffers (map, format->device, error)
      && (!map->steady
          || gpu_palette_steady_set_format (map->steady, format, error)))
    return &map->parent;
  cell_map_free (&map->parent);
  return NULL;
}

/* --- a frame --- */

static gboolean
has_same_palette (CellMap * map, const GpuPaletteRun * run)
{
  return map->is_known && gpu_palette_get_radius (&map->settings)
      == gpu_palette_get_radius (run->settings)
      && map->settings.weighting == run->settings->weighting;
}

/* What is known of pixels with modes says nothing of those without. */
static gboolean
has_same_way (CellMap * map, const GpuPaletteRun * run)
{
  return gpu_palette_steady_is_wanted (&map->settings)
      == gpu_palette_steady_is_wanted (run->settings);
}

/* With modes, pixels know by themselves what becomes of them. */
static gboolean
has_all_results (CellMap * map, const GpuPaletteRun * run)
{
  return map->has_results || gpu_palette_steady_is_wanted (run->settings);
}

static gboolean
is_same (CellMap * map, const GpuPaletteRun * run)
{
  const GpuPaletteSettings *now = run->settings, *then = &map->settings;

  return has_same_palette (map, run) && has_same_way (map, run)
      && has_all_results (map, run)
      && map->revision == run->revision
      && MAX (then->history, 1) == MAX (now->history, 1)
      && gpu_palette_get_least_frequency (then) ==
      gpu_palette_get_least_frequency (now)
      && then->stability == now->stability
      && then->scene_cut_threshold == now->scene_cut_threshold
      && then->hold == now->hold
      && then->update_interval == now->update_interval
      && gpu_palette_get_limit (then) == gpu_palette_get_limit (now)
      && then->keeps_radius == now->keeps_radius
      && then->n_colours == now->n_colours
      && memcmp (then->colours, now->colours,
      now->n_colours * sizeof *now->colours) == 0;
}

/* For cells of all that the window has colours of, and sums of these. */
static gboolean
make_window (CellMap * map, guint history, GError ** error)
{
  guint n_cells = most_cells (map, history);

  if (!map->window)
    map->window = gpu_palette_cell_window_new (&map->format,
        map->cells.changed, error);
  if (!map->window)
    return FALSE;
  if (gpu_buffer_get_size (map->cells.carries) >= n_cells * sizeof (guint32))
    return TRUE;
  if (!gpu_palette_cells_make_room (&map->cells, map->format.device,
          n_cells, TRUE, error))
    return FALSE;
  map->has_results = FALSE;
  return TRUE;
}

static gboolean
cell_map_prepare (GpuPaletteMap * parent, const GpuPaletteSettings * settings,
    GError ** error)
{
  CellMap *map = (CellMap *) parent;

  if (gpu_palette_cell_window_is_wanted (settings)
      && !make_window (map, settings->history, error))
    return FALSE;
  if (!gpu_palette_steady_is_wanted (settings))
    return TRUE;
  if (!map->steady)
    map->steady = gpu_palette_steady_new (&map->format, error);
  return map->steady
      && gpu_palette_steady_prepare (map->steady, settings, error);
}

static gboolean
is_steady (const GpuPaletteRun * run)
{
  return gpu_palette_steady_is_wanted (run->settings);
}

static gboolean
is_windowed (const GpuPaletteRun * run)
{
  return gpu_palette_cell_window_is_wanted (run->settings);
}

/* Pixels and words are all there or not at all; of cells there are about so many
 * as there were. */
static void
choose_slices (CellMap * map, GpuPaletteRun * run, guint n_words)
{
  const GpuPaletteRows rows =
      gpu_palette_rows_of_array (map->n_pixels, PIXELS_PER_THREAD, 0);
  const guint n = words_per_thread (map);

  map->cells.of_pixels = (GpuPaletteItems) {
  .most = rows.height,.ns = WEIGH_NS,.key = map->weigh,.rows = rows};
  map->cells.of_words = (GpuPaletteItems) {
  .most = (n_words + n - 1) / n,.ns = WORDS_NS (n),.key = map->list};
  map->cells.of_cells = (GpuPaletteItems) {
  .most = map->cells.most,.ns = CELL_NS,.key = map->density,.is_by_data = TRUE};
  gpu_palette_run_choose_slice (run, &map->cells.of_pixels);
  gpu_palette_run_choose_slice (run, &map->cells.of_words);
  gpu_palette_run_choose_slice (run, &map->cells.of_cells);
}

/* What pixels are added to. */
static gboolean
clear (CellMap * map, GpuPaletteRun * run, gsize n_words, GError ** error)
{
  return gpu_palette_run_clear (run, map->cells.occupied, n_words * 4, error)
      && gpu_palette_run_clear (run, map->cells.sums,
      map->cells.most * sizeof (struct CellSums), error)
      && gpu_palette_run_clear (run, map->cells.carries,
      MIN (map->cells.most * sizeof (guint32),
          gpu_buffer_get_size (map->cells.carries)), error)
      && (run->settings->weighting == GPU_PALETTE_FREQUENCY
      || gpu_palette_run_clear (run, map->cells.seen, BITMAP_WORDS * 4, error));
}

/* Everything of this frame that kernels want to know. */
static gboolean
begin (CellMap * map, GpuPaletteRun * run, GError ** error)
{
  struct PaletteGrid grid;
  guint n_words = fill_geometry (&grid, gpu_palette_get_radius (run->settings));

  choose_slices (map, run, grid.words[0]);
  grid.capacity = run->tuning->cell_capacity ? run->tuning->cell_capacity
      : CELL_CAPACITY;
  grid.is_by_colour = run->settings->weighting == GPU_PALETTE_PALETTE;
  grid.keeps_all = gpu_palette_get_radius (run->settings) == 0;
  grid.n_pixels = map->n_pixels;
  grid.pixels_per_slice = map->cells.of_pixels.slice;
  grid.words_per_slice = map->cells.of_words.slice;
  grid.cells_per_slice = map->cells.of_cells.slice;
  grid.light_pixels = 0;
  grid.light_pixels_per_slice = 1;
  if (is_steady (run))
    gpu_palette_steady_begin (map->steady, run, &grid);
  if (is_windowed (run))
    gpu_stream_fill (run->stream, map->cells.changed, 0,
        sizeof (struct PaletteChanged), 0);
  grid.changed = 0;
  for (guint level = 0; level < CELL_LEVELS; level++)
    grid.occupied[level] = 0;
  gpu_stream_write (run->stream, map->cells.grid, 0, &grid,
      offsetof (struct PaletteGrid, output_colours));
  if (!is_same (map, run))
    gpu_stream_write (run->stream, map->cells.tables, 0, run->tables,
        sizeof *run->tables);
  return clear (map, run, n_words, error);
}

static gboolean
mark (CellMap * map, GpuPaletteRun * run, const GpuFrame * in, GError ** error)
{
  GpuPaletteCells *cells = &map->cells;
  GpuBuffer *buffers[] = {
    in->buffer, cells->tables, cells->colours, cells->cells, map->cells.seen,
    cells->grid, cells->occupied, cells->ranks
  };
  GpuBuffer *gate[] = { cells->grid, cells->changed };
  const guint32 is_counted = is_windowed (run);

  const GpuPalettePixels pixels = {
    .in = &in->info,.arrays = 1 << 2 | 1 << 3
  };

  gpu_stream_stage (run->stream, "palette-mark");
  if ((is_windowed (run)
          && !gpu_palette_cell_window_begin (map->window, run, cells, &in->info,
              map->has_frame, error)) || !begin (map, run, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  if (!gpu_palette_run_over_pixels (run, map->mark, buffers,
          G_N_ELEMENTS (buffers), &pixels, !is_same (map, run), error)
      || (is_windowed (run)
          && !gpu_palette_cell_window_mark (map->window, run, cells, &in->info,
              error)))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, map->gate, gate, G_N_ELEMENTS (gate),
      &is_counted, sizeof is_counted, 1, 1, 1);
  return TRUE;
}

static gboolean
over_words (CellMap * map, GpuPaletteRun * run, GpuKernel * kernel,
    GpuPaletteCellsOthers others, GError ** error)
{
  return gpu_palette_cells_run (&map->cells, run, kernel, others,
      &map->cells.of_words, map->cells.of_words.most,
      GPU_PALETTE_CELLS_GROUPS (word), 0, error);
}

/* Not paced: hardly any frame has so many cells. */
static gboolean
merge_cells (CellMap * map, GpuPaletteRun * run, guint level, GError ** error)
{
  GpuPaletteCellsOthers none = { NULL };

  return gpu_palette_cells_run (&map->cells, run, map->merge, none,
      &map->cells.of_words, 0, GPU_PALETTE_CELLS_GROUPS (merge), level, error);
}

static gboolean
list_cells (CellMap * map, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteCellsOthers total = { map->cells.totals };
  GpuPaletteCellsOthers list = { map->cells.totals, map->cells.cell_list };

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
  GpuPaletteCells *cells = &map->cells;
  GpuPaletteCellsOthers weigh =
      { cells->colours, cells->cells, cells->sums, cells->carries };

  gpu_stream_stage (run->stream, "palette-weigh");
  if (is_windowed (run))
    return gpu_palette_cell_window_weigh (map->window, run, cells, error);
  return gpu_palette_cells_over_pixels (cells, run, map->weigh, weigh,
      1 << 3 | 1 << 4, error);
}

static gboolean
climb (CellMap * map, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteCells *cells = &map->cells;
  GpuPaletteCellsOthers density =
      { cells->cell_list, cells->sums, cells->densities };
  GpuPaletteCellsOthers climb =
      { cells->cell_list, cells->densities, cells->next };
  /* Densities are of no use any more. */
  GpuPaletteCellsOthers follow = { cells->next, cells->densities };

  gpu_stream_stage (run->stream, "palette-climb");
  return gpu_palette_cells_over_cells (cells, run, map->density, density, error)
      && gpu_palette_cells_over_cells (cells, run, map->climb, climb, error)
      && gpu_palette_cells_over_cells (cells, run, map->follow, follow, error);
}

/* Of every cell, from its summit alone. */
static gboolean
colour (CellMap * map, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteCells *cells = &map->cells;
  GpuPaletteCellsOthers colour = {
    cells->densities, cells->sums, cells->carries, cells->results,
    map->cells.seen
  };

  return gpu_palette_run_clear (run, map->cells.seen, BITMAP_WORDS * 4, error)
      && gpu_palette_cells_over_cells (cells, run, map->colour, colour, error);
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
    return map->cells.most;
  return MIN ((guint64) news.occupied[0] * GROWTH, map->cells.most);
}

/* Modes are kept from one steady frame to the next; pixels keep them where what
 * is wanted of the palette is the same. */
static void
begin_steady (CellMap * map, const GpuPaletteRun * run)
{
  if (!map->steady)
    return;
  if (!is_steady (run))
    gpu_palette_steady_forget (map->steady);
  else if (!has_same_palette (map, run))
    gpu_palette_steady_release (map->steady);
}

/* Where colours are no longer counted, the frame before is all that counts. */
static void
begin_window (CellMap * map, GpuPaletteRun * run)
{
  run->report->history = 1;
  if (map->window && !is_windowed (run))
    gpu_palette_cell_window_empty (map->window);
}

static gboolean
cell_map_update (GpuPaletteMap * parent, GpuPaletteRun * run,
    const GpuFrame * in, GError ** error)
{
  CellMap *map = (CellMap *) parent;

  if (!cell_map_prepare (parent, run->settings, error))
    return FALSE;
  begin_window (map, run);
  begin_steady (map, run);
  map->cells.most = most_cells (map, run->settings->history);
  map->cells.bound = bound_of (map);
  if (!mark (map, run, in, error) || !list_cells (map, run, error)
      || !weigh_cells (map, run, error) || !climb (map, run, error)
      || !(is_steady (run)
          ? gpu_palette_steady_update (map->steady, run, &map->cells, error)
          : colour (map, run, error)))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_readback_record (map->news, run->stream, map->cells.grid, NEWS_AT);
  map->has_frame = map->has_results = map->is_known = TRUE;
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
  GpuPaletteCells *cells = &map->cells;
  GpuBuffer *buffers[] = {
    in->buffer, out->buffer, cells->grid, cells->occupied, cells->ranks,
    cells->colours, cells->cells, cells->results
  };

  const GpuPalettePixels pixels = {
    &in->info, &out->info, 1 << 5 | 1 << 6
  };

  gpu_stream_stage (run->stream, "palette-apply");
  if (is_steady (run))
    return gpu_palette_steady_apply (map->steady, run, in, out, error);
  return gpu_palette_run_over_pixels (run, map->apply, buffers,
      G_N_ELEMENTS (buffers), &pixels, FALSE, error);
}

static void
cell_map_forget_modes (GpuPaletteMap * parent)
{
  CellMap *map = (CellMap *) parent;

  map->is_known = FALSE;
  if (map->steady)
    gpu_palette_steady_forget (map->steady);
}

static void
cell_map_forget (GpuPaletteMap * parent)
{
  CellMap *map = (CellMap *) parent;

  cell_map_forget_modes (parent);
  map->has_frame = FALSE;
  if (map->window)
    gpu_palette_cell_window_forget (map->window);
  gpu_readback_forget (map->news);
}

const GpuPaletteMapType gpu_palette_cell_map = {
  .create = cell_map_create,
  .free = cell_map_free,
  .get_memory = cell_map_get_memory,
  .prepare = cell_map_prepare,
  .update = cell_map_update,
  .apply = cell_map_apply,
  .forget = cell_map_forget,
  .forget_modes = cell_map_forget_modes,
  .get_report = cell_map_get_report,
};
