/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurcaps.h"

#include "gpu/blur/blur.h"
#include "gst/memory/gstgpuformats.h"

static gboolean
is_rgb (GpuPixels pixels)
{
  return gpu_blur_takes (pixels)
      && gpu_pixels_get_format (pixels)->model == GPU_MODEL_RGB;
}

GstCaps *
gst_gpu_blur_caps_get_formats (gboolean needs_rgb)
{
  return gst_gpu_formats_get_caps (needs_rgb ? is_rgb : gpu_blur_takes);
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
  gst_gpu_formats_add_pads (klass, gpu_blur_takes, gpu_blur_takes);
}
