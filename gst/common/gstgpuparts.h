/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Work on the CPU that several threads share, such as the copy of a frame: one thread
 * alone does not use all of the memory's bandwidth. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Does part @i of @n. */
typedef void (*GstGpuPart) (guint i, guint n, gpointer data);

/* Calls @part for each part, on this thread and on others if they are free; returns when
 * all are done. Thread safe. */
void gst_gpu_parts_run (GstGpuPart part, gpointer data);

G_END_DECLS
