/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurcaps.h"

#include "gst/memory/gstgpuframe.h"

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (GST_GPU_FRAME_FORMATS)
        "; video/x-raw(ANY)"));

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (GST_GPU_FRAME_FORMATS)
        "; video/x-raw(ANY)"));

#define CAPS_OF(formats) GST_STATIC_CAPS ("video/x-raw, format = (string) " formats)
static GstStaticCaps all_caps = CAPS_OF (GST_GPU_FRAME_FORMATS);
static GstStaticCaps rgb_caps = CAPS_OF ("{ " GST_GPU_FRAME_RGB_FORMATS " }");

GstCaps *
gst_gpu_blur_caps_get_formats (gboolean needs_rgb)
{
  return gst_static_caps_get (needs_rgb ? &rgb_caps : &all_caps);
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
  gst_element_class_add_static_pad_template (klass, &sink_template);
  gst_element_class_add_static_pad_template (klass, &src_template);
}
