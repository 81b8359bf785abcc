/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette with palettes that are kept or given, as an element: which
 * colours come out. */
#include "element_fixture.h"
#include "generated.h"
#include "palette_element_fixture.h"
#include "reference_live.h"

#include <string.h>

#define WIDTH 64
#define HEIGHT 36
#define N_PIXELS (WIDTH * HEIGHT)
#define N_BYTES (4 * N_PIXELS)

typedef struct
{
  GstHarness *h;
  guint seed;                   /* of the noise in the last frame */
  GHashTable *colours;          /* of the last frame, 0xRRGGBB */
  GHashTable *palette;          /* of the frame that others share it with */
} Film;

static Film *
film_new (const gchar * description)
{
  Film *film = g_new0 (Film, 1);

  film->h = fixture_harness (description);
  film->colours = g_hash_table_new (NULL, NULL);
  film->palette = g_hash_table_new (NULL, NULL);
  fixture_set_caps (film->h, "RGBA", WIDTH, HEIGHT);
  return film;
}

static void
film_free (Film * film)
{
  fixture_harness_free (film->h);
  g_hash_table_unref (film->colours);
  g_hash_table_unref (film->palette);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

/* --- frames --- */

static guint32
colour_of (const guint8 * rgba)
{
  return rgba[0] << 16 | rgba[1] << 8 | rgba[2];
}

static void
note_colours (Film * film, GstBuffer * buffer)
{
  GstMapInfo map;

  g_hash_table_remove_all (film->colours);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i += 4)
    g_hash_table_add (film->colours,
        GUINT_TO_POINTER (colour_of (map.data + i)));
  gst_buffer_unmap (buffer, &map);
}

/* Pushes @rgba, notes its colours, and returns what came out. */
static GstBuffer *
push (Film * film, const guint8 * rgba)
{
  GstBuffer *out = gst_harness_push_and_pull (film->h, palette_frame (rgba,
          N_BYTES));

  g_assert_nonnull (out);
  note_colours (film, out);
  g_assert_cmpuint (fixture_stat (film->h->element, "modes"), ==,
      g_hash_table_size (film->colours));
  return out;
}

/* A noisy frame. */
static guint8 *
next_picture (Film * film, gint light)
{
  guint8 *picture = generated_picture_new ("blobs", WIDTH, HEIGHT, 1);
  guint8 *noisy;

  for (gsize i = 0; i < N_BYTES; i++)
    if (i % 4 < 3)
      picture[i] = CLAMP (picture[i] + light, 0, 255);
  noisy = palette_noisy_new (picture, N_PIXELS, ++film->seed);
  g_free (picture);
  return noisy;
}

static void
show (Film * film, gint light)
{
  g_autofree guint8 *picture = next_picture (film, light);

  gst_buffer_unref (push (film, picture));
}

/* The same, where the frame is as it would be by itself. */
static void
show_live (Film * film, gint light)
{
  const ReferencePaletteSettings settings = palette_settings (film->h->element);
  g_autofree guint8 *picture = next_picture (film, light);
  g_autofree guint8 *expected = g_malloc (N_BYTES);
  g_autoptr (GstBuffer) out = push (film, picture);

  reference_live (&settings, picture, WIDTH, HEIGHT, expected, NULL);
  palette_assert_bytes (out, expected, N_BYTES);
}

static void
begin_stream (Film * film)
{
  gst_harness_push_event (film->h, gst_event_new_stream_start ("another"));
}

/* Others are to share the palette of the last frame. */
static void
note_palette (Film * film)
{
  GHashTable *old = film->palette;

  film->palette = film->colours;
  film->colours = old;
}

static gboolean
has_palette (Film * film)
{
  GHashTableIter colours;
  gpointer colour;

  g_hash_table_iter_init (&colours, film->colours);
  while (g_hash_table_iter_next (&colours, &colour, NULL))
    if (!g_hash_table_contains (film->palette, colour))
      return FALSE;
  return TRUE;
}

/* --- palettes that are kept --- */

/* As it is, in frames that get lighter and darker, and in another scene. */
static void
show_held (Film * film)
{
  static const gint lights[] = { 0, 8, -8, 60, 60, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (lights); i++) {
    show (film, lights[i]);
    g_assert_true (has_palette (film));
  }
}

/* After another radius all pixels choose anew: the frame has the colours of all
 * modes there are. */
static void
test_hold (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");

  show (film, 0);
  note_palette (film);
  show (film, 0);
  g_assert_false (has_palette (film));
  g_object_set (film->h->element, "radius", 0.03, NULL);
  show (film, 0);
  note_palette (film);
  g_object_set (film->h->element, "hold", TRUE, NULL);
  show_held (film);
  g_object_set (film->h->element, "hold", FALSE, NULL);
  show (film, 0);
  g_assert_false (has_palette (film));
}

/* Where nothing is known of a frame before, the next one's is kept. */
static void
test_hold_of_nothing (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette hold=true", "meanshiftpalette hold=true stability=0"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);

    show_live (film, 0);
    note_palette (film);
    show_held (film);
    begin_stream (film);
    show_live (film, 20);
    note_palette (film);
    show_held (film);
  }
}

static void
test_hold_without_stability (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette stability=0");

  for (guint i = 0; i < 2; i++) {
    show_live (film, 0);
    g_object_set (film->h->element, "hold", TRUE, NULL);
    show_live (film, 0);
    note_palette (film);
    show_held (film);
    g_object_set (film->h->element, "hold", FALSE, NULL);
  }
}

/* Every fourth frame has a palette of its own, a scene cut, and a new stream, from
 * where on frames are counted anew. */
static void
test_update_interval (void)
{
  g_autoptr (Film) film =
      film_new ("meanshiftpalette update-interval=4 stability=0");

  for (guint i = 0; i < 16; i++) {
    const gint light = i < 6 ? 0 : 40;

    g_test_message ("frame %u", i);
    if (i == 11)
      begin_stream (film);
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 11 || i == 15) {
      show_live (film, light);
      g_assert_false (has_palette (film));
      note_palette (film);
    } else {
      show (film, light);
      g_assert_true (has_palette (film));
    }
  }
  g_object_set (film->h->element, "update-interval", 1, NULL);
  for (guint i = 0; i < 3; i++)
    show_live (film, 40);
}

/* With stability that palette is one that has moved. */
static void
test_steady_update_interval (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette update-interval=4");

  show_live (film, 0);
  note_palette (film);
  for (guint i = 1; i <= 4; i++) {
    show (film, 0);
    g_assert_cmpint (has_palette (film), ==, i < 4);
  }
}

/* --- palettes that are given --- */

static void
set_palette (Film * film, const gchar * palette)
{
  gst_util_set_object_arg (G_OBJECT (film->h->element), "palette", palette);
}

/* Stripes of these @colours, a few code values off, become the @expected ones. */
static void
check_stripes (Film * film, const guint32 * colours, const guint32 * expected,
    guint n)
{
  g_autofree guint8 *stripes = g_malloc (N_BYTES);
  g_autofree guint8 *wanted = g_malloc (N_BYTES);
  g_autofree guint8 *noisy = NULL;
  g_autoptr (GstBuffer) out = NULL;

  for (guint i = 0; i < N_PIXELS; i++) {
    const guint stripe = i % WIDTH * n / WIDTH;

    GST_WRITE_UINT32_BE (stripes + 4 * i, colours[stripe] << 8 | 255);
    GST_WRITE_UINT32_BE (wanted + 4 * i, expected[stripe] << 8 | 255);
  }
  noisy = palette_noisy_new (stripes, N_PIXELS, ++film->seed);
  out = push (film, noisy);
  palette_assert_bytes (out, wanted, N_BYTES);
}

static const guint32 pure[] = { 0xe02010, 0x20c040, 0x2030d0, 0x808080 };

/* All colours of a picture of them become their nearest neighbours, whatever
 * happens between two frames. */
static void
check_palette (Film * film)
{
  static const guint32 others[] = { 0xc04030, 0x50b060, 0x3040a0, 0x909090 };

  for (guint i = 0; i < 2; i++) {
    check_stripes (film, pure, pure, 4);
    check_stripes (film, others, pure, 4);
  }
}

#define PURE "<0xe02010, 0x20c040, 0x2030d0, 0x808080>"

static void
test_palette (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette palette=\"" PURE "\"",
    "meanshiftpalette palette=\"" PURE "\" stability=0",
    "meanshiftpalette palette=\"" PURE "\" update-interval=3 hold=true"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);

    g_test_message ("%s", elements[i]);
    check_palette (film);
    begin_stream (film);
    check_palette (film);
    fixture_restart (film->h);
    fixture_set_caps (film->h, "RGBA", WIDTH, HEIGHT);
    check_palette (film);
    fixture_set_caps (film->h, "RGBx", WIDTH, HEIGHT);
    check_palette (film);
    gst_util_set_object_arg (G_OBJECT (film->h->element), "transfer", "linear");
    check_palette (film);
  }
}

/* Another one, or none any more, counts from the next frame on. */
static void
test_other_palette (void)
{
  static const guint32 grey[] = { 0x808080, 0x808080, 0x808080, 0x808080 };
  static const guint32 green[] = { 0x20c040, 0x20c040, 0x20c040, 0x20c040 };
  static const guint32 three[] = { 0xe02010, 0x20c040, 0x20c040, 0x20c040 };
  g_autoptr (Film) film = film_new ("meanshiftpalette");

  for (guint i = 0; i < 2; i++) {
    show_live (film, 0);
    show (film, 0);
    set_palette (film, PURE);
    check_stripes (film, pure, pure, 4);
    set_palette (film, "<0x20c040>");
    check_stripes (film, pure, green, 4);
    set_palette (film, "<0x808080>");
    check_stripes (film, pure, grey, 4);
    show (film, 0);
    set_palette (film, "<>");
  }
  set_palette (film, "<0x20c040, 0xe02010>");
  check_stripes (film, (const guint32[]) { 0xe02010, 0x20c040, 0x20c040,
    0x30b050
  }, three,
      4);
}

/* As many colours as a palette may have. */
static void
test_most (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  g_autoptr (GString) blues = g_string_new (NULL);
  const guint32 white[] = { 0xffffff };

  for (guint i = 0; i < 256; i++) {
    g_string_append_printf (blues, "#%06x,", i);
    g_hash_table_add (film->palette, GUINT_TO_POINTER (i));
  }
  set_palette (film, blues->str);
  show (film, 0);
  g_assert_true (has_palette (film));
  check_stripes (film, white, (const guint32[]) { 0x0000ff}, 1);
}

/* --- properties --- */

static void
test_properties (void)
{
  g_autoptr (GstElement) element = gst_object_ref_sink (fixture_make
      ("meanshiftpalette"));
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  GParamSpec *hold = g_object_class_find_property (klass, "hold");
  GParamSpec *interval = g_object_class_find_property (klass,
      "update-interval");
  const guint live = GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;
  gboolean is_held;
  guint n_frames;

  g_assert_cmpuint (hold->flags & live, ==, live);
  g_assert_cmpuint (interval->flags & live, ==, live);
  g_assert_cmpuint (G_PARAM_SPEC_UINT (interval)->minimum, ==, 1);
  g_assert_cmpuint (G_PARAM_SPEC_UINT (interval)->maximum, ==, G_MAXUINT);
  g_object_get (element, "hold", &is_held, "update-interval", &n_frames, NULL);
  g_assert_false (is_held);
  g_assert_cmpuint (n_frames, ==, 1);
  g_object_set (element, "hold", TRUE, "update-interval", 24, NULL);
  g_object_get (element, "hold", &is_held, "update-interval", &n_frames, NULL);
  g_assert_true (is_held);
  g_assert_cmpuint (n_frames, ==, 24);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  fixture_share_device ();
#define ADD(name, test) \
  fixture_add ("/meanshiftpalette-held/" name, test)
  ADD ("hold", test_hold);
  ADD ("hold-of-nothing", test_hold_of_nothing);
  ADD ("hold-without-stability", test_hold_without_stability);
  ADD ("update-interval", test_update_interval);
  ADD ("steady-update-interval", test_steady_update_interval);
  ADD ("palette", test_palette);
  ADD ("other-palette", test_other_palette);
  ADD ("most", test_most);
  ADD ("properties", test_properties);
  return fixture_run ();
}
