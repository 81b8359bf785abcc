/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of elements share. They run on the device that the environment
 * variable GPU_TEST_DEVICE selects, or the best. Where GPU_TEST_MEMORY is
 * "two-sides" no memory is the device's and the CPU's, whatever the driver says:
 * frames are then copied as they are on cards. */
#pragma once

#include "gpu/core/device/device.h"
#include "tests.h"
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* Of main(): g_test_init(), gst_init(), and our elements without the plugin.
 * Ends in the exit status. Where there is no device every test is skipped. The paths of all
 * tests begin with @prefix, which is static. */
void fixture_init (int *argc, char ***argv, const gchar * prefix);
int fixture_run (void);

/* main() of a program that does no more; and of one whose single elements are given the
 * fixture's device, see fixture_share_device(). */
#define FIXTURE_MAIN(prefix) FIXTURE_MAIN_AFTER (prefix, (void) 0)
#define FIXTURE_MAIN_SHARING(prefix) \
  FIXTURE_MAIN_AFTER (prefix, fixture_share_device ())
#define FIXTURE_MAIN_AFTER(prefix, begin) \
  int \
  main (int argc, char **argv) \
  { \
    fixture_init (&argc, &argv, prefix); \
    begin; \
    return fixture_run (); \
  }

/* From now on single elements are given the fixture's device: one of its own
 * costs each seconds of compiling shaders on a CPU. Those of a bin find one for
 * themselves. Of main(). */
void fixture_share_device (void);

/* The same with another device, of which a reference is taken over: the tests run on it
 * from now on. */
void fixture_replace_device (GpuDevice * device);

/* The device that the tests run on: a reference of the fixture's own, but not
 * the one that elements open unless it is shared. */
GpuDevice *fixture_device (void);

/* How many of @n transfers of frames take place: none where the device and the
 * CPU share memory. */
guint fixture_transfers (guint n);

/* An element, or a bin of several linked ones. Their messages go to the bus
 * of the element that is returned. */
GstElement *fixture_make (const gchar * description);
/* The same, playing between the pads of a harness. */
GstHarness *fixture_harness (const gchar * description);
typedef GstHarness Harness;
/* The same with caps: see fixture_set_caps(). */
GstHarness *fixture_play (const gchar * description, const gchar * format,
    guint width, guint height);
/* To READY, and from there to frames of another stream, which needs caps. */
void fixture_restart (GstHarness * harness);
/* Flushes without a reset of the running time, and begins a segment from 0. */
void fixture_flush (GstHarness * harness);
/* Also sets the element to NULL. */
void fixture_harness_free (GstHarness * harness);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Harness, fixture_harness_free);

/* An element in no harness; a reference, with which it stops. */
typedef GstElement LoneElement;
LoneElement *fixture_element (const gchar * description);
void fixture_element_free (LoneElement * element);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoneElement, fixture_element_free);

/* Sets a property, as gst-launch-1.0 reads it. */
void fixture_set (GstElement * element, const gchar * property,
    const gchar * value);

/* An element inside of the harness' bin; owned by the bin. */
GstElement *fixture_child (GstHarness * harness, const gchar * name);

/* The device that elements of the harness use; a reference. */
GpuDevice *fixture_device_of (GstElement * element);

/* A number in the statistics of the element, and what it is. */
guint64 fixture_stat (GstElement * element, const gchar * name);
#define fixture_check_stat(element, name, value) \
    g_assert_cmpuint (fixture_stat (element, name), ==, value)

/* How many messages of @type wait on the bus; takes them. */
guint fixture_take_messages (GstElement * element,
    GstMessageType type);
#define fixture_check_messages(element, type, n) \
    g_assert_cmpuint (fixture_take_messages (element, type), ==, n)
/* Takes the errors, too: there is one, of this kind, which has @words in it. */
void fixture_take_error (GstElement * element, GQuark domain,
    gint code, const gchar * words);
/* The same of warnings. */
void fixture_take_warning (GstElement * element, GQuark domain,
    gint code, const gchar * words);
/* How many warnings a pipeline posts of being on the CPU, if the environment does not allow
 * that, as it does in tests: none where it names the device. */
guint fixture_cpu_warnings (void);

/* Sets a property to what it does not take: GObject says so, and names the property. */
void fixture_check_refused (GstElement * element,
    const gchar * property, const gchar * value);

/* A number, a boolean or an enumeration, which can change while frames flow and which a
 * controller can drive. */
typedef struct
{
  const gchar *name;
  gdouble least, most;          /* of a number */
  gdouble usual, other;         /* its default, and what it can be set to */
  const gchar *refused;         /* what it cannot be set to; NULL: nothing is tried */
} FixtureProperty;

void fixture_check_properties (const gchar * element,
    const FixtureProperty * properties, guint n);

/* "video/x-raw" of a format and size, 25 frames a second. */
GstCaps *fixture_caps (const gchar * format, guint width,
    guint height);
void fixture_set_caps (GstHarness * harness, const gchar * format,
    guint width, guint height);

/* Sets caps as well. The pool that the element proposes for them, active, with a
 * single buffer; a reference. */
GstBufferPool *fixture_take_pool (GstHarness * harness,
    const gchar * format, guint width, guint height);
/* That buffer, once nobody has it any more; a reference. */
GstBuffer *fixture_acquire (GstBufferPool * pool);
/* Also ends it. */
void fixture_release_pool (GstBufferPool * pool);

/* Pushes @buffer, and takes its reference: what that returns. */
#define fixture_push(harness, buffer, flow) \
    g_assert_cmpint (gst_harness_push (harness, buffer), ==, flow)
/* The same, of a frame whose output does not matter. */
#define fixture_show(harness, buffer) \
    gst_buffer_unref (gst_harness_push_and_pull (harness, buffer))

/* Of frames whose size does not matter: odd, and not of whole words. */
#define SMALL "RGBA", 33, 20

/* A frame of noise, opaque, in system memory and the default layout. Equal
 * seeds give equal frames. */
GstBuffer *fixture_frame (const gchar * format, guint width,
    guint height, guint seed);
/* Fills a frame in any memory and layout with the same noise. */
void fixture_fill (GstBuffer * buffer, const GstVideoInfo * info,
    guint seed);

/* A frame of noise after a box blur with clamped edges. */
typedef struct
{
  const gchar *format;
  guint width, height;
  guint seed;                   /* of the noise */
  guint radius;                 /* half-width, even; 0: unchanged */
  gboolean of_fields;           /* of each by itself, with half the radius, which is
                                   whole in every plane, down columns */
} ElementBox;

/* One for a call, by its members in their order. */
#define BOX_OF(...) (&(const ElementBox) { __VA_ARGS__ })

/* Whether @buffer is @box, exactly. */
gboolean fixture_is_box (GstBuffer * buffer, const ElementBox * box);
/* Ends the program where bytes differ. */
void fixture_assert_equal (GstBuffer * got, GstBuffer * expected);
/* Pushes @buffer, the frame of noise, and takes its reference: what comes out is
 * @box. */
void fixture_check_box (GstHarness * harness, GstBuffer * buffer,
    const ElementBox * box);
/* Pushes @buffer, and takes its reference. Whether it comes out as it is, the
 * same buffer. */
gboolean fixture_passes (GstHarness * harness, GstBuffer * buffer);

G_END_DECLS
