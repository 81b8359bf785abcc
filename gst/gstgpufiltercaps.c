/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which caps are offered: those of frames that can be worked on as the properties
 * are, and where there is nothing to be done all others behind them. */
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

static GstCaps *
get_formats (GstGpuFilter * self, GstPadDirection direction)
{
  return GST_GPU_FILTER_GET_CLASS (self)->get_formats (self, direction);
}

/* What of @caps, of the pad in @direction, can be worked on. */
static GstCaps *
get_workable (GstGpuFilter * self, GstPadDirection direction, GstCaps * caps)
{
  GstCaps *workable = intersect (gst_caps_ref (caps),
      get_formats (self, direction));

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
gst_gpu_filter_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstGpuFilter *self = GST_GPU_FILTER (trans);
  GstCaps *result = convert (self, direction, get_workable (self, direction,
          caps));

  if (may_pass_all (self))
    result = gst_caps_merge (result, gst_caps_ref (caps));
  return filter ? intersect (gst_caps_ref (filter), result) : result;
}

gboolean
gst_gpu_filter_can_work_on (GstGpuFilter * self, GstCaps * caps)
{
  GstCaps *workable = get_workable (self, GST_PAD_SINK, caps);
  gboolean can = !gst_caps_is_empty (workable);

  gst_caps_unref (workable);
  return can;
}

void
gst_gpu_filter_narrow_caps (GstGpuFilter * self, GstPadDirection direction,
    GstQuery * query)
{
  GstCaps *caps, *workable;

  if (may_pass_all (self))
    return;
  gst_query_parse_caps_result (query, &caps);
  workable = get_workable (self, direction, caps);
  gst_query_set_caps_result (query, workable);
  gst_caps_unref (workable);
}

gboolean
gst_gpu_filter_has_caps (GstGpuFilter * self, GstPadDirection direction,
    GstStaticCaps * caps)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstCaps *current = gst_pad_get_current_caps (direction == GST_PAD_SINK
      ? trans->sinkpad : trans->srcpad);
  GstCaps *asked = gst_static_caps_get (caps);
  gboolean has = current && gst_caps_can_intersect (current, asked);

  gst_clear_caps (&current);
  gst_caps_unref (asked);
  return has;
}
