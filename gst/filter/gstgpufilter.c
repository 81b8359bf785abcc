/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include "gst/common/gstgpucontext.h"
#include "gst/common/gstgpulog.h"
#include "gst/memory/gstgpuframe.h"
#include "gst/memory/gstgpumemory.h"

#include <string.h>

GST_DEBUG_CATEGORY (gst_gpu_filter_debug);
#define GST_CAT_DEFAULT gst_gpu_filter_debug

#define DEFAULT_ASYNC_DEPTH 2
#define MAX_ASYNC_DEPTH 8
#define DEFAULT_ON_DEVICE_LOST GST_GPU_FILTER_ON_DEVICE_LOST_ERROR

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_ASYNC_DEPTH,
  PROP_ON_DEVICE_LOST,
  PROP_STATS,
};

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstGpuFilter, gst_gpu_filter,
    GST_TYPE_BASE_TRANSFORM, G_ADD_PRIVATE (GstGpuFilter)
    GST_DEBUG_CATEGORY_INIT (gst_gpu_filter_debug, "gpufilter", 0,
        "base class of video filters on the GPU"));

#define GST_TYPE_GPU_FILTER_ON_DEVICE_LOST \
    (gst_gpu_filter_on_device_lost_get_type ())
static GType
gst_gpu_filter_on_device_lost_get_type (void)
{
  static const GEnumValue values[] = {
    {GST_GPU_FILTER_ON_DEVICE_LOST_ERROR, "The stream ends in an error",
        "error"},
    {GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER,
          "The stream goes on with the device opened anew, or another one",
        "recover"},
    {0, NULL, NULL}
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstGpuFilterOnDeviceLost", values));
  return type;
}

/* --- start and stop --- */

/* From now on the device may change. */
static void
end_start (GstGpuFilter * self)
{
  GST_OBJECT_LOCK (self);
  self->priv->started = FALSE;
  GST_OBJECT_UNLOCK (self);
}

/* Frames of @foreign, which may be NULL, are no business of ours, nor is where they
 * come from and go to. */
static void
set_foreign (GstGpuFilter * self, GstCaps * foreign)
{
  gst_caps_replace (&self->priv->foreign, foreign);
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self),
      foreign != NULL);
}

static gboolean
gst_gpu_filter_start (GstBaseTransform * trans)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;
  g_autoptr (GError) error = NULL;

  g_atomic_int_set (&priv->flushing, FALSE);
  g_atomic_int_set (&priv->stopping, FALSE);
  gst_gpu_filter_forget_errors (self);
  GST_OBJECT_LOCK (self);
  memset (&priv->counters, 0, sizeof priv->counters);
  priv->started = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (gst_gpu_filter_open_stream (self, &error))
    return TRUE;
  GST_GPU_FILTER_ERROR (self, error);
  end_start (self);
  return FALSE;
}

static gboolean
gst_gpu_filter_stop (GstBaseTransform * trans)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;

  gst_gpu_filter_release_stream (self);
  end_start (self);
  gst_video_info_init (&priv->in_info);
  gst_video_info_init (&priv->out_info);
  priv->ignored = priv->told_ignored = NULL;
  g_atomic_int_set (&priv->asks, FALSE);
  set_foreign (self, NULL);
  return TRUE;
}

/* The streaming thread may be inside of a long frame: it ends between two
 * submissions. */
static gboolean
gst_gpu_filter_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstGpuFilterPrivate *priv = GST_GPU_FILTER (trans)->priv;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    g_atomic_int_set (&priv->flushing, TRUE);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    g_atomic_int_set (&priv->flushing, FALSE);
    gst_gpu_filter_forget_errors (GST_GPU_FILTER (trans));
  }
  return GST_BASE_TRANSFORM_CLASS
      (gst_gpu_filter_parent_class)->sink_event (trans, event);
}

static gboolean
open_device (GstGpuFilter * self)
{
  g_autoptr (GError) error = NULL;

  gst_gpu_filter_forget_errors (self);
  if (gst_gpu_filter_open_device (self, &error))
    return TRUE;
  GST_GPU_FILTER_ERROR (self, error);
  return FALSE;
}

/* The parent class waits for the streaming thread. */
static GstStateChangeReturn
gst_gpu_filter_change_state (GstElement * element, GstStateChange transition)
{
  GstGpuFilter *self = GST_GPU_FILTER (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_device (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    g_atomic_int_set (&self->priv->stopping, TRUE);
  result = GST_ELEMENT_CLASS (gst_gpu_filter_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_gpu_filter_close_device (self);
  return result;
}

/* --- caps --- */

/* Caps that the properties alone do not allow are refused when they come, where the
 * reason can be told. */
static gboolean
gst_gpu_filter_accept_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps)
{
  return (direction == GST_PAD_SINK
      && gst_gpu_filter_can_work_on (GST_GPU_FILTER (trans), caps))
      || GST_BASE_TRANSFORM_CLASS (gst_gpu_filter_parent_class)->accept_caps
      (trans, direction, caps);
}

/* What comes in may be padded. */
static gboolean
gst_gpu_filter_transform_size (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, gsize size,
    GstCaps * other_caps, gsize * other_size)
{
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, other_caps))
    return FALSE;
  *other_size = GST_VIDEO_INFO_SIZE (&info);
  return TRUE;
}

/* Whether frames of both are the same kind of work; how many of them a second
 * there are, or how wide a pixel is, makes no difference. */
static gboolean
describe_same_frames (const GstVideoInfo * a, const GstVideoInfo * b)
{
  return GST_VIDEO_INFO_FORMAT (a) == GST_VIDEO_INFO_FORMAT (b)
      && GST_VIDEO_INFO_WIDTH (a) == GST_VIDEO_INFO_WIDTH (b)
      && GST_VIDEO_INFO_HEIGHT (a) == GST_VIDEO_INFO_HEIGHT (b)
      && GST_VIDEO_INFO_INTERLACE_MODE (a) == GST_VIDEO_INFO_INTERLACE_MODE (b)
      && GST_VIDEO_INFO_CHROMA_SITE (a) == GST_VIDEO_INFO_CHROMA_SITE (b)
      && gst_video_colorimetry_is_equal (&GST_VIDEO_INFO_COLORIMETRY (a),
      &GST_VIDEO_INFO_COLORIMETRY (b));
}

/* Forgets what was made for frames of other caps. */
static void
set_infos (GstGpuFilterPrivate * priv, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  if (!describe_same_frames (&priv->in_info, in)
      || !describe_same_frames (&priv->out_info, out)) {
    gst_gpu_filter_release_pool (&priv->staging);
    gst_gpu_filter_release_pool (&priv->output);
    priv->is_prepared = FALSE;
  }
  priv->in_info = *in;
  priv->out_info = *out;
}

static void
latch (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;

  priv->passes = GST_GPU_FILTER_GET_CLASS (self)->latch (self, &priv->in_info,
      &priv->out_info);
}

/* Which property the frame at hand cannot have: NULL, or the text of a warning. */
static const gchar *
describe_ignored (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstGpuFilterClass *klass = GST_GPU_FILTER_GET_CLASS (self);

  if (!priv->foreign)
    return klass->describe_ignored ? klass->describe_ignored (self) : NULL;
  return priv->passes ? NULL :
      "Frames of these caps can only pass through, and "
      "do so. To have them worked on, put \"videoconvert ! "
      "video/x-raw,format=RGBA\" before this element, behind a download where "
      "they are not in system memory.";
}

static void
warn_of_ignored (GstGpuFilter * self, const gchar * text)
{
  GstCaps *caps = gst_pad_get_current_caps (GST_BASE_TRANSFORM_SINK_PAD (self));
  g_autofree gchar *described = gst_caps_to_string (caps);

  GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s", text),
      ("Frames are of these caps: %s", described));
  gst_caps_unref (caps);
}

/* Of the frame at hand. A warning where upstream cannot help, or does not, and once
 * per start, however often a property comes and goes. */
static void
note_ignored (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  const gchar *text = describe_ignored (self);
  gboolean is_new = text && !priv->ignored;

  priv->ignored = text;
  if (!text)
    g_atomic_int_set (&priv->asks, FALSE);
  if (!text || (is_new && gst_gpu_filter_ask_for_others (self))
      || text == priv->told_ignored)
    return;
  priv->told_ignored = text;
  warn_of_ignored (self, text);
}

/* There is no GstVideoInfo of some of them. */
static void
pass_foreign (GstGpuFilter * self, GstCaps * caps)
{
  GstVideoInfo none;

  gst_video_info_init (&none);
  set_infos (self->priv, &none, &none);
  set_foreign (self, caps);
  latch (self);
  gst_gpu_filter_forget_errors (self);
}

/* Frames that pass through do so whatever the device can or cannot do. It is
 * prepared nevertheless, as the next one may have to be worked on. Where caps
 * are refused, those before them stay in force. */
static gboolean
gst_gpu_filter_set_caps (GstBaseTransform * trans, GstCaps * incaps,
    GstCaps * outcaps)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;
  GstVideoInfo old_in = priv->in_info, old_out = priv->out_info;
  GstVideoInfo in, out;
  g_autoptr (GError) error = NULL;

  if (!gst_gpu_filter_can_work_on (self, incaps)) {
    pass_foreign (self, incaps);
    return TRUE;
  }
  if (!gst_video_info_from_caps (&in, incaps)
      || !gst_video_info_from_caps (&out, outcaps)) {
    GST_WARNING_OBJECT (self, "no video: %" GST_PTR_FORMAT " to %"
        GST_PTR_FORMAT, incaps, outcaps);
    return FALSE;
  }
  set_infos (priv, &in, &out);
  latch (self);
  if ((gst_gpu_filter_replace_lost_device (self, &error)
          && gst_gpu_filter_ensure_prepared (self, &error))
      || priv->passes || gst_gpu_filter_survives (self, error)) {
    set_foreign (self, NULL);
    return TRUE;
  }
  GST_GPU_FILTER_ERROR (self, error);
  set_infos (priv, &old_in, &old_out);
  return FALSE;
}

/* --- metas --- */

/* Whether a meta that describes the input describes the output as well: same
 * size, same orientation, and the same colours where the format stays; but
 * other memory, so that GstVideoMeta, for one, is not copied. Cropping has been
 * done by then; it is not asked for upstream either, as it takes a copy where
 * the rectangle lies badly. */
static gboolean
meta_stays_true (GstGpuFilter * self, GType api)
{
  GstGpuFilterPrivate *priv = self->priv;
  const gchar *const *tags = gst_meta_api_type_get_tags (api);
  gboolean same_format = GST_VIDEO_INFO_FORMAT (&priv->in_info)
      == GST_VIDEO_INFO_FORMAT (&priv->out_info);

  if (api == GST_VIDEO_CROP_META_API_TYPE)
    return FALSE;
  for (; tags && *tags; tags++)
    if (!g_str_equal (*tags, GST_META_TAG_VIDEO_STR)
        && !g_str_equal (*tags, GST_META_TAG_VIDEO_SIZE_STR)
        && !g_str_equal (*tags, GST_META_TAG_VIDEO_ORIENTATION_STR)
        && !(g_str_equal (*tags, GST_META_TAG_VIDEO_COLORSPACE_STR)
            && same_format))
      return FALSE;
  return TRUE;
}

static gboolean
gst_gpu_filter_transform_meta (GstBaseTransform * trans, GstBuffer * outbuf,
    GstMeta * meta, GstBuffer * inbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GType api = meta->info->api;

  /* Of a larger frame: places in it are other places in the rectangle. */
  if (gst_gpu_frame_is_cropped (inbuf, &self->priv->in_info)
      && gst_meta_api_type_has_tag (api,
          g_quark_from_static_string (GST_META_TAG_VIDEO_SIZE_STR)))
    return FALSE;
  return meta_stays_true (self, api);
}

/* A meta that downstream understands may be proposed upstream if it would get
 * there. */
static gboolean
gst_gpu_filter_filter_meta (GstBaseTransform * trans, GstQuery * query,
    GType api, const GstStructure * params)
{
  return meta_stays_true (GST_GPU_FILTER (trans), api);
}

/* --- frames --- */

/* Controlled properties change with the time, which not every stream knows. */
static void
sync_properties (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstClockTime time;

  if (trans->segment.format != GST_FORMAT_TIME)
    return;
  time = gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
      GST_BUFFER_TIMESTAMP (buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (trans), time);
}

/* GstBaseTransform's own passthrough is set for foreign frames alone: it stands for
 * a stream, and what was negotiated for it has to be negotiated anew for the other
 * kind. */
static void
gst_gpu_filter_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);

  sync_properties (trans, buffer);
  latch (self);
  note_ignored (self);
}

/* A gap without memory says that there is no frame, which is no fault. It becomes
 * an event, as if that had come in its place: subclasses want to know, and so do
 * elements that wait for frames, such as a mixer. */
static GstFlowReturn
drop_bad_frame (GstGpuFilter * self, GstBuffer * buffer, const GError * error)
{
  if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
      || gst_buffer_get_size (buffer) > 0)
    gst_gpu_filter_note_bad_frame (self, error);
  else if (GST_BUFFER_PTS_IS_VALID (buffer))
    GST_BASE_TRANSFORM_GET_CLASS (self)->sink_event (GST_BASE_TRANSFORM (self),
        gst_event_new_gap (GST_BUFFER_PTS (buffer),
            GST_BUFFER_DURATION (buffer)));
  return GST_BASE_TRANSFORM_FLOW_DROPPED;
}

/* What becomes of @buffer, which could not be worked on. */
static GstFlowReturn
fail_frame (GstGpuFilter * self, GstBuffer * buffer, const GError * error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (g_error_matches (error, GPU_ERROR, GPU_ERROR_CANCELLED))
    return GST_FLOW_FLUSHING;
  if (!priv->passes && gst_gpu_filter_survives (self, error)) {
    gst_gpu_filter_count_dropped (self);
    return GST_BASE_TRANSFORM_FLOW_DROPPED;
  }
  /* Of a device that is lost no memory can be read. */
  if (error->domain == GST_GPU_FRAME_ERROR
      && (priv->passes || !gpu_device_is_lost (priv->device)))
    return drop_bad_frame (self, buffer, error);
  GST_GPU_FILTER_ERROR (self, error);
  return GST_FLOW_ERROR;
}

/* Before anything is made for the frame. One that passes needs no device. */
static GstFlowReturn
gst_gpu_filter_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * buffer)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow;

  if (self->priv->foreign || self->priv->passes
      || gst_gpu_filter_replace_lost_device (self, &error))
    return GST_BASE_TRANSFORM_CLASS
        (gst_gpu_filter_parent_class)->submit_input_buffer (trans, is_discont,
        buffer);
  flow = fail_frame (self, buffer, error);
  gst_buffer_unref (buffer);
  return flow;
}

/* Whether what comes next sees in @buffer the frame that its caps speak of. */
static gboolean
next_understands (GstGpuFilterPrivate * priv, GstBuffer * buffer)
{
  if (gst_gpu_frame_is_cropped (buffer, &priv->in_info)
      && !priv->next_knows_crops)
    return FALSE;
  return priv->next_knows_layouts
      || gst_gpu_frame_has_default_layout (buffer, &priv->in_info);
}

/* For frames too large for the device, which pass. What they do not fill keeps
 * nothing of what was there before, as in memory of ours. */
static GstFlowReturn
prepare_output_of_others (GstBaseTransform * trans, GstBuffer * inbuf,
    GstBuffer ** outbuf)
{
  GstFlowReturn flow = GST_BASE_TRANSFORM_CLASS
      (gst_gpu_filter_parent_class)->prepare_output_buffer (trans, inbuf,
      outbuf);

  if (flow == GST_FLOW_OK)
    gst_buffer_memset (*outbuf, 0, 0, gst_buffer_get_size (*outbuf));
  return flow;
}

static GstFlowReturn
gst_gpu_filter_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * inbuf, GstBuffer ** outbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;
  GstFlowReturn flow;

  if (priv->foreign || (priv->passes && next_understands (priv, inbuf))) {
    *outbuf = inbuf;
    return GST_FLOW_OK;
  }
  if (!priv->output)
    return prepare_output_of_others (trans, inbuf, outbuf);
  flow = gst_buffer_pool_acquire_buffer (priv->output, outbuf, NULL);
  if (flow == GST_FLOW_OK)
    GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans, inbuf, *outbuf);
  else if (flow == GST_FLOW_ERROR)
    gst_gpu_filter_post_no_output (self);
  return flow;
}

static GstFlowReturn
gst_gpu_filter_transform (GstBaseTransform * trans, GstBuffer * inbuf,
    GstBuffer * outbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;
  g_autoptr (GError) error = NULL;
  gboolean done;

  /* Those that pass are copied only where they have to be laid out anew. */
  if (outbuf == inbuf)
    return GST_FLOW_OK;
  if (priv->passes)
    done = gst_gpu_filter_copy_frame (self, outbuf, inbuf, &error);
  else
    done = gst_gpu_filter_work_on_frame (self, inbuf, outbuf, &error);
  if (done) {
    gst_gpu_filter_forget_errors (self);
    return GST_FLOW_OK;
  }
  return fail_frame (self, inbuf, error);
}

/* --- queries and properties --- */

static gboolean
gst_gpu_filter_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstGpuFilterPrivate *priv = GST_GPU_FILTER (trans)->priv;
  GpuDevice *device;
  gboolean answered = FALSE;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT) {
    GST_OBJECT_LOCK (trans);
    device = priv->device ? gpu_device_ref (priv->device) : NULL;
    GST_OBJECT_UNLOCK (trans);
    answered = gst_gpu_context_answer (query, device);
    g_clear_pointer (&device, gpu_device_unref);
  }
  if (!answered)
    answered = GST_BASE_TRANSFORM_CLASS (gst_gpu_filter_parent_class)->query
        (trans, direction, query);
  if (answered && GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    gst_gpu_filter_narrow_caps (GST_GPU_FILTER (trans), direction, query);
  return answered;
}

/* Whether the element is in @state or below it, and not on its way further up,
 * which it seems to be after that failed. With the object lock. */
static gboolean
stays_at_most (GstElement * element, GstState state)
{
  return GST_STATE (element) <= state && (GST_STATE_NEXT (element) <= state
      || GST_STATE_RETURN (element) == GST_STATE_CHANGE_FAILURE);
}

/* In which a property may be set: what is taken on the way up from there is
 * not looked at again. */
static GstState
get_highest_state (guint id)
{
  switch (id) {
    case PROP_DEVICE:
      return GST_STATE_NULL;
    case PROP_ASYNC_DEPTH:
      return GST_STATE_READY;
    default:
      return GST_STATE_PLAYING;
  }
}

/* Returns whether there is such a property. With the object lock. */
static gboolean
set_value (GstGpuFilterPrivate * priv, guint id, const GValue * value)
{
  switch (id) {
    case PROP_DEVICE:
      g_free (priv->selector);
      priv->selector = g_value_dup_string (value);
      return TRUE;
    case PROP_ASYNC_DEPTH:
      priv->async_depth = g_value_get_uint (value);
      return TRUE;
    case PROP_ON_DEVICE_LOST:
      priv->on_device_lost = g_value_get_enum (value);
      return TRUE;
    default:
      return FALSE;
  }
}

static void
gst_gpu_filter_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstState highest = get_highest_state (id);
  gboolean may_be_set, is_known = TRUE;

  GST_OBJECT_LOCK (object);
  may_be_set = stays_at_most (GST_ELEMENT (object), highest);
  if (may_be_set)
    is_known = set_value (GST_GPU_FILTER (object)->priv, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  if (!may_be_set)
    GST_ELEMENT_WARNING (object, LIBRARY, SETTINGS,
        ("\"%s\" stays as it is: set the element to %s before you change it.",
            pspec->name, gst_element_state_get_name (highest)), (NULL));
}

static void
gst_gpu_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstGpuFilterPrivate *priv = GST_GPU_FILTER (object)->priv;

  switch (id) {
    case PROP_DEVICE:
      GST_OBJECT_LOCK (object);
      g_value_set_string (value, priv->selector);
      GST_OBJECT_UNLOCK (object);
      break;
    case PROP_ASYNC_DEPTH:
      GST_OBJECT_LOCK (object);
      g_value_set_uint (value, priv->async_depth);
      GST_OBJECT_UNLOCK (object);
      break;
    case PROP_ON_DEVICE_LOST:
      GST_OBJECT_LOCK (object);
      g_value_set_enum (value, priv->on_device_lost);
      GST_OBJECT_UNLOCK (object);
      break;
    case PROP_STATS:
      g_value_take_boxed (value,
          gst_gpu_filter_collect_stats (GST_GPU_FILTER (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_gpu_filter_finalize (GObject * object)
{
  GstGpuFilterPrivate *priv = GST_GPU_FILTER (object)->priv;

  g_free (priv->selector);
  g_clear_pointer (&priv->device, gpu_device_unref);
  G_OBJECT_CLASS (gst_gpu_filter_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass * object_class)
{
  object_class->set_property = gst_gpu_filter_set_property;
  object_class->get_property = gst_gpu_filter_get_property;

  /**
   * GstGpuFilter:device:
   *
   * The Vulkan device to run on: its index in the loader's list, its UUID, or
   * a part of its name; empty for the best one. Opened on the way from NULL to
   * READY: changeable in NULL; in other states a change is refused with a
   * warning.
   */
  g_object_class_install_property (object_class, PROP_DEVICE,
      g_param_spec_string ("device", "Device",
          "Vulkan device: its index, UUID or a part of its name; empty for "
          "the best one (changeable in NULL)", NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  /**
   * GstGpuFilter:async-depth:
   *
   * How many frames the device may work on at once. One more waits for the
   * oldest of them. From PAUSED on a change is refused with a warning.
   */
  g_object_class_install_property (object_class, PROP_ASYNC_DEPTH,
      g_param_spec_uint ("async-depth", "Async depth",
          "Frames that the device may work on at once", 1, MAX_ASYNC_DEPTH,
          DEFAULT_ASYNC_DEPTH,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
  /**
   * GstGpuFilter:on-device-lost:
   *
   * What becomes of the stream when the device is lost: its driver reset it, it was
   * removed, or it hangs. `error`: it ends in an error, and the next start opens
   * another device. `recover`: a warning is posted, frames that the device had begun
   * are lost, and the stream goes on with the next frame on another device: the same
   * one opened anew, or the best of those that work. What was known of earlier frames
   * is forgotten. A device that hangs holds up the stream while it is waited for, ten
   * seconds at a time. Where the third device in a row is lost before it has worked on
   * 100 frames, the stream ends in an error.
   */
  g_object_class_install_property (object_class, PROP_ON_DEVICE_LOST,
      g_param_spec_enum ("on-device-lost", "On device lost",
          "What becomes of the stream when the device is lost",
          GST_TYPE_GPU_FILTER_ON_DEVICE_LOST, DEFAULT_ON_DEVICE_LOST,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
  /**
   * GstGpuFilter:stats:
   *
   * From READY on `device` and `device-uuid`, strings; `unified-memory`,
   * whether the device's memory is the CPU's too, so that no frame is copied;
   * `memory`, bytes that the driver gave to all elements that share the device;
   * `element-memory`, bytes of it that frames made by this element and its engine
   * take up.
   *
   * Counted since the start: `frames` that were processed; those that were
   * `dropped`, as they contradict their caps, cannot be mapped, or were lost with the
   * device; `frames-copied` by the CPU, as their memory or layout was of no use;
   * `uploads` and `downloads` of whole frames; times that somebody waited:
   * `waits-for-slot`, a new frame for an older one, as #GstGpuFilter:async-depth wants it;
   * `waits-for-result`, who maps an output for the device;
   * `waits-for-readers`, who writes to an input again for the device.
   *
   * Of the newest frame that is known to be done, in ns, 0 on a device without
   * timestamps: `frame-time` from its first command to its last,
   * `longest-submission`, `longest-dispatch` (or fill or copy); also the number
   * of `submissions`, and `stages`: an array of structures with `name`,
   * `dispatches`, `time`, and `longest`, the time of the longest dispatch of this
   * stage. `time`, `longest` and `longest-dispatch` are of an earlier frame where
   * the newest did not have its commands timed one by one: every 32nd has, and
   * the one after this property was read.
   *
   * Subclasses add fields of their own.
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Device, counters since the start, and times of a recent frame",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_gpu_filter_class_init (GstGpuFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_gpu_log_init ();
  gst_gpu_filter_init_frames ();
  object_class->finalize = gst_gpu_filter_finalize;
  install_properties (object_class);

  GST_ELEMENT_CLASS (klass)->change_state =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_change_state);
  GST_ELEMENT_CLASS (klass)->set_context =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_set_context);
  trans_class->start = GST_DEBUG_FUNCPTR (gst_gpu_filter_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_gpu_filter_stop);
  trans_class->transform_caps =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_transform_caps);
  trans_class->accept_caps = GST_DEBUG_FUNCPTR (gst_gpu_filter_accept_caps);
  trans_class->transform_size =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_transform_size);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_gpu_filter_sink_event);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_gpu_filter_set_caps);
  trans_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_propose_allocation);
  trans_class->decide_allocation =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_decide_allocation);
  trans_class->transform_meta =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_transform_meta);
  trans_class->filter_meta = GST_DEBUG_FUNCPTR (gst_gpu_filter_filter_meta);
  trans_class->before_transform =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_before_transform);
  trans_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_submit_input_buffer);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_prepare_output_buffer);
  trans_class->transform = GST_DEBUG_FUNCPTR (gst_gpu_filter_transform);
  trans_class->query = GST_DEBUG_FUNCPTR (gst_gpu_filter_query);

  gst_type_mark_as_plugin_api (GST_TYPE_GPU_FILTER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GPU_FILTER_ON_DEVICE_LOST, 0);
}

static void
gst_gpu_filter_init (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = gst_gpu_filter_get_instance_private (self);

  self->priv = priv;
  priv->async_depth = DEFAULT_ASYNC_DEPTH;
  priv->on_device_lost = DEFAULT_ON_DEVICE_LOST;
  gst_video_info_init (&priv->in_info);
  gst_video_info_init (&priv->out_info);
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), TRUE);
}
