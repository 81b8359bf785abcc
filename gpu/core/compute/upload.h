/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Returns a new device buffer with @size bytes, not 0, of @data, and waits until they are
 * there: for tables that are made once, not while frames flow. @name: for debuggers. NULL
 * with @error set (OUT_OF_MEMORY, TOO_LARGE, LOST). */
GpuBuffer *gpu_upload (GpuDevice * device, gconstpointer data, gsize size,
    const gchar * name, GError ** error);

G_END_DECLS
