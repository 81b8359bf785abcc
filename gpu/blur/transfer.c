/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transfer.h"
#include "gpu/core/compute/components.h"
#include "shaders.h"

#include <math.h>
#include <sys/types.h>          /* uint, as in GLSL */

/* Both shaders have the same push constants. */
typedef GpuBlurEnterLightPush Push;

/* --- tables --- */

/* Returns the value whose function entry @i of a table is. */
static gdouble
get_value (guint i, guint octaves)
{
  return ldexp (1 + i % 256 / 256.0, (gint) (i / 256) - (gint) octaves);
}

static void
fill_table (gfloat * table, guint octaves, GpuBlurTransferFunction function,
    gconstpointer data)
{
  for (guint i = 0; i < TRANSFER_SIZE (octaves); i++)
    table[i] = function (MIN (get_value (i, octaves), 1), data);
}

void
gpu_blur_transfer_init (GpuBlurTransfer * transfer, const GpuYuv * yuv,
    GpuBlurTransferFunction decode, GpuBlurTransferFunction encode,
    gconstpointer data)
{
  transfer->yuv = *yuv;
  fill_table (transfer->tables + TRANSFER_DECODE_AT, TRANSFER_DECODE_OCTAVES,
      decode, data);
  fill_table (transfer->tables + TRANSFER_ENCODE_AT, TRANSFER_ENCODE_OCTAVES,
      encode, data);
}

/* --- kernels --- */

/* Halves have an error of 2^-12 of a light, which is at most 0.06 of a code of 8 bits. */
GpuPixels
gpu_blur_transfer_choose (GpuPixels pixels)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  if (gpu_pixel_format_get_code_bits (format) > 8)
    return format->alpha < 0 ? GPU_PIXELS_RGBX32F : GPU_PIXELS_RGBA32F;
  return format->alpha < 0 ? GPU_PIXELS_RGBX16F : GPU_PIXELS_RGBA16F;
}

static guint
get_model (GpuPixels pixels)
{
  static const guint models[] = {
    [GPU_MODEL_RGB] = TRANSFER_RGB,
    [GPU_MODEL_YUV] = TRANSFER_YUV,
    [GPU_MODEL_GREY] = TRANSFER_GREY,
  };

  return models[gpu_pixels_get_format (pixels)->model];
}

static void
get_constants (GpuPixels pixels, GpuPixels light, const GpuYuv * yuv,
    guint32 * constants)
{
  G_STATIC_ASSERT (TRANSFER_MODEL == FORMAT_CONSTANTS);
  constants[TRANSFER_MODEL] = get_model (pixels);
  constants[TRANSFER_HALF] =
      gpu_pixels_get_format (light)->sample == SAMPLE_HALF;
  constants[TRANSFER_H_COSITED] = yuv->h_cosited;
  constants[TRANSFER_V_COSITED] = yuv->v_cosited;
}

static GpuKernel *
request_enter (GpuDevice * device, GpuPixels pixels, const GpuYuv * yuv,
    GError ** error)
{
  GpuPixels light = gpu_blur_transfer_choose (pixels);
  guint32 constants[TRANSFER_CONSTANTS];

  gpu_components_get_constants (pixels, light, 0, constants);
  get_constants (pixels, light, yuv, constants);
  return gpu_kernel_request (device, &gpu_shader_blur_enter_light, constants,
      TRANSFER_CONSTANTS, GPU_KERNEL_SOON, error);
}

static GpuKernel *
request_leave (GpuDevice * device, GpuPixels pixels, guint plane,
    const GpuYuv * yuv, GError ** error)
{
  GpuPixels light = gpu_blur_transfer_choose (pixels);
  guint32 constants[TRANSFER_CONSTANTS];

  gpu_components_get_constants (light, pixels, plane, constants);
  get_constants (pixels, light, yuv, constants);
  return gpu_kernel_request (device, &gpu_shader_blur_leave_light, constants,
      TRANSFER_CONSTANTS, GPU_KERNEL_SOON, error);
}

gboolean
gpu_blur_transfer_request (GpuBlurTransferKernels * kernels,
    GpuDevice * device, GpuPixels pixels, const GpuYuv * yuv, GError ** error)
{
  kernels->yuv = *yuv;
  kernels->enter = request_enter (device, pixels, yuv, error);
  if (!kernels->enter)
    return FALSE;
  for (guint i = 0; i < gpu_pixels_get_format (pixels)->n_planes; i++) {
    kernels->leave[i] = request_leave (device, pixels, i, yuv, error);
    if (!kernels->leave[i])
      return FALSE;
  }
  return TRUE;
}

/* --- recording --- */

/* Returns the push constants that gpu_components_run() does not set, for frames of codes. */
static Push
make_push (GpuPixels pixels, const GpuYuv * yuv)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);
  guint bits = gpu_pixel_format_get_code_bits (format);
  gfloat unit = 1u << (bits - 8), all = (1u << bits) - 1;
  gboolean is_full = format->model == GPU_MODEL_RGB || yuv->full_range;

  return (Push) {
    .red_weight = yuv->kr,
    .blue_weight = yuv->kb,
    .luma_low = is_full ? 0 : 16 * unit,
    .luma_range = is_full ? all : 219 * unit,
    .chroma_middle = 128 * unit,
    .chroma_range = is_full ? all : 224 * unit,
  };
}

void
gpu_blur_transfer_enter (const GpuBlurTransferKernels * kernels,
    GpuBuffer * tables, GpuStream * stream, const GpuFrames * frames)
{
  const GpuFrameInfo *in = &frames->in->info, *out = &frames->out->info;
  const GpuSlicer slicer = {.stream = stream};
  const Push push = make_push (in->pixels, &kernels->yuv);
  const GpuDispatch dispatch = {
    .kernel = kernels->enter,
    .buffers = {
      [BLUR_ENTER_LIGHT_INPUT] = frames->in->buffer,
      [BLUR_ENTER_LIGHT_OUTPUT] = frames->out->buffer,
      [BLUR_ENTER_LIGHT_TABLES] = tables,
    },
    .push = &push,
  };

  gpu_components_run_over_pixels (&slicer, &dispatch, in, out);
}

void
gpu_blur_transfer_leave (const GpuBlurTransferKernels * kernels,
    GpuBuffer * tables, GpuStream * stream, const GpuFrames * frames)
{
  const GpuFrameInfo *in = &frames->in->info, *out = &frames->out->info;
  const GpuSlicer slicer = {.stream = stream};
  const Push push = make_push (out->pixels, &kernels->yuv);
  GpuDispatch dispatch = {
    .buffers = {
      [BLUR_LEAVE_LIGHT_INPUT] = frames->in->buffer,
      [BLUR_LEAVE_LIGHT_OUTPUT] = frames->out->buffer,
      [BLUR_LEAVE_LIGHT_TABLES] = tables,
    },
    .push = &push,
  };

  gpu_stream_begin_disjoint (stream);
  for (guint i = 0; i < gpu_pixels_get_format (out->pixels)->n_planes; i++) {
    dispatch.kernel = kernels->leave[i];
    gpu_components_run (&slicer, &dispatch, in, out, i);
  }
  gpu_stream_end_disjoint (stream);
}
