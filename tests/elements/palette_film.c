/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "palette_film.h"
#include "generated.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu_hooks.h"
#include "reference_live.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <string.h>

static gsize
n_pixels (const Film * film)
{
  return (gsize) film->width * film->height;
}

void
film_set_formats (Film * film, const gchar * in, const gchar * out, guint width,
    guint height)
{
  gst_harness_set_caps (film->h, fixture_caps (in, width, height),
      fixture_caps (out, width, height));
  film->format = gst_video_format_from_string (in) << 8
      | gst_video_format_from_string (out);
  film->width = width;
  film->height = height;
  g_free (film->picture);
  film->picture = generated_picture_new ("blobs", width, height, 1);
  film->out = g_realloc (film->out, 4 * n_pixels (film));
}

Film *
film_new (const gchar * description)
{
  Film *film = g_new0 (Film, 1);

  film->h = fixture_harness (description);
  film->temporal = reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  film->pts = 10 * GST_SECOND;
  film->counted = GST_CLOCK_TIME_NONE;
  film->duration = GST_CLOCK_TIME_NONE;
  film_set_formats (film, "RGBA", "RGBA", WIDTH, HEIGHT);
  return film;
}

void
film_free (Film * film)
{
  fixture_harness_free (film->h);
  reference_temporal_free (film->temporal);
  g_free (film->picture);
  g_free (film->out);
  g_free (film);
}

void
film_set (Film * film, const gchar * property, const gchar * value)
{
  g_test_message ("%s=%s", property, value);
  fixture_set (film->h->element, property, value);
  if (!g_str_equal (property, "palette"))
    return;
  film->n_given = 0;
  for (const gchar * x = value; (x = strstr (x, "0x")); x += 2)
    film->given[film->n_given++] = g_ascii_strtoull (x, NULL, 16);
}

void
film_lighten (Film * film, gint codes)
{
  film->light += codes;
  for (gsize i = 0; i < 4 * n_pixels (film); i++)
    if (i % 4 < 3)
      film->picture[i] = CLAMP (film->picture[i] + codes, 0, 255);
}

/* --- frames --- */

guint8 *
film_next_picture (Film * film)
{
  film->seed++;
  return film->make_picture ? film->make_picture (film)
      : palette_noisy_new (film->picture, n_pixels (film), film->seed);
}

GstBuffer *
film_frame_of (Film * film, const guint8 * picture, GstClockTime pts)
{
  GstBuffer *buffer = palette_frame (picture, 4 * n_pixels (film));

  GST_BUFFER_PTS (buffer) = pts;
  GST_BUFFER_DURATION (buffer) = film->duration;
  return buffer;
}

static void
push (Film * film, GstBuffer * buffer)
{
  g_autoptr (GstBuffer) out = gst_harness_push_and_pull (film->h, buffer);

  g_assert_nonnull (out);
  g_assert_cmpuint (gst_buffer_extract (out, 0, film->out,
          4 * n_pixels (film)), ==, gst_buffer_get_size (out));
}

void
film_push_at (Film * film, GstClockTime pts)
{
  g_autofree guint8 *picture = film_next_picture (film);

  push (film, film_frame_of (film, picture, pts));
}

void
film_push (Film * film)
{
  film_push_at (film, film->pts += INTERVAL);
}

/* --- comparing --- */

ReferenceTemporalSettings
film_settings (Film * film)
{
  ReferenceTemporalSettings settings = {
    .palette = palette_settings (film->h->element),
    .bin_capacity = REFERENCE_LIVE_CAPACITY,
    .format = film->format,
    .n_colours = film->n_given,
  };

  memcpy (settings.colours, film->given, sizeof film->given);
  g_object_get (film->h->element, "max-shift", &settings.max_shift,
      "stability", &settings.stability, "coherence", &settings.coherence,
      "scene-cut-threshold", &settings.scene_cut_threshold,
      "history", &settings.history, "hold", &settings.hold,
      "update-interval", &settings.update_interval,
      "colors", &settings.colors, NULL);
  return settings;
}

void
film_check (Film * film, const ReferenceTemporalSettings * settings,
    GstClockTime interval, const guint8 * picture, GstBuffer * buffer)
{
  const ReferencePicture input = { picture, film->width, film->height };
  const gsize n_bytes = 4 * n_pixels (film);
  const ReferencePixels pixels = { picture, n_pixels (film) };
  ReferencePixels window;
  g_autofree guint8 *expected = g_malloc (n_bytes);
  g_autofree guint8 *alone = g_malloc (n_bytes);
  ReferenceTemporalStats stats;
  gint quality;

  push (film, buffer);
  reference_temporal_frame (film->temporal, settings, interval, &input,
      expected, &stats);
  g_object_get (film->h->element, "quality", &quality, NULL);
  if (quality == 0) {
    window.bytes = reference_temporal_get_window (film->temporal, &window.n);
    reference_palette_from (&settings->palette, &window, &pixels, expected,
        NULL);
  } else if (settings->stability > 0) {
    fixture_check_stat (film->h->element, "cells", stats.n_bins);
    fixture_check_stat (film->h->element, "modes",
        stats.n_held + stats.n_strays);
    g_assert_cmpint (palette_was_solved (film->h->element), ==,
        !stats.is_settled);
  }
  g_assert_cmpmem (film->out, n_bytes, expected, n_bytes);
  reference_temporal_alone (settings, &input, alone);
  film->n_steadied += memcmp (alone, expected, n_bytes) != 0;
  film->n_cuts += stats.is_cut;
}

void
film_show_as (Film * film, const ReferenceTemporalSettings * settings,
    GstClockTime interval)
{
  g_autofree guint8 *picture = film_next_picture (film);
  GstClockTime before = film->counted;

  film->counted = film->pts += interval;
  film_check (film, settings, GST_CLOCK_TIME_IS_VALID (before)
      ? film->pts - before : 0, picture, film_frame_of (film, picture,
          film->pts));
}

void
film_show (Film * film, guint n)
{
  const ReferenceTemporalSettings settings = film_settings (film);

  for (guint i = 0; i < n; i++)
    film_show_as (film, &settings, INTERVAL);
}

void
film_flush (Film * film)
{
  fixture_flush (film->h);
}

void
film_begin_stream (Film * film)
{
  gst_harness_push_event (film->h, gst_event_new_stream_start ("another"));
}

void
film_restart (Film * film)
{
  fixture_restart (film->h);
  film_set_formats (film, "RGBA", "RGBA", film->width, film->height);
}

void
film_set_linear (Film * film)
{
  film_set (film, "transfer", "linear");
}

void
film_run (Film * film, const FilmStep * steps, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (steps[i].property)
      film_set (film, steps[i].property, steps[i].value);
    film_lighten (film, steps[i].light);
    film_show (film, steps[i].n);
  }
}

void
film_control (Film * film, const gchar * property, const gdouble * values,
    guint n)
{
  GstObject *element = GST_OBJECT (film->h->element);
  GstControlSource *source = gst_interpolation_control_source_new ();

  for (guint i = 0; i < n; i++)
    gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE
        (source), i * INTERVAL, values[i]);
  gst_object_add_control_binding (element,
      gst_direct_control_binding_new_absolute (element, property, source));
  gst_object_unref (source);
  film->pts = 0;
}

void
film_check_nothing_is_made (const gchar * description, void (*show) (Film *))
{
  g_autoptr (Film) film = film_new (description);
  g_autoptr (GpuDevice) device = fixture_device_of (film->h->element);
  guint made;

  gpu_hooks_install (device);
  show (film);
  /* What was requested and never waited for. */
  gpu_kernels_wait (device);
  made = gpu_hooks_get_made ();
  g_assert_cmpuint (made, >, 0);
  show (film);
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  gpu_hooks_remove (device);
}
