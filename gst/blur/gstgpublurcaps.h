/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caps of gpublur. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Adds the pad templates. Call it from class_init. */
void gst_gpu_blur_caps_install (GstElementClass * klass);

/* Returns caps with all supported formats, or only the RGB formats if @needs_rgb, as for
 * linear light. The caller owns the result. */
GstCaps *gst_gpu_blur_caps_get_formats (gboolean needs_rgb);

/* Whether @caps have at least one of the formats that gst_gpu_blur_caps_get_formats()
 * returns for @needs_rgb. */
gboolean gst_gpu_blur_caps_have_formats (GstCaps * caps, gboolean needs_rgb);

G_END_DECLS
