/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"
#include <volk.h>

G_BEGIN_DECLS

/* Sub-allocator: few large device memory allocations, handed out in pieces
 * (first fit over a sorted free list). Mapped blocks stay mapped. What is
 * large, and fits into none, has an allocation of its own, which goes back to the
 * driver with its piece; so do all of the others that are empty, but one of the
 * best type.
 * Thread safe. */
typedef struct _GpuHeap GpuHeap;
typedef struct _GpuHeapBlock GpuHeapBlock;

typedef struct
{
  GpuHeapBlock *block;
  VkDeviceMemory memory;
  VkMemoryPropertyFlags flags;  /* of that memory */
  VkDeviceSize offset, size;
  guint8 *data;                 /* NULL where not mapped */
} GpuHeapPiece;

/* @wishes: what memory is for this use, best first; static. All types that
 * fulfil one of them serve, in that order: the next where one is full, as long
 * as it is.
 * @is_mapped: every wish says that it is visible to the host. @device is not
 * referenced: it owns the heap. */
GpuHeap *gpu_heap_new (GpuDevice * device,
    const VkMemoryPropertyFlags * wishes, guint n_wishes, gboolean is_mapped);
/* All pieces must have been returned. */
void gpu_heap_free (GpuHeap * heap);

/* Bytes taken from the driver. */
guint64 gpu_heap_get_allocated (GpuHeap * heap);

/* Bytes that the process may still take from the device's heap of the best type, as
 * the driver estimates them now (VK_EXT_memory_budget): what other processes took
 * counts. Without that extension other processes are not known: the size of that
 * heap less what was allocated from it. 0 where there is none. Asks the driver each
 * time: not for every frame. */
guint64 gpu_heap_get_left (GpuHeap * heap);

/* Of the best type; 0 where there is none. */
VkMemoryPropertyFlags gpu_heap_get_flags (GpuHeap * heap);

/* @needs: size, alignment and types as the driver says them of a buffer.
 * FALSE with OUT_OF_MEMORY where neither a block nor the driver has that
 * much; the error is the best type's. */
gboolean gpu_heap_take (GpuHeap * heap, const VkMemoryRequirements * needs,
    GpuHeapPiece * piece, GError ** error);
void gpu_heap_give_back (GpuHeap * heap, const GpuHeapPiece * piece);

G_END_DECLS
