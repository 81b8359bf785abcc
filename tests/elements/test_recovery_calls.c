/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* on-device-lost=recover, where the device is lost at any call that can fail: nothing
 * hangs, nothing is leaked, and what comes out is right. */
#include "element_fixture.h"
#include "losing.h"

#define BOX "gpublur kernel=box radius=2 on-device-lost=recover"
#define WIDTH 16
#define HEIGHT 8

/* After so many frames, loss is forgotten. */
#define WELL 100
#define NO_MORE 1000000         /* calls: the first alone */
#define MANY 8                  /* more frames than it takes to use all that is used */
/* Frames that a device works on before it is lost, at most. */
#define SEQUENCE (WELL + 1 + 2 * MANY)

typedef struct
{
  const gchar *description;
  guint n_frames;               /* that differ */
  guint stride;                 /* of so many calls, one is lost at */
  GBytes *expected[SEQUENCE];
  guint position;               /* since the device is there */
  guint missing;                /* frames */
} Stream;

static GBytes *
read_content (GstBuffer * buffer)
{
  GstMapInfo map;
  GBytes *bytes;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return NULL;
  bytes = g_bytes_new (map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return bytes;
}

/* Of the frame of noise of @seed what comes out; NULL where nothing does. */
static GstBuffer *
push (GstHarness * h, guint seed)
{
  fixture_push (h, fixture_frame ("RGBA", WIDTH, HEIGHT, seed), GST_FLOW_OK);
  return gst_harness_try_pull (h);
}

/* What undisturbed frames become. */
static void
learn (Stream * stream)
{
  g_autoptr (Harness) h =
      fixture_play (stream->description, "RGBA", WIDTH, HEIGHT);

  for (guint i = 0; i < SEQUENCE; i++) {
    g_autoptr (GstBuffer) out = push (h, i % stream->n_frames);

    stream->expected[i] = read_content (out);
  }
}

/* A frame that comes out and can be read is right, and each loss costs no more than one.
 * Which of them it is depends on when somebody asks about the device. The first frame comes out
 * the same of a device before it is lost and of the one after it, so the next one is made to be
 * a first one, too. */
static void
push_next (GstHarness * h, Stream * stream)
{
  guint losses = losing_get_losses ();
  guint i = stream->position++;
  GstBuffer *out = push (h, i % stream->n_frames);
  GBytes *content = out ? read_content (out) : NULL;

  g_assert_cmpuint (i, <, SEQUENCE);
  if (content)
    g_assert_true (g_bytes_equal (content, stream->expected[i]));
  else
    g_assert_cmpuint (++stream->missing, <=, losing_get_losses ());
  if (!content || losing_get_losses () > losses)
    stream->position = 0;
  if (content && i == 0 && stream->position == 0)
    fixture_flush (h);
  g_clear_pointer (&content, g_bytes_unref);
  gst_clear_buffer (&out);
}

/* At the @call-th call from now on. FALSE where no frame has so many. */
static gboolean
lose_at (GstHarness * h, Stream * stream, guint call)
{
  losing_at (call);
  for (guint i = 0; i < MANY && !losing_has_lost (); i++)
    push_next (h, stream);
  g_test_message ("call %u: %u losses", call, losing_get_losses ());
  return losing_has_lost ();
}

static void
work_well (GstHarness * h, Stream * stream)
{
  losing_at (0);
  for (guint i = 0; i < WELL + 1; i++)
    push_next (h, stream);
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
}

/* Losses at the calls of frames, and at those of what takes the place of a device
 * that was lost with its first call. */
static void
lose_everywhere (gconstpointer data)
{
  Stream *stream = (Stream *) data;
  GstHarness *h;
  guint call;

  learn (stream);
  losing_begin ();
  h = fixture_harness (stream->description);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  work_well (h, stream);
  for (call = 1; lose_at (h, stream, call); call += stream->stride)
    work_well (h, stream);
  g_assert_cmpuint (call, >, 1);
  for (call = 1; lose_at (h, stream, 1) && lose_at (h, stream, call);
      call += stream->stride)
    work_well (h, stream);
  g_assert_cmpuint (call, >, 1);
  losing_at (0);
  fixture_harness_free (h);
  losing_end ();
  for (guint i = 0; i < SEQUENCE; i++)
    g_bytes_unref (stream->expected[i]);
}

/* Regions that gpublur holds are not of the device, and stay hidden. */
TEST (held_regions)
{
  static const guint8 white[] = { 255, 255, 255, 255 };
  GstBuffer *in, *out;
  GstHarness *h;

  losing_begin ();
  h = fixture_harness ("gpublur on-device-lost=recover roi-source=meta "
      "roi-hold=1000 on-missing=pass roi-action=fill roi-color=0xffffffff");
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  in = fixture_frame ("RGBA", WIDTH, HEIGHT, 0);
  gst_buffer_add_video_region_of_interest_meta (in, "face", 0, 0, 4, 4);
  fixture_show (h, in);
  losing_at (1);
  while (!losing_has_lost ()) {
    out = push (h, 1);
    gst_clear_buffer (&out);
  }
  losing_at (0);
  do
    out = push (h, 1);
  while (!out);
  g_assert_cmpint (gst_buffer_memcmp (out, 0, white, 4), ==, 0);
  gst_buffer_unref (out);
  fixture_harness_free (h);
  losing_end ();
}

static void
add (const gchar * name, Stream * stream)
{
  g_autofree gchar *path = g_strconcat ("/recovery-calls/", name, NULL);

  g_test_add_data_func (path, stream, lose_everywhere);
}

int
main (int argc, char **argv)
{
  gboolean is_full = argc > 1 && g_str_equal (argv[1], "--every-call");
  /* A CPU device compiles what an engine needs with each device: seconds for a
   * palette. */
  static Stream streams[] = {
    {BOX, MANY, 17},
    {"meanshiftpalette on-device-lost=recover", MANY, NO_MORE},
    {"meanshiftpalette quality=exact on-device-lost=recover", 1, 457},
  };
  static Stream chain = {
    "meanshiftpalette quality=exact on-device-lost=recover ! " BOX, 1, 1
  };

  fixture_init (&argc, &argv, "/recovery-calls/");
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    if (is_full)
      streams[i].stride = 1;
  add ("blur", &streams[0]);
  add ("live", &streams[1]);
  add ("exact", &streams[2]);
  if (is_full)
    add ("chain", &chain);
  return fixture_run ();
}
