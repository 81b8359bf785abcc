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

static GstCaps *
make_caps (GstGpuFormatsFilter is_wanted)
{
  g_autofree gchar *list = write_list (is_wanted);
  g_autofree gchar *text = g_strconcat ("video/x-raw, format = (string) ",
      list, NULL);
  GstCaps *caps = gst_caps_from_string (text);

  GST_MINI_OBJECT_FLAG_SET (caps, GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
  return caps;
}

/* Pipelines ask for caps many times while they negotiate. */
GstCaps *
gst_gpu_formats_get_caps (GstGpuFormatsFilter is_wanted)
{
  static GMutex lock;
  static GHashTable *made;      /* GstGpuFormatsFilter to GstCaps */
  GstCaps *caps;

  g_mutex_lock (&lock);
  if (!made)
    made = g_hash_table_new (NULL, NULL);
  caps = g_hash_table_lookup (made, is_wanted);
  if (!caps) {
    caps = make_caps (is_wanted);
    g_hash_table_insert (made, is_wanted, caps);
  }
  g_mutex_unlock (&lock);
  return gst_caps_ref (caps);
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

/* Writes the table: 1 + GpuPixels by GstVideoFormat; 0: none. */
static void
fill_table (guint8 * table)
{
  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++)
    table[gst_video_format_from_string (gpu_pixels_get_format (i)->name)] =
        i + 1;
  table[GST_VIDEO_FORMAT_UNKNOWN] = 0;
}

gboolean
gst_gpu_formats_find (GstVideoFormat format, GpuPixels * pixels)
{
  static guint8 table[256];
  static gsize is_filled;

  if (g_once_init_enter (&is_filled)) {
    fill_table (table);
    g_once_init_leave (&is_filled, TRUE);
  }
  if (format >= G_N_ELEMENTS (table) || table[format] == 0)
    return FALSE;
  *pixels = table[format] - 1;
  return TRUE;
}
