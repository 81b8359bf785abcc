/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "device.h"
#include <volk.h>

G_BEGIN_DECLS

/* Sub-allocator: few large device memory allocations of one memory type,
 * handed out in pieces (first fit over a sorted free list). Host-visible
 * blocks stay mapped. Thread safe. */
typedef struct _GpuHeap GpuHeap;
typedef struct _GpuHeapBlock GpuHeapBlock;

typedef struct
{
  GpuHeapBlock *block;
  VkDeviceMemory memory;
  VkDeviceSize offset, size;
  guint8 *data;                 /* NULL where not host visible */
} GpuHeapPiece;

/* @memory_type: index of the type all blocks come from. @device is not
 * referenced: it owns the heap. */
GpuHeap *gpu_heap_new (GpuDevice * device, guint32 memory_type,
    gboolean host_visible);
/* All pieces must have been returned. */
void gpu_heap_free (GpuHeap * heap);

guint32 gpu_heap_get_memory_type (GpuHeap * heap);
/* Bytes taken from the driver. */
guint64 gpu_heap_get_allocated (GpuHeap * heap);

/* FALSE with OUT_OF_MEMORY where neither a block nor the driver has @size
 * bytes at @alignment (a power of two). */
gboolean gpu_heap_take (GpuHeap * heap, VkDeviceSize size,
    VkDeviceSize alignment, GpuHeapPiece * piece, GError ** error);
void gpu_heap_give_back (GpuHeap * heap, const GpuHeapPiece * piece);

G_END_DECLS
