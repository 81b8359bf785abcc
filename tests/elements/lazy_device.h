/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes a device as slow as it can be: work that was submitted is done only
 * when somebody waits for it or for later work. What is used without waiting
 * is then wrong every time, and how often somebody waits does not depend on
 * the machine. */
#pragma once

#include "gpu/core/device/device.h"

G_BEGIN_DECLS

/* One device at a time; nothing may be running on it. */
void lazy_device_begin (GpuDevice * device);
/* Does what is left, and puts the device back as it was. */
void lazy_device_end (GpuDevice * device);

G_END_DECLS
