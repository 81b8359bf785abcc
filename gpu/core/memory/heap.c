/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "heap.h"
#include "gpu/core/device/trace.h"
#include "gpu/core/device/vulkan.h"
#include "gpu/core/rounding.h"

/* Vulkan guarantees only 4096 allocations, and drivers allocate slowly. */
#define BLOCK_SIZE ((VkDeviceSize) 64 << 20)

/* Suits the widest vector instructions of CPUs. It is also the smallest value that
 * Vulkan allows for minMemoryMapAlignment. */
#define MIN_ALIGNMENT ((VkDeviceSize) 64)

typedef struct
{
  VkDeviceSize offset, size;
} FreeRange;

struct _GpuHeapBlock
{
  VkDeviceMemory memory;
  guint32 type;
  gboolean is_dedicated;        /* holds a single piece */
  VkDeviceSize size;
  guint8 *data;
  GArray *free;                 /* of FreeRange, sorted by offset, never adjacent */
};

struct _GpuHeap
{
  GpuDevice *device;
  guint32 types[VK_MAX_MEMORY_TYPES];   /* best first */
  guint n_types;
  gboolean is_mapped, is_exported;
  GMutex lock;
  GPtrArray *blocks;
};

/* Memory types that need an enabled feature, or cannot be used for buffers. */
#define UNUSABLE (VK_MEMORY_PROPERTY_PROTECTED_BIT \
    | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT \
    | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD \
    | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD \
    | VK_MEMORY_PROPERTY_RDMA_CAPABLE_BIT_NV)

static void
add_type (GpuHeap * heap, guint32 type)
{
  for (guint i = 0; i < heap->n_types; i++)
    if (heap->types[i] == type)
      return;
  heap->types[heap->n_types++] = type;
}

/* Among equivalent types, Vulkan lists the faster ones first. */
static void
list_types (GpuHeap * heap, const VkMemoryPropertyFlags * wishes,
    guint n_wishes)
{
  const VkPhysicalDeviceMemoryProperties *memory = &heap->device->memory;

  for (guint w = 0; w < n_wishes; w++)
    for (guint32 i = 0; i < memory->memoryTypeCount; i++) {
      VkMemoryPropertyFlags flags = memory->memoryTypes[i].propertyFlags;

      if (!(wishes[w] & ~flags) && !(flags & UNUSABLE))
        add_type (heap, i);
    }
}

GpuHeap *
gpu_heap_new (GpuDevice * device, const VkMemoryPropertyFlags * wishes,
    guint n_wishes, gboolean is_mapped, gboolean is_exported)
{
  GpuHeap *heap = g_new0 (GpuHeap, 1);

  heap->device = device;
  heap->is_mapped = is_mapped;
  heap->is_exported = is_exported;
  heap->blocks = g_ptr_array_new ();
  list_types (heap, wishes, n_wishes);
  g_mutex_init (&heap->lock);
  return heap;
}

/* Returns the index of the Vulkan memory heap for @type. */
static guint32
heap_index_of (GpuHeap * heap, guint32 type)
{
  return heap->device->memory.memoryTypes[type].heapIndex;
}

static void
block_free (GpuHeap * heap, GpuHeapBlock * block)
{
  GpuDevice *device = heap->device;

  device->vk.vkFreeMemory (device->device, block->memory, NULL);
  g_atomic_pointer_add (&device->allocated[heap_index_of (heap, block->type)],
      -(gssize) block->size);
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

/* Returns the remaining budget in bytes that the driver reports now. */
static guint64
ask_for_budget (GpuDevice * device, guint32 index)
{
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT,
  };
  VkPhysicalDeviceMemoryProperties2 memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
    .pNext = &budget,
  };

  device->get_memory_budget (device->physical, &memory);
  return budget.heapBudget[index] > budget.heapUsage[index]
      ? budget.heapBudget[index] - budget.heapUsage[index] : 0;
}

guint64
gpu_heap_get_left (GpuHeap * heap)
{
  GpuDevice *device = heap->device;
  guint64 size, taken;
  guint32 index;

  if (heap->n_types == 0)
    return 0;
  index = heap_index_of (heap, heap->types[0]);
  if (device->get_memory_budget)
    return ask_for_budget (device, index);
  size = device->memory.memoryHeaps[index].size;
  taken = (gsize) g_atomic_pointer_get (&device->allocated[index]);
  return size > taken ? size - taken : 0;
}

VkMemoryPropertyFlags
gpu_heap_get_flags (GpuHeap * heap)
{
  return heap->n_types == 0 ? 0
      : heap->device->memory.memoryTypes[heap->types[0]].propertyFlags;
}

static GpuHeapBlock *
block_new (GpuHeap * heap, guint32 type, VkDeviceSize size, GError ** error)
{
  GpuDevice *device = heap->device;
  /* Vulkan forbids allocations larger than the heap. */
  gboolean is_possible =
      size <= device->memory.memoryHeaps[heap_index_of (heap, type)].size;
  const VkExportMemoryAllocateInfo export = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = heap->is_exported ? &export : NULL,
    .allocationSize = size,
    .memoryTypeIndex = type,
  };
  g_autofree gchar *what = g_strdup_printf ("allocating %" G_GUINT64_FORMAT
      " MiB of %s memory", (guint64) (size >> 20),
      heap->is_mapped ? "host" : "device");
  VkDeviceMemory memory;
  void *data = NULL;

  if (!gpu_device_check (device, is_possible
          ? device->vk.vkAllocateMemory (device->device, &info, NULL, &memory)
          : VK_ERROR_OUT_OF_DEVICE_MEMORY, what, error))
    return NULL;
  if (heap->is_mapped
      && !gpu_device_check (device, device->vk.vkMapMemory (device->device,
              memory, 0, VK_WHOLE_SIZE, 0, &data), "mapping memory", error)) {
    device->vk.vkFreeMemory (device->device, memory, NULL);
    return NULL;
  }

  GpuHeapBlock *block = g_new0 (GpuHeapBlock, 1);
  FreeRange all = { 0, size };

  block->memory = memory;
  block->type = type;
  block->size = size;
  block->data = data;
  block->free = g_array_new (FALSE, FALSE, sizeof (FreeRange));
  g_array_append_val (block->free, all);
  g_atomic_pointer_add (&device->allocated[heap_index_of (heap, type)], size);
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

/* Takes a range from an existing block of @type. */
static GpuHeapBlock *
take_from_blocks (GpuHeap * heap, guint32 type,
    const VkMemoryRequirements * needs, VkDeviceSize * offset)
{
  for (guint i = 0; i < heap->blocks->len; i++) {
    GpuHeapBlock *block = g_ptr_array_index (heap->blocks, i);

    if (block->type == type
        && block_take (block, needs->size, needs->alignment, offset))
      return block;
  }
  return NULL;
}

/* Takes a range from a new block of @type, at @offset 0. */
static GpuHeapBlock *
take_from_new_block (GpuHeap * heap, guint32 type, VkDeviceSize size,
    gboolean is_dedicated, VkDeviceSize * offset, GError ** error)
{
  VkDeviceSize whole = is_dedicated ? size : BLOCK_SIZE;
  gint64 begin = gpu_trace_begin ();
  GpuHeapBlock *block = block_new (heap, type, whole, error);
  g_autofree gchar *reason = gpu_trace_reason ("no block has %" G_GUINT64_FORMAT
      " bytes left", (guint64) size);

  gpu_trace_end (begin, "allocate", reason, "%" G_GUINT64_FORMAT
      " bytes of %s memory from the driver", (guint64) whole,
      heap->is_mapped ? "host" : "device");
  if (!block)
    return NULL;
  block->is_dedicated = is_dedicated;
  g_ptr_array_add (heap->blocks, block);
  block_take (block, size, 1, offset);
  return block;
}

/* Takes a range from an existing or a new block of the best type with enough memory. It
 * tries all better types first, even if a worse type has a free range. On failure @error
 * is set if it is not set yet. */
static GpuHeapBlock *
take_best (GpuHeap * heap, const VkMemoryRequirements * needs,
    gboolean is_dedicated, VkDeviceSize * offset, GError ** error)
{
  GpuHeapBlock *block = NULL;

  for (guint i = 0; i < heap->n_types && !block; i++) {
    guint32 type = heap->types[i];

    if (!(needs->memoryTypeBits & (1u << type)))
      continue;
    block = take_from_blocks (heap, type, needs, offset);
    if (!block)
      block = take_from_new_block (heap, type, needs->size, is_dedicated,
          offset, *error ? NULL : error);
  }
  return block;
}

/* If no block of the normal size can be allocated, tries one of just the needed size. */
static GpuHeapBlock *
take_locked (GpuHeap * heap, const VkMemoryRequirements * needs,
    VkDeviceSize * offset, GError ** error)
{
  gboolean is_dedicated = heap->is_exported || needs->size > BLOCK_SIZE / 2;
  g_autoptr (GError) first_error = NULL;
  GpuHeapBlock *block = take_best (heap, needs, is_dedicated, offset,
      &first_error);

  if (!block && !is_dedicated)
    block = take_best (heap, needs, TRUE, offset, &first_error);
  if (!block && first_error)
    g_propagate_error (error, g_steal_pointer (&first_error));
  else if (!block)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
        "the driver has no type of memory for buffers; update it or choose "
        "another device");
  return block;
}

gboolean
gpu_heap_take (GpuHeap * heap, const VkMemoryRequirements * needs,
    GpuHeapPiece * piece, GError ** error)
{
  VkDeviceSize atom = heap->device->atom;
  /* Non-coherent ranges are flushed in multiples of nonCoherentAtomSize, so two pieces
   * must not share such an atom. */
  const VkMemoryRequirements in_atoms = {
    .size = ROUND_UP (needs->size, atom),
    .alignment = MAX (needs->alignment, MAX (atom, MIN_ALIGNMENT)),
    .memoryTypeBits = needs->memoryTypeBits
  };
  VkDeviceSize offset = 0;
  GpuHeapBlock *block;

  g_mutex_lock (&heap->lock);
  block = take_locked (heap, &in_atoms, &offset, error);
  g_mutex_unlock (&heap->lock);
  if (!block)
    return FALSE;

  piece->block = block;
  piece->memory = block->memory;
  piece->flags = heap->device->memory.memoryTypes[block->type].propertyFlags;
  piece->offset = offset;
  piece->size = in_atoms.size;
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

static gboolean
is_empty (const GpuHeapBlock * block)
{
  return block->free->len == 1
      && g_array_index (block->free, FreeRange, 0).size == block->size;
}

/* When caps change, frames are freed and allocated again. So one empty block of the best
 * type is kept. */
static gboolean
is_wanted (GpuHeap * heap, const GpuHeapBlock * block)
{
  if (!is_empty (block))
    return TRUE;
  if (block->is_dedicated || block->type != heap->types[0])
    return FALSE;
  for (guint i = 0; i < heap->blocks->len; i++) {
    const GpuHeapBlock *other = g_ptr_array_index (heap->blocks, i);

    if (other != block && is_empty (other))
      return FALSE;
  }
  return TRUE;
}

void
gpu_heap_give_back (GpuHeap * heap, const GpuHeapPiece * piece)
{
  GpuHeapBlock *block = piece->block;
  gboolean goes;

  g_mutex_lock (&heap->lock);
  block_give_back (block, piece->offset, piece->size);
  goes = !is_wanted (heap, block);
  if (goes)
    g_ptr_array_remove (heap->blocks, block);
  g_mutex_unlock (&heap->lock);
  /* Without the lock: drivers may be slow. */
  if (goes)
    block_free (heap, block);
}
