/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpaletteframes.h"
#include "gst/memory/gstgpuframe.h"
#include "gstmeanshiftpaletteprivate.h"
#include "gstmeanshiftpalettereport.h"

#define GST_CAT_DEFAULT gst_mean_shift_palette_debug

static const gchar *
gst_mean_shift_palette_describe_ignored (GstGpuFilter * filter)
{
  return GST_MEAN_SHIFT_PALETTE (filter)->ignored;
}

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
  g_mutex_lock (&self->report_lock);
  self->modes.is_counting = FALSE;
  g_mutex_unlock (&self->report_lock);
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
    gst_mean_shift_palette_report_post_modes (self);
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

static void
take_format (GstMeanShiftPalette * self, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  GpuPaletteFormat *format = &self->format;

  *format = (GpuPaletteFormat) {
    .width = GST_VIDEO_INFO_WIDTH (in),
    .height = GST_VIDEO_INFO_HEIGHT (in),
  };
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
  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update (self);
  g_mutex_unlock (&self->report_lock);
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

  g_mutex_lock (&self->report_lock);
  if (!self->engine) {
    self->engine = gpu_palette_new (device);
    self->engine_transfer = NULL;
    gpu_palette_set_progress (self->engine, on_progress, self);
  }
  g_mutex_unlock (&self->report_lock);
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

  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update (self);
  gst_mean_shift_palette_report_update_modes (self);
  engine = g_steal_pointer (&self->engine);
  g_mutex_unlock (&self->report_lock);
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

  g_mutex_lock (&self->report_lock);
  self->radius = gpu_palette_get_radius_in_use (self->engine, settings);
  self->modes.is_counting = settings->counts_pixels;
  if (settings->counts_pixels)
    settings->tag = gst_mean_shift_palette_modes_add_frame (&self->modes,
        GST_BASE_TRANSFORM (self), buffer, self->radius);
  g_mutex_unlock (&self->report_lock);
}

static gboolean
gst_mean_shift_palette_record (GstGpuFilter * filter, GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out, GstBuffer * buffer,
    GError ** error)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  const GpuFrames frames = {.in = in, .out = out};
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
  g_mutex_lock (&self->report_lock);
  self->report = report;
  self->waits += report.submissions;
  g_mutex_unlock (&self->report_lock);
  return TRUE;
}

static gsize
gst_mean_shift_palette_get_memory (GstGpuFilter * filter)
{
  GpuPalette *engine = GST_MEAN_SHIFT_PALETTE (filter)->engine;

  return engine ? gpu_palette_get_memory (engine) : 0;
}

void
gst_mean_shift_palette_frames_install (GstGpuFilterClass * klass)
{
  klass->describe_ignored =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_describe_ignored);
  klass->prepare = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_prepare);
  klass->release = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_release);
  klass->latch = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_latch);
  klass->record = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_record);
  klass->get_memory = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_get_memory);
}
