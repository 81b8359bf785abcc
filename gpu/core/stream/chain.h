/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A submission is a chain of batches, most often of one: the work. With transfer queues there
 * are up to three, on three queues: the upload, the work, the download. Each waits for the one
 * before it by a semaphore, and the last one signals the fence. So a ticket is that of the
 * whole chain. The fences of a stream are signalled in order: if the chain of an earlier
 * submission that may be under way ends on the download queue, this one ends there too, with
 * an empty batch.
 *
 * The work of all submissions is done in order. So later work also sees what was uploaded
 * for earlier work. But an upload may run before earlier work, or an earlier download, is
 * done; and work may run before an earlier download is done. This matters if they use the
 * same buffers, which is rare: the CPU waits for both before it writes a frame, and a pool
 * has more frames than are under way. So the submissions under way that use a buffer are
 * counted. If it matters, the chain begins with an empty batch on the queue that must be
 * waited for. Its semaphore is signalled when all that was submitted to that queue is
 * done. */
#pragma once

#include "slot.h"

G_BEGIN_DECLS

/* Call this when recording into @slot begins. The caller holds the lock of the stream. */
void gpu_stream_ready_chain (GpuStream * stream, GpuSlot * slot);
/* Submits the recorded commands and copies. Returns DEVICE_LOST if a part of them was
 * submitted and the rest cannot be. The caller holds queue_lock. */
VkResult gpu_slot_send (GpuSlot * slot, GpuDevice * device);
/* Call this when they are known to be done, before gpu_slot_release(). */
void gpu_slot_end_chain (GpuSlot * slot, GpuDevice * device);

G_END_DECLS
