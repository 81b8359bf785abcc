/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element gpublur. docs/gpublur.md says what it does, and explains its properties,
 * messages and statistics. */
#include "gstgpublur.h"

#include "gpu/blur/methods.h"
#include "gpu/blur/regions/regionblur.h"
#include "gst/memory/gstgpuframe.h"
#include "gst/memory/gstgpuport.h"
#include "gstgpublurareas.h"
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
  GstGpuBlurAreas areas;        /* the same */
  gboolean blur_is_prepared;    /* the engine is, for these settings: */
  GpuBlurSettings prepared;
  gboolean areas_are_prepared;  /* so is the engine of areas */
  gboolean areas_have_frames;   /* it has room for frames of its own */
  GstVideoInfo info;
  GpuPixels pixels;
  /* The light of code values, by the transfer function of the caps: of 8-bit R'G'B', and of
   * other formats. */
  gfloat light[LIGHT_HALF_CODES];
  GpuBlurTransfer transfer;
  GpuBlur *engine;
  GpuRegionBlur *area_engine;   /* for areas that are not the whole frame */
  GstGpuBlurHeld *held;         /* regions of earlier frames */
  gboolean warned;              /* of another method, since the start */
  const gchar *ignored;         /* describe_ignored() for the current frame */
  gint missed_width, missed_height;     /* of the frame if the rectangle has no pixel in it */

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

/* Fills in the current values of the properties for the engine. The caller holds the object
 * lock. */
static void
resolve_settings (GstGpuBlur * self, GpuBlurSettings * settings)
{
  *settings = self->settings.engine;
  if (settings->sigma_x < 0)
    settings->sigma_x = self->settings.sigma;
  if (settings->sigma_y < 0)
    settings->sigma_y = self->settings.sigma;
  if (self->settings.linear_light) {
    settings->light = self->light;
    settings->transfer = &self->transfer;
  }
}

/* Whether frames stay as they are. */
static gboolean
change_nothing (const GpuBlurSettings * settings, const GstGpuBlurAreas * areas)
{
  return areas->amount == 0
      || (areas->action == GPU_REGION_BLUR && gpu_blur_is_identity (settings));
}

/* Returns what the settings need of formats, as a set of GstGpuBlurNeed. */
static guint
get_needs_of (const GpuBlurSettings * settings, const GstGpuBlurAreas * areas)
{
  guint needs = 0;

  if (change_nothing (settings, areas))
    return needs;
  if (areas->action == GPU_REGION_BLUR
      && settings->kernel == GPU_BLUR_BILATERAL) {
    needs |= 1 << GST_GPU_BLUR_NEEDS_COLOURS;
    if (settings->light)
      needs |= 1 << GST_GPU_BLUR_NEEDS_LIT_COLOURS;
  }
  if (areas->planes == GST_GPU_BLUR_PLANES_LUMA)
    needs |= 1 << GST_GPU_BLUR_NEEDS_LUMA;
  if (areas->planes == GST_GPU_BLUR_PLANES_CHROMA)
    needs |= 1 << GST_GPU_BLUR_NEEDS_CHROMA;
  if (areas->mask != GPU_AREAS_NO_MASK)
    needs |= 1 << GST_GPU_BLUR_NEEDS_ALPHA;
  return needs;
}

static guint
get_needs (GstGpuFilter * filter)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);
  GpuBlurSettings settings;
  guint needs;

  GST_OBJECT_LOCK (self);
  resolve_settings (self, &settings);
  needs = get_needs_of (&settings, &self->settings.areas);
  GST_OBJECT_UNLOCK (self);
  return needs;
}

static gboolean
gst_gpu_blur_is_neutral (GstGpuFilter * filter)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);
  GpuBlurSettings settings;
  gboolean is_neutral;

  GST_OBJECT_LOCK (self);
  resolve_settings (self, &settings);
  is_neutral = change_nothing (&settings, &self->settings.areas);
  GST_OBJECT_UNLOCK (self);
  return is_neutral;
}

static GstCaps *
gst_gpu_blur_get_formats (GstGpuFilter * filter, GstPadDirection direction)
{
  return gst_gpu_blur_caps_get_formats (get_needs (filter));
}

static const gchar *
gst_gpu_blur_explain_refusal (GstGpuFilter * filter, GstCaps * caps)
{
  const GstGpuPort *port = gst_gpu_port_find (caps);
  g_autoptr (GstCaps) bare = port ? gst_gpu_port_take (port, caps)
      : gst_caps_new_empty ();

  return gst_gpu_blur_caps_describe_refusal (bare, get_needs (filter));
}

static gboolean
gst_gpu_blur_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    gst_gpu_blur_held_clear (GST_GPU_BLUR (trans)->held);
  return GST_BASE_TRANSFORM_CLASS
      (gst_gpu_blur_parent_class)->sink_event (trans, event);
}

/* --- frames --- */

static const gchar *
gst_gpu_blur_describe_ignored (GstGpuFilter * filter)
{
  return GST_GPU_BLUR (filter)->ignored;
}

static void
leave_out (GstGpuBlurNeed need, GpuBlurSettings * settings,
    GstGpuBlurAreas * areas)
{
  switch (need) {
    case GST_GPU_BLUR_NEEDS_COLOURS:
      settings->kernel = GPU_BLUR_GAUSSIAN;
      break;
    case GST_GPU_BLUR_NEEDS_LIT_COLOURS:
      settings->light = NULL;
      settings->transfer = NULL;
      break;
    case GST_GPU_BLUR_NEEDS_ALPHA:
      areas->mask = GPU_AREAS_NO_MASK;
      break;
    default:
      areas->planes = GST_GPU_BLUR_PLANES_ALL;
  }
}

/* Leaves out settings that the format of the current frames does not suit: frames flowed when
 * these were set, and upstream has no other format. Without such a setting more of the frame is
 * blurred, never less. Returns the warning about the first one, or NULL. */
static const gchar *
leave_out_unmet (GpuBlurSettings * settings, GstGpuBlurAreas * areas,
    GpuPixels pixels)
{
  const gchar *warning = NULL;
  GstGpuBlurNeed need;

  while ((need = gst_gpu_blur_caps_find_unmet (pixels,
              get_needs_of (settings, areas))) < GST_GPU_BLUR_N_NEEDS) {
    warning = warning ? warning : gst_gpu_blur_caps_describe_ignored (need);
    leave_out (need, settings, areas);
  }
  return warning;
}

/* The rectangle may be what is to be hidden, so there is a warning whenever it leaves the frame,
 * and again for frames of another size, in place of any other warning. */
static void
note_missed (GstGpuBlur * self, const GstVideoInfo * in)
{
  gboolean misses = gst_gpu_blur_areas_miss (&self->areas, in);
  gint width = misses ? GST_VIDEO_INFO_WIDTH (in) : 0;
  gint height = misses ? GST_VIDEO_INFO_HEIGHT (in) : 0;

  if (misses)
    self->ignored = "The rectangle of roi-x, roi-y, roi-width and roi-height "
        "has no pixel in the frames: on-missing says what becomes of them. "
        "Change the rectangle; with roi-unit=percent it has its place in "
        "frames of every size.";
  if (misses && (width != self->missed_width || height != self->missed_height))
    gst_gpu_filter_warn_again (GST_GPU_FILTER (self));
  self->missed_width = width;
  self->missed_height = height;
}

static gboolean
gst_gpu_blur_latch (GstGpuFilter * filter, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);
  GpuPixels pixels;

  GST_OBJECT_LOCK (self);
  resolve_settings (self, &self->current);
  gst_gpu_blur_areas_copy (&self->areas, &self->settings.areas);
  GST_OBJECT_UNLOCK (self);
  self->current.full_range =
      in->colorimetry.range != GST_VIDEO_COLOR_RANGE_16_235;
  self->ignored = NULL;
  if (change_nothing (&self->current, &self->areas))
    return TRUE;
  if (gst_gpu_frame_pixels_from_video (in, &pixels)
      && gpu_blur_takes (pixels))
    self->ignored = leave_out_unmet (&self->current, &self->areas, pixels);
  note_missed (self, in);
  return FALSE;
}

/* Whether the engine must be prepared again, as it may need other pipelines. */
static gboolean
differ (const GpuBlurSettings * a, const GpuBlurSettings * b)
{
  return a->kernel != b->kernel || a->rounds != b->rounds
      || a->method != b->method || a->precision != b->precision
      || !a->light != !b->light || !a->transfer != !b->transfer;
}

/* Prepares the engine for progressive or interlaced frames, or for both if the interlace
 * mode is mixed. What is only pixelated or filled needs no blur, and may have a format that has
 * none. */
static gboolean
ensure_blur (GstGpuBlur * self, GError ** error)
{
  GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (&self->info);
  guint width = GST_VIDEO_INFO_WIDTH (&self->info);
  guint height = GST_VIDEO_INFO_HEIGHT (&self->info);

  if (self->areas.action != GPU_REGION_BLUR
      || (self->blur_is_prepared && !differ (&self->current, &self->prepared)))
    return TRUE;
  if (mode != GST_VIDEO_INTERLACE_MODE_INTERLEAVED
      && !gpu_blur_prepare (self->engine, self->pixels, width, height,
          &self->current, error))
    return FALSE;
  if (mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
      && !gpu_blur_prepare_fields (self->engine, self->pixels, width, height,
          &self->current, error))
    return FALSE;
  self->prepared = self->current;
  self->blur_is_prepared = TRUE;
  return TRUE;
}

static gboolean
ensure_areas (GstGpuBlur * self, GError ** error)
{
  gboolean with_frames = self->areas.action == GPU_REGION_BLUR
      || self->areas.mask == GPU_AREAS_INVERSE_ALPHA;
  g_autoptr (GArray) regions = NULL;
  GstGpuBlurFrame frame = {.info = &self->info};

  if (gst_gpu_blur_areas_are_whole (&self->areas)
      || (self->areas_are_prepared && (self->areas_have_frames
              || !with_frames)))
    return TRUE;
  frame.regions = regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  gst_gpu_blur_areas_imagine (&self->areas, &frame);
  if (!gpu_region_blur_prepare (self->area_engine, self->pixels,
          GST_VIDEO_INFO_WIDTH (&self->info),
          GST_VIDEO_INFO_HEIGHT (&self->info), &frame.areas, error))
    return FALSE;
  self->areas_are_prepared = TRUE;
  self->areas_have_frames |= with_frames;
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
  if (!self->engine) {
    self->engine = gpu_blur_new (device);
    self->area_engine = gpu_region_blur_new (device, self->engine);
  }
  self->blur_is_prepared = FALSE;
  self->areas_are_prepared = self->areas_have_frames = FALSE;
  return ensure_blur (self, error) && ensure_areas (self, error);
}

static void
gst_gpu_blur_release (GstGpuFilter * filter)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);

  g_clear_pointer (&self->area_engine, gpu_region_blur_free);
  g_clear_pointer (&self->engine, gpu_blur_free);
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
record_areas (GstGpuBlur * self, GpuStream * stream, const GpuFrames * frames,
    GstBuffer * buffer, GpuBlurReport * report, GError ** error)
{
  /* The parent class may reset its segment meanwhile. */
  const GstSegment segment = GST_BASE_TRANSFORM (self)->segment;
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  GstGpuBlurFrame frame = {
    .buffer = buffer,
    .info = &self->info,
    .now = segment.format != GST_FORMAT_TIME ? GST_CLOCK_TIME_NONE
        : gst_segment_to_running_time (&segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (buffer)),
    .regions = regions,
  };

  gst_gpu_blur_areas_find (&self->areas, self->held, &frame);
  if (gst_gpu_blur_areas_are_plain (&frame.areas)
      && frames->in->buffer != frames->out->buffer)
    return gpu_blur_record (self->engine, stream, &self->current, frames,
        report, error);
  return gpu_region_blur_record (self->area_engine, stream, &self->current,
      frames, &frame.areas, report, error);
}

/* gpu_region_blur_record() can write its output over its input. */
static gboolean
gst_gpu_blur_works_in_place (GstGpuFilter * filter)
{
  return !gst_gpu_blur_areas_are_whole (&GST_GPU_BLUR (filter)->areas);
}

static gboolean
gst_gpu_blur_record (GstGpuFilter * filter, GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out, GstBuffer * buffer,
    GError ** error)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);
  const GpuFrames frames = {.in = in, .out = out};
  GpuBlurReport report;

  if (!ensure_blur (self, error) || !ensure_areas (self, error)
      || !record_areas (self, stream, &frames, buffer, &report, error))
    return FALSE;
  if (report.n_stages > 0) {
    warn_of_other_method (self, report.method);
    GST_LOG_OBJECT (self, "method %s, precision %s",
        name_of_method (report.method),
        gst_gpu_enum_get_nick (&gst_gpu_blur_precisions, report.precision));
  }
  GST_OBJECT_LOCK (self);
  self->report = report;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gsize
gst_gpu_blur_get_memory (GstGpuFilter * filter)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);

  return self->engine ? gpu_blur_get_memory (self->engine)
      + gpu_region_blur_get_memory (self->area_engine) : 0;
}

static void
gst_gpu_blur_reset (GstGpuFilter * filter)
{
  GstGpuBlur *self = GST_GPU_BLUR (filter);

  self->warned = FALSE;
  gst_gpu_blur_held_clear (self->held);
  GST_OBJECT_LOCK (self);
  memset (&self->report, 0, sizeof self->report);
  GST_OBJECT_UNLOCK (self);
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
  /* Nothing of the last frame was blurred. */
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
      "precision", G_TYPE_STRING,
      gst_gpu_enum_get_nick (&gst_gpu_blur_precisions, report.precision), NULL);
}

static void
gst_gpu_blur_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  gst_gpu_properties_set (gst_gpu_blur_properties,
      &GST_GPU_BLUR (object)->settings, GST_ELEMENT (object), id, value);
}

static void
gst_gpu_blur_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  gst_gpu_properties_get (gst_gpu_blur_properties,
      &GST_GPU_BLUR (object)->settings, GST_ELEMENT (object), id, value);
}

static void
gst_gpu_blur_finalize (GObject * object)
{
  GstGpuBlur *self = GST_GPU_BLUR (object);

  gst_gpu_blur_release (GST_GPU_FILTER (self));
  gst_gpu_blur_held_free (self->held);
  g_free (self->areas.types);
  g_free (self->settings.areas.types);
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

  gst_gpu_port_add_pads (element_class, gpu_blur_takes, gpu_blur_takes);
  gst_element_class_set_static_metadata (element_class, "GPU blur",
      "Filter/Effect/Video/Hardware",
      "Gaussian, box and bilateral blur of video on the GPU (Vulkan compute)",
      "gst-gpu-video-filters contributors");

  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_gpu_blur_sink_event);
  filter_class->needs = &gpu_blur_needs;
  filter_class->get_formats = gst_gpu_blur_get_formats;
  filter_class->explain_refusal = gst_gpu_blur_explain_refusal;
  filter_class->is_neutral = gst_gpu_blur_is_neutral;
  filter_class->describe_ignored = gst_gpu_blur_describe_ignored;
  filter_class->reset = gst_gpu_blur_reset;
  filter_class->prepare = gst_gpu_blur_prepare;
  filter_class->release = gst_gpu_blur_release;
  filter_class->latch = gst_gpu_blur_latch;
  filter_class->works_in_place = gst_gpu_blur_works_in_place;
  filter_class->record = gst_gpu_blur_record;
  filter_class->get_memory = gst_gpu_blur_get_memory;
  filter_class->fill_stats = gst_gpu_blur_fill_stats;
  filter_class->tells_of_parts = TRUE;
  filter_class->presets = &gst_gpu_blur_presets;
}

static void
gst_gpu_blur_init (GstGpuBlur * self)
{
  gst_gpu_properties_init (gst_gpu_blur_properties, &self->settings);
  gst_video_info_init (&self->info);
  self->held = gst_gpu_blur_held_new ();
}
