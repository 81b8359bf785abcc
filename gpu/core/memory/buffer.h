/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"

G_BEGIN_DECLS

/* A storage buffer. It is reference counted. A stream keeps a reference to every buffer
 * that recorded work uses until the work is done. */
typedef struct _GpuBuffer GpuBuffer;

typedef enum
{
  GPU_BUFFER_DEVICE,            /* fastest for shaders; not mapped */
  GPU_BUFFER_HOST,              /* mapped; cached by the CPU if possible */
  GPU_BUFFER_EXPORTED,          /* as DEVICE, with memory that others may use, too (export.h) */
} GpuBufferKind;

/* Returns whether host buffers are in memory that is local to the device and also mapped
 * and cached by the CPU, as on integrated devices and CPUs. Content that both sides use
 * then needs only one buffer. Some integrated devices use another memory type for device
 * buffers even so; prefer device buffers for content that the CPU does not access. */
gboolean gpu_device_has_unified_memory (GpuDevice * device);

/* Returns how many bytes are left for device buffers. Memory of other processes counts
 * only if the driver reports it. Returns 0 if the process may not use drivers
 * (process.h). May be slow: do not call it for every frame (gpu_heap_get_left()). */
guint64 gpu_device_get_memory_left (GpuDevice * device);

/* Returns a new buffer of @size bytes (> 0), rounded up to whole words, with undefined
 * content. @name: for debuggers. The caller owns the reference. Returns NULL with @error
 * set on failure: OUT_OF_MEMORY, LOST, or TOO_LARGE if a shader could not bind it. */
GpuBuffer *gpu_buffer_new (GpuDevice * device, GpuBufferKind kind,
    gsize size, const gchar * name, GError ** error);

/* Like gpu_buffer_new(), but the buffer may be too large to be bound as a whole; shaders
 * then bind parts of it. TOO_LARGE if the device does not support buffers of that size. */
GpuBuffer *gpu_buffer_new_large (GpuDevice * device, GpuBufferKind kind,
    gsize size, const gchar * name, GError ** error);

/* Makes sure that *@buffer, which may be NULL, is a device buffer of at least @size bytes.
 * A new one takes the place of one that is too small; the content is then undefined. Returns
 * FALSE with @error set, and *@buffer as it was, on the failures of gpu_buffer_new(). */
gboolean gpu_buffer_ensure (GpuBuffer ** buffer, GpuDevice * device, gsize size,
    const gchar * name, GError ** error);

/* Alignment of parts in bytes: the largest minStorageBufferOffsetAlignment that Vulkan
 * allows. */
#define GPU_BUFFER_PART_ALIGNMENT 256

/* Returns a new part of @whole: @size bytes (> 0, whole words) from @offset (a multiple
 * of GPU_BUFFER_PART_ALIGNMENT). Only dispatches may use it like a buffer. It holds a
 * reference to @whole. The caller owns the result. Returns NULL with @error set on failure:
 * OUT_OF_MEMORY, LOST, or as gpu_process_enter(). */
GpuBuffer *gpu_buffer_new_part (GpuBuffer * whole, gsize offset, gsize size,
    GError ** error);

/* Both are thread safe. Dropping the last reference frees the memory, which may be
 * slow. */
GpuBuffer *gpu_buffer_ref (GpuBuffer * buffer);
void gpu_buffer_unref (GpuBuffer * buffer);

/* Returns the device; @buffer owns the reference. */
GpuDevice *gpu_buffer_get_device (GpuBuffer * buffer);
/* Returns the size in bytes. */
gsize gpu_buffer_get_size (GpuBuffer * buffer);
/* Returns the total size in bytes of @n buffers, of which any may be NULL. */
gsize gpu_buffers_get_size (GpuBuffer * const *buffers, guint n);

/* Returns the mapped memory of a host buffer; NULL for a device buffer. Owned by
 * @buffer. */
gpointer gpu_buffer_get_data (GpuBuffer * buffer);

/* gpu_buffer_flush() makes writes of the CPU visible to work that is submitted later.
 * gpu_buffer_invalidate() makes writes of finished work visible to the CPU. Both apply
 * to the whole buffer, and do nothing if its memory is coherent.
 *
 * In non-coherent memory the CPU's cache may be written back at any time. So flush before
 * submitting work that writes the buffer, not only before work that reads it. Both
 * return FALSE with @error set if the driver fails (OUT_OF_MEMORY, LOST) or as
 * gpu_process_enter() does; the other side then sees undefined content. */
gboolean gpu_buffer_flush (GpuBuffer * buffer, GError ** error);
gboolean gpu_buffer_invalidate (GpuBuffer * buffer, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuBuffer, gpu_buffer_unref)

G_END_DECLS
