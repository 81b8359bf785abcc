/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What frames need of the device, from the start to the stop. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Opens what frames need: stream and allocator, on another device where that which
 * is there was lost. Where this fails all stays as it was. Errors: as of
 * gpu_device_open(). */
gboolean gst_gpu_filter_open_stream (GstGpuFilter * self, GError ** error);
/* Gives up all that was made on the device for frames to come. Frames that are
 * still around keep what they need. */
void gst_gpu_filter_release_stream (GstGpuFilter * self);

/* Where the device was lost, and the stream outlives it, opens another. Also TRUE where
 * the loss is to end the stream: then the frame fails. Errors: as of gpu_device_open(). */
gboolean gst_gpu_filter_replace_lost_device (GstGpuFilter * self,
    GError ** error);

G_END_DECLS
