/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What submissions took: the timings of frames, for who asks for them, and what work
 * costs, for the pacer. */
#pragma once

#include "slot.h"

G_BEGIN_DECLS

/* Reads what the submission in @slot took: it is done, and still has its timestamps.
 * With the stream's lock held. Where the device has no timestamps, or they cannot be
 * read, its times are 0 and nothing is learned. */
void gpu_stream_collect (GpuStream * stream, GpuSlot * slot);

G_END_DECLS
