/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalettecurve.h"

/* GStreamer's light 1 of PQ is 10000 cd/m². Diffuse white has 203 (ITU-R BT.2408). */
#define PQ_WHITE (203 / 10000.0)

static gdouble
get_white (GstVideoTransferFunction function)
{
  return function == GST_VIDEO_TRANSFER_SMPTE2084 ? PQ_WHITE : 1;
}

static gdouble
decode (gdouble code, gpointer data)
{
  GstVideoTransferFunction function = GPOINTER_TO_INT (data);

  return gst_video_transfer_function_decode (function, code)
      / get_white (function);
}

static gdouble
encode (gdouble light, gpointer data)
{
  GstVideoTransferFunction function = GPOINTER_TO_INT (data);

  return gst_video_transfer_function_encode (function,
      light * get_white (function));
}

gboolean
gst_mean_shift_palette_curve_is (GstVideoTransferFunction function)
{
  return function == GST_VIDEO_TRANSFER_SMPTE2084
      || function == GST_VIDEO_TRANSFER_ARIB_STD_B67;
}

void
gst_mean_shift_palette_curve_fill (GpuPaletteCurve * curve,
    GstVideoTransferFunction function)
{
  gpu_palette_curve_fill (curve, decode, encode, GINT_TO_POINTER (function));
}
