/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "working.h"

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

/* Returns the transfer function with which frames are converted to linear light, or NULL.
 * Families have a table for R'G'B' of bytes. */
static const GpuBlurTransfer *
get_transfer (GpuPixels pixels, const GpuBlurSettings * settings)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  return gpu_pixel_format_get_code_bits (format) > 0
      && (format->model != GPU_MODEL_RGB || is_deep (format))
      ? settings->transfer : NULL;
}

/* Returns the format of light: of halves for 8 bits, else of floats, so that errors are below
 * those of the codes. Halves have an error of 2^-12 of a light, which is at most 0.06 of a
 * code of 8 bits. */
static GpuPixels
choose_light (const GpuPixelFormat * format)
{
  if (is_deep (format))
    return format->alpha < 0 ? GPU_PIXELS_RGBX32F : GPU_PIXELS_RGBA32F;
  return format->alpha < 0 ? GPU_PIXELS_RGBX16F : GPU_PIXELS_RGBA16F;
}

/* Families need components that are samples of their own, and alpha beside the colours that
 * it weighs. */
GpuPixels
gpu_blur_working_choose (GpuPixels pixels, const GpuBlurSettings * settings)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  if (get_transfer (pixels, settings))
    return choose_light (format);
  if (format->grouping == GPU_PAIRS)
    return GPU_PIXELS_NV16;
  if (format->model == GPU_MODEL_YUV)
    return format->alpha >= 4 ? GPU_PIXELS_YYYA_UVVA : pixels;
  return format->alpha >= 4 || format->sample == SAMPLE_TENS
      ? choose_interleaved (format) : pixels;
}

void
gpu_blur_working_clear (GpuBlurWorking * working)
{
  g_clear_pointer (&working->in, gpu_buffer_unref);
  g_clear_pointer (&working->out, gpu_buffer_unref);
  g_clear_pointer (&working->tables, gpu_buffer_unref);
}

gsize
gpu_blur_working_get_memory (const GpuBlurWorking * working)
{
  GpuBuffer *const buffers[] = { working->in, working->out, working->tables };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));
}

static guint
choose_kind (GpuPixels inside)
{
  switch (gpu_pixels_get_format (inside)->sample) {
    case SAMPLE_HALF:
      return CONVERT_HALVES;
    case SAMPLE_FLOAT:
      return CONVERT_FLOATS;
    default:
      return CONVERT_MOVED;
  }
}

/* Requests the conversions between frames of the formats @outside and @inside. @transfer: of
 * frames that are converted to linear light, else NULL. */
static gboolean
request (GpuBlurWorking * working, GpuDevice * device,
    const GpuBlurTransfer * transfer, GpuPixels outside, GpuPixels inside,
    GError ** error)
{
  GpuConversion enter = {
    .kind = choose_kind (inside),
    .is_decoding = transfer != NULL,
    .from = outside,
    .to = inside,
  };
  GpuConversion leave = {.kind = enter.kind, .from = inside, .to = outside};

  if (transfer)
    enter.yuv = leave.yuv = transfer->yuv;
  if (!gpu_conversion_request (&enter, device, error)
      || !gpu_conversion_request (&leave, device, error))
    return FALSE;
  working->enter = enter;
  working->leave = leave;
  return TRUE;
}

/* Shaders bind working frames as a whole. */
static gboolean
check_size (GpuDevice * device, const GpuFrameInfo * outside,
    const GpuFrameInfo * inside, GError ** error)
{
  gsize most = gpu_device_get_info (device)->max_binding;

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
gpu_blur_working_prepare (GpuBlurWorking * working, GpuDevice * device,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  const GpuBlurTransfer *transfer;
  GpuFrameInfo inside;

  gpu_blur_working_lay_out (info, settings, &inside);
  if (inside.pixels == info->pixels) {
    gpu_blur_working_clear (working);
    return TRUE;
  }
  transfer = get_transfer (info->pixels, settings);
  if (!(check_size (device, info, &inside, error)
          && gpu_buffer_ensure (&working->in, device, inside.size,
              "blur working input", error)
          && gpu_buffer_ensure (&working->out, device, inside.size,
              "blur working output", error)
          && (!transfer || gpu_buffer_ensure (&working->tables, device,
                  sizeof transfer->tables, "blur transfer tables", error))
          && request (working, device, transfer, info->pixels, inside.pixels,
              error)))
    return FALSE;
  if (!transfer)
    g_clear_pointer (&working->tables, gpu_buffer_unref);
  return TRUE;
}

void
gpu_blur_working_begin (GpuBlurWorking * working, GpuStream * stream,
    const GpuBlurSettings * settings, GpuPixels pixels)
{
  const GpuBlurTransfer *transfer = get_transfer (pixels, settings);

  if (!transfer)
    return;
  gpu_stream_stage (stream, "light");
  gpu_stream_write (stream, working->tables, 0, transfer->tables,
      sizeof transfer->tables);
}

static void
record (const GpuBlurWorking * working, const GpuConversion * conversion,
    GpuStream * stream, const GpuFrame * from, const GpuFrame * to)
{
  const GpuSlicer slicer = {.stream = stream};
  const GpuConversionFrames frames = {
    .from = from,
    .to = to,
    .table = working->tables,
  };

  gpu_conversion_record (conversion, &slicer, &frames);
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
  record (working, &working->enter, stream, frames->in, in);
}

void
gpu_blur_working_leave (GpuBlurWorking * working, GpuStream * stream,
    const GpuFrames * frames, const GpuFrame * out)
{
  if (out->buffer == frames->out->buffer)
    return;
  gpu_stream_stage (stream, "leave");
  record (working, &working->leave, stream, out, frames->out);
}
