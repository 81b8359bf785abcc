/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"

G_BEGIN_DECLS

/* A storage buffer. Reference counted; whoever records work that uses one
 * need not keep it, the stream does. */
typedef struct _GpuBuffer GpuBuffer;

typedef enum
{
  GPU_BUFFER_DEVICE,            /* where shaders are fastest; not mapped */
  GPU_BUFFER_HOST,              /* mapped; cached by the CPU if possible */
} GpuBufferKind;

/* Whether there is memory that the CPU maps and caches and that is the device's own
 * too, as on integrated devices and CPUs. Host buffers are of it then, and content
 * that both sides use needs no second buffer. On some integrated devices device
 * buffers are of another type all the same: content that the CPU never sees is best
 * kept in these. */
gboolean gpu_device_has_unified_memory (GpuDevice * device);

/* Bytes of the memory of device buffers that are left; what other processes took is
 * known only where the driver says it. 0 where the process may not use drivers
 * (process.h). Not for every frame (gpu_heap_get_left()). */
guint64 gpu_device_get_memory_left (GpuDevice * device);

/* @size: bytes, > 0, rounded up to whole words. @name: for debuggers. The
 * content is undefined. Returns a new reference, or NULL with @error set
 * (OUT_OF_MEMORY; TOO_LARGE where no shader could bind it; LOST). */
GpuBuffer *gpu_buffer_new (GpuDevice * device, GpuBufferKind kind,
    gsize size, const gchar * name, GError ** error);

/* The same for what shaders may be bound to in parts alone: TOO_LARGE where the
 * device has no buffers of that size. */
GpuBuffer *gpu_buffer_new_large (GpuDevice * device, GpuBufferKind kind,
    gsize size, const gchar * name, GError ** error);

/* Bytes that parts begin at multiples of: what any device may ask for. */
#define GPU_BUFFER_PART_ALIGNMENT 256

/* Returns what dispatches, and nothing else, take for a buffer of its own: @size
 * bytes of @whole, in whole words, from @offset on. A reference on @whole is
 * kept. */
GpuBuffer *gpu_buffer_new_part (GpuBuffer * whole, gsize offset, gsize size);

GpuBuffer *gpu_buffer_ref (GpuBuffer * buffer);
void gpu_buffer_unref (GpuBuffer * buffer);

GpuDevice *gpu_buffer_get_device (GpuBuffer * buffer);
gsize gpu_buffer_get_size (GpuBuffer * buffer);
/* Bytes of all of them together; any may be NULL. */
gsize gpu_buffers_get_size (GpuBuffer * const *buffers, guint n);

/* The mapping of a host buffer, NULL for a device buffer. */
gpointer gpu_buffer_get_data (GpuBuffer * buffer);

/* Make the CPU's writes visible to work that is submitted from now on, and the
 * writes of work that was waited for visible to the CPU. The whole buffer's
 * memory is meant; nothing happens where it is coherent.
 *
 * Where it is not, bytes that the CPU wrote lie in its cache until they are
 * flushed, and may come out at any time: flush before work is submitted that
 * writes the buffer, not only before it reads it. FALSE with @error set
 * (OUT_OF_MEMORY, LOST) where the driver failed, or as gpu_process_enter() has it:
 * what the other side sees is then undefined. */
gboolean gpu_buffer_flush (GpuBuffer * buffer, GError ** error);
gboolean gpu_buffer_invalidate (GpuBuffer * buffer, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuBuffer, gpu_buffer_unref)

G_END_DECLS
