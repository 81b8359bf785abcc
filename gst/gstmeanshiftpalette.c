/* SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-meanshiftpalette
 * @title: meanshiftpalette
 *
 * Reduces the palette of video: every colour moves to the centre of
 * the colours around it, found by mean shift in the Oklab colour space. The
 * larger #GstMeanShiftPalette:radius, the fewer colours stay; 0.005 to 0.03
 * suits photographs, 0.05 and more leaves them a handful. The result is the
 * same to the bit on every device.
 *
 * #GstMeanShiftPalette:quality `live`, the default, looks for peaks of the
 * density of colours on a grid, in real time, small frames on a CPU as well.
 * `exact` lets every colour walk to its end, for stills, recordings and
 * comparisons: that takes tens to hundreds of times as long.
 *
 * The analysis is per colour, not per pixel, and it is kept from frame to
 * frame: an unchanged frame is not solved again. With `exact`, the colours of the
 * last #GstMeanShiftPalette:history frames may be counted together, and those with
 * fewer than #GstMeanShiftPalette:min-frequency pixels in them attract nothing.
 *
 * Output has the format that the next element likes best among that of the input
 * and all orders of R, G and B; where it takes several as gladly, that of the
 * input, or else one that keeps alpha where there is some. Alpha passes through
 * untouched; pixels with alpha 0 are not counted and keep their colour.
 *
 * I420 and NV12 share one chroma sample among four pixels, which mixes
 * colours: the output in these formats has more of them than the palette. Where
 * R'G'B' is what follows, even behind a videoconvert, it is made in the element
 * and the palette stays whole.
 *
 * #GstMeanShiftPalette:transfer may change at any time, as may all others but
 * #GstGpuFilter:device and #GstGpuFilter:async-depth. A value out of a
 * property's range is refused with a warning, and the old one stays.
 *
 * #GstGpuFilter:stats has, of the last frame: `colours` (distinct colours that
 * were counted; 0 with `live`), `cells` (of the grid that colours were in; 0
 * with `exact`), `modes` (colours they became), `solved` (false where the map
 * of the frame before was used again), `steps` (of the mean shift that were
 * computed, which depends on the order of threads; 0 with `live`), and
 * `waits-for-solver` (of the CPU, for a counter or to keep submissions short);
 * and since the start `all-waits-for-solver`. With `live`, which does not wait
 * for a frame to be done, `cells`, `modes` and `solved` are of the newest one
 * that is.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 videotestsrc pattern=smpte ! video/x-raw,format=RGBA ! meanshiftpalette radius=0.03 ! videoconvert ! autovideosink
 * ]|
 * |[
 * gst-launch-1.0 uridecodebin uri=file:///film.webm ! videoconvert ! gpublur sigma=2 ! meanshiftpalette ! videoconvert ! autovideosink
 * ]| A slight blur first takes away noise, which has colours of its own.
 */

#include "gstmeanshiftpalette.h"

#include "gpu/palette/palette.h"
#include "gstgpuframe.h"
#include "gstmeanshiftpalettecaps.h"

GST_DEBUG_CATEGORY_STATIC (gst_mean_shift_palette_debug);
#define GST_CAT_DEFAULT gst_mean_shift_palette_debug

#define DEFAULT_RADIUS 0.02
#define DEFAULT_WEIGHTING GPU_PALETTE_FREQUENCY
#define DEFAULT_ITERATION_LIMIT 0
#define DEFAULT_TRANSFER GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO
#define DEFAULT_QUALITY GPU_PALETTE_LIVE
#define DEFAULT_HISTORY 1
#define DEFAULT_MIN_FREQUENCY 1
#define DEFAULT_STABILITY 0.5
#define DEFAULT_SCENE_CUT_THRESHOLD 0.05
#define DEFAULT_HOLD FALSE
#define DEFAULT_UPDATE_INTERVAL 1

typedef enum
{
  GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO,
  GST_MEAN_SHIFT_PALETTE_TRANSFER_SRGB,
  GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR,
} GstMeanShiftPaletteTransfer;

enum
{
  PROP_0,
  PROP_RADIUS,
  PROP_WEIGHTING,
  PROP_ITERATION_LIMIT,
  PROP_TRANSFER,
  PROP_QUALITY,
  PROP_HISTORY,
  PROP_MIN_FREQUENCY,
  PROP_STABILITY,
  PROP_SCENE_CUT_THRESHOLD,
  PROP_HOLD,
  PROP_UPDATE_INTERVAL,
  PROP_PALETTE,
};

typedef struct
{
  GpuPaletteSettings engine;
  GstMeanShiftPaletteTransfer transfer;
} Settings;

struct _GstMeanShiftPalette
{
  GstGpuFilter parent;

  Settings settings;            /* the properties, with the object lock */

  /* Of the streaming thread. */
  Settings current;             /* the same for the frame at hand */
  GstVideoTransferFunction caps_transfer;
  /* What the engine has; NULL: nothing yet. */
  GpuPaletteTransfer engine_transfer;
  GstVideoTransferFunction engine_function;     /* of decode_transfer() */
  GpuPalette *engine;
  GstClockTime last_pts;        /* of the frame before */
  guint history, room;          /* frames that were wanted last, and of these as
                                   many as there was memory for */

  /* With the object lock. */
  GpuPaletteReport report;      /* of the last frame */
  guint64 waits;                /* for the solver, since the start */
};

G_DEFINE_TYPE_WITH_CODE (GstMeanShiftPalette, gst_mean_shift_palette,
    GST_TYPE_GPU_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_mean_shift_palette_debug,
        "meanshiftpalette", 0, "palette reduction on the GPU"));

GST_ELEMENT_REGISTER_DEFINE (meanshiftpalette, "meanshiftpalette",
    GST_RANK_NONE, GST_TYPE_MEAN_SHIFT_PALETTE);

/* --- types of properties --- */

#define GST_TYPE_MEAN_SHIFT_PALETTE_WEIGHTING \
    (gst_mean_shift_palette_weighting_get_type ())
static GType
gst_mean_shift_palette_weighting_get_type (void)
{
  static const GEnumValue values[] = {
    {GPU_PALETTE_FREQUENCY, "A colour weighs as much as its pixels",
        "frequency"},
    {GPU_PALETTE_PALETTE, "Every distinct colour weighs the same", "palette"},
    {0, NULL, NULL}
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstMeanShiftPaletteWeighting", values));
  return type;
}

#define GST_TYPE_MEAN_SHIFT_PALETTE_TRANSFER \
    (gst_mean_shift_palette_transfer_get_type ())
static GType
gst_mean_shift_palette_transfer_get_type (void)
{
  static const GEnumValue values[] = {
    {GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO, "As the caps say, else sRGB",
        "auto"},
    {GST_MEAN_SHIFT_PALETTE_TRANSFER_SRGB, "sRGB", "srgb"},
    {GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR, "Code values are light",
        "linear"},
    {0, NULL, NULL}
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstMeanShiftPaletteTransfer", values));
  return type;
}

#define GST_TYPE_MEAN_SHIFT_PALETTE_QUALITY \
    (gst_mean_shift_palette_quality_get_type ())
static GType
gst_mean_shift_palette_quality_get_type (void)
{
  static const GEnumValue values[] = {
    {GPU_PALETTE_EXACT,
        "Mean shift of every colour to its end: slow, for stills", "exact"},
    {GPU_PALETTE_LIVE,
        "Peaks of the colours' density on a grid, in real time", "live"},
    {0, NULL, NULL}
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstMeanShiftPaletteQuality", values));
  return type;
}

/* --- frames --- */

static gboolean
gst_mean_shift_palette_latch (GstGpuFilter * filter, const GstVideoInfo * in)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);

  GST_OBJECT_LOCK (self);
  self->current = self->settings;
  GST_OBJECT_UNLOCK (self);
  return self->current.engine.radius == 0;
}

static gdouble
decode_transfer (gdouble code, gpointer function)
{
  return gst_video_transfer_function_decode (GPOINTER_TO_INT (function), code);
}

/* Those that describe no light between 0 and 1 count as sRGB. */
static gboolean
is_usable_transfer (GstVideoTransferFunction function)
{
  switch (function) {
    case GST_VIDEO_TRANSFER_UNKNOWN:
    case GST_VIDEO_TRANSFER_SMPTE2084:
    case GST_VIDEO_TRANSFER_ARIB_STD_B67:
    case GST_VIDEO_TRANSFER_LOG100:
    case GST_VIDEO_TRANSFER_LOG316:
      return FALSE;
    default:
      return TRUE;
  }
}

/* The engine forgets what it knows when it is told, so only of another. */
static void
update_transfer (GstMeanShiftPalette * self)
{
  GstMeanShiftPaletteTransfer wanted = self->current.transfer;
  GpuPaletteTransfer transfer = gpu_palette_transfer_srgb;
  GstVideoTransferFunction function = GST_VIDEO_TRANSFER_UNKNOWN;

  if (wanted == GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR) {
    transfer = gpu_palette_transfer_linear;
  } else if (wanted == GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO
      && is_usable_transfer (self->caps_transfer)) {
    transfer = decode_transfer;
    function = self->caps_transfer;
  }
  if (transfer == self->engine_transfer && function == self->engine_function)
    return;
  gpu_palette_set_transfer (self->engine, transfer, GINT_TO_POINTER (function));
  self->engine_transfer = transfer;
  self->engine_function = function;
}

/* To what is known by now. With the object lock. */
static void
update_report (GstMeanShiftPalette * self)
{
  if (self->engine)
    gpu_palette_get_report (self->engine, &self->report);
}

static gboolean
gst_mean_shift_palette_prepare (GstGpuFilter * filter, GpuDevice * device,
    const GstVideoInfo * in, const GstVideoInfo * out, GError ** error)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  GpuPixels in_pixels, out_pixels;
  GpuYuv yuv;

  /* The templates have no other formats. */
  gst_gpu_frame_pixels_from_video (in, &in_pixels);
  gst_gpu_frame_pixels_from_video (out, &out_pixels);
  gst_gpu_frame_yuv_from_video (in, &yuv);
  GST_OBJECT_LOCK (self);
  update_report (self);
  if (!self->engine) {
    self->engine = gpu_palette_new (device);
    self->engine_transfer = NULL;
  }
  GST_OBJECT_UNLOCK (self);
  self->caps_transfer = in->colorimetry.transfer;
  return gpu_palette_check_history (GST_VIDEO_INFO_WIDTH (in),
      GST_VIDEO_INFO_HEIGHT (in), self->current.engine.history, error)
      && gpu_palette_configure (self->engine, in_pixels, out_pixels,
      GST_VIDEO_INFO_WIDTH (in), GST_VIDEO_INFO_HEIGHT (in),
      GST_VIDEO_INFO_IS_YUV (in) ? &yuv : NULL, self->current.engine.quality,
      error);
}

/* Once for each change of what is wanted, or there. */
static void
warn_of_short_history (GstMeanShiftPalette * self, guint room)
{
  guint history = self->current.engine.history;

  if (room < history && (history != self->history || room != self->room))
    GST_ELEMENT_WARNING (self, RESOURCE, NO_SPACE_LEFT,
        ("There is memory for %u of the %u frames of the history: these are "
            "counted. Set \"history\" to %u, or use smaller frames or a device "
            "with more memory.", room, history, room), (NULL));
  self->history = history;
  self->room = room;
}

/* What is known by now, which with LIVE is of an earlier frame, or nothing. */
static void
log_report (GstMeanShiftPalette * self, const GpuPaletteReport * report)
{
  const gchar *solved = report->solved ? "solved" : "reused";

  if (self->current.engine.quality == GPU_PALETTE_EXACT)
    GST_LOG_OBJECT (self, "%u colours to %u, %s", report->colours,
        report->output_colours, solved);
  else if (report->cells > 0)
    GST_LOG_OBJECT (self, "an earlier frame: colours in %u cells to %u, %s",
        report->cells, report->output_colours, solved);
}

/* From the frame before, in ns: by time stamps where these go forward; 0: nobody
 * knows. */
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

static gboolean
gst_mean_shift_palette_record (GstGpuFilter * filter, GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out, GstBuffer * buffer,
    GError ** error)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  GpuPaletteReport report;

  update_transfer (self);
  self->current.engine.interval = take_interval (self, buffer);
  if (!gpu_palette_record (self->engine, stream, &self->current.engine, in,
          out, &report, error))
    return FALSE;
  if (self->current.engine.quality == GPU_PALETTE_EXACT)
    warn_of_short_history (self, report.history);
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

/* Frames of another stream, or from elsewhere in this one. */
static gboolean
gst_mean_shift_palette_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (trans);

  if (self->engine && (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START
          || GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP))
    gpu_palette_forget (self->engine);
  return GST_BASE_TRANSFORM_CLASS
      (gst_mean_shift_palette_parent_class)->sink_event (trans, event);
}

static gboolean
gst_mean_shift_palette_start (GstBaseTransform * trans)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (trans);

  GST_OBJECT_LOCK (self);
  self->report = (GpuPaletteReport) {
  0};
  self->waits = 0;
  GST_OBJECT_UNLOCK (self);
  self->history = self->room = 0;
  self->last_pts = GST_CLOCK_TIME_NONE;
  return GST_BASE_TRANSFORM_CLASS
      (gst_mean_shift_palette_parent_class)->start (trans);
}

static gboolean
gst_mean_shift_palette_stop (GstBaseTransform * trans)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (trans);
  GpuPalette *engine;

  GST_OBJECT_LOCK (self);
  update_report (self);
  engine = g_steal_pointer (&self->engine);
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&engine, gpu_palette_free);
  return GST_BASE_TRANSFORM_CLASS
      (gst_mean_shift_palette_parent_class)->stop (trans);
}

/* --- statistics and properties --- */

static void
gst_mean_shift_palette_fill_stats (GstGpuFilter * filter, GstStructure * stats)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  GpuPaletteReport report;
  guint64 waits;

  GST_OBJECT_LOCK (self);
  update_report (self);
  report = self->report;
  waits = self->waits;
  GST_OBJECT_UNLOCK (self);
  gst_structure_set (stats,
      "colours", G_TYPE_UINT64, (guint64) report.colours,
      "cells", G_TYPE_UINT64, (guint64) report.cells,
      "modes", G_TYPE_UINT64, (guint64) report.output_colours,
      "solved", G_TYPE_BOOLEAN, report.solved,
      "steps", G_TYPE_UINT64, report.steps,
      "waits-for-solver", G_TYPE_UINT64, (guint64) report.submissions,
      "all-waits-for-solver", G_TYPE_UINT64, waits, NULL);
}

/* No more than there is room for: the first ones. */
static void
take_palette (GpuPaletteSettings * settings, const GValue * array)
{
  guint n = gst_value_array_get_size (array);

  settings->n_colours = MIN (n, GPU_PALETTE_MAX_COLOURS);
  for (guint i = 0; i < settings->n_colours; i++)
    settings->colours[i] =
        g_value_get_uint (gst_value_array_get_value (array, i)) & 0xffffff;
}

static void
list_palette (const GpuPaletteSettings * settings, GValue * array)
{
  GValue colour = G_VALUE_INIT;

  g_value_init (&colour, G_TYPE_UINT);
  for (guint i = 0; i < settings->n_colours; i++) {
    g_value_set_uint (&colour, settings->colours[i]);
    gst_value_array_append_value (array, &colour);
  }
  g_value_unset (&colour);
}

static void
gst_mean_shift_palette_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  Settings *settings = &GST_MEAN_SHIFT_PALETTE (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_RADIUS:
      settings->engine.radius = g_value_get_double (value);
      break;
    case PROP_WEIGHTING:
      settings->engine.weighting = g_value_get_enum (value);
      break;
    case PROP_ITERATION_LIMIT:
      settings->engine.iteration_limit = g_value_get_uint (value);
      break;
    case PROP_TRANSFER:
      settings->transfer = g_value_get_enum (value);
      break;
    case PROP_QUALITY:
      settings->engine.quality = g_value_get_enum (value);
      break;
    case PROP_HISTORY:
      settings->engine.history = g_value_get_uint (value);
      break;
    case PROP_MIN_FREQUENCY:
      settings->engine.min_frequency = g_value_get_uint (value);
      break;
    case PROP_STABILITY:
      settings->engine.stability = g_value_get_double (value);
      break;
    case PROP_SCENE_CUT_THRESHOLD:
      settings->engine.scene_cut_threshold = g_value_get_double (value);
      break;
    case PROP_HOLD:
      settings->engine.hold = g_value_get_boolean (value);
      break;
    case PROP_UPDATE_INTERVAL:
      settings->engine.update_interval = g_value_get_uint (value);
      break;
    case PROP_PALETTE:
      take_palette (&settings->engine, value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_mean_shift_palette_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  const Settings *settings = &GST_MEAN_SHIFT_PALETTE (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_RADIUS:
      g_value_set_double (value, settings->engine.radius);
      break;
    case PROP_WEIGHTING:
      g_value_set_enum (value, settings->engine.weighting);
      break;
    case PROP_ITERATION_LIMIT:
      g_value_set_uint (value, settings->engine.iteration_limit);
      break;
    case PROP_TRANSFER:
      g_value_set_enum (value, settings->transfer);
      break;
    case PROP_QUALITY:
      g_value_set_enum (value, settings->engine.quality);
      break;
    case PROP_HISTORY:
      g_value_set_uint (value, settings->engine.history);
      break;
    case PROP_MIN_FREQUENCY:
      g_value_set_uint (value, settings->engine.min_frequency);
      break;
    case PROP_STABILITY:
      g_value_set_double (value, settings->engine.stability);
      break;
    case PROP_SCENE_CUT_THRESHOLD:
      g_value_set_double (value, settings->engine.scene_cut_threshold);
      break;
    case PROP_HOLD:
      g_value_set_boolean (value, settings->engine.hold);
      break;
    case PROP_UPDATE_INTERVAL:
      g_value_set_uint (value, settings->engine.update_interval);
      break;
    case PROP_PALETTE:
      list_palette (&settings->engine, value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_mean_shift_palette_finalize (GObject * object)
{
  g_clear_pointer (&GST_MEAN_SHIFT_PALETTE (object)->engine, gpu_palette_free);
  G_OBJECT_CLASS (gst_mean_shift_palette_parent_class)->finalize (object);
}

#define LIVE_PROPERTY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING)

static void
install_properties (GObjectClass * object_class)
{
  object_class->set_property = gst_mean_shift_palette_set_property;
  object_class->get_property = gst_mean_shift_palette_get_property;

  /**
   * GstMeanShiftPalette:radius:
   *
   * Distance in Oklab within which colours attract each other. 0 passes frames
   * through.
   */
  g_object_class_install_property (object_class, PROP_RADIUS,
      g_param_spec_double ("radius", "Radius",
          "Distance in Oklab within which colours attract each other "
          "(0 passes frames through)", 0,
          GPU_PALETTE_MAX_RADIUS, DEFAULT_RADIUS, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:weighting:
   *
   * Whether a colour weighs as much as it has pixels, or as any other.
   */
  g_object_class_install_property (object_class, PROP_WEIGHTING,
      g_param_spec_enum ("weighting", "Weighting", "What a colour weighs",
          GST_TYPE_MEAN_SHIFT_PALETTE_WEIGHTING, DEFAULT_WEIGHTING,
          LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:iteration-limit:
   *
   * Steps after which a colour stops on its way. 0: none. With `live` it means
   * nothing.
   */
  g_object_class_install_property (object_class, PROP_ITERATION_LIMIT,
      g_param_spec_uint ("iteration-limit", "Iteration limit",
          "Steps that a colour may move, with quality=exact "
          "(0 = until it stops)", 0,
          G_MAXUINT, DEFAULT_ITERATION_LIMIT, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:transfer:
   *
   * From code values to light: as the caps say, sRGB, or not at all.
   */
  g_object_class_install_property (object_class, PROP_TRANSFER,
      g_param_spec_enum ("transfer", "Transfer function",
          "From code values to light",
          GST_TYPE_MEAN_SHIFT_PALETTE_TRANSFER, DEFAULT_TRANSFER,
          LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:quality:
   *
   * In real time, or mean shift of every colour to its end.
   */
  g_object_class_install_property (object_class, PROP_QUALITY,
      g_param_spec_enum ("quality", "Quality", "How colours are moved: "
          "in real time, or exactly",
          GST_TYPE_MEAN_SHIFT_PALETTE_QUALITY, DEFAULT_QUALITY, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:history:
   *
   * Frames whose colours are counted together: the one at hand and those that were
   * processed before it, as far back as the last flush, stream or change of
   * caps or #GstMeanShiftPalette:transfer. With `live` it means nothing.
   */
  g_object_class_install_property (object_class, PROP_HISTORY,
      g_param_spec_uint ("history", "History",
          "Frames whose colours are counted together (of exact)", 1,
          GPU_PALETTE_MAX_HISTORY, DEFAULT_HISTORY, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:min-frequency:
   *
   * Colours with fewer pixels among those that are counted attract nothing, but are
   * attracted. With `live` it means nothing.
   */
  g_object_class_install_property (object_class, PROP_MIN_FREQUENCY,
      g_param_spec_uint ("min-frequency", "Minimum frequency",
          "Pixels that a colour must have to attract others (of exact)", 1,
          G_MAXUINT, DEFAULT_MIN_FREQUENCY, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:stability:
   *
   * How long colours of the palette are kept from frame to frame, and how long
   * pixels keep them. 0: every frame has a palette of its own. 0.5 suits live
   * video. With `exact` it means nothing.
   */
  g_object_class_install_property (object_class, PROP_STABILITY,
      g_param_spec_double ("stability", "Stability",
          "How much pixels keep their colours from frame to frame (of live; "
          "0 = not at all)", 0, 1, DEFAULT_STABILITY, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:scene-cut-threshold:
   *
   * Mean change of luminance, over coarse blocks of the frame, from which on a
   * frame begins a new scene: nothing is kept then. 0: never. With `exact` or
   * without #GstMeanShiftPalette:stability it means nothing.
   */
  g_object_class_install_property (object_class, PROP_SCENE_CUT_THRESHOLD,
      g_param_spec_double ("scene-cut-threshold", "Scene cut threshold",
          "Change of luminance that begins a new scene (of live; 0 = none)",
          0, 1, DEFAULT_SCENE_CUT_THRESHOLD, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:hold:
   *
   * Keeps the palette of the last frame, or of the next one where none is kept
   * yet. With `exact` it means nothing.
   */
  g_object_class_install_property (object_class, PROP_HOLD,
      g_param_spec_boolean ("hold", "Hold",
          "Keep the palette as it is (of live)", DEFAULT_HOLD, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:update-interval:
   *
   * Frames that share a palette, unless a new scene begins. With `exact` it means
   * nothing.
   */
  g_object_class_install_property (object_class, PROP_UPDATE_INTERVAL,
      g_param_spec_uint ("update-interval", "Update interval",
          "Frames that share a palette (of live)", 1, G_MAXUINT,
          DEFAULT_UPDATE_INTERVAL, LIVE_PROPERTY));
  /**
   * GstMeanShiftPalette:palette:
   *
   * Up to 256 colours, 0xRRGGBB each, that all others become: each mode the
   * nearest. Empty: those of the frames. With `exact` it means nothing.
   */
  g_object_class_install_property (object_class, PROP_PALETTE,
      gst_param_spec_array ("palette", "Palette",
          "Colours that all others become, 0xRRGGBB each (of live; "
          "empty = those of the frames)",
          g_param_spec_uint ("colour", "Colour", "0xRRGGBB", 0, 0xffffff, 0,
              G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS),
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_PLAYING));
}

static void
gst_mean_shift_palette_class_init (GstMeanShiftPaletteClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstGpuFilterClass *filter_class = GST_GPU_FILTER_CLASS (klass);

  object_class->finalize = gst_mean_shift_palette_finalize;
  install_properties (object_class);

  gst_mean_shift_palette_caps_install (trans_class);
  gst_element_class_set_static_metadata (element_class,
      "Mean shift palette", "Filter/Effect/Video/Hardware",
      "Reduces the palette of video by mean shift in Oklab on the GPU "
      "(Vulkan compute)", "gst-gpu-video-filters contributors");

  trans_class->start = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_stop);
  trans_class->sink_event =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_sink_event);
  filter_class->prepare = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_prepare);
  filter_class->latch = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_latch);
  filter_class->record = GST_DEBUG_FUNCPTR (gst_mean_shift_palette_record);
  filter_class->get_memory =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_get_memory);
  filter_class->fill_stats =
      GST_DEBUG_FUNCPTR (gst_mean_shift_palette_fill_stats);

  gst_type_mark_as_plugin_api (GST_TYPE_MEAN_SHIFT_PALETTE_WEIGHTING, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MEAN_SHIFT_PALETTE_TRANSFER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MEAN_SHIFT_PALETTE_QUALITY, 0);
}

static void
gst_mean_shift_palette_init (GstMeanShiftPalette * self)
{
  self->settings = (Settings) {
    .engine = {
      .radius = DEFAULT_RADIUS,
      .weighting = DEFAULT_WEIGHTING,
      .iteration_limit = DEFAULT_ITERATION_LIMIT,
      .quality = DEFAULT_QUALITY,
      .history = DEFAULT_HISTORY,
      .min_frequency = DEFAULT_MIN_FREQUENCY,
      .stability = DEFAULT_STABILITY,
      .scene_cut_threshold = DEFAULT_SCENE_CUT_THRESHOLD,
      .hold = DEFAULT_HOLD,
      .update_interval = DEFAULT_UPDATE_INTERVAL,
  },.transfer = DEFAULT_TRANSFER,};
}
