/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The device of a filter, and how it is found. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Unless there is a device that works. Errors: as of gpu_device_open(). */
gboolean gst_gpu_filter_open_device (GstGpuFilter * self, GError ** error);
void gst_gpu_filter_close_device (GstGpuFilter * self);

/* The one that is there, or another where it was lost. A reference. */
GpuDevice *gst_gpu_filter_find_device (GstGpuFilter * self, GError ** error);
/* Takes the reference. */
void gst_gpu_filter_set_device (GstGpuFilter * self, GpuDevice * device);

/* In place of the device that was found without @context, that of @context, unless
 * frames flow. */
void gst_gpu_filter_take_device_of (GstGpuFilter * self, GstContext * context);

G_END_DECLS
