/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "device.h"

G_BEGIN_DECLS

/* A storage buffer. Reference counted; whoever records work that uses one
 * need not keep it, the stream does. */
typedef struct _GpuBuffer GpuBuffer;

typedef enum
{
  GPU_BUFFER_DEVICE,            /* where shaders are fastest; not mapped */
  GPU_BUFFER_HOST,              /* mapped; cached by the CPU if possible */
} GpuBufferKind;

/* @size: bytes, > 0, rounded up to whole words. @name: for debuggers. The
 * content is undefined. Returns a new reference, or NULL with @error set
 * (OUT_OF_MEMORY; TOO_LARGE where no shader could bind it; LOST). */
GpuBuffer *gpu_buffer_new (GpuDevice * device, GpuBufferKind kind,
    gsize size, const gchar * name, GError ** error);

GpuBuffer *gpu_buffer_ref (GpuBuffer * buffer);
void gpu_buffer_unref (GpuBuffer * buffer);

GpuDevice *gpu_buffer_get_device (GpuBuffer * buffer);
gsize gpu_buffer_get_size (GpuBuffer * buffer);

/* The mapping of a host buffer, NULL for a device buffer. */
gpointer gpu_buffer_get_data (GpuBuffer * buffer);

/* Make the CPU's writes visible to work submitted from now on, and the
 * writes of work that was waited for visible to the CPU. Both do nothing
 * where memory is coherent; both mark the device lost if the driver fails. */
void gpu_buffer_flush (GpuBuffer * buffer);
void gpu_buffer_invalidate (GpuBuffer * buffer);

/* Called by gpu_device_open(): picks the memory type of each kind. */
gboolean gpu_buffer_create_heaps (GpuDevice * device, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuBuffer, gpu_buffer_unref)

G_END_DECLS
