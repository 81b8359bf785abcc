/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpuprogress.h"

#include "gpu/core/device/device.h"

/* Time between two messages. */
#define INTERVAL (G_USEC_PER_SEC / 2)

static void
post (const GstGpuProgress * progress, const GstGpuProgressKind * kind,
    GstElement * element, GstProgressType type, const gchar * text)
{
  GstMessage *message = gst_message_new_progress (GST_OBJECT (element), type,
      kind->code, text);
  GstStructure *fields = gst_message_writable_structure (message);

  /* New messages have 100 %. */
  if (kind->is_open_ended)
    gst_structure_remove_field (fields, "percent");
  else
    gst_structure_set (fields, "percent", G_TYPE_INT, progress->percent, NULL);
  gst_element_post_message (element, message);
}

void
gst_gpu_progress_update (GstGpuProgress * progress,
    const GstGpuProgressKind * kind, GstElement * element, guint done, guint n)
{
  gint64 now = g_get_monotonic_time ();
  g_autofree gchar *text = NULL;

  if (progress->since == 0)
    progress->since = now;
  /* If the work starts again, the percentage does not go back. */
  progress->percent = MAX (progress->percent,
      n > 0 ? (gint) (done * 100.0 / n) : 0);
  if (now < (progress->told ? progress->told + INTERVAL
          : progress->since + kind->delay))
    return;
  text = kind->describe (done, n, progress->percent);
  post (progress, kind, element, progress->told ? GST_PROGRESS_TYPE_CONTINUE
      : GST_PROGRESS_TYPE_START, text);
  progress->told = g_get_monotonic_time ();
}

void
gst_gpu_progress_end (GstGpuProgress * progress,
    const GstGpuProgressKind * kind, GstElement * element, const GError * error)
{
  if (progress->told && !error) {
    progress->percent = 100;
    post (progress, kind, element, GST_PROGRESS_TYPE_COMPLETE, kind->completed);
  } else if (progress->told && g_error_matches (error, GPU_ERROR,
          GPU_ERROR_CANCELLED))
    post (progress, kind, element, GST_PROGRESS_TYPE_CANCELED, kind->cancelled);
  /* This may not be an error: with on-device-lost=recover the stream continues. */
  else if (progress->told && g_error_matches (error, GPU_ERROR, GPU_ERROR_LOST))
    post (progress, kind, element, GST_PROGRESS_TYPE_CANCELED,
        "The device was lost");
  else if (progress->told)
    post (progress, kind, element, GST_PROGRESS_TYPE_ERROR, error->message);
  *progress = (GstGpuProgress) {0};
}
