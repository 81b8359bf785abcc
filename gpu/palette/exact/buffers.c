/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "buffers.h"

/* Walks of a photograph visit some 25 points for each colour: the set of visited points
 * has 2^VISITS_PER_COLOUR_LOG2 words for each. The format of its words limits its size
 * to 2^MAX_TABLE_BITS (visited.glsl). */
#define VISITS_PER_COLOUR_LOG2 5
#define MAX_TABLE_BITS 25

/* An eighth more than needed: the number of colours varies by less between frames of a
 * shot. Room never shrinks, and grows some six times while the number of colours of a
 * film doubles. */
#define ROOM_FOR(n) ((n) + (n) / 8)

guint
gpu_palette_exact_buffers_table_bits (guint n_colours)
{
  return CLAMP (g_bit_storage (n_colours - 1) + VISITS_PER_COLOUR_LOG2,
      GPU_PALETTE_MIN_TABLE_BITS, MAX_TABLE_BITS);
}

guint
gpu_palette_exact_buffers_room_for (const GpuPaletteExactBuffers * buffers,
    guint n_colours)
{
  return MIN (MAX (ROOM_FOR (n_colours), GPU_PALETTE_LEAST_ROOM),
      buffers->max_colours);
}

static gboolean
make_ranked (GpuPaletteExactBuffers * buffers, gsize n, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&buffers->list, n, "palette list"},
    {&buffers->weights, n, "palette weights"},
    {&buffers->results, n, "palette results"},
    {&buffers->points, n * 2, "palette points"},
  };

  if (!gpu_palette_make_arrays (buffers->device, arrays, G_N_ELEMENTS (arrays),
          NULL, error))
    return FALSE;
  buffers->room = n;
  return TRUE;
}

gboolean
gpu_palette_exact_buffers_grow (GpuPaletteExactBuffers * buffers,
    guint n_colours, GError ** error)
{
  return make_ranked (buffers, gpu_palette_exact_buffers_room_for (buffers,
          n_colours), error);
}

static gboolean
make_arrays (GpuPaletteExactBuffers * buffers, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&buffers->control, CONTROL_WORDS, "palette control"},
    {&buffers->blocks, sizeof (struct PaletteBlocks) / 4,
        "palette blocks of colours"},
    {&buffers->used, (1u << 24) / 32, "palette output colours"},
  };

  return gpu_palette_make_arrays (buffers->device, arrays,
      G_N_ELEMENTS (arrays), NULL, error)
      && make_ranked (buffers, gpu_palette_exact_buffers_room_for (buffers, 0),
      error);
}

void
gpu_palette_exact_buffers_set_pixels (GpuPaletteExactBuffers * buffers,
    guint n_pixels)
{
  buffers->max_colours = MIN (n_pixels, 1u << 24);
}

gboolean
gpu_palette_exact_buffers_init (GpuPaletteExactBuffers * buffers,
    GpuDevice * device, guint n_pixels, GError ** error)
{
  buffers->device = device;
  gpu_palette_exact_buffers_set_pixels (buffers, n_pixels);
  buffers->readback =
      gpu_buffer_new (device, GPU_BUFFER_HOST, CONTROL_WORDS * 4,
      "palette readback", error);
  return buffers->readback && make_arrays (buffers, error);
}

void
gpu_palette_exact_buffers_clear (GpuPaletteExactBuffers * buffers)
{
  GpuBuffer **all[] = {
    &buffers->control, &buffers->readback, &buffers->blocks, &buffers->used,
    &buffers->list, &buffers->weights, &buffers->results, &buffers->points
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_clear_pointer (all[i], gpu_buffer_unref);
}

gboolean
gpu_palette_exact_buffers_take_walkers (GpuPaletteExactBuffers * buffers,
    guint n_colours, guint table_bits, GError ** error)
{
  gsize n = n_colours;
  const GpuPaletteArray arrays[] = {
    {&buffers->walkers, n * 2, "palette walkers"},
    {&buffers->active, n, "palette active walkers"},
    {&buffers->visited, (gsize) 1 << table_bits, "palette visited points"},
  };

  buffers->capacity = n_colours;
  buffers->max_table_bits = table_bits;
  return gpu_palette_make_arrays (buffers->device, arrays,
      G_N_ELEMENTS (arrays), &buffers->walker_memory, error);
}

void
gpu_palette_exact_buffers_drop_walkers (GpuPaletteExactBuffers * buffers)
{
  g_clear_pointer (&buffers->walkers, gpu_buffer_unref);
  g_clear_pointer (&buffers->active, gpu_buffer_unref);
  g_clear_pointer (&buffers->visited, gpu_buffer_unref);
  buffers->walker_memory = 0;
  buffers->capacity = 0;
}
