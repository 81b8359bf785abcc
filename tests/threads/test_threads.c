/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both elements in a pipeline, while threads read all properties and set many.
 * ThreadSanitizer reports what is not ordered. */
#include "gst/blur/gstgpublur.h"
#include "gst/palette/gstmeanshiftpalette.h"
#include "pipeline_fixture.h"

#define SECONDS 90

typedef struct
{
  const gchar *element, *property;
  const gchar *values[4];
} Setting;

static const Setting settings[] = {
  {"palette", "radius", {"0.05", "0.2", "0"}},
  {"palette", "colors", {"0", "8", "16"}},
  {"palette", "palette", {"", "#000000,#ffffff,#ff0000"}},
  {"palette", "hold", {"false", "true"}},
  {"palette", "post-messages", {"false", "true"}},
  {"palette", "history", {"1", "3"}},
  {"palette", "stability", {"0", "0.5"}},
  {"palette", "quality", {"live", "exact", "live"}},
  {"blur", "sigma", {"0", "2", "6"}},
  {"blur", "radius", {"-1", "3"}},
  {"blur", "kernel", {"gaussian", "box", "bilateral"}},
  {"blur", "method", {"auto", "separable"}},
  {"blur", "amount", {"1", "0.5"}},
  {"blur", "linear-light", {"false", "true"}},
  {"blur", "roi-source", {"none", "rectangle", "meta"}},
  {"blur", "roi-width", {"0", "20"}},
  {"blur", "roi-height", {"0", "20"}},
  {"blur", "roi-types", {"", "face,plate"}},
  {"blur", "roi-action", {"blur", "pixelate", "fill"}},
};

static GstElement *pipeline;
static gint is_over;            /* atomic */

static GstElement *
get_element (const gchar * name)
{
  return gst_bin_get_by_name (GST_BIN (pipeline), name);
}

static void
set_one (GstElement * palette, GstElement * blur, GRand * random)
{
  const Setting *setting =
      &settings[g_rand_int_range (random, 0, G_N_ELEMENTS (settings))];
  guint n = 0;

  while (n < G_N_ELEMENTS (setting->values) && setting->values[n])
    n++;
  gst_util_set_object_arg (G_OBJECT (g_str_equal (setting->element, "blur")
          ? blur : palette), setting->property,
      setting->values[g_rand_int_range (random, 0, n)]);
}

static gpointer
set_properties (gpointer unused)
{
  g_autoptr (GstElement) palette = get_element ("palette");
  g_autoptr (GstElement) blur = get_element ("blur");
  GRand *random = g_rand_new_with_seed (1);

  while (!g_atomic_int_get (&is_over)) {
    set_one (palette, blur, random);
    g_usleep (20000);
  }
  g_rand_free (random);
  return NULL;
}

static void
read_all (GstElement * element)
{
  guint n;
  g_autofree GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    g_auto (GValue) value = G_VALUE_INIT;

    g_object_get_property (G_OBJECT (element), specs[i]->name, &value);
    g_free (gst_value_serialize (&value));
  }
}

static gpointer
read_properties (gpointer name)
{
  g_autoptr (GstElement) element = get_element (name);

  while (!g_atomic_int_get (&is_over)) {
    read_all (element);
    g_usleep (1000);
  }
  return NULL;
}

static void
take_messages (GstBus * bus, gint64 end)
{
  while (g_get_monotonic_time () < end) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop (bus, 100 * GST_MSECOND);
    g_autoptr (GError) error = NULL;

    if (!message || GST_MESSAGE_TYPE (message) != GST_MESSAGE_ERROR)
      continue;
    gst_message_parse_error (message, &error, NULL);
    g_assert_no_error (error);
  }
}

static void
wait_for_frames (const gchar * element)
{
  while (pipeline_stat (pipeline, element, "frames") == 0)
    g_usleep (1000);
}

/* In each second a seek flushes, in each fifth the pipeline starts again. */
static void
play (void)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  const gint64 begin = g_get_monotonic_time ();

  for (guint second = 0; second < SECONDS; second++) {
    if (second % 5 == 0) {
      gst_element_set_state (pipeline, GST_STATE_READY);
      gst_element_set_state (pipeline, GST_STATE_PLAYING);
    } else
      gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
          0);
    take_messages (bus, begin + (second + 1) * G_USEC_PER_SEC);
  }
  wait_for_frames ("palette");
  wait_for_frames ("blur");
}

static void
test_readers (void)
{
  GThread *threads[4];

  pipeline = pipeline_launch ("videotestsrc pattern=ball"
      " ! video/x-raw,format=RGBA,width=64,height=48"
      " ! meanshiftpalette name=palette ! queue ! gpublur name=blur ! queue"
      " ! fakesink");
  threads[0] = g_thread_new ("set", set_properties, NULL);
  for (guint i = 1; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("read", read_properties, i % 2 ? "blur"
        : "palette");
  play ();
  g_atomic_int_set (&is_over, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  pipeline_stop (pipeline);
}

static guint unprotected;

static gpointer
count (gpointer unused)
{
  unprotected++;
  return NULL;
}

/* A race, which must be reported. */
static void
test_race (void)
{
  GThread *thread = g_thread_new ("race", count, NULL);

  count (NULL);
  g_thread_join (thread);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_setenv ("GST_GPU_ALLOW_CPU", "1", TRUE);
  GST_ELEMENT_REGISTER (gpublur, NULL);
  GST_ELEMENT_REGISTER (meanshiftpalette, NULL);
  if (argc > 1 && g_str_equal (argv[1], "--race"))
    g_test_add_func ("/threads/race", test_race);
  else
    pipeline_add_test ("/threads/readers", test_readers);
  return g_test_run ();
}
