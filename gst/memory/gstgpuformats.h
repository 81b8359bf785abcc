/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of pixel formats (gpu/core/frame/format.h) as caps. */
#pragma once

#include <gst/video/video.h>
#include "gpu/core/frame/format.h"

G_BEGIN_DECLS

/* Which formats are meant. */
typedef gboolean (*GstGpuFormatsFilter) (GpuPixels pixels);

/* Those that @is_wanted is TRUE for and that GStreamer knows, in the table's order: caps
 * of system memory in one structure, which says nothing but formats. A new reference. */
GstCaps *gst_gpu_formats_get_caps (GstGpuFormatsFilter is_wanted);

/* Adds the templates of the pads "sink" and "src", with what they take and make: these
 * formats first, then raw video of any memory, which may pass. */
void gst_gpu_formats_add_pads (GstElementClass * klass,
    GstGpuFormatsFilter is_taken, GstGpuFormatsFilter is_made);

/* The row of GStreamer's @name; FALSE where there is none. */
gboolean gst_gpu_formats_find (const gchar * name, GpuPixels * pixels);

G_END_DECLS
