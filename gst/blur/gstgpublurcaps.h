/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What gpublur takes and makes. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The pad templates. */
void gst_gpu_blur_caps_install (GstElementClass * klass);

/* Light is what R'G'B' are codes of: where it is blurred, other formats will not do. A
 * reference. */
GstCaps *gst_gpu_blur_caps_get_formats (gboolean needs_rgb);

/* Whether some of @caps have such a format. */
gboolean gst_gpu_blur_caps_have_formats (GstCaps * caps, gboolean needs_rgb);

G_END_DECLS
