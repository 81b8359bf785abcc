/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_palette.h"
#include "reference_count.h"
#include "reference_integer.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  ReferencePoint at;
  guint32 weight;
} Attractor;

struct _ReferenceColours
{
  Attractor *attractors;        /* by ascending L */
  gsize n;
  gint64 radius_squared;
};

static gint
compare_by_lightness (gconstpointer one, gconstpointer other)
{
  gint32 L1 = ((const Attractor *) one)->at.L;
  gint32 L2 = ((const Attractor *) other)->at.L;

  return (L1 > L2) - (L1 < L2);
}

ReferenceColours *
reference_colours_new (const ReferencePoint * points, const guint32 * weights,
    gsize n, gint64 radius_squared)
{
  ReferenceColours *colours = g_new (ReferenceColours, 1);

  colours->attractors = g_new (Attractor, n);
  colours->n = n;
  colours->radius_squared = radius_squared;
  for (gsize i = 0; i < n; i++) {
    colours->attractors[i].at = points[i];
    colours->attractors[i].weight = weights[i];
  }
  if (n > 0)
    qsort (colours->attractors, n, sizeof (Attractor), compare_by_lightness);
  return colours;
}

void
reference_colours_free (ReferenceColours * colours)
{
  g_free (colours->attractors);
  g_free (colours);
}

static gint64
distance_squared (ReferencePoint p, ReferencePoint q)
{
  gint64 L = (gint64) p.L - q.L;
  gint64 a = (gint64) p.a - q.a;
  gint64 b = (gint64) p.b - q.b;

  return L * L + a * a + b * b;
}

static gboolean
points_equal (ReferencePoint p, ReferencePoint q)
{
  return p.L == q.L && p.a == q.a && p.b == q.b;
}

static gint32
rounded_mean (gint64 sum, gint64 weight)
{
  return (gint32) reference_floor_divide (2 * sum + weight, 2 * weight);
}

/* As reference_next(), of the attractors @first to @end - 1 alone. */
static ReferencePoint
next_among (const ReferenceColours * colours, ReferencePoint from, gsize first,
    gsize end)
{
  gint64 weight = 0, L = 0, a = 0, b = 0;

  for (gsize i = first; i < end; i++) {
    const Attractor *other = &colours->attractors[i];

    if (distance_squared (other->at, from) > colours->radius_squared)
      continue;
    weight += other->weight;
    L += (gint64) other->weight * other->at.L;
    a += (gint64) other->weight * other->at.a;
    b += (gint64) other->weight * other->at.b;
  }
  if (weight == 0)
    return from;
  return (ReferencePoint) {
    rounded_mean (L, weight), rounded_mean (a, weight), rounded_mean (b, weight)
  };
}

ReferencePoint
reference_next (const ReferenceColours * colours, ReferencePoint from)
{
  return next_among (colours, from, 0, colours->n);
}

/* Index of the first attractor that is no darker than @L. */
static gsize
first_from_lightness (const ReferenceColours * colours, gint64 L)
{
  gsize low = 0, high = colours->n;

  while (low < high) {
    gsize middle = low + (high - low) / 2;

    if (colours->attractors[middle].at.L < L)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* As reference_next(), leaving out what the distance in L alone excludes. */
static ReferencePoint
next_among_near (const ReferenceColours * colours, ReferencePoint from)
{
  gint64 reach = 0;

  while (reach * reach < colours->radius_squared)
    reach++;
  return next_among (colours, from,
      first_from_lightness (colours, from.L - reach),
      first_from_lightness (colours, from.L + reach + 1));
}

/* Points as keys of a hash table. */
static guint
hash_point (gconstpointer key)
{
  const ReferencePoint *point = key;

  return (guint) point->L * 73856093u ^ (guint) point->a * 19349663u
      ^ (guint) point->b * 83492791u;
}

static gboolean
keys_equal (gconstpointer one, gconstpointer other)
{
  return points_equal (*(const ReferencePoint *) one,
      *(const ReferencePoint *) other);
}

/* @known: from point to next point, or NULL to compute every step plainly. */
static ReferencePoint
step (const ReferenceColours * colours, GHashTable * known, ReferencePoint from)
{
  ReferencePoint *next;

  if (known == NULL)
    return reference_next (colours, from);
  next = g_hash_table_lookup (known, &from);
  if (next == NULL) {
    next = g_new (ReferencePoint, 1);
    *next = next_among_near (colours, from);
    g_hash_table_insert (known, g_memdup2 (&from, sizeof from), next);
  }
  return *next;
}

static ReferencePoint
walk (const ReferenceColours * colours, GHashTable * known, ReferencePoint from,
    guint limit, guint * moves)
{
  guint count = 0;

  while (limit == 0 || count < limit) {
    ReferencePoint next = step (colours, known, from);

    if (points_equal (next, from))
      break;
    from = next;
    count++;
  }
  if (moves != NULL)
    *moves = count;
  return from;
}

ReferencePoint
reference_walk (const ReferenceColours * colours, ReferencePoint from,
    guint limit, guint * moves)
{
  return walk (colours, NULL, from, limit, moves);
}

void
reference_palette_lattice (const ReferencePaletteSettings * settings,
    ReferenceLattice * lattice)
{
  reference_lattice_init (lattice, settings->transfer, settings->eotf,
      reference_lattice_shift (settings->radius));
  if (settings->chroma > 0)
    reference_lattice_set_chroma (lattice, settings->chroma);
}

static ReferenceColours *
collect_colours (const ReferencePaletteSettings * settings,
    const ReferenceLattice * lattice, const guint8 * rgba, gsize n_pixels)
{
  g_autoptr (GHashTable) counts = reference_count_colours (rgba, n_pixels);
  const guint n_counted = g_hash_table_size (counts);
  g_autofree ReferencePoint *points = g_new (ReferencePoint, n_counted);
  g_autofree guint32 *weights = g_new (guint32, n_counted);
  gsize n = 0;
  GHashTableIter iter;
  gpointer colour, count;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &colour, &count)) {
    guint8 rgb[3];

    if (GPOINTER_TO_UINT (count) < settings->min_frequency)
      continue;
    reference_unpack_rgb (GPOINTER_TO_UINT (colour), rgb);
    points[n] = reference_colour_to_point (lattice, rgb);
    weights[n] = 1;
    if (settings->weighting == REFERENCE_WEIGHTING_FREQUENCY)
      weights[n] = GPOINTER_TO_UINT (count);
    n++;
  }
  return reference_colours_new (points, weights, n,
      reference_radius_squared (settings->radius, lattice->shift));
}

/* One picture on its way through the map from colour to colour. */
typedef struct
{
  const ReferencePaletteSettings *settings;
  ReferenceLattice lattice;
  ReferenceColours *colours;
  GHashTable *known;            /* steps taken before, or NULL */
  GHashTable *map;              /* from colour to output colour */
  GHashTable *ends, *outputs;   /* sets */
  guint longest_walk;
} Palette;

static void
palette_init (Palette * palette, const ReferencePaletteSettings * settings,
    const guint8 * counted, gsize n_counted)
{
  palette->settings = settings;
  reference_palette_lattice (settings, &palette->lattice);
  palette->colours =
      collect_colours (settings, &palette->lattice, counted, n_counted);
  palette->known = NULL;
  if (settings->walks == REFERENCE_WALKS_SHORTCUT)
    palette->known =
        g_hash_table_new_full (hash_point, keys_equal, g_free, g_free);
  palette->map = g_hash_table_new (NULL, NULL);
  palette->ends = g_hash_table_new_full (hash_point, keys_equal, g_free, NULL);
  palette->outputs = g_hash_table_new (NULL, NULL);
  palette->longest_walk = 0;
}

static void
palette_clear (Palette * palette)
{
  reference_colours_free (palette->colours);
  g_clear_pointer (&palette->known, g_hash_table_unref);
  g_hash_table_unref (palette->map);
  g_hash_table_unref (palette->ends);
  g_hash_table_unref (palette->outputs);
}

static guint32
walk_colour (Palette * palette, const guint8 * rgb)
{
  guint8 reduced[3];
  guint moves;
  const ReferencePoint end = walk (palette->colours, palette->known,
      reference_colour_to_point (&palette->lattice, rgb),
      palette->settings->iteration_limit, &moves);

  reference_point_to_colour (&palette->lattice, end, reduced);
  palette->longest_walk = MAX (palette->longest_walk, moves);
  g_hash_table_add (palette->ends, g_memdup2 (&end, sizeof end));
  g_hash_table_add (palette->outputs,
      GUINT_TO_POINTER (reference_pack_rgb (reduced)));
  return reference_pack_rgb (reduced);
}

static void
map_pixel (Palette * palette, guint8 * pixel)
{
  gpointer colour = GUINT_TO_POINTER (reference_pack_rgb (pixel)), reduced;

  if (!g_hash_table_lookup_extended (palette->map, colour, NULL, &reduced)) {
    reduced = GUINT_TO_POINTER (walk_colour (palette, pixel));
    g_hash_table_insert (palette->map, colour, reduced);
  }
  reference_unpack_rgb (GPOINTER_TO_UINT (reduced), pixel);
}

void
reference_palette_from (const ReferencePaletteSettings * settings,
    const ReferencePixels * counted, const ReferencePixels * input,
    guint8 * output, ReferencePaletteStats * stats)
{
  Palette palette;

  palette_init (&palette, settings, counted->bytes, counted->n);
  memmove (output, input->bytes, 4 * input->n);
  for (guint8 * pixel = output; pixel < output + 4 * input->n; pixel += 4)
    if (pixel[3] != 0)
      map_pixel (&palette, pixel);
  if (stats != NULL) {
    stats->n_colours = palette.colours->n;
    stats->n_ends = g_hash_table_size (palette.ends);
    stats->n_output_colours = g_hash_table_size (palette.outputs);
    stats->longest_walk = palette.longest_walk;
  }
  palette_clear (&palette);
}

void
reference_palette (const ReferencePaletteSettings * settings,
    const guint8 * input, guint width, guint height, guint8 * output,
    ReferencePaletteStats * stats)
{
  const ReferencePixels pixels = { input, (gsize) width * height };

  reference_palette_from (settings, &pixels, &pixels, output, stats);
}
