/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "slot.h"
#include "gpu/core/device/trace.h"
#include "gpu/core/memory/bufferhandle.h"

#include <string.h>

/* A stream starts with pools that are large enough for the largest recordings of both
 * engines, so that recordings allocate nothing. */
#define SETS_PER_POOL 64
#define FIRST_POOLS 2
#define FIRST_BUFFERS 1024

/* Number of queries reset at once: those that every submission has, then more if commands
 * are timed. */
#define FIRST_QUERIES 2
#define MORE_QUERIES 64
#define MOST_QUERIES (GPU_MAX_RECORDS + 1)

static gboolean
add_set_pool (GpuSlot * slot, GpuDevice * device, const gchar * name,
    GError ** error)
{
  VkDescriptorPool pool;
  VkDescriptorSet sets[SETS_PER_POOL];
  VkResult result = gpu_bindings_allocate (device, SETS_PER_POOL, &pool, sets);

  if (pool)
    g_array_append_val (slot->set_pools, pool);
  if (!gpu_device_check (device, result, name, error))
    return FALSE;
  g_array_append_vals (slot->sets, sets, SETS_PER_POOL);
  return TRUE;
}

static gboolean
init_ticks (GpuSlot * slot, GpuDevice * device, const gchar * name,
    GError ** error)
{
  const VkQueryPoolCreateInfo queries = {
    .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
    .queryType = VK_QUERY_TYPE_TIMESTAMP,
    .queryCount = MOST_QUERIES,
  };

  if (device->info.timestamp_period == 0)
    return TRUE;
  if (!gpu_device_check (device, device->vk.vkCreateQueryPool (device->device,
              &queries, NULL, &slot->queries), name, error))
    return FALSE;
  gpu_device_name_object (device, VK_OBJECT_TYPE_QUERY_POOL,
      (guint64) slot->queries, name);
  if (device->queries_wait)
    slot->ticks = gpu_buffer_new_large (device, GPU_BUFFER_HOST,
        MOST_QUERIES * sizeof (guint64), name, error);
  return slot->ticks || !device->queries_wait;
}

gboolean
gpu_slot_init (GpuSlot * slot, GpuDevice * device, const gchar * name,
    GError ** error)
{
  slot->set_pools = g_array_new (FALSE, FALSE, sizeof (VkDescriptorPool));
  slot->sets = g_array_new (FALSE, FALSE, sizeof (VkDescriptorSet));
  slot->buffers = g_ptr_array_sized_new (FIRST_BUFFERS);
  if (!gpu_commands_init (&slot->commands, device, name, error)
      || !gpu_transfers_init (&slot->transfers, device, name, error)
      || !init_ticks (slot, device, name, error))
    return FALSE;
  for (guint i = 0; i < FIRST_POOLS; i++)
    if (!add_set_pool (slot, device, name, error))
      return FALSE;
  return TRUE;
}

void
gpu_slot_clear (GpuSlot * slot, GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  if (!slot->set_pools)
    return;
  for (guint i = 0; i < slot->set_pools->len; i++)
    vk->vkDestroyDescriptorPool (device->device,
        g_array_index (slot->set_pools, VkDescriptorPool, i), NULL);
  vk->vkDestroyQueryPool (device->device, slot->queries, NULL);
  g_clear_pointer (&slot->ticks, gpu_buffer_unref);
  gpu_transfers_clear (&slot->transfers, device);
  gpu_commands_clear (&slot->commands, device);
  g_array_unref (slot->set_pools);
  g_array_unref (slot->sets);
  g_ptr_array_set_free_func (slot->buffers, (GDestroyNotify) gpu_buffer_unref);
  g_ptr_array_unref (slot->buffers);
}

/* Returns how many queries to reset before timestamp @tick is written. Few are reset at a
 * time, because some drivers emit a command for each (Mesa's for Intel in 22.3, for
 * Qualcomm and for NVIDIA). NVIDIA's own driver resets more than 256 queries at once with
 * a kernel. Blurs then finish 2 to 6 µs earlier than after a reset of 256 or fewer,
 * which uses no kernel (docs/internals/benchmarks.md). So all are reset at once there. */
static guint
count_queries_to_reset (GpuDevice * device, guint tick)
{
  if (device->driver == VK_DRIVER_ID_NVIDIA_PROPRIETARY)
    return tick == 0 ? MOST_QUERIES : 0;
  if (tick < FIRST_QUERIES)
    return tick == 0 ? FIRST_QUERIES : 0;
  return (tick - FIRST_QUERIES) % MORE_QUERIES == 0
      ? MIN (MORE_QUERIES, MOST_QUERIES - tick) : 0;
}

static void
reset_queries (GpuSlot * slot, GpuDevice * device)
{
  guint n = count_queries_to_reset (device, slot->n_ticks);

  if (n > 0)
    device->vk.vkCmdResetQueryPool (slot->commands.buffer, slot->queries,
        slot->n_ticks, n);
}

void
gpu_slot_begin_ticks (GpuSlot * slot, GpuDevice * device)
{
  slot->n_ticks = 0;
  if (slot->queries)
    reset_queries (slot, device);
}

void
gpu_slot_write_tick (GpuSlot * slot, GpuDevice * device)
{
  if (!slot->queries)
    return;
  if (slot->n_ticks > 0)
    reset_queries (slot, device);
  device->vk.vkCmdWriteTimestamp (slot->commands.buffer,
      VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot->queries, slot->n_ticks++);
}

/* Where reading queries waits, the submission brings its timestamps to the host itself.
 * Elsewhere it does not, as some drivers copy them with a kernel. */
void
gpu_slot_end_ticks (GpuSlot * slot, GpuDevice * device)
{
  gpu_slot_write_tick (slot, device);
  if (device->queries_wait && slot->n_ticks > 0)
    device->vk.vkCmdCopyQueryPoolResults (slot->commands.buffer, slot->queries,
        0, slot->n_ticks, slot->ticks->handle, 0, sizeof (guint64),
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

gboolean
gpu_slot_read_ticks (GpuSlot * slot, GpuDevice * device, guint64 * ticks)
{
  gsize size = slot->n_ticks * sizeof *ticks;

  if (slot->n_ticks == 0)
    return FALSE;
  if (!device->queries_wait)
    return device->vk.vkGetQueryPoolResults (device->device, slot->queries, 0,
        slot->n_ticks, size, ticks, sizeof *ticks, VK_QUERY_RESULT_64_BIT)
        == VK_SUCCESS;
  if (!gpu_buffer_invalidate (slot->ticks, NULL))
    return FALSE;
  memcpy (ticks, gpu_buffer_get_data (slot->ticks), size);
  return TRUE;
}

void
gpu_slot_release (GpuSlot * slot, GPtrArray * to)
{
  g_ptr_array_extend (to, slot->buffers, NULL, NULL);
  g_ptr_array_set_size (slot->buffers, 0);
}

static gboolean
grow_sets (GpuSlot * slot, GpuDevice * device, GError ** error)
{
  gint64 begin = gpu_trace_begin ();
  gboolean done = add_set_pool (slot, device, "creating descriptors", error);
  g_autofree gchar *reason = gpu_open_frame_get_reason ();

  gpu_trace_end (begin, "allocate", reason, "%d more sets of descriptors",
      SETS_PER_POOL);
  return done;
}

VkDescriptorSet
gpu_slot_next_set (GpuSlot * slot, GpuDevice * device, GError ** error)
{
  if (slot->sets_used == slot->sets->len && !grow_sets (slot, device, error))
    return VK_NULL_HANDLE;
  return g_array_index (slot->sets, VkDescriptorSet, slot->sets_used++);
}
