/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bins.h"
#include "geometry.h"
#include "gpu/palette/shared/arrays.h"
#include "shaders/palette/count/changed.h"
#include "shaders/palette/shared/pixels.h"

#include <stddef.h>

#define BITMAP_WORDS (1u << 24 >> 5)    /* words of a bitmap of colours */

G_STATIC_ASSERT (BITMAP_WORDS >= BIN_CAPACITY);

/* Sums of more pixels may exceed a word. */
#define MAX_NARROW_PIXELS (1u << 24)

/* Words of the bitmap of bins that an invocation processes. Most words are empty, and on
 * a CPU device an invocation costs more than reading a word. */
#define WORDS_PER_THREAD 1
#define WORDS_PER_THREAD_CPU 16

/* --- room --- */

static gboolean
make_by_word (GpuPaletteBins * bins, gsize n_words, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&bins->occupied, BIN_TOTALS + n_words, "palette occupied cells"},
    {&bins->ranks, n_words, "palette ranks of cells"},
  };

  if (!gpu_palette_make_arrays (bins->device, arrays, G_N_ELEMENTS (arrays),
          NULL, error))
    return FALSE;
  bins->room.words = n_words;
  return TRUE;
}

static gboolean
make_by_bin (GpuPaletteBins * bins, gsize n, gboolean is_wide, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&bins->bin_list, n, "palette cells"},
    {&bins->sums, n * 4, "palette sums of cells"},
    {&bins->carries, is_wide ? n : 1, "palette carries of sums"},
    {&bins->densities, n, "palette densities"},
    {&bins->uphill, n, "palette ways uphill"},
    {&bins->results, n, "palette results"},
  };

  if (!gpu_palette_make_arrays (bins->device, arrays, G_N_ELEMENTS (arrays),
          NULL, error))
    return FALSE;
  bins->room.bins = n;
  bins->room.is_wide = is_wide;
  return TRUE;
}

gboolean
gpu_palette_bins_are_wide (const GpuPaletteBins * bins)
{
  return bins->n_pixels > MAX_NARROW_PIXELS;
}

guint
gpu_palette_bins_most (const GpuPaletteBins * bins, guint history)
{
  return MIN ((guint64) bins->n_pixels * MAX (history, 1), BIN_CAPACITY);
}

static gboolean
have_words (const GpuPaletteBins * bins, const GpuPaletteBinsRoom * needed)
{
  return bins->room.words >= needed->words;
}

static gboolean
have_bins (const GpuPaletteBins * bins, const GpuPaletteBinsRoom * needed)
{
  return bins->room.bins >= needed->bins
      && (bins->room.is_wide || !needed->is_wide);
}

gboolean
gpu_palette_bins_have_room (const GpuPaletteBins * bins,
    const GpuPaletteBinsRoom * needed)
{
  return have_words (bins, needed) && have_bins (bins, needed);
}

/* Returns the next power of 2, so that the bitmap is seldom replaced while a radius shrinks
 * from frame to frame; no more than any radius needs. */
static guint
rounded_words (guint needed)
{
  return MIN (1u << g_bit_storage (needed - 1),
      gpu_palette_geometry_most_words ());
}

gboolean
gpu_palette_bins_make_room (GpuPaletteBins * bins,
    const GpuPaletteBinsRoom * needed, GError ** error)
{
  return (have_words (bins, needed)
      || make_by_word (bins, rounded_words (needed->words), error))
      && (have_bins (bins, needed)
      || make_by_bin (bins, MAX (bins->room.bins, needed->bins),
          bins->room.is_wide || needed->is_wide, error));
}

/* --- buffers of fixed size --- */

guint
gpu_palette_bins_words_per_thread (GpuDevice * device)
{
  return gpu_device_is_slow (device) ? WORDS_PER_THREAD_CPU : WORDS_PER_THREAD;
}

/* The buffers whose sizes suffice for every radius and chroma. */
#define N_ARRAYS 8

static void
list_arrays (GpuPaletteBins * bins, GpuPaletteArray arrays[N_ARRAYS])
{
  const GpuPaletteArray list[N_ARRAYS] = {
    {&bins->state, sizeof (struct LiveState) / 4, "palette grid"},
    {&bins->changed, sizeof (struct PaletteChanged) / 4,
        "palette changes of counts"},
    {&bins->totals, BIN_CAPACITY / 256 + 1,
        "palette totals of workgroups"},
    {&bins->tables, sizeof (GpuPaletteTables) / 4, "palette transfer tables"},
    {&bins->seen, BITMAP_WORDS, "palette seen colours"},
    {&bins->frames[0], bins->n_words, "palette pixel colours", TRUE},
    {&bins->frames[1], bins->n_words, "palette pixel colours", TRUE},
    {&bins->pixel_bins, bins->n_words, "palette pixel cells", TRUE},
  };

  for (guint i = 0; i < N_ARRAYS; i++)
    arrays[i] = list[i];
}

gboolean
gpu_palette_bins_init (GpuPaletteBins * bins, GpuDevice * device,
    guint width, guint height, GError ** error)
{
  GpuPaletteArray arrays[N_ARRAYS];

  bins->device = device;
  bins->width = width;
  bins->height = height;
  bins->n_pixels = width * height;
  bins->n_words = PIXELS_ROW_WORDS (width) * height;
  list_arrays (bins, arrays);
  return gpu_palette_make_arrays (device, arrays, N_ARRAYS, NULL, error);
}

void
gpu_palette_bins_clear (GpuPaletteBins * bins)
{
  GpuPaletteArray arrays[N_ARRAYS];
  GpuBuffer **room[] = {
    &bins->occupied, &bins->ranks, &bins->bin_list, &bins->sums, &bins->carries,
    &bins->densities, &bins->uphill, &bins->results
  };

  if (!bins->device)
    return;
  list_arrays (bins, arrays);
  for (guint i = 0; i < N_ARRAYS; i++)
    g_clear_pointer (arrays[i].buffer, gpu_buffer_unref);
  for (guint i = 0; i < G_N_ELEMENTS (room); i++)
    g_clear_pointer (room[i], gpu_buffer_unref);
}

gsize
gpu_palette_bins_get_memory (GpuPaletteBins * bins)
{
  GpuPaletteArray arrays[N_ARRAYS];
  GpuBuffer *room[] = {
    bins->occupied, bins->ranks, bins->bin_list, bins->sums, bins->carries,
    bins->densities,
    bins->uphill, bins->results
  };
  gsize memory = gpu_buffers_get_size (room, G_N_ELEMENTS (room));

  list_arrays (bins, arrays);
  for (guint i = 0; i < N_ARRAYS; i++)
    memory += gpu_buffers_get_size (arrays[i].buffer, 1);
  return memory;
}

/* --- a frame --- */

void
gpu_palette_bins_begin_frame (GpuPaletteBins * bins)
{
  bins->newest = 1 - bins->newest;
}

GpuBuffer *
gpu_palette_bins_get_colours (const GpuPaletteBins * bins)
{
  return bins->frames[bins->newest];
}

GpuBuffer *
gpu_palette_bins_get_colours_before (const GpuPaletteBins * bins)
{
  return bins->frames[1 - bins->newest];
}

void
gpu_palette_bins_empty (GpuPaletteBins * bins, GpuPaletteContext * context,
    gsize n_words)
{
  gpu_slicer_fill (&context->slicer, bins->occupied,
      (BIN_TOTALS + n_words) * 4, 0);
}

void
gpu_palette_bins_clear_seen (GpuPaletteBins * bins, GpuPaletteContext * context)
{
  gpu_slicer_fill (&context->slicer, bins->seen, BITMAP_WORDS * 4, 0);
}

/* --- kernels --- */

/* Returns @dispatch with the buffers that all kernels over bins read. */
static GpuDispatch
bind_bins (const GpuPaletteBins * bins, const GpuDispatch * dispatch)
{
  GpuDispatch bound = *dispatch;

  bound.buffers[BINS_LIVE] = bins->state;
  bound.buffers[BINS_OCCUPIED] = bins->occupied;
  bound.buffers[BINS_RANKS] = bins->ranks;
  return bound;
}

void
gpu_palette_bins_run (GpuPaletteBins * bins, GpuPaletteContext * context,
    const GpuDispatch * dispatch, const GpuSlicerItems * items, gsize groups_at)
{
  const GpuDispatch bound = bind_bins (bins, dispatch);
  const GpuSlicerGroups groups = { bins->state, groups_at };

  gpu_slicer_run_indirect (&context->slicer, &bound, items, groups);
}

void
gpu_palette_bins_over_bins (GpuPaletteBins * bins, GpuPaletteContext * context,
    const GpuDispatch * dispatch)
{
  gpu_palette_bins_run (bins, context, dispatch, &bins->of_bins,
      GPU_PALETTE_BINS_GROUPS (bin));
}

void
gpu_palette_bins_alone (GpuPaletteBins * bins, GpuPaletteContext * context,
    const GpuDispatch * dispatch)
{
  const GpuDispatch bound = bind_bins (bins, dispatch);

  gpu_stream_dispatch (context->slicer.stream, &bound, 1, 1, 1);
}
