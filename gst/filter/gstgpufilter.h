/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Base class of the video filters on the GPU. It handles the device and its sharing,
 * buffers, transfers, errors and statistics. A subclass records the work of a frame.
 *
 * The output of an input frame is pushed at once, while the device still works on it; a
 * map of the output waits for the device. */
#define GST_TYPE_GPU_FILTER (gst_gpu_filter_get_type ())
#define GST_GPU_FILTER(object) \
    (G_TYPE_CHECK_INSTANCE_CAST ((object), GST_TYPE_GPU_FILTER, GstGpuFilter))
#define GST_GPU_FILTER_CLASS(klass) \
    (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_GPU_FILTER, GstGpuFilterClass))
#define GST_IS_GPU_FILTER(object) \
    (G_TYPE_CHECK_INSTANCE_TYPE ((object), GST_TYPE_GPU_FILTER))

GType gst_gpu_filter_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGpuFilter, gst_object_unref)

G_END_DECLS
