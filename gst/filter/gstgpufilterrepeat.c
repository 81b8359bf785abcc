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

/* How often memory comes in a row before it is held. A pool frees memory that comes back to
 * it while another buffer has it, and makes new memory. So frames that videorate shows twice,
 * and those that a source fills anew, are left alone. */
#define LEAST_SIGHTINGS 3

/* Memory that only this buffer has may be written once the buffer is gone. */
static gboolean
seems_to_stay (const GstGpuFilterRepeat * repeat, GstMemory * memory)
{
  return repeat->sightings >= LEAST_SIGHTINGS
      && !gst_memory_is_writable (memory);
}

void
gst_gpu_filter_repeat_note (GstGpuFilterRepeat * repeat, GstBuffer * buffer,
    const GpuFrameInfo * layout, GstBuffer * copy)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  guint before = memory == repeat->memory ? repeat->sightings : 0;

  gst_gpu_filter_repeat_clear (repeat);
  repeat->memory = memory;
  repeat->sightings = before + 1;
  if (!seems_to_stay (repeat, memory))
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
  repeat->sightings = 0;
}
