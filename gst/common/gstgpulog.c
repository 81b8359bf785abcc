/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpulog.h"

#include "gpu/core/device/trace.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_debug);

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

/* Warnings are left to GLib's default handler, which always prints them. */
void
gst_gpu_log_init (void)
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
