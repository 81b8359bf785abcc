/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long one waits for a device that may hang: never without bound. Who waits
 * for a fence looks up every GPU_LOOK_NS, to see whether the device got on with
 * anything. */
#pragma once

#include "vulkan.h"

#include <time.h>

G_BEGIN_DECLS

#define GPU_LOOK_NS (100 * G_GUINT64_CONSTANT (1000000))

/* What who waits saw when looking up last, and how often in a row. All zero
 * before the first look. */
typedef struct
{
  guint done;
  guint looks;                  /* that saw nothing done */
  clock_t worked;               /* quarters of a second of processor time */
  clock_t worked_before;        /* when something was done */
  guint idle_looks;             /* nor anybody at work */
} GpuHangTimeout;

/* After a look that found the fence not signalled: whether @device is taken to
 * hang. @done: a number that changes with all that the device gets done. */
gboolean gpu_hang_timeout_is_over (GpuHangTimeout * timeout, GpuDevice * device,
    guint done);

G_END_DECLS
