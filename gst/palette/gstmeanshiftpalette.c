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
 * frame: once colours have settled, an unchanged frame is not solved again. The colours of
 * the last #GstMeanShiftPalette:history frames can be counted together. Colours with fewer
 * than #GstMeanShiftPalette:min-frequency pixels in these frames do not attract others.
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

#include "gst/filter/gstgpufiltererror.h"
#include "gstmeanshiftpalettecaps.h"
#include "gstmeanshiftpaletteframes.h"
#include "gstmeanshiftpalettepresets.h"
#include "gstmeanshiftpaletteprivate.h"
#include "gstmeanshiftpalettereport.h"

GST_DEBUG_CATEGORY (gst_mean_shift_palette_debug);
#define GST_CAT_DEFAULT gst_mean_shift_palette_debug

G_DEFINE_TYPE_WITH_CODE (GstMeanShiftPalette, gst_mean_shift_palette,
    GST_TYPE_GPU_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_PRESET, gst_gpu_filter_presets_implement);
    GST_DEBUG_CATEGORY_INIT (gst_mean_shift_palette_debug,
        "meanshiftpalette", 0, "palette reduction on the GPU"));

GST_ELEMENT_REGISTER_DEFINE (meanshiftpalette, "meanshiftpalette",
    GST_RANK_NONE, GST_TYPE_MEAN_SHIFT_PALETTE);

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

/* --- events --- */

static void
handle_event (GstMeanShiftPalette * self, GstEventType type)
{
  switch (type) {
    case GST_EVENT_EOS:
    case GST_EVENT_SEGMENT_DONE:
    case GST_EVENT_GAP:
      gst_mean_shift_palette_report_post_last_modes (self);
      break;
      /* Another stream begins. */
    case GST_EVENT_STREAM_START:
      gst_mean_shift_palette_report_post_last_modes (self);
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
  gst_mean_shift_palette_settings_set (&GST_MEAN_SHIFT_PALETTE
      (object)->settings, GST_ELEMENT (object), value, pspec);
}

/* If no palette is set, reads that of the frames. A preset does not save it: it would replace
 * those of all frames where the preset is loaded. */
static void
complete_palette (GstMeanShiftPalette * self, GValue * text)
{
  if (g_value_get_string (text)[0] != '\0'
      || gst_gpu_filter_presets_is_saving (GST_PRESET (self)))
    return;
  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update_modes (self);
  g_value_take_string (text, gst_mean_shift_palette_modes_write (&self->modes));
  g_mutex_unlock (&self->report_lock);
}

static void
gst_mean_shift_palette_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (object);

  gst_mean_shift_palette_settings_get (&self->settings, GST_ELEMENT (object),
      value, pspec);
  if (g_str_equal (pspec->name, "palette"))
    complete_palette (self, value);
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
  gst_mean_shift_palette_settings_install (object_class);

  gst_mean_shift_palette_caps_install (filter_class);
  gst_element_class_set_static_metadata (element_class,
      "Mean shift palette", "Filter/Effect/Video/Hardware",
      "Reduces the palette of video by mean shift in Oklab on the GPU "
      "(Vulkan compute)", "gst-gpu-video-filters contributors");

  trans_class->sink_event =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_sink_event);
  trans_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_submit_input_buffer);
  gst_mean_shift_palette_frames_install (filter_class);
  filter_class->binds_parts = TRUE;
  filter_class->needs = &gpu_palette_needs;
  filter_class->get_formats =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_get_formats);
  filter_class->is_neutral =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_is_neutral);
  filter_class->reset = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_reset);
  filter_class->fill_stats =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_report_fill_stats);
  filter_class->presets = &gst_mean_shift_palette_presets;
}

static void
gst_mean_shift_palette_init (GstMeanShiftPalette * self)
{
  gst_mean_shift_palette_settings_init (&self->settings);
  g_mutex_init (&self->report_lock);
}
