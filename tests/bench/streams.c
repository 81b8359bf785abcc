/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many frames a second several streams get from one device, or from several.
 *
 *   streams [--counts 1,2,4,8,16] [--devices 0,1] ["gpublur sigma=3 ! meanshiftpalette"]
 *
 * Plays that many pipelines at a time in one process, as fast as they go, each through
 * elements of its own. Their frames were made before: the first ones of a film, there and
 * back. Every frame is uploaded, filtered, and read on the CPU. Prints, for each number of
 * streams, frames a second of all together, and of the fastest and the slowest one, and
 * the processor's time for a frame. Stream i gets the i-th device, and after the last one
 * the first again.
 *
 * The CPU copies each frame into memory that the device reads. With --pool the frames were
 * made in such memory, and are taken as written anew each time, but for --still.
 *
 * With --live the frames of each stream have so many times in a second, and are shown then:
 * sinks drop those that come more than 20 ms late, and say so to elements (QoS). Only frames
 * that are shown count. */
#include "processor.h"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>

#include <stdlib.h>

#define FRAMES 24
/* Shaders are compiled meanwhile. */
#define FRAMES_BEFORE 60

static gchar *option_film = "videotestsrc horizontal-speed=4";
static gchar *option_size = "1920x1080";
static gchar *option_format = "NV12";
static gchar *option_counts = "1,2,4,8,16";
static gchar *option_devices = "";
static gdouble option_seconds = 5;
static gint option_live;
static gboolean option_pool, option_still, option_stages;

static const GOptionEntry options[] = {
  {"film", 0, 0, G_OPTION_ARG_STRING, &option_film,
      "elements that make the frames", "ELEMENTS"},
  {"size", 0, 0, G_OPTION_ARG_STRING, &option_size, "frame size", "WxH"},
  {"format", 0, 0, G_OPTION_ARG_STRING, &option_format, "pixel format", "F"},
  {"counts", 0, 0, G_OPTION_ARG_STRING, &option_counts,
      "numbers of streams", "N,N"},
  {"devices", 0, 0, G_OPTION_ARG_STRING, &option_devices,
      "values of the property device", "D,D"},
  {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &option_seconds,
      "for how long to count frames", "S"},
  {"live", 0, 0, G_OPTION_ARG_INT, &option_live,
      "show frames at this rate, and drop those that are late", "FPS"},
  {"pool", 0, 0, G_OPTION_ARG_NONE, &option_pool,
      "make the frames in the pool that the first element proposes", NULL},
  {"still", 0, 0, G_OPTION_ARG_NONE, &option_still,
      "show the first frame only, again and again", NULL},
  {"stages", 0, 0, G_OPTION_ARG_NONE, &option_stages,
      "also print the times of the device for a frame", NULL},
  {NULL}
};

typedef struct
{
  GstCaps *caps;
  GstBuffer *frames[FRAMES];
} Film;

typedef struct
{
  const Film *film;
  GstElement *pipeline;
  GstBuffer *pooled[FRAMES];    /* of the pool of the first element, or NULL */
  guint n_pushed;
  guint n_done;                 /* atomic */
  guint n_before;
} Stream;

static void
fail (const gchar * text)
{
  g_printerr ("streams: %s\n", text);
  exit (1);
}

static GstElement *
parse (const gchar * description)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  if (error)
    fail (error->message);
  return pipeline;
}

static void
check (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus,
      GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (!message)
    return;
  gst_message_parse_error (message, &error, NULL);
  fail (error->message);
}

static void
make_film (Film * film)
{
  g_auto (GStrv) size = g_strsplit (option_size, "x", 2);
  g_autofree gchar *description = NULL;
  GstElement *pipeline, *sink;

  if (g_strv_length (size) != 2)
    fail ("the size is not like 1920x1080");
  description = g_strdup_printf ("%s ! videoconvertscale "
      "! video/x-raw,format=%s,width=%s,height=%s "
      "! appsink name=sink sync=false max-buffers=1", option_film,
      option_format, size[0], size[1]);
  pipeline = parse (description);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < FRAMES; i++) {
    g_autoptr (GstSample) sample =
        gst_app_sink_pull_sample (GST_APP_SINK (sink));

    check (pipeline);
    if (!sample)
      fail ("the film is too short");
    gst_caps_replace (&film->caps, gst_sample_get_caps (sample));
    film->frames[i] = gst_buffer_copy_deep (gst_sample_get_buffer (sample));
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}

/* Returns the active pool that the first element proposes. */
static GstBufferPool *
get_proposed_pool (const Film * film, GstAppSrc * source)
{
  GstQuery *query = gst_query_new_allocation (film->caps, TRUE);
  GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (source), "src");
  GstBufferPool *pool = NULL;

  if (gst_pad_peer_query (pad, query)
      && gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
  if (!pool || !gst_buffer_pool_set_active (pool, TRUE))
    fail ("the first element proposes no pool");
  gst_object_unref (pad);
  gst_query_unref (query);
  return pool;
}

static void
fill_pooled (Stream * stream, GstAppSrc * source)
{
  GstBufferPool *pool = get_proposed_pool (stream->film, source);

  for (guint i = 0; i < FRAMES; i++) {
    GstMapInfo map;

    if (gst_buffer_pool_acquire_buffer (pool, &stream->pooled[i], NULL)
        != GST_FLOW_OK)
      fail ("a pool has too few frames");
    gst_buffer_map (stream->film->frames[i], &map, GST_MAP_READ);
    gst_buffer_fill (stream->pooled[i], 0, map.data, map.size);
    gst_buffer_unmap (stream->film->frames[i], &map);
  }
  gst_object_unref (pool);
}

/* Returns frame @i as if it had just been written. */
static GstBuffer *
rewrite_pooled (Stream * stream, guint i)
{
  GstMapInfo map;

  if (!gst_buffer_map (stream->pooled[i], &map, GST_MAP_WRITE))
    fail ("a frame is still in use");
  gst_buffer_unmap (stream->pooled[i], &map);
  return stream->pooled[i];
}

/* Returns a new reference to the next frame, of which metadata may be written. */
static GstBuffer *
next_frame (Stream * stream)
{
  GstBuffer *const *frames =
      stream->pooled[0] ? stream->pooled : stream->film->frames;
  guint n = stream->n_pushed, i = n % (2 * FRAMES - 2);

  if (option_still)
    return gst_buffer_copy (frames[0]);
  /* There and back, a frame would come again while it is in use. */
  if (stream->pooled[0])
    return gst_buffer_ref (rewrite_pooled (stream, n % FRAMES));
  return gst_buffer_copy (frames[MIN (i, 2 * FRAMES - 2 - i)]);
}

static void
push_frame (GstAppSrc * source, guint length, gpointer data)
{
  Stream *stream = data;
  GstBuffer *frame;

  /* Only an element that has had a frame proposes its pool. */
  if (option_pool && !stream->pooled[0] && g_atomic_int_get (&stream->n_done))
    fill_pooled (stream, source);
  frame = next_frame (stream);
  GST_BUFFER_PTS (frame) = gst_util_uint64_scale (stream->n_pushed++,
      GST_SECOND, option_live > 0 ? option_live : 60);
  gst_app_src_push_buffer (source, frame);
}

static void
read_frame (GstElement * sink, GstBuffer * frame, GstPad * pad, gpointer data)
{
  Stream *stream = data;
  GstMapInfo map;

  if (gst_buffer_map (frame, &map, GST_MAP_READ)) {
    gst_buffer_unmap (frame, &map);
    g_atomic_int_inc (&stream->n_done);
  }
}

static void
choose_device (GstElement * pipeline, const gchar * device)
{
  for (GList * item = GST_BIN_CHILDREN (pipeline); item; item = item->next) {
    if (g_object_class_find_property (G_OBJECT_GET_CLASS (item->data),
            "device"))
      g_object_set (item->data, "device", device, NULL);
  }
}

static void
start (Stream * stream, const Film * film, const gchar * elements,
    const gchar * device)
{
  g_autofree gchar *description = g_strdup_printf ("appsrc name=source "
      "format=time ! queue max-size-buffers=2 ! %s ! queue max-size-buffers=2 "
      "! fakesink name=sink signal-handoffs=true max-lateness=20000000",
      elements);
  GstElement *source, *sink;

  stream->film = film;
  stream->pipeline = parse (description);
  choose_device (stream->pipeline, device);
  source = gst_bin_get_by_name (GST_BIN (stream->pipeline), "source");
  sink = gst_bin_get_by_name (GST_BIN (stream->pipeline), "sink");
  g_object_set (source, "caps", film->caps, NULL);
  g_signal_connect (source, "need-data", G_CALLBACK (push_frame), stream);
  g_object_set (sink, "sync", option_live > 0, "qos", option_live > 0, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (read_frame), stream);
  gst_element_set_state (stream->pipeline, GST_STATE_PLAYING);
  gst_object_unref (sink);
  gst_object_unref (source);
}

static void
wait_for_shaders (Stream * streams, guint n)
{
  for (guint i = 0; i < n; i++) {
    while (g_atomic_int_get (&streams[i].n_done) < FRAMES_BEFORE) {
      check (streams[i].pipeline);
      g_usleep (1000);
    }
  }
}

static void
print_stages (GstElement * element)
{
  g_autoptr (GstStructure) stats = NULL;
  const GValue *stages;
  guint64 time;

  if (!g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats"))
    return;
  g_object_get (element, "stats", &stats, NULL);
  /* fakesink has this property, too. */
  if (!gst_structure_get_uint64 (stats, "frame-time", &time))
    return;
  stages = gst_structure_get_value (stats, "stages");
  g_print ("  %s: frame %.3f ms", GST_OBJECT_NAME (element), time / 1e6);
  for (guint i = 0; i < gst_value_array_get_size (stages); i++) {
    const GstStructure *stage =
        gst_value_get_structure (gst_value_array_get_value (stages, i));

    gst_structure_get_uint64 (stage, "time", &time);
    g_print (", %s %.3f", gst_structure_get_string (stage, "name"), time / 1e6);
  }
  g_print ("\n");
}

static void
print_rates (Stream * streams, guint n)
{
  gdouble all = 0, fastest = 0, slowest = G_MAXDOUBLE, seconds;
  gdouble processor = get_processor_time ();
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++)
    streams[i].n_before = g_atomic_int_get (&streams[i].n_done);
  g_usleep (option_seconds * G_USEC_PER_SEC);
  seconds = (g_get_monotonic_time () - begin) / (gdouble) G_USEC_PER_SEC;
  processor = get_processor_time () - processor;
  for (guint i = 0; i < n; i++) {
    gdouble rate = ((guint) g_atomic_int_get (&streams[i].n_done)
        - streams[i].n_before) / seconds;

    check (streams[i].pipeline);
    all += rate;
    fastest = MAX (fastest, rate);
    slowest = MIN (slowest, rate);
  }
  g_print ("%7u %9.1f %9.1f %9.1f %9.3f\n", n, all, fastest, slowest,
      processor / seconds / all * 1000);
  for (GList * item = GST_BIN_CHILDREN (streams[0].pipeline);
      option_stages && item; item = item->next)
    print_stages (item->data);
}

static void
play (guint n, const Film * film, const gchar * elements, gchar ** devices)
{
  guint n_devices = g_strv_length (devices);
  Stream *streams = g_new0 (Stream, n);

  for (guint i = 0; i < n; i++)
    start (&streams[i], film, elements,
        n_devices ? devices[i % n_devices] : "");
  wait_for_shaders (streams, n);
  print_rates (streams, n);
  for (guint i = 0; i < n; i++) {
    gst_element_set_state (streams[i].pipeline, GST_STATE_NULL);
    for (guint k = 0; k < FRAMES; k++)
      gst_clear_buffer (&streams[i].pooled[k]);
    gst_object_unref (streams[i].pipeline);
  }
  g_free (streams);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[ELEMENTS]");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) counts = NULL, devices = NULL;
  Film film = { NULL };

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    fail (error->message);
  gst_init (&argc, &argv);
  counts = g_strsplit (option_counts, ",", 0);
  devices = g_strsplit (option_devices, ",", 0);
  make_film (&film);
  g_print ("%7s %9s %9s %9s %9s\n", "streams", "all", "fastest", "slowest",
      "CPU ms");
  for (gchar ** count = counts; *count; count++)
    play (MAX (atoi (*count), 1), &film, argc > 1 ? argv[1]
        : "meanshiftpalette", devices);
  for (guint i = 0; i < FRAMES; i++)
    gst_buffer_unref (film.frames[i]);
  gst_caps_unref (film.caps);
  return 0;
}
