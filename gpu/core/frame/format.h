/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixel formats. */
#pragma once

#include "shaders/core/shared.h"

#include <glib.h>

G_BEGIN_DECLS

/* The table of pixel formats. A row describes a format completely. Caps offer formats in
 * this order.
 *
 * Columns: the name in GpuPixels; then the members of GpuPixelFormat: name,
 * model, sample, number of planes, components, subsampling of columns and of rows per
 * plane, the places of red, green, blue and alpha or of Y', Cb, Cr and alpha, the place of
 * the unused component, grouping. GStreamer does not know the last formats, which engines
 * use between shaders. */
#define GPU_PIXEL_FORMATS(ROW) \
  ROW (RGBA, "RGBA", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, 3 } }, -1) \
  ROW (BGRA, "BGRA", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 2, 1, 0, 3 } }, -1) \
  ROW (ARGB, "ARGB", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 1, 2, 3, 0 } }, -1) \
  ROW (ABGR, "ABGR", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 3, 2, 1, 0 } }, -1) \
  ROW (RGBX, "RGBx", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, -1 } }, 3) \
  ROW (BGRX, "BGRx", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 2, 1, 0, -1 } }, 3) \
  ROW (XRGB, "xRGB", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 1, 2, 3, -1 } }, 0) \
  ROW (XBGR, "xBGR", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 3, 2, 1, -1 } }, 0) \
  ROW (RGB, "RGB", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 3 }, { 0 }, { 0 }, { { 0, 1, 2, -1 } }, -1) \
  ROW (BGR, "BGR", GPU_MODEL_RGB, SAMPLE_BYTE, \
      1, { 3 }, { 0 }, { 0 }, { { 2, 1, 0, -1 } }, -1) \
  ROW (NV12, "NV12", GPU_MODEL_YUV, SAMPLE_BYTE, \
      2, { 1, 2 }, { 0, 1 }, { 0, 1 }, { { 0, 4, 5, -1 } }, -1) \
  ROW (I420, "I420", GPU_MODEL_YUV, SAMPLE_BYTE, \
      3, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 1, 1 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (GRAY8, "GRAY8", GPU_MODEL_GREY, SAMPLE_BYTE, \
      1, { 1 }, { 0 }, { 0 }, { { 0, 0, 0, -1 } }, -1) \
  ROW (NV21, "NV21", GPU_MODEL_YUV, SAMPLE_BYTE, \
      2, { 1, 2 }, { 0, 1 }, { 0, 1 }, { { 0, 5, 4, -1 } }, -1) \
  ROW (YV12, "YV12", GPU_MODEL_YUV, SAMPLE_BYTE, \
      3, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 1, 1 }, { { 0, 8, 4, -1 } }, -1) \
  ROW (NV16, "NV16", GPU_MODEL_YUV, SAMPLE_BYTE, \
      2, { 1, 2 }, { 0, 1 }, { 0, 0 }, { { 0, 4, 5, -1 } }, -1) \
  ROW (NV61, "NV61", GPU_MODEL_YUV, SAMPLE_BYTE, \
      2, { 1, 2 }, { 0, 1 }, { 0, 0 }, { { 0, 5, 4, -1 } }, -1) \
  ROW (NV24, "NV24", GPU_MODEL_YUV, SAMPLE_BYTE, \
      2, { 1, 2 }, { 0, 0 }, { 0, 0 }, { { 0, 4, 5, -1 } }, -1) \
  ROW (Y42B, "Y42B", GPU_MODEL_YUV, SAMPLE_BYTE, \
      3, { 1, 1, 1 }, { 0, 1, 1 }, { 0 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (Y444, "Y444", GPU_MODEL_YUV, SAMPLE_BYTE, \
      3, { 1, 1, 1 }, { 0 }, { 0 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (Y41B, "Y41B", GPU_MODEL_YUV, SAMPLE_BYTE, \
      3, { 1, 1, 1 }, { 0, 2, 2 }, { 0 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (YUY2, "YUY2", GPU_MODEL_YUV, SAMPLE_BYTE, \
      1, { 4 }, { 1 }, { 0 }, { { 0, 1, 3, -1 } }, -1, GPU_PAIRS) \
  ROW (UYVY, "UYVY", GPU_MODEL_YUV, SAMPLE_BYTE, \
      1, { 4 }, { 1 }, { 0 }, { { 1, 0, 2, -1 } }, -1, GPU_PAIRS) \
  ROW (YVYU, "YVYU", GPU_MODEL_YUV, SAMPLE_BYTE, \
      1, { 4 }, { 1 }, { 0 }, { { 0, 3, 1, -1 } }, -1, GPU_PAIRS) \
  ROW (VYUY, "VYUY", GPU_MODEL_YUV, SAMPLE_BYTE, \
      1, { 4 }, { 1 }, { 0 }, { { 1, 2, 0, -1 } }, -1, GPU_PAIRS) \
  ROW (AYUV, "AYUV", GPU_MODEL_YUV, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 1, 2, 3, 0 } }, -1) \
  ROW (VUYA, "VUYA", GPU_MODEL_YUV, SAMPLE_BYTE, \
      1, { 4 }, { 0 }, { 0 }, { { 2, 1, 0, 3 } }, -1) \
  ROW (A420, "A420", GPU_MODEL_YUV, SAMPLE_BYTE, \
      4, { 1, 1, 1, 1 }, { 0, 1, 1, 0 }, { 0, 1, 1, 0 }, { { 0, 4, 8, 12 } }, -1) \
  ROW (GBR, "GBR", GPU_MODEL_RGB, SAMPLE_BYTE, \
      3, { 1, 1, 1 }, { 0 }, { 0 }, { { 8, 0, 4, -1 } }, -1) \
  ROW (GBRA, "GBRA", GPU_MODEL_RGB, SAMPLE_BYTE, \
      4, { 1, 1, 1, 1 }, { 0 }, { 0 }, { { 8, 0, 4, 12 } }, -1) \
  ROW (P010, "P010_10LE", GPU_MODEL_YUV, SAMPLE_HIGH_10, \
      2, { 1, 2 }, { 0, 1 }, { 0, 1 }, { { 0, 4, 5, -1 } }, -1) \
  ROW (P012, "P012_LE", GPU_MODEL_YUV, SAMPLE_HIGH_12, \
      2, { 1, 2 }, { 0, 1 }, { 0, 1 }, { { 0, 4, 5, -1 } }, -1) \
  ROW (P016, "P016_LE", GPU_MODEL_YUV, SAMPLE_SHORT_16, \
      2, { 1, 2 }, { 0, 1 }, { 0, 1 }, { { 0, 4, 5, -1 } }, -1) \
  ROW (I420_10, "I420_10LE", GPU_MODEL_YUV, SAMPLE_SHORT_10, \
      3, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 1, 1 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (I422_10, "I422_10LE", GPU_MODEL_YUV, SAMPLE_SHORT_10, \
      3, { 1, 1, 1 }, { 0, 1, 1 }, { 0 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (Y444_10, "Y444_10LE", GPU_MODEL_YUV, SAMPLE_SHORT_10, \
      3, { 1, 1, 1 }, { 0 }, { 0 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (GBR_10, "GBR_10LE", GPU_MODEL_RGB, SAMPLE_SHORT_10, \
      3, { 1, 1, 1 }, { 0 }, { 0 }, { { 8, 0, 4, -1 } }, -1) \
  ROW (GBRA_10, "GBRA_10LE", GPU_MODEL_RGB, SAMPLE_SHORT_10, \
      4, { 1, 1, 1, 1 }, { 0 }, { 0 }, { { 8, 0, 4, 12 } }, -1) \
  ROW (I420_12, "I420_12LE", GPU_MODEL_YUV, SAMPLE_SHORT_12, \
      3, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 1, 1 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (I422_12, "I422_12LE", GPU_MODEL_YUV, SAMPLE_SHORT_12, \
      3, { 1, 1, 1 }, { 0, 1, 1 }, { 0 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (Y444_12, "Y444_12LE", GPU_MODEL_YUV, SAMPLE_SHORT_12, \
      3, { 1, 1, 1 }, { 0 }, { 0 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (GBR_12, "GBR_12LE", GPU_MODEL_RGB, SAMPLE_SHORT_12, \
      3, { 1, 1, 1 }, { 0 }, { 0 }, { { 8, 0, 4, -1 } }, -1) \
  ROW (GBRA_12, "GBRA_12LE", GPU_MODEL_RGB, SAMPLE_SHORT_12, \
      4, { 1, 1, 1, 1 }, { 0 }, { 0 }, { { 8, 0, 4, 12 } }, -1) \
  ROW (Y444_16, "Y444_16LE", GPU_MODEL_YUV, SAMPLE_SHORT_16, \
      3, { 1, 1, 1 }, { 0 }, { 0 }, { { 0, 4, 8, -1 } }, -1) \
  ROW (GRAY16, "GRAY16_LE", GPU_MODEL_GREY, SAMPLE_SHORT_16, \
      1, { 1 }, { 0 }, { 0 }, { { 0, 0, 0, -1 } }, -1) \
  ROW (RGBA64, "RGBA64_LE", GPU_MODEL_RGB, SAMPLE_SHORT_16, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, 3 } }, -1) \
  ROW (ARGB64, "ARGB64_LE", GPU_MODEL_RGB, SAMPLE_SHORT_16, \
      1, { 4 }, { 0 }, { 0 }, { { 1, 2, 3, 0 } }, -1) \
  ROW (RGB10A2, "RGB10A2_LE", GPU_MODEL_RGB, SAMPLE_TENS, \
      1, { 1 }, { 0 }, { 0 }, { { 0, 1, 2, 3 } }, -1) \
  ROW (BGR10A2, "BGR10A2_LE", GPU_MODEL_RGB, SAMPLE_TENS, \
      1, { 1 }, { 0 }, { 0 }, { { 2, 1, 0, 3 } }, -1) \
  ROW (RGB8P, "RGB8P", GPU_MODEL_RGB, SAMPLE_BYTE, \
      2, { 1, 4 }, { 0 }, { 0 }, { { -1, -1, -1, -1 } }, -1, GPU_INDEXED) \
  ROW (RGBA64_10, "RGBA64 of 10 bits", GPU_MODEL_RGB, SAMPLE_SHORT_10, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, 3 } }, -1) \
  ROW (RGBA64_12, "RGBA64 of 12 bits", GPU_MODEL_RGB, SAMPLE_SHORT_12, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, 3 } }, -1) \
  ROW (YYYA_UVVA, "YYYA and UVVA 4:2:0", GPU_MODEL_YUV, SAMPLE_BYTE, \
      2, { 4, 4 }, { 0, 1 }, { 0, 1 }, { { 0, 4, 5, 3 } }, -1) \
  ROW (RGBX16F, "RGBx16F", GPU_MODEL_RGB, SAMPLE_HALF, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, -1 } }, -1) \
  ROW (RGBX32F, "RGBx32F", GPU_MODEL_RGB, SAMPLE_FLOAT, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, -1 } }, -1) \
  ROW (RGBA16F, "RGBA16F", GPU_MODEL_RGB, SAMPLE_HALF, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, 3 } }, -1) \
  ROW (RGBA32F, "RGBA32F", GPU_MODEL_RGB, SAMPLE_FLOAT, \
      1, { 4 }, { 0 }, { 0 }, { { 0, 1, 2, 3 } }, -1)

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

/* --- Y'CbCr --- */

/* The encoding of Y'CbCr relative to R'G'B'. ITU-R BT.601, BT.709 and
 * BT.2020 differ only in kr and kb. */
typedef struct
{
  gdouble kr, kb;               /* luma weights of red and blue; green: 1 - kr - kb */
  gboolean full_range;          /* of 8 bits 0…255, else luma 16…235, chroma 16…240 */
  gboolean h_cosited, v_cosited;        /* chroma samples lie on the first of the columns,
                                           rows that share them; else in their middle */
} GpuYuv;

/* Writes the specialization constants from FORMAT_YUV on
 * (shaders/core/pixels/format.h): GPU_YUV_CONSTANTS words. They are the siting, the
 * offset of luma of 8 bits, then signed coefficients for codes of @bits (8…16) bits. Those
 * to R'G'B' of 8 bits have 16 fractional bits more than the codes have beyond 8; those from
 * R'G'B' of 8 bits have 16. */
#define GPU_YUV_CONSTANTS 17
void gpu_yuv_get_constants (const GpuYuv * yuv, guint bits,
    guint32 * constants);

G_END_DECLS
