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
  GstHarness *h = element_fixture_harness ("gpublur sigma=5 edge-mode=wrap");

  element_fixture_set_caps (h, "RGBA", 64, 40);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    gst_util_set_object_arg (G_OBJECT (h->element), "method", methods[i]);
    assert_grey (h, 127, 128);
    g_object_set (h->element, "linear-light", TRUE, NULL);
    assert_grey (h, 188, 188);
    g_object_set (h->element, "linear-light", FALSE, NULL);
  }
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
take_error_of_light (GstHarness * h, const gchar * format)
{
  element_fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, format);
}

/* What is no R'G'B' is refused, once; without the property, or with other caps,
 * frames flow again. */
static void
test_no_linear_light (void)
{
  static const gchar *const formats[] = { "NV12", "I420", "GRAY8" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstHarness *h =
        element_fixture_harness ("gpublur kernel=box radius=2 "
        "linear-light=true");

    element_fixture_set_caps (h, formats[i], 64, 40);
    for (guint k = 0; k < 2; k++)
      g_assert_cmpint (gst_harness_push (h, element_fixture_frame (formats[i],
                  64, 40, k)), ==, GST_FLOW_NOT_NEGOTIATED);
    take_error_of_light (h, formats[i]);
    element_fixture_set_caps (h, "RGBA", 64, 40);
    gst_buffer_unref (gst_harness_push_and_pull (h, make_checker ()));

    g_object_set (h->element, "linear-light", FALSE, NULL);
    element_fixture_set_caps (h, formats[i], 64, 40);
    element_fixture_check_box (h, element_fixture_frame (formats[i], 64, 40, 3),
        formats[i], 64, 40, 3, 2);
    g_object_set (h->element, "linear-light", TRUE, NULL);
    for (guint k = 0; k < 2; k++)
      g_assert_cmpint (gst_harness_push (h, element_fixture_frame (formats[i],
                  64, 40, k)), ==, GST_FLOW_ERROR);
    take_error_of_light (h, "linear-light=false");
    g_object_set (h->element, "linear-light", FALSE, NULL);
    element_fixture_check_box (h, element_fixture_frame (formats[i], 64, 40, 4),
        formats[i], 64, 40, 4, 2);
    element_fixture_harness_free (h);
  }
}

int
main (int argc, char **argv)
{
  element_fixture_init (&argc, &argv);
  element_fixture_add ("/gpublur/linear-light", test_linear_light);
  element_fixture_add ("/gpublur/transfer-of-caps", test_transfer_of_caps);
  element_fixture_add ("/gpublur/no-linear-light", test_no_linear_light);
  return element_fixture_run ();
}
