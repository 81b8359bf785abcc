/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element meanshiftpalette, and what its files share. */
#pragma once

#include "gpu/palette/curve.h"
#include "gpu/palette/palette.h"
#include "gst/common/gstgpuprogress.h"
#include "gst/common/gstgpuproperties.h"
#include "gst/filter/gstgpufilter.h"

G_BEGIN_DECLS

#define GST_TYPE_MEAN_SHIFT_PALETTE (gst_mean_shift_palette_get_type ())
G_DECLARE_FINAL_TYPE (GstMeanShiftPalette, gst_mean_shift_palette, GST,
    MEAN_SHIFT_PALETTE, GstGpuFilter)

GST_ELEMENT_REGISTER_DECLARE (meanshiftpalette);

/* --- properties (gstmeanshiftpalettesettings.c) --- */

typedef enum
{
  GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO,
  GST_MEAN_SHIFT_PALETTE_TRANSFER_SRGB,
  GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR,
} GstMeanShiftPaletteTransfer;

typedef struct
{
  GpuPaletteSettings engine;
  GstMeanShiftPaletteTransfer transfer;
  gboolean posts_messages;
} GstMeanShiftPaletteSettings;

/* Each is stored in a member of GstMeanShiftPaletteSettings, "palette" by the functions below. */
extern const GstGpuProperty gst_mean_shift_palette_properties[];

/* Reads the palette of @text, which may be NULL. One that cannot be read is refused with a
 * warning of @element. Takes the object lock, as the next one does. */
void gst_mean_shift_palette_settings_set_palette (GstMeanShiftPaletteSettings *
    settings, GstElement * element, const gchar * text);
/* Returns the palette as text, which the caller owns. */
gchar *gst_mean_shift_palette_settings_write_palette (const
    GstMeanShiftPaletteSettings * settings, GstElement * element);

/* Appends @colour, 0xRRGGBB, to a text such as "#1a1c2c,#5d275d". */
void gst_mean_shift_palette_text_append (GString * text, guint32 colour);

extern const GstGpuFilterPresets gst_mean_shift_palette_presets;

/* --- modes (gstmeanshiftpalettereport.c) ---
 *
 * The modes of the newest finished frame, for messages and properties of
 * meanshiftpalette. */

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

/* Returns the colours of the modes as text, which the caller owns. It is empty if the
 * pixels of the last frame were not counted. */
gchar *gst_mean_shift_palette_modes_write (const GstMeanShiftPaletteModes *
    modes);

/* --- the element --- */

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

/* --- reports (gstmeanshiftpalettereport.c) ---
 *
 * What meanshiftpalette tells of its frames: messages with their modes, and statistics. */

/* Reads the newest report, and the modes of the newest finished frame, if there is an engine.
 * The caller holds report_lock. */
void gst_mean_shift_palette_report_update (GstMeanShiftPalette * self);

/* Posts the modes of the newest finished frame, unless they were posted before. The streaming
 * thread calls this and the next one, without report_lock. */
void gst_mean_shift_palette_report_post_modes (GstMeanShiftPalette * self);

/* Waits for the last frame and posts its modes. Called if no frame follows soon, and only
 * while there is an engine. */
void gst_mean_shift_palette_report_post_last_modes (GstMeanShiftPalette *
    self);

/* Implements fill_stats of GstGpuFilterClass. Takes report_lock. */
void gst_mean_shift_palette_report_fill_stats (GstGpuFilter * filter,
    GstStructure * stats);

/* --- frames (gstmeanshiftpalette.c) --- */

/* Fills in @curve for PQ or HLG, whose frames are converted to sRGB before their colours are
 * counted. White is 203 cd/m² in PQ, and the light of the scene at the largest code in HLG. */
void gst_mean_shift_palette_curve_fill (GpuPaletteCurve * curve,
    GstVideoTransferFunction function);

/* --- caps (gstmeanshiftpalettecaps.c) ---
 *
 * The caps that meanshiftpalette accepts and outputs, in order of preference. */

/* Adds the pad templates, and sets the functions of @klass about caps. */
void gst_mean_shift_palette_caps_install (GstGpuFilterClass * klass);

G_END_DECLS
