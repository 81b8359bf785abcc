/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* High dynamic range: the transfer functions whose frames are converted to sRGB before their
 * colours are counted. */
#pragma once

#include "gpu/palette/curve.h"
#include <gst/video/video.h>

G_BEGIN_DECLS

/* Returns whether @function is PQ or HLG. */
gboolean gst_mean_shift_palette_curve_is (GstVideoTransferFunction function);

/* Fills in @curve for PQ or HLG. White is 203 cd/m² in PQ, and the light of the scene at the
 * largest code in HLG. */
void gst_mean_shift_palette_curve_fill (GpuPaletteCurve * curve,
    GstVideoTransferFunction function);

G_END_DECLS
