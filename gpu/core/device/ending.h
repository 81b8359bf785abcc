/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "vulkan.h"

G_BEGIN_DECLS

/* From now on, when the process calls exit(), @device is given nothing more to
 * do, and what it was given is waited for, some seconds, before its driver is
 * torn down. Call once it is open and has worked, so that its driver has said
 * what exit() is to do: exit() goes through that backwards. */
void gpu_device_watch_exit (GpuDevice * device);

G_END_DECLS
