/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufiltercaps.h"

#include "gstgpufilterprivate.h"

/* With "fields" and "alternate" each buffer holds fields as separate pictures, which
 * are not worked on. */
static GstStaticCaps one_picture = GST_STATIC_CAPS ("video/x-raw, "
    "interlace-mode = (string) { progressive, interleaved, mixed }");

/* Takes @caps. */
static GstCaps *
intersect (GstCaps * caps, GstCaps * others)
{
  GstCaps *both =
      gst_caps_intersect_full (caps, others, GST_CAPS_INTERSECT_FIRST);

  gst_caps_unref (caps);
  gst_caps_unref (others);
  return both;
}

/* Fixed caps that do not speak of it are progressive. */
static gboolean
are_silent_of_fields (GstCaps * caps)
{
  return gst_caps_is_fixed (caps)
      && !gst_structure_has_field (gst_caps_get_structure (caps, 0),
      "interlace-mode");
}

static GstPad *
pad_of (GstGpuFilter * self, GstPadDirection direction)
{
  return direction == GST_PAD_SINK ? GST_BASE_TRANSFORM_SINK_PAD (self)
      : GST_BASE_TRANSFORM_SRC_PAD (self);
}

/* Those that frames can be worked on in whatever the properties are. */
static GstCaps *
get_all_formats (GstGpuFilter * self, GstPadDirection direction)
{
  GstCaps *template = gst_pad_get_pad_template_caps (pad_of (self, direction));
  GstCaps *formats = gst_caps_new_empty_simple ("video/x-raw");

  gst_caps_set_value (formats, "format", gst_structure_get_value
      (gst_caps_get_structure (template, 0), "format"));
  gst_caps_unref (template);
  return formats;
}

/* Those that the properties allow. */
static GstCaps *
get_wanted_formats (GstGpuFilter * self, GstPadDirection direction)
{
  return GST_GPU_FILTER_GET_CLASS (self)->get_formats (self, direction);
}

/* The same, but where frames flow in others these stay: what cannot be had of them is
 * ignored. */
static GstCaps *
get_formats (GstGpuFilter * self, GstPadDirection direction)
{
  GstCaps *formats = get_wanted_formats (self, direction);
  GstCaps *current = gst_pad_get_current_caps (pad_of (self, direction));

  if (current && !gst_caps_can_intersect (current, formats)) {
    gst_caps_unref (formats);
    formats = get_all_formats (self, direction);
  }
  gst_clear_caps (&current);
  return formats;
}

/* What of @caps can be worked on in @formats, which it takes. */
static GstCaps *
get_workable (GstCaps * caps, GstCaps * formats)
{
  GstCaps *workable = intersect (gst_caps_ref (caps), formats);

  return are_silent_of_fields (workable) ? workable
      : intersect (workable, gst_static_caps_get (&one_picture));
}

/* Also where the properties ask for work that cannot be done on frames that flow:
 * they go on passing. */
static gboolean
may_pass_all (GstGpuFilter * self)
{
  return GST_GPU_FILTER_GET_CLASS (self)->is_neutral (self)
      || gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self));
}

static GstCaps *
convert (GstGpuFilter * self, GstPadDirection direction, GstCaps * caps)
{
  GstGpuFilterClass *klass = GST_GPU_FILTER_GET_CLASS (self);

  if (!klass->convert_caps)
    return caps;
  return intersect (klass->convert_caps (self, direction, caps),
      get_formats (self, direction == GST_PAD_SINK ? GST_PAD_SRC
          : GST_PAD_SINK));
}

GstCaps *
gst_gpu_filter_get_other_caps (GstGpuFilter * self,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstCaps *result = convert (self, direction, get_workable (caps,
          get_formats (self, direction)));

  if (may_pass_all (self))
    result = gst_caps_merge (result, gst_caps_ref (caps));
  return filter ? intersect (gst_caps_ref (filter), result) : result;
}

gboolean
gst_gpu_filter_can_work_on (GstGpuFilter * self, GstCaps * caps)
{
  GstCaps *workable = get_workable (caps, get_all_formats (self,
          GST_PAD_SINK));
  gboolean can = !gst_caps_is_empty (workable);

  gst_caps_unref (workable);
  return can;
}

/* Where upstream is asked for other frames, such as flow are still taken, but not
 * offered. */
void
gst_gpu_filter_narrow_caps (GstGpuFilter * self, GstPadDirection direction,
    GstQuery * query)
{
  gboolean asks = g_atomic_int_get (&self->priv->asks);
  GstCaps *caps, *workable;

  if (!asks && may_pass_all (self))
    return;
  gst_query_parse_caps_result (query, &caps);
  workable = get_workable (caps, asks ? get_wanted_formats (self, direction)
      : get_formats (self, direction));
  gst_query_set_caps_result (query, workable);
  gst_caps_unref (workable);
}

/* A reference; NULL where there is none, or more. */
static GstPad *
get_only_sink (GstElement * element)
{
  GstPad *pad = NULL;

  GST_OBJECT_LOCK (element);
  if (element->numsinkpads == 1)
    pad = gst_object_ref (element->sinkpads->data);
  GST_OBJECT_UNLOCK (element);
  return pad;
}

static gboolean
have_same_caps (GstPad * one, GstPad * other)
{
  GstCaps *a = gst_pad_get_current_caps (one);
  GstCaps *b = gst_pad_get_current_caps (other);
  gboolean same = a && b && gst_caps_is_equal (a, b);

  gst_clear_caps (&a);
  gst_clear_caps (&b);
  return same;
}

/* Whether other pads may have the frames of @sink, too, from a tee before it: they are
 * not asked what they can take. */
static gboolean
are_shared (GstPad * sink)
{
  GstPad *peer = gst_pad_get_peer (sink);
  GstElement *element = peer ? gst_pad_get_parent_element (peer) : NULL;
  GstPad *before = element ? get_only_sink (element) : NULL;
  gboolean shared = FALSE;

  if (before)
    shared = (element->numsrcpads > 1 && have_same_caps (before, peer))
        || are_shared (before);
  gst_clear_object (&before);
  gst_clear_object (&element);
  gst_clear_object (&peer);
  return shared;
}

/* With what is asked for. */
static gboolean
can_be_others (GstGpuFilter * self)
{
  GstPad *sink = GST_BASE_TRANSFORM_SINK_PAD (self);
  GstCaps *current = gst_pad_get_current_caps (sink);
  GstCaps *allowed = gst_pad_get_allowed_caps (sink);
  gboolean can = allowed && !gst_caps_is_empty (allowed)
      && !gst_caps_can_intersect (allowed, current);

  gst_clear_caps (&allowed);
  gst_caps_unref (current);
  return can;
}

/* Where something is ignored of frames that flow: asks upstream for others, of which
 * nothing is, if there can be such and nobody else has these. Returns whether it did. */
static gboolean
ask_for_others (GstGpuFilter * self)
{
  gint *asks = &self->priv->asks;

  g_atomic_int_set (asks, TRUE);
  if (can_be_others (self) && !are_shared (GST_BASE_TRANSFORM_SINK_PAD (self)))
    gst_base_transform_reconfigure_sink (GST_BASE_TRANSFORM (self));
  else
    g_atomic_int_set (asks, FALSE);
  return g_atomic_int_get (asks);
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

void
gst_gpu_filter_note_ignored (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  const gchar *text = describe_ignored (self);
  gboolean is_new = text && !priv->ignored;

  priv->ignored = text;
  if (!text)
    g_atomic_int_set (&priv->asks, FALSE);
  if (!text || (is_new && ask_for_others (self))
      || text == priv->told_ignored)
    return;
  priv->told_ignored = text;
  warn_of_ignored (self, text);
}
