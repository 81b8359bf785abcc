/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects the times of submissions: timings per frame for users, times of
 * work for the pacer. */
#pragma once

#include "slot.h"

G_BEGIN_DECLS

/* Reads the timestamps of the finished submission in @slot. The caller holds the lock of
 * the stream. If the device has no timestamps, or they cannot be read, times are 0 and
 * the pacer learns nothing. */
void gpu_stream_collect (GpuStream * stream, GpuSlot * slot);

G_END_DECLS
