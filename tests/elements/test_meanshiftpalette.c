/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette as an element: its bytes against the oracle, formats
 * and statistics. */
#include "gpu/core/device/vulkan.h"
#include "meanshiftpalette_sequence.h"
#include "palette_pictures.h"

static const gchar *const formats[] = {
  "RGBA", "BGRA", "ARGB", "ABGR", "RGBx", "BGRx", "xRGB", "xBGR", "RGB", "BGR"
};

/* --- the bytes --- */

static void
test_formats (void)
{
  ReferencePaletteSettings settings = {.radius = 0.1,
    .walks = REFERENCE_WALKS_SHORTCUT
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstHarness *h =
        fixture_harness ("meanshiftpalette quality=exact radius=0.1");
    g_autofree guint8 *rgba = palette_picture_new (formats[i], i);
    g_autofree guint8 *expected =
        palette_picture_oracle (rgba, &settings, NULL);
    g_autofree guint8 *result = NULL;

    fixture_set_caps (h, formats[i], WIDTH, HEIGHT);
    result = palette_picture_filter (h, formats[i], formats[i], rgba);
    palette_picture_assert_same (result, expected);
    fixture_harness_free (h);
  }
}

/* Downstream asks for another format than that of the input. Every third input format. */
static void
test_other_order (void)
{
  ReferencePaletteSettings settings = {.radius = 0.1,
    .walks = REFERENCE_WALKS_SHORTCUT
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i += 3) {
    const gchar *out = formats[(i + 3) % G_N_ELEMENTS (formats)];
    GstHarness *h =
        fixture_harness ("meanshiftpalette quality=exact radius=0.1");
    g_autofree guint8 *rgba = palette_picture_new (formats[i], i);
    g_autofree guint8 *expected =
        palette_picture_oracle (rgba, &settings, NULL);
    g_autofree guint8 *result = NULL;

    gst_harness_set_caps (h, fixture_caps (formats[i], WIDTH, HEIGHT),
        fixture_caps (out, WIDTH, HEIGHT));
    result = palette_picture_filter (h, formats[i], out, rgba);
    if (!palette_picture_has_alpha (out))
      for (guint k = 0; k < N_PIXELS; k++)
        expected[4 * k + 3] = 255;
    palette_picture_assert_same (result, expected);
    fixture_harness_free (h);
  }
}

/* transfer=auto uses the transfer function of the caps, or sRGB if they have none. */
static void
test_transfer (void)
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
    g_autofree guint8 *rgba = palette_picture_new ("RGBA", 9);
    g_autofree guint8 *expected =
        palette_picture_oracle (rgba, &settings, NULL);
    g_autofree guint8 *result = NULL;

    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING,
        cases[i].colorimetry, NULL);
    gst_harness_set_src_caps (h, caps);
    result = palette_picture_filter (h, "RGBA", "RGBA", rgba);
    palette_picture_assert_same (result, expected);
  }
}

/* Values that are set between two frames apply to the second frame. */
static void
test_change_while_playing (void)
{
  static const ReferencePaletteSettings cases[] = {
    {.radius = 0.02}, {.radius = 0.3},
    {.radius = 0.1, .weighting = REFERENCE_WEIGHTING_PALETTE},
    {.radius = 0.1, .iteration_limit = 3}, {.radius = 0.1, .chroma = 3},
    {.radius = 0.1, .transfer = REFERENCE_TRANSFER_LINEAR},
  };
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette quality=exact");
  g_autofree guint8 *rgba = palette_picture_new ("RGBA", 4);

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferencePaletteSettings settings = cases[i];
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *result = NULL;

    settings.walks = REFERENCE_WALKS_SHORTCUT;
    g_object_set (h->element, "radius", settings.radius, "chroma",
        settings.chroma, "iteration-limit", settings.iteration_limit, NULL);
    gst_util_set_object_arg (G_OBJECT (h->element), "weighting",
        settings.weighting == REFERENCE_WEIGHTING_PALETTE ? "palette"
        : "frequency");
    gst_util_set_object_arg (G_OBJECT (h->element), "transfer",
        settings.transfer == REFERENCE_TRANSFER_LINEAR ? "linear" : "srgb");
    expected = palette_picture_oracle (rgba, &settings, NULL);
    result = palette_picture_filter (h, "RGBA", "RGBA", rgba);
    palette_picture_assert_same (result, expected);
  }
}

/* Pixels with alpha below the threshold are not counted, and keep their bytes. */
static void
test_alpha_threshold (void)
{
  static const guint thresholds[] = { 1, 128, 255, 16 };
  const ReferencePaletteSettings settings = {.radius = 0.1,
    .walks = REFERENCE_WALKS_SHORTCUT};
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  g_autofree guint8 *rgba = palette_picture_new ("RGBA", 5);

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (thresholds); i++) {
    g_autofree guint8 *counted = g_memdup2 (rgba, N_PIXELS * 4);
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *result = NULL;

    for (guint k = 3; k < N_PIXELS * 4; k += 4)
      if (counted[k] < thresholds[i])
        counted[k] = 0;
    g_object_set (h->element, "alpha-threshold", thresholds[i], NULL);
    expected = palette_picture_oracle (counted, &settings, NULL);
    for (guint k = 3; k < N_PIXELS * 4; k += 4)
      expected[k] = rgba[k];
    result = palette_picture_filter (h, "RGBA", "RGBA", rgba);
    palette_picture_assert_same (result, expected);
  }
  fixture_harness_free (h);
}

/* The two elements exchange device memory: one upload, one download. */
static void
test_behind_blur (void)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box radius=1 name=a "
      "! meanshiftpalette quality=exact name=b");
  GstElement *a = fixture_child (h, "a");
  GstElement *b = fixture_child (h, "b");

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < 5; i++) {
    g_autofree guint8 *rgba = palette_picture_new ("RGBA", i);

    g_free (palette_picture_filter (h, "RGBA", "RGBA", rgba));
  }
  g_assert_cmpuint (fixture_stat (a, "uploads"), ==, fixture_transfers (5));
  g_assert_cmpuint (fixture_stat (a, "downloads"), ==, 0);
  g_assert_cmpuint (fixture_stat (b, "uploads"), ==, 0);
  g_assert_cmpuint (fixture_stat (b, "downloads"), ==, fixture_transfers (5));
  g_assert_cmpuint (fixture_stat (a, "waits-for-result"), ==, 0);
}

/* --- negotiation --- */

static void
assert_negotiates (const gchar * in, const gchar * downstream,
    const gchar * expected)
{
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette");
  g_autoptr (GstCaps) caps = NULL;

  gst_harness_set_sink_caps_str (h, downstream);
  fixture_set_caps (h, in, WIDTH, HEIGHT);
  gst_buffer_unref (gst_harness_push_and_pull (h, fixture_frame (in,
              WIDTH, HEIGHT, 1)));
  caps = gst_pad_get_current_caps (h->sinkpad);
  g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps, 0),
          "format"), ==, expected);
}

static void
test_negotiation (void)
{
  /* A harness has no preference: the output has the format of the input if possible. */
  assert_negotiates ("BGRA", "video/x-raw, format={ RGB, RGBA, BGRA }", "BGRA");
  assert_negotiates ("RGB", "video/x-raw, format={ RGBA, RGB }", "RGB");
  /* If not, alpha is kept if there is alpha. */
  assert_negotiates ("RGBA",
      "video/x-raw, format=RGB; video/x-raw, format=BGRA", "BGRA");
  assert_negotiates ("BGRA", "video/x-raw, format={ RGB, xRGB, ABGR }", "ABGR");
  assert_negotiates ("RGB", "video/x-raw, format={ ABGR, xBGR }", "xBGR");
  assert_negotiates ("RGB", "video/x-raw, format={ ARGB }", "ARGB");
}

static void
test_size_and_rate_stay (void)
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
  gst_buffer_unref (gst_harness_push_and_pull (h,
          fixture_frame ("RGB", 64, 48, 1)));
  result = gst_pad_get_current_caps (pad);
  g_assert_true (gst_caps_is_equal (result, caps));
  gst_caps_unref (result);
}

/* --- properties --- */

static void
test_properties (void)
{
  g_autoptr (GstElement) element = gst_object_ref_sink (fixture_make
      ("meanshiftpalette"));
  gdouble radius;
  gint weighting, transfer, quality;
  guint limit;

  g_object_get (element, "radius", &radius, "weighting", &weighting,
      "transfer", &transfer, "quality", &quality, "iteration-limit", &limit,
      NULL);
  g_assert_cmpfloat (radius, ==, 0.02);
  g_assert_cmpint (weighting | transfer, ==, 0);
  g_assert_cmpint (quality, ==, 1);
  g_assert_cmpuint (limit, ==, 0);
  fixture_check_refused (element, "radius", "1.74");
  g_object_get (element, "radius", &radius, NULL);
  g_assert_cmpfloat (radius, ==, 0.02);
}

/* --- statistics --- */

/* The waits for the last frame, and for all frames since the start. */
static void
test_waits_for_solver (void)
{
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  guint64 waits = 0;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < 4; i++) {
    g_autofree guint8 *rgba = palette_picture_new ("RGBA", i / 2);

    g_free (palette_picture_filter (h, "RGBA", "RGBA", rgba));
    g_assert_cmpuint (fixture_stat (h->element, "waits-for-solver"), >, 0);
    waits += fixture_stat (h->element, "waits-for-solver");
    g_assert_cmpuint (fixture_stat (h->element,
            "all-waits-for-solver"), ==, waits);
  }
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_harness_play (h);
  g_assert_cmpuint (fixture_stat (h->element, "all-waits-for-solver"), ==, 0);
  fixture_harness_free (h);
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
static void
test_no_room (void)
{
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  g_autofree guint8 *rgba = palette_picture_new ("RGBA", 2);
  g_autoptr (GpuDevice) device = NULL;
  PFN_vkAllocateMemory allocate;
  PFN_vkCreateBuffer create;
  g_autoptr (GstCaps) caps = NULL;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  /* All frame memory is allocated by then. */
  for (guint i = 0; i < 6; i++)
    g_free (palette_picture_filter (h, "RGBA", "RGBA", rgba));
  device = fixture_device_of (h->element);
  allocate = device->vk.vkAllocateMemory;
  create = device->vk.vkCreateBuffer;
  device->vk.vkAllocateMemory = refuse_memory;
  device->vk.vkCreateBuffer = refuse_buffer;
  caps = fixture_caps ("BGRA", WIDTH, HEIGHT);
  gst_harness_push_event (h, gst_event_new_caps (caps));
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (gst_harness_push (h, palette_picture_to_frame ("BGRA",
                rgba)), ==, GST_FLOW_NOT_NEGOTIATED);
  device->vk.vkAllocateMemory = allocate;
  device->vk.vkCreateBuffer = create;
  g_assert_cmpuint (fixture_take_messages (h->element,
          GST_MESSAGE_ERROR), ==, 1);
  gst_harness_push_event (h, gst_event_new_caps (caps));
  g_assert_cmpint (gst_harness_push (h, palette_picture_to_frame ("BGRA",
              rgba)), ==, GST_FLOW_OK);
  fixture_harness_free (h);
}

/* A region of the larger frame is cut to the cropped frame, and moved with it. */
static void
test_cropped_region (void)
{
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
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
  fixture_harness_free (h);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  fixture_share_device ();
  fixture_add ("/meanshiftpalette/properties", test_properties);
  fixture_add ("/meanshiftpalette/formats", test_formats);
  fixture_add ("/meanshiftpalette/other-order", test_other_order);
  fixture_add ("/meanshiftpalette/transfer", test_transfer);
  fixture_add ("/meanshiftpalette/change-while-playing",
      test_change_while_playing);
  fixture_add ("/meanshiftpalette/alpha-threshold", test_alpha_threshold);
  meanshiftpalette_sequence_add_tests ();
  fixture_add ("/meanshiftpalette/behind-blur", test_behind_blur);
  fixture_add ("/meanshiftpalette/cropped-region", test_cropped_region);
  fixture_add ("/meanshiftpalette/negotiation", test_negotiation);
  fixture_add ("/meanshiftpalette/size-and-rate-stay", test_size_and_rate_stay);
  fixture_add ("/meanshiftpalette/waits-for-solver", test_waits_for_solver);
  fixture_add ("/meanshiftpalette/no-room", test_no_room);
  return fixture_run ();
}
