/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#define GST_CAT_DEFAULT gst_gpu_filter_debug

/* The supported interlace modes. With "fields" and "alternate" a buffer contains fields as
 * separate pictures, which are not supported. */
static GstStaticCaps one_picture = GST_STATIC_CAPS ("video/x-raw, "
    "interlace-mode = (string) { progressive, interleaved, mixed }");

/* In memory of other libraries: how chroma of two fields lies in images is not known. */
static GstStaticCaps progressive = GST_STATIC_CAPS ("video/x-raw, "
    "interlace-mode = (string) progressive");

/* Takes ownership of @caps and @others. */
static GstCaps *
intersect (GstCaps * caps, GstCaps * others)
{
  GstCaps *both =
      gst_caps_intersect_full (caps, others, GST_CAPS_INTERSECT_FIRST);

  gst_caps_unref (caps);
  gst_caps_unref (others);
  return both;
}

/* Leaves the values of a field that are in @others, which has one structure with this field
 * alone. Returns FALSE if there are none. */
static gboolean
narrow (GstStructure * structure, GstCaps * others)
{
  const GstStructure *other = gst_caps_get_structure (others, 0);
  const gchar *name = gst_structure_nth_field_name (other, 0);
  const GValue *wanted = gst_structure_get_value (other, name);
  const GValue *value = gst_structure_get_value (structure, name);
  GValue common = G_VALUE_INIT;

  if (!value)
    gst_structure_set_value (structure, name, wanted);
  else if (gst_value_compare (value, wanted) != GST_VALUE_EQUAL) {
    if (!gst_value_intersect (&common, value, wanted))
      return FALSE;
    gst_structure_take_value (structure, name, &common);
  }
  return TRUE;
}

/* Like intersect() of @caps in system memory and @others, which are empty or have one field
 * alone. But lists that are equal, as those of formats mostly are, are only compared, and
 * nothing is copied. */
static GstCaps *
intersect_field (GstCaps * caps, GstCaps * others)
{
  GstCaps *both = gst_caps_new_empty ();

  caps = gst_caps_make_writable (caps);
  while (!gst_caps_is_empty (caps) && !gst_caps_is_empty (others)) {
    GstStructure *structure = gst_caps_steal_structure (caps, 0);

    if (narrow (structure, others))
      both = gst_caps_merge_structure (both, structure);
    else
      gst_structure_free (structure);
  }
  gst_caps_unref (caps);
  gst_caps_unref (others);
  return both;
}

/* Removes the multiview-mode with which a buffer contains several pictures: only the first
 * would be worked on. Returns whether another mode remains. */
static gboolean
remove_separate_views (GstCapsFeatures * features, GstStructure * structure,
    gpointer unused)
{
  const GValue *modes = gst_structure_get_value (structure, "multiview-mode");
  GValue separated = G_VALUE_INIT, others = G_VALUE_INIT;

  if (!modes)
    return TRUE;
  g_value_init (&separated, G_TYPE_STRING);
  g_value_set_static_string (&separated, "separated");
  if (!gst_value_subtract (&others, modes, &separated))
    return FALSE;
  gst_structure_take_value (structure, "multiview-mode", &others);
  return TRUE;
}

static GstPad *
pad_of (GstGpuFilter * self, GstPadDirection direction)
{
  return direction == GST_PAD_SINK ? GST_BASE_TRANSFORM_SINK_PAD (self)
      : GST_BASE_TRANSFORM_SRC_PAD (self);
}

/* Returns caps with all formats that are supported with any property values. */
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

/* Returns caps with the formats that the current property values allow. */
static GstCaps *
get_wanted_formats (GstGpuFilter * self, GstPadDirection direction)
{
  return GST_GPU_FILTER_GET_CLASS (self)->get_formats (self, direction);
}

/* Returns whether the current caps of @pad have another format than those of @formats. */
static gboolean
has_another_format (GstPad * pad, GstCaps * formats)
{
  GstCaps *current = gst_pad_get_current_caps (pad), *bare;
  gboolean has;

  if (!current)
    return FALSE;
  bare = gst_caps_copy (current);
  gst_caps_set_features_simple (bare, NULL);
  has = !gst_caps_can_intersect (bare, formats);
  gst_caps_unref (bare);
  gst_caps_unref (current);
  return has;
}

/* Like get_wanted_formats(). But if the current caps are not among these, returns all formats, so
 * that the current ones stay valid; properties that do not apply to them are ignored. */
static GstCaps *
get_formats (GstGpuFilter * self, GstPadDirection direction)
{
  GstCaps *formats = get_wanted_formats (self, direction);

  if (has_another_format (pad_of (self, direction), formats)) {
    gst_caps_unref (formats);
    formats = get_all_formats (self, direction);
  }
  return formats;
}

/* Finds the formats of a pad. */
typedef GstCaps *(*FindFormats) (GstGpuFilter * self,
    GstPadDirection direction);

/* Returns whether frames can come through @port to the device, if there is one yet. */
static gboolean
suits_device (GstGpuFilter * self, const GstGpuPort * port)
{
  gboolean suits;

  GST_OBJECT_LOCK (self);
  suits = !port->suits || !self->priv->device
      || port->suits (self->priv->device);
  GST_OBJECT_UNLOCK (self);
  return suits;
}

/* Returns the part of @caps in the memory of @port, as caps in system memory, with supported
 * interlace modes and formats, and with one picture a buffer. */
static GstCaps *
get_workable (GstGpuFilter * self, GstPadDirection direction, GstCaps * caps,
    const GstGpuPort * port, FindFormats find)
{
  GstCaps *workable = suits_device (self, port)
      ? gst_gpu_port_take (port, caps) : gst_caps_new_empty ();

  if (gst_caps_is_empty (workable))
    return workable;
  workable = intersect_field (workable,
      gst_gpu_port_choose (port, find (self, direction)));

  gst_caps_filter_and_map_in_place (workable, remove_separate_views, NULL);
  /* Without an interlace-mode, fixed caps are progressive. */
  if (gst_caps_is_fixed (workable)
      && !gst_structure_has_field (gst_caps_get_structure (workable, 0),
          "interlace-mode"))
    return workable;
  return intersect_field (workable, gst_static_caps_get
      (gst_gpu_port_is_system (port) ? &one_picture : &progressive));
}

/* Returns whether frames of any caps may pass: there is nothing to do, or the current
 * frames are foreign and go on passing whatever the properties ask for. */
static gboolean
may_pass_all (GstGpuFilter * self)
{
  return GST_GPU_FILTER_GET_CLASS (self)->is_neutral (self)
      || gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self));
}

/* Returns the caps of the other pad for @caps of the pad in @direction; both are of @port, as
 * caps in system memory. */
static GstCaps *
convert (GstGpuFilter * self, GstPadDirection direction,
    const GstGpuPort * port, GstCaps * caps)
{
  GstGpuFilterClass *klass = GST_GPU_FILTER_GET_CLASS (self);
  GstCaps *formats;

  if (!klass->convert_caps || gst_caps_is_empty (caps))
    return caps;
  formats = get_formats (self, direction == GST_PAD_SINK ? GST_PAD_SRC
      : GST_PAD_SINK);
  return intersect_field (klass->convert_caps (self, direction, caps),
      gst_gpu_port_choose (port, formats));
}

/* Returns the part of @caps that can be worked on, of all ports. */
static GstCaps *
get_workable_of_all (GstGpuFilter * self, GstPadDirection direction,
    GstCaps * caps, FindFormats find)
{
  GstCaps *workable = gst_caps_new_empty ();
  const GstGpuPort *port;

  for (guint i = 0; (port = gst_gpu_port_get (i)); i++)
    gst_caps_append (workable, gst_gpu_port_mark (port,
            get_workable (self, direction, caps, port, find)));
  return workable;
}

/* Frames leave in memory of the port through which they come. */
static GstCaps *
convert_all (GstGpuFilter * self, GstPadDirection direction, GstCaps * caps)
{
  GstCaps *converted = gst_caps_new_empty ();
  const GstGpuPort *port;

  for (guint i = 0; (port = gst_gpu_port_get (i)); i++)
    gst_caps_append (converted, gst_gpu_port_mark (port,
            convert (self, direction, port, get_workable (self, direction,
                    caps, port, get_formats))));
  return converted;
}

GstCaps *
gst_gpu_filter_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstCaps *result = convert_all (self, direction, caps);

  if (may_pass_all (self))
    result = gst_caps_merge (result, gst_caps_ref (caps));
  if (gst_caps_is_empty (result) && !gst_caps_is_empty (caps)
      && gst_debug_category_get_threshold (GST_CAT_DEFAULT) >= GST_LEVEL_INFO) {
    GstCaps *formats = get_formats (self, direction);

    GST_INFO_OBJECT (self,
        "no part of %" GST_PTR_FORMAT
        " suits the %s pad, or can be converted to "
        "what the other pad takes: with these properties it takes progressive or "
        "interleaved frames, with one picture a buffer, of %" GST_PTR_FORMAT,
        caps, direction == GST_PAD_SINK ? "sink" : "source", formats);
    gst_caps_unref (formats);
  }
  GST_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT " at the %s pad can be %"
      GST_PTR_FORMAT " at the other", caps,
      direction == GST_PAD_SINK ? "sink" : "source", result);
  return filter ? intersect (gst_caps_ref (filter), result) : result;
}

gboolean
gst_gpu_filter_can_work_on (GstGpuFilter * self, GstCaps * caps)
{
  GstCaps *workable =
      get_workable_of_all (self, GST_PAD_SINK, caps, get_all_formats);
  gboolean can = !gst_caps_is_empty (workable);

  gst_caps_unref (workable);
  return can;
}

/* While upstream is asked for other caps, the current caps are still accepted but not
 * offered. Where the other pad has no peer, the parent class answers with the pad template. */
void
gst_gpu_filter_narrow_caps (GstGpuFilter * self, GstPadDirection direction,
    GstQuery * query)
{
  gboolean asks = g_atomic_int_get (&self->priv->asks);
  GstCaps *caps, *workable;

  if (!asks && (may_pass_all (self) || gst_pad_is_linked (pad_of (self,
                  direction == GST_PAD_SINK ? GST_PAD_SRC : GST_PAD_SINK))))
    return;
  gst_query_parse_caps_result (query, &caps);
  workable = get_workable_of_all (self, direction, caps, asks
      ? get_wanted_formats : get_formats);
  GST_DEBUG_OBJECT (self, "offers %" GST_PTR_FORMAT " at the %s pad", workable,
      direction == GST_PAD_SINK ? "sink" : "source");
  gst_query_set_caps_result (query, workable);
  gst_caps_unref (workable);
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

/* Returns whether other pads may get the frames of @sink too, from a tee upstream. These
 * pads cannot be asked which caps they accept. Looks through elements with one sink pad. */
static gboolean
are_shared (GstPad * sink)
{
  g_autoptr (GstPad) peer = gst_pad_get_peer (sink);
  g_autoptr (GstElement) element =
      peer ? gst_pad_get_parent_element (peer) : NULL;
  g_autoptr (GstPad) before = NULL;

  if (!element)
    return FALSE;
  GST_OBJECT_LOCK (element);
  if (element->numsinkpads == 1)
    before = gst_object_ref (element->sinkpads->data);
  GST_OBJECT_UNLOCK (element);
  return before && ((element->numsrcpads > 1 && have_same_caps (before, peer))
      || are_shared (before));
}

/* Asks upstream for caps with which no property is ignored, if it can provide such caps
 * and no other element gets the same frames. Returns whether it has asked. */
static gboolean
ask_for_others (GstGpuFilter * self)
{
  GstPad *sink = GST_BASE_TRANSFORM_SINK_PAD (self);
  GstCaps *current = gst_pad_get_current_caps (sink), *allowed;
  gboolean can;

  /* While this is set, only caps that all properties suit are offered. */
  g_atomic_int_set (&self->priv->asks, TRUE);
  allowed = gst_pad_get_allowed_caps (sink);
  can = allowed && !gst_caps_is_empty (allowed)
      && !gst_caps_can_intersect (allowed, current) && !are_shared (sink);
  gst_clear_caps (&allowed);
  gst_caps_unref (current);
  if (can) {
    GST_INFO_OBJECT (self,
        "asks upstream for caps to which all properties apply");
    gst_base_transform_reconfigure_sink (GST_BASE_TRANSFORM (self));
  } else
    g_atomic_int_set (&self->priv->asks, FALSE);
  return g_atomic_int_get (&self->priv->asks);
}

/* Returns the text of a warning if a property does not apply to the current frame, or
 * NULL. */
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
      "it cannot read the memory that they are in.";
}

void
gst_gpu_filter_warn_again (GstGpuFilter * self)
{
  self->priv->told_ignored = NULL;
}

void
gst_gpu_filter_note_ignored (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  const gchar *text = describe_ignored (self);
  gboolean is_new = text && !priv->ignored;
  g_autofree gchar *described = NULL;
  GstCaps *caps;

  priv->ignored = text;
  if (!text)
    g_atomic_int_set (&priv->asks, FALSE);
  if (!text || (is_new && ask_for_others (self))
      || text == priv->told_ignored)
    return;
  priv->told_ignored = text;
  /* There are no caps if another thread has just stopped the pads. */
  caps = gst_pad_get_current_caps (GST_BASE_TRANSFORM_SINK_PAD (self));
  described = gst_caps_to_string (caps);
  GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s", text),
      ("Frames are of these caps: %s", described));
  gst_clear_caps (&caps);
}
