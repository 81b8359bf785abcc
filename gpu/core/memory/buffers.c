/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bufferhandle.h"
#include "gpu/core/device/trace.h"
#include "gpu/core/device/process.h"
#include "gpu/core/device/vulkan.h"

#define HOST_VISIBLE VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define HOST_COHERENT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
#define HOST_CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
#define DEVICE_LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define UNIFIED (DEVICE_LOCAL | HOST_VISIBLE | HOST_CACHED)

/* @families: those of the device's queues. No queue alone for copies uses what is exported. */
static VkBufferCreateInfo
create_info (const GpuBuffer * buffer, const guint32 families[2])
{
  static const VkExternalMemoryBufferCreateInfo export = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  gboolean is_exported = buffer->kind == GPU_BUFFER_EXPORTED;
  gboolean is_shared = families[0] != families[1] && !is_exported;
  VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .pNext = is_exported ? &export : NULL,
    .size = buffer->size,
    .usage =
        gpu_bindings_get_usage (buffer->device) | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    .sharingMode =
        is_shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
    .queueFamilyIndexCount = is_shared ? 2 : 0,
    .pQueueFamilyIndices = families,
  };

  return info;
}

/* --- memory --- */

/* One heap per kind. */
typedef struct
{
  GpuHeap *of_kind[3];
} Heaps;

static gpointer
make_heaps (GpuDevice * device)
{
  static const VkMemoryPropertyFlags device_wishes[] = { DEVICE_LOCAL, 0 };
  static const VkMemoryPropertyFlags host_wishes[] = {
    UNIFIED | HOST_COHERENT,
    UNIFIED,
    HOST_VISIBLE | HOST_CACHED | HOST_COHERENT,
    HOST_VISIBLE | HOST_CACHED,
    HOST_VISIBLE | HOST_COHERENT,
  };
  Heaps *heaps = g_new (Heaps, 1);

  heaps->of_kind[GPU_BUFFER_DEVICE] = gpu_heap_new (device, device_wishes,
      G_N_ELEMENTS (device_wishes), FALSE, FALSE);
  heaps->of_kind[GPU_BUFFER_HOST] = gpu_heap_new (device, host_wishes,
      G_N_ELEMENTS (host_wishes), TRUE, FALSE);
  heaps->of_kind[GPU_BUFFER_EXPORTED] = gpu_heap_new (device, device_wishes,
      G_N_ELEMENTS (device_wishes), FALSE, TRUE);
  return heaps;
}

static void
free_heaps (gpointer data)
{
  Heaps *heaps = data;

  for (guint i = 0; i < G_N_ELEMENTS (heaps->of_kind); i++)
    gpu_heap_free (heaps->of_kind[i]);
  g_free (heaps);
}

static const GpuDeviceObject heaps_object = { make_heaps, free_heaps };

static GpuHeap *
heap_of (GpuDevice * device, GpuBufferKind kind)
{
  Heaps *heaps = gpu_device_get_object (device, &heaps_object);

  return heaps->of_kind[kind];
}

/* An integrated device has no separate memory, even if its driver reports some. AMD's
 * DEVICE_LOCAL types are not cached; the cached types lie in the same DRAM. */
gboolean
gpu_device_has_unified_memory (GpuDevice * device)
{
  VkMemoryPropertyFlags wanted = device->info.kind == GPU_DEVICE_INTEGRATED
      ? HOST_VISIBLE | HOST_CACHED : UNIFIED;

  return !(wanted & ~gpu_heap_get_flags (heap_of (device, GPU_BUFFER_HOST)));
}

guint64
gpu_device_get_memory_left (GpuDevice * device)
{
  guint64 left;

  if (!gpu_process_enter (NULL))
    return 0;
  left = gpu_heap_get_left (heap_of (device, GPU_BUFFER_DEVICE));
  gpu_process_leave ();
  return left;
}

/* --- buffers --- */

static gboolean
check_size (GpuDevice * device, gsize size, gsize most, const gchar * name,
    GError ** error)
{
  /* The size will be rounded up to whole words. */
  if (size <= most / 4 * 4)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "%s needs %" G_GSIZE_FORMAT " bytes, but a buffer of %s holds at most %"
      G_GSIZE_FORMAT "; use smaller frames or another device", name, size,
      device->info.name, most);
  return FALSE;
}

static gboolean
create_and_bind (GpuBuffer * buffer, const gchar * name, GError ** error)
{
  GpuDevice *device = buffer->device;
  struct VolkDeviceTable *vk = &device->vk;
  const guint32 families[] = { device->queue_family, device->transfer_family };
  VkBufferCreateInfo info = create_info (buffer, families);
  VkMemoryRequirements needs;

  if (!gpu_device_check (device, vk->vkCreateBuffer (device->device, &info,
              NULL, &buffer->handle), name, error))
    return FALSE;
  vk->vkGetBufferMemoryRequirements (device->device, buffer->handle, &needs);
  if (!gpu_heap_take (heap_of (device, buffer->kind), &needs, &buffer->piece,
          error)) {
    g_prefix_error (error, "%s: ", name);
    return FALSE;
  }
  gpu_device_name_object (device, VK_OBJECT_TYPE_BUFFER,
      (guint64) buffer->handle, name);
  return gpu_device_check (device, vk->vkBindBufferMemory (device->device,
          buffer->handle, buffer->piece.memory, buffer->piece.offset), name,
      error);
}

/* Buffers that are too large to be bound have no texels. */
static gboolean
view_texels (GpuBuffer * buffer, const gchar * name, GError ** error)
{
  GpuDevice *device = buffer->device;

  if (buffer->size > device->info.max_binding)
    return TRUE;
  for (GpuTexels texels = 0; texels < GPU_N_TEXELS; texels++)
    if (!gpu_device_check (device, gpu_bindings_create_view (device,
                buffer->handle, buffer->offset, buffer->size, texels,
                &buffer->texels[texels]), name, error))
      return FALSE;
  return TRUE;
}

static void
trace_allocation (const GpuBuffer * buffer, gint64 begin, const gchar * name)
{
  g_autofree gchar *reason = gpu_open_frame_get_reason ();

  gpu_trace_end (begin, "allocate", reason, "buffer %s, %" G_GSIZE_FORMAT
      " bytes of %s memory", name, buffer->size,
      buffer->kind == GPU_BUFFER_HOST ? "host" : "device");
}

/* @most: maximum size in bytes. */
static GpuBuffer *
new_buffer (GpuDevice * device, GpuBufferKind kind, gsize size, gsize most,
    const gchar * name, GError ** error)
{
  gint64 begin = gpu_trace_begin ();
  GpuBuffer *buffer;
  gboolean done;

  if (!gpu_device_check_alive (device, error)
      || !check_size (device, size, most, name, error)
      || !gpu_process_enter (error))
    return NULL;
  buffer = g_new0 (GpuBuffer, 1);
  buffer->refs = 1;
  buffer->device = gpu_device_ref (device);
  buffer->kind = kind;
  buffer->size = (size + 3) & ~(gsize) 3;
  done = create_and_bind (buffer, name, error)
      && view_texels (buffer, name, error);
  trace_allocation (buffer, begin, name);
  if (!done)
    g_clear_pointer (&buffer, gpu_buffer_unref);
  gpu_process_leave ();
  return buffer;
}

GpuBuffer *
gpu_buffer_new (GpuDevice * device, GpuBufferKind kind, gsize size,
    const gchar * name, GError ** error)
{
  return new_buffer (device, kind, size,
      MIN (device->info.max_binding, device->info.max_buffer), name, error);
}

GpuBuffer *
gpu_buffer_new_large (GpuDevice * device, GpuBufferKind kind, gsize size,
    const gchar * name, GError ** error)
{
  return new_buffer (device, kind, size, device->info.max_buffer, name, error);
}

gboolean
gpu_buffer_ensure (GpuBuffer ** buffer, GpuDevice * device, gsize size,
    const gchar * name, GError ** error)
{
  GpuBuffer *larger;

  if (*buffer && gpu_buffer_get_size (*buffer) >= size)
    return TRUE;
  larger = gpu_buffer_new (device, GPU_BUFFER_DEVICE, size, name, error);
  if (!larger)
    return FALSE;
  g_clear_pointer (buffer, gpu_buffer_unref);
  *buffer = larger;
  return TRUE;
}

GpuBuffer *
gpu_buffer_new_part (GpuBuffer * whole, gsize offset, gsize size,
    GError ** error)
{
  GpuBuffer *part;

  g_return_val_if_fail (offset % GPU_BUFFER_PART_ALIGNMENT == 0, NULL);
  g_return_val_if_fail (size > 0 && size % 4 == 0
      && offset + size <= whole->size, NULL);
  if (!gpu_process_enter (error))
    return NULL;
  part = g_new0 (GpuBuffer, 1);
  part->refs = 1;
  part->device = gpu_device_ref (whole->device);
  part->kind = whole->kind;
  part->size = size;
  part->handle = whole->handle;
  part->whole = gpu_buffer_ref (whole);
  part->offset = offset;
  if (!view_texels (part, "a part of a buffer", error))
    g_clear_pointer (&part, gpu_buffer_unref);
  gpu_process_leave ();
  return part;
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

  if (!g_atomic_int_dec_and_test (&buffer->refs)
      || !gpu_process_enter (NULL))
    return;
  for (GpuTexels texels = 0; texels < GPU_N_TEXELS; texels++)
    device->vk.vkDestroyBufferView (device->device, buffer->texels[texels],
        NULL);
  if (buffer->whole)
    gpu_buffer_unref (buffer->whole);
  else
    device->vk.vkDestroyBuffer (device->device, buffer->handle, NULL);
  if (buffer->imported)
    device->vk.vkFreeMemory (device->device, buffer->imported, NULL);
  if (buffer->piece.block)
    gpu_heap_give_back (heap_of (device, buffer->kind), &buffer->piece);
  gpu_device_unref (device);
  g_free (buffer);
  gpu_process_leave ();
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

gsize
gpu_buffers_get_size (GpuBuffer * const *buffers, guint n)
{
  gsize size = 0;

  for (guint i = 0; i < n; i++)
    if (buffers[i])
      size += buffers[i]->size;
  return size;
}

gpointer
gpu_buffer_get_data (GpuBuffer * buffer)
{
  return buffer->piece.data;
}

/* --- flushing and invalidating --- */

static gboolean
is_cache_in_between (GpuBuffer * buffer)
{
  return buffer->piece.data && !(buffer->piece.flags & HOST_COHERENT);
}

/* Pieces begin and end at multiples of nonCoherentAtomSize (heap.c). */
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

/* @call: vkFlushMappedMemoryRanges or vkInvalidateMappedMemoryRanges. */
static gboolean
call_with_range (GpuBuffer * buffer, PFN_vkFlushMappedMemoryRanges call,
    const gchar * what, GError ** error)
{
  GpuDevice *device = buffer->device;
  VkMappedMemoryRange range = range_of (buffer);
  gboolean done;

  if (!is_cache_in_between (buffer))
    return TRUE;
  if (!gpu_process_enter (error))
    return FALSE;
  done = gpu_device_check (device, call (device->device, 1, &range), what,
      error);
  gpu_process_leave ();
  return done;
}

gboolean
gpu_buffer_flush (GpuBuffer * buffer, GError ** error)
{
  return call_with_range (buffer, buffer->device->vk.vkFlushMappedMemoryRanges,
      "writing the CPU's cache back", error);
}

gboolean
gpu_buffer_invalidate (GpuBuffer * buffer, GError ** error)
{
  return call_with_range (buffer,
      buffer->device->vk.vkInvalidateMappedMemoryRanges,
      "dropping the CPU's cache", error);
}
