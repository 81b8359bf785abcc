/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long both engines take. */
#pragma once

#include "gpu/core/device/device.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Writes a line for each work to @to: the time of a frame of 1920 × 1080, of a small one on a
 * device that is slow, by its own clock. */
void check_write_times (FILE * to, GpuDevice * device);

G_END_DECLS
