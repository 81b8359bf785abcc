/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "grey_film.h"
#include "reference_live.h"

#include <string.h>

#define WIDTH 16

static gdouble
even_eotf (gdouble code)
{
  return code * code * code;
}

const ReferencePaletteSettings grey_bin_per_code = {.radius = 0.01176,
  .transfer = REFERENCE_TRANSFER_CUSTOM, .eotf = even_eotf};

GreyFilm *
grey_film_new_full (guint height, guint n_slots)
{
  GreyFilm *film = g_new0 (GreyFilm, 1);

  film->temporal = reference_temporal_new (n_slots);
  film->settings.palette = grey_bin_per_code;
  film->settings.bin_capacity = REFERENCE_LIVE_CAPACITY;
  film->settings.stability = 0.5;
  film->settings.is_noisy = film->settings.is_at_rest = TRUE;
  film->height = height;
  film->picture = g_malloc0 (4 * WIDTH * height);
  film->shown = g_malloc0 (4 * WIDTH * height);
  return film;
}

GreyFilm *
grey_film_new (void)
{
  return grey_film_new_full (64, REFERENCE_TEMPORAL_SLOTS);
}

void
grey_film_free (GreyFilm * film)
{
  reference_temporal_free (film->temporal);
  g_free (film->picture);
  g_free (film->shown);
  g_free (film);
}

/* Takes a number after @before, if that is there. */
static gboolean
take_number (const gchar ** text, gchar before, guint * number)
{
  gchar *end;

  if (before != 0 && **text != before)
    return FALSE;
  *text += before != 0;
  *number = (guint) g_ascii_strtoull (*text, &end, 10);
  g_assert_true (end > *text);
  *text = end;
  return TRUE;
}

typedef struct
{
  guint code, n, shown;
} Patch;

/* FALSE at the end of @text. */
static gboolean
take_patch (const gchar ** text, Patch * patch)
{
  while (**text == ' ')
    *text += 1;
  if (**text == 0)
    return FALSE;
  take_number (text, 0, &patch->code);
  g_assert_true (take_number (text, '*', &patch->n));
  if (!take_number (text, '>', &patch->shown))
    patch->shown = patch->code;
  return TRUE;
}

static void
paint (GreyFilm * film, const gchar * patches)
{
  guint8 *at = film->picture, *end = at + 4 * WIDTH * film->height;
  Patch patch;

  memset (at, 0, end - at);
  while (take_patch (&patches, &patch))
    for (guint i = 0; i < patch.n; i++, at += 4) {
      g_assert_true (at < end);
      memset (at, (gint) patch.code, 3);
      at[3] = 255;
    }
}

static void
check (const GreyFilm * film, const gchar * patches)
{
  const guint8 *at = film->shown;
  Patch patch;

  while (take_patch (&patches, &patch))
    for (guint i = 0; i < patch.n; i++, at += 4) {
      const guint8 wanted[] = { patch.shown, patch.shown, patch.shown, 255 };

      g_assert_cmpmem (at, 4, wanted, 4);
    }
}

void
grey_film_show_picture (GreyFilm * film)
{
  const ReferencePicture input = { film->picture, WIDTH, film->height };

  reference_temporal_frame (film->temporal, &film->settings, film->interval,
      &input, film->shown, &film->stats);
}

static void
show_again (GreyFilm * film, const gchar * patches)
{
  paint (film, patches);
  grey_film_show_picture (film);
  check (film, patches);
}

/* To others that mean the same: so large a capacity, or intervals of 0 and 1. */
static void
vary_settings (ReferenceTemporalSettings * settings)
{
  if (settings->bin_capacity > 1000)
    settings->bin_capacity ^= 1;
  else
    settings->update_interval ^= 1;
}

void
grey_film_paint (GreyFilm * film, const gchar * patches, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, patches);
  text = g_strdup_vprintf (patches, args);
  va_end (args);
  paint (film, text);
}

void
grey_film_show_again (GreyFilm * film, const gchar * patches, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, patches);
  text = g_strdup_vprintf (patches, args);
  va_end (args);
  show_again (film, text);
}

void
grey_film_show_often (GreyFilm * film, guint n, const gchar * patches, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, patches);
  text = g_strdup_vprintf (patches, args);
  va_end (args);
  while (n-- > 0) {
    vary_settings (&film->settings);
    show_again (film, text);
  }
}
