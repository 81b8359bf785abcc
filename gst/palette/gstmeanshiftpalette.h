/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gst/filter/gstgpufilter.h"

G_BEGIN_DECLS

#define GST_TYPE_MEAN_SHIFT_PALETTE (gst_mean_shift_palette_get_type ())
G_DECLARE_FINAL_TYPE (GstMeanShiftPalette, gst_mean_shift_palette, GST,
    MEAN_SHIFT_PALETTE, GstGpuFilter)

GST_ELEMENT_REGISTER_DECLARE (meanshiftpalette);

G_END_DECLS
