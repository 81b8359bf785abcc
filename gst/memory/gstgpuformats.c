/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpuformats.h"

static gboolean
is_known_to_gstreamer (const gchar * name)
{
  return gst_video_format_from_string (name) != GST_VIDEO_FORMAT_UNKNOWN;
}

/* Returns the formats as a list in the syntax of caps. */
static gchar *
write_list (GstGpuFormatsFilter is_wanted)
{
  GString *list = g_string_new ("{ ");

  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++) {
    const gchar *name = gpu_pixels_get_format (i)->name;

    if (is_wanted (i) && is_known_to_gstreamer (name))
      g_string_append_printf (list, "%s%s", list->len > 2 ? ", " : "", name);
  }
  g_string_append (list, " }");
  return g_string_free (list, FALSE);
}

GstCaps *
gst_gpu_formats_get_caps (GstGpuFormatsFilter is_wanted)
{
  g_autofree gchar *list = write_list (is_wanted);
  g_autofree gchar *caps = g_strconcat ("video/x-raw, format = (string) ",
      list, NULL);

  return gst_caps_from_string (caps);
}

static void
add_pad (GstElementClass * klass, const gchar * name,
    GstPadDirection direction, GstGpuFormatsFilter is_wanted)
{
  g_autofree gchar *list = write_list (is_wanted);
  g_autofree gchar *text = g_strdup_printf (GST_VIDEO_CAPS_MAKE ("%s")
      "; video/x-raw(ANY)", list);
  GstCaps *caps = gst_caps_from_string (text);

  gst_element_class_add_pad_template (klass, gst_pad_template_new (name,
          direction, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
}

void
gst_gpu_formats_add_pads (GstElementClass * klass,
    GstGpuFormatsFilter is_taken, GstGpuFormatsFilter is_made)
{
  add_pad (klass, "sink", GST_PAD_SINK, is_taken);
  add_pad (klass, "src", GST_PAD_SRC, is_made);
}

gboolean
gst_gpu_formats_find (const gchar * name, GpuPixels * pixels)
{
  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++)
    if (g_str_equal (gpu_pixels_get_format (i)->name, name)) {
      *pixels = i;
      return TRUE;
    }
  return FALSE;
}
