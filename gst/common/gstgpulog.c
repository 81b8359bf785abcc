/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpulog.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_debug);

/* GLib does not say where a message comes from. */
static void
log_message (const gchar * domain, GLogLevelFlags flags, const gchar * message,
    gpointer unused)
{
  gst_debug_log (gst_gpu_debug,
      flags & G_LOG_LEVEL_INFO ? GST_LEVEL_INFO : GST_LEVEL_DEBUG, domain, "",
      0, NULL, "%s", message);
}

/* Warnings stay with GLib, which shows them to everybody. */
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
  g_once_init_leave (&is_done, 1);
}
