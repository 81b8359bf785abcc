/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "meanshiftpalette_state.h"
#include "palette_film.h"
#include "reference_count.h"

/* --- the property --- */

/* The property has all colours of the last frame, the most frequent first. */
static void
check_read (Film * film)
{
  g_autoptr (GHashTable) counts = reference_count_colours (film->out, N_PIXELS);
  guint32 colours[8];
  guint last = G_MAXUINT;

  g_assert_cmpuint (film_read_palette (film, colours, 8), ==,
      g_hash_table_size (counts));
  for (guint i = 0; i < g_hash_table_size (counts); i++) {
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts,
            GUINT_TO_POINTER (colours[i])));

    g_assert_cmpuint (n, >, 0);
    g_assert_cmpuint (n, <=, last);
    last = n;
  }
}

static void
test_read (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=8");
  guint32 colours[1];

  g_assert_cmpuint (film_read_palette (film, colours, 0), ==, 0);
  for (guint i = 0; i < 3; i++) {
    film_show (film);
    check_read (film);
  }
  gst_util_set_object_arg (G_OBJECT (film->h->element), "palette",
      "<0x123456>");
  g_assert_cmpuint (film_read_palette (film, colours, 1), ==, 1);
  g_assert_cmphex (colours[0], ==, 0x123456);
  gst_util_set_object_arg (G_OBJECT (film->h->element), "palette", "<>");
  g_assert_cmpuint (film_read_palette (film, colours, 1), >, 1);
  g_object_set (film->h->element, "colors", 0, NULL);
  film_show (film);
  g_assert_cmpuint (film_read_palette (film, colours, 0), ==, 0);
  g_object_set (film->h->element, "post-messages", TRUE, NULL);
  film_show (film);
  g_assert_cmpuint (film_read_palette (film, colours, 0), >, 1);
}

/* --- statistics --- */

static GstStructure *
take_stats (Film * film)
{
  GstStructure *stats;

  g_object_get (film->h->element, "stats", &stats, NULL);
  return stats;
}

static void
check_radius (const gchar * description, gdouble before, gdouble expected)
{
  g_autoptr (Film) film = film_new (description);
  g_autoptr (GstStructure) first = take_stats (film), last = NULL;
  gdouble radius;

  g_assert_true (gst_structure_get_double (first, "radius", &radius));
  g_assert_cmpfloat (radius, ==, before);
  film_show (film);
  last = take_stats (film);
  g_assert_true (gst_structure_get_double (last, "radius", &radius));
  g_assert_cmpfloat_with_epsilon (radius, expected, 1e-9);
}

static void
test_radius (void)
{
  check_radius ("meanshiftpalette radius=0.03", 0, 0.03);
  check_radius ("meanshiftpalette colors=16", 0, 0.01);
  check_radius ("meanshiftpalette quality=exact radius=0.04", 0, 0.04);
}

static void
check_stats (const gchar * description, gdouble radius)
{
  g_autoptr (Film) film = film_new (description);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstStructure) stats = NULL;
    const GValue *palette;

    film_show (film);
    stats = take_stats (film);
    palette = gst_structure_get_value (stats, "palette");
    g_assert_true (GST_VALUE_HOLDS_STRUCTURE (palette));
    g_assert_cmpuint (film_time_of (gst_value_get_structure (palette),
            "timestamp"), ==, film->pts);
    film_check_told (film, gst_value_get_structure (palette), film->out,
        radius);
  }
}

static void
test_stats (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  g_autoptr (GstStructure) stats = NULL;

  check_stats ("meanshiftpalette " MESSAGES, 0.05);
  check_stats ("meanshiftpalette colors=16", 0.01);
  check_stats ("meanshiftpalette quality=exact " MESSAGES, 0.05);
  film_show (film);
  stats = take_stats (film);
  g_assert_false (gst_structure_has_field (stats, "palette"));
}

/* The last palette can still be read when the element has stopped. */
static void
test_stopped (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=8");

  film_show (film);
  gst_element_set_state (film->h->element, GST_STATE_READY);
  check_read (film);
}

void
meanshiftpalette_state_add_tests (void)
{
#define ADD(name, test) \
  fixture_add ("/meanshiftpalette-messages/" name, test)
  ADD ("read", test_read);
  ADD ("radius", test_radius);
  ADD ("stats", test_stats);
  ADD ("stopped", test_stopped);
}
