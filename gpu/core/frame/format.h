/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixel formats. Their table is in formats.h. */
#pragma once

#include <glib.h>
#include "formats.h"
#include "shaders/core/shared.h"

G_BEGIN_DECLS

typedef enum
{
#define VALUE(name, ...) GPU_PIXELS_##name,
  GPU_PIXEL_FORMATS (VALUE)
#undef VALUE
  GPU_N_PIXELS
} GpuPixels;

/* The meaning of samples. */
typedef enum
{
  GPU_MODEL_RGB,                /* R'G'B' */
  GPU_MODEL_YUV,                /* Y'CbCr */
  GPU_MODEL_GREY,               /* luma only */
} GpuColourModel;

#define GPU_MAX_PLANES 3

/* The description of a format. */
typedef struct
{
  const gchar *name;            /* GStreamer's name if it has the format */
  GpuColourModel model;
  guint sample;                 /* sample type: SAMPLE_… (shaders/core/shared.h) */
  guint n_planes;
  guint components[GPU_MAX_PLANES];     /* interleaved samples per pixel */
  guint shift[GPU_MAX_PLANES];  /* subsampling on both axes: log2 of the factor */
  gint red, green, blue;        /* index of each component in plane 0, or -1; a grey
                                   format uses one component for all three */
  gint alpha;                   /* index of the alpha component, or -1 */
  gint unused;                  /* index of the component to be written as 255, or -1 */
  gboolean is_indexed;          /* plane 0 has indexes into the palette, plane 1: 256
                                   words A << 24 | R << 16 | G << 8 | B */
} GpuPixelFormat;

/* Returns the description of @pixels; never NULL. */
const GpuPixelFormat *gpu_pixels_get_format (GpuPixels pixels);

/* Returns the bytes per pixel of a plane. */
guint gpu_pixel_format_get_size (const GpuPixelFormat * format, guint plane);

/* Returns the bits of a sample that is a code value; 0 if samples are floats. */
guint gpu_pixel_format_get_code_bits (const GpuPixelFormat * format);

/* Returns whether chroma has fewer samples than luma. */
gboolean gpu_pixel_format_is_subsampled (const GpuPixelFormat * format);

/* Returns the code value of @plane that means black. @full_range: luma uses all code
 * values instead of 16…235 (of 8 bits). */
guint gpu_pixel_format_get_black (const GpuPixelFormat * format, guint plane,
    gboolean full_range);

G_END_DECLS
