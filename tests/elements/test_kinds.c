/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both elements on devices that are not here: played ones. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"
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
  fixture_check_stat (element, "uploads", transfers);
  fixture_check_stat (element, "downloads", transfers);
}

static void
check_blur (gboolean is_unified)
{
  g_autoptr (Harness) h =
      fixture_play ("gpublur kernel=box radius=2", "RGBA", WIDTH, HEIGHT);

  for (guint i = 0; i < N_FRAMES; i++)
    fixture_check_box (h, fixture_frame ("RGBA", WIDTH, HEIGHT,
            i), BOX_OF ("RGBA", WIDTH, HEIGHT, i, 2));
  check_transfers (h->element, is_unified);
}

/* What becomes of the last frame. */
static GstBuffer *
reduce (gboolean is_unified)
{
  GstHarness *h = fixture_harness ("meanshiftpalette quality=live");
  GstBuffer *out = NULL;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < N_FRAMES; i++) {
    gst_clear_buffer (&out);
    out = gst_harness_push_and_pull (h, fixture_frame ("RGBA", WIDTH,
            HEIGHT, i));
    g_assert_nonnull (out);
  }
  check_transfers (h->element, is_unified);
  fixture_harness_free (h);
  return out;
}

/* The same types of memory are one memory or two, as the device is integrated or not;
 * bytes are the same. */
TEST (amd)
{
  static const GpuDeviceKind kinds[] = {
    GPU_DEVICE_INTEGRATED, GPU_DEVICE_DISCRETE
  };
  GstBuffer *reduced[G_N_ELEMENTS (kinds)];

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    GpuDevice *device = gpu_fixture_open_another ();

    played_memory_be_amd (device, kinds[i]);
    fixture_replace_device (device);
    check_blur (kinds[i] == GPU_DEVICE_INTEGRATED);
    reduced[i] = reduce (kinds[i] == GPU_DEVICE_INTEGRATED);
  }
  fixture_assert_equal (reduced[0], reduced[1]);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    gst_buffer_unref (reduced[i]);
}

/* --- small bindings --- */

/* On a device that binds no more than so many bytes. */
static GstBuffer *
run_small (const gchar * description, guint width, guint height,
    gsize max_binding)
{
  GpuDeviceInfo *info = &fixture_device ()->info;
  const gsize real = info->max_binding;
  GstHarness *h = fixture_harness (description);
  GstBuffer *out;

  info->max_binding = max_binding;
  fixture_set_caps (h, "RGBA", width, height);
  fixture_push (h, fixture_frame ("RGBA", width, height, 1), GST_FLOW_OK);
  out = gst_harness_pull (h);
  fixture_harness_free (h);
  info->max_binding = real;
  return out;
}

static void
check_small (const gchar * description, guint width, guint height,
    gsize max_binding)
{
  const gsize real = fixture_device ()->info.max_binding;
  g_autoptr (GstBuffer) expected = run_small (description, width, height, real);
  g_autoptr (GstBuffer) got =
      run_small (description, width, height, max_binding);

  fixture_assert_equal (got, expected);
}

static void
refuse_small (const gchar * description, gsize max_binding, const gchar * words)
{
  GpuDeviceInfo *info = &fixture_device ()->info;
  const gsize real = info->max_binding;
  GstHarness *h = fixture_harness (description);

  info->max_binding = max_binding;
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  fixture_push (h, gst_buffer_new (), GST_FLOW_NOT_NEGOTIATED);
  fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, words);
  fixture_harness_free (h);
  info->max_binding = real;
}

/* Row sums have four times the bytes of the frame: they are made in strips. */
TEST (small_bindings_of_blur)
{
  check_small ("gpublur sigma=3 method=separable", 160, 120, 160 * 120 * 4);
  refuse_small ("gpublur sigma=3 method=separable", 16 << 10,
      "blur weights needs");
}

/* Frames are bound in parts, what is by colour or cell as a whole. */
TEST (small_bindings_of_palette)
{
  check_small ("meanshiftpalette quality=live stability=0", 1600, 1560,
      9900000);
  refuse_small ("meanshiftpalette quality=live radius=0.005", 8 << 20,
      "palette occupied cells needs");
  refuse_small ("meanshiftpalette quality=exact", 32 << 20,
      "palette counts needs");
}

FIXTURE_MAIN_SHARING ("/kinds/")
