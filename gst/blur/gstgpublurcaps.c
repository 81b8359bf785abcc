/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurcaps.h"

#include "gst/memory/gstgpuformats.h"

static gboolean
is_taken (GpuPixels pixels)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  return gpu_pixel_format_get_code_bits (format) > 0 && !format->is_indexed;
}

static gboolean
is_rgb (GpuPixels pixels)
{
  return is_taken (pixels)
      && gpu_pixels_get_format (pixels)->model == GPU_MODEL_RGB;
}

GstCaps *
gst_gpu_blur_caps_get_formats (gboolean needs_rgb)
{
  return gst_gpu_formats_get_caps (needs_rgb ? is_rgb : is_taken);
}

gboolean
gst_gpu_blur_caps_have_formats (GstCaps * caps, gboolean needs_rgb)
{
  GstCaps *formats = gst_gpu_blur_caps_get_formats (needs_rgb);
  gboolean have = gst_caps_can_intersect (caps, formats);

  gst_caps_unref (formats);
  return have;
}

void
gst_gpu_blur_caps_install (GstElementClass * klass)
{
  gst_gpu_formats_add_pads (klass, is_taken, is_taken);
}
