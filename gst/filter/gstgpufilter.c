/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilter.h"

#include "gpu/core/device/foreign.h"
#include "gpu/core/device/trace.h"
#include "gst/common/gstgpucontext.h"
#include "gst/memory/gstgpuframe.h"
#include "gstgpufilterprivate.h"

#include <string.h>

GST_DEBUG_CATEGORY (gst_gpu_filter_debug);
GST_DEBUG_CATEGORY_STATIC (gst_gpu_debug);
#define GST_CAT_DEFAULT gst_gpu_filter_debug

/* The most time that is given up beyond the delay of a frame. */
#define MOST_GIVEN_UP (GST_SECOND / 4)

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstGpuFilter, gst_gpu_filter,
    GST_TYPE_BASE_TRANSFORM, G_ADD_PRIVATE (GstGpuFilter)
    GST_DEBUG_CATEGORY_INIT (gst_gpu_filter_debug, "gpufilter", 0,
        "base class of video filters on the GPU"));

/* --- the log of gpu/ --- */

static void
log_message (const gchar * domain, GLogLevelFlags flags, const gchar * message,
    gpointer unused)
{
  GST_CAT_LEVEL_LOG (gst_gpu_debug,
      flags & G_LOG_LEVEL_INFO ? GST_LEVEL_INFO : GST_LEVEL_DEBUG, NULL, "%s",
      message);
}

/* Checked for every line, because the debug level may change at any time. If an application
 * has called gst_debug_set_active (FALSE), lines are formatted but not logged. */
static gboolean
is_trace_wanted (gpointer unused)
{
  return gst_debug_category_get_threshold (gst_gpu_debug) >= GST_LEVEL_LOG;
}

static void
log_trace (const gchar * line, gpointer unused)
{
  GST_CAT_LOG (gst_gpu_debug, "%s", line);
}

static const GpuTracer tracer = { is_trace_wanted, log_trace, NULL };

/* Redirects the messages of gpu/, which does not depend on GStreamer, to the debug category
 * "gpu". Its trace (gpu/core/device/trace.h) appears there at GST_LEVEL_LOG. Repeated calls
 * do nothing. Warnings are left to GLib's default handler, which always prints them. */
static void
init_log (void)
{
  static gsize is_done = 0;

  if (!g_once_init_enter (&is_done))
    return;
  GST_DEBUG_CATEGORY_INIT (gst_gpu_debug, "gpu", 0,
      "Vulkan compute layer of the video filters");
  g_log_set_handler (GPU_LOG_DOMAIN, G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG,
      log_message, NULL);
  gpu_trace_set (&tracer);
  g_once_init_leave (&is_done, 1);
}

/* --- from READY to PAUSED, and back --- */

/* Sets the foreign caps, or NULL. Foreign frames pass through, with GstBaseTransform's
 * passthrough also for allocation. */
static void
set_foreign (GstGpuFilter * self, GstCaps * foreign)
{
  gst_caps_replace (&self->priv->foreign, foreign);
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self),
      foreign != NULL);
}

static void
set_started (GstGpuFilter * self, gboolean started)
{
  GST_OBJECT_LOCK (self);
  self->priv->started = started;
  GST_OBJECT_UNLOCK (self);
}

/* Forgets an earlier run. */
static void
reset (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;

  g_atomic_int_set (&priv->flushing, FALSE);
  g_atomic_int_set (&priv->stopping, FALSE);
  gst_gpu_filter_forget_errors (self);
  GST_OBJECT_LOCK (self);
  memset (&priv->counters, 0, sizeof priv->counters);
  memset (&priv->latency, 0, sizeof priv->latency);
  GST_OBJECT_UNLOCK (self);
  if (GST_GPU_FILTER_GET_CLASS (self)->reset)
    GST_GPU_FILTER_GET_CLASS (self)->reset (self);
}

/* Call this while pads are inactive. */
static gboolean
start (GstGpuFilter * self)
{
  g_autoptr (GError) error = NULL;

  reset (self);
  set_started (self, TRUE);
  if (gst_gpu_filter_open_stream (self, &error))
    return TRUE;
  GST_GPU_FILTER_ERROR (self, error);
  set_started (self, FALSE);
  return FALSE;
}

/* Call this while pads are inactive. */
static void
stop (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;

  gst_gpu_filter_release_stream (self);
  /* The neighbours take theirs along. */
  if (gpu_device_get_adopted (priv->device))
    gst_gpu_filter_close_device (self);
  set_started (self, FALSE);
  gst_gpu_filter_set_port (self, gst_gpu_port_get_system ());
  gst_video_info_init (&priv->in_info);
  gst_video_info_init (&priv->out_info);
  priv->ignored = priv->told_ignored = NULL;
  g_atomic_int_set (&priv->asks, FALSE);
  set_foreign (self, NULL);
}

void
gst_gpu_filter_explain_refusal (GstGpuFilter * self, GstCaps * caps)
{
  GstGpuFilterClass *klass = GST_GPU_FILTER_GET_CLASS (self);
  const gchar *reason =
      klass->explain_refusal ? klass->explain_refusal (self, caps) : NULL;
  g_autoptr (GError) error = NULL;

  if (!reason)
    return;
  error = g_error_new_literal (GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      reason);
  GST_GPU_FILTER_ERROR (self, error);
}

/* FLUSH_START cancels a long frame of the streaming thread between two submissions. Other events
 * come when that thread is at no frame. */
static gboolean
gst_gpu_filter_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstEventType type = GST_EVENT_TYPE (event);
  GstCaps *caps = NULL;
  gboolean is_taken;

  if (type == GST_EVENT_FLUSH_START || type == GST_EVENT_FLUSH_STOP)
    g_atomic_int_set (&self->priv->flushing, type == GST_EVENT_FLUSH_START);
  if (type == GST_EVENT_FLUSH_STOP)
    gst_gpu_filter_forget_errors (self);
  if (type == GST_EVENT_FLUSH_STOP || type == GST_EVENT_EOS)
    gst_gpu_filter_give_back (self);
  if (type == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_caps_ref (caps);
  }
  is_taken = GST_BASE_TRANSFORM_CLASS
      (gst_gpu_filter_parent_class)->sink_event (trans, event);
  if (caps && !is_taken)
    gst_gpu_filter_explain_refusal (self, caps);
  gst_clear_caps (&caps);
  return is_taken;
}

/* Elements behind this one may wait in its thread for frames of a device that hangs. */
static void
end_waits (GstGpuFilter * self)
{
  GpuStream *stream = NULL;

  GST_OBJECT_LOCK (self);
  if (self->priv->link)
    stream = gpu_stream_ref (self->priv->stream);
  GST_OBJECT_UNLOCK (self);
  if (!stream)
    return;
  gpu_stream_wait_idle (stream, NULL);
  gpu_stream_unref (stream);
  gst_gpu_filter_unblock (self);
}

/* The parent class lets pads accept events and frames before it calls its virtual function
 * start, and these may come at once, from a thread that is not waiting for this change. So
 * what they need is made before the parent class activates pads, and released after it has
 * deactivated them and waited for the streaming thread. The frame in progress is cancelled
 * before that. */
static GstStateChangeReturn
gst_gpu_filter_change_state (GstElement * element, GstStateChange transition)
{
  GstGpuFilter *self = GST_GPU_FILTER (element);
  GstStateChangeReturn result;
  g_autoptr (GError) error = NULL;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY) {
    gst_gpu_filter_forget_errors (self);
    if (!gst_gpu_filter_open_device (self, &error)) {
      GST_GPU_FILTER_ERROR (self, error);
      return GST_STATE_CHANGE_FAILURE;
    }
  }
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    g_atomic_int_set (&self->priv->stopping, TRUE);
    end_waits (self);
  }
  result = GST_ELEMENT_CLASS (gst_gpu_filter_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && result == GST_STATE_CHANGE_FAILURE))
    stop (self);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_gpu_filter_close_device (self);
  return result;
}

/* The parent class stores the context for the next search for a device. */
static void
gst_gpu_filter_set_context (GstElement * element, GstContext * context)
{
  gst_gpu_filter_take_device_of (GST_GPU_FILTER (element), context);
  GST_ELEMENT_CLASS (gst_gpu_filter_parent_class)->set_context (element,
      context);
}

/* --- caps --- */

/* Accepts caps that only the properties rule out. They are refused when the caps event
 * arrives, where the reason can be reported. */
static gboolean
gst_gpu_filter_accept_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps)
{
  return (direction == GST_PAD_SINK
      && gst_gpu_filter_can_work_on (GST_GPU_FILTER (trans), caps))
      || GST_BASE_TRANSFORM_CLASS (gst_gpu_filter_parent_class)->accept_caps
      (trans, direction, caps);
}

/* Input buffers may have padding, so their size is ignored. */
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

static void
latch (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;

  priv->passes = GST_GPU_FILTER_GET_CLASS (self)->latch (self, &priv->in_info,
      &priv->out_info);
}

/* Lets frames of @caps pass. Some foreign caps have no GstVideoInfo. */
static void
pass_foreign (GstGpuFilter * self, GstCaps * caps)
{
  GstVideoInfo none;

  gst_video_info_init (&none);
  gst_gpu_filter_set_infos (self, &none, &none, gst_gpu_port_get_system ());
  GST_INFO_OBJECT (self, "frames can only pass: %" GST_PTR_FORMAT, caps);
  set_foreign (self, caps);
  latch (self);
  gst_gpu_filter_forget_errors (self);
}

/* Frames can pass through even if the device fails. The device is prepared anyway, because
 * a later frame may need it. If the caps are refused, the previous ones stay in force. */
static gboolean
gst_gpu_filter_set_caps (GstBaseTransform * trans, GstCaps * incaps,
    GstCaps * outcaps)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;
  GstVideoInfo old_in = priv->in_info, old_out = priv->out_info;
  const GstGpuPort *old_port = priv->port;
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
  gst_gpu_filter_set_infos (self, &in, &out, gst_gpu_port_find (incaps));
  latch (self);
  if ((gst_gpu_filter_replace_lost_device (self, &error)
          && gst_gpu_filter_follow_port (self, &error)
          && gst_gpu_filter_ensure_prepared (self, &error))
      || priv->passes || gst_gpu_filter_survives (self, NULL, error)) {
    GST_INFO_OBJECT (self, "frames %s%s: %" GST_PTR_FORMAT " to %"
        GST_PTR_FORMAT, priv->passes ? "pass for now" : "are worked on",
        gst_gpu_port_is_system (priv->port) ? "" :
        ", in memory of another library", incaps, outcaps);
    set_foreign (self, NULL);
    return TRUE;
  }
  GST_GPU_FILTER_ERROR (self, error);
  gst_gpu_filter_set_infos (self, &old_in, &old_out, old_port);
  return FALSE;
}

/* --- metas --- */

static gpointer
copy_structure (gconstpointer structure, gpointer unused)
{
  return gst_structure_copy (structure);
}

/* Gives @outbuf, which has only the cropped part of @inbuf, the part of @region that lies in it,
 * if any. Detectors write negative positions, too. */
static void
add_cropped_region (GstGpuFilter * self, GstBuffer * outbuf,
    GstBuffer * inbuf, const GstVideoRegionOfInterestMeta * region)
{
  const GstVideoInfo *info = &self->priv->in_info;
  gint64 left, top, right, bottom;
  GstVideoRegionOfInterestMeta *part;
  gint x, y;

  gst_gpu_frame_get_origin (inbuf, info, &x, &y);
  left = (gint64) (gint) region->x - x;
  top = (gint64) (gint) region->y - y;
  right = MIN (left + (gint) region->w, GST_VIDEO_INFO_WIDTH (info));
  bottom = MIN (top + (gint) region->h, GST_VIDEO_INFO_HEIGHT (info));
  left = MAX (left, 0);
  top = MAX (top, 0);
  if (left >= right || top >= bottom)
    return;
  part = gst_buffer_add_video_region_of_interest_meta_id (outbuf,
      region->roi_type, left, top, right - left, bottom - top);
  part->id = region->id;
  part->parent_id = region->parent_id;
  part->params = g_list_copy_deep (region->params, copy_structure, NULL);
}

static gboolean
gst_gpu_filter_transform_meta (GstBaseTransform * trans, GstBuffer * outbuf,
    GstMeta * meta, GstBuffer * inbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GType api = meta->info->api;

  if (!gst_gpu_frame_is_cropped (inbuf, &self->priv->in_info)
      || !gst_meta_api_type_has_tag (api,
          g_quark_from_static_string (GST_META_TAG_VIDEO_SIZE_STR)))
    return gst_gpu_filter_meta_stays_true (self, api);
  /* The meta describes the larger frame: its positions are wrong after cropping. */
  if (api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
    add_cropped_region (self, outbuf, inbuf,
        (GstVideoRegionOfInterestMeta *) meta);
  return FALSE;
}

/* Proposes a meta of downstream to upstream only if this element would copy it. */
static gboolean
gst_gpu_filter_filter_meta (GstBaseTransform * trans, GstQuery * query,
    GType api, const GstStructure * params)
{
  return gst_gpu_filter_meta_stays_true (GST_GPU_FILTER (trans), api);
}

/* --- frames --- */

/* GstBaseTransform's passthrough is used for foreign frames only. It applies to the whole
 * stream, and changing it needs a new negotiation; other frames pass one by one. */
static void
gst_gpu_filter_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  /* The parent class resets its segment when it starts, even while a frame comes. */
  const GstSegment segment = trans->segment;
  GstClockTime time = GST_CLOCK_TIME_NONE;

  if (segment.format == GST_FORMAT_TIME)
    time = gst_segment_to_stream_time (&segment, GST_FORMAT_TIME,
        GST_BUFFER_TIMESTAMP (buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (trans), time);
  latch (self);
  gst_gpu_filter_note_ignored (self);
}

/* After a late frame, gives up more of the next ones than the base class does: those of another
 * time as long as the delay. Otherwise the next frame waits behind those on their way, and is
 * late and useless, too. The time is limited, so that the film does not stand still for long
 * after a single long delay. */
static gboolean
give_up_more (GstBaseTransform * trans, GstEvent * event)
{
  GstQOSType type;
  gdouble proportion;
  GstClockTimeDiff diff;
  GstClockTime time;

  gst_event_parse_qos (event, &type, &proportion, &diff, &time);
  if (type != GST_QOS_TYPE_UNDERFLOW || diff <= 0
      || !GST_CLOCK_TIME_IS_VALID (time))
    return FALSE;
  gst_base_transform_update_qos (trans, proportion,
      diff + MIN (diff, MOST_GIVEN_UP), time);
  return TRUE;
}

static gboolean
gst_gpu_filter_src_event (GstBaseTransform * trans, GstEvent * event)
{
  return GST_EVENT_TYPE (event) == GST_EVENT_QOS && give_up_more (trans, event)
      ? gst_pad_push_event (GST_BASE_TRANSFORM_SINK_PAD (trans), event)
      : GST_BASE_TRANSFORM_CLASS (gst_gpu_filter_parent_class)->src_event
      (trans, event);
}

/* Replaces a lost device before anything is allocated for the frame. */
static GstFlowReturn
gst_gpu_filter_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * buffer)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow;

  if (!gst_gpu_filter_needs_device (self, buffer)
      || (gst_gpu_filter_replace_lost_device (self, &error)
          && gst_gpu_filter_ensure_at_port (self, &error)))
    return GST_BASE_TRANSFORM_CLASS
        (gst_gpu_filter_parent_class)->submit_input_buffer (trans, is_discont,
        buffer);
  flow = gst_gpu_filter_fail_frame (self, buffer, error);
  gst_buffer_unref (buffer);
  return flow;
}

static GstFlowReturn
gst_gpu_filter_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * inbuf, GstBuffer ** outbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);

  return gst_gpu_filter_get_output (self, inbuf, self->priv->passes
      || gst_gpu_filter_may_write (self, inbuf), outbuf);
}

static GstFlowReturn
gst_gpu_filter_transform (GstBaseTransform * trans, GstBuffer * inbuf,
    GstBuffer * outbuf)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstGpuFilterPrivate *priv = self->priv;
  const gboolean needs_device = gst_gpu_filter_needs_device (self, inbuf);
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (!needs_device)
    gst_gpu_filter_give_back (self);
  /* A frame that passes is copied only if downstream needs another layout. */
  if (outbuf == inbuf && (priv->foreign || priv->passes))
    return GST_FLOW_OK;
  if (needs_device && !(priv->passes
          && gst_gpu_filter_is_copied_by_cpu (self, outbuf)))
    done = gst_gpu_filter_work_on_frame (self, inbuf, outbuf, &error);
  else
    done = gst_gpu_filter_copy_frame (self, outbuf, inbuf, &priv->in_info,
        &error);
  if (done) {
    gst_gpu_filter_forget_errors (self);
    return GST_FLOW_OK;
  }
  return gst_gpu_filter_fail_frame (self, inbuf, error);
}

/* --- queries and properties --- */

/* With the element's own device. That of other elements is not for those in system memory, and
 * the parent class lets queries about it through to them. */
static gboolean
answer_context (GstGpuFilter * self, GstQuery * query)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autoptr (GpuDevice) device = NULL;

  GST_OBJECT_LOCK (self);
  if (priv->device && !gpu_device_get_adopted (priv->device))
    device = gpu_device_ref (priv->device);
  GST_OBJECT_UNLOCK (self);
  return gst_gpu_context_answer (query, device);
}

static gboolean
gst_gpu_filter_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  gboolean answered = GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT
      && answer_context (GST_GPU_FILTER (trans), query);

  /* Upstream wants its memory back. The query comes in the streaming thread. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_DRAIN && direction == GST_PAD_SINK)
    gst_gpu_filter_give_back (GST_GPU_FILTER (trans));
  if (!answered)
    answered = GST_BASE_TRANSFORM_CLASS (gst_gpu_filter_parent_class)->query
        (trans, direction, query);
  if (answered && GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    gst_gpu_filter_narrow_caps (GST_GPU_FILTER (trans), direction, query);
  if (answered && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_gpu_filter_add_latency (GST_GPU_FILTER (trans), query);
  return answered;
}

static void
gst_gpu_filter_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  gst_gpu_properties_set (gst_gpu_filter_properties,
      &GST_GPU_FILTER (object)->priv->settings, GST_ELEMENT (object), id,
      value);
}

static void
gst_gpu_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstGpuFilter *self = GST_GPU_FILTER (object);

  if (g_str_equal (pspec->name, "stats"))
    g_value_take_boxed (value, gst_gpu_filter_collect_stats (self));
  else
    gst_gpu_properties_get (gst_gpu_filter_properties, &self->priv->settings,
        GST_ELEMENT (object), id, value);
}

static void
gst_gpu_filter_finalize (GObject * object)
{
  GstGpuFilterPrivate *priv = GST_GPU_FILTER (object)->priv;

  g_free (priv->settings.selector);
  g_clear_pointer (&priv->device, gpu_device_unref);
  G_OBJECT_CLASS (gst_gpu_filter_parent_class)->finalize (object);
}

static void
gst_gpu_filter_class_init (GstGpuFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  init_log ();
  gst_gpu_filter_init_frames ();
  object_class->finalize = gst_gpu_filter_finalize;
  object_class->set_property = gst_gpu_filter_set_property;
  object_class->get_property = gst_gpu_filter_get_property;
  gst_gpu_properties_install (gst_gpu_filter_properties, object_class);

  GST_ELEMENT_CLASS (klass)->change_state =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_change_state);
  GST_ELEMENT_CLASS (klass)->set_context =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_set_context);
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
  trans_class->src_event = GST_DEBUG_FUNCPTR (gst_gpu_filter_src_event);
  trans_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_submit_input_buffer);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_gpu_filter_prepare_output_buffer);
  trans_class->transform = GST_DEBUG_FUNCPTR (gst_gpu_filter_transform);
  trans_class->query = GST_DEBUG_FUNCPTR (gst_gpu_filter_query);

  gst_type_mark_as_plugin_api (GST_TYPE_GPU_FILTER, 0);
}

static void
gst_gpu_filter_init (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = gst_gpu_filter_get_instance_private (self);

  self->priv = priv;
  gst_gpu_properties_init (gst_gpu_filter_properties, &priv->settings);
  gst_video_info_init (&priv->in_info);
  gst_video_info_init (&priv->out_info);
  gst_gpu_filter_set_port (self, gst_gpu_port_get_system ());
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), TRUE);
}
