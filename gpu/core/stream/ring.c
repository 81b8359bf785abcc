/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A stream and its ring of slots: their lifetime, and the begin of recordings. */
#include "ring.h"
#include "gpu/core/device/process.h"
#include "gpu/core/memory/bufferhandle.h"

#include <string.h>

/* --- slots --- */

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

/* On failure the caller must still call clear_slot(). */
static gboolean
init_slot (GpuSlot * slot, GpuDevice * device, const gchar * name,
    GError ** error)
{
  slot->set_pools = g_array_new (FALSE, FALSE, sizeof (VkDescriptorPool));
  slot->sets = g_array_new (FALSE, FALSE, sizeof (VkDescriptorSet));
  slot->buffers = g_ptr_array_sized_new (FIRST_BUFFERS);
  slot->guests = g_array_new (FALSE, FALSE, sizeof (GpuGuest));
  if (!gpu_commands_init (&slot->commands, device, name, error)
      || !gpu_transfers_init (&slot->transfers, device, name, error)
      || !init_ticks (slot, device, name, error))
    return FALSE;
  for (guint i = 0; i < FIRST_POOLS; i++)
    if (!add_set_pool (slot, device, name, error))
      return FALSE;
  return TRUE;
}

static void
clear_slot (GpuStream * stream, GpuSlot * slot)
{
  GpuDevice *device = stream->device;
  struct VolkDeviceTable *vk = &device->vk;

  if (!slot->set_pools)
    return;
  gpu_stream_release_slot (stream, slot);
  for (guint i = 0; i < slot->set_pools->len; i++)
    vk->vkDestroyDescriptorPool (device->device,
        g_array_index (slot->set_pools, VkDescriptorPool, i), NULL);
  vk->vkDestroyQueryPool (device->device, slot->queries, NULL);
  g_clear_pointer (&slot->ticks, gpu_buffer_unref);
  gpu_transfers_clear (&slot->transfers, device);
  gpu_commands_clear (&slot->commands, device);
  g_array_unref (slot->set_pools);
  g_array_unref (slot->sets);
  g_ptr_array_unref (slot->buffers);
  g_array_unref (slot->guests);
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

/* Resets queries at the start of a recording: before the first barrier, so that the first
 * timestamp does not wait for the reset. */
static void
begin_ticks (GpuSlot * slot, GpuDevice * device)
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
gpu_stream_release_slot (GpuStream * stream, GpuSlot * slot)
{
  g_ptr_array_extend (stream->released, slot->buffers, NULL, NULL);
  g_ptr_array_set_size (slot->buffers, 0);
  g_array_append_vals (stream->released_guests, slot->guests->data,
      slot->guests->len);
  g_array_set_size (slot->guests, 0);
}

VkDescriptorSet
gpu_slot_next_set (GpuSlot * slot, GpuDevice * device, GError ** error)
{
  if (slot->sets_used == slot->sets->len) {
    gint64 begin = gpu_trace_begin ();
    gboolean done = add_set_pool (slot, device, "creating descriptors", error);
    g_autofree gchar *reason = gpu_open_frame_get_reason ();

    gpu_trace_end (begin, "allocate", reason, "%d more sets of descriptors",
        SETS_PER_POOL);
    if (!done)
      return VK_NULL_HANDLE;
  }
  return g_array_index (slot->sets, VkDescriptorSet, slot->sets_used++);
}

/* --- streams --- */

static gboolean
init_slots (GpuStream * stream, GError ** error)
{
  gint64 begin = gpu_trace_begin ();
  gboolean done = gpu_process_enter (error);

  if (!done)
    return FALSE;
  for (guint i = 0; i < stream->n_slots && done; i++)
    done = init_slot (&stream->slots[i], stream->device, stream->name, error);
  gpu_trace_end (begin, "allocate", "it is new", "stream %s, %u slots",
      stream->name, stream->n_slots);
  gpu_process_leave ();
  return done;
}

GpuStream *
gpu_stream_new (GpuDevice * device, guint n_slots, const gchar * name,
    GError ** error)
{
  GpuStream *stream;

  g_return_val_if_fail (n_slots > 0, NULL);
  if (!gpu_device_check_alive (device, error))
    return NULL;
  stream = g_new0 (GpuStream, 1);
  stream->refs = 1;
  stream->device = gpu_device_ref (device);
  stream->name = g_strdup (name);
  stream->open_frame.stream = stream->name;
  stream->n_slots = n_slots;
  stream->slots = g_new0 (GpuSlot, n_slots);
  stream->hazards.accesses = g_array_new (FALSE, FALSE, sizeof (GpuPastAccess));
  gpu_pacer_init (&stream->pacer, device->info.kind);
  g_mutex_init (&stream->lock);
  g_cond_init (&stream->no_waiters);
  stream->released = g_ptr_array_new ();
  stream->released_guests = g_array_new (FALSE, FALSE, sizeof (GpuGuest));
  if (!init_slots (stream, error))
    g_clear_pointer (&stream, gpu_stream_unref);
  return stream;
}

GpuStream *
gpu_stream_ref (GpuStream * stream)
{
  g_atomic_int_inc (&stream->refs);
  return stream;
}

GpuDevice *
gpu_stream_get_device (GpuStream * stream)
{
  return stream->device;
}

void
gpu_stream_get_counts (GpuStream * stream, GpuStreamCounts * counts)
{
  *counts = (GpuStreamCounts) {0};
  if (gpu_process_is_over ())
    return;
  g_mutex_lock (&stream->lock);
  *counts = stream->counts;
  g_mutex_unlock (&stream->lock);
  counts->builds = g_atomic_int_get (&stream->open_frame.builds);
}

void
gpu_stream_set_hooks (GpuStream * stream, const GpuStreamHooks * hooks)
{
  stream->hooks = *hooks;
}

static void
free_stream (GpuStream * stream)
{
  gpu_stream_forget_work (stream);
  for (guint i = 0; i < stream->n_slots; i++)
    clear_slot (stream, &stream->slots[i]);
  g_mutex_lock (&stream->lock);
  gpu_stream_unlock_and_drop (stream);
  g_free (stream->slots);
  g_free (stream->name);
  g_array_unref (stream->hazards.accesses);
  g_ptr_array_unref (stream->released);
  g_array_unref (stream->released_guests);
  g_cond_clear (&stream->no_waiters);
  g_mutex_clear (&stream->lock);
  gpu_device_unref (stream->device);
  g_free (stream);
}

void
gpu_stream_unref (GpuStream * stream)
{
  if (!g_atomic_int_dec_and_test (&stream->refs)
      || !gpu_process_enter (NULL))
    return;
  gpu_stream_abandon (stream);
  /* If the device may still be working, leak everything it may use: the slots, their
   * buffers, and the stream's reference to the device. */
  if (gpu_stream_drain (stream))
    free_stream (stream);
  gpu_process_leave ();
}

/* --- recordings --- */

/* The fence must not be reset while threads wait for it. */
static void
wait_for_waiters (GpuStream * stream, GpuSlot * slot)
{
  gint64 begin = slot->waiters > 0 ? gpu_trace_begin () : 0;

  while (slot->waiters > 0)
    g_cond_wait (&stream->no_waiters, &stream->lock);
  gpu_trace_end (begin, "wait", "other threads have yet to see that it is done",
      "stream %s, submission %" G_GUINT64_FORMAT " of frame %" G_GUINT64_FORMAT,
      stream->name, slot->serial, slot->frame);
}

static gboolean
take_slot (GpuStream * stream, GpuSlot * slot, GError ** error)
{
  g_autofree gchar *reason = gpu_trace_reason ("frame %" G_GUINT64_FORMAT
      " needs a slot, and none of %u is free", stream->frame, stream->n_slots);
  gboolean done;

  g_mutex_lock (&stream->lock);
  if (slot->pending && stream->device->vk.vkGetFenceStatus
      (stream->device->device, slot->commands.fence) != VK_SUCCESS)
    stream->counts.slot_waits++;
  done = gpu_stream_wait_for (stream, slot->serial, reason, error);
  if (done)
    wait_for_waiters (stream, slot);
  gpu_stream_unlock_and_drop (stream);
  return done;
}

gboolean
gpu_stream_is_cancelled (GpuStream * stream)
{
  const GpuStreamHooks *hooks = &stream->hooks;

  return hooks->is_cancelled && hooks->is_cancelled (hooks->data);
}

static gboolean
check_wanted (GpuStream * stream, GError ** error)
{
  if (!gpu_stream_is_cancelled (stream))
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_CANCELLED,
      "the work of %s was cancelled", stream->name);
  return FALSE;
}

/* Resets @slot and sets its time limits from the pacer. */
static void
ready_slot (GpuStream * stream, GpuSlot * slot)
{
  gboolean is_shared, looks;

  slot->sets_used = 0;
  slot->bindings = 0;
  slot->n_records = 0;
  slot->frame = stream->frame;
  slot->is_followed = FALSE;
  slot->waits.n = slot->signals.n = 0;
  is_shared = gpu_stream_is_sharing (stream);
  g_mutex_lock (&stream->lock);
  looks = gpu_pacer_begin (&stream->pacer, is_shared);
  slot->aims = stream->pacer.aims;
  slot->times_commands = stream->times_frame || looks;
  gpu_stream_ready_transfers (stream, slot);
  g_mutex_unlock (&stream->lock);
}

gboolean
gpu_stream_resume (GpuStream * stream, GError ** error)
{
  GpuSlot *slot = &stream->slots[(stream->next_serial + 1) % stream->n_slots];

  g_return_val_if_fail (stream->recording == NULL, FALSE);
  /* Left when the recording is submitted or abandoned. */
  if (!gpu_process_enter (error))
    return FALSE;
  if (!gpu_device_check_alive (stream->device, error)
      || !take_slot (stream, slot, error)
      || !check_wanted (stream, error)
      || !gpu_device_check (stream->device,
          gpu_commands_begin (&slot->commands, stream->device), stream->name,
          error)) {
    gpu_process_leave ();
    return FALSE;
  }
  ready_slot (stream, slot);
  stream->next_work = NULL;
  stream->bound_pipeline = VK_NULL_HANDLE;
  stream->recording = slot;
  stream->open_frame.frame = stream->frame;
  gpu_open_frame_begin (&stream->open_frame);
  begin_ticks (slot, stream->device);
  /* A frame may go on here, with what the submission before wrote. */
  gpu_stream_order_after_earlier (stream);
  return TRUE;
}

gboolean
gpu_stream_begin (GpuStream * stream, GError ** error)
{
  /* A recording that failed may have left some open. */
  stream->hazards.disjoint = 0;
  return gpu_stream_resume (stream, error);
}

void
gpu_stream_fail (GpuStream * stream, GError * error)
{
  if (stream->error)
    g_error_free (error);
  else
    stream->error = error;
}

gboolean
gpu_stream_check (GpuStream * stream, GError ** error)
{
  if (stream->error)
    g_propagate_error (error, g_error_copy (stream->error));
  return stream->error == NULL;
}

void
gpu_stream_abandon (GpuStream * stream)
{
  if (stream->recording) {
    g_mutex_lock (&stream->lock);
    gpu_stream_release_slot (stream, stream->recording);
    gpu_stream_unlock_and_drop (stream);
    gpu_open_frame_end (&stream->open_frame);
    gpu_process_leave ();
  }
  stream->recording = NULL;
  g_clear_error (&stream->error);
}

gboolean
gpu_stream_accept (GpuStream * stream, gboolean is_recorded, GError ** error)
{
  if (stream->error) {
    g_clear_error (error);
    is_recorded = gpu_stream_check (stream, error);
  }
  if (!is_recorded)
    gpu_stream_abandon (stream);
  return is_recorded;
}
