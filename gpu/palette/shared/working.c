/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "working.h"
#include "shaders.h"
#include "gpu/core/compute/components.h"
#include "gpu/core/compute/pixels.h"
#include "shaders/palette/shared/coding.h"

G_STATIC_ASSERT (GPU_MODEL_RGB == CODING_RGB && GPU_MODEL_YUV == CODING_YUV
    && GPU_MODEL_GREY == CODING_GREY);
G_STATIC_ASSERT (CODING_H_COSITED + GPU_YUV_CONSTANTS == CODING_CONSTANTS);

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

/* Maps count pixels by alpha, so the working input has it; encode.comp reads that of the
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

static void
fill_encoding (const GpuYuv * yuv, GpuPixels pixels, guint32 * constants)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  constants[CODING_MODEL] = format->model;
  gpu_yuv_get_constants (yuv, gpu_pixel_format_get_code_bits (format),
      constants + CODING_H_COSITED);
}

static gboolean
request_decode (GpuPaletteWorking * working, GpuDevice * device,
    GError ** error)
{
  const GpuShader *shader = working->frames.curve
      ? &gpu_shader_palette_decode_curved : &gpu_shader_palette_decode;
  guint32 constants[CODING_CONSTANTS];

  gpu_components_get_constants (working->frames.in, working->format.in, 0,
      constants);
  fill_encoding (&working->frames.yuv, working->frames.in, constants);
  working->decode = gpu_kernel_request (device, shader, constants,
      CODING_CONSTANTS, GPU_KERNEL_SOON, error);
  return working->decode != NULL;
}

static gboolean
request_encode (GpuPaletteWorking * working, GpuDevice * device,
    GError ** error)
{
  const GpuShader *shader = working->frames.curve
      ? &gpu_shader_palette_encode_curved : &gpu_shader_palette_encode;
  GpuPixels out = working->frames.out;
  guint32 constants[CODING_CONSTANTS];

  fill_encoding (&working->frames.yuv, out, constants);
  for (guint i = 0; i < gpu_pixels_get_format (out)->n_planes; i++) {
    gpu_components_get_constants (working->frames.in, out, i, constants);
    working->encode[i] = gpu_kernel_request (device, shader, constants,
        CODING_CONSTANTS, GPU_KERNEL_SOON, error);
    if (!working->encode[i])
      return FALSE;
  }
  return TRUE;
}

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

static gboolean
init_in (GpuPaletteWorking * working, GpuDevice * device, GError ** error)
{
  return check_size (working, device, working->frames.in, error)
      && make_frame (working, device, working->format.in, &working->in, error)
      && request_decode (working, device, error);
}

static gboolean
init_out (GpuPaletteWorking * working, GpuDevice * device, GError ** error)
{
  return check_size (working, device, working->frames.in, error)
      && check_size (working, device, working->frames.out, error)
      && make_frame (working, device, working->format.out, &working->out, error)
      && request_encode (working, device, error);
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
  *in = working->decode ? &working->in : frames->in;
  *out = working->encode[0] ? &working->out : frames->out;
}

/* Sets @pictures to what is converted separately, and returns their number: the frame, or
 * each field. */
static guint
split (const GpuFrameInfo * info, gboolean is_interlaced,
    GpuFrameInfo pictures[2])
{
  if (!is_interlaced) {
    pictures[0] = *info;
    return 1;
  }
  for (guint i = 0; i < gpu_frame_info_count_fields (info); i++)
    gpu_frame_info_get_field (info, i, &pictures[i]);
  return gpu_frame_info_count_fields (info);
}

static void
write_curve (const GpuPaletteWorking * working, GpuStream * stream)
{
  gpu_stream_write (stream, working->curve, 0, working->frames.curve,
      sizeof *working->frames.curve);
}

void
gpu_palette_working_decode (GpuPaletteWorking * working,
    const GpuSlicer * slicer, const GpuFrames * frames)
{
  const gboolean is_interlaced = frames->in->info.is_interlaced;
  const GpuDispatch dispatch = {
    .kernel = working->decode,
    .buffers = {
      [PALETTE_DECODE_INPUT] = frames->in->buffer,
      [PALETTE_DECODE_OUTPUT] = working->in.buffer,
      [PALETTE_DECODE_CURVED_CURVE] = working->curve,
    },
  };
  GpuFrameInfo in[2], out[2];
  guint n = split (&frames->in->info, is_interlaced, in);

  if (!working->decode)
    return;
  gpu_stream_stage (slicer->stream, "palette-decode");
  if (working->curve)
    write_curve (working, slicer->stream);
  split (&working->in.info, is_interlaced, out);
  gpu_stream_begin_disjoint (slicer->stream);
  for (guint i = 0; i < n; i++)
    gpu_components_run_over_pixels (slicer, &dispatch, &in[i], &out[i]);
  gpu_stream_end_disjoint (slicer->stream);
}

static void
encode_planes (GpuPaletteWorking * working, const GpuSlicer * slicer,
    const GpuFrames * frames, const GpuFrameInfo * in,
    const GpuFrameInfo * from, const GpuFrameInfo * to)
{
  const GpuPaletteEncodePush push = {
    .working_offset = from->offset[0] / 4,
    .working_stride = from->stride[0] / 4,
  };
  GpuDispatch dispatch = {
    .buffers = {
      [PALETTE_ENCODE_INPUT] = frames->in->buffer,
      [PALETTE_ENCODE_OUTPUT] = frames->out->buffer,
      [PALETTE_ENCODE_WORKING] = working->out.buffer,
      [PALETTE_ENCODE_CURVED_CURVE] = working->curve,
    },
    .push = &push,
  };

  for (guint i = 0; i < gpu_pixels_get_format (to->pixels)->n_planes; i++) {
    dispatch.kernel = working->encode[i];
    gpu_components_run (slicer, &dispatch, in, to, i);
  }
}

void
gpu_palette_working_encode (GpuPaletteWorking * working,
    const GpuSlicer * slicer, const GpuFrames * frames)
{
  const gboolean is_interlaced = frames->out->info.is_interlaced;
  GpuFrameInfo in[2], from[2], to[2];
  guint n = split (&frames->out->info, is_interlaced, to);

  if (!working->encode[0])
    return;
  gpu_stream_stage (slicer->stream, "palette-encode");
  split (&frames->in->info, is_interlaced, in);
  split (&working->out.info, is_interlaced, from);
  gpu_stream_begin_disjoint (slicer->stream);
  for (guint i = 0; i < n; i++)
    encode_planes (working, slicer, frames, &in[i], &from[i], &to[i]);
  gpu_stream_end_disjoint (slicer->stream);
}
