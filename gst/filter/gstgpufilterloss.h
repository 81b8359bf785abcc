/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles the loss of the device: decides whether the stream ends, and posts messages. */
#pragma once

#include "gst/memory/gstgpumemory.h"
#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Call this after a failure. Returns whether the device is lost and the stream survives
 * that; the next frame then gets another device. Posts one warning per loss. @error: logged
 * only. @allocator: allocator of the memory that could not be mapped; NULL for other
 * failures. */
gboolean gst_gpu_filter_survives (GstGpuFilter * self,
    GstGpuAllocator * allocator, const GError * error);

/* Counts a lost device that is being replaced. */
void gst_gpu_filter_count_recovery (GstGpuFilter * self);

/* Replaces *@error with GPU_ERROR_LOST if the device is lost: many Vulkan calls cannot
 * report the loss and return another error. Call this on the streaming thread. */
void gst_gpu_filter_name_loss (GstGpuFilter * self, GError ** error);

G_END_DECLS
