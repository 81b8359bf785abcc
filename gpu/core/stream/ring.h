/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The members of GpuStream, for use inside gpu/core/stream. A stream is a ring of slots. A slot
 * holds the objects of one recording and references to everything that the device reads until
 * it is done: ring.c opens a slot, record.c records commands, submit.c ends a
 * recording, transfers.c hands it to the queues, with copies of frames on queues of their own,
 * and wait.c waits until it is done. */
#pragma once

#include "gpu/core/device/bindings.h"
#include "gpu/core/device/commands.h"
#include "gpu/core/device/trace.h"
#include "pacer.h"
#include "stream.h"
#include "timings.h"

G_BEGIN_DECLS

#define GPU_MAX_RECORDS 1024    /* maximum number of timed records per submission */

/* --- transfer queues ---
 *
 * A card has engines that only copy. Where a family of queues is for these alone, and has two
 * (gpu/core/open/open.c), frames are uploaded on one of them and downloaded on the other, while
 * shaders work on other frames. On other devices, and in streams with few slots, both are
 * commands among those of the work. transfers.c says in which order all this is done. */

/* The most batches of a submission: an empty one each on two queues, the upload, the work, the
 * download. Between each two of them is a semaphore. */
#define GPU_MAX_BATCHES 5

/* A copy on a transfer queue. */
typedef struct
{
  VkCommandBuffer commands;
  guint first_query;            /* timestamps: before the copy, and after it */
  GpuBuffer *from, *to;         /* kept by the slot; NULL: nothing is recorded */
} GpuTransfer;

/* What a slot has for them; all NULL on a device without transfer queues. */
typedef struct
{
  VkCommandPool pool;
  GpuTransfer upload, download;
  gboolean follows_download_queue;      /* an earlier submission of the stream, whose last
                                   batch is on the download queue, may be under way */
  VkQueryPool queries;          /* VK_NULL_HANDLE if the queues have no timestamps */
  gboolean is_reset;            /* the queries can be used */
  gboolean is_timed;            /* they are, by the copies at hand */
  VkSemaphore semaphores[GPU_MAX_BATCHES - 1];
} GpuTransfers;

/* --- what others lend (images.h) --- */

/* Of a submission: four planes each of an input and an output, and one between two batches. */
#define GPU_MAX_SEMAPHORES 9

/* Timeline semaphores with values, and binary ones, with any. */
typedef struct
{
  guint n;
  VkSemaphore handles[GPU_MAX_SEMAPHORES];
  guint64 values[GPU_MAX_SEMAPHORES];
} GpuSemaphores;

/* See gpu_stream_keep(). */
typedef struct
{
  gpointer object;
  void (*submitted) (gpointer object);
  GDestroyNotify release;
} GpuGuest;

/* --- slots and streams --- */

/* The bytes of a buffer that a command reads or writes. */
typedef struct
{
  VkBuffer handle;
  gsize begin, end;
  gboolean is_write;
  gboolean is_counts;           /* read as numbers of workgroups, before the command begins */
} GpuAccess;

/* An access of an earlier command. */
typedef struct
{
  GpuAccess access;
  guint group;
  gboolean is_ordered;          /* a barrier followed, but none for numbers of workgroups */
} GpuPastAccess;

/* What record.c keeps to find out where a recording needs barriers. */
typedef struct
{
  GArray *accesses;             /* of GpuPastAccess: since the last barrier; and writes before
                                   it, if no barrier for numbers of workgroups followed them */
  guint disjoint;               /* number of gpu_stream_begin_disjoint() without its end */
  guint group;                  /* of the newest command; disjoint commands are one
                                   group */
} GpuHazards;

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
  GArray *guests;               /* of GpuGuest; until then, too */
  GpuSemaphores waits, signals; /* of others */
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
  GpuStreamHooks hooks;
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
  GArray *released_guests;      /* to be released without it */
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

/* --- ring.c --- */

/* Like gpu_stream_begin(), but goes on with a frame, and with what is declared disjoint. */
gboolean gpu_stream_resume (GpuStream * stream, GError ** error);

/* Returns whether the work is not wanted any more. */
gboolean gpu_stream_is_cancelled (GpuStream * stream);

/* Records a timestamp if the device supports them. */
void gpu_slot_write_tick (GpuSlot * slot, GpuDevice * device);
/* Records the last timestamp. */
void gpu_slot_end_ticks (GpuSlot * slot, GpuDevice * device);
/* Reads the n_ticks timestamps of a finished submission, without waiting. Returns whether
 * there are any. */
gboolean gpu_slot_read_ticks (GpuSlot * slot, GpuDevice * device,
    guint64 * ticks);
/* Moves what the slot keeps to what gpu_stream_unlock_and_drop() releases. */
void gpu_stream_release_slot (GpuStream * stream, GpuSlot * slot);
/* Returns a descriptor set that no earlier dispatch of this recording uses. Allocates more
 * sets if necessary. Returns VK_NULL_HANDLE with @error set on failure. */
VkDescriptorSet gpu_slot_next_set (GpuSlot * slot, GpuDevice * device,
    GError ** error);

/* --- record.c --- */

/* Orders what is recorded from here on after all earlier submissions. */
void gpu_stream_order_after_earlier (GpuStream * stream);
/* Returns whether commands may be recorded. After an error the rest of the recording makes no
 * Vulkan calls. */
gboolean gpu_stream_can_record (GpuStream * stream);
/* Prepares a command that reads @size bytes of @from and writes as many of @to; one of them may
 * be NULL. Returns whether there is something to record. */
gboolean gpu_stream_prepare_copy (GpuStream * stream, GpuBuffer * from,
    gsize from_offset, GpuBuffer * to, gsize to_offset, gsize size);

/* --- images.c --- */

/* Tells the owners of what others lent that it is in use. */
void gpu_slot_tell_guests (const GpuSlot * slot);
/* Call this when the submission is known to be done, before its guests may free what they
 * keep. */
void gpu_slot_wait_for_signals (const GpuSlot * slot, GpuDevice * device);

/* --- transfers.c --- */

/* Creates the Vulkan objects. @transfers must be zeroed. @name: for debuggers. Returns FALSE
 * with @error set on failure; the caller must then still call gpu_transfers_clear(). */
gboolean gpu_transfers_init (GpuTransfers * transfers, GpuDevice * device,
    const gchar * name, GError ** error);
void gpu_transfers_clear (GpuTransfers * transfers, GpuDevice * device);
/* Call this when recording into @slot began. The caller holds the lock of the stream. */
void gpu_stream_ready_transfers (GpuStream * stream, GpuSlot * slot);
/* Returns whether @transfer, which is done, was timed, and sets *@time to its ns then. */
gboolean gpu_transfer_get_time (const GpuTransfer * transfer,
    const GpuTransfers * transfers, GpuDevice * device, guint64 * time);
/* Submits the recorded commands and copies. Returns DEVICE_LOST if some of them were
 * submitted and the rest cannot be. The caller has locked the queues. */
VkResult gpu_slot_send (GpuSlot * slot, GpuDevice * device);
/* Call this when they are known to be done, before gpu_stream_release_slot(). */
void gpu_slot_end_chain (GpuSlot * slot, GpuDevice * device);

/* --- submit.c ---
 *
 * The device knows which streams have submitted work recently. If several have, each must let
 * the others use the device often (pacer.h). */

/* Returns whether a stream other than @stream has submitted work recently. Takes
 * queue_lock; do not call this with the lock of the stream held. */
gboolean gpu_stream_is_sharing (GpuStream * stream);
/* Forgets @stream, which is being freed. Takes queue_lock. */
void gpu_stream_forget_work (GpuStream * stream);

/* --- wait.c ---
 *
 * Callers have entered the gate (process.h). @reason: why the caller waits, for the trace
 * (trace.h). */

/* Waits for the submission @serial. The caller holds the lock of the stream, which is
 * released while waiting, and must unlock it with gpu_stream_unlock_and_drop(). Errors:
 * see gpu_ticket_wait(). */
gboolean gpu_stream_wait_for (GpuStream * stream, guint64 serial,
    const gchar * reason, GError ** error);
/* Like gpu_stream_wait_idle(). */
gboolean gpu_stream_wait_idle_because (GpuStream * stream,
    const gchar * reason, GError ** error);
/* Releases the lock of the stream, and what finished submissions kept. */
void gpu_stream_unlock_and_drop (GpuStream * stream);
/* Waits for all submissions even if the device is marked lost or a submission failed: the
 * device may still be working and must not lose its buffers. Takes the lock of the stream.
 * Returns FALSE if the device may still be working. */
gboolean gpu_stream_drain (GpuStream * stream);

G_END_DECLS
