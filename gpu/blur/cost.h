/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a blur is expected to take: what auto goes by. */
#pragma once

#include "workload.h"

G_BEGIN_DECLS

/* ms, on a device of the kind that @device is: good for comparing, whatever device it
 * is. G_MAXDOUBLE of methods that are the fastest nowhere. */
gdouble gpu_blur_cost (GpuDevice * device, const GpuBlurWorkload * workload);

G_END_DECLS
