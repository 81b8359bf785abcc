/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames create no Vulkan objects once the first ones have made all that is needed. */
#include "element_fixture.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu_hooks.h"

typedef GstBuffer *(*MakeFrame) (GstElement * element, guint i);

/* All that frames need has been needed within the first twenty. @make: also
 * sets properties of @element for the frame. */
static void
assert_nothing_made (GstHarness * h, GstElement * element, MakeFrame make)
{
  g_autoptr (GpuDevice) device = fixture_device_of (element);
  guint made = 0;

  gpu_hooks_install (device);
  for (guint i = 0; i < 60; i++) {
    if (i == 20) {
      gpu_kernels_wait (device);
      made = gpu_hooks_get_made ();
    }
    fixture_show (h, make (element, i));
  }
  /* Of the first twenty there were some. */
  g_assert_cmpuint (made, >, 4);
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  gpu_hooks_remove (device);
  fixture_harness_free (h);
}

/* Sigmas move, through zero too. They differ, and it is not for auto to choose,
 * for what is built in the background comes when it comes. */
static GstBuffer *
make_for_blur (GstElement * element, guint i)
{
  g_object_set (element, "sigma-x", i % 4 * 5.0, "sigma-y", i % 4 * 2.0, NULL);
  return fixture_frame ("I420", 64, 48, i);
}

TEST (blur)
{
  GstHarness *h = fixture_harness ("gpublur name=a method=strips "
      "! gpublur kernel=box radius=2 name=b");

  fixture_set_caps (h, "I420", 64, 48);
  assert_nothing_made (h, fixture_child (h, "a"), make_for_blur);
}

/* Twenty frames of one colour come first, so that all solves with much to do
 * are late. Then every other frame has new colours; the radius moves, and its least value,
 * which needs most room, is among the first. */
static GstBuffer *
make_for_palette (GstElement * element, guint i)
{
  static const gdouble radii[] = { 0.1, 0.005, 0, 0.3, 0.02 };
  GstBuffer *frame = fixture_frame ("NV12", 40, 22, i / 2);

  g_object_set (element, "radius", radii[i / 8 % G_N_ELEMENTS (radii)], NULL);
  if (i < 20)
    gst_buffer_memset (frame, 0, 0x80, gst_buffer_get_size (frame));
  return frame;
}

static void
test_palette (void)
{
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact");

  fixture_set_caps (h, "NV12", 40, 22);
  assert_nothing_made (h, h->element, make_for_palette);
}

/* The quality moves, too. */
static GstBuffer *
make_for_live_palette (GstElement * element, guint i)
{
  fixture_set (element, "quality", i / 3 % 2 ? "live" : "exact");
  return make_for_palette (element, i);
}

static void
test_live_palette (void)
{
  GstHarness *h = fixture_harness ("meanshiftpalette");

  fixture_set_caps (h, "NV12", 40, 22);
  assert_nothing_made (h, h->element, make_for_live_palette);
}

/* New caps that say the same of the frames, and the frames' memory lives on. The
 * method is not auto's to choose, as above. */
TEST (framerate)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur name=a "
      "method=separable ! gpublur name=b method=separable");
  g_autoptr (GpuDevice) device = fixture_device_of (fixture_child (h, "a"));
  guint made = 0;

  gpu_hooks_install (device);
  for (guint i = 0; i < 12; i++) {
    GstCaps *caps = fixture_caps ("NV12", 64, 48);

    gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, i + 1, 1,
        "pixel-aspect-ratio", GST_TYPE_FRACTION, 4 + i, 3, NULL);
    gst_harness_set_src_caps (h, caps);
    for (guint k = 0; k < 4; k++)
      fixture_show (h, fixture_frame ("NV12", 64, 48, i));
    if (i == 1)
      made = gpu_hooks_get_made ();
  }
  g_assert_cmpuint (made, >, 4);
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  gpu_hooks_remove (device);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/nothing-made/");
  /* What engines do is the same whatever the memory. */
  if (!g_getenv ("GPU_TEST_MEMORY")) {
    tests_register ("palette", test_palette);
    tests_register ("live-palette", test_live_palette);
  }
  return fixture_run ();
}
