/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The private state of meanshiftpalette, for the files of the element only. */
#pragma once

#include "gst/common/gstgpuprogress.h"
#include "gstmeanshiftpalette.h"
#include "gstmeanshiftpalettecurve.h"
#include "gstmeanshiftpalettemodes.h"
#include "gstmeanshiftpalettesettings.h"

G_BEGIN_DECLS

struct _GstMeanShiftPalette
{
  GstGpuFilter parent;

  /* Property values, protected by the object lock. */
  GstMeanShiftPaletteSettings settings;

  /* Used by the streaming thread. */
  GstMeanShiftPaletteSettings current;  /* property values for the current frame */
  GpuPaletteFormat format;      /* of the caps; its curve: that of the engine */
  GstVideoTransferFunction caps_transfer;
  GstVideoTransferFunction caps_curve;  /* UNKNOWN: codes are counted as they are */
  GpuPaletteCurve curve;        /* of caps_curve */
  /* Transfer function of the engine; NULL: not set yet. */
  GpuPaletteTransfer engine_transfer;
  GstVideoTransferFunction engine_function;     /* argument of decode_transfer() */
  GpuPalette *engine;
  GstClockTime last_pts;        /* of the previous frame with LIVE */
  GstGpuProgress progress;
  const gchar *ignored;         /* describe_ignored() for the current frame */
  guint history, room;          /* last requested history, and how many of these frames
                                   were counted */

  /* Protects the members below, and the engine while other threads ask it. They don't hold the
   * object lock meanwhile: an answer may free buffers, and drivers may take long for that. */
  GMutex report_lock;
  GpuPaletteReport report;      /* of the last frame */
  guint64 waits;                /* waits for the solver since the start */
  gdouble radius;               /* radius in use in the last frame */
  GstMeanShiftPaletteModes modes;
};

GST_DEBUG_CATEGORY_EXTERN (gst_mean_shift_palette_debug);

G_END_DECLS
