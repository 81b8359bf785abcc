/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the base class is to its own files, and what a subclass fills in. */
#pragma once

#include "gpu/core/frame/frame.h"
#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _GstGpuFilter GstGpuFilter;
typedef struct _GstGpuFilterClass GstGpuFilterClass;
typedef struct _GstGpuFilterPrivate GstGpuFilterPrivate;

#define GST_GPU_FILTER_GET_CLASS(object) \
    ((GstGpuFilterClass *) GST_BASE_TRANSFORM_GET_CLASS (object))

struct _GstGpuFilter
{
  GstBaseTransform parent;

  GstGpuFilterPrivate *priv;    /* gstgpufilterprivate.h */
};

/* All are called on the streaming thread, those of caps and fill_stats on any, and
 * release at the stop on the thread that changes the state. */
struct _GstGpuFilterClass
{
  GstBaseTransformClass parent_class;

  /* Caps of system memory, in one structure, with the formats that frames can be
   * worked on in at the pad in @direction, as the properties are. They are among those
   * of the first structure of the pad's template, in which frames that flow go on: what
   * cannot be had of them is ignored, not refused. A reference. */
  GstCaps *(*get_formats) (GstGpuFilter * self, GstPadDirection direction);

  /* Whether there is nothing to be done, as the properties are: frames of any caps
   * may pass then. */
  gboolean (*is_neutral) (GstGpuFilter * self);

  /* Optional: of @caps, which are of the pad in @direction and can be worked on,
   * those that frames can have at the other pad, best first. Takes @caps; a
   * reference. Without it they are the same. */
  GstCaps *(*convert_caps) (GstGpuFilter * self, GstPadDirection direction,
      GstCaps * caps);

  /* Builds what frames of these caps need: when caps come that describe other
   * frames, and, where that failed, before the first frame that needs it. */
  gboolean (*prepare) (GstGpuFilter * self, GpuDevice * device,
      const GstVideoInfo * in, const GstVideoInfo * out, GError ** error);

  /* Gives up what prepare has built, which may be nothing: at the stop, and where
   * the device was lost. */
  void (*release) (GstGpuFilter * self);

  /* Takes the property values for the frames to come, from @in to @out; returns
   * whether these pass through unchanged, which they can where both have one
   * format. Also called before prepare, and for frames of an unknown format, which
   * pass whatever it returns. */
  gboolean (*latch) (GstGpuFilter * self, const GstVideoInfo * in,
      const GstVideoInfo * out);

  /* Optional: which latched property the frame at hand cannot have, so that it is
   * ignored, and what to do: the text of a warning, static, or NULL. */
  const gchar *(*describe_ignored) (GstGpuFilter * self);

  /* Records the work of one frame, with the latched values. What was recorded
   * before is visible. May submit @stream in parts and go on recording.
   * @buffer: the input, for its flags and metas. */
  gboolean (*record) (GstGpuFilter * self, GpuStream * stream,
      const GpuFrame * in, const GpuFrame * out, GstBuffer * buffer,
      GError ** error);

  /* Bytes of device and host memory that the subclass holds. */
  gsize (*get_memory) (GstGpuFilter * self);

  /* Whether frames of one plane may have more bytes than a shader is bound to. */
  gboolean binds_parts;

  /* Optional: adds fields to the statistics. */
  void (*fill_stats) (GstGpuFilter * self, GstStructure * stats);
};

G_END_DECLS
