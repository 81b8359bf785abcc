/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The device of a filter. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Opens a device, unless one is open and not lost. Errors: see gpu_device_open(). */
gboolean gst_gpu_filter_open_device (GstGpuFilter * self, GError ** error);
/* Drops the reference to the device. */
void gst_gpu_filter_close_device (GstGpuFilter * self);

/* Returns a new reference to the current device, or to another one if there is none or it
 * is lost. Returns NULL with @error set on failure; see gpu_device_open(). */
GpuDevice *gst_gpu_filter_find_device (GstGpuFilter * self, GError ** error);
/* Sets the device. Takes ownership of the reference. */
void gst_gpu_filter_set_device (GstGpuFilter * self, GpuDevice * device);

/* Replaces the device with that of @context, unless the filter has no device or has been
 * started. */
void gst_gpu_filter_take_device_of (GstGpuFilter * self, GstContext * context);

G_END_DECLS
