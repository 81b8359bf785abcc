/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes caps from the table of pixel formats (gpu/core/frame/format.h). */
#pragma once

#include <gst/video/video.h>
#include "gpu/core/frame/format.h"

G_BEGIN_DECLS

/* Returns whether to include the format. */
typedef gboolean (*GstGpuFormatsFilter) (GpuPixels pixels);

/* Returns caps with all formats that @is_wanted accepts and GStreamer knows, in the order
 * of the table: one structure for system memory, with only a format field. They are made
 * once for each function @is_wanted. The caller owns the reference. */
GstCaps *gst_gpu_formats_get_caps (GstGpuFormatsFilter is_wanted);

/* Adds the pad templates "sink" and "src". Their caps are the formats that @is_taken and
 * @is_made accept, then raw video with any caps features, which can pass through. */
void gst_gpu_formats_add_pads (GstElementClass * klass,
    GstGpuFormatsFilter is_taken, GstGpuFormatsFilter is_made);

/* Finds GStreamer's @format in the table. Returns FALSE if it is not there. */
gboolean gst_gpu_formats_find (GstVideoFormat format, GpuPixels * pixels);

G_END_DECLS
