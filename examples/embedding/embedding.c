/* SPDX-License-Identifier: 0BSD */
/* An application that makes frames, has them filtered, and uses the results: it counts
 * their colours. Build it with
 *
 *   gcc embedding.c -o embedding \
 *     $(pkg-config --cflags --libs gstreamer-app-1.0 gstreamer-video-1.0)
 */
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/video/video.h>

#include <stdlib.h>

#define WIDTH 160
#define HEIGHT 90
#define FRAME_BYTES (WIDTH * HEIGHT * 4)
#define RATE 30
#define N_FRAMES 12
#define CAPS "video/x-raw,format=RGBA,width=" G_STRINGIFY (WIDTH) \
    ",height=" G_STRINGIFY (HEIGHT) ",framerate=" G_STRINGIFY (RATE) "/1"

/* The device works on one frame while the application makes the next. */
#define MAX_IN_FLIGHT 2

/* With sync=true, the default, appsink would give each frame out at the time at which it
 * is to be shown. Its caps decide what the filter makes. */
#define PIPELINE "appsrc name=source format=time caps=" CAPS \
    " ! meanshiftpalette name=palette colors=8" \
    " ! appsink name=sink sync=false caps=video/x-raw,format=RGBA"

typedef struct
{
  GstElement *pipeline, *palette;
  GstAppSrc *source;
  GstAppSink *sink;
  guint n_pushed, n_pulled;
  gint64 pushed_at[N_FRAMES];
  gint64 waited;                /* µs from push to result, of all frames */
  GChecksum *checksum;
  gboolean has_failed;
} Embedding;

/* Without a main loop, the application looks at the bus itself. Warnings come in the same
 * way, and progress while shaders are compiled. */
static void
read_errors (Embedding * self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR))) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
    gst_message_unref (message);
    self->has_failed = TRUE;
  }
}

/* Stands for what the application renders, or gets from a camera. */
static guint8 *
make_pixels (guint n)
{
  guint8 *pixels = g_malloc (FRAME_BYTES), *pixel = pixels;

  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++, pixel += 4) {
      pixel[0] = x * 255 / (WIDTH - 1);
      pixel[1] = y * 255 / (HEIGHT - 1);
      pixel[2] = (x + y + 4 * n) % 256;
      pixel[3] = 255;
    }
  return pixels;
}

static void
push (Embedding * self)
{
  guint8 *pixels = make_pixels (self->n_pushed);
  /* The buffer wraps the memory, without a copy. The pipeline calls the last argument
   * when it has read the frame: until then the application must not change it. */
  GstBuffer *buffer = gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY,
      pixels, FRAME_BYTES, 0, FRAME_BYTES, pixels, g_free);

  /* The filter keeps colours steady over time, so it needs to know the time. */
  GST_BUFFER_PTS (buffer) = self->n_pushed * GST_SECOND / RATE;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / RATE;
  self->pushed_at[self->n_pushed++] = g_get_monotonic_time ();
  gst_app_src_push_buffer (self->source, buffer);
}

/* Waits for a result. None comes after an error, or after the last. */
static GstSample *
pull (Embedding * self)
{
  GstSample *sample;

  do {
    sample = gst_app_sink_try_pull_sample (self->sink, 100 * GST_MSECOND);
    read_errors (self);
  } while (!sample && !self->has_failed && !gst_app_sink_is_eos (self->sink));
  return sample;
}

static void
use_frame (Embedding * self, const GstVideoFrame * frame)
{
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);

  for (guint y = 0; y < HEIGHT; y++) {
    /* Rows may have padding, hence the stride. */
    const guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);

    g_checksum_update (self->checksum, row, WIDTH * 4);
    for (const guint8 * p = row; p < row + WIDTH * 4; p += 4)
      g_hash_table_add (colours,
          GUINT_TO_POINTER (p[0] << 16 | p[1] << 8 | p[2]));
  }
  g_print ("%.3f s: %u colours\n", GST_BUFFER_PTS (frame->buffer) / 1e9,
      g_hash_table_size (colours));
}

/* Returns whether there was a result. */
static gboolean
use_result (Embedding * self)
{
  g_autoptr (GstSample) sample = pull (self);
  GstVideoInfo info;
  GstVideoFrame frame;

  if (!sample)
    return FALSE;
  gst_video_info_from_caps (&info, gst_sample_get_caps (sample));
  /* The device may still be working on the frame: mapping waits for it. */
  if (!gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample),
          GST_MAP_READ)) {
    g_printerr ("A result cannot be mapped.\n");
    self->has_failed = TRUE;
    return FALSE;
  }
  self->waited += g_get_monotonic_time () - self->pushed_at[self->n_pulled++];
  use_frame (self, &frame);
  gst_video_frame_unmap (&frame);
  return TRUE;
}

static void
run (Embedding * self)
{
  while (self->n_pushed < N_FRAMES && !self->has_failed) {
    /* A change takes effect with the next frame that the filter begins. So that this is
     * the next one pushed, wait for those before it. */
    if (self->n_pushed == N_FRAMES / 2) {
      while (self->n_pulled < self->n_pushed && use_result (self));
      g_object_set (self->palette, "colors", 4, NULL);
    }
    push (self);
    if (self->n_pushed - self->n_pulled == MAX_IN_FLIGHT)
      use_result (self);
  }
  gst_app_src_end_of_stream (self->source);
  while (use_result (self));
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Embedding self = { NULL };

  gst_init (&argc, &argv);
  self.pipeline = gst_parse_launch_full (PIPELINE, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (!self.pipeline) {
    g_printerr ("%s\n", error->message);
    return EXIT_FAILURE;
  }
  self.palette = gst_bin_get_by_name (GST_BIN (self.pipeline), "palette");
  self.source =
      (GstAppSrc *) gst_bin_get_by_name (GST_BIN (self.pipeline), "source");
  self.sink =
      (GstAppSink *) gst_bin_get_by_name (GST_BIN (self.pipeline), "sink");
  self.checksum = g_checksum_new (G_CHECKSUM_SHA256);

  gst_element_set_state (self.pipeline, GST_STATE_PLAYING);
  run (&self);
  gst_element_set_state (self.pipeline, GST_STATE_NULL);
  if (!self.has_failed) {
    g_print ("SHA-256 %s\n", g_checksum_get_string (self.checksum));
    g_printerr ("%.1f ms from push to result\n", self.waited / 1e3 / N_FRAMES);
  }
  g_checksum_free (self.checksum);
  gst_object_unref (self.source);
  gst_object_unref (self.palette);
  gst_object_unref (self.sink);
  gst_object_unref (self.pipeline);
  return self.has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
