/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpuport.h"

G_BEGIN_DECLS

/* Textures of GL ("memory:GLMemory"). */
extern const GstGpuPort gst_gpu_gl_port;

G_END_DECLS
