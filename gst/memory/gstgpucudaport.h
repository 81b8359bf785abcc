/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpuport.h"

G_BEGIN_DECLS

/* Frames in CUDA memory, such as those of decoders on cards of NVIDIA. */
extern const GstGpuPort gst_gpu_cuda_port;

G_END_DECLS
