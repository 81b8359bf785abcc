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
  GstBuffer *out = gst_harness_push_and_pull (h, make_checker ());
  GstMapInfo map;

  gst_buffer_map (out, &map, GST_MAP_READ);
  for (gsize i = 0; i < map.size; i++) {
    g_assert_cmpuint (map.data[i], >=, i % 4 == 3 ? 255 : least);
    g_assert_cmpuint (map.data[i], <=, i % 4 == 3 ? 255 : most);
  }
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
}

/* Half the light of white has code 188 in sRGB, whoever does it; while playing, on
 * and off. */
static void
test_linear_light (void)
{
  static const gchar *const methods[] = { "separable", "strips", "pyramid" };
  GstHarness *h = element_fixture_harness ("gpublur sigma=3 edge-mode=wrap");

  element_fixture_set_caps (h, "RGBA", 64, 40);
  assert_grey (h, 127, 128);
  g_object_set (h->element, "linear-light", TRUE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    gst_util_set_object_arg (G_OBJECT (h->element), "method", methods[i]);
    assert_grey (h, 188, 188);
  }
  g_object_set (h->element, "linear-light", FALSE, NULL);
  assert_grey (h, 127, 128);
  element_fixture_harness_free (h);
}

/* The caps say what light codes are: here, light itself, and then sRGB for want of
 * anything that can be decoded. */
static void
test_transfer_of_caps (void)
{
  static const struct
  {
    const gchar *colorimetry;
    guint8 least, most;
  } cases[] = {
    {"1:1:1:1", 127, 128}, {"1:1:0:0", 188, 188}, {"1:1:14:7", 188, 188},
    {"sRGB", 188, 188},
  };
  GstHarness *h = element_fixture_harness ("gpublur sigma=5 edge-mode=wrap "
      "linear-light=true");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstCaps *caps = element_fixture_caps ("RGBA", 64, 40);

    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING,
        cases[i].colorimetry, NULL);
    gst_harness_set_src_caps (h, caps);
    assert_grey (h, cases[i].least, cases[i].most);
  }
  element_fixture_harness_free (h);
}

static void
set_light (GstHarness * h, gboolean is_linear)
{
  g_object_set (h->element, "linear-light", is_linear, NULL);
}

/* Frames of codes, which nobody complains about. */
static void
check_codes (GstHarness * h, const gchar * format, guint columns)
{
  for (guint i = 0; i < 3; i++)
    element_fixture_check_box (h, element_fixture_frame (format, columns, 40,
            i), BOX_OF (format, columns, 40, i, 2));
  g_assert_cmpuint (element_fixture_take_messages (h->element,
          GST_MESSAGE_WARNING | GST_MESSAGE_ERROR), ==, 0);
}

/* While what is no R'G'B' flows, the property is ignored, which is said once, however
 * often it is set; also where caps are negotiated anew. It takes effect when R'G'B'
 * comes, and nothing else is negotiated from then on. */
static void
test_ignored_while_playing (void)
{
  static const gchar *const formats[] = { "NV12", "I420", "GRAY8" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstHarness *h = element_fixture_harness ("gpublur kernel=box radius=2 "
        "edge-mode=clamp");

    element_fixture_set_caps (h, formats[i], 64, 40);
    check_codes (h, formats[i], 64);
    set_light (h, TRUE);
    element_fixture_check_box (h, element_fixture_frame (formats[i], 64, 40, 4),
        BOX_OF (formats[i], 64, 40, 4, 2));
    element_fixture_take_warning (h->element, GST_LIBRARY_ERROR,
        GST_LIBRARY_ERROR_SETTINGS, "linear-light needs an RGB format");
    check_codes (h, formats[i], 64);
    set_light (h, FALSE);
    check_codes (h, formats[i], 64);
    set_light (h, TRUE);
    check_codes (h, formats[i], 64);
    element_fixture_set_caps (h, formats[i], 32, 40);
    check_codes (h, formats[i], 32);
    gst_harness_push_upstream_event (h, gst_event_new_reconfigure ());
    check_codes (h, formats[i], 32);

    g_object_set (h->element, "radius", 0, NULL);
    g_assert_true (element_fixture_passes (h, element_fixture_frame (formats[i],
                32, 40, 1)));
    g_assert_cmpuint (element_fixture_take_messages (h->element,
            GST_MESSAGE_WARNING), ==, 0);
    g_object_set (h->element, "radius", 20, "edge-mode", 2, NULL);
    element_fixture_set_caps (h, "RGBA", 64, 40);
    assert_grey (h, 186, 190);
    element_fixture_set_caps (h, formats[i], 64, 40);
    g_assert_cmpint (gst_harness_push (h, element_fixture_frame (formats[i], 64,
                40, 5)), ==, GST_FLOW_NOT_NEGOTIATED);
    element_fixture_harness_free (h);
  }
}

/* What is no R'G'B' is not negotiated at a start, whatever flowed before it, and the
 * reason is told. */
static void
test_start (void)
{
  GstHarness *h = element_fixture_harness ("gpublur kernel=box radius=2");

  element_fixture_set_caps (h, "I420", 64, 40);
  set_light (h, TRUE);
  element_fixture_restart (h);
  element_fixture_set_caps (h, "I420", 64, 40);
  g_assert_cmpint (gst_harness_push (h, element_fixture_frame ("I420", 64, 40,
              1)), ==, GST_FLOW_NOT_NEGOTIATED);
  element_fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "linear-light needs an RGB format");
  element_fixture_set_caps (h, "RGBA", 64, 40);
  gst_buffer_unref (gst_harness_push_and_pull (h, make_checker ()));
  element_fixture_harness_free (h);
}

int
main (int argc, char **argv)
{
  element_fixture_init (&argc, &argv);
  element_fixture_share_device ();
  element_fixture_add ("/gpublur/linear-light", test_linear_light);
  element_fixture_add ("/gpublur/transfer-of-caps", test_transfer_of_caps);
  element_fixture_add ("/gpublur/light-ignored-while-playing",
      test_ignored_while_playing);
  element_fixture_add ("/gpublur/light-from-the-start", test_start);
  return element_fixture_run ();
}
