/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element gpublur. */
#pragma once

#include "gst/filter/gstgpufilter.h"

G_BEGIN_DECLS

#define GST_TYPE_GPU_BLUR (gst_gpu_blur_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuBlur, gst_gpu_blur, GST, GPU_BLUR, GstGpuFilter)

GST_ELEMENT_REGISTER_DECLARE (gpublur);

G_END_DECLS
