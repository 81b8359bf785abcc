/* SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-meanshiftpalette
 * @title: meanshiftpalette
 *
 * Reduces the number of colours of video. Every colour moves to a local maximum of the
 * density of colours (a mode), found by mean shift in the Oklab colour space. A larger
 * #GstMeanShiftPalette:radius leaves fewer colours: 0.005 to 0.03 suits photographs;
 * 0.05 and more leaves only a few colours. The result is bit-identical on every device.
 *
 * #GstMeanShiftPalette:quality `live`, the default, finds peaks of the density of colours
 * on a grid. It runs in real time, with small frames on a CPU too. `exact` moves every
 * colour until it stops, for stills, recordings and comparisons. It takes tens to
 * hundreds of times as long.
 *
 * With `live`, modes are kept from frame to frame, and a pixel changes its mode only if
 * another one is clearly nearer, so that noise causes no flicker
 * (#GstMeanShiftPalette:stability). The palette can also be kept unchanged
 * (#GstMeanShiftPalette:hold, #GstMeanShiftPalette:update-interval), or be given
 * (#GstMeanShiftPalette:palette). To limit the number of colours, set
 * #GstMeanShiftPalette:colors.
 *
 * The analysis works per colour, not per pixel, and its result is kept from frame to
 * frame: an unchanged frame is not solved again. The colours of the last
 * #GstMeanShiftPalette:history frames can be counted together. Colours with fewer than
 * #GstMeanShiftPalette:min-frequency pixels in these frames do not attract others.
 *
 * The output has the format of the input or any order of R, G and B, whichever the next
 * element prefers. Without a preference it has the format of the input, or else one that
 * keeps alpha if there is alpha. Alpha is not changed; pixels with alpha 0, or less than
 * #GstMeanShiftPalette:alpha-threshold, are not counted and keep their colour. If the
 * next element accepts nothing else, the output is RGB8P, which has at most 256 colours.
 *
 * In formats like I420 and NV12, four pixels share a chroma sample, which mixes colours:
 * the output then has more colours than the palette. If R'G'B' follows, even after a
 * videoconvert, this element outputs R'G'B' and the palette is not changed.
 *
 * All properties can be changed at any time, including #GstMeanShiftPalette:transfer,
 * except #GstGpuFilter:device and #GstGpuFilter:async-depth. A value outside the range of
 * a property is refused with a warning, and the old value is kept.
 *
 * #GstGpuFilter:stats has these fields for the last frame: `colors`, counted distinct
 * colours (0 with `live`); `added` and `removed`, colours compared to the last solved
 * frame; `solved-colors`, colours whose path was not completely known from earlier
 * frames; `reused-colors`, the other colours; `cells`, grid cells with colours (0 with
 * `exact`); `modes`, colours of the output, or modes that pixels have; `solved`, false if
 * the map of the previous frame was used again; `steps`, computed mean shift steps, whose
 * number depends on the order of threads (0 with `live`); `waits-for-solver`, waits of
 * the CPU for a counter or to keep submissions short. `all-waits-for-solver` counts
 * these waits since the start. `live` does not wait for a frame to be done: `cells`,
 * `modes` and `solved` are those of the newest finished frame. `radius` is the radius in
 * use. If pixels are counted, `palette` is the structure that
 * #GstMeanShiftPalette:post-messages posts.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 videotestsrc pattern=smpte ! video/x-raw,format=RGBA ! meanshiftpalette radius=0.03 ! videoconvert ! autovideosink
 * ]|
 * |[
 * gst-launch-1.0 filesrc location=photo.png ! pngdec ! meanshiftpalette colors=8 ! video/x-raw,format=RGB ! pngenc ! filesink location=eight.png
 * ]|
 * |[
 * gst-launch-1.0 uridecodebin uri=file:///film.webm ! videoconvert ! gpublur sigma=2 ! meanshiftpalette ! videoconvert ! autovideosink
 * ]| A slight blur removes noise, which would add colours.
 *
 * Since: 0.1
 */

#include "gstmeanshiftpalette.h"

#include "gpu/palette/palette.h"
#include "gst/common/gstgpuprogress.h"
#include "gst/filter/gstgpufiltererror.h"
#include "gst/memory/gstgpuframe.h"
#include "gstmeanshiftpalettecaps.h"
#include "gstmeanshiftpalettecurve.h"
#include "gstmeanshiftpalettemodes.h"
#include "gstmeanshiftpalettepresets.h"
#include "gstmeanshiftpalettesettings.h"

GST_DEBUG_CATEGORY_STATIC (gst_mean_shift_palette_debug);
#define GST_CAT_DEFAULT gst_mean_shift_palette_debug

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

  /* Protected by the object lock. */
  GpuPaletteReport report;      /* of the last frame */
  guint64 waits;                /* waits for the solver since the start */
  gdouble radius;               /* radius in use in the last frame */
  GstMeanShiftPaletteModes modes;
};

G_DEFINE_TYPE_WITH_CODE (GstMeanShiftPalette, gst_mean_shift_palette,
    GST_TYPE_GPU_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_PRESET, gst_gpu_filter_presets_implement);
    GST_DEBUG_CATEGORY_INIT (gst_mean_shift_palette_debug,
        "meanshiftpalette", 0, "palette reduction on the GPU"));

GST_ELEMENT_REGISTER_DEFINE (meanshiftpalette, "meanshiftpalette",
    GST_RANK_NONE, GST_TYPE_MEAN_SHIFT_PALETTE);

/* --- modes --- */

static void
update_modes (GstMeanShiftPalette * self)
{
  if (self->engine)
    gst_mean_shift_palette_modes_update (&self->modes, self->engine);
}

/* Posts the modes of the newest finished frame, unless they were posted before. */
static void
post_modes (GstMeanShiftPalette * self)
{
  GstStructure *modes;

  GST_OBJECT_LOCK (self);
  update_modes (self);
  modes = gst_mean_shift_palette_modes_tell (&self->modes);
  GST_OBJECT_UNLOCK (self);
  if (modes)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self), modes));
}

/* --- caps --- */

static GstCaps *
gst_mean_shift_palette_get_formats (GstGpuFilter * filter,
    GstPadDirection direction)
{
  gboolean is_exact;

  GST_OBJECT_LOCK (filter);
  is_exact = GST_MEAN_SHIFT_PALETTE (filter)->settings.engine.quality
      == GPU_PALETTE_EXACT;
  GST_OBJECT_UNLOCK (filter);
  return gst_mean_shift_palette_caps_get_formats (direction, is_exact);
}

static gboolean
gst_mean_shift_palette_is_neutral (GstGpuFilter * filter)
{
  gboolean is_neutral;

  GST_OBJECT_LOCK (filter);
  is_neutral = gpu_palette_get_radius (&GST_MEAN_SHIFT_PALETTE
      (filter)->settings.engine) == 0;
  GST_OBJECT_UNLOCK (filter);
  return is_neutral;
}

static const gchar *
gst_mean_shift_palette_describe_ignored (GstGpuFilter * filter)
{
  return GST_MEAN_SHIFT_PALETTE (filter)->ignored;
}

/* --- frames --- */

/* Returns whether frames pass. If the output has another format, they are processed even
 * with radius 0. */
static gboolean
pass (const GpuPaletteSettings * settings, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  return gpu_palette_get_radius (settings) == 0
      && GST_VIDEO_INFO_FORMAT (in) == GST_VIDEO_INFO_FORMAT (out);
}

static gboolean
has_colours (const GpuPaletteSettings * settings)
{
  for (guint i = 0; i < settings->making.given.n_colours; i++)
    if ((settings->making.given.colours[i] & 255) * 0x010101 !=
        settings->making.given.colours[i])
      return TRUE;
  return FALSE;
}

/* Changes latched settings that do not work with @format, and sets the warning text. */
static void
ignore_impossible (GstMeanShiftPalette * self, GstVideoFormat format)
{
  GpuPaletteSettings *settings = &self->current.engine;

  self->ignored = NULL;
  if (format == GST_VIDEO_FORMAT_RGB8P
      && settings->quality == GPU_PALETTE_EXACT) {
    settings->quality = GPU_PALETTE_LIVE;
    self->ignored = "RGB8P holds 256 colours, and quality=exact leaves any "
        "number: frames are worked on with quality=live. Put "
        "\"video/x-raw,format=RGB\" behind meanshiftpalette, or set "
        "quality=live.";
  } else if (format == GST_VIDEO_FORMAT_GRAY8
      && settings->quality == GPU_PALETTE_LIVE && has_colours (settings)) {
    self->ignored = "GRAY8 has no colours: those of \"palette\" are shown as "
        "their luma. Put \"video/x-raw,format=RGB\" behind meanshiftpalette "
        "to see them, or set \"palette\" to greys.";
  }
}

/* The engine does not see frames that pass. LIVE keeps no modes across them. */
static void
begin_passing (GstMeanShiftPalette * self)
{
  if (self->engine && self->current.engine.quality == GPU_PALETTE_LIVE)
    gpu_palette_forget_modes (self->engine);
  GST_OBJECT_LOCK (self);
  self->modes.is_counting = FALSE;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_mean_shift_palette_latch (GstGpuFilter * filter, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  gboolean passes;

  GST_OBJECT_LOCK (self);
  self->current = self->settings;
  GST_OBJECT_UNLOCK (self);
  ignore_impossible (self, GST_VIDEO_INFO_FORMAT (out));
  self->current.engine.counts_pixels =
      self->current.posts_messages || self->current.engine.making.limit > 0;
  /* Modes of earlier frames, so this is done even if this frame passes. */
  if (self->current.posts_messages)
    post_modes (self);
  passes = pass (&self->current.engine, in, out);
  if (passes)
    begin_passing (self);
  return passes;
}

static gdouble
decode_transfer (gdouble code, gpointer function)
{
  return gst_video_transfer_function_decode (GPOINTER_TO_INT (function), code);
}

/* Sets the transfer function only if it has changed, because the engine forgets earlier
 * frames then. */
static void
update_transfer (GstMeanShiftPalette * self)
{
  GstMeanShiftPaletteTransfer wanted = self->current.transfer;
  GpuPaletteTransfer transfer = gpu_palette_transfer_srgb;
  GstVideoTransferFunction function = GST_VIDEO_TRANSFER_UNKNOWN;

  if (wanted == GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR) {
    transfer = gpu_palette_transfer_linear;
  } else if (wanted == GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO
      && self->caps_transfer != GST_VIDEO_TRANSFER_SRGB) {
    transfer = decode_transfer;
    function = self->caps_transfer;
  } else if (self->format.curve) {
    function = self->caps_curve;        /* the engine gets sRGB of it */
  }
  if (transfer == self->engine_transfer && function == self->engine_function)
    return;
  gpu_palette_set_transfer (self->engine, transfer, GINT_TO_POINTER (function));
  self->engine_transfer = transfer;
  self->engine_function = function;
}

static const GstGpuProgressKind mean_shift = {
  "mean-shift", G_USEC_PER_SEC, "Merged all colours",
  "Colors are not wanted any more"
};

static void
on_progress (guint done, guint n, gpointer element)
{
  GstGpuProgress *progress = &GST_MEAN_SHIFT_PALETTE (element)->progress;
  g_autofree gchar *text = NULL;

  if (!gst_gpu_progress_update (progress, &mean_shift, done, n))
    return;
  text = g_strdup_printf ("Merging %u colours: %d %%", n, progress->percent);
  gst_gpu_progress_tell (progress, &mean_shift, element, text);
}

/* Reads the newest report of the engine. The caller holds the object lock. */
static void
update_report (GstMeanShiftPalette * self)
{
  if (self->engine)
    gpu_palette_get_report (self->engine, &self->report);
}

static void
take_format (GstMeanShiftPalette * self, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  GpuPaletteFormat *format = &self->format;

  *format = (GpuPaletteFormat) {
  .width = GST_VIDEO_INFO_WIDTH (in),.height = GST_VIDEO_INFO_HEIGHT (in)};
  /* Frames in unsupported formats are foreign and do not get here. */
  gst_gpu_frame_pixels_from_video (in, &format->in);
  gst_gpu_frame_pixels_from_video (out, &format->out);
  if (gpu_pixels_get_format (format->in)->model != GPU_MODEL_RGB)
    gst_gpu_frame_yuv_from_video (in, &format->yuv);
}

/* If Y'CbCr input has an RGB colorimetry in its caps, GstVideoInfo drops it. The info of the
 * output has it. Indexed output has too few codes for a curve. */
static void
take_transfer (GstMeanShiftPalette * self, const GstVideoInfo * out)
{
  GstVideoTransferFunction function = out->colorimetry.transfer;

  self->caps_transfer = gst_gpu_frame_transfer_from_video (out);
  self->caps_curve = GST_VIDEO_TRANSFER_UNKNOWN;
  if (gst_mean_shift_palette_curve_is (function)
      && GST_VIDEO_INFO_FORMAT (out) != GST_VIDEO_FORMAT_RGB8P) {
    self->caps_curve = function;
    gst_mean_shift_palette_curve_fill (&self->curve, function);
  }
}

/* Returns the curve that the caps and the current settings ask for; NULL: none. */
static const GpuPaletteCurve *
get_curve (GstMeanShiftPalette * self)
{
  return self->current.transfer == GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO
      && self->caps_curve != GST_VIDEO_TRANSFER_UNKNOWN ? &self->curve : NULL;
}

static gboolean
configure (GstMeanShiftPalette * self, GError ** error)
{
  GST_OBJECT_LOCK (self);
  update_report (self);
  GST_OBJECT_UNLOCK (self);
  self->format.curve = get_curve (self);
  return gpu_palette_configure (self->engine, &self->format,
      self->current.engine.quality, error)
      && gpu_palette_prepare (self->engine, &self->current.engine, error);
}

static gboolean
gst_mean_shift_palette_prepare (GstGpuFilter * filter, GpuDevice * device,
    const GstVideoInfo * in, const GstVideoInfo * out, GError ** error)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);

  GST_OBJECT_LOCK (self);
  if (!self->engine) {
    self->engine = gpu_palette_new (device);
    self->engine_transfer = NULL;
    gpu_palette_set_progress (self->engine, on_progress, self);
  }
  GST_OBJECT_UNLOCK (self);
  take_format (self, in, out);
  take_transfer (self, out);
  return configure (self, error);
}

/* Keeps the last report and modes of the engine. */
static void
gst_mean_shift_palette_release (GstGpuFilter * filter)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  GpuPalette *engine;

  GST_OBJECT_LOCK (self);
  update_report (self);
  update_modes (self);
  engine = g_steal_pointer (&self->engine);
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&engine, gpu_palette_free);
}

/* Warns once per change of the requested or the possible history. */
static void
warn_of_short_history (GstMeanShiftPalette * self, guint room)
{
  guint history = self->current.engine.counting.history;

  if (room < history && (history != self->history || room != self->room))
    GST_ELEMENT_WARNING (self, RESOURCE, NO_SPACE_LEFT,
        ("Only %u of the %u frames of the history are counted: there is no "
            "memory for more, or their pixels are too many. Set \"history\" to "
            "%u, or use smaller frames or a device with more memory.", room,
            history, room), (NULL));
  self->history = history;
  self->room = room;
}

/* Logs the newest report. With LIVE it is that of an earlier frame, or there is none. */
static void
log_report (GstMeanShiftPalette * self, const GpuPaletteReport * report)
{
  const gchar *solved = report->made.solved ? "solved" : "reused";

  if (self->current.engine.quality == GPU_PALETTE_EXACT)
    GST_LOG_OBJECT (self, "%u colours to %u, %s", report->counted.colours,
        report->made.output_colours, solved);
  else if (report->counted.bins > 0)
    GST_LOG_OBJECT (self, "an earlier frame: colours in %u cells to %u, %s",
        report->counted.bins, report->made.output_colours, solved);
}

/* Returns the time since the previous frame in ns: the difference of the timestamps if
 * positive, else the duration of the buffer; 0: unknown. Called with LIVE only, so frames
 * with EXACT in between do not count. */
static GstClockTime
take_interval (GstMeanShiftPalette * self, GstBuffer * buffer)
{
  GstClockTime last = self->last_pts, pts = GST_BUFFER_PTS (buffer);

  self->last_pts = pts;
  if (GST_CLOCK_TIME_IS_VALID (last) && GST_CLOCK_TIME_IS_VALID (pts)
      && pts > last)
    return pts - last;
  return GST_BUFFER_DURATION_IS_VALID (buffer) ? GST_BUFFER_DURATION (buffer)
      : 0;
}

/* Sets the tag of the frame, which identifies its modes, if its pixels are counted. */
static void
tag_frame (GstMeanShiftPalette * self, GstBuffer * buffer)
{
  GpuPaletteSettings *settings = &self->current.engine;

  GST_OBJECT_LOCK (self);
  self->radius = gpu_palette_get_radius_in_use (self->engine, settings);
  self->modes.is_counting = settings->counts_pixels;
  if (settings->counts_pixels)
    settings->tag = gst_mean_shift_palette_modes_add_frame (&self->modes,
        GST_BASE_TRANSFORM (self), buffer, self->radius);
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_mean_shift_palette_record (GstGpuFilter * filter, GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out, GstBuffer * buffer,
    GError ** error)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  const GpuFrames frames = {.in = in,.out = out };
  GpuPaletteReport report;
  GError *failure = NULL;

  if (get_curve (self) != self->format.curve && !configure (self, error))
    return FALSE;
  update_transfer (self);
  if (self->current.engine.quality == GPU_PALETTE_LIVE)
    self->current.engine.interval = take_interval (self, buffer);
  tag_frame (self, buffer);
  gpu_palette_record (self->engine, stream, &self->current.engine,
      &frames, &report, &failure);
  gst_gpu_progress_end (&self->progress, &mean_shift, GST_ELEMENT (self),
      failure);
  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  warn_of_short_history (self, report.counted.history);
  log_report (self, &report);
  GST_OBJECT_LOCK (self);
  self->report = report;
  self->waits += report.submissions;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gsize
gst_mean_shift_palette_get_memory (GstGpuFilter * filter)
{
  GpuPalette *engine = GST_MEAN_SHIFT_PALETTE (filter)->engine;

  return engine ? gpu_palette_get_memory (engine) : 0;
}

/* Waits for the last frame and posts its modes. Called if no frame follows soon. */
static void
post_last_modes (GstMeanShiftPalette * self)
{
  g_autoptr (GError) error = NULL;
  gboolean posts_messages;

  GST_OBJECT_LOCK (self);
  posts_messages = self->settings.posts_messages;
  GST_OBJECT_UNLOCK (self);
  if (!posts_messages)
    return;
  if (gpu_palette_wait (self->engine, &error))
    post_modes (self);
  else
    GST_WARNING_OBJECT (self, "no modes of the last frame: %s", error->message);
}

static void
handle_event (GstMeanShiftPalette * self, GstEventType type)
{
  switch (type) {
    case GST_EVENT_EOS:
    case GST_EVENT_SEGMENT_DONE:
    case GST_EVENT_GAP:
      post_last_modes (self);
      break;
      /* Another stream begins. */
    case GST_EVENT_STREAM_START:
      post_last_modes (self);
      gpu_palette_forget (self->engine);
      break;
      /* Frames from another position follow; do not post modes of earlier ones. */
    case GST_EVENT_FLUSH_STOP:
      gpu_palette_forget (self->engine);
      break;
    default:
      break;
  }
}

static void
explain_refusal (GstBaseTransform * trans, GstCaps * caps)
{
  const gchar *reason =
      gst_mean_shift_palette_caps_explain_refusal (trans, caps);
  g_autoptr (GError) error = NULL;

  if (!reason)
    return;
  error = g_error_new_literal (GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      reason);
  GST_GPU_FILTER_ERROR (GST_GPU_FILTER (trans), error);
}

/* Takes ownership of @event. */
static gboolean
take_caps_event (GstBaseTransform * trans, GstEvent * event)
{
  gboolean is_taken;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  gst_caps_ref (caps);
  is_taken = GST_BASE_TRANSFORM_CLASS
      (gst_mean_shift_palette_parent_class)->sink_event (trans, event);
  if (!is_taken)
    explain_refusal (trans, caps);
  gst_caps_unref (caps);
  return is_taken;
}

static gboolean
gst_mean_shift_palette_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (trans);

  if (self->engine)
    handle_event (self, GST_EVENT_TYPE (event));
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
    return take_caps_event (trans, event);
  return GST_BASE_TRANSFORM_CLASS
      (gst_mean_shift_palette_parent_class)->sink_event (trans, event);
}

/* Explains a failed renegotiation: the next element may have asked for other caps. */
static GstFlowReturn
gst_mean_shift_palette_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * buffer)
{
  GstFlowReturn flow = GST_BASE_TRANSFORM_CLASS
      (gst_mean_shift_palette_parent_class)->submit_input_buffer (trans,
      is_discont, buffer);
  GstCaps *caps = flow == GST_FLOW_NOT_NEGOTIATED
      ? gst_pad_get_current_caps (trans->sinkpad) : NULL;

  if (caps)
    explain_refusal (trans, caps);
  gst_clear_caps (&caps);
  return flow;
}

static gboolean
gst_mean_shift_palette_start (GstBaseTransform * trans)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (trans);

  GST_OBJECT_LOCK (self);
  self->report = (GpuPaletteReport) {
  0};
  self->modes = (GstMeanShiftPaletteModes) {
  0};
  self->waits = 0;
  self->radius = 0;
  GST_OBJECT_UNLOCK (self);
  self->history = self->room = 0;
  self->last_pts = GST_CLOCK_TIME_NONE;
  return GST_BASE_TRANSFORM_CLASS
      (gst_mean_shift_palette_parent_class)->start (trans);
}

/* --- the object --- */

static void
gst_mean_shift_palette_fill_stats (GstGpuFilter * filter, GstStructure * stats)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  GpuPaletteReport report;
  GstStructure *modes;
  gdouble radius;
  guint64 waits;

  GST_OBJECT_LOCK (self);
  update_report (self);
  update_modes (self);
  modes = gst_mean_shift_palette_modes_describe (&self->modes);
  report = self->report;
  radius = self->radius;
  waits = self->waits;
  GST_OBJECT_UNLOCK (self);
  gst_structure_set (stats,
      "colors", G_TYPE_UINT64, (guint64) report.counted.colours,
      "added", G_TYPE_UINT64, (guint64) report.made.added,
      "removed", G_TYPE_UINT64, (guint64) report.made.removed,
      "solved-colors", G_TYPE_UINT64, (guint64) report.made.solved_colours,
      "reused-colors", G_TYPE_UINT64,
      (guint64) (report.counted.colours - report.made.solved_colours),
      "cells", G_TYPE_UINT64, (guint64) report.counted.bins,
      "modes", G_TYPE_UINT64, (guint64) report.made.output_colours,
      "solved", G_TYPE_BOOLEAN, report.made.solved,
      "steps", G_TYPE_UINT64, report.effort.steps,
      "waits-for-solver", G_TYPE_UINT64, (guint64) report.submissions,
      "all-waits-for-solver", G_TYPE_UINT64, waits,
      "radius", G_TYPE_DOUBLE, radius, NULL);
  if (modes)
    gst_structure_set (stats, "palette", GST_TYPE_STRUCTURE, modes, NULL);
  g_clear_pointer (&modes, gst_structure_free);
}

/* In NULL, a message may get lost: gst_parse_launch() sets properties before the element
 * has a bus, and the bus of a stopped pipeline drops messages. */
static void
warn_of_refusal (GstMeanShiftPalette * self, const gchar * property,
    const GError * error)
{
  if (GST_STATE (self) == GST_STATE_NULL)
    g_warning ("%s: \"%s\" stays as it is: %s", GST_OBJECT_NAME (self),
        property, error->message);
  else
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
        ("\"%s\" stays as it is: %s", property, error->message), (NULL));
}

static void
gst_mean_shift_palette_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (object);
  g_autoptr (GError) error = NULL;
  gboolean is_known;

  GST_OBJECT_LOCK (self);
  is_known = gst_mean_shift_palette_settings_set (&self->settings, id, value,
      &error);
  GST_OBJECT_UNLOCK (self);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  if (error)
    warn_of_refusal (self, pspec->name, error);
}

/* If no palette is set, reads that of the frames. A preset does not save it: it would replace
 * those of all frames where the preset is loaded. The caller holds the object lock. */
static void
complete_palette (GstMeanShiftPalette * self, GValue * text)
{
  if (g_value_get_string (text)[0] != '\0'
      || gst_gpu_filter_presets_is_saving (GST_PRESET (self)))
    return;
  update_modes (self);
  g_value_take_string (text, gst_mean_shift_palette_modes_write (&self->modes));
}

static void
gst_mean_shift_palette_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (object);
  gboolean is_known;

  GST_OBJECT_LOCK (self);
  is_known = gst_mean_shift_palette_settings_get (&self->settings, id, value);
  if (g_str_equal (pspec->name, "palette"))
    complete_palette (self, value);
  GST_OBJECT_UNLOCK (self);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_mean_shift_palette_finalize (GObject * object)
{
  g_clear_pointer (&GST_MEAN_SHIFT_PALETTE (object)->engine, gpu_palette_free);
  G_OBJECT_CLASS (gst_mean_shift_palette_parent_class)->finalize (object);
}

static void
gst_mean_shift_palette_class_init (GstMeanShiftPaletteClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstGpuFilterClass *filter_class = GST_GPU_FILTER_CLASS (klass);

  object_class->finalize = gst_mean_shift_palette_finalize;
  object_class->set_property = gst_mean_shift_palette_set_property;
  object_class->get_property = gst_mean_shift_palette_get_property;
  gst_mean_shift_palette_settings_install (object_class);

  gst_mean_shift_palette_caps_install (filter_class);
  gst_element_class_set_static_metadata (element_class,
      "Mean shift palette", "Filter/Effect/Video/Hardware",
      "Reduces the palette of video by mean shift in Oklab on the GPU "
      "(Vulkan compute)", "gst-gpu-video-filters contributors");

  trans_class->start = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_start);
  trans_class->sink_event =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_sink_event);
  trans_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_submit_input_buffer);
  filter_class->binds_parts = TRUE;
  filter_class->get_formats =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_get_formats);
  filter_class->is_neutral =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_is_neutral);
  filter_class->describe_ignored =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_describe_ignored);
  filter_class->prepare = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_prepare);
  filter_class->release = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_release);
  filter_class->latch = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_latch);
  filter_class->record = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_record);
  filter_class->get_memory =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_get_memory);
  filter_class->fill_stats =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_fill_stats);
  filter_class->presets = &gst_mean_shift_palette_presets;
}

static void
gst_mean_shift_palette_init (GstMeanShiftPalette * self)
{
  gst_mean_shift_palette_settings_init (&self->settings);
}
