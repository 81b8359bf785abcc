/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element meanshiftpalette. docs/meanshiftpalette.md says what it does, and explains its
 * properties, messages and statistics. */
#include "gstmeanshiftpalette.h"

#include "gst/memory/gstgpuframe.h"

GST_DEBUG_CATEGORY (gst_mean_shift_palette_debug);
#define GST_CAT_DEFAULT gst_mean_shift_palette_debug

G_DEFINE_TYPE_WITH_CODE (GstMeanShiftPalette, gst_mean_shift_palette,
    GST_TYPE_GPU_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_PRESET, gst_gpu_filter_presets_implement);
    GST_DEBUG_CATEGORY_INIT (gst_mean_shift_palette_debug,
        "meanshiftpalette", 0, "palette reduction on the GPU"));

GST_ELEMENT_REGISTER_DEFINE (meanshiftpalette, "meanshiftpalette",
    GST_RANK_NONE, GST_TYPE_MEAN_SHIFT_PALETTE);

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

/* --- frames --- */

/* GStreamer's light 1 of PQ is 10000 cd/m². Diffuse white has 203 (ITU-R BT.2408). */
static gdouble
get_white (GstVideoTransferFunction function)
{
  return function == GST_VIDEO_TRANSFER_SMPTE2084 ? 203 / 10000.0 : 1;
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

void
gst_mean_shift_palette_curve_fill (GpuPaletteCurve * curve,
    GstVideoTransferFunction function)
{
  gpu_palette_curve_fill (curve, decode, encode, GINT_TO_POINTER (function));
}

static const gchar *
gst_mean_shift_palette_describe_ignored (GstGpuFilter * filter)
{
  return GST_MEAN_SHIFT_PALETTE (filter)->ignored;
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

static gboolean
gst_mean_shift_palette_latch (GstGpuFilter * filter, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);

  GST_OBJECT_LOCK (self);
  self->current = self->settings;
  GST_OBJECT_UNLOCK (self);
  ignore_impossible (self, GST_VIDEO_INFO_FORMAT (out));
  self->current.engine.counts_pixels =
      self->current.posts_messages || self->current.engine.making.limit > 0;
  /* Modes of earlier frames, so this is done even if this frame passes. */
  if (self->current.posts_messages)
    gst_mean_shift_palette_report_post_modes (self);
  /* If the output has another format, frames are worked on with radius 0, too. */
  if (gpu_palette_get_radius (&self->current.engine) != 0
      || GST_VIDEO_INFO_FORMAT (in) != GST_VIDEO_INFO_FORMAT (out))
    return FALSE;
  /* The engine does not see frames that pass. LIVE keeps no modes across them. */
  if (self->engine && self->current.engine.quality == GPU_PALETTE_LIVE)
    gpu_palette_forget_modes (self->engine);
  g_mutex_lock (&self->report_lock);
  self->modes.is_counting = FALSE;
  g_mutex_unlock (&self->report_lock);
  return TRUE;
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

static gchar *
describe_progress (guint done, guint n, gint percent)
{
  return g_strdup_printf ("Merging %u colours: %d %%", n, percent);
}

static const GstGpuProgressKind mean_shift = {
  "mean-shift", G_USEC_PER_SEC, describe_progress, "Merged all colours",
  "Colors are not wanted any more"
};

static void
on_progress (guint done, guint n, gpointer element)
{
  gst_gpu_progress_update (&GST_MEAN_SHIFT_PALETTE (element)->progress,
      &mean_shift, element, done, n);
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
  self->format = (GpuPaletteFormat) {
    .width = GST_VIDEO_INFO_WIDTH (in),
    .height = GST_VIDEO_INFO_HEIGHT (in),
  };
  /* Frames in unsupported formats are foreign and do not get here. */
  gst_gpu_frame_pixels_from_video (in, &self->format.in);
  gst_gpu_frame_pixels_from_video (out, &self->format.out);
  if (gpu_pixels_get_format (self->format.in)->model != GPU_MODEL_RGB)
    gst_gpu_frame_yuv_from_video (in, &self->format.yuv);
  /* If Y'CbCr input has an RGB colorimetry in its caps, GstVideoInfo drops it. The info of the
   * output has it. */
  self->caps_transfer = gst_gpu_frame_transfer_from_video (out);
  self->caps_curve = GST_VIDEO_TRANSFER_UNKNOWN;
  /* Indexed output has too few codes for a curve. */
  if ((out->colorimetry.transfer == GST_VIDEO_TRANSFER_SMPTE2084
          || out->colorimetry.transfer == GST_VIDEO_TRANSFER_ARIB_STD_B67)
      && GST_VIDEO_INFO_FORMAT (out) != GST_VIDEO_FORMAT_RGB8P) {
    self->caps_curve = out->colorimetry.transfer;
    gst_mean_shift_palette_curve_fill (&self->curve, self->caps_curve);
  }
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

/* --- events --- */

static gboolean
gst_mean_shift_palette_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (trans);
  GstEventType type = GST_EVENT_TYPE (event);

  if (self->engine && (type == GST_EVENT_EOS || type == GST_EVENT_SEGMENT_DONE
          || type == GST_EVENT_GAP || type == GST_EVENT_STREAM_START))
    gst_mean_shift_palette_report_post_last_modes (self);
  /* Another stream begins, or frames from another position follow: then modes of earlier ones
   * are not posted. */
  if (self->engine && (type == GST_EVENT_STREAM_START
          || type == GST_EVENT_FLUSH_STOP))
    gpu_palette_forget (self->engine);
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
    gst_gpu_filter_explain_refusal (GST_GPU_FILTER (trans), caps);
  gst_clear_caps (&caps);
  return flow;
}

static void
gst_mean_shift_palette_reset (GstGpuFilter * filter)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);

  g_mutex_lock (&self->report_lock);
  self->report = (GpuPaletteReport) {0};
  self->modes = (GstMeanShiftPaletteModes) {0};
  self->waits = 0;
  self->radius = 0;
  g_mutex_unlock (&self->report_lock);
  self->history = self->room = 0;
  self->last_pts = GST_CLOCK_TIME_NONE;
}

/* --- the object --- */

static void
gst_mean_shift_palette_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMeanShiftPaletteSettings *settings =
      &GST_MEAN_SHIFT_PALETTE (object)->settings;

  if (g_str_equal (pspec->name, "palette"))
    gst_mean_shift_palette_settings_set_palette (settings,
        GST_ELEMENT (object), g_value_get_string (value));
  else
    gst_gpu_properties_set (gst_mean_shift_palette_properties, settings,
        GST_ELEMENT (object), id, value);
}

/* Returns the palette that is set; if none is, that of the frames. A preset does not save the
 * latter: it would replace the palettes of all frames where the preset is loaded. */
static gchar *
write_palette (GstMeanShiftPalette * self)
{
  gchar *text = gst_mean_shift_palette_settings_write_palette (&self->settings,
      GST_ELEMENT (self));

  if (text[0] != '\0' || gst_gpu_filter_presets_is_saving (GST_PRESET (self)))
    return text;
  g_free (text);
  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update (self);
  text = gst_mean_shift_palette_modes_write (&self->modes);
  g_mutex_unlock (&self->report_lock);
  return text;
}

static void
gst_mean_shift_palette_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (object);

  if (g_str_equal (pspec->name, "palette"))
    g_value_take_string (value, write_palette (self));
  else
    gst_gpu_properties_get (gst_mean_shift_palette_properties, &self->settings,
        GST_ELEMENT (self), id, value);
}

static void
gst_mean_shift_palette_finalize (GObject * object)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (object);

  g_clear_pointer (&self->engine, gpu_palette_free);
  g_mutex_clear (&self->report_lock);
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
  gst_gpu_properties_install (gst_mean_shift_palette_properties, object_class);

  gst_mean_shift_palette_caps_install (filter_class);
  gst_element_class_set_static_metadata (element_class,
      "Mean shift palette", "Filter/Effect/Video/Hardware",
      "Reduces the palette of video by mean shift in Oklab on the GPU "
      "(Vulkan compute)", "gst-gpu-video-filters contributors");

  trans_class->sink_event =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_sink_event);
  trans_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_submit_input_buffer);
  filter_class->describe_ignored = gst_mean_shift_palette_describe_ignored;
  filter_class->prepare = gst_mean_shift_palette_prepare;
  filter_class->release = gst_mean_shift_palette_release;
  filter_class->latch = gst_mean_shift_palette_latch;
  filter_class->record = gst_mean_shift_palette_record;
  filter_class->get_memory = gst_mean_shift_palette_get_memory;
  filter_class->binds_parts = TRUE;
  filter_class->needs = &gpu_palette_needs;
  filter_class->is_neutral = gst_mean_shift_palette_is_neutral;
  filter_class->reset = gst_mean_shift_palette_reset;
  filter_class->fill_stats = gst_mean_shift_palette_report_fill_stats;
  filter_class->presets = &gst_mean_shift_palette_presets;
}

static void
gst_mean_shift_palette_init (GstMeanShiftPalette * self)
{
  gst_gpu_properties_init (gst_mean_shift_palette_properties, &self->settings);
  g_mutex_init (&self->report_lock);
}
