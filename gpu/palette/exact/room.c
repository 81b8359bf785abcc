/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers of quality EXACT: how much room they have, and when they are replaced. */
#include "exact.h"
#include "shaders/palette/exact/shared.h"
#include "shaders/palette/exact/walk/walk.h"

/* Walks of a photograph visit some 25 points for each colour: the set of visited points
 * has 2^VISITS_PER_COLOUR_LOG2 words for each. The format of its words limits its size
 * to 2^MAX_TABLE_BITS (visited.glsl). */
#define VISITS_PER_COLOUR_LOG2 5
#define MIN_TABLE_BITS 22
#define MAX_TABLE_BITS 25

/* An eighth more than needed: the number of colours varies by less between frames of a
 * shot. Room never shrinks, and grows some six times while the number of colours of a
 * film doubles. */
#define ROOM_FOR(n) ((n) + (n) / 8)

/* Least room for blocks of cells: enough for the whole gamut if it has no more than
 * GPU_PALETTE_MIN_CELLS. */
#define MIN_BLOCKS ((gsize) 5 << 14)

/* Marks share a buffer with the starts of cells. */
G_STATIC_ASSERT (GPU_PALETTE_MIN_CELLS >= MARK_WORDS);

guint
gpu_palette_exact_room_for (const GpuPaletteExact * exact, guint n_colours)
{
  return MIN (MAX (ROOM_FOR (n_colours), GPU_PALETTE_LEAST_ROOM),
      exact->max_colours);
}

gboolean
gpu_palette_exact_grow (GpuPaletteExact * exact, guint n_colours,
    GError ** error)
{
  gsize n = gpu_palette_exact_room_for (exact, n_colours);
  const GpuPaletteArray arrays[] = {
    {&exact->buffers.list, n, "palette list"},
    {&exact->buffers.weights, n, "palette weights"},
    {&exact->buffers.results, n, "palette results"},
    {&exact->buffers.points, n * 2, "palette points"},
  };

  if (!gpu_palette_make_arrays (exact->device, arrays, G_N_ELEMENTS (arrays),
          error))
    return FALSE;
  exact->room = n;
  return TRUE;
}

gboolean
gpu_palette_exact_make_buffers (GpuPaletteExact * exact, GError ** error)
{
  GpuPaletteExactBuffers *b = &exact->buffers;
  const GpuPaletteArray arrays[] = {
    {&b->control, CONTROL_WORDS, "palette control"},
    {&b->blocks, sizeof (struct PaletteBlocks) / 4,
        "palette blocks of colours"},
    {&b->ranks, GPU_PALETTE_ALL_COLOURS / 32, "palette ranks"},
    {&b->tables, sizeof (GpuPaletteTables) / 4, "palette transfer tables"},
    {&b->used, GPU_PALETTE_ALL_COLOURS / 32, "palette output colours"},
  };

  b->readback = gpu_buffer_new (exact->device, GPU_BUFFER_HOST,
      CONTROL_WORDS * 4, "palette readback", error);
  return b->readback && gpu_palette_make_arrays (exact->device, arrays,
      G_N_ELEMENTS (arrays), error)
      && gpu_palette_exact_grow (exact, 0, error);
}

/* --- walks --- */

/* Makes the buffers of walks for @n colours, with a set of visited points of
 * 2^@table_bits words. There is room for some more cells, as other frames may have more. */
static gboolean
make_walks (GpuPaletteExact * exact, gsize n, guint table_bits, GError ** error)
{
  GpuPaletteExactBuffers *b = &exact->buffers;
  guint starts = gpu_palette_grid_starts (&exact->solve.cells);
  guint max_starts = gpu_palette_grid_max_cells (exact) + 1;
  gsize blocks = gpu_palette_walk_count_blocks (&exact->solve.cells);
  const gsize more_blocks = MAX (blocks * 9 / 8, MIN_BLOCKS);
  const GpuPaletteArray arrays[] = {
    {&b->walkers, n * 2, "palette walkers"},
    {&b->active_walkers, n, "palette active walkers"},
    {&b->visited, (gsize) 1 << table_bits, "palette visited points"},
    {&b->starts, MAX (MIN (starts + starts / 8, max_starts),
            GPU_PALETTE_MIN_CELLS + 1), "palette cells"},
    {&b->sorted, n * 2, "palette sorted points"},
    {&b->sorted_weights, n, "palette sorted weights"},
    {&b->origins, n, "palette origins"},
    {&b->totals, gpu_palette_grid_totals (n), "palette block sums"},
    {&b->sums_n, n, "palette sums of weights"},
    {&b->sums_x, n * 2, "palette sums of L"},
    {&b->sums_y, n * 2, "palette sums of a"},
    {&b->sums_z, n * 2, "palette sums of b"},
    {&b->entries, GPU_PALETTE_MAX_ENTRIES, "palette cell offsets"},
    {&b->walker_successors, n, "palette ways"},
    {&b->successors, (gsize) 1 << table_bits, "palette next points"},
    {&b->in_order, n, "palette walkers by cell"},
    {&b->groups, n * 2, "palette groups"},
    {&b->cell_walkers, more_blocks * BLOCK_CELLS, "palette walkers of cells"},
    {&b->firsts, more_blocks, "palette first walkers of blocks"},
    {&b->kept_list, n, "palette kept list"},
    {&b->kept_weights, n, "palette kept weights"},
  };

  exact->scan = gpu_scan_new (exact->device, max_starts, error);
  if (!exact->scan || !gpu_palette_make_arrays (exact->device, arrays,
          G_N_ELEMENTS (arrays), error)) {
    gpu_palette_exact_drop_walks (exact);
    return FALSE;
  }
  exact->capacity = n;
  exact->max_table_bits = table_bits;
  return TRUE;
}

static gboolean
has_room (const GpuPaletteExact * exact, guint table_bits)
{
  const GpuPaletteExactBuffers *b = &exact->buffers;
  const GpuPaletteGridCells *cells = &exact->solve.cells;

  return exact->solve.n <= exact->capacity
      && table_bits <= exact->wanted_table_bits
      && gpu_buffer_get_size (b->starts) >=
      gpu_palette_grid_starts (cells) * (gsize) 4
      && gpu_buffer_get_size (b->firsts) >=
      gpu_palette_walk_count_blocks (cells) * (gsize) 4;
}

/* Frees the buffers before it makes larger ones, as memory may not suffice for both. */
static gboolean
replace_walks (GpuPaletteExact * exact, guint table_bits, GError ** error)
{
  guint n = gpu_palette_exact_room_for (exact, exact->solve.n);
  GError *refused = NULL;
  guint64 most;

  gpu_palette_exact_drop_walks (exact);
  exact->wanted_table_bits = table_bits;
  /* Visited points take no more than half of the device's free memory. Each takes two
   * words: its own, and its successor. */
  most = gpu_device_get_memory_left (exact->device) / 2;
  while (table_bits > MIN_TABLE_BITS && (guint64) 8 << table_bits > most)
    table_bits--;
  while (!make_walks (exact, n, table_bits, &refused)) {
    if (table_bits == MIN_TABLE_BITS
        || !g_error_matches (refused, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY)) {
      g_propagate_error (error, refused);
      return FALSE;
    }
    g_clear_error (&refused);
    table_bits--;
  }
  return TRUE;
}

gboolean
gpu_palette_exact_take_walks (GpuPaletteExact * exact, GError ** error)
{
  guint forced = exact->context->tuning->table_bits;
  guint bits = CLAMP (g_bit_storage (exact->solve.n - 1)
      + VISITS_PER_COLOUR_LOG2, MIN_TABLE_BITS, MAX_TABLE_BITS);

  if (!has_room (exact, bits) && !replace_walks (exact, bits, error))
    return FALSE;
  exact->solve.table_bits = forced ? forced : MIN (bits, exact->max_table_bits);
  return TRUE;
}

void
gpu_palette_exact_drop_walks (GpuPaletteExact * exact)
{
  gpu_palette_clear_arrays (GPU_PALETTE_BUFFERS_OF (exact->buffers.of_walks));
  g_clear_pointer (&exact->scan, gpu_scan_free);
  exact->capacity = 0;
  exact->walk.long_lists.n = 0;
  exact->kept.n = 0;
  exact->kept.is_compared = FALSE;
  exact->kept.has_successors = FALSE;
  exact->kept.has_marks = TRUE;
}

/* --- memory --- */

gsize
gpu_palette_exact_get_walks_memory (const GpuPaletteExact * exact)
{
  return gpu_buffers_get_size (GPU_PALETTE_BUFFERS_OF (exact->buffers.of_walks))
      + (exact->scan ? gpu_scan_get_memory (exact->scan) : 0);
}

gsize
gpu_palette_exact_get_memory (const GpuPaletteExact * exact)
{
  return gpu_buffers_get_size (GPU_PALETTE_BUFFERS_OF (exact->buffers.owned))
      + gpu_palette_histogram_get_memory (&exact->histogram)
      + (exact->scan ? gpu_scan_get_memory (exact->scan) : 0)
      + (exact->top_scan ? gpu_scan_get_memory (exact->top_scan) : 0);
}
