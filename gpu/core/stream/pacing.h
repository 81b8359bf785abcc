/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tracks which streams of a device have submitted work recently. If several have, each
 * must let the others use the device often (pacer.h). */
#pragma once

#include "slot.h"

G_BEGIN_DECLS

/* Records that @stream submits work now. The caller holds queue_lock. */
void gpu_stream_note_work (GpuStream * stream);

/* Forgets @stream, which is being freed. Takes queue_lock. */
void gpu_stream_forget_work (GpuStream * stream);

/* Returns whether a stream other than @stream has submitted work recently. Takes
 * queue_lock; do not call this with the lock of the stream held. */
gboolean gpu_stream_is_sharing (GpuStream * stream);

G_END_DECLS
