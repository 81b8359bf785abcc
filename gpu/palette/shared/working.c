/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "working.h"
#include "gpu/core/compute/components.h"
#include "gpu/core/compute/pixels.h"

/* --- formats --- */

/* Only gpublur has chroma with alpha of its own. */
static gboolean
has_alpha_of_chroma (const GpuPixelFormat * format)
{
  return format->n_planes == 2 && format->alpha >= 0;
}

gboolean
gpu_palette_working_takes (GpuPixels pixels)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  return gpu_pixel_format_get_code_bits (format) > 0
      && format->grouping != GPU_INDEXED && !has_alpha_of_chroma (format);
}

static gboolean
is_made_by_maps (GpuPixels pixels)
{
  return gpu_pixels_are_supported (pixels)
      || gpu_pixels_get_format (pixels)->grouping == GPU_INDEXED;
}

/* Maps count pixels by alpha, so the working input has it; the output gets that of the
 * input itself. Working frames are sRGB, so maps need not know of the curve. */
static GpuPaletteFormat
choose_format (const GpuPaletteFormat * frames)
{
  GpuPaletteFormat format = *frames;

  if (format.curve || !gpu_pixels_are_supported (format.in))
    format.in = gpu_pixels_get_format (format.in)->alpha >= 0
        ? GPU_PIXELS_RGBA : GPU_PIXELS_RGBX;
  if (format.curve || !is_made_by_maps (format.out))
    format.out = GPU_PIXELS_RGBX;
  if (!gpu_palette_format_needs_yuv (&format))
    format.yuv = (GpuYuv) {0};
  format.curve = NULL;
  return format;
}

/* --- building --- */

/* The shaders here bind whole frames. */
static gboolean
check_size (const GpuPaletteWorking * working, GpuDevice * device,
    GpuPixels pixels, GError ** error)
{
  const GpuPaletteFormat *frames = &working->frames;
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, frames->width, frames->height);
  return gpu_components_check_size (device, &info, error);
}

static gboolean
make_frame (const GpuPaletteWorking * working, GpuDevice * device,
    GpuPixels pixels, GpuFrame * frame, GError ** error)
{
  const GpuPaletteFormat *frames = &working->frames;

  gpu_frame_info_init (&frame->info, pixels, frames->width, frames->height);
  frame->buffer = gpu_buffer_new (device, GPU_BUFFER_DEVICE, frame->info.size,
      "palette working frame", error);
  return frame->buffer != NULL;
}

static gboolean
init_curve (GpuPaletteWorking * working, GpuDevice * device, GError ** error)
{
  working->curve = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      sizeof *working->frames.curve, "palette transfer curve", error);
  return working->curve != NULL;
}

static GpuConversion
describe (const GpuPaletteWorking * working, GpuPixels from, GpuPixels to)
{
  return (GpuConversion) {
    .kind = working->frames.curve ? CONVERT_CURVED : CONVERT_CODES,
    .from = from,
    .to = to,
    .yuv = working->frames.yuv,
  };
}

static gboolean
init_in (GpuPaletteWorking * working, GpuDevice * device, GError ** error)
{
  working->decode = describe (working, working->frames.in, working->format.in);
  working->decode.is_decoding = TRUE;
  return check_size (working, device, working->frames.in, error)
      && make_frame (working, device, working->format.in, &working->in, error)
      && gpu_conversion_request (&working->decode, device, error);
}

static gboolean
init_out (GpuPaletteWorking * working, GpuDevice * device, GError ** error)
{
  working->encode = describe (working, working->frames.in, working->frames.out);
  return check_size (working, device, working->frames.in, error)
      && check_size (working, device, working->frames.out, error)
      && make_frame (working, device, working->format.out, &working->out, error)
      && gpu_conversion_request (&working->encode, device, error);
}

gboolean
gpu_palette_working_init (GpuPaletteWorking * working, GpuDevice * device,
    const GpuPaletteFormat * format, GError ** error)
{
  *working = (GpuPaletteWorking) {
    .frames = *format,
    .format = choose_format (format),
  };
  if (format->curve)
    return init_curve (working, device, error)
        && init_in (working, device, error)
        && init_out (working, device, error);
  return (working->format.in == format->in || init_in (working, device, error))
      && (working->format.out == format->out
      || init_out (working, device, error));
}

void
gpu_palette_working_clear (GpuPaletteWorking * working)
{
  g_clear_pointer (&working->in.buffer, gpu_buffer_unref);
  g_clear_pointer (&working->out.buffer, gpu_buffer_unref);
  g_clear_pointer (&working->curve, gpu_buffer_unref);
  *working = (GpuPaletteWorking) {0};
}

gsize
gpu_palette_working_get_memory (const GpuPaletteWorking * working)
{
  GpuBuffer *const buffers[] = { working->in.buffer, working->out.buffer,
    working->curve
  };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));
}

/* --- a frame --- */

void
gpu_palette_working_choose (const GpuPaletteWorking * working,
    const GpuFrames * frames, const GpuFrame ** in, const GpuFrame ** out)
{
  *in = working->in.buffer ? &working->in : frames->in;
  *out = working->out.buffer ? &working->out : frames->out;
}

void
gpu_palette_working_decode (const GpuPaletteWorking * working,
    const GpuSlicer * slicer, const GpuFrames * frames)
{
  const GpuConversionFrames converted = {
    .from = frames->in,
    .to = &working->in,
    .table = working->curve,
  };

  if (!working->in.buffer)
    return;
  gpu_stream_stage (slicer->stream, "palette-decode");
  if (working->curve)
    gpu_stream_write (slicer->stream, working->curve, 0, working->frames.curve,
        sizeof *working->frames.curve);
  gpu_conversion_record (&working->decode, slicer, &converted);
}

void
gpu_palette_working_encode (const GpuPaletteWorking * working,
    const GpuSlicer * slicer, const GpuFrames * frames)
{
  const GpuConversionFrames converted = {
    .from = frames->in,
    .to = frames->out,
    .pixels = &working->out,
    .table = working->curve,
  };

  if (!working->out.buffer)
    return;
  gpu_stream_stage (slicer->stream, "palette-encode");
  gpu_conversion_record (&working->encode, slicer, &converted);
}
