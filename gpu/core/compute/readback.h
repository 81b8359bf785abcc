/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* A few words that the device finds out with every frame, and that the host
 * wants to know when that is done, without waiting for it. One thread records;
 * any thread may read. */
typedef struct _GpuReadback GpuReadback;

/* @n_words: of each frame. NULL with @error set (OUT_OF_MEMORY, LOST). */
GpuReadback *gpu_readback_new (GpuDevice * device, guint n_words,
    GError ** error);
void gpu_readback_free (GpuReadback * readback);

/* Bytes on the host. */
gsize gpu_readback_get_memory (GpuReadback * readback);

/* Records: the words at @offset (bytes) of @from are those of this frame. What
 * wrote them lies behind a barrier. Where more frames are in flight than there
 * is room for, it does nothing. */
void gpu_readback_record (GpuReadback * readback, GpuStream * stream,
    GpuBuffer * from, gsize offset);

/* Copies the words of the newest frame that is done to @words. FALSE where none
 * is, since the last gpu_readback_forget(). */
gboolean gpu_readback_read (GpuReadback * readback, guint32 * words);

/* What was recorded may never be submitted. */
void gpu_readback_forget (GpuReadback * readback);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuReadback, gpu_readback_free)

G_END_DECLS
