/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "grey_film.h"
#include "reference_live.h"

#include <string.h>

#define MOST_PIXELS 8192

typedef struct
{
  ReferenceTemporal *temporal;  /* NULL before the first frame */
  ReferenceTemporalSettings settings;
  ReferenceTemporalStats stats;
  guint n_slots, width, height;
  gdouble interval;             /* ns */
  guint8 picture[4 * MOST_PIXELS], shown[4 * MOST_PIXELS];
  /* Of a number of colours. Greys have so many steps of a lattice to a code, and some more;
   * there are so many in a unit. */
  gdouble steps, more, unit;
  gboolean is_astray;
} Film;

static Film film;

/* --- greys --- */

static gdouble
even_eotf (gdouble code)
{
  return code * code * code;
}

const ReferencePaletteSettings grey_bin_per_code = {.radius = 0.01176,
  .transfer = REFERENCE_TRANSFER_CUSTOM, .eotf = even_eotf};

/* If it is astray, 98 and 102 are in the bin of 100, and 100, their mean, is in that of
 * 120. */
static gdouble
scaled_eotf (gdouble code)
{
  gdouble grey = 255 * code;

  if (film.is_astray && (grey == 98 || grey == 102))
    grey = 100;
  else if (film.is_astray && grey == 100)
    grey = 120;
  return even_eotf ((grey * film.steps + film.more) / film.unit);
}

/* The pitch is ⌊0.04 / √N · 2^s / 3 + 1/2⌋: 437 for 1 colour, with s = 15, and 618,
 * 504, 437 and 218 for 2, 3, 4 and 16, with s = 16. There are so many steps to
 * a code, and ten more: the coordinate of a grey's bin is its code, it is in the
 * middle of that, and codes are 8 eighths of a bin apart. */
static void
set_colours (guint n)
{
  static const gdouble steps[] = {
    [1] = 437, [2] = 618, [3] = 504, [4] = 437, [16] = 218
  };

  film.steps = steps[n];
  film.more = 10;
  film.unit = n == 1 ? 32768 : 65536;
  film.settings.palette.eotf = scaled_eotf;
  film.settings.palette.chroma = 1;
  film.settings.colors = n;
  film.height = 256;
}

/* --- numbers --- */

typedef enum
{
  REAL,
  INTEGER,
  SIZE,
  MS,                           /* a real number of ns */
} Type;

#define NUMBER(name, type, member) {name, type, G_STRUCT_OFFSET (Film, member)}

static const struct
{
  const gchar *name;
  Type type;
  gsize offset;
} numbers[] = {
  NUMBER ("stability", REAL, settings.stability),
  NUMBER ("threshold", REAL, settings.scene_cut_threshold),
  NUMBER ("radius", REAL, settings.palette.radius),
  NUMBER ("weighting", INTEGER, settings.palette.weighting),
  NUMBER ("transfer", INTEGER, settings.palette.transfer),
  NUMBER ("min-frequency", INTEGER, settings.palette.min_frequency),
  NUMBER ("history", INTEGER, settings.history),
  NUMBER ("capacity", SIZE, settings.bin_capacity),
  NUMBER ("format", INTEGER, settings.format),
  NUMBER ("noisy", INTEGER, settings.is_noisy),
  NUMBER ("hold", INTEGER, settings.hold),
  NUMBER ("update-interval", INTEGER, settings.update_interval),
  NUMBER ("colors", INTEGER, settings.colors),
  NUMBER ("keeps-radius", INTEGER, settings.keeps_radius),
  NUMBER ("max-shift", REAL, settings.max_shift),
  NUMBER ("slots", INTEGER, n_slots),
  NUMBER ("width", INTEGER, width),
  NUMBER ("height", INTEGER, height),
  NUMBER ("ns", REAL, interval),
  NUMBER ("ms", MS, interval),
  NUMBER ("steps-more", REAL, more),
  NUMBER ("astray", INTEGER, is_astray),
  /* Statistics */
  NUMBER ("bins", SIZE, stats.n_bins),
  NUMBER ("merges", INTEGER, stats.n_merges),
  NUMBER ("summits", SIZE, stats.n_summits),
  NUMBER ("held", SIZE, stats.n_held),
  NUMBER ("strays", SIZE, stats.n_strays),
  NUMBER ("cut", INTEGER, stats.is_cut),
  NUMBER ("settled", INTEGER, stats.is_settled),
};

/* "name=1", "name+=1" or "name-=1"; with @is_check, whether that is what it is. */
static void
apply (const gchar * item, gboolean is_check)
{
  const gsize equals = strcspn (item, "=");
  const gsize length = equals - (equals > 0 && strchr ("+-", item[equals - 1]));
  const gdouble value = g_ascii_strtod (item + equals + 1, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    gpointer number = (guint8 *) & film + numbers[i].offset;
    gdouble now;

    if (strlen (numbers[i].name) != length
        || strncmp (numbers[i].name, item, length) != 0)
      continue;
    now = numbers[i].type == INTEGER ? *(guint *) number
        : numbers[i].type == SIZE ? *(gsize *) number : *(gdouble *) number;
    if (is_check && now != value)
      g_error ("%s, but it is %g", item, now);
    now = item[length] == '+' ? now + value
        : item[length] == '-' ? now - value : value;
    if (numbers[i].type == INTEGER)
      *(guint *) number = now;
    else if (numbers[i].type == SIZE)
      *(gsize *) number = now;
    else
      *(gdouble *) number = numbers[i].type == MS ? 1000000 * now : now;
    return;
  }
  g_error ("nothing has the name in %s", item);
}

/* --- frames --- */

static guint32
take_colour (const gchar ** text)
{
  const gboolean is_hex = **text == '#';
  gchar *end;
  guint32 colour = g_ascii_strtoull (*text + is_hex, &end, is_hex ? 16 : 10);

  g_assert_true (end > *text);
  *text = end;
  return is_hex ? colour : colour * 0x010101;
}

/* The number behind @sign, if that is there. */
static guint
take_number (const gchar ** text, gchar sign, guint otherwise)
{
  gchar *end;
  guint number = otherwise;

  if (**text == sign) {
    number = g_ascii_strtoull (*text + 1, &end, 10);
    *text = end;
  }
  return number;
}

static void
set_pixel (guint8 * rgba, guint32 colour, guint alpha)
{
  const guint8 pixel[] = { colour >> 16, colour >> 8, colour, alpha };

  memcpy (rgba, pixel, 4);
}

static void
show (void)
{
  const ReferencePicture input = { film.picture, film.width, film.height };

  if (film.temporal == NULL)
    film.temporal = reference_temporal_new (film.n_slots);
  reference_temporal_frame (film.temporal, &film.settings, film.interval,
      &input, film.shown, &film.stats);
}

/* To others that mean the same: so large a capacity, or intervals of 0 and 1. */
static void
vary_settings (void)
{
  if (film.settings.bin_capacity > 1000)
    film.settings.bin_capacity ^= 1;
  else
    film.settings.update_interval ^= 1;
}

static void
show_patches (const gchar * item, guint n, gboolean varies, gboolean is_checked)
{
  static guint8 wanted[4 * MOST_PIXELS];
  gsize at = 0;

  memset (film.picture, 0, sizeof film.picture);
  for (const gchar * text = item; *text != 0; text += strspn (text, " ")) {
    const guint32 colour = take_colour (&text);
    const guint count = take_number (&text, '*', 0);
    const guint alpha = take_number (&text, '@', 255);
    guint32 shown = colour;

    if (*text == '>') {
      text++;
      shown = take_colour (&text);
    }
    g_assert_cmpuint (count, >, 0);
    for (guint i = 0; i < count; i++, at++) {
      g_assert_cmpuint (at, <, film.width * film.height);
      set_pixel (film.picture + 4 * at, colour, alpha);
      set_pixel (wanted + 4 * at, shown, alpha);
    }
  }
  while (n-- > 0) {
    if (varies)
      vary_settings ();
    show ();
    for (gsize i = 0; is_checked && i < at; i++)
      if (memcmp (film.shown + 4 * i, wanted + 4 * i, 4) != 0)
        g_error ("in %s, pixel %u of %u becomes %u, not %u", item, (guint) i,
            film.picture[4 * i], film.shown[4 * i], wanted[4 * i]);
  }
}

static guint
rest (void)
{
  guint n = 0;

  while (show (), !film.stats.is_settled)
    g_assert_cmpuint (++n, <, 1000);
  return n;
}

/* --- items --- */

static void
begin (void)
{
  if (film.temporal != NULL)
    reference_temporal_free (film.temporal);
  film =
      (Film) {.n_slots = REFERENCE_TEMPORAL_SLOTS, .width = 16, .height = 64,
        .settings = {.palette = grey_bin_per_code, .stability = 0.5,
          .bin_capacity = REFERENCE_LIVE_CAPACITY, .is_noisy = TRUE,
          .is_at_rest = TRUE}};
}

static void
set_palette (const gchar * colours)
{
  ReferenceTemporalSettings *settings = &film.settings;

  settings->n_colours = 0;
  for (; *colours != 0; colours += *colours == ',')
    settings->colours[settings->n_colours++] = take_colour (&colours);
}

static void
check_stats (const gchar * wanted)
{
  g_auto (GStrv) words = g_strsplit (wanted, " ", 0);

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != 0)
      apply (words[i], TRUE);
}

static void
run_item (const gchar * item)
{
  const gchar *patches = item + strspn (item, "0123456789");
  const guint n = patches > item ? g_ascii_strtoull (item, NULL, 10) : 1;

  if (*item == 0)
    return;
  if (*patches == ':' || *patches == '=' || *patches == '~')
    show_patches (patches + 1 + strspn (patches + 1, " "), n, *patches == ':',
        *patches != '~');
  else if (patches > item || *item == '#')
    show_patches (item, 1, TRUE, TRUE);
  else if (*item == '?')
    check_stats (item + 1);
  else if (g_str_equal (item, "new"))
    begin ();
  else if (g_str_equal (item, "reset"))
    reference_temporal_reset (film.temporal);
  else if (g_str_equal (item, "forget"))
    reference_temporal_forget_modes (film.temporal);
  else if (g_str_has_prefix (item, "palette="))
    set_palette (item + strlen ("palette="));
  else if (g_str_has_prefix (item, "colours="))
    set_colours (g_ascii_strtoull (item + strlen ("colours="), NULL, 10));
  else if (g_str_has_prefix (item, "rest="))
    g_assert_cmpuint (rest (), ==, g_ascii_strtoull (item + strlen ("rest="),
            NULL, 10));
  else
    apply (item, FALSE);
}

void
grey_film_run (const gchar * text, ...)
{
  g_autofree gchar *all = NULL;
  g_auto (GStrv) items = NULL;
  va_list args;

  va_start (args, text);
  all = g_strdup_vprintf (text, args);
  va_end (args);
  items = g_strsplit (all, ";", 0);
  begin ();
  for (guint i = 0; items[i] != NULL; i++)
    run_item (g_strstrip (items[i]));
  begin ();
}

static void
run_test (gconstpointer text)
{
  grey_film_run ("%s", (const gchar *) text);
}

void
grey_film_add (const GreyFilm * films, guint n)
{
  for (guint i = 0; i < n; i++)
    g_test_add_data_func (films[i].name, films[i].film, run_test);
}
