/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Detects a device that hangs. A thread that waits for a fence wakes up every
 * GPU_LOOK_NS and checks whether the device has made progress. */
#pragma once

#include "vulkan.h"

#include <time.h>

G_BEGIN_DECLS

#define GPU_LOOK_NS (100 * G_GUINT64_CONSTANT (1000000))

/* State of one waiting thread. Zeroed before the first check. */
typedef struct
{
  guint done;                   /* value at the last check */
  guint looks;                  /* checks in a row without progress */
  clock_t worked;               /* CPU time of the process at the last check, in units
                                   of 1/4 s */
  clock_t worked_before;        /* the same at the last progress */
  guint idle_looks;             /* checks since the last progress and CPU time at which no
                                   other thread was running or waiting for a core */
} GpuHangTimeout;

/* Call this after a check found the fence not signalled. Returns whether @device is
 * taken to hang. @done: a number that changes whenever the device makes progress. */
gboolean gpu_hang_timeout_is_over (GpuHangTimeout * timeout, GpuDevice * device,
    guint done);

G_END_DECLS
