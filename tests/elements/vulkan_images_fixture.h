/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of images share: pipelines of our elements between "vulkanupload" and
 * "vulkandownload" of GStreamer. The first of our elements is named "a", another one "b". */
#pragma once

#include "gpu/core/device/vulkan.h"
#include "element_fixture.h"
#include "pipeline_fixture.h"
#include <gst/vulkan/vulkan.h>

G_BEGIN_DECLS

#define IMAGES "video/x-raw(memory:VulkanImage)"

/* Each of the frames differs from the one before. */
#define N_FRAMES 4
#define PICTURES "videotestsrc pattern=zone-plate kx2=20 ky2=20 kt=1 num-buffers=4 " \
    "! video/x-raw, format="

/* GStreamer 1.26 itself uploads NV12 and NV21 of other sizes wrongly. */
#define ODD ", width=61, height=37 "
#define EVEN ", width=64, height=40 "

/* Of a fixed method: which one is fastest may change from frame to frame. */
#define BLUR "gpublur name=a method=separable sigma=3 "

/* Defines a test that is skipped where GStreamer's elements are missing. */
#define TEST_OF_IMAGES(name) \
  static void run_##name (void); \
  TEST (name) \
  { \
    if (images_can_be_made ()) \
      run_##name (); \
  } \
  static void \
  run_##name (void)

/* Skips the test at hand if they cannot. */
gboolean images_can_be_made (void);

/* From @source through @filters to an app sink, in images or in system memory. */
GstElement *images_launch (const gchar * source, const gchar * filters,
    gboolean in_images);

/* At pad @name of @element, "a" or "b". */
void images_add_probe (GstElement * pipeline, const gchar * element,
    const gchar * name, GstPadProbeType type, GstPadProbeCallback callback,
    gpointer data);

/* GStreamer's device, of which @element tells at the pad @name; a reference, or NULL. */
GObject *images_ask_for_device (GstElement * element, const gchar * name);

/* The device of a filter; a reference. Filters tell their neighbours of none that they share
 * with GStreamer's elements. */
GpuDevice *images_device_of (GstElement * filter);

/* Mesa's CPU device (25.0) says that work is done, and then notes in its semaphores what they
 * have reached. GStreamer looks at the first alone, may free them in between, and crashes, also
 * without our elements. Call this before anything is freed. */
void images_settle (GstElement * pipeline);
/* A probe: does so before new caps. @data: the pipeline. */
GstPadProbeReturn images_settle_before_caps (GstPad * pad,
    GstPadProbeInfo * info, gpointer data);

/* Settles it, and unrefs it, too. */
void images_stop (GstElement * pipeline);

/* All that has been done with the images in @buffer is done, soon. */
void images_wait (GstPad * pad, GstBuffer * buffer);
/* A probe: waits for the upload of the frame, if it is in images. GStreamer 1.26 does not, and
 * writes the next frame over the one that it uploads. Where all is in one thread, the download
 * waits. */
GstPadProbeReturn images_wait_for_upload (GstPad * pad, GstPadProbeInfo * info,
    gpointer unused);

gboolean images_are_in (GstCaps * caps);

/* Filter @name, if there is one, has worked on @n frames, and the CPU on none of images. */
void images_check_stats (GstElement * pipeline, const gchar * name,
    gboolean in_images, guint n);

/* All frames that come out. The filters work on @n of them. */
GByteArray *images_collect (GstElement * pipeline, gboolean in_images, guint n);

void images_assert_same (const GByteArray * got, const GByteArray * expected);

G_END_DECLS
