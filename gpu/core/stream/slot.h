/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A slot of a stream holds the objects of one recording and references to everything that
 * the device reads until it is done. A stream is a ring of slots: begin.c opens a slot,
 * record.c records commands, submit.c submits them, wait.c waits for them, collect.c reads
 * their times. */
#pragma once

#include "gpu/core/device/bindings.h"
#include "gpu/core/device/commands.h"
#include "gpu/core/device/trace.h"
#include "hazards.h"
#include "pacer.h"
#include "stream.h"
#include "timings.h"
#include "transfers.h"

G_BEGIN_DECLS

#define GPU_MAX_RECORDS 1024    /* maximum number of timed parts per submission */

typedef struct
{
  GpuCommands commands;
  GpuTransfers transfers;
  VkQueryPool queries;          /* VK_NULL_HANDLE on a device without timestamps */
  guint n_ticks;                /* number of recorded timestamps */
  GpuBuffer *ticks;             /* to which the submission copies them if queries_wait */

  GArray *set_pools;            /* of VkDescriptorPool */
  GArray *sets;                 /* of VkDescriptorSet */
  guint sets_used;
  GpuBindings bound;            /* of the newest set */
  guint32 bindings;             /* bit i is set: the kernel of that set uses binding i */

  GPtrArray *buffers;           /* references until the work is done; the array has no
                                   free function */
  GpuStageRecord records[GPU_MAX_RECORDS];
  guint n_records;
  gboolean is_record_used;      /* the last record has its dispatch, fill or copy */
  gboolean times_commands;      /* time each command from now on, not only the whole
                                   submission */

  guint64 serial;               /* number of the submission it holds; 0: none */
  guint64 frame;
  gboolean is_followed;         /* another submission of the same frame follows */
  GpuPacerAims aims;            /* target durations */
  gboolean pending;             /* submitted, not yet known to be done */
  guint waiters;                /* number of threads inside vkWaitForFences */
} GpuSlot;

struct _GpuStream
{
  gint refs;
  GpuDevice *device;
  gchar *name;
  guint n_slots;
  GpuSlot *slots;

  /* Used by the recording thread only. */
  GpuCancel cancel;             /* may be NULL */
  gpointer cancel_data;
  GpuBuildListener build_listener;      /* or NULL */
  gpointer build_listener_data;
  GpuPartListener part_listener;        /* or NULL */
  gpointer part_listener_data;
  guint parts_done;             /* of the frame */
  GpuSlot *recording;
  VkPipeline bound_pipeline;
  GError *error;                /* first error of this recording */
  guint64 frame;
  gboolean times_frame;         /* time each command of the frame */
  guint64 next_serial;          /* of the last submission */
  gconstpointer next_work;      /* kind of work of the next command, or NULL */
  guint64 next_units;
  gboolean joins_next;          /* gpu_stream_join() */
  GpuHazards hazards;
  GpuOpenFrame open_frame;      /* open while recording */

  /* Shared by all threads. In a forked child a thread of the parent may hold the lock for
   * ever, so do not take it once gpu_process_is_over(). */
  GMutex lock;
  GCond no_waiters;
  GPtrArray *released;          /* buffers to be unreferenced without the lock */
  GpuStreamCounts counts;       /* except builds, which open_frame counts */
  gint wants_times;             /* time each command of the next frame; atomic */
  GpuTimings timings;           /* of the newest complete frame */
  GpuTimings next_timings;      /* of a newer, incomplete frame */
  guint64 first_tick;           /* first timestamp of next_timings */
  guint64 last_ns;              /* duration of the newest submission */
  GpuPacerAims last_aims;       /* targets of that submission */
  GpuPacer pacer;
  gboolean knows_copies;        /* a copy on a transfer queue was timed */
};

/* Like gpu_stream_submit(), but more submissions of the frame follow. @reason: why the
 * frame is split here, for the trace. */
gboolean gpu_stream_submit_part (GpuStream * stream, const gchar * reason,
    GError ** error);

/* Reads the timestamps of the finished submission in @slot. The caller holds the lock of
 * the stream. If the device has no timestamps, or they cannot be read, times are 0 and
 * the pacer learns nothing. (collect.c) */
void gpu_stream_collect (GpuStream * stream, GpuSlot * slot);

/* The following track which streams of a device have submitted work recently. If several
 * have, each must let the others use the device often (pacer.h). (pacing.c) */

/* Records that @stream submits work now. The caller holds queue_lock. */
void gpu_stream_note_work (GpuStream * stream);
/* Forgets @stream, which is being freed. Takes queue_lock. */
void gpu_stream_forget_work (GpuStream * stream);
/* Returns whether a stream other than @stream has submitted work recently. Takes
 * queue_lock; do not call this with the lock of the stream held. */
gboolean gpu_stream_is_sharing (GpuStream * stream);

/* Like gpu_stream_begin(), but goes on with a frame, and with what is declared disjoint. */
gboolean gpu_stream_resume (GpuStream * stream, GError ** error);

/* Orders what is recorded from here on after all earlier submissions. (record.c) */
void gpu_stream_order_after_earlier (GpuStream * stream);

/* Creates the objects of a slot. Returns FALSE with @error set on failure; the caller must
 * then still call gpu_slot_clear(). */
gboolean gpu_slot_init (GpuSlot * slot, GpuDevice * device,
    const gchar * name, GError ** error);
void gpu_slot_clear (GpuSlot * slot, GpuDevice * device);
/* Resets queries at the start of a recording. Call this before the first barrier, so that
 * the first timestamp does not wait for the reset. */
void gpu_slot_begin_ticks (GpuSlot * slot, GpuDevice * device);
/* Records a timestamp if the device supports them. */
void gpu_slot_write_tick (GpuSlot * slot, GpuDevice * device);
/* Records the last timestamp. */
void gpu_slot_end_ticks (GpuSlot * slot, GpuDevice * device);
/* Reads the n_ticks timestamps of a finished submission, without waiting. Returns whether
 * there are any. */
gboolean gpu_slot_read_ticks (GpuSlot * slot, GpuDevice * device,
    guint64 * ticks);
/* Readies @slot, in which recording began, for copies. The caller holds the lock of the
 * stream. (transfers.c) */
void gpu_stream_ready_transfers (GpuStream * stream, GpuSlot * slot);
/* Moves the buffer references of the slot to @to, an array without a free function. */
void gpu_slot_release (GpuSlot * slot, GPtrArray * to);
/* Returns a descriptor set that no earlier dispatch of this recording uses. Allocates more
 * sets if necessary. Returns VK_NULL_HANDLE with @error set on failure. */
VkDescriptorSet gpu_slot_next_set (GpuSlot * slot, GpuDevice * device,
    GError ** error);

G_END_DECLS
