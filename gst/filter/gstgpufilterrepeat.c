/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterrepeat.h"

#include <string.h>

GstBuffer *
gst_gpu_filter_repeat_find (GstGpuFilterRepeat * repeat, GstBuffer * buffer,
    const GpuFrameInfo * layout)
{
  if (!repeat->held || gst_buffer_n_memory (buffer) != 1
      || gst_buffer_peek_memory (buffer, 0) != repeat->memory
      || memcmp (layout, &repeat->layout, sizeof *layout) != 0)
    return NULL;
  return gst_buffer_ref (repeat->copy);
}

/* GStreamer lets nobody write memory that two buffers have. But a pool frees memory that
 * comes back to it and is in another buffer. So only memory is held that came twice in a
 * row and that others have as well; that of a source which fills its frames anew goes back
 * to its pool. */
static gboolean
seems_to_stay (const GstGpuFilterRepeat * repeat, GstMemory * memory)
{
  return memory == repeat->memory && !gst_memory_is_writable (memory);
}

void
gst_gpu_filter_repeat_note (GstGpuFilterRepeat * repeat, GstBuffer * buffer,
    const GpuFrameInfo * layout, GstBuffer * copy)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  gboolean stays = seems_to_stay (repeat, memory);

  gst_gpu_filter_repeat_clear (repeat);
  repeat->memory = memory;
  if (!stays)
    return;
  repeat->layout = *layout;
  repeat->held = gst_buffer_new ();
  gst_buffer_append_memory (repeat->held, gst_memory_ref (memory));
  repeat->copy = gst_buffer_ref (copy);
}

void
gst_gpu_filter_repeat_clear (GstGpuFilterRepeat * repeat)
{
  gst_clear_buffer (&repeat->held);
  gst_clear_buffer (&repeat->copy);
  repeat->memory = NULL;
}
