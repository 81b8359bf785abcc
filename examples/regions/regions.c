/* SPDX-License-Identifier: 0BSD */
/* usage: regions [SINK]
 *
 * Pixelates what a detector finds: a probe adds a region to each frame, and gpublur
 * pixelates it. A detector that is an element, and adds regions itself, needs no probe.
 * Build it with
 *
 *   gcc regions.c -o regions $(pkg-config --cflags --libs gstreamer-video-1.0)
 *
 * SINK is what a pipeline of gst-launch-1.0 can end with.
 */
#include <gst/video/video.h>

#include <stdlib.h>

#define SOURCE "videotestsrc pattern=ball num-buffers=300" \
    " ! video/x-raw,format=I420,width=320,height=240,framerate=30/1"

/* Regions of other types, which other elements may have added, are left alone. */
#define TYPE "ball"
#define BLUR "gpublur name=blur roi-source=meta roi-types=" TYPE \
    " roi-action=pixelate"

#define WINDOW "videoconvert ! autovideosink"

/* The code of black in I420. */
#define BLACK 16

typedef struct
{
  gint left, top, right, bottom;        /* right and bottom are the first outside */
} Box;

static void
extend (Box * box, gint x, gint y)
{
  box->left = MIN (box->left, x);
  box->top = MIN (box->top, y);
  box->right = MAX (box->right, x + 1);
  box->bottom = MAX (box->bottom, y + 1);
}

/* Stands for a detector of faces, say: it finds what is not black. Returns whether there is
 * such a thing. */
static gboolean
detect (const GstVideoFrame * frame, Box * box)
{
  *box = (Box) {G_MAXINT, G_MAXINT, 0, 0};
  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (frame); y++) {
    const guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);

    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (frame); x++)
      if (row[x] > BLACK)
        extend (box, x, y);
  }
  return box->right > box->left;
}

static gboolean
detect_in_buffer (GstPad * pad, GstBuffer * buffer, Box * box)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoInfo info;
  GstVideoFrame frame;
  gboolean is_found;

  if (!gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    return FALSE;
  is_found = detect (&frame, box);
  gst_video_frame_unmap (&frame);
  return is_found;
}

/* Is called with each frame before the blur has it. Metas belong to the frame, so they
 * cannot come early or late. */
static GstPadProbeReturn
add_region (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  /* Another element may hold the frame, too. Then this is a new buffer, with the same
   * memory: the pixels are not copied. */
  GstBuffer *buffer = gst_buffer_make_writable (info->data);
  Box box;

  info->data = buffer;
  if (detect_in_buffer (pad, buffer, &box)) {
    gint width = box.right - box.left, height = box.bottom - box.top;

    gst_buffer_add_video_region_of_interest_meta (buffer, TYPE,
        box.left, box.top, width, height);
    g_print ("%.3f s: %d,%d %dx%d\n", GST_BUFFER_PTS (buffer) / 1e9,
        box.left, box.top, width, height);
  }
  return GST_PAD_PROBE_OK;
}

static GstElement *
make_pipeline (const gchar * sink, GError ** error)
{
  g_autofree gchar *description =
      g_strdup_printf (SOURCE " ! " BLUR " ! %s", sink);
  GstElement *pipeline = gst_parse_launch_full (description, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, error);

  if (pipeline) {
    g_autoptr (GstElement) blur =
        gst_bin_get_by_name (GST_BIN (pipeline), "blur");
    g_autoptr (GstPad) pad = gst_element_get_static_pad (blur, "sink");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, add_region, NULL, NULL);
  }
  return pipeline;
}

static gboolean
play (GstElement * pipeline, GError ** error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  gboolean has_failed;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);  /* errors are messages */
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  has_failed = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
  if (has_failed)
    gst_message_parse_error (message, error, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return !has_failed;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = NULL;

  gst_init (&argc, &argv);
  pipeline = make_pipeline (argc > 1 ? argv[1] : WINDOW, &error);
  if (!pipeline || !play (pipeline, &error)) {
    g_printerr ("%s\n", error->message);
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
