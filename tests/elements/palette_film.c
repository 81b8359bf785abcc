/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "palette_film.h"
#include "generated.h"
#include "reference_list.h"

Film *
film_new (const gchar * description)
{
  Film *film = g_new0 (Film, 1);

  film->h = fixture_harness (description);
  film->picture = generated_picture_new ("blobs", WIDTH, HEIGHT, 1);
  film->pts = 10 * GST_SECOND;
  film->duration = INTERVAL;
  fixture_set_caps (film->h, "RGBA", WIDTH, HEIGHT);
  return film;
}

void
film_free (Film * film)
{
  fixture_harness_free (film->h);
  g_free (film->picture);
  g_free (film);
}

/* --- frames --- */

GstBuffer *
film_next_frame (Film * film, GstClockTime pts)
{
  g_autofree guint8 *picture =
      palette_noisy_new (film->picture, N_PIXELS, ++film->seed);
  GstBuffer *buffer = palette_frame (picture, N_BYTES);

  GST_BUFFER_PTS (buffer) = pts;
  GST_BUFFER_DURATION (buffer) = film->duration;
  return buffer;
}

void
film_show_at (Film * film, GstClockTime pts)
{
  GstBuffer *out =
      gst_harness_push_and_pull (film->h, film_next_frame (film, pts));

  g_assert_nonnull (out);
  g_assert_cmpuint (gst_buffer_extract (out, 0, film->out, N_BYTES), ==,
      N_BYTES);
  gst_buffer_unref (out);
}

void
film_show (Film * film)
{
  film->pts += INTERVAL;
  film_show_at (film, film->pts);
}

void
film_end (Film * film)
{
  g_assert_true (gst_harness_push_event (film->h, gst_event_new_eos ()));
}

/* --- what is told --- */

GstStructure *
film_take_message (Film * film)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (film->h->element);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);

  if (!message)
    return NULL;
  g_assert_true (GST_MESSAGE_SRC (message) == GST_OBJECT (film->h->element));
  return gst_structure_copy (gst_message_get_structure (message));
}

guint
film_count_messages (Film * film)
{
  return fixture_take_messages (film->h->element, GST_MESSAGE_ELEMENT);
}

GstClockTime
film_time_of (const GstStructure * structure, const gchar * name)
{
  guint64 time = 0;

  g_assert_true (gst_structure_get_uint64 (structure, name, &time));
  return time;
}

/* The texts have the same values as the arrays. */
static void
check_texts (const GstStructure * structure, const ReferenceListed * modes,
    guint n)
{
  g_auto (GStrv) colours = g_strsplit (gst_structure_get_string (structure,
          "palette-text"), ",", -1);
  g_auto (GStrv) shares = g_strsplit (gst_structure_get_string (structure,
          "shares-text"), ",", -1);

  g_assert_cmpuint (g_strv_length (colours), ==, n);
  g_assert_cmpuint (g_strv_length (shares), ==, n);
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *colour = g_strdup_printf ("#%06x", modes[i].colour);

    g_assert_cmpstr (colours[i], ==, colour);
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (shares[i], NULL),
        modes[i].share, 1e-6);
  }
}

/* Checks that the values have the documented types. Returns the number of modes. */
static guint
take_modes (const GstStructure * structure, ReferenceListed * modes)
{
  const GValue *colours = gst_structure_get_value (structure, "palette");
  const GValue *shares = gst_structure_get_value (structure, "shares");
  guint n;

  g_assert_true (GST_VALUE_HOLDS_ARRAY (colours));
  g_assert_true (GST_VALUE_HOLDS_ARRAY (shares));
  n = gst_value_array_get_size (colours);
  g_assert_cmpuint (gst_value_array_get_size (shares), ==, n);
  g_assert_cmpuint (n, <=, REFERENCE_LIST_LENGTH);
  for (guint i = 0; i < n; i++)
    modes[i] = (ReferenceListed) {
      g_value_get_uint (gst_value_array_get_value (colours, i)),
      g_value_get_double (gst_value_array_get_value (shares, i)),
    };
  check_texts (structure, modes, n);
  return n;
}

guint
film_check_told (Film * film, const GstStructure * structure,
    const guint8 * rgba, gdouble radius)
{
  ReferencePaletteSettings settings = palette_settings (film->h->element);
  ReferenceListed modes[REFERENCE_LIST_LENGTH];
  guint n = take_modes (structure, modes), n_merged;
  g_autofree gchar *fault = NULL;
  gdouble told;

  g_assert_cmpstr (gst_structure_get_name (structure), ==, "meanshiftpalette");
  g_assert_true (gst_structure_get_double (structure, "radius", &told));
  g_assert_cmpfloat_with_epsilon (told, radius, 1e-9);
  settings.radius = radius;
  fault = reference_list_find_fault (&settings, rgba, N_PIXELS, modes, n,
      &n_merged);
  g_assert_cmpstr (fault, ==, NULL);
  g_assert_cmpuint (n, >, 1);
  return n;
}

void
film_check_message (Film * film, GstClockTime pts, const guint8 * rgba)
{
  g_autoptr (GstStructure) structure = film_take_message (film);

  g_assert_nonnull (structure);
  g_assert_cmpuint (film_time_of (structure, "timestamp"), ==, pts);
  film_check_told (film, structure, rgba, RADIUS);
}

guint
film_read_palette (Film * film, guint32 * colours, guint n)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) entries = NULL;
  guint n_read;

  g_object_get (film->h->element, "palette", &text, NULL);
  entries = g_strsplit (text, ",", -1);
  n_read = g_strv_length (entries);
  for (guint i = 0; i < MIN (n, n_read); i++)
    colours[i] = g_ascii_strtoull (entries[i] + 1, NULL, 16);
  return n_read;
}
