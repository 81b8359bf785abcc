/* SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-gpublur
 * @title: gpublur
 *
 * Blurs video on the GPU with a Gaussian or a box of any width, or smooths it with a
 * bilateral filter, which keeps edges. Each plane is blurred separately, in code values.
 * Colours with alpha are premultiplied for the blur, so that transparent pixels cause no
 * fringes.
 *
 * #GstGpuBlur:sigma-x sets the width along rows, #GstGpuBlur:sigma-y down columns. If one
 * of them is 0, that axis is not blurred.
 *
 * The two fields of an interlaced frame are blurred separately. The vertical blur is as
 * wide as in a progressive frame, in pixels of the frame.
 *
 * #GstGpuBlur:linear-light blurs linear light instead of code values.
 *
 * With #GstGpuBlur:kernel `bilateral`, a pixel is averaged with those around it whose
 * colour is similar: #GstGpuBlur:range is the standard deviation of differences of colour,
 * and #GstGpuBlur:rounds says how often the filter is applied. Chroma is averaged where
 * luma is similar.
 *
 * Frames pass through unchanged for a Gaussian with sigma 0 on both axes or with
 * #GstGpuBlur:radius 0, the same of a bilateral filter or one with #GstGpuBlur:range 0,
 * and for a box of half-width 0 on both axes.
 *
 * All properties except #GstGpuFilter:device and #GstGpuFilter:async-depth can be changed
 * while the pipeline plays. #GstGpuBlur:sigma, #GstGpuBlur:sigma-x, #GstGpuBlur:sigma-y,
 * #GstGpuBlur:radius, #GstGpuBlur:range, #GstGpuBlur:rounds and #GstGpuBlur:edge-mode can
 * change with every frame. Half a second after the first frames, shaders for other values of
 * all properties except #GstGpuBlur:method, and #GstGpuBlur:linear-light of formats other
 * than 8-bit RGB, begin to be compiled in the background. A change
 * that needs a shader that is not compiled yet delays one frame. A value outside a property's
 * range is refused with a warning, and the old value is kept.
 *
 * While the fastest shaders are compiled, #GstGpuBlur:method `auto` runs another method. So
 * two runs can differ by the errors of methods; a method that is set by name gives the same
 * bytes in every run, except strips with #GstGpuBlur:precision `half`.
 *
 * If the device cannot run the requested #GstGpuBlur:method with the current kernel and
 * radius, `separable` runs instead, and a warning message is posted once.
 * #GstGpuFilter:stats has the method that ran, in `method`, its `precision`, and its
 * `passes`: an array of structures with `name`, `plane`, `dispatches` and `taps`, the
 * number of weights in the sum of one output sample. For an interlaced frame, these are
 * the values of the first field.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 videotestsrc ! gpublur sigma=10 ! videoconvert ! autovideosink
 * ]|
 * |[
 * gst-launch-1.0 videotestsrc ! video/x-raw,format=NV12 ! gpublur kernel=box radius=20 edge-mode=mirror ! videoconvert ! autovideosink
 * ]| A box of 41 × 41 pixels; the picture is mirrored at its edges.
 * |[
 * gst-launch-1.0 videotestsrc ! video/x-raw,format=RGBA ! gpublur kernel=bilateral sigma=2.5 range=0.05 rounds=2 ! meanshiftpalette colors=16 ! videoconvert ! autovideosink
 * ]| Areas become whole before they get one of 16 colours.
 *
 * Since: 0.1
 */

#include "gstgpublur.h"

#include "gpu/blur/methods.h"
#include "gst/filter/gstgpufiltererror.h"
#include "gst/memory/gstgpuframe.h"
#include "gstgpublurcaps.h"
#include "gstgpublurpresets.h"
#include "gstgpublursettings.h"

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_gpu_blur_debug);
#define GST_CAT_DEFAULT gst_gpu_blur_debug

struct _GstGpuBlur
{
  GstGpuFilter parent;

  GstGpuBlurSettings settings;  /* protected by the object lock */

  /* Used only by the streaming thread. */
  GpuBlurSettings current;      /* the settings for the current frame */
  GpuBlurSettings prepared;     /* the settings that the engine is prepared for */
  GstVideoInfo info;
  GpuPixels pixels;
  /* The light of code values, by the transfer function of the caps: of 8-bit R'G'B', and of
   * other formats. */
  gfloat light[LIGHT_HALF_CODES];
  GpuBlurTransfer transfer;
  GpuBlur *engine;
  gboolean warned;              /* of another method, since the start */
  const gchar *ignored;         /* describe_ignored() for the current frame */

  GpuBlurReport report;         /* of the last frame; protected by the object lock */
};

G_DEFINE_TYPE_WITH_CODE (GstGpuBlur, gst_gpu_blur, GST_TYPE_GPU_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_PRESET, gst_gpu_filter_presets_implement);
    GST_DEBUG_CATEGORY_INIT (gst_gpu_blur_debug, "gpublur", 0,
        "blur on the GPU"));

GST_ELEMENT_REGISTER_DEFINE (gpublur, "gpublur", GST_RANK_NONE,
    GST_TYPE_GPU_BLUR);

/* --- settings and caps --- */

static const gchar *
name_of_method (GpuBlurMethod method)
{
  return gpu_blur_method_get_info (method)->name;
}

static const gchar *
nick_of_precision (GpuBlurPrecision precision)
{
  return gst_gpu_enum_get_nick (&gst_gpu_blur_precisions, precision);
}

/* Fills in the current values of the properties. */
static void
take_settings (GstGpuBlur * self, GpuBlurSettings * settings)
{
  GST_OBJECT_LOCK (self);
  gst_gpu_blur_settings_resolve (&self->settings, settings);
  if (self->settings.linear_light) {
    settings->light = self->light;
    settings->transfer = &self->transfer;
  }
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_gpu_blur_is_neutral (GstGpuFilter * filter)
{
  GpuBlurSettings settings;

  take_settings (GST_GPU_BLUR (filter), &settings);
  return gpu_blur_is_identity (&settings);
}

static GstGpuBlurSubject
subject_of (const GpuBlurSettings * settings)
{
  if (settings->kernel != GPU_BLUR_BILATERAL || gpu_blur_is_identity (settings))
    return GST_GPU_BLUR_SAMPLES;
  return settings->light ? GST_GPU_BLUR_LIT_COLOURS : GST_GPU_BLUR_COLOURS;
}

static GstGpuBlurSubject
get_subject (GstGpuBlur * self)
{
  GpuBlurSettings settings;

  take_settings (self, &settings);
  return subject_of (&settings);
}

static GstCaps *
gst_gpu_blur_get_formats (GstGpuFilter * filter, GstPadDirection direction)
{
  return gst_gpu_blur_caps_get_formats (get_subject (GST_GPU_BLUR (filter)));
}

static const gchar *
gst_gpu_blur_describe_ignored (GstGpuFilter * filter)
{
  return GST_GPU_BLUR (filter)->ignored;
}

/* What to do about a format that a setting cannot take. */
#define CONVERT "Put \"videoconvert ! video/x-raw,format=RGBA\" before gpublur, or set "

static void
explain_refusal (GstGpuBlur * self, GstCaps * caps)
{
  GstGpuBlurSubject subject = get_subject (self);
  g_autoptr (GError) error = NULL;

  if (!gst_gpu_blur_caps_have_formats (caps, GST_GPU_BLUR_SAMPLES)
      || gst_gpu_blur_caps_have_formats (caps, subject))
    return;
  error = g_error_new_literal (GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      subject == GST_GPU_BLUR_LIT_COLOURS
      && gst_gpu_blur_caps_have_formats (caps, GST_GPU_BLUR_COLOURS)
      ? "linear-light with kernel=bilateral needs an 8-bit RGB format, and "
      "frames have another. " CONVERT "linear-light=false."
      : "kernel=bilateral cannot blur this format. " CONVERT
      "kernel=gaussian.");
  GST_GPU_FILTER_ERROR (GST_GPU_FILTER (self), error);
}

static gboolean
gst_gpu_blur_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  g_autoptr (GstEvent) kept = gst_event_ref (event);
  gboolean is_taken = GST_BASE_TRANSFORM_CLASS
      (gst_gpu_blur_parent_class)->sink_event (trans, event);
  GstCaps *caps;

  if (!is_taken && GST_EVENT_TYPE (kept) == GST_EVENT_CAPS) {
    gst_event_parse_caps (kept, &caps);
    explain_refusal (GST_GPU_BLUR (trans), caps);
  }
  return is_taken;
}

/* --- frames --- */

/* Leaves out a setting that cannot blur the format of the current frames: they flowed when it
 * was set, and upstream has no other format. Returns what to tell about it, or NULL. */
static const gchar *
leave_out_unsupported (GpuBlurSettings * settings, GpuPixels pixels)
{
  if (gst_gpu_blur_caps_take (pixels, subject_of (settings)))
    return NULL;
  if (gst_gpu_blur_caps_take (pixels, GST_GPU_BLUR_COLOURS)) {
    settings->light = NULL;
    settings->transfer = NULL;
    return "linear-light with kernel=bilateral needs an 8-bit RGB format, and "
        "frames have another: code values are blurred. " CONVERT
        "linear-light=false.";
  }
  settings->kernel = GPU_BLUR_GAUSSIAN;
  return "kernel=bilateral cannot blur the format of the frames: a Gaussian "
      "blurs them. " CONVERT "kernel=gaussian.";
}

static gboolean
gst_gpu_blur_latch (GstGpuFilter * filter, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);
  GpuPixels pixels;

  take_settings (self, &self->current);
  self->current.full_range =
      in->colorimetry.range != GST_VIDEO_COLOR_RANGE_16_235;
  self->ignored = NULL;
  if (gpu_blur_is_identity (&self->current))
    return TRUE;
  if (gst_gpu_frame_pixels_from_video (in, &pixels)
      && gpu_blur_takes (pixels))
    self->ignored = leave_out_unsupported (&self->current, pixels);
  return FALSE;
}

/* Prepares the engine for progressive or interlaced frames, or for both if the interlace
 * mode is mixed. */
static gboolean
prepare_kinds (GstGpuBlur * self, GError ** error)
{
  GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (&self->info);
  guint width = GST_VIDEO_INFO_WIDTH (&self->info);
  guint height = GST_VIDEO_INFO_HEIGHT (&self->info);

  return (mode == GST_VIDEO_INTERLACE_MODE_INTERLEAVED
      || gpu_blur_prepare (self->engine, self->pixels, width, height,
          &self->current, error))
      && (mode == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
      || gpu_blur_prepare_fields (self->engine, self->pixels, width, height,
          &self->current, error));
}

static gboolean
prepare_engine (GstGpuBlur * self, GError ** error)
{
  if (!prepare_kinds (self, error))
    return FALSE;
  self->prepared = self->current;
  return TRUE;
}

static gdouble
decode (gdouble code, gconstpointer transfer)
{
  return gst_video_transfer_function_decode (GPOINTER_TO_INT (transfer), code);
}

static gdouble
encode (gdouble light, gconstpointer transfer)
{
  return gst_video_transfer_function_encode (GPOINTER_TO_INT (transfer), light);
}

static void
find_light (GstGpuBlur * self)
{
  gconstpointer transfer =
      GINT_TO_POINTER (gst_gpu_frame_transfer_from_video (&self->info));
  GpuYuv yuv;

  for (guint i = 0; i < LIGHT_HALF_CODES; i++)
    self->light[i] = decode (i / (LIGHT_HALF_CODES - 1.0), transfer);
  gst_gpu_frame_yuv_from_video (&self->info, &yuv);
  gpu_blur_transfer_init (&self->transfer, &yuv, decode, encode, transfer);
}

static gboolean
gst_gpu_blur_prepare (GstGpuFilter * filter, GpuDevice * device,
    const GstVideoInfo * in, const GstVideoInfo * out, GError ** error)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);

  self->info = *in;
  find_light (self);
  /* Frames of other formats pass through and never get here. */
  gst_gpu_frame_pixels_from_video (in, &self->pixels);
  if (!self->engine)
    self->engine = gpu_blur_new (device);
  return prepare_engine (self, error);
}

static void
gst_gpu_blur_release (GstGpuFilter * filter)
{
  g_clear_pointer (&GST_GPU_BLUR (filter)->engine, gpu_blur_free);
}

/* Whether the engine must be prepared again, as it may need other pipelines. */
static gboolean
needs_preparing (const GpuBlurSettings * a, const GpuBlurSettings * b)
{
  return a->kernel != b->kernel || a->rounds != b->rounds
      || a->method != b->method || a->precision != b->precision
      || !a->light != !b->light || !a->transfer != !b->transfer;
}

static void
warn_of_other_method (GstGpuBlur * self, GpuBlurMethod ran)
{
  GpuBlurMethod asked = self->current.method;

  if (self->warned || asked == GPU_BLUR_AUTO || asked == ran)
    return;
  self->warned = TRUE;
  GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
      ("method=%s takes %s; %s runs instead. Change that, or set method=auto.",
          name_of_method (asked), gpu_blur_method_get_needs (asked,
              self->current.kernel),
          name_of_method (ran)),
      ("sigma %g along rows, %g down columns, radius %d", self->current.sigma_x,
          self->current.sigma_y, self->current.radius));
}

static gboolean
gst_gpu_blur_record (GstGpuFilter * filter, GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out, GstBuffer * buffer,
    GError ** error)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);
  const GpuFrames frames = {.in = in,.out = out };
  GpuBlurReport report;

  if (needs_preparing (&self->current, &self->prepared)
      && !prepare_engine (self, error))
    return FALSE;
  if (!gpu_blur_record (self->engine, stream, &self->current, &frames,
          &report, error))
    return FALSE;
  warn_of_other_method (self, report.method);
  GST_LOG_OBJECT (self, "method %s, precision %s",
      name_of_method (report.method), nick_of_precision (report.precision));
  GST_OBJECT_LOCK (self);
  self->report = report;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gsize
gst_gpu_blur_get_memory (GstGpuFilter * filter)
{
  GpuBlur *engine = GST_GPU_BLUR (filter)->engine;

  return engine ? gpu_blur_get_memory (engine) : 0;
}

static gboolean
gst_gpu_blur_start (GstBaseTransform * trans)
{
  GstGpuBlur *self = GST_GPU_BLUR (trans);

  self->warned = FALSE;
  GST_OBJECT_LOCK (self);
  memset (&self->report, 0, sizeof self->report);
  GST_OBJECT_UNLOCK (self);
  return GST_BASE_TRANSFORM_CLASS (gst_gpu_blur_parent_class)->start (trans);
}

/* --- statistics and properties --- */

static void
gst_gpu_blur_fill_stats (GstGpuFilter * filter, GstStructure * stats)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);
  GValue passes = G_VALUE_INIT;
  GpuBlurReport report;

  GST_OBJECT_LOCK (self);
  report = self->report;
  GST_OBJECT_UNLOCK (self);
  /* No frame has been blurred yet. */
  if (report.n_stages == 0)
    return;

  g_value_init (&passes, GST_TYPE_ARRAY);
  for (guint i = 0; i < report.n_stages; i++) {
    GValue pass = G_VALUE_INIT;

    g_value_init (&pass, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&pass, gst_structure_new ("pass",
            "name", G_TYPE_STRING, report.stages[i].name,
            "plane", G_TYPE_UINT, report.stages[i].plane,
            "dispatches", G_TYPE_UINT, report.stages[i].dispatches,
            "taps", G_TYPE_UINT, report.stages[i].taps, NULL));
    gst_value_array_append_and_take_value (&passes, &pass);
  }
  gst_structure_take_value (stats, "passes", &passes);
  gst_structure_set (stats,
      "method", G_TYPE_STRING,
      name_of_method (report.method),
      "precision", G_TYPE_STRING, nick_of_precision (report.precision), NULL);
}

static void
gst_gpu_blur_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  gboolean is_known;

  GST_OBJECT_LOCK (object);
  is_known = gst_gpu_properties_set (gst_gpu_blur_properties,
      &GST_GPU_BLUR (object)->settings, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_gpu_blur_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  gboolean is_known;

  GST_OBJECT_LOCK (object);
  is_known = gst_gpu_properties_get (gst_gpu_blur_properties,
      &GST_GPU_BLUR (object)->settings, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_gpu_blur_finalize (GObject * object)
{
  g_clear_pointer (&GST_GPU_BLUR (object)->engine, gpu_blur_free);
  G_OBJECT_CLASS (gst_gpu_blur_parent_class)->finalize (object);
}

static void
gst_gpu_blur_class_init (GstGpuBlurClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstGpuFilterClass *filter_class = GST_GPU_FILTER_CLASS (klass);

  object_class->finalize = gst_gpu_blur_finalize;
  object_class->set_property = gst_gpu_blur_set_property;
  object_class->get_property = gst_gpu_blur_get_property;
  gst_gpu_blur_settings_install (object_class);

  gst_gpu_blur_caps_install (element_class);
  gst_element_class_set_static_metadata (element_class, "GPU blur",
      "Filter/Effect/Video/Hardware",
      "Gaussian, box and bilateral blur of video on the GPU (Vulkan compute)",
      "gst-gpu-video-filters contributors");

  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_gpu_blur_sink_event);
  trans_class->start = GST_DEBUG_FUNCPTR (gst_gpu_blur_start);
  filter_class->get_formats = GST_DEBUG_FUNCPTR (gst_gpu_blur_get_formats);
  filter_class->is_neutral = GST_DEBUG_FUNCPTR (gst_gpu_blur_is_neutral);
  filter_class->describe_ignored =
      GST_DEBUG_FUNCPTR (gst_gpu_blur_describe_ignored);
  filter_class->prepare = GST_DEBUG_FUNCPTR (gst_gpu_blur_prepare);
  filter_class->release = GST_DEBUG_FUNCPTR (gst_gpu_blur_release);
  filter_class->latch = GST_DEBUG_FUNCPTR (gst_gpu_blur_latch);
  filter_class->record = GST_DEBUG_FUNCPTR (gst_gpu_blur_record);
  filter_class->get_memory = GST_DEBUG_FUNCPTR (gst_gpu_blur_get_memory);
  filter_class->fill_stats = GST_DEBUG_FUNCPTR (gst_gpu_blur_fill_stats);
  filter_class->presets = &gst_gpu_blur_presets;
}

static void
gst_gpu_blur_init (GstGpuBlur * self)
{
  gst_gpu_properties_init (gst_gpu_blur_properties, &self->settings);
  gst_video_info_init (&self->info);
}
