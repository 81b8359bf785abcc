/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of pixel formats: all that anybody knows of a format is a row of it. */
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

/* What samples mean. */
typedef enum
{
  GPU_MODEL_RGB,                /* R'G'B' */
  GPU_MODEL_YUV,                /* Y'CbCr */
  GPU_MODEL_GREY,               /* luma alone */
} GpuColourModel;

/* What a sample is, of 8, 16 or 32 bits. */
typedef enum
{
  GPU_SAMPLE_BYTE = SAMPLE_BYTE,        /* a code value, 0…255 */
  GPU_SAMPLE_HALF = SAMPLE_HALF,        /* values: full scale is 1, */
  GPU_SAMPLE_FLOAT = SAMPLE_FLOAT,      /* but they may lie outside 0…1 */
  GPU_N_SAMPLES
} GpuSample;

#define GPU_MAX_PLANES 3
#define GPU_MAX_COMPONENTS 4

/* One row of the table. */
typedef struct
{
  const gchar *name;            /* as GStreamer spells it, if it has it */
  GpuColourModel model;
  GpuSample sample;
  guint n_planes;
  guint components[GPU_MAX_PLANES];     /* interleaved samples per pixel */
  guint shift[GPU_MAX_PLANES];  /* both axes are halved this often */
  gint red, green, blue;        /* component of each colour in plane 0, or -1; of grey,
                                   all are the one there is */
  gint alpha;                   /* component of alpha, or -1 */
  gint unused;                  /* component that is written as 255, or -1 */
  gboolean is_indexed;          /* plane 0 has indexes into plane 1: 256 words,
                                   alpha first, then R, G, B, blue the lowest */
} GpuPixelFormat;

/* Its row; never NULL. */
const GpuPixelFormat *gpu_pixels_get_format (GpuPixels pixels);

/* Bytes of a pixel of a plane. */
guint gpu_pixel_format_get_size (const GpuPixelFormat * format, guint plane);

/* Of a sample that is a code value; 0 where samples are values. */
guint gpu_pixel_format_get_code_bits (const GpuPixelFormat * format);

/* Whether chroma has fewer samples than luma. */
gboolean gpu_pixel_format_is_subsampled (const GpuPixelFormat * format);

/* The code of a black sample of @plane. @full_range: of luma. */
guint gpu_pixel_format_get_black (const GpuPixelFormat * format, guint plane,
    gboolean full_range);

G_END_DECLS
