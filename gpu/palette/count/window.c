/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "window.h"
#include "shaders.h"
#include "shaders/palette/shared/pixels.h"

#include <string.h>

static gsize
size_of_frame (const GpuPaletteWindow * window)
{
  return window->n_words * (gsize) 4;
}

static gboolean
make_frame (GpuPaletteWindow * window, guint at, GError ** error)
{
  window->frames[at] = gpu_buffer_new_large (window->device,
      GPU_BUFFER_DEVICE, size_of_frame (window), "palette pixel colours",
      error);
  return window->frames[at] != NULL;
}

gboolean
gpu_palette_window_init (GpuPaletteWindow * window, GpuDevice * device,
    guint width, guint height, GError ** error)
{
  window->device = device;
  window->n_pixels = width * height;
  window->n_words = PIXELS_ROW_WORDS (width) * height;
  window->wanted = window->room = 1;
  for (guint i = 0; i < G_N_ELEMENTS (window->slots); i++)
    window->slots[i] = i;
  window->leave =
      gpu_kernel_request (device, &gpu_shader_palette_leave, NULL, 0,
      GPU_KERNEL_SOON, error);
  return window->leave && make_frame (window, 0, error);
}

void
gpu_palette_window_clear (GpuPaletteWindow * window)
{
  for (guint i = 0; i < G_N_ELEMENTS (window->frames); i++)
    g_clear_pointer (&window->frames[i], gpu_buffer_unref);
}

gsize
gpu_palette_window_get_memory (const GpuPaletteWindow * window)
{
  return gpu_buffers_get_size (window->frames, G_N_ELEMENTS (window->frames));
}

/* Leaves half of the device's free memory to buffers that grow with the number of
 * colours, and to other users. */
void
gpu_palette_window_set_history (GpuPaletteWindow * window, guint history)
{
  gsize size = size_of_frame (window);
  guint64 more;

  if (history == window->wanted)
    return;
  more = gpu_device_get_memory_left (window->device) / 2;
  window->wanted = history;
  window->room = MIN (history,
      (gpu_palette_window_get_memory (window) + more) / size);
}

static void
record_leave (GpuPaletteWindow * window, GpuPaletteContext * context, guint at,
    const GpuDispatch * leave)
{
  const GpuRowBinding rows = gpu_row_binding_of_array (window->n_words, 4,
      1 << PALETTE_LEAVE_NUMBERS);
  const GpuPaletteLeavePush push = {.slot = window->slots[at]};
  GpuDispatch of_frame = *leave;

  of_frame.buffers[PALETTE_LEAVE_NUMBERS] = window->frames[at];
  of_frame.push = &push;
  gpu_slicer_run_over_rows (&context->slicer, &of_frame, &rows, rows.height);
}

void
gpu_palette_window_drop (GpuPaletteWindow * window, GpuPaletteContext * context,
    GpuBuffer * counts, GpuBuffer * touched, GpuBuffer * blocks)
{
  const GpuDispatch leave = {
    .kernel = window->leave,
    .buffers = {
      [PALETTE_LEAVE_COUNTS] = counts,
      [PALETTE_LEAVE_TOUCHED] = touched,
      [PALETTE_LEAVE_BLOCKS] = blocks,
    },
  };

  for (guint i = G_N_ELEMENTS (window->frames); i-- > window->room;) {
    if (i < window->n)
      record_leave (window, context, i, &leave);
    g_clear_pointer (&window->frames[i], gpu_buffer_unref);
  }
  window->n = MIN (window->n, window->room);
}

void
gpu_palette_window_shrink (GpuPaletteWindow * window)
{
  gpu_palette_window_set_history (window, 1);
  for (guint i = 1; i < G_N_ELEMENTS (window->frames); i++)
    g_clear_pointer (&window->frames[i], gpu_buffer_unref);
}

/* Checks free memory again, as others may have used it since the window's room was
 * computed: drivers then move memory about, and do not fail the allocation. */
static gboolean
may_make_frame (const GpuPaletteWindow * window)
{
  return gpu_device_get_memory_left (window->device) >= size_of_frame (window);
}

/* Sets @at to the buffer for the next frame's colours: a new one, or that of the oldest
 * frame if the window is full or the device has no more memory. */
static gboolean
choose_place (GpuPaletteWindow * window, guint * at, GError ** error)
{
  GError *refused = NULL;

  *at = MIN (window->n, window->room - 1);
  if (window->frames[*at] || (may_make_frame (window)
          && make_frame (window, *at, &refused)))
    return TRUE;
  if (refused && !g_error_matches (refused, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY)) {
    g_propagate_error (error, refused);
    return FALSE;
  }
  g_clear_error (&refused);
  window->room = *at;
  *at -= 1;
  return TRUE;
}

static void
make_newest (GpuPaletteWindow * window, guint at)
{
  GpuBuffer *frame = window->frames[at];
  guint32 slot = window->slots[at];

  memmove (window->frames + 1, window->frames, at * sizeof *window->frames);
  memmove (window->slots + 1, window->slots, at * sizeof *window->slots);
  window->frames[0] = frame;
  window->slots[0] = slot;
}

gboolean
gpu_palette_window_advance (GpuPaletteWindow * window,
    GpuPaletteContext * context, gboolean * replaces, GError ** error)
{
  guint at;

  if (!choose_place (window, &at, error))
    return FALSE;
  *replaces = at < window->n;
  make_newest (window, at);
  if (*replaces)
    return TRUE;
  if (window->n++ > 0)
    gpu_slicer_fill (&context->slicer,
        window->frames[0], size_of_frame (window), NO_PIXEL);
  return TRUE;
}
