/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One slot of a stream: what a recording needs and what the device reads
 * until it is done. And the stream itself, a ring of them, for those who work on it:
 * begin.c opens a slot, record.c writes commands, submit.c has them done, wait.c waits
 * for that, collect.c reads what it took. */
#pragma once

#include "gpu/core/device/commands.h"
#include "gpu/core/device/openframe.h"
#include "pacer.h"
#include "stream.h"
#include "timings.h"

G_BEGIN_DECLS

#define GPU_MAX_RECORDS 1024    /* timed parts of one submission */

typedef struct
{
  GpuCommands commands;
  VkQueryPool queries;          /* null on a device without timestamps */
  guint n_ticks;                /* timestamps that were recorded */

  GArray *set_pools;            /* of VkDescriptorPool */
  GArray *sets;                 /* of VkDescriptorSet */
  guint sets_used;
  VkDescriptorBufferInfo bound[GPU_MAX_BINDINGS];       /* of the newest set */
  guint32 bindings;             /* bits of those that a dispatch asked for */

  GPtrArray *buffers;           /* references until the work is done; unrefs none
                                   by itself */
  GpuStageRecord records[GPU_MAX_RECORDS];
  guint n_records;
  gboolean is_record_used;      /* the last one has its dispatch, fill, copy */
  gboolean times_commands;      /* each from now on, not only the whole of them */

  guint64 serial;               /* of the submission it holds, 0 = none */
  guint64 frame;
  gboolean is_followed;         /* by more of its frame */
  GpuPacerAims aims;            /* what it is kept to */
  gboolean pending;             /* submitted, not yet known to be done */
  guint waiters;                /* threads inside vkWaitForFences */
} GpuSlot;

struct _GpuStream
{
  gint refs;
  GpuDevice *device;
  gchar *name;
  guint n_slots;
  GpuSlot *slots;

  /* Of the recording thread. */
  GpuCancel cancel;             /* may be NULL */
  gpointer cancel_data;
  GpuSlot *recording;
  VkPipeline bound_pipeline;
  GError *error;                /* the first of this recording */
  guint64 frame;
  gboolean times_frame;         /* each command of it */
  guint64 next_serial;
  gconstpointer next_cost;      /* of the command that comes next, or NULL */
  guint64 next_units;
  gboolean joins_next;          /* gpu_stream_join() */
  GpuOpenFrame open_frame;      /* for as long as it records */

  /* Of all threads. In a forked child the lock may be held for ever, by a thread that
   * only the parent has: nobody takes it where the process is over. */
  GMutex lock;
  GCond no_waiters;
  GPtrArray *released;          /* buffers to be dropped without the lock */
  GpuStreamCounts counts;       /* without builds, which open_frame has */
  gint wants_times;             /* of the next frame; atomic */
  GpuTimings timings;           /* of a whole frame... */
  GpuTimings next_timings;      /* ...and of what is known of a newer one */
  guint64 first_tick;           /* of that */
  GpuTimings last_timings;      /* of one submission... */
  GpuPacerAims last_aims;       /* ...and what was aimed at with it */
  GpuPacer pacer;
};

/* As gpu_stream_submit(), but the frame goes on afterwards. @reason: why it is cut here,
 * for the trace. */
gboolean gpu_stream_submit_part (GpuStream * stream, const gchar * reason,
    GError ** error);

/* FALSE with @error on failure; gpu_slot_clear() then still has to run. */
gboolean gpu_slot_init (GpuSlot * slot, GpuDevice * device,
    const gchar * name, GError ** error);
void gpu_slot_clear (GpuSlot * slot, GpuDevice * device);
/* Readies timestamps of a recording that begins; ahead of its first barrier, so
 * that the first of them does not wait for that. */
void gpu_slot_begin_ticks (GpuSlot * slot, GpuDevice * device);
/* Records a timestamp, where the device has any. */
void gpu_slot_write_tick (GpuSlot * slot, GpuDevice * device);
/* Hands on the references that the work needed. @to: an array that unrefs nothing by
 * itself. */
void gpu_slot_release (GpuSlot * slot, GPtrArray * to);
/* A descriptor set no earlier dispatch of this recording uses, or
 * VK_NULL_HANDLE with @error set. Grows the slot where it has to. */
VkDescriptorSet gpu_slot_next_set (GpuSlot * slot, GpuDevice * device,
    GError ** error);

G_END_DECLS
