/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The modes of the newest frame that is done, as meanshiftpalette tells of them. */
#pragma once

#include "gpu/palette/palette.h"
#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/* What the engine does not know of a frame. */
typedef struct
{
  GstClockTime timestamp, stream_time, running_time, duration;
  gdouble radius;
} GstMeanShiftPaletteFrame;

/* More than can be in flight, so that the newest that is done is among them. */
#define GST_MEAN_SHIFT_PALETTE_FRAMES 16

typedef struct
{
  gboolean is_counting;         /* the pixels of the last frame were counted */
  guint64 n_frames;             /* of which that is so, since the start */
  GstMeanShiftPaletteFrame frames[GST_MEAN_SHIFT_PALETTE_FRAMES];

  /* Of frames as they are counted, from 1 on; 0: none. */
  guint64 newest, told;

  GpuPaletteMode modes[GPU_PALETTE_MAX_MODES];
  guint n_modes;
} GstMeanShiftPaletteModes;

/* The next frame, whose segment is that of @trans. Returns its tag for the
 * engine. */
guint64 gst_mean_shift_palette_modes_add_frame (GstMeanShiftPaletteModes *
    modes, GstBaseTransform * trans, GstBuffer * buffer, gdouble radius);

/* To what @engine knows by now. */
void gst_mean_shift_palette_modes_update (GstMeanShiftPaletteModes * modes,
    GpuPalette * engine);

/* A new structure; NULL where no modes are known, or nobody counts any more. */
GstStructure *gst_mean_shift_palette_modes_describe (const
    GstMeanShiftPaletteModes * modes);

/* A new structure for each frame once, and only if it is newer than those
 * before. */
GstStructure *gst_mean_shift_palette_modes_tell (GstMeanShiftPaletteModes *
    modes);

/* Appends their colours to @array, a GST_TYPE_ARRAY, unless nobody counts any
 * more. */
void gst_mean_shift_palette_modes_list (const GstMeanShiftPaletteModes * modes,
    GValue * array);

G_END_DECLS
