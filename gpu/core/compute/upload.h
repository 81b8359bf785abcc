/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Copies @size bytes (> 0) of @data into a new device buffer, waits for the copy, and
 * returns the buffer, which the caller owns. Intended for tables that are made once, not
 * for every frame. @name: for debuggers. Returns NULL with @error set on failure
 * (OUT_OF_MEMORY, TOO_LARGE, LOST). */
GpuBuffer *gpu_upload (GpuDevice * device, gconstpointer data, gsize size,
    const gchar * name, GError ** error);

G_END_DECLS
