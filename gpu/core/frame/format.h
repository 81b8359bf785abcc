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

#define GPU_MAX_PLANES 4

/* What the pixels of plane 0 are. */
typedef enum
{
  GPU_SINGLE,                   /* pixels of the frame */
  GPU_PAIRS,                    /* pairs of pixels of a row, which share Cb and Cr; the
                                   second Y' is two components after the first */
  GPU_INDEXED,                  /* indexes into the palette; plane 1 has 256 words
                                   A << 24 | R << 16 | G << 8 | B */
} GpuGrouping;

/* The place of a component that no plane has. */
#define GPU_NOWHERE -1

/* The description of a format. The place of a component is 4 * plane + its index among the
 * components of that plane's pixels. */
typedef struct
{
  const gchar *name;            /* GStreamer's name if it has the format */
  GpuColourModel model;
  guint sample;                 /* sample type: SAMPLE_… (shaders/core/shared.h) */
  guint n_planes;
  guint components[GPU_MAX_PLANES];     /* interleaved samples per pixel */
  guint shift_x[GPU_MAX_PLANES];        /* subsampling of columns: log2 of the factor */
  guint shift_y[GPU_MAX_PLANES];        /* of rows */
  union
  {
    gint place[4];              /* or GPU_NOWHERE */
    struct
    {
      gint red, green, blue;    /* a grey format has one component for all three */
      gint alpha;
    };
    struct
    {
      gint luma, cb, cr;
    };
  };
  gint unused;                  /* place of the component to be written as 255 */
  GpuGrouping grouping;
} GpuPixelFormat;

/* Returns the description of @pixels; never NULL. */
const GpuPixelFormat *gpu_pixels_get_format (GpuPixels pixels);

/* Returns the bytes per pixel of a plane. A pixel may be a pair (GPU_PAIRS). */
guint gpu_pixel_format_get_size (const GpuPixelFormat * format, guint plane);

/* Returns the bits of a sample that is a code value; 0 if samples are floats. */
guint gpu_pixel_format_get_code_bits (const GpuPixelFormat * format);

/* Returns whether chroma has fewer samples than luma. */
gboolean gpu_pixel_format_is_subsampled (const GpuPixelFormat * format);

/* Returns whether chroma has fewer rows than luma. */
gboolean gpu_pixel_format_has_fewer_rows (const GpuPixelFormat * format);

/* Returns the code value that means black, of all components of @plane. In formats with
 * alpha it is 0: transparent. @full_range: luma uses all code values instead of 16…235 (of
 * 8 bits). */
guint gpu_pixel_format_get_black (const GpuPixelFormat * format, guint plane,
    gboolean full_range);

G_END_DECLS
