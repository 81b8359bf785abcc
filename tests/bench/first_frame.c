/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a user waits for the first frame, and for those after a change of a property.
 *
 *   first_frame "gpublur sigma=3 name=e" [PROPERTY=VALUE…]
 *
 * Plays a test picture through the elements, as fast as it goes, and reads every frame.
 * Prints milliseconds: until the device is open (NULL to READY); from then until the first
 * frame; and until the second. Each change is of the element called e, after FRAMES more
 * frames: prints the longest time between two frames in the FRAMES after it, and the
 * median of these. tests/bench/first-frames runs it with empty and with filled caches. */
#include <gst/gst.h>

#include <stdlib.h>
#include <string.h>

#define FRAMES 40

static gchar *option_size = "640x360";

static const GOptionEntry options[] = {
  {"size", 's', 0, G_OPTION_ARG_STRING, &option_size, "frame size", "WxH"},
  {NULL}
};

typedef struct
{
  GstElement *element;          /* called e, or NULL */
  gchar **changes;              /* NULL-terminated */
  guint n_changes;
  GArray *times;                /* gint64, when a frame could be read */
} Run;

static void
change (Run * run, guint i)
{
  g_auto (GStrv) pair = g_strsplit (run->changes[i], "=", 2);

  gst_util_set_object_arg (G_OBJECT (run->element), pair[0], pair[1]);
}

static GstPadProbeReturn
read_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Run *run = data;
  GstMapInfo map;
  gint64 now;

  if (!gst_buffer_map (GST_PAD_PROBE_INFO_BUFFER (info), &map, GST_MAP_READ))
    return GST_PAD_PROBE_OK;
  gst_buffer_unmap (GST_PAD_PROBE_INFO_BUFFER (info), &map);
  now = g_get_monotonic_time ();
  g_array_append_val (run->times, now);
  if (run->times->len % FRAMES == 0 && run->times->len / FRAMES
      <= run->n_changes)
    change (run, run->times->len / FRAMES - 1);
  return GST_PAD_PROBE_OK;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const gdouble *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

/* Returns the time between frame @i and the one before, in ms. */
static gdouble
gap (const Run * run, guint i)
{
  return (g_array_index (run->times, gint64, i)
      - g_array_index (run->times, gint64, i - 1)) / 1e3;
}

static void
print_change (const Run * run, guint i)
{
  gdouble gaps[FRAMES];

  for (guint k = 0; k < FRAMES; k++)
    gaps[k] = gap (run, (i + 1) * FRAMES + k);
  qsort (gaps, FRAMES, sizeof *gaps, compare);
  g_print ("  %-20s longest %7.1f  median %7.1f\n", run->changes[i],
      gaps[FRAMES - 1], gaps[FRAMES / 2]);
}

static void
play (GstElement * pipeline, Run * run)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gint64 begin = g_get_monotonic_time (), ready;
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_READY);
  ready = g_get_monotonic_time ();
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR || run->times->len < 2)
    g_error ("the pipeline failed");
  gst_message_unref (message);
  g_print ("open %7.1f  first %7.1f  second %7.1f\n", (ready - begin) / 1e3,
      (g_array_index (run->times, gint64, 0) - ready) / 1e3, gap (run, 1));
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("ELEMENTS "
      "[PROPERTY=VALUE…]");
  g_autoptr (GError) error = NULL;
  g_autofree gchar *description = NULL;
  g_auto (GStrv) size = NULL;
  Run run = { NULL };
  GstElement *pipeline;
  GstPad *pad;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc < 2)
    g_error ("%s", error ? error->message : "name the elements");
  gst_init (&argc, &argv);
  run.changes = argv + 2;
  run.n_changes = argc - 2;
  run.times = g_array_new (FALSE, FALSE, sizeof (gint64));
  size = g_strsplit (option_size, "x", 2);
  description = g_strdup_printf ("videotestsrc num-buffers=%u "
      "! video/x-raw,format=RGBA,width=%s,height=%s ! %s "
      "! fakesink name=sink sync=false", run.n_changes ? (run.n_changes + 1)
      * FRAMES : 2, size[0], size[1], argv[1]);
  pipeline = gst_parse_launch (description, &error);
  if (error)
    g_error ("%s", error->message);
  run.element = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  if (run.n_changes > 0 && !run.element)
    g_error ("no element is called e");
  pad = gst_element_get_static_pad (gst_bin_get_by_name (GST_BIN (pipeline),
          "sink"), "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, read_frame, &run, NULL);
  play (pipeline, &run);
  if (run.times->len < (run.n_changes + 1) * FRAMES && run.n_changes > 0)
    g_error ("%u frames came", run.times->len);
  for (guint i = 0; i < run.n_changes; i++)
    print_change (&run, i);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return 0;
}
