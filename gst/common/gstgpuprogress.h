/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Posts a GST_MESSAGE_PROGRESS from time to time while an element does work that takes
 * long. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A kind of work. All strings are static. */
typedef struct
{
  const gchar *code;            /* identifies it in messages */
  gint64 delay;                 /* until the first message, in µs */
  gchar *(*describe) (guint done, guint n, gint percent);       /* the text of a message */
  const gchar *completed, *cancelled;   /* texts of the last message */
  gboolean is_open_ended;       /* how much is left is not known: there is no percentage */
} GstGpuProgressKind;

/* The progress of a work. Zeroed before its first update. */
typedef struct
{
  gint64 since;                 /* time of the first update in µs; 0: none yet */
  gint64 told;                  /* time of the last message in µs; 0: none yet */
  gint percent;                 /* of the last update */
} GstGpuProgress;

/* Notes that @done of @n parts are done; @n is 0 if the kind is open-ended. Posts a message on
 * @element from time to time. */
void gst_gpu_progress_update (GstGpuProgress * progress,
    const GstGpuProgressKind * kind, GstElement * element, guint done, guint n);

/* Ends the work: posts the last message if there was one before, and zeroes @progress.
 * @error: the reason of a failure, or NULL. */
void gst_gpu_progress_end (GstGpuProgress * progress,
    const GstGpuProgressKind * kind, GstElement * element,
    const GError * error);

G_END_DECLS
