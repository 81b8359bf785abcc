/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gpublur of light: what codes are, and which formats have it. */
#include "element_fixture.h"

/* Squares of a pixel, black and white. */
static GstBuffer *
make_checker (void)
{
  const guint columns = 64, rows = 40;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 4 * columns * rows, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (guint i = 0; i < columns * rows; i++)
    GST_WRITE_UINT32_LE (map.data + 4 * i,
        (i % columns + i / columns) % 2 ? 0xffffffff : 0xff000000);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* What is left of the squares is one grey. */
static void
assert_grey (GstHarness * h, guint8 least, guint8 most)
{
  g_autoptr (GstBuffer) out = gst_harness_push_and_pull (h, make_checker ());
  GstMapInfo map;

  gst_buffer_map (out, &map, GST_MAP_READ);
  for (gsize i = 0; i < map.size; i++) {
    g_assert_cmpuint (map.data[i], >=, i % 4 == 3 ? 255 : least);
    g_assert_cmpuint (map.data[i], <=, i % 4 == 3 ? 255 : most);
  }
  gst_buffer_unmap (out, &map);
}

/* Half the light of white has code 188 in sRGB, whoever does it; while playing, on
 * and off. */
TEST (linear_light)
{
  static const gchar *const methods[] = { "separable", "strips", "pyramid" };
  g_autoptr (Harness) h =
      fixture_play ("gpublur sigma=3 edge-mode=wrap", "RGBA", 64, 40);

  assert_grey (h, 127, 128);
  g_object_set (h->element, "linear-light", TRUE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    fixture_set (h->element, "method", methods[i]);
    assert_grey (h, 188, 188);
  }
  g_object_set (h->element, "linear-light", FALSE, NULL);
  assert_grey (h, 127, 128);
}

/* The caps say what light codes are: here, light itself, and then sRGB for want of
 * anything that can be decoded. */
TEST (transfer_of_caps)
{
  static const struct
  {
    const gchar *colorimetry;
    guint8 least, most;
  } cases[] = {
    {"1:1:1:1", 127, 128}, {"1:1:0:0", 188, 188}, {"1:1:14:7", 188, 188},
    {"sRGB", 188, 188},
  };
  g_autoptr (Harness) h = fixture_harness ("gpublur sigma=5 edge-mode=wrap "
      "linear-light=true");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstCaps *caps = fixture_caps ("RGBA", 64, 40);

    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING,
        cases[i].colorimetry, NULL);
    gst_harness_set_src_caps (h, caps);
    assert_grey (h, cases[i].least, cases[i].most);
  }
}

/* Returns a frame of NV12 whose luma has squares of a pixel, black and white. */
static GstBuffer *
make_luma_checker (void)
{
  const guint columns = 64, rows = 40;
  GstBuffer *buffer =
      gst_buffer_new_allocate (NULL, columns * rows * 3 / 2, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (guint i = 0; i < map.size; i++)
    map.data[i] = i >= columns * rows ? 128
        : (i % columns + i / columns) % 2 ? 235 : 16;
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* Half the light of white has luma 177 in sRGB of limited range. */
TEST (light_of_luma)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur sigma=3 edge-mode=wrap "
      "linear-light=true");
  GstCaps *caps = fixture_caps ("NV12", 64, 40);
  g_autoptr (GstBuffer) out = NULL;
  GstMapInfo map;

  gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, "2:3:7:1", NULL);
  gst_harness_set_src_caps (h, caps);
  out = gst_harness_push_and_pull (h, make_luma_checker ());
  gst_buffer_map (out, &map, GST_MAP_READ);
  for (gsize i = 0; i < map.size; i++)
    g_assert_cmpuint (map.data[i], ==, i < 64 * 40 ? 177 : 128);
  gst_buffer_unmap (out, &map);
}

/* --- formats that a setting cannot blur --- */

static const struct
{
  const gchar *format;
  gboolean is_lit;
  const gchar *message;
} unsupported[] = {
  {"NV12", TRUE, "linear-light with kernel=bilateral needs an 8-bit RGB"},
  {"GRAY8", TRUE, "linear-light with kernel=bilateral needs an 8-bit RGB"},
  {"AYUV", FALSE, "kernel=bilateral cannot blur"},
};

static void
set_bilateral (GstHarness * h, gboolean is_lit)
{
  g_object_set (h->element, "kernel", 2, "linear-light", is_lit, NULL);
}

static void
push_and_drop (GstHarness * h, const gchar * format, guint columns)
{
  fixture_show (h, fixture_frame (format, columns, 40, 1));
}

/* While such frames flow, the setting is ignored, which is said once; also where caps are
 * negotiated anew. It takes effect when R'G'B' comes, and nothing else is negotiated from
 * then on. */
TEST (ignored_while_playing)
{
  for (guint i = 0; i < G_N_ELEMENTS (unsupported); i++) {
    const gchar *format = unsupported[i].format;
    g_autoptr (Harness) h = fixture_harness ("gpublur sigma=2");

    fixture_set_caps (h, format, 64, 40);
    push_and_drop (h, format, 64);
    set_bilateral (h, unsupported[i].is_lit);
    push_and_drop (h, format, 64);
    fixture_take_warning (h->element, GST_LIBRARY_ERROR,
        GST_LIBRARY_ERROR_SETTINGS, unsupported[i].message);
    push_and_drop (h, format, 64);
    fixture_set_caps (h, format, 32, 40);
    push_and_drop (h, format, 32);
    gst_harness_push_upstream_event (h, gst_event_new_reconfigure ());
    push_and_drop (h, format, 32);
    g_object_set (h->element, "sigma", 0.0, NULL);
    g_assert_true (fixture_passes (h, fixture_frame (format, 32, 40, 1)));
    fixture_check_messages (h->element, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR,
        0);
    g_object_set (h->element, "sigma", 2.0, NULL);
    fixture_set_caps (h, "RGBA", 64, 40);
    push_and_drop (h, "RGBA", 64);
    fixture_set_caps (h, format, 64, 40);
    fixture_push (h, fixture_frame (format, 64, 40, 5),
        GST_FLOW_NOT_NEGOTIATED);
  }
}

/* Such frames are not negotiated at a start, whatever flowed before it, and the reason is
 * told. */
TEST (not_from_the_start)
{
  for (guint i = 0; i < G_N_ELEMENTS (unsupported); i++) {
    const gchar *format = unsupported[i].format;
    g_autoptr (Harness) h = fixture_harness ("gpublur sigma=2");

    fixture_set_caps (h, format, 64, 40);
    set_bilateral (h, unsupported[i].is_lit);
    fixture_restart (h);
    fixture_set_caps (h, format, 64, 40);
    fixture_push (h, fixture_frame (format, 64, 40, 1),
        GST_FLOW_NOT_NEGOTIATED);
    fixture_take_error (h->element, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        unsupported[i].message);
    fixture_set_caps (h, "RGBA", 64, 40);
    fixture_show (h, make_checker ());
  }
}

FIXTURE_MAIN_SHARING ("/gpublur/")
