/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpuport.h"

G_BEGIN_DECLS

/* The images of GStreamer's own Vulkan elements (vulkanupload, decoders and so on), on the
 * device that these share. Their library is opened with the first caps of such frames. */
extern const GstGpuPort gst_gpu_vulkan_port;

G_END_DECLS
