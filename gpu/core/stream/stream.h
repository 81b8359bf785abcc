/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/memory/buffer.h"
#include "cost.h"
#include "gpu/core/kernel/kernel.h"

G_BEGIN_DECLS

/* A ring of slots, each a command buffer with its fence, timestamps,
 * descriptor sets and references to everything the device still reads.
 * Each starts with room for what the engines record, and keeps what it grew
 * by: once frames run, nothing is allocated.
 *
 * One thread records; any thread may wait for tickets and read timings. All
 * streams of a device submit to its one queue, and every submission begins
 * with a barrier after all earlier ones: work is ordered as it was submitted.
 *
 *   gpu_stream_begin, then stage / dispatch / copy / barrier, then
 *   gpu_stream_submit or gpu_stream_abandon
 *
 * Recording calls return nothing: an error sticks and comes out of submit. */
typedef struct _GpuStream GpuStream;

/* Names one submission. Holds a reference on its stream. { NULL, 0 } is a
 * ticket whose work is done. */
typedef struct
{
  GpuStream *stream;
  guint64 serial;
} GpuTicket;

#define GPU_MAX_STAGES 48       /* names in GpuTimings */

/* What the stages of one name did in one frame. Where they are timed in part, times
 * are of an earlier frame, the newest in which they were timed as a whole, or 0.
 * Times are 0 on a device without timestamps. */
typedef struct
{
  const gchar *name;
  guint count;                  /* how often the stage was entered */
  guint dispatches;
  gboolean is_in_part;          /* not all of its commands were timed */
  guint64 total;                /* ns */
  guint64 longest;              /* ns, of a single dispatch, fill or copy, or of
                                   dispatches that are joined */
} GpuStageTime;

typedef struct
{
  guint64 frame;                /* as counted by gpu_stream_next_frame() */
  guint submissions;
  guint64 span;                 /* ns, first to last command, gaps included */
  guint64 longest_dispatch;     /* ns, the longest of any stage */
  guint64 longest_submission;   /* ns */
  guint n_stages;
  GpuStageTime stages[GPU_MAX_STAGES];
} GpuTimings;

/* @n_slots: 1 or more submissions in flight. @name: for debuggers. Returns a
 * new reference or NULL with @error set. */
GpuStream *gpu_stream_new (GpuDevice * device, guint n_slots,
    const gchar * name, GError ** error);
GpuStream *gpu_stream_ref (GpuStream * stream);
/* The last reference waits for the work in flight. Where the device hangs, what
 * it may still use is leaked: slots, buffers, the device itself. */
void gpu_stream_unref (GpuStream * stream);

GpuDevice *gpu_stream_get_device (GpuStream * stream);

/* TRUE: the work is not wanted any more. Asked on the recording thread. */
typedef gboolean (*GpuCancel) (gpointer data);

/* Ends long work between two submissions: once it has a slot,
 * gpu_stream_begin() asks @cancel from now on, and fails (CANCELLED) where that
 * is what it says. NULL, as at first: nobody is asked. */
void gpu_stream_set_cancel (GpuStream * stream, GpuCancel cancel,
    gpointer data);

/* Submissions from now on belong to a new frame of the timings. Each is timed as a
 * whole. Commands are timed one by one in the first of every 32 frames, where costs
 * matter (gpu_pacer_begin()), and where that is asked for. */
void gpu_stream_next_frame (GpuStream * stream);

/* The next frame that begins has its commands timed one by one. On any thread. */
void gpu_stream_time_next_frame (GpuStream * stream);

/* Starts recording into the oldest slot; waits for it where the device still
 * works on it (GpuStreamCounts.slot_waits). Errors: LOST,
 * OUT_OF_MEMORY, CANCELLED; nothing is recorded then. exit() waits for those who
 * record (process.h): what takes long does not come in between. */
gboolean gpu_stream_begin (GpuStream * stream, GError ** error);

/* Opens a named stage and closes the one before. @name: static. */
void gpu_stream_stage (GpuStream * stream, const gchar * name);

/* Everything recorded before is finished and visible to what follows. */
void gpu_stream_barrier (GpuStream * stream);

/* Offsets and sizes in bytes, multiples of 4; size 0 records nothing. */
void gpu_stream_fill (GpuStream * stream, GpuBuffer * buffer, gsize offset,
    gsize size, guint32 word);
void gpu_stream_copy (GpuStream * stream, GpuBuffer * from, gsize from_offset,
    GpuBuffer * to, gsize to_offset, gsize size);
/* Writes up to 65536 bytes that travel inside the command buffer. */
void gpu_stream_write (GpuStream * stream, GpuBuffer * buffer, gsize offset,
    gconstpointer data, gsize size);

/* What a dispatch runs, and on what. */
typedef struct
{
  GpuKernel *kernel;
  GpuBuffer *buffers[GPU_MAX_BINDINGS]; /* whole ones, by binding: shaders.h has the
                                   names of those that a shader looks at, all of
                                   which are to be there; others are ignored */
  gconstpointer push;           /* the shader's push constants, as shaders.h has
                                   them; NULL where it has none */
} GpuDispatch;

/* Records one dispatch of x*y*z workgroups (none: nothing is recorded). The slot
 * keeps references to buffers, and copies push constants. Where something is missing
 * that the shader looks at, the recording fails when it is submitted (FAILED). */
void gpu_stream_dispatch (GpuStream * stream, const GpuDispatch * dispatch,
    guint x, guint y, guint z);
/* The same with the numbers of workgroups (three words) read on the device
 * from @groups at @offset; the caller sees to it that they keep to
 * GpuDeviceInfo.max_groups. */
void gpu_stream_dispatch_indirect (GpuStream * stream,
    const GpuDispatch * dispatch, GpuBuffer * groups, gsize offset);

/* The dispatch that is recorded next is timed together with the one before it, as
 * if they were one: with no timestamp between them, they run side by side. Not
 * where another stage or submission begins between the two; a barrier there has
 * the second wait after all. What is measured of both is measured of them
 * together, if the cost is the same. */
void gpu_stream_join (GpuStream * stream);

/* Ends recording and submits. @ticket: where not NULL, replaced by this
 * submission's (gpu_ticket_clear() it in the end). On FALSE nothing of the
 * recording runs and @error tells the first thing that went wrong. */
gboolean gpu_stream_submit (GpuStream * stream, GpuTicket * ticket,
    GError ** error);
/* Throws away what was recorded since begin. */
void gpu_stream_abandon (GpuStream * stream);

/* Dispatches and submissions are kept short (pacer.h) by cutting work into
 * pieces of no more than so many units, and by saying so before any is
 * recorded. */
guint64 gpu_stream_get_dispatch_units (GpuStream * stream,
    const GpuCost * cost);
/* Units that what is recorded now may still have. At least 1. */
guint64 gpu_stream_get_units_left (GpuStream * stream, const GpuCost * cost);

/* Submits what is recorded as a part of a frame, waits for it, and begins anew. On
 * FALSE nothing is recorded, as after gpu_stream_begin(). */
gboolean gpu_stream_go_on (GpuStream * stream, GError ** error);

/* Call before recording @units. Where they are too many for what is recorded
 * now, submits that, waits for it, and begins anew, in the same stage. On FALSE
 * nothing is recorded, as after gpu_stream_begin(). */
gboolean gpu_stream_pace (GpuStream * stream, const GpuCost * cost,
    guint64 units, GError ** error);

/* The dispatch, fill or copy that is recorded next does @units: once it is
 * done, the cost is what it took, if it was timed. */
void gpu_stream_measure (GpuStream * stream, const GpuCost * cost,
    guint64 units);
/* Commands that are recorded from now on are timed one by one, until the submission
 * ends. */
void gpu_stream_time_commands (GpuStream * stream);
/* As gpu_stream_measure(), but afterwards, where the device alone knew how many: all
 * of stage @name in the newest submission that is known to be done did @units. Call
 * gpu_stream_time_commands() before that stage: what was not timed teaches nothing. */
void gpu_stream_measured (GpuStream * stream, const GpuCost * cost,
    guint64 units, const gchar * name);

/* Submissions so far. */
guint64 gpu_stream_get_serial (GpuStream * stream);

/* Replaces @ticket by that of the submission that is being recorded, which is
 * not done as long as it was not submitted. (One that is abandoned leaves its
 * ticket to the next.) */
void gpu_stream_get_ticket (GpuStream * stream, GpuTicket * ticket);

/* Waits for everything submitted so far. */
gboolean gpu_stream_wait_idle (GpuStream * stream, GError ** error);

/* Since the stream was made. */
typedef struct
{
  guint64 slot_waits;           /* gpu_stream_begin() had to wait */
  guint64 pacer_waits;          /* gpu_stream_pace() submitted, and waited for that */
  guint64 part_waits;           /* the same of gpu_stream_go_on() */
  guint64 builds;               /* of kernels, on a thread while it recorded */
} GpuStreamCounts;

/* All 0 where the process may not use drivers (process.h). */
void gpu_stream_get_counts (GpuStream * stream, GpuStreamCounts * counts);

/* Timings of the newest frame that is known to be done, all of its submissions
 * together. All 0 where the process may not use drivers. */
void gpu_stream_get_timings (GpuStream * stream, GpuTimings * timings);

/* The name of the stage that is open; NULL where none is. */
const gchar *gpu_stream_get_stage (GpuStream * stream);

/* Waits until the submission is done and its writes are visible to the CPU
 * (host buffers still need gpu_buffer_invalidate()). FALSE with @error set:
 * LOST, also where the device got nothing done for ten seconds, or a CPU at
 * work for a minute, which marks it lost; OUT_OF_MEMORY, after which one may wait
 * again. */
gboolean gpu_ticket_wait (const GpuTicket * ticket, GError ** error);
/* The same; @reason is why the caller waits, for the trace (trace.h). */
gboolean gpu_ticket_wait_because (const GpuTicket * ticket,
    const gchar * reason, GError ** error);
/* FALSE before what is being recorded is submitted; see
 * gpu_stream_get_ticket(). TRUE where the process may not use drivers, of which
 * gpu_ticket_wait() tells. */
gboolean gpu_ticket_is_submitted (const GpuTicket * ticket);
/* Whether gpu_ticket_wait() would return TRUE at once. */
gboolean gpu_ticket_is_done (const GpuTicket * ticket);
void gpu_ticket_set (GpuTicket * ticket, const GpuTicket * other);
void gpu_ticket_clear (GpuTicket * ticket);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuStream, gpu_stream_unref)

G_END_DECLS
