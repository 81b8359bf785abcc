/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Redirects the messages of gpu/, which does not depend on GStreamer, to the debug
 * category "gpu". Its trace (gpu/core/device/trace.h) appears there at GST_LEVEL_LOG.
 * Thread safe; repeated calls do nothing. */
void gst_gpu_log_init (void);

G_END_DECLS
