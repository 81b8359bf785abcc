/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits for submissions and releases the buffers of finished ones. Callers have entered
 * the gate (process.h). @reason: why the caller waits, for the trace (trace.h). */
#pragma once

#include "slot.h"

G_BEGIN_DECLS

/* Waits for the submission @serial. The caller holds the lock of the stream, which is
 * released while waiting, and must unlock it with gpu_stream_unlock_and_drop(). Errors:
 * see gpu_ticket_wait(). */
gboolean gpu_stream_wait_for (GpuStream * stream, guint64 serial,
    const gchar * reason, GError ** error);

/* Returns whether the submission @serial is done, without waiting. The caller holds the lock
 * of the stream, and must unlock it in the same way. */
gboolean gpu_stream_look_for (GpuStream * stream, guint64 serial);

/* Like gpu_stream_wait_idle(). */
gboolean gpu_stream_wait_idle_because (GpuStream * stream,
    const gchar * reason, GError ** error);

/* Releases the lock of the stream, and unreferences the buffers of finished
 * submissions. */
void gpu_stream_unlock_and_drop (GpuStream * stream);

/* Waits for all submissions even if the device is marked lost or a submission failed: the
 * device may still be working and must not lose its buffers. Takes the lock of the stream.
 * Returns FALSE if the device may still be working. */
gboolean gpu_stream_drain (GpuStream * stream);

G_END_DECLS
