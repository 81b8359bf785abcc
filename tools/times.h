/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Measures the time of both engines. */
#pragma once

#include "gpu/core/device/device.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Writes one line per kind of work to @to: the time of a frame of 1920 × 1080, or of a
 * small frame on a slow device (gpu_device_is_slow()), from the device's timestamps. */
void check_write_times (FILE * to, GpuDevice * device);

G_END_DECLS
