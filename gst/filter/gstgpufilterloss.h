/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A device that is lost: whether that ends the stream, and what is said of it. */
#pragma once

#include "gst/memory/gstgpumemory.h"
#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Whether @error, whatever it says, comes with a loss of the device that is no end of the
 * stream: then the next frame has another one. Posts the one warning of each loss.
 * @allocator: of the memory that could not be mapped; NULL where it is not that. */
gboolean gst_gpu_filter_survives (GstGpuFilter * self,
    GstGpuAllocator * allocator, const GError * error);

/* One more device takes the place of a lost one. */
void gst_gpu_filter_count_recovery (GstGpuFilter * self);

/* Where work failed as the device was lost, @error says so from now on: many calls have
 * no result for that, and say something else. On the streaming thread. */
void gst_gpu_filter_name_loss (GstGpuFilter * self, GError ** error);

G_END_DECLS
