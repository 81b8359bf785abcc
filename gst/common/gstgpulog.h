/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Shows what gpu/ logs, which knows nothing of GStreamer, in GStreamer's log:
 * from now on its messages are in the debug category "gpu", and so, at GST_LEVEL_LOG,
 * is what it traces (gpu/core/device/trace.h). Any thread; more than once, which does
 * nothing more. */
void gst_gpu_log_init (void);

G_END_DECLS
