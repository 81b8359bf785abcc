/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The base class of the video filters on the GPU: its instance and class structs, its
 * presets, and what subclasses call. A subclass implements the virtual functions of
 * GstGpuFilterClass. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/stream/stream.h"
#include "gst/memory/gstgpumemory.h"

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define GST_GPU_FILTER_PRESET_MAX_VALUES 8

/* Properties that it does not name have their defaults. All strings are static. */
typedef struct
{
  const gchar *name, *comment;
  struct
  {
    const gchar *property, *value;      /* as gst-launch-1.0 reads it */
  } values[GST_GPU_FILTER_PRESET_MAX_VALUES + 1];       /* the last has no property */
} GstGpuFilterPreset;

/* The presets of a class. */
typedef struct
{
  const gchar *const *properties;       /* all that presets set and save, then NULL */
  const GstGpuFilterPreset *presets;    /* the last has no name */
} GstGpuFilterPresets;

/* For G_IMPLEMENT_INTERFACE (GST_TYPE_PRESET, ...) of a class that sets `presets` of
 * GstGpuFilterClass. A saved preset replaces a built-in one of the same name. */
void gst_gpu_filter_presets_implement (gpointer preset_interface,
    gpointer unused);

/* Returns whether a property of @self is read because this thread saves a preset of it. */
gboolean gst_gpu_filter_presets_is_saving (GstPreset * self);

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

/* Functions are called on the streaming thread, with these exceptions: those about caps
 * (get_formats, is_neutral, convert_caps) and fill_stats on any thread, and reset and the
 * last release on the thread that changes the state, while pads are inactive. */
struct _GstGpuFilterClass
{
  GstBaseTransformClass parent_class;

  /* Returns caps for system memory with one structure: the formats that can be processed
   * at the pad in @direction with the current property values. They must be a subset of
   * the formats of the first structure of the pad template. If the current frames have
   * another format of the template, they stay accepted, and properties that do not apply
   * to them are ignored. The caller owns the reference. */
  GstCaps *(*get_formats) (GstGpuFilter * self, GstPadDirection direction);

  /* Returns whether there is nothing to do with the current property values, so that
   * frames of any caps may pass. */
  gboolean (*is_neutral) (GstGpuFilter * self);

  /* Optional. Returns the possible caps of the other pad, best first, for @caps of the pad
   * in @direction, which can be processed. Takes ownership of @caps; the caller owns the
   * result. Default: @caps. */
  GstCaps *(*convert_caps) (GstGpuFilter * self, GstPadDirection direction,
      GstCaps * caps);

  /* Optional. If @caps of the sink pad are refused, but would be accepted with another property
   * value, or if the next element wanted other caps, returns the text of an error with what to do;
   * static. Else returns NULL. */
  const gchar *(*explain_refusal) (GstGpuFilter * self, GstCaps * caps);

  /* Optional. Forgets what an earlier run has left. Called from READY to PAUSED. Subclasses
   * do not use the virtual functions start and stop of GstBaseTransform: pads are active
   * then. */
  void (*reset) (GstGpuFilter * self);

  /* What prepare and record need of the device; NULL: nothing but what every device has. */
  const GpuNeeds *needs;

  /* Builds the objects that frames of these caps need. Called when new caps describe
   * other frames; if that failed, again before the first frame that needs it. */
  gboolean (*prepare) (GstGpuFilter * self, GpuDevice * device,
      const GstVideoInfo * in, const GstVideoInfo * out, GError ** error);

  /* Frees what prepare has built, if anything: from PAUSED to READY, and after the device
   * was lost. */
  void (*release) (GstGpuFilter * self);

  /* Copies the property values for the next frames, from @in to @out. Returns whether
   * these frames pass through unchanged, which requires the same format on both pads. Also
   * called before prepare, and for foreign frames, which pass whatever it returns. */
  gboolean (*latch) (GstGpuFilter * self, const GstVideoInfo * in,
      const GstVideoInfo * out);

  /* Optional. If a latched property does not apply to the current frame and is ignored,
   * returns the text of a warning with what to do; static. Else returns NULL. */
  const gchar *(*describe_ignored) (GstGpuFilter * self);

  /* Optional. Returns whether, with the latched values, record can write a frame where it
   * lies, which saves a copy of what stays. Default: it cannot. */
  gboolean (*works_in_place) (GstGpuFilter * self);

  /* Records the work of a frame with the latched values. Writes of earlier commands are
   * visible. May submit @stream in parts and continue recording. @buffer: the input, for
   * its flags and metas. With works_in_place, @in and @out may be the same frame. */
  gboolean (*record) (GstGpuFilter * self, GpuStream * stream,
      const GpuFrame * in, const GpuFrame * out, GstBuffer * buffer,
      GError ** error);

  /* Returns the bytes of device and host memory that the subclass has allocated. */
  gsize (*get_memory) (GstGpuFilter * self);

  /* Whether frames with one plane may be larger than a buffer binding, in the formats of
   * gpu/core/compute/pixels.h. */
  gboolean binds_parts;

  /* Whether progress messages are posted of a frame that takes long. FALSE for a class that
   * posts its own. */
  gboolean tells_of_parts;

  /* Optional: adds fields to the statistics. */
  void (*fill_stats) (GstGpuFilter * self, GstStructure * stats);

  /* The presets of a class that implements GstPreset. */
  const GstGpuFilterPresets *presets;
};

/* Base class of the video filters on the GPU. It handles the device and its sharing,
 * buffers, transfers, errors and statistics. A subclass records the work of a frame.
 *
 * The output of an input frame is pushed at once, while the device still works on it; a
 * map of the output waits for the device. */
#define GST_TYPE_GPU_FILTER (gst_gpu_filter_get_type ())
#define GST_GPU_FILTER(object) \
    (G_TYPE_CHECK_INSTANCE_CAST ((object), GST_TYPE_GPU_FILTER, GstGpuFilter))
#define GST_GPU_FILTER_CLASS(klass) \
    (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_GPU_FILTER, GstGpuFilterClass))
#define GST_IS_GPU_FILTER(object) \
    (G_TYPE_CHECK_INSTANCE_TYPE ((object), GST_TYPE_GPU_FILTER))

GType gst_gpu_filter_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGpuFilter, gst_object_unref)

/* Posts a GError as an error message. Later errors are not posted, because they follow
 * from the first one, until the next start, negotiation, flush or good frame. Thread
 * safe. */
#define GST_GPU_FILTER_ERROR(self, error) \
    gst_gpu_filter_post_error (self, NULL, error, __FILE__, GST_FUNCTION, __LINE__)
/* Like GST_GPU_FILTER_ERROR(), with the position in the source. @allocator: allocator of
 * the memory that could not be mapped; NULL for other errors. */
void gst_gpu_filter_post_error (GstGpuFilter * self,
    GstGpuAllocator * allocator, const GError * error, const gchar * file,
    const gchar * function, gint line);

/* Posts the error of explain_refusal of GstGpuFilterClass, if there is one. Called after a caps
 * event that was refused; a subclass calls it where negotiation fails later. */
void gst_gpu_filter_explain_refusal (GstGpuFilter * self, GstCaps * caps);

/* Has the warning of gst_gpu_filter_note_ignored() posted again. Call this while latching. */
void gst_gpu_filter_warn_again (GstGpuFilter * self);

G_END_DECLS
