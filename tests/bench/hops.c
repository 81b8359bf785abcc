/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What it costs to bring frames of a film to elements, in whatever memory they are.
 *
 *   hops [--streams 1,4] FILM ELEMENTS...
 *
 * For each ELEMENTS, plays "FILM ! ELEMENTS ! fakesink" to its end, as fast as it goes, in that
 * many pipelines of one process at a time. Prints frames a second of all together, the
 * processor's time for a frame, and how many copies of a frame over the bus, or by the CPU, the
 * elements of this plugin counted. The first frames, in which shaders are compiled, count
 * nowhere. FILM is to have at least a few hundred frames. */
#include "processor.h"

#include <gst/gst.h>

#include <stdlib.h>

#define FRAMES_BEFORE 120

typedef struct
{
  GstElement *pipeline;
  guint n_frames;
} Stream;

/* Of all streams. */
static struct
{
  GMutex lock;
  guint n_warm;                 /* streams that have had FRAMES_BEFORE */
  guint n_streams, n_counted;
  gint64 begin, end;            /* us; 0: not yet */
  gdouble processor;            /* seconds: at first those at begin, then those since */
} play;

static gchar *option_streams = "1";

static const GOptionEntry options[] = {
  {"streams", 0, 0, G_OPTION_ARG_STRING, &option_streams,
      "numbers of streams", "N,N"},
  {NULL}
};

static GstPadProbeReturn
count_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Stream *stream = data;

  g_mutex_lock (&play.lock);
  if (++stream->n_frames == FRAMES_BEFORE && ++play.n_warm == play.n_streams) {
    play.begin = g_get_monotonic_time ();
    play.processor = get_processor_time ();
  } else if (play.begin && !play.end)
    play.n_counted++;
  g_mutex_unlock (&play.lock);
  return GST_PAD_PROBE_OK;
}

/* Counts until the first stream ends. */
static GstPadProbeReturn
count_end (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_EOS)
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&play.lock);
  if (play.begin && !play.end) {
    play.end = g_get_monotonic_time ();
    play.processor = get_processor_time () - play.processor;
  }
  g_mutex_unlock (&play.lock);
  return GST_PAD_PROBE_OK;
}

static void
fail (const gchar * text)
{
  g_printerr ("hops: %s\n", text);
  exit (1);
}

static void
start (Stream * stream, const gchar * film, const gchar * elements)
{
  g_autofree gchar *description = g_strdup_printf ("%s ! %s%s fakesink "
      "name=sink sync=false", film, elements, *elements ? " !" : "");
  g_autoptr (GError) error = NULL;
  GstElement *sink;
  GstPad *pad;

  stream->pipeline = gst_parse_launch_full (description, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (error)
    fail (error->message);
  sink = gst_bin_get_by_name (GST_BIN (stream->pipeline), "sink");
  pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, stream, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, count_end,
      NULL, NULL);
  gst_element_set_state (stream->pipeline, GST_STATE_PLAYING);
  gst_object_unref (pad);
  gst_object_unref (sink);
}

static void
wait_for_end (Stream * stream)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (stream->pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus,
      GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    return;
  gst_message_parse_error (message, &error, NULL);
  fail (error->message);
}

/* Adds what an element of this plugin has copied. */
static void
add_copies (const GValue * item, gpointer sum)
{
  static const gchar *const names[] = {
    "frames-copied", "uploads", "downloads"
  };
  GObject *element = g_value_get_object (item);
  g_autoptr (GstStructure) stats = NULL;
  guint64 n;

  if (!g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats"))
    return;
  g_object_get (element, "stats", &stats, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (gst_structure_get_uint64 (stats, names[i], &n))
      *(guint64 *) sum += n;
}

static gdouble
copies_of_frame (const Stream * stream)
{
  GstIterator *elements = gst_bin_iterate_elements (GST_BIN (stream->pipeline));
  guint64 copies = 0;

  gst_iterator_foreach (elements, add_copies, &copies);
  gst_iterator_free (elements);
  return copies / (gdouble) stream->n_frames;
}

static void
play_streams (guint n, const gchar * film, const gchar * elements)
{
  Stream *streams = g_new0 (Stream, n);
  gdouble copies = 0, seconds;

  play.n_streams = n;
  play.n_warm = play.n_counted = 0;
  play.begin = play.end = 0;
  for (guint i = 0; i < n; i++)
    start (&streams[i], film, elements);
  for (guint i = 0; i < n; i++) {
    wait_for_end (&streams[i]);
    copies += copies_of_frame (&streams[i]) / n;
  }
  if (!play.end)
    fail ("the film is too short");
  seconds = (play.end - play.begin) / 1e6;
  g_print ("%7u %9.1f %9.3f %7.2f  %s\n", n, play.n_counted / seconds,
      play.processor / play.n_counted * 1000, copies, elements);
  for (guint i = 0; i < n; i++) {
    gst_element_set_state (streams[i].pipeline, GST_STATE_NULL);
    gst_object_unref (streams[i].pipeline);
  }
  g_free (streams);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context =
      g_option_context_new ("FILM ELEMENTS...");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) counts = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    fail (error->message);
  if (argc < 3)
    fail ("name a film, and elements");
  counts = g_strsplit (option_streams, ",", -1);
  g_print ("streams  frames/s    CPU ms  copies  elements\n");
  for (gchar ** count = counts; *count; count++)
    for (gint i = 2; i < argc; i++)
      play_streams (MAX (atoi (*count), 1), argv[1], argv[i]);
  return 0;
}
