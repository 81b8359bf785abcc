/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Format of the frames that a palette processes. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/frame/yuv.h"

G_BEGIN_DECLS

/* Holds for all frames from one gpu_palette_configure() to the next. */
typedef struct
{
  GpuPixels in, out;
  guint width, height;          /* of input and output, in pixels; not 0 */
  GpuYuv yuv;                   /* Y'CbCr parameters; required if @in or @out has
                                   luma (I420, NV12, GRAY8), else zeroed */
} GpuPaletteFormat;

G_END_DECLS
