/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of pixel formats. A row describes a format completely. Caps offer formats in
 * this order. */
#pragma once

/* Columns: the name in GpuPixels (format.h); then the members of GpuPixelFormat: name,
 * model, sample, number of planes, components and shift per plane, the index of red, green,
 * blue, alpha and unused in plane 0, is_indexed. */
#define GPU_PIXEL_FORMATS(ROW) \
  ROW (RGBA, "RGBA", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 4 }, { 0 }, 0, 1, 2, 3, -1) \
  ROW (BGRA, "BGRA", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 4 }, { 0 }, 2, 1, 0, 3, -1) \
  ROW (ARGB, "ARGB", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 4 }, { 0 }, 1, 2, 3, 0, -1) \
  ROW (ABGR, "ABGR", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 4 }, { 0 }, 3, 2, 1, 0, -1) \
  ROW (RGBX, "RGBx", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 4 }, { 0 }, 0, 1, 2, -1, 3) \
  ROW (BGRX, "BGRx", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 4 }, { 0 }, 2, 1, 0, -1, 3) \
  ROW (XRGB, "xRGB", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 4 }, { 0 }, 1, 2, 3, -1, 0) \
  ROW (XBGR, "xBGR", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 4 }, { 0 }, 3, 2, 1, -1, 0) \
  ROW (RGB, "RGB", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 3 }, { 0 }, 0, 1, 2, -1, -1) \
  ROW (BGR, "BGR", GPU_MODEL_RGB, SAMPLE_BYTE, 1, { 3 }, { 0 }, 2, 1, 0, -1, -1) \
  ROW (NV12, "NV12", GPU_MODEL_YUV, SAMPLE_BYTE, \
      2, { 1, 2 }, { 0, 1 }, -1, -1, -1, -1, -1) \
  ROW (I420, "I420", GPU_MODEL_YUV, SAMPLE_BYTE, \
      3, { 1, 1, 1 }, { 0, 1, 1 }, -1, -1, -1, -1, -1) \
  ROW (GRAY8, "GRAY8", GPU_MODEL_GREY, SAMPLE_BYTE, 1, { 1 }, { 0 }, 0, 0, 0, -1, -1) \
  ROW (RGB8P, "RGB8P", GPU_MODEL_RGB, SAMPLE_BYTE, \
      2, { 1, 4 }, { 0, 0 }, -1, -1, -1, -1, -1, TRUE) \
  ROW (RGBA16F, "RGBA16F", GPU_MODEL_RGB, SAMPLE_HALF, 1, { 4 }, { 0 }, 0, 1, 2, 3, -1) \
  ROW (RGBA32F, "RGBA32F", GPU_MODEL_RGB, SAMPLE_FLOAT, 1, { 4 }, { 0 }, 0, 1, 2, 3, -1)
