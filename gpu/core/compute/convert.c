/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "convert.h"
#include "components.h"
#include "shaders.h"

/* Both shaders have the same bindings and push constants. */
typedef GpuDecodePush Push;

G_STATIC_ASSERT (GPU_MODEL_RGB == CONVERT_RGB && GPU_MODEL_YUV == CONVERT_YUV
    && GPU_MODEL_GREY == CONVERT_GREY);

/* Returns the format of the frames, which the engine does not read. */
static const GpuPixelFormat *
get_format (const GpuConversion * conversion)
{
  return gpu_pixels_get_format (conversion->is_decoding ? conversion->from
      : conversion->to);
}

static guint
count_planes (const GpuConversion * conversion)
{
  return gpu_pixels_get_format (conversion->to)->n_planes;
}

/* Light has matrix and range as push constants, so its kernels serve all of them. */
static void
get_yuv_constants (const GpuConversion * conversion,
    const GpuPixelFormat * format, guint32 * constants)
{
  GpuYuv yuv = conversion->yuv;

  if (conversion->kind == CONVERT_HALVES || conversion->kind == CONVERT_FLOATS)
    yuv.kr = yuv.kb = yuv.full_range = 0;
  gpu_yuv_get_constants (&yuv, gpu_pixel_format_get_code_bits (format),
      constants);
}

gboolean
gpu_conversion_request (GpuConversion * conversion, GpuDevice * device,
    GError ** error)
{
  const GpuPixelFormat *format = get_format (conversion);
  guint32 constants[CONVERT_CONSTANTS];

  constants[CONVERT_KIND] = conversion->kind;
  constants[CONVERT_MODEL] = format->model;
  for (guint i = 0; i < count_planes (conversion); i++) {
    gpu_components_get_constants (conversion->from, conversion->to, i,
        constants);
    get_yuv_constants (conversion, format, constants + FORMAT_YUV);
    conversion->kernels[i] = gpu_kernel_request (device,
        conversion->is_decoding ? &gpu_shader_decode : &gpu_shader_encode,
        constants, CONVERT_CONSTANTS, GPU_KERNEL_SOON, error);
    if (!conversion->kernels[i])
      return FALSE;
  }
  return TRUE;
}

/* Returns the push constants that gpu_components_run() does not set. */
static Push
make_push (const GpuConversion * conversion, const GpuFrameInfo * pixels)
{
  const GpuPixelFormat *format = get_format (conversion);
  const GpuYuv *yuv = &conversion->yuv;
  guint bits = gpu_pixel_format_get_code_bits (format);
  gfloat unit = 1u << (bits - 8), all = (1u << bits) - 1;
  gboolean is_full = format->model == GPU_MODEL_RGB || yuv->full_range;

  return (Push) {
    .pixels_offset = pixels->offset[0] / 4,
    .pixels_stride = pixels->stride[0] / 4,
    .red_weight = yuv->kr,
    .blue_weight = yuv->kb,
    .luma_low = is_full ? 0 : 16 * unit,
    .luma_range = is_full ? all : 219 * unit,
    .chroma_middle = 128 * unit,
    .chroma_range = is_full ? all : 224 * unit,
  };
}

/* Records the conversion of a progressive frame. */
static void
record_picture (const GpuConversion * conversion, const GpuSlicer * slicer,
    const GpuConversionFrames * frames)
{
  const GpuFrame *pixels = frames->pixels ? frames->pixels : frames->from;
  const GpuFrameInfo *from = &frames->from->info, *to = &frames->to->info;
  const GpuComponentsItems all_pixels = {.n = to->width * to->height};
  const Push push = make_push (conversion, &pixels->info);
  GpuDispatch dispatch = {
    .buffers = {
      [ENCODE_INPUT] = frames->from->buffer,
      [ENCODE_OUTPUT] = frames->to->buffer,
      /* A shader that has no use for its table is bound to a buffer all the same. */
      [ENCODE_TABLE] = frames->table ? frames->table : frames->from->buffer,
      [ENCODE_PIXELS] = pixels->buffer,
    },
    .push = &push,
  };

  for (guint i = 0; i < count_planes (conversion); i++) {
    dispatch.kernel = conversion->kernels[i];
    if (conversion->is_decoding)
      gpu_components_run_over (slicer, &dispatch, from, to, &all_pixels);
    else
      gpu_components_run (slicer, &dispatch, from, to, i);
  }
}

static void
record_field (const GpuConversion * conversion, const GpuSlicer * slicer,
    const GpuConversionFrames * frames, guint i)
{
  const GpuFrame from = gpu_frame_get_field (frames->from, i);
  const GpuFrame to = gpu_frame_get_field (frames->to, i);
  const GpuFrame pixels =
      gpu_frame_get_field (frames->pixels ? frames->pixels : frames->from, i);
  const GpuConversionFrames field = { &from, &to, &pixels, frames->table };

  record_picture (conversion, slicer, &field);
}

void
gpu_conversion_record (const GpuConversion * conversion,
    const GpuSlicer * slicer, const GpuConversionFrames * frames)
{
  const GpuFrameInfo *info = &frames->from->info;

  gpu_stream_begin_disjoint (slicer->stream);
  if (info->is_interlaced)
    for (guint i = 0; i < gpu_frame_info_count_fields (info); i++)
      record_field (conversion, slicer, frames, i);
  else
    record_picture (conversion, slicer, frames);
  gpu_stream_end_disjoint (slicer->stream);
}
