/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Installs the property "stats" with the id GST_GPU_FILTER_PROP_STATS. */
void gst_gpu_filter_install_stats (GObjectClass * object_class);

/* Returns the value of the property as a new structure, which the caller owns. Thread
 * safe. */
GstStructure *gst_gpu_filter_collect_stats (GstGpuFilter * self);

G_END_DECLS
