/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What meanshiftpalette takes and makes, and which of it it likes best. */
#pragma once

#include "gst/filter/gstgpufilter.h"

G_BEGIN_DECLS

/* Pad templates, and how caps of one pad follow from the other's. */
void gst_mean_shift_palette_caps_install (GstGpuFilterClass * klass);

/* As of GstGpuFilterClass, with quality `exact` or not. */
GstCaps *gst_mean_shift_palette_caps_get_formats (GstPadDirection
    direction, gboolean is_exact);

/* Why frames of @caps, of the sink pad, are refused though another property or another
 * colorimetry would do: the text of an error, with what to do, or NULL. */
const gchar *gst_mean_shift_palette_caps_explain_refusal
    (GstBaseTransform * trans, GstCaps * caps);

G_END_DECLS
