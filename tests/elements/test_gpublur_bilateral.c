/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gpublur with kernel=bilateral: what its properties do, and changes while playing. */
#include "element_fixture.h"

#define FRAME "RGBA", 33, 20

/* So little that noise, whose neighbours all differ, stays as it is. */
#define NOTHING "range=0.0001"

static void
assert_unchanged (GstHarness * h, guint seed)
{
  fixture_check_box (h, fixture_frame (FRAME, seed), BOX_OF (FRAME, seed, 0));
}

static GstBuffer *
filter (GstHarness * h, guint seed)
{
  return gst_harness_push_and_pull (h, fixture_frame (FRAME, seed));
}

/* The sum of the differences of neighbours along rows, of all samples. */
static guint64
measure_roughness (GstBuffer * frame)
{
  guint64 sum = 0;
  GstMapInfo map;

  gst_buffer_map (frame, &map, GST_MAP_READ);
  for (gsize i = 4; i < map.size; i++)
    sum += ABS (map.data[i] - map.data[i - 4]);
  gst_buffer_unmap (frame, &map);
  return sum;
}

static guint64
filter_and_measure (GstHarness * h, guint seed)
{
  GstBuffer *frame = filter (h, seed);
  guint64 roughness = measure_roughness (frame);

  gst_buffer_unref (frame);
  return roughness;
}

TEST (passthrough)
{
  g_autoptr (Harness) h =
      fixture_play ("gpublur kernel=bilateral range=0", FRAME);

  g_assert_true (fixture_passes (h, fixture_frame (FRAME, 1)));
  g_object_set (h->element, "range", 0.1, NULL);
  g_assert_false (fixture_passes (h, fixture_frame (FRAME, 1)));
  g_object_set (h->element, "radius", 0, NULL);
  g_assert_true (fixture_passes (h, fixture_frame (FRAME, 1)));
  g_object_set (h->element, "radius", -1, "sigma", 0.0, NULL);
  g_assert_true (fixture_passes (h, fixture_frame (FRAME, 1)));
}

/* Each frame is filtered as the properties say when it comes: more and more of its noise
 * goes. Methods and rounds need pipelines and memory first. */
TEST (change_while_playing)
{
  static const gint methods[] = { 0, 2, 3 };
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=bilateral", FRAME);

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    guint64 before = G_MAXUINT64;

    g_object_set (h->element, "method", methods[i], "range", 0.0001, "rounds",
        1, NULL);
    assert_unchanged (h, i);
    for (guint rounds = 1; rounds <= 4; rounds++) {
      guint64 roughness;

      g_object_set (h->element, "range", 0.4, "rounds", rounds, NULL);
      roughness = filter_and_measure (h, i);
      g_assert_cmpuint (roughness, <, before);
      before = roughness;
    }
    g_object_set (h->element, "range", 1.0, NULL);
    g_assert_cmpuint (filter_and_measure (h, i), <, before);
  }
}

TEST (change_of_kernel)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=box radius=4 "
      NOTHING, FRAME);

  for (guint i = 0; i < 3; i++) {
    g_object_set (h->element, "kernel", 1, NULL);
    fixture_check_box (h, fixture_frame (FRAME, i), BOX_OF (FRAME, i, 4));
    g_object_set (h->element, "kernel", 2, NULL);
    assert_unchanged (h, i);
    g_object_set (h->element, "kernel", 0, NULL);
    gst_buffer_unref (filter (h, i));
  }
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
}

static void
assert_pass (const GValue * passes, guint i, const gchar * name, guint taps)
{
  const GstStructure *pass = gst_value_get_structure
      (gst_value_array_get_value (passes, i));
  guint has_taps = 0;

  gst_structure_get_uint (pass, "taps", &has_taps);
  g_assert_cmpstr (gst_structure_get_string (pass, "name"), ==, name);
  g_assert_cmpuint (has_taps, ==, taps);
}

/* The window has the half-width of 1.5 sigma. */
TEST (stats)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=bilateral rounds=3 "
      "sigma=2.5 method=separable", FRAME);
  g_autoptr (GstStructure) stats = NULL, others = NULL;

  gst_buffer_unref (filter (h, 1));
  g_object_get (h->element, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "precision"), ==, "float");
  assert_pass (gst_structure_get_value (stats, "passes"), 0, "bilateral-rows",
      9);
  assert_pass (gst_structure_get_value (stats, "passes"), 1,
      "bilateral-columns", 9);
  g_object_set (h->element, "method", 2, NULL);
  gst_buffer_unref (filter (h, 1));
  g_object_get (h->element, "stats", &others, NULL);
  assert_pass (gst_structure_get_value (others, "passes"), 0,
      "bilateral-window", 81);
}

FIXTURE_MAIN_SHARING ("/gpublur/bilateral/")
