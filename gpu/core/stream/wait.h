/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits for submissions; those that are done give back what they held. For who has
 * entered the gate (process.h). @reason is why somebody waits, for traces (trace.h). */
#pragma once

#include "slot.h"

G_BEGIN_DECLS

/* Waits for the submission @serial. With the stream's lock held, which others may have
 * meanwhile; what it needed is to be dropped by gpu_stream_unlock_and_drop(). FALSE with
 * @error set, as of gpu_ticket_wait(). */
gboolean gpu_stream_wait_for (GpuStream * stream, guint64 serial,
    const gchar * reason, GError ** error);

/* As gpu_stream_wait_idle(). */
gboolean gpu_stream_wait_idle_because (GpuStream * stream,
    const gchar * reason, GError ** error);

/* Drops the stream's lock, and the references to buffers that submissions gave back
 * under it. */
void gpu_stream_unlock_and_drop (GpuStream * stream);

/* Waits for all that was submitted, whatever is said of the device: one that
 * is lost, or refused to take the last of it, may still be at work and must not
 * find its buffers gone. Takes the stream's lock. FALSE where some of it may still
 * be at work. */
gboolean gpu_stream_drain (GpuStream * stream);

G_END_DECLS
