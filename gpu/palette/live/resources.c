/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels and buffers of the map by bin. */
#include "live.h"
#include "shaders.h"
#include "shaders/palette/live/modes/temporal.h"
#include "shaders/palette/shared/pixels.h"

#define BITMAP_WORDS (1u << 24 >> 5)    /* words of a bitmap of colours */

G_STATIC_ASSERT (BITMAP_WORDS >= BIN_CAPACITY);

/* Sums of more pixels may exceed a word. */
#define MAX_NARROW_PIXELS (1u << 24)

/* Words of the bitmap of bins that an invocation processes. Most words are empty, and on
 * a CPU device an invocation costs more than reading a word. */
#define WORDS_PER_THREAD 1
#define WORDS_PER_THREAD_CPU 16

/* What does not depend on the format of frames. */
#define KEPT_NEEDS (1u << NEED_MODES | 1u << NEED_SECOND \
    | 1u << NEED_UNLIMITED | 1u << NEED_LEASH | 1u << NEED_LIMITED \
    | 1u << NEED_TOP)

guint
gpu_palette_live_words_per_thread (GpuDevice * device)
{
  return gpu_device_is_slow (device) ? WORDS_PER_THREAD_CPU : WORDS_PER_THREAD;
}

gboolean
gpu_palette_live_is_wide (const GpuPaletteLive * live)
{
  return live->n_pixels > MAX_NARROW_PIXELS;
}

/* --- buffers --- */

/* A buffer, and what it is needed for. */
typedef struct
{
  GpuPaletteLiveNeed need;
  GpuBuffer **buffer;
  gsize words;
  const gchar *name;
  gboolean is_large;            /* see GpuPaletteArray */
} Row;

#define N_ROWS 29

static void
list_buffers (GpuPaletteLive * live, const GpuPaletteLiveRoom * room,
    Row rows[N_ROWS])
{
  GpuPaletteLiveBuffers *b = &live->buffers;
  const gsize n = live->n_words, bins = room->bins;
  const Row list[N_ROWS] = {
    {NEED_FRAMES, &b->live, sizeof (struct LiveState) / 4, "palette grid"},
    {NEED_FRAMES, &b->changed, sizeof (struct PaletteChanged) / 4,
        "palette changes of counts"},
    {NEED_FRAMES, &b->totals, BIN_CAPACITY / 256 + 1,
        "palette totals of workgroups"},
    {NEED_FRAMES, &b->tables, sizeof (GpuPaletteTables) / 4,
        "palette transfer tables"},
    {NEED_FRAMES, &b->seen, BITMAP_WORDS, "palette seen colours"},
    {NEED_FRAMES, &b->colours, n, "palette pixel colours", TRUE},
    {NEED_FRAMES, &b->colours_before, n, "palette pixel colours", TRUE},
    {NEED_FRAMES, &b->pixel_bins, n, "palette pixel cells", TRUE},
    {NEED_WORDS, &b->occupied, BIN_TOTALS + room->words,
        "palette occupied cells"},
    {NEED_WORDS, &b->ranks, room->words, "palette ranks of cells"},
    {NEED_WORDS, &b->strays,
          MAX (room->cells, 1) * sizeof (struct LeashCell) / 4,
        "palette strays"},
    {NEED_BINS, &b->list, bins, "palette cells"},
    {NEED_BINS, &b->sums, bins * 4, "palette sums of cells"},
    {NEED_BINS, &b->carries, room->is_wide ? bins : 1,
        "palette carries of sums"},
    {NEED_BINS, &b->densities, bins, "palette densities"},
    {NEED_BINS, &b->uphill, bins, "palette ways uphill"},
    {NEED_BINS, &b->results, bins, "palette results"},
    {NEED_HISTOGRAM, &b->blocks, sizeof (struct PaletteBlocks) / 4,
        "palette blocks of colours"},
    {NEED_MODES, &b->motion_state, sizeof (struct Motion) / 4,
        "palette state of motion"},
    {NEED_MODES, &b->state, sizeof (struct Temporal) / 4,
        "palette state of modes"},
    {NEED_MODES, &b->in_use, SLOT_WORDS, "palette modes in use"},
    {NEED_MODES, &b->modes, MODE_CAPACITY * sizeof (struct TemporalMode) / 4,
        "palette modes"},
    {NEED_MODES, &b->summed, sizeof (struct ModeSums) / 4,
        "palette sums of modes"},
    {NEED_UNLIMITED, &b->owned_bins,
          2 * BIN_CAPACITY * sizeof (struct OwnedBin) / 4,
        "palette modes of cells"},
    {NEED_LIMITED, &b->cells, MOST_CELLS * sizeof (struct ModeCell) / 4,
        "palette cells of modes"},
    {NEED_PIXEL_MODES, &b->pixel_modes, n, "palette modes of pixels", TRUE},
    {NEED_PIXEL_MODES, &b->held_before, n, "palette modes of pixels before",
        TRUE},
    {NEED_COHERENCE, &b->chosen_bins, n, "palette chosen cells of pixels",
        TRUE},
    {NEED_TOP, &b->counters, TOP_COUNTERS, "palette pixels of modes"},
  };

  memcpy (rows, list, sizeof list);
}

static gboolean
make_buffers (GpuPaletteLive * live, GpuPaletteLiveNeed need,
    const GpuPaletteLiveRoom * room, GError ** error)
{
  Row rows[N_ROWS];
  GpuPaletteArray arrays[N_ROWS];
  guint n = 0;

  list_buffers (live, room, rows);
  for (guint i = 0; i < N_ROWS; i++)
    if (rows[i].need == need)
      arrays[n++] = (GpuPaletteArray) {
        rows[i].buffer, rows[i].words, rows[i].name, rows[i].is_large
      };
  return gpu_palette_make_arrays (live->device, arrays, n, error);
}

static gboolean
has_words (const GpuPaletteLive * live, const GpuPaletteLiveRoom * needed)
{
  return live->room.words >= needed->words && live->room.cells >= needed->cells;
}

static gboolean
has_bins (const GpuPaletteLive * live, const GpuPaletteLiveRoom * needed)
{
  return live->room.bins >= needed->bins
      && (live->room.is_wide || !needed->is_wide);
}

gboolean
gpu_palette_live_make_room (GpuPaletteLive * live,
    const GpuPaletteLiveRoom * needed, GError ** error)
{
  /* The next power of 2, so that the bitmap is seldom replaced while a radius shrinks from
   * frame to frame; no more than any radius needs. */
  const GpuPaletteLiveRoom room = {
    .words = MAX (live->room.words,
        MIN (1u << g_bit_storage (needed->words - 1),
        gpu_palette_geometry_most_words ())),
    .bins = MAX (live->room.bins, needed->bins),
    .cells = needed->cells > live->room.cells
        ? 1u << g_bit_storage (needed->cells - 1) : live->room.cells,
    .is_wide = live->room.is_wide || needed->is_wide,
  };

  if (has_words (live, needed) && has_bins (live, needed))
    return TRUE;
  live->has_results = FALSE;
  if (!has_words (live, needed)) {
    if (!make_buffers (live, NEED_WORDS, &room, error))
      return FALSE;
    live->room.words = room.words;
    live->room.cells = room.cells;
  }
  if (!has_bins (live, needed)) {
    if (!make_buffers (live, NEED_BINS, &room, error))
      return FALSE;
    live->room.bins = room.bins;
    live->room.is_wide = room.is_wide;
  }
  return TRUE;
}

void
gpu_palette_live_clear_buffers (GpuPaletteLive * live)
{
  Row rows[N_ROWS];

  list_buffers (live, &live->room, rows);
  for (guint i = 0; i < N_ROWS; i++)
    g_clear_pointer (rows[i].buffer, gpu_buffer_unref);
}

gsize
gpu_palette_live_get_buffer_memory (GpuPaletteLive * live)
{
  Row rows[N_ROWS];
  gsize memory = 0;

  list_buffers (live, &live->room, rows);
  for (guint i = 0; i < N_ROWS; i++)
    memory += gpu_buffers_get_size (rows[i].buffer, 1);
  return memory;
}

/* --- kernels --- */

/* Returns whether two sums of a bin can be added as one number of 64 bits. The first one is
 * then its low half, and comes first in memory. */
static gboolean
adds_pairs (const GpuPaletteLive * live)
{
  return gpu_device_get_info (live->device)->has_atomic_int64
      && G_BYTE_ORDER == G_LITTLE_ENDIAN && !gpu_palette_live_is_wide (live);
}

/* Requests the kernels of @need, which are built in the order of the table. */
static gboolean
request_kernels (GpuPaletteLive * live, GpuPaletteLiveNeed need,
    GpuKernelUrgency urgency, GError ** error)
{
  GpuPaletteLiveKernels *k = &live->kernels;
  const GpuPaletteFormat *format = &live->format;
  const GpuPixelFormat *out = gpu_pixels_get_format (format->out);
  const gboolean is_indexed = out->grouping == GPU_INDEXED;
  /* Frames of one plane are written by the kernel that chooses. */
  const gboolean paints = out->n_planes == 1;
  const gboolean in_pairs = adds_pairs (live);
  const GpuShader *weigh_shader = in_pairs
      ? &gpu_shader_palette_bin_weigh_pairs : &gpu_shader_palette_bin_weigh;
  const GpuShader *show_shader = is_indexed
      ? &gpu_shader_palette_apply_index : &gpu_shader_palette_modes_apply_yuv;
  const guint32 gathers = !gpu_device_is_slow (live->device);
  const guint32 words = gpu_palette_live_words_per_thread (live->device);
  const guint32 weigh[] = { gathers, gpu_palette_live_is_wide (live) };
  /* Every thread repeats what is the same for the whole block, which costs CPU devices
   * most. */
  const guint32 threads = gpu_device_is_slow (live->device) ? 16 : 64;
  guint32 mark[FORMAT_CONSTANTS + 2], choose[FORMAT_CONSTANTS + 1];
  const struct
  {
    GpuPaletteLiveNeed need;
    GpuKernel **kernel;
    const GpuShader *shader;
    const guint32 *constants;
    guint n_constants;
  } rows[] = {
    {NEED_FRAMES, &k->mark, &gpu_shader_palette_bin_mark, mark,
        FORMAT_CONSTANTS + 2},
    {NEED_FRAMES, &k->gate, &gpu_shader_palette_bin_gate, &words, 1},
    {NEED_FRAMES, &k->merge, &gpu_shader_palette_bin_merge, &words, 1},
    {NEED_FRAMES, &k->list, &gpu_shader_palette_bin_list, &words, 1},
    {NEED_FRAMES, &k->density, &gpu_shader_palette_bin_density},
    {NEED_FRAMES, &k->climb, &gpu_shader_palette_bin_climb},
    {NEED_FRAMES, &k->weigh, weigh_shader, weigh, in_pairs ? 1 : 2},
    {NEED_RESULTS, &k->apply, &gpu_shader_palette_bin_apply, mark,
        FORMAT_CONSTANTS},
    {NEED_RESULTS, &k->colour, &gpu_shader_palette_bin_colour},
    {NEED_HISTOGRAM, &k->occupy, &gpu_shader_palette_window_occupy},
    {NEED_HISTOGRAM, &k->weigh_colours, &gpu_shader_palette_window_weigh},
    {NEED_MODES, &k->luma, &gpu_shader_palette_temporal_luma},
    {NEED_MODES, &k->unrest, &gpu_shader_palette_temporal_unrest},
    {NEED_MODES, &k->begin, &gpu_shader_palette_temporal_begin},
    {NEED_SECOND, &k->search, &gpu_shader_palette_motion_search, &threads, 1},
    {NEED_SECOND, &k->match, &gpu_shader_palette_motion_match, &threads, 1},
    {NEED_SECOND, &k->measure, &gpu_shader_palette_motion_measure, &threads, 1},
    {NEED_SECOND, &k->move, &gpu_shader_palette_temporal_move},
    {NEED_PIXEL_MODES, &k->choose, &gpu_shader_palette_temporal_choose,
        choose, FORMAT_CONSTANTS + 1},
    {NEED_PIXEL_MODES, paints ? NULL : &k->show, show_shader, choose,
        FORMAT_CONSTANTS},
    {NEED_COHERENCE, &k->cohere, &gpu_shader_palette_cohere},
    {NEED_UNLIMITED, &k->assign, &gpu_shader_palette_temporal_assign},
    {NEED_UNLIMITED, &k->offer, &gpu_shader_palette_temporal_offer},
    {NEED_LEASH, &k->leash_found, &gpu_shader_palette_leash_found},
    {NEED_LEASH, &k->leash_offer, &gpu_shader_palette_leash_offer},
    {NEED_LIMITED, &k->limit_summits, &gpu_shader_palette_limit_summits},
    {NEED_LIMITED, &k->limit_weigh, &gpu_shader_palette_limit_weigh},
    {NEED_LIMITED, &k->limit_farthest, &gpu_shader_palette_limit_farthest},
    {NEED_LIMITED, &k->limit_settle, &gpu_shader_palette_limit_settle},
    {NEED_LIMITED, &k->limit_centre, &gpu_shader_palette_limit_centre},
    {NEED_LIMITED, &k->limit_assign, &gpu_shader_palette_limit_assign},
    {NEED_LIMITED, &k->limit_sum, &gpu_shader_palette_limit_sum},
    {NEED_LIMITED, &k->limit_renew, &gpu_shader_palette_limit_renew},
    {NEED_TOP, &k->count_modes, &gpu_shader_palette_top_count_modes, &gathers,
        1},
    {NEED_TOP, &k->list_modes, &gpu_shader_palette_top_list_modes},
  };

  gpu_pixels_get_constants (live->device, format->in, format->out,
      &format->yuv, mark);
  memcpy (choose, mark, FORMAT_CONSTANTS * sizeof *mark);
  mark[FORMAT_CONSTANTS] = words;
  mark[FORMAT_CONSTANTS + 1] = choose[FORMAT_CONSTANTS] = gathers;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const GpuKernelWanted wanted = {
      rows[i].kernel, rows[i].shader, rows[i].constants, rows[i].n_constants
    };

    if (rows[i].need == need && rows[i].kernel
        && !gpu_kernels_request (live->device, &wanted, 1, urgency, error))
      return FALSE;
  }
  return TRUE;
}

/* --- both --- */

gboolean
gpu_palette_live_expect (GpuPaletteLive * live, GpuPaletteLiveNeed need,
    GError ** error)
{
  return request_kernels (live, need, GPU_KERNEL_LATER, error);
}

gboolean
gpu_palette_live_need (GpuPaletteLive * live, GpuPaletteLiveNeed need,
    GError ** error)
{
  if (gpu_palette_live_has (live, need))
    return TRUE;
  if (!request_kernels (live, need, GPU_KERNEL_SOON, error)
      || !make_buffers (live, need, &live->room, error))
    return FALSE;
  live->needed |= 1u << need;
  return TRUE;
}

void
gpu_palette_live_take_resources (GpuPaletteLive * live, GpuPaletteLive * old)
{
  Row rows[N_ROWS], from[N_ROWS];

  live->kernels = old->kernels;
  live->kernels.show = NULL;
  live->needed = old->needed & KEPT_NEEDS;
  list_buffers (live, &live->room, rows);
  list_buffers (old, &old->room, from);
  for (guint i = 0; i < N_ROWS; i++)
    if (KEPT_NEEDS & 1u << rows[i].need)
      *rows[i].buffer = g_steal_pointer (from[i].buffer);
}
