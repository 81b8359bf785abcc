/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records commands into the open slot, with barriers where they need them. */
#include "gpu/core/memory/bufferhandle.h"
#include "gpu/core/kernel/kernelhandle.h"
#include "ring.h"

/* --- hazards --- */

/* A command needs a barrier if it reads what was written since the last one, or writes what was
 * read or written since. Between commands that are declared disjoint it needs none, except for
 * numbers of workgroups. */
typedef enum
{
  NO_HAZARD,
  HAZARD,                       /* needs a barrier */
  COUNTS_HAZARD,                /* needs a barrier also for numbers of workgroups */
} Hazard;

void
gpu_stream_begin_disjoint (GpuStream * stream)
{
  if (stream->hazards.disjoint++ == 0)
    stream->hazards.group++;
}

void
gpu_stream_end_disjoint (GpuStream * stream)
{
  g_return_if_fail (stream->hazards.disjoint > 0);
  stream->hazards.disjoint--;
}

static Hazard
hazard_between (const GpuPastAccess * past, const GpuAccess * next, guint group)
{
  if (past->access.handle != next->handle || past->access.begin >= next->end
      || next->begin >= past->access.end
      || !(past->access.is_write || next->is_write))
    return NO_HAZARD;
  if (next->is_counts)
    return COUNTS_HAZARD;
  return past->is_ordered || past->group == group ? NO_HAZARD : HAZARD;
}

static Hazard
find_hazard (const GpuHazards * hazards, const GpuAccess * next)
{
  Hazard hazard = NO_HAZARD;

  for (guint i = 0; i < hazards->accesses->len; i++)
    hazard = MAX (hazard, hazard_between (&g_array_index (hazards->accesses,
                GpuPastAccess, i), next, hazards->group));
  return hazard;
}

/* Forgets what a barrier orders. Writes are kept, as ordered, until there is one for numbers
 * of workgroups. */
static void
order_past (GpuHazards * hazards, Hazard barrier)
{
  guint kept = 0;

  for (guint i = 0; barrier != COUNTS_HAZARD && i < hazards->accesses->len; i++) {
    GpuPastAccess *past = &g_array_index (hazards->accesses, GpuPastAccess, i);

    if (!past->access.is_write)
      continue;
    past->is_ordered = TRUE;
    g_array_index (hazards->accesses, GpuPastAccess, kept++) = *past;
  }
  g_array_set_size (hazards->accesses, kept);
}

/* Takes note of @access, in place of one of the same bytes that is of the same group, or that
 * was ordered. */
static void
note_access (GpuHazards * hazards, const GpuAccess * access)
{
  const GpuPastAccess next = { *access, hazards->group, FALSE };

  for (guint i = 0; i < hazards->accesses->len; i++) {
    GpuPastAccess *past = &g_array_index (hazards->accesses, GpuPastAccess, i);

    if (past->access.handle == access->handle
        && past->access.begin == access->begin
        && past->access.end == access->end
        && past->access.is_write == access->is_write
        && (past->is_ordered || past->group == hazards->group)) {
      *past = next;
      return;
    }
  }
  g_array_append_val (hazards->accesses, next);
}

/* Takes note of the next command, and returns which barrier must come before it. */
static Hazard
add_accesses (GpuHazards * hazards, const GpuAccess * accesses, guint n)
{
  Hazard hazard = NO_HAZARD;

  if (hazards->disjoint == 0)
    hazards->group++;
  for (guint i = 0; i < n; i++)
    hazard = MAX (hazard, find_hazard (hazards, &accesses[i]));
  if (hazard != NO_HAZARD)
    order_past (hazards, hazard);
  for (guint i = 0; i < n; i++)
    note_access (hazards, &accesses[i]);
  return hazard;
}

/* Commands recorded before are finished, and their writes visible, before later commands
 * begin; with COUNTS, also before devices read numbers of workgroups. They read them before
 * they begin a dispatch, so that barrier takes longer: by 1 us on an H100. */
static void
record_barrier (GpuStream * stream, Hazard hazard)
{
  const VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  const gboolean is_for_counts = hazard == COUNTS_HAZARD;
  const VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT
        | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT
        | (is_for_counts ? VK_ACCESS_INDIRECT_COMMAND_READ_BIT : 0),
  };

  stream->device->vk.vkCmdPipelineBarrier (stream->recording->commands.buffer,
      stages,
      stages | (is_for_counts ? VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT : 0),
      0, 1, &barrier, 0, NULL, 0, NULL);
}

void
gpu_stream_order_after_earlier (GpuStream * stream)
{
  g_array_set_size (stream->hazards.accesses, 0);
  record_barrier (stream, COUNTS_HAZARD);
}

/* Records the barrier that a command with these accesses needs. */
static void
order_command (GpuStream * stream, const GpuAccess * accesses, guint n)
{
  Hazard hazard = add_accesses (&stream->hazards, accesses, n);

  if (hazard != NO_HAZARD)
    record_barrier (stream, hazard);
}

static GpuAccess
access_of (const GpuBuffer * buffer, gsize offset, gsize size,
    gboolean is_write)
{
  const gsize begin = buffer->offset + offset;

  return (GpuAccess) {
    buffer->handle, begin, begin + size, is_write};
}

gboolean
gpu_stream_can_record (GpuStream * stream)
{
  if (stream->error)
    return FALSE;
  g_return_val_if_fail (stream->recording != NULL, FALSE);
  return TRUE;
}

static void
keep_buffer (GpuStream * stream, GpuBuffer * buffer)
{
  g_ptr_array_add (stream->recording->buffers, gpu_buffer_ref (buffer));
}

static void
begin_record (GpuStream * stream, const gchar * name, gboolean is_continued)
{
  GpuSlot *slot = stream->recording;
  GpuStageRecord record = {.name = name, .is_continued = is_continued};

  /* If the table is full, the last record covers all further commands. */
  if (!gpu_stream_can_record (stream) || slot->n_records == GPU_MAX_RECORDS)
    return;
  record.is_joined = slot->n_records > 0 && !slot->times_commands;
  if (!record.is_joined)
    gpu_slot_write_tick (slot, stream->device);
  slot->records[slot->n_records++] = record;
  slot->is_record_used = FALSE;
}

void
gpu_stream_stage (GpuStream * stream, const gchar * name)
{
  begin_record (stream, name, FALSE);
}

const gchar *
gpu_stream_get_stage (GpuStream * stream)
{
  const GpuSlot *slot = stream->recording;

  return gpu_stream_can_record (stream) && slot->n_records
      ? slot->records[slot->n_records - 1].name : NULL;
}

void
gpu_stream_time_commands (GpuStream * stream)
{
  GpuSlot *slot = stream->recording;

  if (!gpu_stream_can_record (stream) || slot->times_commands)
    return;
  slot->times_commands = TRUE;
  /* A stage is open but has no command yet: time it from here. */
  if (slot->n_records > 1 && !slot->is_record_used) {
    slot->records[slot->n_records - 1].is_joined = FALSE;
    gpu_slot_write_tick (slot, stream->device);
  }
}

void
gpu_stream_measure (GpuStream * stream, gconstpointer key, guint64 units)
{
  stream->next_work = key;
  stream->next_units = units;
}

void
gpu_stream_join (GpuStream * stream)
{
  stream->joins_next = TRUE;
}

/* Returns the record that times the next dispatch, fill or copy. Each command has its own
 * record, so that the longest one is known, except joined dispatches. */
static GpuStageRecord *
record_of_command (GpuStream * stream)
{
  GpuSlot *slot = stream->recording;
  gboolean joins = stream->joins_next && slot->n_records > 0
      && slot->is_record_used;
  GpuStageRecord *record;

  stream->joins_next = FALSE;
  if (joins) {
    record = &slot->records[slot->n_records - 1];
    if (stream->next_work)
      record->units += stream->next_units;
    if (stream->next_work && stream->next_work != record->work)
      record->work = NULL;
    stream->next_work = NULL;
    return record;
  }
  /* Commands outside any stage are timed too. */
  if (slot->n_records == 0)
    begin_record (stream, "unnamed", FALSE);
  else if (slot->is_record_used)
    begin_record (stream, gpu_stream_get_stage (stream), TRUE);
  record = &slot->records[slot->n_records - 1];
  /* Of no known work if the record covers several commands. */
  record->work = slot->is_record_used ? NULL : stream->next_work;
  record->units = stream->next_units;
  stream->next_work = NULL;
  slot->is_record_used = TRUE;
  return record;
}

/* --- fills and copies --- */

gboolean
gpu_stream_prepare_copy (GpuStream * stream, GpuBuffer * from,
    gsize from_offset, GpuBuffer * to, gsize to_offset, gsize size)
{
  GpuAccess accesses[2];
  guint n = 0;

  if (!gpu_stream_can_record (stream) || size == 0)
    return FALSE;
  if (from) {
    accesses[n++] = access_of (from, from_offset, size, FALSE);
    keep_buffer (stream, from);
  }
  if (to) {
    accesses[n++] = access_of (to, to_offset, size, TRUE);
    keep_buffer (stream, to);
  }
  order_command (stream, accesses, n);
  record_of_command (stream);
  return TRUE;
}

void
gpu_stream_fill (GpuStream * stream, GpuBuffer * buffer, gsize offset,
    gsize size, guint32 word)
{
  if (gpu_stream_prepare_copy (stream, NULL, 0, buffer, offset, size))
    stream->device->vk.vkCmdFillBuffer (stream->recording->commands.buffer,
        buffer->handle, offset, size, word);
}

/* Takes the memory of @buffer from @others, or with @is_returned, gives it back to them. */
static void
transfer (GpuStream * stream, GpuBuffer * buffer, guint32 others,
    gboolean is_returned)
{
  const VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  const VkAccessFlags accesses =
      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  const guint32 ours = stream->device->queue_family;
  const VkBufferMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
    .srcAccessMask = is_returned ? accesses : 0,
    .dstAccessMask = is_returned ? 0 : accesses,
    .srcQueueFamilyIndex = is_returned ? ours : others,
    .dstQueueFamilyIndex = is_returned ? others : ours,
    .buffer = buffer->handle,
    .size = VK_WHOLE_SIZE,
  };

  stream->device->vk.vkCmdPipelineBarrier (stream->recording->commands.buffer,
      stages, stages, 0, 0, NULL, 1, &barrier, 0, NULL);
}

static void
transfer_import (GpuStream * stream, GpuBuffer * buffer, gboolean is_returned)
{
  if (buffer->imported)
    transfer (stream, buffer, VK_QUEUE_FAMILY_FOREIGN_EXT, is_returned);
}

static void
transfer_imports (GpuStream * stream, GpuBuffer * from, GpuBuffer * to,
    gboolean are_returned)
{
  transfer_import (stream, from, are_returned);
  transfer_import (stream, to, are_returned);
}

void
gpu_stream_acquire_export (GpuStream * stream, GpuBuffer * buffer)
{
  if (!gpu_stream_can_record (stream))
    return;
  keep_buffer (stream, buffer);
  transfer (stream, buffer, VK_QUEUE_FAMILY_EXTERNAL, FALSE);
}

void
gpu_stream_release_export (GpuStream * stream, GpuBuffer * buffer)
{
  if (!gpu_stream_can_record (stream))
    return;
  keep_buffer (stream, buffer);
  transfer (stream, buffer, VK_QUEUE_FAMILY_EXTERNAL, TRUE);
}

void
gpu_stream_copy (GpuStream * stream, GpuBuffer * from, gsize from_offset,
    GpuBuffer * to, gsize to_offset, gsize size)
{
  const VkBufferCopy region = { from_offset, to_offset, size };

  if (!gpu_stream_prepare_copy (stream, from, from_offset, to, to_offset, size))
    return;
  transfer_imports (stream, from, to, FALSE);
  stream->device->vk.vkCmdCopyBuffer (stream->recording->commands.buffer,
      from->handle, to->handle, 1, &region);
  transfer_imports (stream, from, to, TRUE);
}

void
gpu_stream_write (GpuStream * stream, GpuBuffer * buffer, gsize offset,
    gconstpointer data, gsize size)
{
  if (gpu_stream_prepare_copy (stream, NULL, 0, buffer, offset, size))
    stream->device->vk.vkCmdUpdateBuffer (stream->recording->commands.buffer,
        buffer->handle, offset, size, data);
}

/* --- dispatches --- */

static gboolean
check_binding (GpuStream * stream, GpuKernel * kernel, GpuBuffer * buffer)
{
  const GpuDeviceInfo *info = &stream->device->info;

  if (buffer->size <= info->max_binding)
    return TRUE;
  g_set_error (&stream->error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "%s works on %" G_GSIZE_FORMAT " bytes at once, but %s binds at most %"
      G_GSIZE_FORMAT "; use smaller frames or another device",
      kernel->shader->name, buffer->size, info->name, info->max_binding);
  return FALSE;
}

/* Binds what @dispatch has for binding @i. Returns whether something else was bound. */
static gboolean
take_binding (GpuBindings * bound, const GpuDispatch * dispatch, guint i)
{
  const GpuBuffer *buffer = dispatch->buffers[i];
  const guint32 fours = dispatch->kernel->shader->fours;
  const VkBufferView texels =
      buffer->texels[fours >> i & 1 ? GPU_TEXELS_FOURS : GPU_TEXELS_WORDS];
  const VkDescriptorBufferInfo info = {
    buffer->handle, buffer->offset, buffer->size
  };
  const VkDescriptorBufferInfo *before = &bound->buffers[i];
  gboolean is_other = before->buffer != info.buffer
      || before->offset != info.offset || before->range != info.range
      || bound->texels[i] != texels;

  bound->buffers[i] = info;
  bound->texels[i] = texels;
  return is_other;
}

/* Vulkan ignores bindings that the kernel does not use, but Mesa's CPU rasteriser reads
 * them. So they must not refer to freed buffers. */
static void
bind_unused (GpuBindings * bound, guint32 used)
{
  const guint some = g_bit_nth_lsf (used, -1);

  for (guint i = 0; i < GPU_MAX_BINDINGS; i++) {
    if (used >> i & 1)
      continue;
    bound->buffers[i] = bound->buffers[some];
    bound->texels[i] = bound->texels[some];
  }
}

/* Binds a descriptor set with the buffers of @dispatch. Keeps the bound set if it already
 * has them, because solvers run the same few kernels repeatedly. */
static void
bind_buffers (GpuStream * stream, const GpuDispatch * dispatch)
{
  GpuSlot *slot = stream->recording;
  GpuDevice *device = stream->device;
  guint32 bindings = dispatch->kernel->shader->bindings;
  VkDescriptorSet set;
  gboolean same = (slot->bindings & bindings) == bindings;

  for (guint32 left = bindings; left; left &= left - 1) {
    guint i = g_bit_nth_lsf (left, -1);

    if (take_binding (&slot->bound, dispatch, i))
      same = FALSE;
  }
  if (same)
    return;
  for (guint32 left = bindings; left; left &= left - 1)
    keep_buffer (stream, dispatch->buffers[g_bit_nth_lsf (left, -1)]);
  bind_unused (&slot->bound, bindings);
  slot->bindings = bindings;
  set = gpu_slot_next_set (slot, device, &stream->error);
  if (!set)
    return;
  gpu_bindings_write (device, set, &slot->bound);
  device->vk.vkCmdBindDescriptorSets (slot->commands.buffer,
      VK_PIPELINE_BIND_POINT_COMPUTE, device->pipeline_layout, 0, 1,
      &set, 0, NULL);
}

/* Checks that all bindings and push constants of the shader are set and can be bound. */
static gboolean
check_dispatch (GpuStream * stream, const GpuDispatch * dispatch)
{
  const GpuShader *shader = dispatch->kernel->shader;

  for (guint32 left = shader->bindings; left; left &= left - 1) {
    gint i = g_bit_nth_lsf (left, -1);

    if (!dispatch->buffers[i])
      g_set_error (&stream->error, GPU_ERROR, GPU_ERROR_FAILED,
          "%s was given no buffer for binding %d", shader->name, i);
    if (stream->error
        || !check_binding (stream, dispatch->kernel, dispatch->buffers[i]))
      return FALSE;
  }
  if (shader->push_size > 0 && !dispatch->push)
    g_set_error (&stream->error, GPU_ERROR, GPU_ERROR_FAILED,
        "%s was given no push constants", shader->name);
  return stream->error == NULL;
}

/* Called while a dispatch waits for its kernel. Returns whether it goes on waiting. */
static gboolean
tell_of_builds (gpointer data)
{
  GpuStream *stream = data;
  guint built, n = gpu_kernels_count (stream->device, &built);

  if (stream->hooks.on_builds)
    stream->hooks.on_builds (built, n, stream->hooks.data);
  return !gpu_stream_is_cancelled (stream);
}

/* @counts: the numbers of workgroups, or NULL. */
static void
order_dispatch (GpuStream * stream, const GpuDispatch * dispatch,
    const GpuAccess * counts)
{
  const GpuShader *shader = dispatch->kernel->shader;
  GpuAccess accesses[GPU_MAX_BINDINGS + 1];
  guint n = 0;

  for (guint32 left = shader->bindings; left; left &= left - 1) {
    const guint i = g_bit_nth_lsf (left, -1);
    const GpuBuffer *buffer = dispatch->buffers[i];

    accesses[n++] =
        access_of (buffer, 0, buffer->size, shader->writes >> i & 1);
  }
  if (counts)
    accesses[n++] = *counts;
  order_command (stream, accesses, n);
}

static gboolean
prepare_dispatch (GpuStream * stream, const GpuDispatch * dispatch,
    const GpuAccess * counts)
{
  GpuSlot *slot = stream->recording;
  GpuKernel *kernel = dispatch->kernel;
  struct VolkDeviceTable *vk = &stream->device->vk;

  if (!check_dispatch (stream, dispatch)
      || !gpu_kernel_wait (kernel, tell_of_builds, stream, &stream->error))
    return FALSE;
  bind_buffers (stream, dispatch);
  if (stream->error)
    return FALSE;
  if (stream->bound_pipeline != kernel->pipeline) {
    vk->vkCmdBindPipeline (slot->commands.buffer,
        VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    stream->bound_pipeline = kernel->pipeline;
  }
  if (kernel->shader->push_size > 0)
    vk->vkCmdPushConstants (slot->commands.buffer,
        stream->device->pipeline_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
        kernel->shader->push_size, dispatch->push);
  order_dispatch (stream, dispatch, counts);
  record_of_command (stream)->dispatches++;
  return TRUE;
}

static gboolean
check_groups (GpuStream * stream, GpuKernel * kernel, guint x, guint y, guint z)
{
  const guint *limits = stream->device->info.max_groups;

  if (x <= limits[0] && y <= limits[1] && z <= limits[2])
    return TRUE;
  g_set_error (&stream->error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "%s needs %u x %u x %u workgroups, but %s runs at most %u x %u x %u; "
      "use smaller frames", kernel->shader->name, x, y, z,
      stream->device->info.name, limits[0], limits[1], limits[2]);
  return FALSE;
}

void
gpu_stream_dispatch (GpuStream * stream, const GpuDispatch * dispatch, guint x,
    guint y, guint z)
{
  if (gpu_stream_can_record (stream) && x && y && z
      && check_groups (stream, dispatch->kernel, x, y, z)
      && prepare_dispatch (stream, dispatch, NULL))
    stream->device->vk.vkCmdDispatch (stream->recording->commands.buffer, x, y,
        z);
}

void
gpu_stream_dispatch_indirect (GpuStream * stream, const GpuDispatch * dispatch,
    GpuBuffer * groups, gsize offset)
{
  GpuAccess counts;

  if (!gpu_stream_can_record (stream))
    return;
  counts = access_of (groups, offset, 3 * sizeof (guint32), FALSE);
  counts.is_counts = TRUE;
  if (!prepare_dispatch (stream, dispatch, &counts))
    return;
  keep_buffer (stream, groups);
  stream->device->vk.vkCmdDispatchIndirect (stream->recording->commands.buffer,
      groups->handle, offset);
}
