/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The expected time of a blur. AUTO chooses the method with the lowest. */
#pragma once

#include "workload.h"

G_BEGIN_DECLS

/* The expected time in ms on a typical device of the same kind as @device. Use it only to
 * compare methods. G_MAXDOUBLE: the method is never the fastest on such a device. */
gdouble gpu_blur_cost (GpuDevice * device, const GpuBlurWorkload * workload);

G_END_DECLS
