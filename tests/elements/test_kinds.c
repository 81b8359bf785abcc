/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both elements on devices that are not here: played ones. */
#include "element_fixture.h"
#include "gpu/core/vulkan.h"
#include "gpu_fixture.h"
#include "played_memory.h"

#include <string.h>

#define N_FRAMES 3

/* --- AMD --- */

#define WIDTH 48
#define HEIGHT 22

/* Each frame crosses the bus as often as that takes. */
static void
check_transfers (GstElement * element, gboolean is_unified)
{
  g_autoptr (GstStructure) stats = NULL;
  guint transfers = is_unified ? 0 : N_FRAMES;
  gboolean says_unified;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_boolean (stats, "unified-memory",
          &says_unified));
  g_assert_cmpint (says_unified, ==, is_unified);
  g_assert_cmpuint (element_fixture_stat (element, "uploads"), ==, transfers);
  g_assert_cmpuint (element_fixture_stat (element, "downloads"), ==, transfers);
}

static void
check_blur (gboolean is_unified)
{
  GstHarness *h = element_fixture_harness ("gpublur kernel=box radius=2");

  element_fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < N_FRAMES; i++)
    element_fixture_check_box (h, element_fixture_frame ("RGBA", WIDTH, HEIGHT,
            i), "RGBA", WIDTH, HEIGHT, i, 2);
  check_transfers (h->element, is_unified);
  element_fixture_harness_free (h);
}

/* What becomes of the last frame. */
static GstBuffer *
reduce (gboolean is_unified)
{
  GstHarness *h = element_fixture_harness ("meanshiftpalette quality=live");
  GstBuffer *out = NULL;

  element_fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < N_FRAMES; i++) {
    gst_clear_buffer (&out);
    out = gst_harness_push_and_pull (h, element_fixture_frame ("RGBA", WIDTH,
            HEIGHT, i));
    g_assert_nonnull (out);
  }
  check_transfers (h->element, is_unified);
  element_fixture_harness_free (h);
  return out;
}

static void
assert_equal (GstBuffer * got, GstBuffer * expected)
{
  GstMapInfo a, b;

  g_assert_true (gst_buffer_map (got, &a, GST_MAP_READ));
  g_assert_true (gst_buffer_map (expected, &b, GST_MAP_READ));
  g_assert_cmpmem (a.data, a.size, b.data, b.size);
  gst_buffer_unmap (got, &a);
  gst_buffer_unmap (expected, &b);
}

/* The same types of memory are one memory or two, as the device is integrated or not;
 * bytes are the same. */
static void
test_amd (void)
{
  static const GpuDeviceKind kinds[] = {
    GPU_DEVICE_INTEGRATED, GPU_DEVICE_DISCRETE
  };
  GstBuffer *reduced[G_N_ELEMENTS (kinds)];

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    GpuDevice *device = gpu_fixture_open_another ();

    played_memory_be_amd (device, kinds[i]);
    element_fixture_replace_device (device);
    check_blur (kinds[i] == GPU_DEVICE_INTEGRATED);
    reduced[i] = reduce (kinds[i] == GPU_DEVICE_INTEGRATED);
  }
  assert_equal (reduced[0], reduced[1]);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    gst_buffer_unref (reduced[i]);
}

int
main (int argc, char **argv)
{
  element_fixture_init (&argc, &argv);
  element_fixture_add ("/kinds/amd", test_amd);
  return element_fixture_run ();
}
