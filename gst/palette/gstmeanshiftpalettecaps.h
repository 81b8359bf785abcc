/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caps that meanshiftpalette accepts and outputs, in order of preference. */
#pragma once

#include "gst/filter/gstgpufilter.h"

G_BEGIN_DECLS

/* Adds the pad templates and sets convert_caps. */
void gst_mean_shift_palette_caps_install (GstGpuFilterClass * klass);

/* Implements get_formats of GstGpuFilterClass. @is_exact: whether quality is `exact`. */
GstCaps *gst_mean_shift_palette_caps_get_formats (GstPadDirection
    direction, gboolean is_exact);

/* If frames with @caps of the sink pad are refused, but would be accepted with another
 * property value or colorimetry, returns the text of an error with what to do; static.
 * Else returns NULL. */
const gchar *gst_mean_shift_palette_caps_explain_refusal
    (GstBaseTransform * trans, GstCaps * caps);

G_END_DECLS
