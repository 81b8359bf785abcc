/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurcaps.h"

#include "gpu/blur/blur.h"
#include "gst/memory/gstgpuformats.h"

static gboolean
takes_lit_colours (GpuPixels pixels)
{
  return gpu_blur_takes_bilateral (pixels)
      && gpu_pixels_get_format (pixels)->model == GPU_MODEL_RGB;
}

static const GstGpuFormatsFilter filters[GST_GPU_BLUR_N_SUBJECTS] = {
  [GST_GPU_BLUR_SAMPLES] = gpu_blur_takes,
  [GST_GPU_BLUR_COLOURS] = gpu_blur_takes_bilateral,
  [GST_GPU_BLUR_LIT_COLOURS] = takes_lit_colours,
};

gboolean
gst_gpu_blur_caps_take (GpuPixels pixels, GstGpuBlurSubject subject)
{
  return filters[subject] (pixels);
}

GstCaps *
gst_gpu_blur_caps_get_formats (GstGpuBlurSubject subject)
{
  return gst_gpu_formats_get_caps (filters[subject]);
}

gboolean
gst_gpu_blur_caps_have_formats (GstCaps * caps, GstGpuBlurSubject subject)
{
  GstCaps *formats = gst_gpu_blur_caps_get_formats (subject);
  gboolean have = gst_caps_can_intersect (caps, formats);

  gst_caps_unref (formats);
  return have;
}

void
gst_gpu_blur_caps_install (GstElementClass * klass)
{
  gst_gpu_formats_add_pads (klass, gpu_blur_takes, gpu_blur_takes);
}
