/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette as an element: properties, formats, the bytes of quality=exact against the
 * oracle, frames of which it knows some colours from the frames before, and statistics. */
#include "element_fixture.h"
#include "generated.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_hooks.h"
#include "palette_element_fixture.h"

#include <string.h>

#define WIDTH 40
#define HEIGHT 22
#define N_PIXELS (WIDTH * HEIGHT)

/* --- pictures: tightly packed bytes R, G, B, A --- */

static void
video_info (GstVideoInfo * info, const gchar * format)
{
  gst_video_info_set_format (info, gst_video_format_from_string (format),
      WIDTH, HEIGHT);
}

/* Copies between tightly packed RGBA and a frame. A component that one of them lacks is not
 * changed. */
static void
convert (GstBuffer * buffer, const gchar * format, guint8 * rgba,
    gboolean to_frame)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  guint n;

  video_info (&info, format);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer,
          to_frame ? GST_MAP_WRITE : GST_MAP_READ));
  n = GST_VIDEO_FRAME_N_COMPONENTS (&frame);
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      for (guint c = 0; c < n; c++) {
        guint8 *sample = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, c)
            + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c)
            + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c);
        guint8 *tight = rgba + 4 * (y * WIDTH + x) + c;

        if (to_frame)
          *sample = *tight;
        else
          *tight = *sample;
      }
  gst_video_frame_unmap (&frame);
}

static GstBuffer *
frame_of (const gchar * format, guint8 * rgba)
{
  GstVideoInfo info;
  GstBuffer *buffer;

  video_info (&info, format);
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (buffer, 0, 0xff, info.size);
  convert (buffer, format, rgba, TRUE);
  return buffer;
}

static guint8 *
filter (GstHarness * h, const gchar * in, const gchar * out, guint8 * rgba)
{
  GstBuffer *buffer = gst_harness_push_and_pull (h, frame_of (in, rgba));
  guint8 *result = g_malloc (4 * N_PIXELS);

  g_assert_nonnull (buffer);
  memset (result, 0xff, 4 * N_PIXELS);
  convert (buffer, out, result, FALSE);
  gst_buffer_unref (buffer);
  return result;
}

static guint8 *
oracle (const guint8 * rgba,
    const ReferencePaletteSettings * settings, ReferencePaletteStats * stats)
{
  guint8 *result = g_malloc (4 * N_PIXELS);

  reference_palette (settings, rgba, WIDTH, HEIGHT, result, stats);
  return result;
}

static void
assert_same (const guint8 * result, const guint8 * expected)
{
  g_assert_cmpmem (result, 4 * N_PIXELS, expected, 4 * N_PIXELS);
}

static gboolean
has_alpha (const gchar * format)
{
  return strchr (format, 'A') != NULL;
}

static guint8 *
picture_new (const gchar * format, guint seed)
{
  guint8 *rgba = generated_picture_new (has_alpha (format) ? "alpha-noise"
      : "noise", WIDTH, HEIGHT, seed);

  return rgba;
}

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
    g_autofree guint8 *rgba = picture_new (formats[i], i);
    g_autofree guint8 *expected = oracle (rgba, &settings, NULL);
    g_autofree guint8 *result = NULL;

    fixture_set_caps (h, formats[i], WIDTH, HEIGHT);
    result = filter (h, formats[i], formats[i], rgba);
    assert_same (result, expected);
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
    g_autofree guint8 *rgba = picture_new (formats[i], i);
    g_autofree guint8 *expected = oracle (rgba, &settings, NULL);
    g_autofree guint8 *result = NULL;

    gst_harness_set_caps (h, fixture_caps (formats[i], WIDTH, HEIGHT),
        fixture_caps (out, WIDTH, HEIGHT));
    result = filter (h, formats[i], out, rgba);
    if (!has_alpha (out))
      for (guint k = 0; k < N_PIXELS; k++)
        expected[4 * k + 3] = 255;
    assert_same (result, expected);
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
    g_autofree guint8 *rgba = picture_new ("RGBA", 9);
    g_autofree guint8 *expected = oracle (rgba, &settings, NULL);
    g_autofree guint8 *result = NULL;

    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING,
        cases[i].colorimetry, NULL);
    gst_harness_set_src_caps (h, caps);
    result = filter (h, "RGBA", "RGBA", rgba);
    assert_same (result, expected);
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
  g_autoptr (Harness) h =
      fixture_play ("meanshiftpalette quality=exact", "RGBA", WIDTH, HEIGHT);
  g_autofree guint8 *rgba = picture_new ("RGBA", 4);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferencePaletteSettings settings = cases[i];
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *result = NULL;

    settings.walks = REFERENCE_WALKS_SHORTCUT;
    g_object_set (h->element, "radius", settings.radius, "chroma",
        settings.chroma, "iteration-limit", settings.iteration_limit, NULL);
    fixture_set (h->element, "weighting", settings.weighting ==
        REFERENCE_WEIGHTING_PALETTE ? "palette" : "frequency");
    fixture_set (h->element, "transfer",
        settings.transfer == REFERENCE_TRANSFER_LINEAR ? "linear" : "srgb");
    expected = oracle (rgba, &settings, NULL);
    result = filter (h, "RGBA", "RGBA", rgba);
    assert_same (result, expected);
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
  g_autofree guint8 *rgba = picture_new ("RGBA", 5);

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (thresholds); i++) {
    g_autofree guint8 *counted = g_memdup2 (rgba, N_PIXELS * 4);
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *result = NULL;

    for (guint k = 3; k < N_PIXELS * 4; k += 4)
      if (counted[k] < thresholds[i])
        counted[k] = 0;
    g_object_set (h->element, "alpha-threshold", thresholds[i], NULL);
    expected = oracle (counted, &settings, NULL);
    for (guint k = 3; k < N_PIXELS * 4; k += 4)
      expected[k] = rgba[k];
    result = filter (h, "RGBA", "RGBA", rgba);
    assert_same (result, expected);
  }
  fixture_harness_free (h);
}

/* The two elements exchange device memory: one upload, one download. */
static void
test_behind_blur (void)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=box radius=1 name=a "
      "! meanshiftpalette quality=exact name=b", "RGBA", WIDTH, HEIGHT);
  GstElement *a = fixture_child (h, "a");
  GstElement *b = fixture_child (h, "b");

  for (guint i = 0; i < 5; i++) {
    g_autofree guint8 *rgba = picture_new ("RGBA", i);

    g_free (filter (h, "RGBA", "RGBA", rgba));
  }
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

/* Each frame has the same output as if it came alone, whether it differs a little, a lot or
 * not at all from the frame before. Unchanged colours are not solved again. */
static void
test_sequence (void)
{
  static const struct
  {
    guint seed, changed;        /* picture; pixels turned to grey */
    gboolean solved;
  } frames[] = {
    {1, 0, TRUE}, {1, 0, FALSE}, {1, 5, TRUE}, {1, 5, FALSE}, {2, 0, TRUE},
    {1, 0, TRUE},
  };
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  ReferencePaletteSettings settings = {.radius = 0.1,
    .walks = REFERENCE_WALKS_SHORTCUT
  };

  fixture_set_caps (h, "RGBx", WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autofree guint8 *rgba = picture_new ("RGBx", frames[i].seed);
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *result = NULL;
    ReferencePaletteStats stats;

    memset (rgba, 0x80, frames[i].changed * 4);
    for (guint k = 0; k < N_PIXELS; k++)
      rgba[4 * k + 3] = 255;
    expected = oracle (rgba, &settings, &stats);
    result = filter (h, "RGBx", "RGBx", rgba);
    assert_same (result, expected);
    g_assert_cmpint (palette_was_solved (h->element), ==, frames[i].solved);
    fixture_check_stat (h->element, "colors", stats.n_colours);
    fixture_check_stat (h->element, "modes", stats.n_output_colours);
    check_reuse (h->element, i == 0, frames[i].solved);
  }
  fixture_harness_free (h);
}

/* --- a film that goes on --- */

/* Changes a property or the caps, or flushes, before one frame in eight. */
static void
disturb (GstHarness * h, GRand * random, const gchar ** format)
{
  static const gdouble radii[] = { 0.05, 0.1 };
  static const gchar *const opaque[] = { "RGBx", "BGRx", "RGB" };

  switch (g_rand_int_range (random, 0, 40)) {
    case 0:
      g_object_set (h->element, "radius", radii[g_rand_int_range (random, 0,
                  G_N_ELEMENTS (radii))], NULL);
      break;
    case 1:
      fixture_set (h->element, "weighting",
          g_rand_boolean (random) ? "palette" : "frequency");
      break;
    case 2:
      g_object_set (h->element, "min-frequency",
          (guint) g_rand_int_range (random, 1, 4), NULL);
      break;
    case 3:
      *format = opaque[g_rand_int_range (random, 0, G_N_ELEMENTS (opaque))];
      fixture_set_caps (h, *format, WIDTH, HEIGHT);
      break;
    case 4:
      fixture_flush (h);
      break;
  }
}

/* Gives some pixels a similar colour, or the colour of another pixel. */
static void
edit (GRand * random, guint8 * rgba)
{
  guint n = g_rand_int_range (random, 0, 12);

  for (guint i = 0; i < n; i++) {
    guint8 *pixel = rgba + 4 * g_rand_int_range (random, 0, N_PIXELS);

    if (i & 1)
      memcpy (pixel, rgba + 4 * g_rand_int_range (random, 0, N_PIXELS), 4);
    else
      pixel[g_rand_int_range (random, 0, 3)] ^= g_rand_int_range (random, 1, 8);
  }
}

/* Each frame has the same output as if it came alone, whatever is known from earlier frames.
 * For some frames only a part of the colours is solved. */
static void
test_edits (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  GstHarness *h =
      fixture_harness ("meanshiftpalette quality=exact radius=0.05");
  const gchar *format = "RGBx";
  g_autofree guint8 *rgba = picture_new (format, 1);
  guint n_partly = 0;

  fixture_set_caps (h, format, WIDTH, HEIGHT);
  for (guint i = 0; i < 25; i++) {
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *result = NULL;
    ReferencePaletteSettings settings;
    guint64 solved;

    edit (random, rgba);
    disturb (h, random, &format);
    settings = palette_settings (h->element);
    settings.walks = REFERENCE_WALKS_SHORTCUT;
    expected = oracle (rgba, &settings, NULL);
    result = filter (h, format, format, rgba);
    assert_same (result, expected);
    solved = fixture_stat (h->element, "solved-colors");
    n_partly += solved > 0 && solved < fixture_stat (h->element, "colors");
  }
  g_assert_cmpuint (n_partly, >, 10);
  fixture_harness_free (h);
}

/* New caps that describe the same frames cause no solving, and create no Vulkan object. Caps
 * that change the meaning of codes do. */
static void
test_caps_of_same_frames (void)
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
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  g_autofree guint8 *rgba = picture_new ("RGB", 1);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);

  gpu_hooks_install (device);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    g_autofree gchar *all = g_strdup_printf ("video/x-raw, format=RGB, "
        "width=%u, height=%u, %s", WIDTH, HEIGHT, caps[i].fields);
    guint made = gpu_hooks_get_made ();

    gst_harness_set_src_caps (h, gst_caps_from_string (all));
    /* The staging and output pools fill up within the first frames. */
    for (guint k = 0; k < 6; k++) {
      g_free (filter (h, "RGB", "RGB", rgba));
      g_assert_cmpint (palette_was_solved (h->element), ==,
          caps[i].solved && k == 0);
    }
    if (!caps[i].solved)
      g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  }
  gpu_hooks_remove (device);
  fixture_harness_free (h);
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
  fixture_show (h, fixture_frame (in, WIDTH, HEIGHT, 1));
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
  fixture_show (h, fixture_frame ("RGB", 64, 48, 1));
  result = gst_pad_get_current_caps (pad);
  g_assert_true (gst_caps_is_equal (result, caps));
  gst_caps_unref (result);
}

/* --- properties --- */

static void
test_properties (void)
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
static void
test_waits_for_solver (void)
{
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  guint64 waits = 0;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < 4; i++) {
    g_autofree guint8 *rgba = picture_new ("RGBA", i / 2);

    g_free (filter (h, "RGBA", "RGBA", rgba));
    g_assert_cmpuint (fixture_stat (h->element, "waits-for-solver"), >, 0);
    waits += fixture_stat (h->element, "waits-for-solver");
    fixture_check_stat (h->element, "all-waits-for-solver", waits);
  }
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_harness_play (h);
  fixture_check_stat (h->element, "all-waits-for-solver", 0);
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
  g_autofree guint8 *rgba = picture_new ("RGBA", 2);
  g_autoptr (GpuDevice) device = NULL;
  PFN_vkAllocateMemory allocate;
  PFN_vkCreateBuffer create;
  g_autoptr (GstCaps) caps = NULL;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  /* All frame memory is allocated by then. */
  for (guint i = 0; i < 6; i++)
    g_free (filter (h, "RGBA", "RGBA", rgba));
  device = fixture_device_of (h->element);
  allocate = device->vk.vkAllocateMemory;
  create = device->vk.vkCreateBuffer;
  device->vk.vkAllocateMemory = refuse_memory;
  device->vk.vkCreateBuffer = refuse_buffer;
  caps = fixture_caps ("BGRA", WIDTH, HEIGHT);
  gst_harness_push_event (h, gst_event_new_caps (caps));
  for (guint i = 0; i < 3; i++)
    fixture_push (h, frame_of ("BGRA", rgba), GST_FLOW_NOT_NEGOTIATED);
  device->vk.vkAllocateMemory = allocate;
  device->vk.vkCreateBuffer = create;
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 1);
  gst_harness_push_event (h, gst_event_new_caps (caps));
  fixture_push (h, frame_of ("BGRA", rgba), GST_FLOW_OK);
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
  fixture_init (&argc, &argv, "/meanshiftpalette/");
  fixture_share_device ();
  fixture_add ("properties", test_properties);
  fixture_add ("formats", test_formats);
  fixture_add ("other-order", test_other_order);
  fixture_add ("transfer", test_transfer);
  fixture_add ("change-while-playing", test_change_while_playing);
  fixture_add ("alpha-threshold", test_alpha_threshold);
  fixture_add ("sequence", test_sequence);
  fixture_add ("edits", test_edits);
  fixture_add ("caps-of-same-frames", test_caps_of_same_frames);
  fixture_add ("behind-blur", test_behind_blur);
  fixture_add ("cropped-region", test_cropped_region);
  fixture_add ("negotiation", test_negotiation);
  fixture_add ("size-and-rate-stay", test_size_and_rate_stay);
  fixture_add ("waits-for-solver", test_waits_for_solver);
  fixture_add ("no-room", test_no_room);
  return fixture_run ();
}
