/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/memory/buffer.h"
#include "gpu/core/kernel/kernel.h"

G_BEGIN_DECLS

/* A stream is a ring of slots. A slot has a command buffer, a fence, timestamps,
 * descriptor sets, and references to everything that the device still reads. It starts
 * with enough room for the engines and never shrinks, so nothing is allocated while
 * frames are processed.
 *
 * One thread records; any thread may wait for tickets and read timings. All streams of a
 * device submit to its single queue for work. Every submission begins with a barrier after
 * all earlier ones, so work executes in the order of submission.
 *
 *   gpu_stream_begin, then stage / dispatch / copy, then
 *   gpu_stream_submit or gpu_stream_abandon
 *
 * A command that reads what an earlier one wrote, or writes what it read or wrote, begins
 * when that one is done: the stream knows from the shaders which bindings they write, and
 * records a barrier where one is needed. It takes a binding for the whole range that is bound;
 * gpu_stream_begin_disjoint() says more.
 *
 * Recording functions return nothing: the first error is kept, and gpu_stream_submit()
 * reports it. */
typedef struct _GpuStream GpuStream;

/* Identifies a submission and holds a reference to its stream. The work of the ticket
 * { NULL, 0 } counts as done. */
typedef struct
{
  GpuStream *stream;
  guint64 serial;
} GpuTicket;

#define GPU_MAX_STAGES 48       /* maximum number of names in GpuTimings */

/* The times of all stages with the same name in a frame. If not all commands were timed,
 * the times are those of the newest earlier frame in which they were, or 0. Times are 0
 * on a device without timestamps. */
typedef struct
{
  const gchar *name;
  guint count;                  /* number of times the stage was entered */
  guint dispatches;
  gboolean is_in_part;          /* not all of its commands were timed */
  gboolean is_apart;            /* a copy on a transfer queue (ring.h) */
  guint64 total;                /* ns */
  guint64 longest;              /* ns of the longest dispatch, fill or copy; joined
                                   dispatches count as one */
} GpuStageTime;

/* The timings of a frame. */
typedef struct
{
  guint64 frame;                /* counted by gpu_stream_next_frame() */
  guint submissions;
  guint64 span;                 /* ns from the first to the last command, with gaps, plus the
                                   times of copies on transfer queues */
  guint64 longest_dispatch;     /* ns of the longest command of any stage */
  guint64 longest_submission;   /* ns, without such copies */
  guint n_stages;
  GpuStageTime stages[GPU_MAX_STAGES];
} GpuTimings;

/* Returns a new stream with up to @n_slots (> 0) submissions in flight. @name: for
 * debuggers and traces. Holds a reference to @device. Returns NULL with @error set on
 * failure. */
GpuStream *gpu_stream_new (GpuDevice * device, guint n_slots,
    const gchar * name, GError ** error);
GpuStream *gpu_stream_ref (GpuStream * stream);
/* Dropping the last reference waits for the work in flight. If the device hangs,
 * everything it may still use is leaked: slots, buffers, the device itself. */
void gpu_stream_unref (GpuStream * stream);

/* Returns the device; the stream owns the reference. */
GpuDevice *gpu_stream_get_device (GpuStream * stream);

/* What a stream asks and tells its owner, on the recording thread. Any of them may be NULL. */
typedef struct
{
  /* Returns TRUE to cancel long work: the recording then fails with CANCELLED. Called before
   * each submission of a frame is recorded, after the wait for a slot, and while a dispatch
   * waits for its kernel. */
  gboolean (*is_cancelled) (gpointer data);
  /* Called about ten times a second while a dispatch waits for its kernel. @built, @n: see
   * gpu_kernels_count(). */
  void (*on_builds) (guint built, guint n, gpointer data);
  /* Called each time a part of a frame is done and another one follows (gpu_stream_go_on(),
   * gpu_stream_pace()). @done: the parts of the frame that are done. */
  void (*on_part) (guint done, gpointer data);
  gpointer data;
} GpuStreamHooks;

/* Replaces the hooks; a new stream has none. */
void gpu_stream_set_hooks (GpuStream * stream, const GpuStreamHooks * hooks);

/* Begins a new frame: later submissions count towards it in the timings. Each submission
 * is timed as a whole. Commands are also timed one by one in the first of every 32
 * frames, if the pacer needs to learn (gpu_pacer_begin()), and on request. */
void gpu_stream_next_frame (GpuStream * stream);

/* Requests that the commands of the next frame are timed one by one, for tests and
 * benchmarks. Thread safe. */
void gpu_stream_time_next_frame (GpuStream * stream);

/* Begins recording into the oldest slot. Waits if the device is still working on it
 * (GpuStreamCounts.slot_waits). Returns FALSE with @error set on failure (LOST,
 * OUT_OF_MEMORY, CANCELLED, or as gpu_process_enter()); then nothing is being recorded.
 * exit() waits until recordings are submitted or abandoned (process.h), so do no slow
 * work in between. (A dispatch that waits for its kernel gives up then.) The thread that
 * begins a recording also submits or abandons it. */
gboolean gpu_stream_begin (GpuStream * stream, GError ** error);

/* Ends the current stage and begins the stage @name, a static string. */
void gpu_stream_stage (GpuStream * stream, const gchar * name);

/* Fill with @word, and copy. Offsets and sizes are in bytes and multiples of 4, but any bytes can
 * be copied to or from an import (gpu/core/memory/import.h); size 0 records nothing. */
void gpu_stream_fill (GpuStream * stream, GpuBuffer * buffer, gsize offset,
    gsize size, guint32 word);
void gpu_stream_copy (GpuStream * stream, GpuBuffer * from, gsize from_offset,
    GpuBuffer * to, gsize to_offset, gsize size);
/* A buffer of kind EXPORTED (gpu/core/memory/export.h): bring to the shaders what others wrote
 * before the submission, or leave to others what was written. What is to be written anew need not
 * be acquired, and what was only read need not be released. */
void gpu_stream_acquire_export (GpuStream * stream, GpuBuffer * buffer);
void gpu_stream_release_export (GpuStream * stream, GpuBuffer * buffer);
/* Copy the whole of @from, the host's or the device's side of a frame, to @to, the other side,
 * as the stages "upload" and "download". Both are buffers of the same size, no parts of
 * others. A recording may upload once, before all other commands, and download once, after
 * them. Queues that only copy do it beside the work of other submissions, if the device has
 * such queues (ring.h). */
void gpu_stream_upload (GpuStream * stream, GpuBuffer * from, GpuBuffer * to);
void gpu_stream_download (GpuStream * stream, GpuBuffer * from, GpuBuffer * to);
/* Writes up to 65536 bytes of @data, which are copied into the command buffer. Offset and
 * size as above. */
void gpu_stream_write (GpuStream * stream, GpuBuffer * buffer, gsize offset,
    gconstpointer data, gsize size);

/* A kernel with its buffers and push constants. */
typedef struct
{
  GpuKernel *kernel;
  GpuBuffer *buffers[GPU_MAX_BINDINGS]; /* indexed by binding and bound as a whole;
                                   shaders.h names the bindings of each shader; all
                                   that the shader uses must be set, others are
                                   ignored */
  gconstpointer push;           /* push constants of the shader, with the struct from
                                   shaders.h; NULL if it has none */
} GpuDispatch;

/* Records a dispatch of @x * @y * @z workgroups; if that is 0, records nothing. Waits until
 * the kernel is built; if that fails, gpu_stream_submit() fails. The slot keeps references
 * to the buffers and copies the push constants. If a binding or the push constants of the
 * shader are missing, gpu_stream_submit() fails (FAILED). */
void gpu_stream_dispatch (GpuStream * stream, const GpuDispatch * dispatch,
    guint x, guint y, guint z);
/* Records an indirect dispatch: the device reads the numbers of workgroups (three words)
 * from @groups at @offset (bytes). The caller must ensure that they do not exceed
 * GpuDeviceInfo.max_groups. */
void gpu_stream_dispatch_indirect (GpuStream * stream,
    const GpuDispatch * dispatch, GpuBuffer * groups, gsize offset);

/* Commands recorded between these two calls use different parts of the buffers that they
 * share: other planes, rows or words, or the same words by atomic operations, in any order. So
 * no barrier comes between them. Pairs may be nested;
 * the outermost one counts. What was recorded before is finished first wherever it matters, as
 * always. An error may leave a pair open. */
void gpu_stream_begin_disjoint (GpuStream * stream);
void gpu_stream_end_disjoint (GpuStream * stream);

/* Times the next dispatch together with the previous one. There is no timestamp between
 * the two, so they can run concurrently, unless a barrier separates them. It has no effect
 * if a stage or a submission begins in between. If both are measured (gpu_stream_measure())
 * with the same work, their units and time are summed. */
void gpu_stream_join (GpuStream * stream);

/* Ends the recording and submits it. If @ticket is not NULL, it is set to the ticket of
 * the submission; the caller clears it with gpu_ticket_clear(). Returns FALSE with @error
 * set to the first error of the recording on failure; then nothing of it runs. */
gboolean gpu_stream_submit (GpuStream * stream, GpuTicket * ticket,
    GError ** error);
/* Discards the recording. Does nothing if there is none. */
void gpu_stream_abandon (GpuStream * stream);

/* A recording keeps its first error. From there on the functions that record do nothing, and
 * gpu_stream_submit() fails with that error. So callers that only record need not look. */

/* Makes the recording fail with @error, which it takes over. Does nothing else if it has
 * failed already. */
void gpu_stream_fail (GpuStream * stream, GError * error);
/* Returns FALSE with @error set to a copy of the recording's error if it has failed. */
gboolean gpu_stream_check (GpuStream * stream, GError ** error);
/* For functions that record a frame. Returns TRUE if @is_recorded, and the recording has not
 * failed. Otherwise discards it and returns FALSE; if it had failed, its error replaces *@error,
 * as it came first. */
gboolean gpu_stream_accept (GpuStream * stream, gboolean is_recorded,
    GError ** error);

/* Returns how many units of the work @key a dispatch should have at most, at least 1. To keep
 * dispatches and submissions short (pacer.h), split work into pieces of that size, and call
 * gpu_stream_pace() before recording each. @key identifies the kind of work, whose time per
 * unit is learned: the kernel or a static string; NULL: unknown work, of which nothing is
 * learned. A unit must take about as long in all dispatches of that work, and at most as long
 * as reading a sample and adding it to a few sums. */
guint64 gpu_stream_get_dispatch_units (GpuStream * stream, gconstpointer key);
/* Returns how many units the current submission still has time for, at least 1. */
guint64 gpu_stream_get_units_left (GpuStream * stream, gconstpointer key);

/* Submits the recording as a part of the frame, waits for it, and begins a new recording.
 * Returns FALSE with @error set if the recording has failed. Errors: see
 * gpu_stream_submit(), gpu_ticket_wait() and gpu_stream_begin(). */
gboolean gpu_stream_go_on (GpuStream * stream, GError ** error);

/* Call this before recording @units in one dispatch, fill or copy, from which the pacer learns
 * if it is timed. If the current submission has no time for them, does the same as
 * gpu_stream_go_on() and continues the stage. */
void gpu_stream_pace (GpuStream * stream, gconstpointer key, guint64 units);

/* Declares that the next dispatch, fill or copy does @units of the work @key, as
 * gpu_stream_pace() does. 0: only the device knows how many. @key NULL: nothing is
 * learned. */
void gpu_stream_measure (GpuStream * stream, gconstpointer key, guint64 units);
/* Times all further commands of this submission one by one. */
void gpu_stream_time_commands (GpuStream * stream);
/* Reports work whose units only the device knew: the commands of the newest submission known
 * to be done that gpu_stream_measure() was called for with 0 units did @units together. Call
 * gpu_stream_time_commands() before them, because the pacer learns only from timed
 * commands. */
void gpu_stream_measured (GpuStream * stream, gconstpointer key, guint64 units);

/* Returns the number of submissions so far. */
guint64 gpu_stream_get_serial (GpuStream * stream);

/* Sets @ticket to the ticket of the submission that is being recorded. It is not done
 * before it is submitted. If the recording is abandoned, the ticket is that of the next
 * submission. */
void gpu_stream_get_ticket (GpuStream * stream, GpuTicket * ticket);

/* Waits for all submissions so far. Errors: see gpu_ticket_wait(). */
gboolean gpu_stream_wait_idle (GpuStream * stream, GError ** error);

/* Counts since the stream was created. */
typedef struct
{
  guint64 slot_waits;           /* gpu_stream_begin() waited for a slot */
  guint64 pacer_waits;          /* gpu_stream_pace() submitted and waited */
  guint64 part_waits;           /* gpu_stream_go_on() submitted and waited */
  guint64 builds;               /* kernels that a recording, or the recording thread in
                                   between, waited for */
} GpuStreamCounts;

/* Fills in @counts; all 0 if the process may not use drivers (process.h). Thread safe. */
void gpu_stream_get_counts (GpuStream * stream, GpuStreamCounts * counts);

/* Fills in the timings of the newest frame of which all submissions are known to be done;
 * all 0 if the process may not use drivers. Thread safe. */
void gpu_stream_get_timings (GpuStream * stream, GpuTimings * timings);

/* Returns the name of the current stage, or NULL. */
const gchar *gpu_stream_get_stage (GpuStream * stream);

/* Waits until the submission is done and its writes are visible to the CPU (host buffers
 * still need gpu_buffer_invalidate()). Returns FALSE with @error set on failure: LOST;
 * OUT_OF_MEMORY, after which the caller may wait again; or as gpu_process_enter(). A
 * device that finishes nothing for ten seconds (a busy CPU device: for a minute) is marked
 * lost. Thread safe. */
gboolean gpu_ticket_wait (const GpuTicket * ticket, GError ** error);
/* Like gpu_ticket_wait(). @reason: why the caller waits, for the trace (trace.h). */
gboolean gpu_ticket_wait_because (const GpuTicket * ticket,
    const gchar * reason, GError ** error);
/* Returns FALSE while the submission is still being recorded (gpu_stream_get_ticket()).
 * Returns TRUE if the process may not use drivers; gpu_ticket_wait() then fails. */
gboolean gpu_ticket_is_submitted (const GpuTicket * ticket);
/* Returns whether gpu_ticket_wait() would return TRUE at once. If so, it takes note of it as
 * that does: the submission no longer uses its buffers, whose last references may go. */
gboolean gpu_ticket_is_done (const GpuTicket * ticket);
/* Makes @ticket a copy of @other, with its own reference to the stream. */
void gpu_ticket_set (GpuTicket * ticket, const GpuTicket * other);
/* Drops the reference to the stream and sets @ticket to { NULL, 0 }. */
void gpu_ticket_clear (GpuTicket * ticket);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuStream, gpu_stream_unref)

G_END_DECLS
