/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of pixel formats. A row is the complete description of a format. */
#pragma once

#include <glib.h>
#include "shaders/core/shared.h"

G_BEGIN_DECLS

typedef enum
{
  GPU_PIXELS_RGBA,
  GPU_PIXELS_BGRA,
  GPU_PIXELS_ARGB,
  GPU_PIXELS_ABGR,
  GPU_PIXELS_RGBX,
  GPU_PIXELS_BGRX,
  GPU_PIXELS_XRGB,
  GPU_PIXELS_XBGR,
  GPU_PIXELS_RGB,
  GPU_PIXELS_BGR,
  GPU_PIXELS_NV12,
  GPU_PIXELS_I420,
  GPU_PIXELS_GRAY8,
  GPU_PIXELS_RGB8P,
  GPU_PIXELS_RGBA16F,
  GPU_PIXELS_RGBA32F,
  GPU_N_PIXELS
} GpuPixels;

/* The meaning of samples. */
typedef enum
{
  GPU_MODEL_RGB,                /* R'G'B' */
  GPU_MODEL_YUV,                /* Y'CbCr */
  GPU_MODEL_GREY,               /* luma only */
} GpuColourModel;

/* The data type of a sample: 8, 16 or 32 bits. */
typedef enum
{
  GPU_SAMPLE_BYTE = SAMPLE_BYTE,        /* code value, 0…255 */
  GPU_SAMPLE_HALF = SAMPLE_HALF,        /* 16-bit float; nominal range 0…1 */
  GPU_SAMPLE_FLOAT = SAMPLE_FLOAT,      /* 32-bit float; nominal range 0…1 */
  GPU_N_SAMPLES
} GpuSample;

#define GPU_MAX_PLANES 3
#define GPU_MAX_COMPONENTS 4

/* One row of the table. */
typedef struct
{
  const gchar *name;            /* GStreamer's name if it has the format */
  GpuColourModel model;
  GpuSample sample;
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

/* Returns the row of @pixels; never NULL. */
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
