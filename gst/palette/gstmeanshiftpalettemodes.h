/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The modes of the newest finished frame, for messages and properties of
 * meanshiftpalette. */
#pragma once

#include "gpu/palette/palette.h"
#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/* Properties of a frame that the engine does not know. */
typedef struct
{
  GstClockTime timestamp, stream_time, running_time, duration;
  gdouble radius;               /* in use */
} GstMeanShiftPaletteFrame;

/* More than can be in flight, so that the newest finished frame is among them. */
#define GST_MEAN_SHIFT_PALETTE_FRAMES 16

typedef struct
{
  gboolean is_counting;         /* the pixels of the last frame were counted */
  guint64 n_frames;             /* frames with counted pixels since the start */
  GstMeanShiftPaletteFrame frames[GST_MEAN_SHIFT_PALETTE_FRAMES];

  /* Tags of frames, from 1; 0: none. newest: the frame of @modes; told: the last frame
   * that was posted. */
  guint64 newest, told;

  GpuPaletteMode modes[GPU_PALETTE_MAX_MODES];
  guint n_modes;
} GstMeanShiftPaletteModes;

/* The functions below take no lock: the caller holds the lock that protects @modes. */

/* Adds a frame, with timestamps from @buffer and the segment of @trans. Returns its tag
 * for the engine. */
guint64 gst_mean_shift_palette_modes_add_frame (GstMeanShiftPaletteModes *
    modes, GstBaseTransform * trans, GstBuffer * buffer, gdouble radius);

/* Reads the modes of the newest finished frame from @engine. */
void gst_mean_shift_palette_modes_update (GstMeanShiftPaletteModes * modes,
    GpuPalette * engine);

/* Returns the modes as a new structure, which the caller owns. Returns NULL if no modes are
 * known, or if the pixels of the last frame were not counted. */
GstStructure *gst_mean_shift_palette_modes_describe (const
    GstMeanShiftPaletteModes * modes);

/* Returns the modes of the newest finished frame as a new structure, which the caller
 * owns. Returns each frame only once: NULL if there is no newer frame. */
GstStructure *gst_mean_shift_palette_modes_tell (GstMeanShiftPaletteModes *
    modes);

/* Returns the colours of the modes as text, which the caller owns. It is empty if the
 * pixels of the last frame were not counted. */
gchar *gst_mean_shift_palette_modes_write (const GstMeanShiftPaletteModes *
    modes);

G_END_DECLS
