/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What frames a palette works on. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/frame/yuv.h"

G_BEGIN_DECLS

/* What all of them are, from one gpu_palette_configure() to the next. */
typedef struct
{
  GpuPixels in, out;
  guint width, height;          /* of both, in pixels; not 0 */
  GpuYuv yuv;                   /* how to read and write I420 and NV12: to be given
                                   where @in or @out is one, zeroed elsewhere */
} GpuPaletteFormat;

G_END_DECLS
