/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "vulkan.h"

G_BEGIN_DECLS

/* Registers a handler for exit(). It stops new submissions to @device and waits a few
 * seconds for those in flight, before the driver's own exit handlers run. exit()
 * runs handlers in reverse order, so call this after the device has executed work:
 * the driver must have registered its handlers by then. */
void gpu_device_watch_exit (GpuDevice * device);

/* Lets the handler of exit() run before the handlers that were registered since. Call this
 * when a driver may have registered handlers of its own, on any thread. */
void gpu_ending_comes_first (void);

G_END_DECLS
