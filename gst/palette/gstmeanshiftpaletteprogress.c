/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpaletteprogress.h"

#include "gpu/core/device/error.h"

/* Time until the first message, and between two messages. */
#define DELAY_US G_USEC_PER_SEC
#define INTERVAL (G_USEC_PER_SEC / 2)

#define CODE "mean-shift"

static void
post (GstElement * element, GstProgressType type, gint percent,
    const gchar * text)
{
  GstMessage *message = gst_message_new_progress (GST_OBJECT (element), type,
      CODE, text);

  gst_structure_set (gst_message_writable_structure (message), "percent",
      G_TYPE_INT, percent, NULL);
  gst_element_post_message (element, message);
}

static void
tell (GstMeanShiftPaletteProgress * progress, GstElement * element, guint n,
    gint64 now)
{
  GstProgressType type = progress->told ? GST_PROGRESS_TYPE_CONTINUE
      : GST_PROGRESS_TYPE_START;
  g_autofree gchar *text = g_strdup_printf ("Merging %u colors: %d %%", n,
      progress->percent);

  progress->told = now;
  post (element, type, progress->percent, text);
}

void
gst_mean_shift_palette_progress_update (GstMeanShiftPaletteProgress * progress,
    GstElement * element, guint done, guint n)
{
  gint64 now = g_get_monotonic_time ();

  if (progress->since == 0)
    progress->since = now;
  /* If the mean shift starts again, the percentage does not go back. */
  progress->percent = MAX (progress->percent, (gint) (done * 100.0 / n));
  if (now >= (progress->told ? progress->told + INTERVAL
          : progress->since + DELAY_US))
    tell (progress, element, n, now);
}

void
gst_mean_shift_palette_progress_end (GstMeanShiftPaletteProgress * progress,
    GstElement * element, const GError * error)
{
  if (progress->told && !error)
    post (element, GST_PROGRESS_TYPE_COMPLETE, 100, "Merged all colors");
  else if (progress->told && g_error_matches (error, GPU_ERROR,
          GPU_ERROR_CANCELLED))
    post (element, GST_PROGRESS_TYPE_CANCELED, progress->percent,
        "Colors are not wanted any more");
  /* This may not be an error: with on-device-lost=recover the stream continues. */
  else if (progress->told && g_error_matches (error, GPU_ERROR, GPU_ERROR_LOST))
    post (element, GST_PROGRESS_TYPE_CANCELED, progress->percent,
        "The device was lost");
  else if (progress->told)
    post (element, GST_PROGRESS_TYPE_ERROR, progress->percent, error->message);
  *progress = (GstMeanShiftPaletteProgress) {
  0};
}
