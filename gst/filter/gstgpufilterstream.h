/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The stream and the allocator of a filter, which exist from start to stop. */
#pragma once

#include "gst/common/gstgpuprogress.h"
#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* The progress of the kernels that a frame waits for. */
extern const GstGpuProgressKind gst_gpu_filter_builds;

/* The progress of a frame that takes long. */
extern const GstGpuProgressKind gst_gpu_filter_parts;

/* Creates the stream and the allocator, on another device if the current one is lost. On
 * failure nothing changes. Errors: see gpu_device_open(). */
gboolean gst_gpu_filter_open_stream (GstGpuFilter * self, GError ** error);
/* Releases the stream, the allocator, the pools and the subclass's objects. Frames that
 * are still in use keep references to what they need. */
void gst_gpu_filter_release_stream (GstGpuFilter * self);

/* If the device is lost and the stream survives that, opens another device. Returns TRUE
 * also if the device is fine, and if the loss ends the stream: then the frame fails later.
 * Returns FALSE with @error set if no device can be opened; see gpu_device_open(). */
gboolean gst_gpu_filter_replace_lost_device (GstGpuFilter * self,
    GError ** error);

G_END_DECLS
