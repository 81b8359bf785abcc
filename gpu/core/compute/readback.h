/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Copies a few words per frame from the device to the host. The host reads the
 * words of the newest finished frame and never waits. One thread records; any
 * thread may read. */
typedef struct _GpuReadback GpuReadback;

/* @n_words: words per frame. Returns NULL with @error set on failure
 * (OUT_OF_MEMORY, LOST). */
GpuReadback *gpu_readback_new (GpuDevice * device, guint n_words,
    GError ** error);
void gpu_readback_free (GpuReadback * readback);

/* Returns the size in bytes of the host buffer. */
gsize gpu_readback_get_memory (GpuReadback * readback);

/* Records a copy of this frame's words from @from at @offset (bytes). Does nothing if too many
 * frames are in flight. */
void gpu_readback_record (GpuReadback * readback, GpuStream * stream,
    GpuBuffer * from, gsize offset);

/* Copies the words of the newest finished frame to @words. Returns FALSE if no
 * frame has finished since the last gpu_readback_forget(). */
gboolean gpu_readback_read (GpuReadback * readback, guint32 * words);

/* Forgets all frames recorded so far. Call this if they may never be submitted. */
void gpu_readback_forget (GpuReadback * readback);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuReadback, gpu_readback_free)

G_END_DECLS
