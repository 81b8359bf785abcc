/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Format of the frames that a palette processes. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/frame/format.h"
#include "gpu/palette/curve.h"

G_BEGIN_DECLS

/* Holds for all frames from one gpu_palette_configure() to the next. */
typedef struct
{
  GpuPixels in, out;
  guint width, height;          /* of input and output, in pixels; not 0 */
  GpuYuv yuv;                   /* Y'CbCr parameters; required if @in or @out has
                                   luma (Y'CbCr, grey), else zeroed */
  const GpuPaletteCurve *curve; /* of input and output; not owned, and read with every
                                   frame. NULL, as always if @out is indexed: codes
                                   are counted as they are */
} GpuPaletteFormat;

static inline gboolean
gpu_palette_format_needs_yuv (const GpuPaletteFormat * format)
{
  return gpu_pixels_get_format (format->in)->model != GPU_MODEL_RGB
      || gpu_pixels_get_format (format->out)->model != GPU_MODEL_RGB;
}

G_END_DECLS
