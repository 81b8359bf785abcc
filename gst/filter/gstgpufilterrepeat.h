/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recognises an input frame that comes again, as a still picture does, so that its copy in
 * memory of the device serves again. */
#pragma once

#include "gpu/core/frame/frame.h"
#include <gst/gst.h>

G_BEGIN_DECLS

/* The last frame that was copied. Zeroed: none. */
typedef struct
{
  gconstpointer memory;         /* where it lay; only compared */
  guint sightings;              /* how often it came in a row */
  GpuFrameInfo layout;          /* and how */
  GstBuffer *held;              /* has this memory, so that nobody writes it; NULL: it
                                   has not come often enough */
  GstBuffer *copy;              /* NULL if none is held */
} GstGpuFilterRepeat;

/* Returns a reference to the copy of @buffer if the last frame had the same content, else
 * NULL. @layout: of @buffer. */
GstBuffer *gst_gpu_filter_repeat_find (GstGpuFilterRepeat * repeat,
    GstBuffer * buffer, const GpuFrameInfo * layout);

/* Notes that @buffer, of one memory, was copied to @copy. Nobody may write @copy. */
void gst_gpu_filter_repeat_note (GstGpuFilterRepeat * repeat,
    GstBuffer * buffer, const GpuFrameInfo * layout, GstBuffer * copy);

/* Forgets the frame and gives its memory back. */
void gst_gpu_filter_repeat_clear (GstGpuFilterRepeat * repeat);

G_END_DECLS
