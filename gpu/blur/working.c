/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "working.h"
#include "gpu/core/compute/repack.h"

struct _GpuBlurWorking
{
  GpuDevice *device;
  GpuRepack enter, leave;
  GpuBuffer *in, *out;          /* NULL until they are needed */
};

static gboolean
is_deep (const GpuPixelFormat * format)
{
  return gpu_pixel_format_get_code_bits (format) > 8;
}

/* Returns the format with interleaved components of R'G'B' and alpha. */
static GpuPixels
choose_interleaved (const GpuPixelFormat * format)
{
  if (!is_deep (format))
    return GPU_PIXELS_RGBA;
  return gpu_pixel_format_get_code_bits (format) == 10
      ? GPU_PIXELS_RGBA64_10 : GPU_PIXELS_RGBA64_12;
}

/* Families need components that are samples of their own, and alpha beside the colours that
 * it weighs. */
GpuPixels
gpu_blur_working_choose (GpuPixels pixels)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  if (format->grouping == GPU_PAIRS)
    return GPU_PIXELS_NV16;
  if (format->model == GPU_MODEL_YUV)
    return format->alpha >= 4 ? GPU_PIXELS_YYYA_UVVA : pixels;
  return format->alpha >= 4 || format->sample == SAMPLE_TENS
      ? choose_interleaved (format) : pixels;
}

GpuBlurWorking *
gpu_blur_working_new (GpuDevice * device)
{
  GpuBlurWorking *working = g_new0 (GpuBlurWorking, 1);

  working->device = gpu_device_ref (device);
  return working;
}

void
gpu_blur_working_free (GpuBlurWorking * working)
{
  g_clear_pointer (&working->in, gpu_buffer_unref);
  g_clear_pointer (&working->out, gpu_buffer_unref);
  gpu_device_unref (working->device);
  g_free (working);
}

gsize
gpu_blur_working_get_memory (GpuBlurWorking * working)
{
  return gpu_buffers_get_size (&working->in, 1)
      + gpu_buffers_get_size (&working->out, 1);
}

static gboolean
ensure_buffer (GpuBlurWorking * working, GpuBuffer ** buffer, gsize size,
    GError ** error)
{
  GpuBuffer *larger;

  if (*buffer && gpu_buffer_get_size (*buffer) >= size)
    return TRUE;
  larger = gpu_buffer_new (working->device, GPU_BUFFER_DEVICE, size,
      "blur working frame", error);
  if (!larger)
    return FALSE;
  g_clear_pointer (buffer, gpu_buffer_unref);
  *buffer = larger;
  return TRUE;
}

gboolean
gpu_blur_working_prepare (GpuBlurWorking * working, const GpuFrameInfo * info,
    GpuFrameInfo * inside, GError ** error)
{
  GpuPixels pixels = gpu_blur_working_choose (info->pixels);

  *inside = *info;
  if (pixels == info->pixels)
    return TRUE;
  gpu_frame_info_init (inside, pixels, info->width, info->height);
  return ensure_buffer (working, &working->in, inside->size, error)
      && ensure_buffer (working, &working->out, inside->size, error)
      && gpu_repack_request (&working->enter, working->device, info->pixels,
      pixels, GPU_KERNEL_SOON, error)
      && gpu_repack_request (&working->leave, working->device, pixels,
      info->pixels, GPU_KERNEL_SOON, error);
}

gboolean
gpu_blur_working_enter (GpuBlurWorking * working, GpuStream * stream,
    const GpuFrames * frames, GpuFrame * in, GpuFrame * out, GError ** error)
{
  const GpuFrameInfo *info = &frames->in->info;
  GpuPixels pixels = gpu_blur_working_choose (info->pixels);

  *in = *frames->in;
  *out = *frames->out;
  if (pixels == info->pixels)
    return TRUE;
  gpu_frame_info_init (&in->info, pixels, info->width, info->height);
  out->info = in->info;
  in->buffer = working->in;
  out->buffer = working->out;
  gpu_stream_stage (stream, "enter");
  if (!gpu_repack_record (&working->enter, stream, frames->in, in, error))
    return FALSE;
  gpu_stream_barrier (stream);
  return TRUE;
}

gboolean
gpu_blur_working_leave (GpuBlurWorking * working, GpuStream * stream,
    const GpuFrames * frames, const GpuFrame * out, GError ** error)
{
  if (out->buffer == frames->out->buffer)
    return TRUE;
  gpu_stream_barrier (stream);
  gpu_stream_stage (stream, "leave");
  return gpu_repack_record (&working->leave, stream, out, frames->out, error);
}
