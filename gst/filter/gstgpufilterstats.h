/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* The property, whose id is GST_GPU_FILTER_PROP_STATS. */
void gst_gpu_filter_install_stats (GObjectClass * object_class);

/* The value of the property. A new structure; any thread. */
GstStructure *gst_gpu_filter_collect_stats (GstGpuFilter * self);

G_END_DECLS
