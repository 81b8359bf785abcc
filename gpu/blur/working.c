/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "working.h"
#include "gpu/core/compute/repack.h"

struct _GpuBlurWorking
{
  GpuDevice *device;
  GpuRepack enter, leave;
  GpuBlurTransferKernels transfer;
  GpuBuffer *in, *out, *tables; /* NULL until they are needed */
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

/* Whether frames are converted to linear light. Families have a table for R'G'B' of
 * bytes. */
static gboolean
is_of_transfer (const GpuPixelFormat * format, const GpuBlurSettings * settings)
{
  return settings->transfer && gpu_pixel_format_get_code_bits (format) > 0
      && (format->model != GPU_MODEL_RGB || is_deep (format));
}

/* Families need components that are samples of their own, and alpha beside the colours that
 * it weighs. */
GpuPixels
gpu_blur_working_choose (GpuPixels pixels, const GpuBlurSettings * settings)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  if (is_of_transfer (format, settings))
    return gpu_blur_transfer_choose (pixels);
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

static void
drop_buffers (GpuBlurWorking * working)
{
  g_clear_pointer (&working->in, gpu_buffer_unref);
  g_clear_pointer (&working->out, gpu_buffer_unref);
  g_clear_pointer (&working->tables, gpu_buffer_unref);
}

void
gpu_blur_working_free (GpuBlurWorking * working)
{
  drop_buffers (working);
  gpu_device_unref (working->device);
  g_free (working);
}

gsize
gpu_blur_working_get_memory (GpuBlurWorking * working)
{
  GpuBuffer *buffers[] = { working->in, working->out, working->tables };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));
}

static gboolean
request_moves (GpuBlurWorking * working, GpuPixels outside, GpuPixels inside,
    GError ** error)
{
  GpuRepack enter, leave;

  if (!gpu_repack_request (&enter, working->device, outside, inside,
          GPU_KERNEL_SOON, error)
      || !gpu_repack_request (&leave, working->device, inside, outside,
          GPU_KERNEL_SOON, error))
    return FALSE;
  working->enter = enter;
  working->leave = leave;
  return TRUE;
}

static gboolean
prepare_transfer (GpuBlurWorking * working, const GpuBlurTransfer * transfer,
    GpuPixels pixels, GError ** error)
{
  GpuBlurTransferKernels kernels = { 0 };

  if (!gpu_buffer_ensure (&working->tables, working->device,
          sizeof transfer->tables, "blur transfer tables", error)
      || !gpu_blur_transfer_request (&kernels, working->device, pixels,
          &transfer->yuv, error))
    return FALSE;
  working->transfer = kernels;
  return TRUE;
}

/* Shaders bind working frames as a whole. */
static gboolean
check_size (const GpuBlurWorking * working, const GpuFrameInfo * outside,
    const GpuFrameInfo * inside, GError ** error)
{
  gsize most = gpu_device_get_info (working->device)->max_binding;

  if (inside->size <= most)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "A frame of %u x %u in %s takes %" G_GSIZE_FORMAT " bytes where it is "
      "blurred, and the device binds at most %" G_GSIZE_FORMAT "; use smaller "
      "frames%s.", outside->width, outside->height,
      gpu_pixels_get_format (outside->pixels)->name, inside->size, most,
      SAMPLE_IS_VALUE (gpu_pixels_get_format (inside->pixels)->sample)
      ? ", or do not blur linear light" : "");
  return FALSE;
}

void
gpu_blur_working_lay_out (const GpuFrameInfo * info,
    const GpuBlurSettings * settings, GpuFrameInfo * inside)
{
  GpuPixels pixels = gpu_blur_working_choose (info->pixels, settings);

  *inside = *info;
  if (pixels != info->pixels)
    gpu_frame_info_init (inside, pixels, info->width, info->height);
}

gboolean
gpu_blur_working_prepare (GpuBlurWorking * working,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  GpuFrameInfo inside;

  gpu_blur_working_lay_out (info, settings, &inside);
  if (inside.pixels == info->pixels) {
    drop_buffers (working);
    return TRUE;
  }
  if (!check_size (working, info, &inside, error)
      || !gpu_buffer_ensure (&working->in, working->device, inside.size,
          "blur working input", error)
      || !gpu_buffer_ensure (&working->out, working->device, inside.size,
          "blur working output", error))
    return FALSE;
  return is_of_transfer (gpu_pixels_get_format (info->pixels), settings)
      ? prepare_transfer (working, settings->transfer, info->pixels, error)
      : request_moves (working, info->pixels, inside.pixels, error);
}

void
gpu_blur_working_begin (GpuBlurWorking * working, GpuStream * stream,
    const GpuBlurSettings * settings, GpuPixels pixels)
{
  const GpuBlurTransfer *transfer = settings->transfer;

  if (!is_of_transfer (gpu_pixels_get_format (pixels), settings))
    return;
  gpu_stream_stage (stream, "light");
  gpu_stream_write (stream, working->tables, 0, transfer->tables,
      sizeof transfer->tables);
}

static void
record_enter (GpuBlurWorking * working, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * outside,
    const GpuFrame * inside)
{
  const GpuFrames frames = { outside, inside };

  if (is_of_transfer (gpu_pixels_get_format (outside->info.pixels), settings))
    gpu_blur_transfer_enter (&working->transfer, working->tables, stream,
        &frames);
  else
    gpu_repack_record (&working->enter, stream, outside, inside);
}

void
gpu_blur_working_enter (GpuBlurWorking * working, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames, GpuFrame * in,
    GpuFrame * out)
{
  *in = *frames->in;
  *out = *frames->out;
  gpu_blur_working_lay_out (&frames->in->info, settings, &in->info);
  if (in->info.pixels == frames->in->info.pixels)
    return;
  out->info = in->info;
  in->buffer = working->in;
  out->buffer = working->out;
  gpu_stream_stage (stream, "enter");
  record_enter (working, stream, settings, frames->in, in);
}

static void
record_leave (GpuBlurWorking * working, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * inside,
    const GpuFrame * outside)
{
  const GpuFrames frames = { inside, outside };

  if (is_of_transfer (gpu_pixels_get_format (outside->info.pixels), settings))
    gpu_blur_transfer_leave (&working->transfer, working->tables, stream,
        &frames);
  else
    gpu_repack_record (&working->leave, stream, inside, outside);
}

void
gpu_blur_working_leave (GpuBlurWorking * working, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    const GpuFrame * out)
{
  if (out->buffer == frames->out->buffer)
    return;
  gpu_stream_stage (stream, "leave");
  record_leave (working, stream, settings, out, frames->out);
}
