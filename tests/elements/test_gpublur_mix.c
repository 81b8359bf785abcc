/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much of the result is seen: amount, planes and mask, and the formats that they need. */
#include "element_fixture.h"

#define WIDTH 64
#define HEIGHT 40
#define LUMA (WIDTH * HEIGHT)
#define BOX "gpublur kernel=box radius=4 "

static GstBuffer *
make_frame (const gchar * format)
{
  return fixture_frame (format, WIDTH, HEIGHT, 1);
}

/* Returns what @description makes of @in, whose reference it takes. */
static GBytes *
treat (const gchar * description, const gchar * format, GstBuffer * in)
{
  GstHarness *h = fixture_harness (description);
  GstBuffer *out;
  gpointer data;
  gsize size;

  fixture_set_caps (h, format, WIDTH, HEIGHT);
  out = gst_harness_push_and_pull (h, in);
  gst_buffer_extract_dup (out, 0, -1, &data, &size);
  gst_buffer_unref (out);
  fixture_harness_free (h);
  return g_bytes_new_take (data, size);
}

static const guint8 *
bytes_of (GBytes * bytes)
{
  return g_bytes_get_data (bytes, NULL);
}

/* In the first @n_rows, each sample lies where @amount says between those of the frame and of
 * its blur. */
static void
check_amount (gdouble amount, guint n_rows, const gchar * properties)
{
  g_autofree gchar *description = g_strdup_printf (BOX "amount=%g %s", amount,
      properties);
  g_autoptr (GBytes) in = treat ("gpublur sigma=0", "RGBA",
      make_frame ("RGBA"));
  g_autoptr (GBytes) blurred = treat (BOX, "RGBA", make_frame ("RGBA"));
  g_autoptr (GBytes) out = treat (description, "RGBA", make_frame ("RGBA"));

  for (gsize i = 0; i < 4 * LUMA; i++) {
    gdouble expected = bytes_of (in)[i] + (i < 4 * n_rows * WIDTH ? amount : 0)
        * (bytes_of (blurred)[i] - bytes_of (in)[i]);

    g_assert_cmpfloat (ABS (bytes_of (out)[i] - expected), <=, 0.51);
  }
}

TEST (amount)
{
  static const gchar rows[] = "roi-source=rectangle roi-width=99 roi-height=10";
  g_autoptr (Harness) h = NULL;

  check_amount (0.25, 10, rows);
  check_amount (1, 10, rows);
  check_amount (0.6, HEIGHT, "");
  h = fixture_harness (BOX "amount=0");
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  g_assert_true (fixture_passes (h, make_frame ("RGBA")));
}

/* Luma is each @step-th of the first @n_luma bytes. */
static void
check_planes (const gchar * format, guint step, gsize n_luma)
{
  g_autoptr (GBytes) in = treat ("gpublur sigma=0", format,
      make_frame (format));
  g_autoptr (GBytes) blurred = treat (BOX, format, make_frame (format));
  g_autoptr (GBytes) luma = treat (BOX "planes=luma", format,
      make_frame (format));
  g_autoptr (GBytes) chroma = treat (BOX "planes=chroma", format,
      make_frame (format));

  for (gsize i = 0; i < g_bytes_get_size (in); i++) {
    gboolean is_luma = i < n_luma && i % step == 0;
    GBytes *treated = is_luma ? luma : chroma, *left = is_luma ? chroma : luma;

    g_assert_cmpuint (bytes_of (treated)[i], ==, bytes_of (blurred)[i]);
    g_assert_cmpuint (bytes_of (left)[i], ==, bytes_of (in)[i]);
  }
}

TEST (planes)
{
  g_autoptr (GBytes) grey = treat (BOX, "GRAY8", make_frame ("GRAY8"));
  g_autoptr (GBytes) luma = treat (BOX "planes=luma", "GRAY8",
      make_frame ("GRAY8"));

  check_planes ("I420", 1, LUMA);
  check_planes ("YUY2", 2, 2 * LUMA);
  g_assert_true (g_bytes_equal (grey, luma));
}

/* --- mask=alpha --- */

/* A red person, whom alpha leaves out, before a background of blue squares. */
static GstBuffer *
make_person (void)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 4 * LUMA, NULL);

  for (guint i = 0; i < LUMA; i++) {
    guint x = i % WIDTH, y = i / WIDTH;
    const guint8 person[] = { 255, 0, 0, 0 };
    const guint8 background[] = { 0, 0, (x + y) % 2 == 1 ? 255 : 55, 255 };

    gst_buffer_fill (buffer, 4 * i, x < WIDTH / 2 ? person : background, 4);
  }
  return buffer;
}

/* The person stays, and nothing of it is seen beside it: neither red nor dark. */
TEST (mask)
{
  g_autoptr (GBytes) in = treat ("gpublur sigma=0", "RGBA", make_person ());
  g_autoptr (GBytes) out =
      treat ("gpublur sigma=6 edge-mode=wrap mask=alpha", "RGBA",
      make_person ());

  for (guint i = 0; i < LUMA; i++) {
    const guint8 *before = bytes_of (in) + 4 * i;
    const guint8 *after = bytes_of (out) + 4 * i;

    if (i % WIDTH < WIDTH / 2) {
      g_assert_cmpmem (before, 4, after, 4);
      continue;
    }
    g_assert_cmpuint (after[0], ==, 0);
    g_assert_cmpuint (after[1], ==, 0);
    g_assert_cmpint (ABS (after[2] - 155), <=, 2);
    g_assert_cmpuint (after[3], ==, 255);
  }
}

/* Whether each colour is white as much as its alpha says, which stays. Takes both buffers. */
static void
check_whitened (GstBuffer * in, GstBuffer * out, gboolean is_inverse)
{
  guint8 before[4 * WIDTH * HEIGHT], after[sizeof before];

  gst_buffer_extract (in, 0, before, sizeof before);
  gst_buffer_extract (out, 0, after, sizeof after);
  for (guint i = 0; i < sizeof before; i++) {
    guint alpha = before[i | 3];
    gdouble share = (is_inverse ? 255 - alpha : alpha) / 255.;

    if (i % 4 == 3)
      g_assert_cmpuint (after[i], ==, before[i]);
    else
      g_assert_cmpfloat (ABS (before[i] + (255. - before[i]) * share
              - after[i]), <=, 0.6);
  }
  gst_buffer_unref (in);
  gst_buffer_unref (out);
}

/* Where alpha is inverted, more memory is needed, also for what needs no blur. */
TEST (inverse_alpha)
{
  g_autoptr (Harness) h = fixture_play ("gpublur roi-action=fill "
      "roi-color=0xffffffff mask=alpha", "RGBA", WIDTH, HEIGHT);

  for (guint i = 0; i < 2; i++) {
    GstBuffer *in = make_frame ("RGBA");
    GstBuffer *out = gst_harness_push_and_pull (h, gst_buffer_copy_deep (in));

    check_whitened (in, out, i);
    fixture_set (h->element, "mask", "inverse-alpha");
  }
}

/* --- formats --- */

static const struct
{
  const gchar *properties, *format, *other_format;
  const gchar *message;
} unmet[] = {
  {"planes=luma", "RGBA", "GRAY8", "planes=luma needs a Y'CbCr or grey format"},
  {"planes=chroma", "GRAY8", "YUY2", "planes=chroma needs a Y'CbCr format"},
  {"planes=chroma mask=alpha", "I420", "A420", "mask needs a format with"},
  {"kernel=bilateral mask=alpha", "RGBx", "BGRA", "mask needs a format"},
};

/* They are refused at the start, with the reason, and not offered. */
TEST (refused)
{
  for (guint i = 0; i < G_N_ELEMENTS (unmet); i++) {
    g_autofree gchar *description = g_strconcat ("gpublur ",
        unmet[i].properties, NULL);
    g_autoptr (Harness) h = fixture_harness (description);
    g_autoptr (GstCaps) offered = gst_pad_peer_query_caps (h->srcpad, NULL);
    g_autoptr (GstCaps) bad = fixture_caps (unmet[i].format, WIDTH, HEIGHT);
    g_autoptr (GstCaps) good = fixture_caps (unmet[i].other_format,
        WIDTH, HEIGHT);

    g_assert_false (gst_caps_can_intersect (offered, bad));
    g_assert_true (gst_caps_can_intersect (offered, good));
    fixture_set_caps (h, unmet[i].format, WIDTH, HEIGHT);
    fixture_push (h, make_frame (unmet[i].format), GST_FLOW_NOT_NEGOTIATED);
    fixture_take_error (h->element, GST_STREAM_ERROR,
        GST_STREAM_ERROR_FORMAT, unmet[i].message);
    fixture_set_caps (h, unmet[i].other_format, WIDTH, HEIGHT);
    fixture_show (h, make_frame (unmet[i].other_format));
  }
}

/* While such frames flow, all of them is treated, which is said. */
TEST (ignored)
{
  static const gchar *const properties[][2] = {
    {"planes", "luma"}, {"planes", "chroma"}, {"mask", "alpha"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++) {
    g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box radius=2");

    fixture_set_caps (h, "RGB", WIDTH, HEIGHT);
    fixture_show (h, make_frame ("RGB"));
    fixture_set (h->element, properties[i][0], properties[i][1]);
    fixture_check_box (h, make_frame ("RGB"), BOX_OF ("RGB", WIDTH,
            HEIGHT, 1, 2));
    fixture_take_warning (h->element, GST_LIBRARY_ERROR,
        GST_LIBRARY_ERROR_SETTINGS, properties[i][1]);
  }
}

FIXTURE_MAIN_SHARING ("/gpublur-mix/")
