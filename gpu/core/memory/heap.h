/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"
#include <volk.h>

G_BEGIN_DECLS

/* A sub-allocator: it divides a few large memory allocations (blocks) into pieces, first
 * fit over a sorted free list. Mapped blocks stay mapped. A large piece that fits into no
 * block has its own allocation. An allocation is freed when it is empty, except one
 * block of the best type. Thread safe. */
typedef struct _GpuHeap GpuHeap;
typedef struct _GpuHeapBlock GpuHeapBlock;

typedef struct
{
  GpuHeapBlock *block;
  VkDeviceMemory memory;
  VkMemoryPropertyFlags flags;  /* of the memory type */
  VkDeviceSize offset, size;    /* bytes */
  guint8 *data;                 /* mapped address, or NULL */
} GpuHeapPiece;

/* Returns a new heap. @wishes: property flags of suitable memory types, best first;
 * static. The heap uses all types with the flags of at least one wish, in that order;
 * while a type is full, it uses the next one. @is_mapped: map the memory; every wish
 * must then include HOST_VISIBLE. @is_exported: each piece has its own allocation, which can be
 * exported as an opaque file descriptor. Holds no reference to @device, which owns the heap. */
GpuHeap *gpu_heap_new (GpuDevice * device,
    const VkMemoryPropertyFlags * wishes, guint n_wishes, gboolean is_mapped,
    gboolean is_exported);
/* Frees the heap and its blocks. All pieces must have been returned. */
void gpu_heap_free (GpuHeap * heap);

/* Returns how many bytes the process can still allocate from the Vulkan heap of the best
 * type. With VK_EXT_memory_budget this is the driver's current estimate, which includes
 * other processes. Otherwise it is the size of the Vulkan heap minus the allocations of
 * this device. Returns 0 if there is no suitable type. Asks the driver every time: do
 * not call this for every frame. */
guint64 gpu_heap_get_left (GpuHeap * heap);

/* Returns the flags of the best type; 0 if there is none. */
VkMemoryPropertyFlags gpu_heap_get_flags (GpuHeap * heap);

/* Takes a piece. @needs: the driver's memory requirements of a buffer. Returns FALSE with
 * @error set on failure: OUT_OF_MEMORY if neither a block nor the driver has enough
 * memory. The error is that of the best type. */
gboolean gpu_heap_take (GpuHeap * heap, const VkMemoryRequirements * needs,
    GpuHeapPiece * piece, GError ** error);
/* Returns a piece to the heap. The device must not use it any more. */
void gpu_heap_give_back (GpuHeap * heap, const GpuHeapPiece * piece);

G_END_DECLS
