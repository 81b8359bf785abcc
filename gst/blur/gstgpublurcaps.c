/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurcaps.h"

#include "gpu/blur/blur.h"
#include "gst/memory/gstgpuformats.h"

static gboolean
is_rgb (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->model == GPU_MODEL_RGB;
}

static gboolean
has_luma (GpuPixels pixels)
{
  return !is_rgb (pixels);
}

static gboolean
has_chroma (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->model == GPU_MODEL_YUV;
}

static gboolean
has_alpha (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->alpha != GPU_NOWHERE;
}

/* What to do about a format that a property cannot take. */
#define CONVERT_TO(format) "Put \"videoconvert ! video/x-raw,format=" format \
    "\" before gpublur, or set "

#define NO_COLOURS "kernel=bilateral cannot blur the format of the frames"
#define NO_LIGHT "linear-light with kernel=bilateral needs an 8-bit RGB format, " \
    "and frames have another"
#define NO_LUMA "planes=luma needs a Y'CbCr or grey format, and frames are RGB"
#define NO_CHROMA "planes=chroma needs a Y'CbCr format, and frames have no chroma"
#define NO_ALPHA "mask needs a format with alpha, and frames have none"

#define TO_GAUSSIAN CONVERT_TO ("RGBA") "kernel=gaussian."
#define TO_CODES CONVERT_TO ("RGBA") "linear-light=false."
#define TO_ALL CONVERT_TO ("AYUV") "planes=all."
#define TO_NONE "Put an element before gpublur that writes alpha, or set mask=none."

static const struct
{
  GstGpuFormatsFilter is_met;
  const gchar *refusal, *ignored;
} needs_of_formats[GST_GPU_BLUR_N_NEEDS] = {
  [GST_GPU_BLUR_NEEDS_COLOURS] = {gpu_blur_takes_bilateral,
    NO_COLOURS ". " TO_GAUSSIAN,
    NO_COLOURS ": a Gaussian blurs them. " TO_GAUSSIAN},
  [GST_GPU_BLUR_NEEDS_LIT_COLOURS] = {is_rgb,
    NO_LIGHT ". " TO_CODES,
    NO_LIGHT ": code values are blurred. " TO_CODES},
  [GST_GPU_BLUR_NEEDS_LUMA] = {has_luma,
    NO_LUMA ". " TO_ALL,
    NO_LUMA ": all components are treated. " TO_ALL},
  [GST_GPU_BLUR_NEEDS_CHROMA] = {has_chroma,
    NO_CHROMA ". " TO_ALL,
    NO_CHROMA ": all components are treated. " TO_ALL},
  [GST_GPU_BLUR_NEEDS_ALPHA] = {has_alpha,
    NO_ALPHA ". " TO_NONE,
    NO_ALPHA ": all pixels are treated alike. " TO_NONE},
};

GstGpuBlurNeed
gst_gpu_blur_caps_find_unmet (GpuPixels pixels, guint needs)
{
  GstGpuBlurNeed need = 0;

  while (need < GST_GPU_BLUR_N_NEEDS
      && (!(needs & 1 << need) || needs_of_formats[need].is_met (pixels)))
    need++;
  return need;
}

GstCaps *
gst_gpu_blur_caps_get_formats (guint needs)
{
  GstCaps *formats = gst_gpu_formats_get_caps (gpu_blur_takes);

  for (GstGpuBlurNeed i = 0; i < GST_GPU_BLUR_N_NEEDS; i++) {
    GstCaps *all = formats, *met;

    if (!(needs & 1 << i))
      continue;
    met = gst_gpu_formats_get_caps (needs_of_formats[i].is_met);
    formats = gst_caps_intersect_full (all, met, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (met);
    gst_caps_unref (all);
  }
  return formats;
}

static gboolean
have_formats (GstCaps * caps, guint needs)
{
  GstCaps *formats = gst_gpu_blur_caps_get_formats (needs);
  gboolean have = gst_caps_can_intersect (caps, formats);

  gst_caps_unref (formats);
  return have;
}

const gchar *
gst_gpu_blur_caps_describe_refusal (GstCaps * caps, guint needs)
{
  if (!have_formats (caps, 0))
    return NULL;
  for (GstGpuBlurNeed i = 0; i < GST_GPU_BLUR_N_NEEDS; i++)
    if (needs & 1 << i && !have_formats (caps, 1 << i))
      return needs_of_formats[i].refusal;
  return NULL;
}

const gchar *
gst_gpu_blur_caps_describe_ignored (GstGpuBlurNeed need)
{
  return needs_of_formats[need].ignored;
}

void
gst_gpu_blur_caps_install (GstElementClass * klass)
{
  gst_gpu_formats_add_pads (klass, gpu_blur_takes, gpu_blur_takes);
}
