/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gst/blur/gstgpublur.h"
#include "gst/palette/gstmeanshiftpalette.h"

#define PACKAGE PACKAGE_NAME    /* GST_PLUGIN_DEFINE needs it */

/* Succeeds without Vulkan: an element opens a device in its change from NULL to
 * READY. */
static gboolean
plugin_init (GstPlugin * plugin)
{
  return GST_ELEMENT_REGISTER (gpublur, plugin)
      && GST_ELEMENT_REGISTER (meanshiftpalette, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, gpufilters,
    "Video filters on the GPU (Vulkan compute)", plugin_init, PACKAGE_VERSION,
    "LGPL", PACKAGE_NAME, PACKAGE_ORIGIN)
