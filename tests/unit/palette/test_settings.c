/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is done again once a setting changes: a row for every field of GpuPaletteSettings.
 * A field without a row fails. */
#include "palette_fixture.h"
#include "palette_tests.h"
#include "generated.h"

#include <string.h>

#define SIDE 32

typedef struct
{
  const gchar *name;
  gsize offset, size;           /* in GpuPaletteSettings */
  gboolean is_double;           /* else an integer, or the first of several */
  gdouble value;                /* what it becomes; integers too */
  gboolean redoes[GPU_PALETTE_LIVE + 1];        /* the palette, by quality */
} Field;

#define FIELD(member, value, exact, live) \
  { #member, G_STRUCT_OFFSET (GpuPaletteSettings, member), \
    sizeof ((GpuPaletteSettings *) NULL)->member, \
    _Generic (((GpuPaletteSettings *) NULL)->member, gdouble: TRUE, default: FALSE), \
    value, {exact, live} }

/* Exact counts frames of a longer history, and finds that nothing else changed where it
 * counts the same. */
static const Field fields[] = {
  FIELD (counting.scene_cut_threshold, 0.5, FALSE, TRUE),
  FIELD (counting.history, 3, TRUE, TRUE),
  FIELD (counting.least_alpha, 2, FALSE, TRUE),
  FIELD (making.radius, 0.05, TRUE, TRUE),
  FIELD (making.chroma, 2, TRUE, TRUE),
  FIELD (making.max_shift, 3, FALSE, TRUE),
  FIELD (making.coherence, 0.5, FALSE, TRUE),
  FIELD (making.weighting, GPU_PALETTE_PALETTE, TRUE, TRUE),
  FIELD (making.iteration_limit, 7, TRUE, FALSE),
  FIELD (making.min_frequency, 2, TRUE, TRUE),
  FIELD (making.limit, 5, FALSE, TRUE),
  FIELD (making.keeps_radius, TRUE, FALSE, TRUE),
  FIELD (making.given.n_colours, 2, FALSE, TRUE),
  FIELD (making.given.colours, 0x123456, FALSE, TRUE),
  FIELD (motion.stability, 0.5, FALSE, TRUE),
  FIELD (motion.hold, TRUE, FALSE, TRUE),
  FIELD (motion.update_interval, 4, FALSE, TRUE),
  /* Of the frame at hand. */
  FIELD (interval, 1000000, FALSE, FALSE),
  FIELD (tag, 77, FALSE, FALSE),
  FIELD (counts_pixels, TRUE, FALSE, FALSE),
};

/* Chosen, not compared: every quality has a map of its own. And what is no setting. */
static const Field others[] = {
  FIELD (quality, 0, FALSE, FALSE),
};

static void
set (GpuPaletteSettings * settings, const Field * field)
{
  gpointer at = (guint8 *) settings + field->offset;

  if (field->is_double)
    *(gdouble *) at = field->value;
  else if (field->size == sizeof (guint64))
    *(guint64 *) at = field->value;
  else
    *(guint32 *) at = field->value;
}

/* --- rows --- */

static void
mark (guint8 * bytes, const Field * rows, guint n)
{
  for (guint i = 0; i < n; i++)
    for (gsize b = 0; b < rows[i].size; b++)
      bytes[rows[i].offset + b]++;
}

/* Each byte is that of one field. */
PALETTE_TEST (TESTS_ESSENTIAL, "/settings/", rows)
{
  guint8 bytes[sizeof (GpuPaletteSettings)] = { 0 };

  mark (bytes, fields, G_N_ELEMENTS (fields));
  mark (bytes, others, G_N_ELEMENTS (others));
  for (gsize b = 0; b < sizeof bytes; b++)
    if (bytes[b] != 1)
      g_error ("%u rows have byte %" G_GSIZE_FORMAT " of the settings, not one",
          bytes[b], b);
}

/* --- frames --- */

static gboolean
is_done_again (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba)
{
  g_autofree guint8 *result = engine_run (engine, settings, rgba);

  return engine->report.made.solved;
}

/* The same frame over and over: only what changed of the settings is a reason. */
static void
check_field (GpuPaletteQuality quality, const Field * field,
    const guint8 * rgba)
{
  g_autoptr (Engine) engine = engine_new (quality, SIDE, SIDE);
  /* Pixels keep modes, whichever field changes: starting to is a reason as well. */
  GpuPaletteSettings settings = {.quality = quality, .making.radius = 0.1,
    .motion.stability = HARDLY_STABLE};

  /* A colour of a palette that is given, not one behind them. */
  if (!strcmp (field->name, "making.given.colours"))
    settings.making.given.n_colours = 1;
  g_assert_true (is_done_again (engine, &settings, rgba));
  g_assert_false (is_done_again (engine, &settings, rgba));
  set (&settings, field);
  if (is_done_again (engine, &settings, rgba) != field->redoes[quality])
    g_error ("quality %u: %s has the palette made again, or not, wrongly",
        quality, field->name);
}

static void
check_fields (GpuPaletteQuality quality)
{
  g_autofree guint8 *rgba = generated_picture_new ("blobs", SIDE, SIDE, 1);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    check_field (quality, &fields[i], rgba);
}

PALETTE_TEST (TESTS_ESSENTIAL, "/settings/", live)
{
  check_fields (GPU_PALETTE_LIVE);
}

PALETTE_TEST (TESTS_OTHERS, "/settings/", exact)
{
  check_fields (GPU_PALETTE_EXACT);
}
