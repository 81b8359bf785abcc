/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "map.h"
#include "shaders/palette/shared/topcolours.h"

#include <string.h>

/* A quarter of the radius in eighths of a bin; a bin is a third of the radius. */
#define NEAR 6

G_STATIC_ASSERT (TOP_MODES == GPU_PALETTE_MAX_MODES);

/* --- buffers --- */

static GpuBuffer *
make (GpuDevice * device, const GpuPaletteArray * array, GError ** error)
{
  return (array->is_large ? gpu_buffer_new_large : gpu_buffer_new) (device,
      GPU_BUFFER_DEVICE, array->words * 4, array->name, error);
}

gboolean
gpu_palette_make_arrays (GpuDevice * device, const GpuPaletteArray * arrays,
    guint n, GError ** error)
{
  g_autoptr (GPtrArray) made =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gpu_buffer_unref);

  for (guint i = 0; i < n; i++) {
    GpuBuffer *buffer = make (device, &arrays[i], error);

    if (!buffer)
      return FALSE;
    g_ptr_array_add (made, buffer);
  }
  for (guint i = 0; i < n; i++) {
    g_clear_pointer (arrays[i].buffer, gpu_buffer_unref);
    *arrays[i].buffer = gpu_buffer_ref (made->pdata[i]);
  }
  return TRUE;
}

void
gpu_palette_clear_arrays (GpuBuffer ** buffers, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&buffers[i], gpu_buffer_unref);
}

/* --- top colours --- */

GpuPaletteTopColours *
gpu_palette_top_colours_new (GpuDevice * device, GError ** error)
{
  GpuPaletteTopColours *top = g_new0 (GpuPaletteTopColours, 1);

  top->list = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      sizeof (struct TopColours), "palette top colours", error);
  if (top->list)
    top->readback =
        gpu_readback_new (device, sizeof (struct TopColours) / 4, error);
  if (!top->readback)
    g_clear_pointer (&top, gpu_palette_top_colours_free);
  return top;
}

void
gpu_palette_top_colours_free (GpuPaletteTopColours * top)
{
  g_clear_pointer (&top->list, gpu_buffer_unref);
  g_clear_pointer (&top->readback, gpu_readback_free);
  g_free (top);
}

gsize
gpu_palette_top_colours_get_memory (const GpuPaletteTopColours * top)
{
  return gpu_buffer_get_size (top->list)
      + gpu_readback_get_memory (top->readback);
}

void
gpu_palette_top_colours_next (GpuPaletteTopColours * top, gboolean is_same_map)
{
  top->was_taken = top->is_taken && is_same_map;
  top->is_taken = FALSE;
}

void
gpu_palette_top_colours_begin (GpuPaletteTopColours * top,
    GpuPaletteContext * context)
{
  gpu_stream_stage (context->slicer.stream, "palette-top-colours");
  gpu_stream_write (context->slicer.stream, top->list,
      offsetof (struct TopColours, tag), &context->settings->tag,
      sizeof (guint64));
}

void
gpu_palette_top_colours_end (GpuPaletteTopColours * top,
    GpuPaletteContext * context)
{
  gpu_readback_record (top->readback, context->slicer.stream, top->list, 0);
  top->is_taken = TRUE;
}

void
gpu_palette_top_colours_forget (GpuPaletteTopColours * top)
{
  top->is_taken = FALSE;
  gpu_readback_forget (top->readback);
}

/* --- reading on the host --- */

static gboolean
are_near (const TopColour * a, const TopColour * b)
{
  gint squared = 0;

  for (guint axis = 0; axis < 3; axis++) {
    gint way = (gint) a->place[axis] - (gint) b->place[axis];

    squared += way * way;
  }
  return squared <= NEAR * NEAR;
}

static gint
compare_pixels (gconstpointer a, gconstpointer b, gpointer unused)
{
  const TopColour *p = a, *q = b;

  return (p->n < q->n) - (p->n > q->n);
}

/* Merges each of the @n modes into the first remaining mode before it that is near.
 * Returns the number of modes left, sorted by pixels, most first. */
static guint
merge (TopColour * modes, guint n)
{
  guint n_left = 0;

  for (guint i = 0; i < n; i++) {
    guint other = 0;

    while (other < n_left && !are_near (&modes[i], &modes[other]))
      other++;
    if (other < n_left)
      modes[other].n += modes[i].n;
    else
      modes[n_left++] = modes[i];
  }
  g_qsort_with_data (modes, n_left, sizeof *modes, compare_pixels, NULL);
  return n_left;
}

gboolean
gpu_palette_top_colours_get_modes (GpuPaletteTopColours * top,
    GpuPaletteMode * modes, guint * n, guint64 * tag)
{
  struct TopColours readback;

  if (!gpu_readback_read (top->readback, (guint32 *) & readback))
    return FALSE;
  *n = merge (readback.modes, readback.n_modes);
  for (guint i = 0; i < *n; i++)
    modes[i] = (GpuPaletteMode) {
      readback.modes[i].colour,
      (gdouble) readback.modes[i].n / readback.n_pixels,
    };
  memcpy (tag, readback.tag, sizeof *tag);
  return TRUE;
}
