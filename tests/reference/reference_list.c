/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_list.h"
#include "reference_count.h"
#include "reference_steps.h"

#include <math.h>
#include <stdlib.h>

/* A colour of the picture. */
typedef struct
{
  guint32 colour;
  guint n;                      /* its own pixels */
  ReferencePlace at;            /* in eighths of bins */
  gboolean is_listed;
  guint least, most;            /* pixels that the list may say it has */
} Entry;

typedef struct
{
  Entry *entries;               /* most pixels first */
  guint n_entries, n_pixels;
  guint rarest;                 /* of which not all may have been looked at */
  Entry *listed[REFERENCE_LIST_LENGTH];
  guint n_listed;
} TopColours;

/* --- the picture --- */

/* Where a mode is that shows this. */
static ReferencePlace
place_of (guint32 colour, const ReferenceBins * bins)
{
  ReferenceMode mode = { FALSE };

  for (guint i = 0; i < 3; i++)
    mode.colour[i] = (colour >> (16 - 8 * i) & 255) << 8;
  reference_mode_show (&mode, bins);
  return mode.at;
}

static gint
compare_entries (gconstpointer p, gconstpointer q)
{
  const Entry *a = p, *b = q;

  if (a->n != b->n)
    return a->n > b->n ? -1 : 1;
  return (a->colour > b->colour) - (a->colour < b->colour);
}

static void
take_top (TopColours * top, const ReferencePaletteSettings * settings,
    const guint8 * rgba, gsize n_pixels)
{
  g_autoptr (GHashTable) counts = reference_count_colours (rgba, n_pixels);
  ReferenceBins bins;
  GHashTableIter iter;
  gpointer colour, n;

  /* For the pitch of the bins. */
  reference_bins_init (&bins, settings, G_MAXUINT, rgba, 1);
  *top = (TopColours) {g_new0 (Entry, g_hash_table_size (counts) + 1)};
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &colour, &n)) {
    Entry *entry = &top->entries[top->n_entries++];

    entry->colour = GPOINTER_TO_UINT (colour);
    entry->n = GPOINTER_TO_UINT (n);
    entry->at = place_of (entry->colour, &bins);
    top->n_pixels += entry->n;
  }
  qsort (top->entries, top->n_entries, sizeof (Entry), compare_entries);
  if (top->n_entries > REFERENCE_LIST_LENGTH)
    top->rarest = top->entries[REFERENCE_LIST_LENGTH].n;
  reference_bins_clear (&bins);
}

static Entry *
find (const TopColours * top, guint32 colour)
{
  for (guint i = 0; i < top->n_entries; i++)
    if (top->entries[i].colour == colour)
      return &top->entries[i];
  return NULL;
}

/* --- the list --- */

static gboolean
are_near (const Entry * a, const Entry * b)
{
  return reference_places_distance_squared (a->at, b->at) <= 36;
}

static gchar *
list_entry (TopColours * top, guint32 colour)
{
  Entry *entry = find (top, colour);

  if (!entry)
    return g_strdup_printf ("no pixel has %06x", colour);
  if (entry->is_listed)
    return g_strdup_printf ("%06x is listed twice", colour);
  if (entry->n < top->rarest)
    return g_strdup_printf ("%06x has %u pixels", colour, entry->n);
  for (guint i = 0; i < top->n_listed; i++)
    if (are_near (top->listed[i], entry))
      return g_strdup_printf ("%06x is near %06x", colour,
          top->listed[i]->colour);
  top->listed[top->n_listed++] = entry;
  entry->is_listed = TRUE;
  entry->least = entry->most = entry->n;
  return NULL;
}

/* Into that of those listed which has most pixels; of several with as many
 * nobody knows into which. */
static gchar *
merge_entry (TopColours * top, const Entry * entry)
{
  const gboolean is_sure = entry->n > top->rarest;
  Entry *host = NULL;
  guint n_hosts = 0;

  for (guint i = 0; i < top->n_listed; i++) {
    Entry *other = top->listed[i];

    if (other->n < entry->n || !are_near (other, entry)
        || (host && other->n < host->n))
      continue;
    host = other;
    other->most += entry->n;
    n_hosts++;
  }
  if (is_sure && n_hosts == 0)
    return g_strdup_printf ("%06x, with %u pixels, is missing", entry->colour,
        entry->n);
  if (is_sure && n_hosts == 1)
    host->least += entry->n;
  return NULL;
}

static gchar *
compare_mode (const TopColours * top, const ReferenceListed * mode)
{
  const Entry *entry = find (top, mode->colour);
  const gdouble n = mode->share * top->n_pixels;

  if (n > entry->least - 0.001 && n < entry->most + 0.001)
    return NULL;
  return g_strdup_printf ("%06x has %g pixels, not %u to %u", mode->colour, n,
      entry->least, entry->most);
}

static gchar *
check (TopColours * top, const ReferenceListed * modes, guint n_modes,
    guint * n_merged)
{
  gchar *fault = NULL;
  gdouble sum = 0;

  *n_merged = 0;
  for (guint i = 0; i < n_modes && !fault; i++)
    fault = i > 0 && modes[i].share > modes[i - 1].share
        ? g_strdup ("it is not sorted") : list_entry (top, modes[i].colour);
  /* All that are not listed are part of those that are. */
  for (guint i = 0; i < top->n_entries && !fault; i++)
    if (!top->entries[i].is_listed) {
      fault = merge_entry (top, &top->entries[i]);
      *n_merged += 1;
    }
  for (guint i = 0; i < n_modes && !fault; i++) {
    fault = compare_mode (top, &modes[i]);
    sum += modes[i].share;
  }
  /* All pixels are somewhere. */
  if (!fault && top->rarest == 0 && n_modes > 0 && fabs (sum - 1) >= 1e-9)
    fault = g_strdup_printf ("the sum of all is %g", sum);
  return fault;
}

gchar *
reference_list_find_fault (const ReferencePaletteSettings * settings,
    const guint8 * rgba, gsize n_pixels, const ReferenceListed * modes,
    guint n_modes, guint * n_merged)
{
  TopColours top;
  gchar *fault;

  take_top (&top, settings, rgba, n_pixels);
  fault = check (&top, modes, n_modes, n_merged);
  g_free (top.entries);
  return fault;
}
