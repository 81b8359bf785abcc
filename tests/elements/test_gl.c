/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in textures of GL: what comes out is the same, byte for byte, as from system memory. */
#include "gl_fixture.h"

#include "gpu/core/device/vulkan.h"

#define RADIUS 4
#define BOX "gpublur name=a kernel=box method=separable radius=4 "

static GstHarness *
play (const gchar * description, const gchar * format, guint width,
    guint height)
{
  GstHarness *harness = fixture_harness (description);

  gl_set_caps (harness, format, width, height);
  return harness;
}

static void
check_frames (GstHarness * harness, const gchar * format, guint width,
    guint height, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) out = gst_harness_push_and_pull (harness,
        gl_frame (format, width, height, i));

    g_assert_true (gl_is_frame (out));
    g_assert_true (fixture_is_box (out, BOX_OF (format, width, height, i,
                RADIUS)));
  }
}

/* Every format that is offered, with sizes that are odd. */
TEST_OF_GL (formats)
{
  const GValue *formats = port_formats (GL_MEMORY, "gpublur");

  g_assert_cmpuint (gst_value_list_get_size (formats), >, 10);
  for (guint i = 0; i < gst_value_list_get_size (formats); i++) {
    const gchar *format = g_value_get_string (gst_value_list_get_value (formats,
            i));
    g_autoptr (Harness) harness = play (BOX, format, 61, 37);
    g_autoptr (Harness) plain = fixture_play (BOX, format, 61, 37);

    g_test_message ("%s", format);
    for (guint seed = 0; seed < 2; seed++) {
      g_autoptr (GstBuffer) out = gst_harness_push_and_pull (harness,
          gl_frame (format, 61, 37, seed));
      g_autoptr (GstBuffer) expected = gst_harness_push_and_pull (plain,
          fixture_frame (format, 61, 37, seed));

      g_assert_true (gl_is_frame (out));
      port_assert_equal (out, expected, format, 61, 37);
    }
    port_check_stats (harness->element, GL_MEMORY, GL_MEMORY, 2);
  }
}

/* From one of our elements to the next, frames stay as they are. If the second has nothing to do,
 * it copies them to textures. */
TEST_OF_GL (between)
{
  static const gchar *const others[] = {
    "! gpublur name=b sigma=0",
    "! meanshiftpalette radius=0 name=b",
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autofree gchar *description = g_strconcat (BOX, others[i], NULL);
    g_autoptr (Harness) harness = play (description, "NV12", 61, 37);

    check_frames (harness, "NV12", 61, 37, 4);
    port_check_stats (fixture_child (harness, "a"), GL_MEMORY, "GstGpuMemory",
        4);
    port_check_stats (fixture_child (harness, "b"), "GstGpuMemory", GL_MEMORY,
        0);
  }
}

/* Both work: what GL copies for one frame is not overwritten for the next. */
TEST_OF_GL (both_work)
{
  static const gchar elements[] = BOX
      "! gpublur name=b kernel=box method=separable radius=4";
  g_autoptr (Harness) harness = play (elements, "RGBA", 61, 37);
  g_autoptr (Harness) plain = fixture_play (elements, "RGBA", 61, 37);

  for (guint i = 0; i < 8; i++)
    fixture_push (harness, gl_frame ("RGBA", 61, 37, i), GST_FLOW_OK);
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (harness);
    g_autoptr (GstBuffer) expected = gst_harness_push_and_pull (plain,
        fixture_frame ("RGBA", 61, 37, i));

    port_assert_equal (out, expected, "RGBA", 61, 37);
  }
  port_check_stats (fixture_child (harness, "b"), "GstGpuMemory", GL_MEMORY, 8);
}

/* Any rectangle of a larger frame; the meta does not come out. */
static void
check_crop (void)
{
  g_autoptr (Harness) harness = play (BOX, "NV12", 30, 20);

  port_check_crop (harness, BOX, gl_frame ("NV12", 61, 37, 1));
}

TEST_OF_GL (crop)
{
  check_crop ();
}

/* The pool of downstream is used. */
TEST_OF_GL (their_pool)
{
  GstBufferPool *pool = gl_pool ("RGBA", 61, 37);
  g_autoptr (Harness) harness = fixture_harness (BOX);
  g_autoptr (GstBuffer) out = NULL;

  port_propose_pool (harness, pool);
  gl_set_caps (harness, "RGBA", 61, 37);
  out = gst_harness_push_and_pull (harness, gl_frame ("RGBA", 61, 37, 3));
  g_assert_true (out->pool == pool);
  g_assert_true (fixture_is_box (out, BOX_OF ("RGBA", 61, 37, 3, RADIUS)));
}

/* To other sizes and formats, to system memory, and back. */
TEST_OF_GL (changes)
{
  g_autoptr (Harness) harness = play (BOX, "RGBA", 61, 37);

  for (guint i = 0; i < 2; i++) {
    check_frames (harness, "RGBA", 61, 37, 2);
    fixture_flush (harness);
    gl_set_caps (harness, "NV12", 61, 37);
    check_frames (harness, "NV12", 61, 37, 2);
    gl_set_caps (harness, "I420", 33, 20);
    check_frames (harness, "I420", 33, 20, 2);
    fixture_set_caps (harness, "RGBA", 33, 20);
    fixture_check_box (harness, fixture_frame ("RGBA", 33, 20, i),
        BOX_OF ("RGBA", 33, 20, i, RADIUS));
    gl_set_caps (harness, "RGBA", 61, 37);
  }
  fixture_restart (harness);
  gl_set_caps (harness, "RGBA", 61, 37);
  check_frames (harness, "RGBA", 61, 37, 2);
  fixture_set (harness->element, "radius", "0");
  g_assert_true (fixture_passes (harness, gl_frame ("RGBA", 61, 37, 1)));
}

/* What is not in textures that the pipeline shares, or in smaller ones, is dropped, with one
 * warning; the next frame is worked on. */
TEST_OF_GL (bad_frames)
{
  g_autoptr (Harness) harness = play (BOX, "RGBA", 61, 37);
  GstBuffer *outside = gl_frame ("RGBA", 70, 70, 1);

  port_crop (outside, 10, 10, 61, 37);
  fixture_push (harness, outside, GST_FLOW_OK);
  fixture_push (harness, fixture_frame ("RGBA", 61, 37, 1), GST_FLOW_OK);
  fixture_push (harness, gl_frame_of_another ("RGBA", 61, 37), GST_FLOW_OK);
  fixture_push (harness, gl_frame ("RGBA", 60, 37, 1), GST_FLOW_OK);
  fixture_push (harness, gl_frame ("NV12", 61, 37, 1), GST_FLOW_OK);
  fixture_check_stat (harness->element, "dropped", 5);
  fixture_take_warning (harness->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_READ, "no textures");
  check_frames (harness, "RGBA", 61, 37, 1);
}

/* Upstream may have a context that nobody shares yet, or none. */
TEST_OF_GL (contexts)
{
  g_autoptr (Harness) harness = fixture_harness (BOX);

  gl_answer = GL_DISPLAY;
  gl_set_caps (harness, "RGBA", 61, 37);
  check_frames (harness, "RGBA", 61, 37, 2);
  fixture_restart (harness);
  gl_answer = GL_NOTHING;
  gl_set_caps (harness, "RGBA", 61, 37);
  fixture_push (harness, gl_frame ("RGBA", 61, 37, 1), GST_FLOW_OK);
  fixture_check_stat (harness->element, "dropped", 1);
  gl_answer = GL_CONTEXT;
}

/* Each function of GL that can fail, at first or in the middle of the stream: the frame does not
 * come out, the message says what to do, and nothing is left behind. */
TEST_OF_GL (failures)
{
  static const struct
  {
    const gchar *function;
    guint after;                /* so many that succeed */
    guint n_frames;             /* that come out */
  } cases[] = {
    {"glImportMemoryFdEXT", 0, 0},
    {"glImportMemoryFdEXT", 1, 0}, {"glTexStorageMem2DEXT", 0, 0},
    {"glTexStorageMem2DEXT", 1, 0}, {"glCopyImageSubData", 0, 0},
    {"glCopyImageSubData", 1, 0}, {"glCopyImageSubData", 2, 1},
    {"glCopyImageSubData", 3, 1},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gint memories = gl_count_memories ();
    const guint files = tests_count_files ();
    Harness *harness = fixture_harness (BOX);
    GstFlowReturn flow = GST_FLOW_OK;

    g_test_message ("%s, %u", cases[i].function, cases[i].after);
    gl_fail (cases[i].function, cases[i].after);
    gl_set_caps (harness, "RGBA", 61, 37);
    for (guint n = 0; n < 2 && flow == GST_FLOW_OK; n++)
      flow = gst_harness_push (harness, gl_frame ("RGBA", 61, 37, n));
    gl_fail (NULL, 0);
    g_assert_cmpuint (gst_harness_buffers_received (harness), ==,
        cases[i].n_frames);
    fixture_take_error (harness->element, GST_LIBRARY_ERROR,
        GST_LIBRARY_ERROR_FAILED, "gldownload ! video/x-raw");
    fixture_harness_free (harness);
    g_assert_cmpint (gl_count_memories (), ==, memories);
    g_assert_cmpuint (tests_count_files (), ==, files);
  }
}

static VkResult VKAPI_CALL
refuse_file (VkDevice device, const VkMemoryGetFdInfoKHR * info, int *fd)
{
  return VK_ERROR_TOO_MANY_OBJECTS;
}

/* Vulkan cannot export when frames of another size come. */
TEST_OF_GL (refused_export)
{
  g_autoptr (Harness) harness = play (BOX, "RGBA", 61, 37);
  g_autoptr (GpuDevice) device = fixture_device_of (harness->element);
  const PFN_vkGetMemoryFdKHR get = device->vk.vkGetMemoryFdKHR;
  const guint files = tests_count_files ();

  check_frames (harness, "RGBA", 61, 37, 1);
  device->vk.vkGetMemoryFdKHR = refuse_file;
  gl_set_caps (harness, "RGBA", 33, 20);
  fixture_push (harness, gl_frame ("RGBA", 33, 20, 1), GST_FLOW_ERROR);
  device->vk.vkGetMemoryFdKHR = get;
  fixture_take_error (harness->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "a shared image");
  g_assert_cmpuint (tests_count_files (), <=, files);
}

static void
check_flags (GstHarness * harness)
{
  GstBuffer *frame = gl_frame ("NV12", 61, 37, 1);
  g_autoptr (GstBuffer) out = NULL;

  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_CORRUPTED);
  out = gst_harness_push_and_pull (harness, frame);
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_CORRUPTED));
}

/* Frames that a device cannot copy are copied by the CPU, with one warning. */
static void
check_copies (const gchar * reason)
{
  g_autoptr (Harness) harness = fixture_harness (BOX);

  for (guint i = 0; i < 2; i++) {
    gl_set_caps (harness, i == 0 ? "RGBA" : "NV12", 61, 37);
    check_frames (harness, i == 0 ? "RGBA" : "NV12", 61, 37, 2);
  }
  fixture_check_stat (harness->element, "frames", 4);
  fixture_check_stat (harness->element, "frames-copied", 8);
  check_flags (harness);
  fixture_take_warning (harness->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, reason);
  fixture_restart (harness);
  gl_set_caps (harness, "RGBA", 61, 37);
  check_frames (harness, "RGBA", 61, 37, 1);
  fixture_set (harness->element, "radius", "0");
  g_assert_true (fixture_passes (harness, gl_frame ("RGBA", 61, 37, 1)));
}

/* GL cannot say what its device is; Vulkan's is of another driver, or is another one. */
TEST_OF_GL (copies)
{
  GpuDevice *device = fixture_device ();

  gl_fail ("glGetUnsignedBytevEXT", 0);
  check_crop ();
  gl_fail ("glGetUnsignedBytevEXT", 0);
  check_copies ("does not say what its device is");
  gl_fail (NULL, 0);
  device->info.driver_uuid[0] ^= 1;
  check_copies ("does not share memory");
  device->info.driver_uuid[0] ^= 1;
}

/* From one of our elements to the next, which has nothing to do. */
TEST_OF_GL (copies_between)
{
  g_autoptr (Harness) harness = fixture_harness (BOX
      "! gpublur name=b sigma=0");

  gl_fail ("glGetUnsignedBytevEXT", 0);
  gl_set_caps (harness, "NV12", 61, 37);
  gl_fail (NULL, 0);
  check_frames (harness, "NV12", 61, 37, 3);
  fixture_check_stat (fixture_child (harness, "a"), "frames-copied", 3);
  fixture_check_stat (fixture_child (harness, "b"), "frames-copied", 3);
}

/* A Vulkan device that exports nothing. */
TEST_OF_GL (no_exports)
{
  g_autoptr (Harness) harness = fixture_harness (BOX);
  g_autoptr (GpuDevice) device = fixture_device_of (harness->element);
  g_autoptr (GstCaps) before = gst_pad_peer_query_caps (harness->srcpad, NULL);
  g_autoptr (GstCaps) after = NULL;

  g_assert_true (port_is_in (GL_MEMORY, before));
  device->info.exports_memory = FALSE;
  after = gst_pad_peer_query_caps (harness->srcpad, NULL);
  g_assert_false (port_is_in (GL_MEMORY, after));
  device->info.exports_memory = TRUE;
}

/* Another device takes the place of one that was lost. The last test: the fixture's
 * device is of no use after it. */
TEST_OF_GL (loss)
{
  const gint memories = gl_count_memories ();
  Harness *harness = play (BOX "on-device-lost=recover", "RGBA", 61, 37);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GpuDevice) device = fixture_device_of (harness->element);

    check_frames (harness, "RGBA", 61, 37, 2);
    gpu_device_mark_lost (device);
    gst_harness_push (harness, gl_frame ("RGBA", 61, 37, 1));
    gst_buffer_unref (gst_harness_pull (harness));
  }
  check_frames (harness, "RGBA", 61, 37, 2);
  fixture_harness_free (harness);
  g_assert_cmpint (gl_count_memories (), ==, memories);
}

GL_MAIN ("/gl/")
