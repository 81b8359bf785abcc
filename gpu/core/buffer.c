/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bufferhandle.h"
#include "vulkan.h"

#define HOST_VISIBLE VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define HOST_COHERENT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
#define HOST_CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
#define DEVICE_LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT

static VkBufferCreateInfo
create_info (gsize size)
{
  VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .size = size,
    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
        | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT
        | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
  };

  return info;
}

/* The first type that has one of @wishes, which stand best first. */
static gint
find_memory_type (GpuDevice * device, guint32 allowed,
    const VkMemoryPropertyFlags * wishes, guint n_wishes)
{
  for (guint w = 0; w < n_wishes; w++)
    for (guint i = 0; i < device->memory.memoryTypeCount; i++)
      if ((allowed & (1u << i))
          && !(wishes[w] & ~device->memory.memoryTypes[i].propertyFlags))
        return i;
  return -1;
}

gboolean
gpu_buffer_create_heaps (GpuDevice * device, GError ** error)
{
  /* Any device has a type for the last wish of each list. */
  static const VkMemoryPropertyFlags device_wishes[] = { DEVICE_LOCAL, 0 };
  static const VkMemoryPropertyFlags host_wishes[] = {
    HOST_VISIBLE | HOST_CACHED | HOST_COHERENT,
    HOST_VISIBLE | HOST_CACHED,
    HOST_VISIBLE | HOST_COHERENT,
  };
  VkBufferCreateInfo info = create_info (4);
  VkMemoryRequirements needs;
  VkBuffer probe;

  vkGetPhysicalDeviceMemoryProperties (device->physical, &device->memory);
  if (!gpu_device_check (device, device->vk.vkCreateBuffer (device->device,
              &info, NULL, &probe), "creating a buffer", error))
    return FALSE;
  /* Buffers of equal usage and flags may all live in the same types. */
  device->vk.vkGetBufferMemoryRequirements (device->device, probe, &needs);
  device->vk.vkDestroyBuffer (device->device, probe, NULL);
  device->heaps[GPU_BUFFER_DEVICE] = gpu_heap_new (device,
      find_memory_type (device, needs.memoryTypeBits, device_wishes,
          G_N_ELEMENTS (device_wishes)), FALSE);
  device->heaps[GPU_BUFFER_HOST] = gpu_heap_new (device,
      find_memory_type (device, needs.memoryTypeBits, host_wishes,
          G_N_ELEMENTS (host_wishes)), TRUE);
  return TRUE;
}

static gboolean
check_size (GpuDevice * device, gsize size, const gchar * name, GError ** error)
{
  /* In whole words, as the size will be. */
  if (size <= device->info.max_binding / 4 * 4)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "%s needs %" G_GSIZE_FORMAT " bytes, but a buffer of %s holds at most %"
      G_GSIZE_FORMAT "; use smaller frames or another device", name, size,
      device->info.name, device->info.max_binding);
  return FALSE;
}

static gboolean
create_and_bind (GpuBuffer * buffer, GpuHeap * heap, const gchar * name,
    GError ** error)
{
  GpuDevice *device = buffer->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkBufferCreateInfo info = create_info (buffer->size);
  VkMemoryRequirements needs;

  if (!gpu_device_check (device, vk->vkCreateBuffer (device->device, &info,
              NULL, &buffer->handle), name, error))
    return FALSE;
  vk->vkGetBufferMemoryRequirements (device->device, buffer->handle, &needs);
  if (!gpu_heap_take (heap, needs.size, needs.alignment, &buffer->piece, error)) {
    g_prefix_error (error, "%s: ", name);
    return FALSE;
  }
  gpu_device_name_object (device, VK_OBJECT_TYPE_BUFFER,
      (guint64) buffer->handle, name);
  return gpu_device_check (device, vk->vkBindBufferMemory (device->device,
          buffer->handle, buffer->piece.memory, buffer->piece.offset), name,
      error);
}

GpuBuffer *
gpu_buffer_new (GpuDevice * device, GpuBufferKind kind, gsize size,
    const gchar * name, GError ** error)
{
  GpuBuffer *buffer;

  if (!gpu_device_check_alive (device, error)
      || !check_size (device, size, name, error))
    return NULL;
  buffer = g_new0 (GpuBuffer, 1);
  buffer->refs = 1;
  buffer->device = gpu_device_ref (device);
  buffer->kind = kind;
  buffer->size = (size + 3) & ~(gsize) 3;
  if (!create_and_bind (buffer, device->heaps[kind], name, error)) {
    gpu_buffer_unref (buffer);
    return NULL;
  }
  return buffer;
}

GpuBuffer *
gpu_buffer_ref (GpuBuffer * buffer)
{
  g_atomic_int_inc (&buffer->refs);
  return buffer;
}

void
gpu_buffer_unref (GpuBuffer * buffer)
{
  GpuDevice *device = buffer->device;

  if (!g_atomic_int_dec_and_test (&buffer->refs))
    return;
  device->vk.vkDestroyBuffer (device->device, buffer->handle, NULL);
  if (buffer->piece.block)
    gpu_heap_give_back (device->heaps[buffer->kind], &buffer->piece);
  gpu_device_unref (device);
  g_free (buffer);
}

GpuDevice *
gpu_buffer_get_device (GpuBuffer * buffer)
{
  return buffer->device;
}

gsize
gpu_buffer_get_size (GpuBuffer * buffer)
{
  return buffer->size;
}

gpointer
gpu_buffer_get_data (GpuBuffer * buffer)
{
  return buffer->piece.data;
}

static gboolean
is_coherent (GpuBuffer * buffer)
{
  GpuDevice *device = buffer->device;
  guint32 type = gpu_heap_get_memory_type (device->heaps[buffer->kind]);

  return device->memory.memoryTypes[type].propertyFlags & HOST_COHERENT;
}

/* Pieces begin and end at whole atoms (heap.c). */
static VkMappedMemoryRange
range_of (GpuBuffer * buffer)
{
  VkMappedMemoryRange range = {
    .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
    .memory = buffer->piece.memory,
    .offset = buffer->piece.offset,
    .size = buffer->piece.size,
  };

  return range;
}

void
gpu_buffer_flush (GpuBuffer * buffer)
{
  GpuDevice *device = buffer->device;
  VkMappedMemoryRange range = range_of (buffer);

  if (!is_coherent (buffer)
      && device->vk.vkFlushMappedMemoryRanges (device->device, 1, &range))
    gpu_device_mark_lost (device);
}

void
gpu_buffer_invalidate (GpuBuffer * buffer)
{
  GpuDevice *device = buffer->device;
  VkMappedMemoryRange range = range_of (buffer);

  if (!is_coherent (buffer)
      && device->vk.vkInvalidateMappedMemoryRanges (device->device, 1, &range))
    gpu_device_mark_lost (device);
}
