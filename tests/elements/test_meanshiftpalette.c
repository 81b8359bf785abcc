/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette as an element: properties, what becomes of caps, and statistics. Bytes of
 * single frames are compared with the oracle in tests/unit/palette, those of films, by every
 * property, in test_meanshiftpalette_temporal.c. */
#include "element_fixture.h"
#include "generated.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_hooks.h"
#include "palette_element_fixture.h"

#include <string.h>

#define WIDTH 40
#define HEIGHT 22
#define N_BYTES (4 * WIDTH * HEIGHT)

/* --- frames --- */

static GstBuffer *
frame_new (guint seed)
{
  return fixture_frame ("RGBA", WIDTH, HEIGHT, seed);
}

/* transfer=auto uses the transfer function of the caps, or sRGB if they have none. */
TEST (transfer)
{
  static const struct
  {
    const gchar *colorimetry, *property;
    ReferenceTransfer transfer;
  } cases[] = {
    {"sRGB", "auto", REFERENCE_TRANSFER_SRGB},
    {"1:1:5:1", "auto", REFERENCE_TRANSFER_CUSTOM},
    {"1:1:5:1", "srgb", REFERENCE_TRANSFER_SRGB},
    {"1:1:0:1", "auto", REFERENCE_TRANSFER_SRGB},
    {"1:1:5:1", "linear", REFERENCE_TRANSFER_LINEAR},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *description = g_strdup_printf
        ("meanshiftpalette quality=exact radius=0.1 transfer=%s",
        cases[i].property);
    g_autoptr (Harness) h = fixture_harness (description);
    GstCaps *caps = fixture_caps ("RGBA", WIDTH, HEIGHT);
    ReferencePaletteSettings settings = {.radius = 0.1,
      .transfer = cases[i].transfer, .eotf = palette_decode_bt709,
      .walks = REFERENCE_WALKS_SHORTCUT};
    g_autofree guint8 *rgba =
        generated_picture_new ("alpha-noise", WIDTH, HEIGHT, 9);
    g_autofree guint8 *expected = g_malloc (N_BYTES);
    g_autoptr (GstBuffer) out = NULL;

    reference_palette (&settings, rgba, WIDTH, HEIGHT, expected, NULL);
    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING,
        cases[i].colorimetry, NULL);
    gst_harness_set_src_caps (h, caps);
    out = gst_harness_push_and_pull (h, palette_frame (rgba, N_BYTES));
    palette_assert_bytes (out, expected, N_BYTES);
  }
}

/* Pixels with alpha below the threshold keep their bytes: the others become black. */
TEST (alpha_threshold)
{
  static const guint thresholds[] = { 1, 128, 255, 16 };
  g_autoptr (Harness) h =
      fixture_play ("meanshiftpalette palette=#000000", "RGBA", WIDTH, HEIGHT);
  g_autofree guint8 *rgba =
      generated_picture_new ("alpha-noise", WIDTH, HEIGHT, 5);

  for (guint i = 0; i < G_N_ELEMENTS (thresholds); i++) {
    g_autofree guint8 *expected = g_memdup2 (rgba, N_BYTES);
    g_autoptr (GstBuffer) out = NULL;

    for (guint k = 0; k < N_BYTES; k += 4)
      if (rgba[k + 3] >= thresholds[i])
        memset (expected + k, 0, 3);
    g_object_set (h->element, "alpha-threshold", thresholds[i], NULL);
    out = gst_harness_push_and_pull (h, palette_frame (rgba, N_BYTES));
    palette_assert_bytes (out, expected, N_BYTES);
  }
}

/* Radius 0 hands frames on, whatever the quality; where another format is
 * wanted, it keeps their colours. */
TEST (radius_0)
{
  static const gchar *const elements[] = {
    "meanshiftpalette radius=0", "meanshiftpalette radius=0 quality=exact"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Harness) h = fixture_play (elements[i], "RGBA", WIDTH, HEIGHT);
    g_autofree guint8 *rgba =
        generated_picture_new ("alpha-noise", WIDTH, HEIGHT, 5);
    g_autoptr (GstBuffer) out = NULL;

    g_assert_true (fixture_passes (h, palette_frame (rgba, N_BYTES)));
    gst_harness_set_caps (h, fixture_caps ("RGBA", WIDTH, HEIGHT),
        fixture_caps ("BGRA", WIDTH, HEIGHT));
    out = gst_harness_push_and_pull (h, palette_frame (rgba, N_BYTES));
    for (guint k = 0; k < N_BYTES; k += 4) {
      guint8 red = rgba[k];

      rgba[k] = rgba[k + 2];
      rgba[k + 2] = red;
    }
    palette_assert_bytes (out, rgba, N_BYTES);
  }
}

/* The two elements exchange device memory: one upload, one download. */
TEST (behind_blur)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=box radius=1 name=a "
      "! meanshiftpalette quality=exact name=b", "RGBA", WIDTH, HEIGHT);
  GstElement *a = fixture_child (h, "a");
  GstElement *b = fixture_child (h, "b");

  for (guint i = 0; i < 5; i++)
    fixture_show (h, frame_new (i));
  fixture_check_stat (a, "uploads", fixture_transfers (5));
  fixture_check_stat (a, "downloads", 0);
  fixture_check_stat (b, "uploads", 0);
  fixture_check_stat (b, "downloads", fixture_transfers (5));
  fixture_check_stat (a, "waits-for-result", 0);
}

/* --- from frame to frame --- */

/* Checks what stats say about solved colours. */
static void
check_reuse (GstElement * element, gboolean is_first, gboolean was_solved)
{
  guint64 colours = fixture_stat (element, "colors");
  guint64 solved = fixture_stat (element, "solved-colors");

  fixture_check_stat (element, "reused-colors", colours - solved);
  g_assert_cmpuint (solved, <=, was_solved ? colours : 0);
  if (is_first) {
    g_assert_cmpuint (solved, ==, colours);
    fixture_check_stat (element, "added", colours);
  } else if (!was_solved)
    g_assert_cmpuint (fixture_stat (element, "added")
        + fixture_stat (element, "removed"), ==, 0);
}

/* Unchanged colours are not solved again. */
TEST (sequence)
{
  static const struct
  {
    guint seed, changed;        /* picture; pixels turned to grey */
    gboolean solved;
  } frames[] = {
    {1, 0, TRUE}, {1, 0, FALSE}, {1, 5, TRUE}, {1, 5, FALSE}, {2, 0, TRUE},
    {1, 0, TRUE},
  };
  g_autoptr (Harness) h = fixture_play ("meanshiftpalette quality=exact "
      "radius=0.1", "RGBA", WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    GstBuffer *buffer = frame_new (frames[i].seed);

    gst_buffer_memset (buffer, 0, 0x80, 4 * frames[i].changed);
    fixture_show (h, buffer);
    g_assert_cmpint (palette_was_solved (h->element), ==, frames[i].solved);
    check_reuse (h->element, i == 0, frames[i].solved);
  }
}

/* What is known of the last frame stays known when the element stops, and when
 * frames of other caps come. */
TEST (last_report)
{
  for (guint i = 0; i < 2; i++) {
    g_autoptr (Harness) h =
        fixture_play ("meanshiftpalette", "RGBA", WIDTH, HEIGHT);
    g_autoptr (GstBuffer) out = gst_harness_push_and_pull (h, frame_new (1));
    guint64 cells, modes;
    guint8 pixel[4];

    /* The frame is done when it was looked at. */
    gst_buffer_extract (out, 0, pixel, sizeof pixel);
    cells = fixture_stat (h->element, "cells");
    modes = fixture_stat (h->element, "modes");
    g_assert_cmpuint (modes, >, 1);
    g_assert_cmpuint (cells, >=, modes);
    if (i == 0)
      gst_element_set_state (h->element, GST_STATE_READY);
    else
      fixture_set_caps (h, "RGBA", WIDTH, 2 * HEIGHT);
    fixture_check_stat (h->element, "cells", cells);
    fixture_check_stat (h->element, "modes", modes);
  }
}

/* New caps that describe the same frames cause no solving, and create no Vulkan object. Caps
 * that change the meaning of codes do. */
TEST (caps_of_same_frames)
{
  static const struct
  {
    const gchar *fields;
    gboolean solved;
  } caps[] = {
    {"framerate=25/1, colorimetry=sRGB", TRUE},
    {"framerate=30/1, colorimetry=sRGB", FALSE},
    {"framerate=30/1, colorimetry=sRGB, pixel-aspect-ratio=4/3", FALSE},
    {"framerate=30/1, colorimetry=1:1:5:1, pixel-aspect-ratio=4/3", TRUE},
  };
  g_autoptr (Harness) h =
      fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);

  gpu_hooks_install (device);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    g_autofree gchar *all = g_strdup_printf ("video/x-raw, format=RGB, "
        "width=%u, height=%u, %s", WIDTH, HEIGHT, caps[i].fields);
    guint made = gpu_hooks_get_made ();

    gst_harness_set_src_caps (h, gst_caps_from_string (all));
    /* The staging and output pools fill up within the first frames. */
    for (guint k = 0; k < 6; k++) {
      fixture_show (h, fixture_frame ("RGB", WIDTH, HEIGHT, 1));
      g_assert_cmpint (palette_was_solved (h->element), ==,
          caps[i].solved && k == 0);
    }
    if (!caps[i].solved)
      g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  }
  gpu_hooks_remove (device);
}

/* --- negotiation --- */

/* A harness has no preference: what comes in goes out wherever it may, colours included. Else
 * alpha is kept if there is alpha, and RGB is made, with what Y'CbCr said of primaries and
 * transfer, or GstVideoInfo takes for small frames. Indexes are made where nothing else will
 * do. */
TEST (negotiation)
{
  static const struct
  {
    const gchar *in, *downstream;       /* "video/x-raw, format=", continued; NULL: any */
    const gchar *format, *colorimetry, *site;   /* of what goes out; NULL: none */
  } rows[] = {
    {"BGRA", "{ RGB, RGBA, BGRA }", "BGRA"},
    {"RGB", "{ RGBA, RGB }", "RGB"},
    {"RGBA", "RGB; video/x-raw, format=BGRA", "BGRA"},
    {"BGRA", "{ RGB, xRGB, ABGR }", "ABGR"},
    {"RGB", "{ ABGR, xBGR }", "xBGR"},
    {"RGB", "{ ARGB }", "ARGB"},
    {"NV12, colorimetry=bt709, chroma-site=mpeg2", "{ RGBA, I420, NV12 }",
        "NV12", "bt709", "mpeg2"},
    {"I420", NULL, "I420"},
    {"NV12, colorimetry=bt709, chroma-site=mpeg2", "{ I420, RGBA, RGB }",
        "RGB", "1:1:5:1"},
    {"I420, colorimetry=1:3:7:1, chroma-site=jpeg", "BGRA", "BGRA", "sRGB"},
    {"I420", "xRGB", "xRGB", "1:1:16:4"},
    {"GRAY8", NULL, "GRAY8"},
    {"GRAY8, colorimetry=bt709", "RGB", "RGB", "1:1:5:1"},
    {"P010_10LE, colorimetry=bt709, chroma-site=mpeg2", NULL, "P010_10LE",
        "bt709", "mpeg2"},
    {"YUY2, colorimetry=bt709", "{ RGBA64_LE, GBR_10LE }", "GBR_10LE",
        "1:1:5:1"},
    {"AYUV, colorimetry=bt709", "{ RGB, RGBA }", "RGBA", "1:1:5:1"},
    {"RGBA, colorimetry=sRGB", "RGB8P", "RGB8P", "sRGB"},
    {"BGRx, colorimetry=1:1:5:1", "RGB8P", "RGB8P", "1:1:5:1"},
    {"RGB, colorimetry=2:1:5:1", "RGB8P", "RGB8P", "2:1:5:1"},
    {"I420, colorimetry=bt709, chroma-site=mpeg2", "RGB8P", "RGB8P",
        "1:1:5:1"},
    {"NV12, colorimetry=bt709", "{ RGB8P, I420 }", "RGB8P", "1:1:5:1"},
    {"RGBA, colorimetry=sRGB", "{ RGB8P, BGR }", "BGR", "sRGB"},
    {"RGB, colorimetry=sRGB", "RGB8P; video/x-raw, format=BGRA", "BGRA",
        "sRGB"},
    {"I420, colorimetry=bt709", "{ RGB8P, xBGR }", "xBGR", "1:1:5:1"},
    {"I420, colorimetry=bt709", "{ RGB8P, I420 }", "I420", "bt709"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *in = g_strdup_printf ("video/x-raw, width=16, height=16, "
        "framerate=25/1, format=%s", rows[i].in);
    g_autofree gchar *downstream = rows[i].downstream
        ? g_strdup_printf ("video/x-raw, format=%s", rows[i].downstream)
        : g_strdup ("video/x-raw");
    g_autoptr (GstCaps) caps =
        palette_negotiate ("meanshiftpalette", in, downstream);
    GstStructure *made = gst_caps_get_structure (caps, 0);

    g_test_message ("%s to %s", in, downstream);
    g_assert_cmpstr (gst_structure_get_string (made, "format"), ==,
        rows[i].format);
    g_assert_cmpstr (gst_structure_get_string (made, "colorimetry"), ==,
        rows[i].colorimetry);
    g_assert_cmpstr (gst_structure_get_string (made, "chroma-site"), ==,
        rows[i].site);
  }
}

TEST (size_and_rate_stay)
{
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette");
  g_autoptr (GstCaps) caps =
      gst_caps_from_string ("video/x-raw, format=RGB, width=64, "
      "height=48, framerate=30/1, pixel-aspect-ratio=4/3");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");
  GstCaps *result;

  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  result = gst_pad_query_caps (pad, NULL);
  g_assert_false (gst_caps_is_empty (result));
  gst_caps_unref (result);
  fixture_show (h, fixture_frame ("RGB", 64, 48, 1));
  result = gst_pad_get_current_caps (pad);
  g_assert_true (gst_caps_is_equal (result, caps));
  gst_caps_unref (result);
}

/* --- properties --- */

TEST (properties)
{
  static const FixtureProperty properties[] = {
    {"radius", 0, 1.7321, 0.02, 0.5, "1.74"},
    {"chroma", 0, 3, 0, 2, "3.1"},
    {"weighting", 0, 1, 0, 1, NULL},
    {"iteration-limit", 0, G_MAXUINT, 0, 5, NULL},
    {"transfer", 0, 2, 0, 2, NULL},
    {"quality", 0, 1, 1, 0, NULL},
    {"history", 1, 64, 1, 17, "65"},
    {"min-frequency", 1, G_MAXUINT, 1, 18, "0"},
    {"alpha-threshold", 1, 255, 1, 128, "256"},
    {"stability", 0, 1, 0.5, 0.25, "1.1"},
    {"scene-cut-threshold", 0, 1, 0.05, 0.25, "-0.1"},
    {"hold", 0, 1, 0, 1, NULL},
    {"update-interval", 1, G_MAXUINT, 1, 24, "0"},
    {"colors", 0, 256, 0, 256, "257"},
    {"post-messages", 0, 1, 0, 1, NULL},
  };

  fixture_check_properties ("meanshiftpalette", properties,
      G_N_ELEMENTS (properties));
}

/* --- statistics --- */

/* The waits for the last frame, and for all frames since the start. */
TEST (waits_for_solver)
{
  g_autoptr (Harness) h =
      fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  guint64 waits = 0;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < 4; i++) {
    fixture_show (h, frame_new (i / 2));
    g_assert_cmpuint (fixture_stat (h->element, "waits-for-solver"), >, 0);
    waits += fixture_stat (h->element, "waits-for-solver");
    fixture_check_stat (h->element, "all-waits-for-solver", waits);
  }
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_harness_play (h);
  fixture_check_stat (h->element, "all-waits-for-solver", 0);
}

/* --- failures --- */

static VkResult VKAPI_CALL
refuse_memory (VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory)
{
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VkResult VKAPI_CALL
refuse_buffer (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* If there is no memory for frames with new caps, these frames fail, with one message in
 * all, until there is memory. */
TEST (no_room)
{
  g_autoptr (Harness) h =
      fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  g_autoptr (GpuDevice) device = NULL;
  PFN_vkAllocateMemory allocate;
  PFN_vkCreateBuffer create;
  g_autoptr (GstCaps) caps = NULL;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  /* All frame memory is allocated by then. */
  for (guint i = 0; i < 6; i++)
    fixture_show (h, frame_new (2));
  device = fixture_device_of (h->element);
  allocate = device->vk.vkAllocateMemory;
  create = device->vk.vkCreateBuffer;
  device->vk.vkAllocateMemory = refuse_memory;
  device->vk.vkCreateBuffer = refuse_buffer;
  caps = fixture_caps ("BGRA", WIDTH, HEIGHT);
  gst_harness_push_event (h, gst_event_new_caps (caps));
  for (guint i = 0; i < 3; i++)
    fixture_push (h, fixture_frame ("BGRA", WIDTH, HEIGHT, 2),
        GST_FLOW_NOT_NEGOTIATED);
  device->vk.vkAllocateMemory = allocate;
  device->vk.vkCreateBuffer = create;
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 1);
  gst_harness_push_event (h, gst_event_new_caps (caps));
  fixture_push (h, fixture_frame ("BGRA", WIDTH, HEIGHT, 2), GST_FLOW_OK);
}

/* A region of the larger frame is cut to the cropped frame, and moved with it. */
TEST (cropped_region)
{
  g_autoptr (Harness) h =
      fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  GstBuffer *buffer = fixture_frame ("RGBA", 32, 32, 1);
  GstVideoRegionOfInterestMeta *region;
  GstVideoCropMeta *crop;

  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGBA, 32, 32);
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 4, 10, 8, 4);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = crop->y = 8;
  crop->width = crop->height = 16;
  fixture_set_caps (h, "RGBA", 16, 16);
  buffer = gst_harness_push_and_pull (h, buffer);
  region = gst_buffer_get_video_region_of_interest_meta_id (buffer, 0);
  g_assert_nonnull (region);
  g_assert_cmpuint (region->x, ==, 0);
  g_assert_cmpuint (region->y, ==, 2);
  g_assert_cmpuint (region->w, ==, 4);
  g_assert_cmpuint (region->h, ==, 4);
  gst_buffer_unref (buffer);
}

FIXTURE_MAIN_SHARING ("/meanshiftpalette/")
