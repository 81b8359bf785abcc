/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "heap.h"
#include "vulkan.h"

/* Vulkan guarantees only 4096 allocations, and drivers are slow at them. */
#define BLOCK_SIZE ((VkDeviceSize) 64 << 20)

/* Mapped pieces are read and written by the widest vector instructions; Vulkan
 * maps memory at no less than this either. */
#define MIN_ALIGNMENT ((VkDeviceSize) 64)

typedef struct
{
  VkDeviceSize offset, size;
} FreeRange;

struct _GpuHeapBlock
{
  VkDeviceMemory memory;
  VkDeviceSize size;
  guint8 *data;
  GArray *free;                 /* of FreeRange, by offset, never adjacent */
};

struct _GpuHeap
{
  GpuDevice *device;
  guint32 memory_type;
  gboolean host_visible;
  GMutex lock;
  GPtrArray *blocks;
};

GpuHeap *
gpu_heap_new (GpuDevice * device, guint32 memory_type, gboolean host_visible)
{
  GpuHeap *heap = g_new0 (GpuHeap, 1);

  heap->device = device;
  heap->memory_type = memory_type;
  heap->host_visible = host_visible;
  heap->blocks = g_ptr_array_new ();
  g_mutex_init (&heap->lock);
  return heap;
}

static void
block_free (GpuHeap * heap, GpuHeapBlock * block)
{
  GpuDevice *device = heap->device;

  device->vk.vkFreeMemory (device->device, block->memory, NULL);
  g_array_unref (block->free);
  g_free (block);
}

void
gpu_heap_free (GpuHeap * heap)
{
  for (guint i = 0; i < heap->blocks->len; i++)
    block_free (heap, g_ptr_array_index (heap->blocks, i));
  g_ptr_array_unref (heap->blocks);
  g_mutex_clear (&heap->lock);
  g_free (heap);
}

guint32
gpu_heap_get_memory_type (GpuHeap * heap)
{
  return heap->memory_type;
}

guint64
gpu_heap_get_allocated (GpuHeap * heap)
{
  guint64 sum = 0;

  g_mutex_lock (&heap->lock);
  for (guint i = 0; i < heap->blocks->len; i++)
    sum += ((GpuHeapBlock *) g_ptr_array_index (heap->blocks, i))->size;
  g_mutex_unlock (&heap->lock);
  return sum;
}

static GpuHeapBlock *
block_new (GpuHeap * heap, VkDeviceSize size, GError ** error)
{
  GpuDevice *device = heap->device;
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .allocationSize = size,
    .memoryTypeIndex = heap->memory_type,
  };
  g_autofree gchar *what = g_strdup_printf ("allocating %" G_GUINT64_FORMAT
      " MiB of %s memory", (guint64) (size >> 20),
      heap->host_visible ? "host" : "device");
  VkDeviceMemory memory;
  void *data = NULL;

  if (!gpu_device_check (device, device->vk.vkAllocateMemory (device->device,
              &info, NULL, &memory), what, error))
    return NULL;
  if (heap->host_visible
      && !gpu_device_check (device, device->vk.vkMapMemory (device->device,
              memory, 0, VK_WHOLE_SIZE, 0, &data), "mapping memory", error)) {
    device->vk.vkFreeMemory (device->device, memory, NULL);
    return NULL;
  }

  GpuHeapBlock *block = g_new0 (GpuHeapBlock, 1);
  FreeRange all = { 0, size };

  block->memory = memory;
  block->size = size;
  block->data = data;
  block->free = g_array_new (FALSE, FALSE, sizeof (FreeRange));
  g_array_append_val (block->free, all);
  return block;
}

/* Cuts @size bytes out of the first free range that holds them. */
static gboolean
block_take (GpuHeapBlock * block, VkDeviceSize size, VkDeviceSize alignment,
    VkDeviceSize * offset)
{
  for (guint i = 0; i < block->free->len; i++) {
    FreeRange *range = &g_array_index (block->free, FreeRange, i);
    VkDeviceSize start = (range->offset + alignment - 1) & ~(alignment - 1);
    VkDeviceSize end = range->offset + range->size;
    FreeRange after = { start + size, end - start - size };

    if (start + size > end)
      continue;
    *offset = start;
    range->size = start - range->offset;
    if (range->size == 0 && after.size == 0)
      g_array_remove_index (block->free, i);
    else if (range->size == 0)
      *range = after;
    else if (after.size > 0)
      g_array_insert_val (block->free, i + 1, after);
    return TRUE;
  }
  return FALSE;
}

gboolean
gpu_heap_take (GpuHeap * heap, VkDeviceSize size, VkDeviceSize alignment,
    GpuHeapPiece * piece, GError ** error)
{
  GpuHeapBlock *block = NULL;
  VkDeviceSize offset = 0;
  gboolean found = FALSE;

  /* Non-coherent ranges are flushed in whole atoms: pieces must not share
   * one. */
  alignment = MAX (alignment, MAX (heap->device->atom, MIN_ALIGNMENT));
  size = (size + heap->device->atom - 1) / heap->device->atom
      * heap->device->atom;

  g_mutex_lock (&heap->lock);
  for (guint i = 0; i < heap->blocks->len && !found; i++) {
    block = g_ptr_array_index (heap->blocks, i);
    found = block_take (block, size, alignment, &offset);
  }
  if (!found) {
    /* A request above half a block gets one of its own. */
    block = block_new (heap, size > BLOCK_SIZE / 2 ? size : BLOCK_SIZE, error);
    if (block) {
      g_ptr_array_add (heap->blocks, block);
      found = block_take (block, size, alignment, &offset);
    }
  }
  g_mutex_unlock (&heap->lock);
  if (!found)
    return FALSE;

  piece->block = block;
  piece->memory = block->memory;
  piece->offset = offset;
  piece->size = size;
  piece->data = block->data ? block->data + offset : NULL;
  return TRUE;
}

/* Puts a range back and joins it with its neighbours. */
static void
block_give_back (GpuHeapBlock * block, VkDeviceSize offset, VkDeviceSize size)
{
  FreeRange range = { offset, size };
  guint i = 0;

  while (i < block->free->len
      && g_array_index (block->free, FreeRange, i).offset < offset)
    i++;
  if (i < block->free->len) {
    FreeRange *next = &g_array_index (block->free, FreeRange, i);
    if (next->offset == offset + size) {
      range.size += next->size;
      g_array_remove_index (block->free, i);
    }
  }
  if (i > 0) {
    FreeRange *previous = &g_array_index (block->free, FreeRange, i - 1);
    if (previous->offset + previous->size == offset) {
      previous->size += range.size;
      return;
    }
  }
  g_array_insert_val (block->free, i, range);
}

void
gpu_heap_give_back (GpuHeap * heap, const GpuHeapPiece * piece)
{
  GpuHeapBlock *block = piece->block;

  g_mutex_lock (&heap->lock);
  block_give_back (block, piece->offset, piece->size);
  /* Large frames come and go with the caps; keep no block of their own. */
  if (block->size != BLOCK_SIZE && block->free->len == 1
      && g_array_index (block->free, FreeRange, 0).size == block->size) {
    g_ptr_array_remove_fast (heap->blocks, block);
    block_free (heap, block);
  }
  g_mutex_unlock (&heap->lock);
}
