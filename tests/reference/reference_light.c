/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_light.h"
#include "reference_integer.h"

/* Components beyond these may be clipped. */
#define DARKEST 4
#define LIGHTEST 250

/* A block whose light can be compared. */
typedef struct
{
  gint64 before;                /* quarter code values */
  gint64 change;                /* 32nds of a code value */
} Sample;

typedef struct
{
  gint64 gain;                  /* 4096ths, above 1 */
  gint64 shift;                 /* 4096ths of a code value */
} Line;

/* --- blocks that can be compared --- */

static gboolean
may_be_clipped (const guint8 * rgb)
{
  for (guint i = 0; i < 3; i++)
    if (rgb[i] < DARKEST || rgb[i] > LIGHTEST)
      return TRUE;
  return FALSE;
}

/* By block, whether more than one sample in 16 may be clipped, or none counts. */
static gboolean *
find_clipped (const guint8 * picture, guint width, guint height)
{
  const guint n_blocks = reference_blocks_count (width, height);
  g_autofree guint *counted = g_new0 (guint, n_blocks);
  g_autofree guint *clipped = g_new0 (guint, n_blocks);
  gboolean *are_clipped = g_new (gboolean, n_blocks);

  for (gsize i = 0; i < (gsize) width * height; i++) {
    const guint block = reference_blocks_find (width, height, i);

    if (picture[4 * i + 3] == 0
        || !reference_blocks_is_looked_at (width, height, i))
      continue;
    counted[block]++;
    clipped[block] += may_be_clipped (picture + 4 * i);
  }
  for (guint b = 0; b < n_blocks; b++)
    are_clipped[b] = counted[b] == 0 || 16 * clipped[b] > counted[b];
  return are_clipped;
}

static guint
find_samples (const ReferencePictures * pictures, Sample * samples)
{
  const guint width = pictures->width, height = pictures->height;
  g_autofree gint64 *before =
      reference_blocks_lumas_new (pictures->before, width, height);
  g_autofree gint64 *now =
      reference_blocks_lumas_new (pictures->now, width, height);
  g_autofree gboolean *was_clipped =
      find_clipped (pictures->before, width, height);
  g_autofree gboolean *is_clipped = find_clipped (pictures->now, width, height);
  guint n = 0;

  for (guint b = 0; b < reference_blocks_count (width, height); b++) {
    const Sample sample = { reference_floor_divide (before[b], 64),
      reference_floor_divide (now[b] - before[b] + 4, 8)
    };

    if (!was_clipped[b] && !is_clipped[b] && ABS (sample.change) < 2048)
      samples[n++] = sample;
  }
  return n;
}

/* --- the line through them --- */

static gint64
error_of (Line line, Sample sample)
{
  return ABS (128 * sample.change - line.shift
      - reference_floor_divide (line.gain * sample.before, 4));
}

/* By least squares. The steepness is drawn to 0 where samples are alike. */
static Line
fit (const Sample * samples, const gboolean * counts, guint n)
{
  gint64 sum_before = 0, sum_change = 0, steepness = 0, spread = 0, m = 0;
  gint64 mean_before, mean_change;
  Line line;

  for (guint i = 0; i < n; i++)
    if (counts[i]) {
      sum_before += samples[i].before;
      sum_change += samples[i].change;
      m++;
    }
  mean_before = reference_floor_divide (sum_before, m);
  mean_change = reference_floor_divide (sum_change, m);
  for (guint i = 0; i < n; i++)
    if (counts[i]) {
      const gint64 from = samples[i].before - mean_before;

      steepness += from * (samples[i].change - mean_change);
      spread += from * from;
    }
  line.gain = reference_floor_divide (512 * steepness, spread + m);
  line.shift = reference_floor_divide (128 * sum_change, m)
      - reference_floor_divide (line.gain * mean_before, 4);
  return line;
}

static gint64
sum_of_errors (Line line, const Sample * samples, guint n)
{
  gint64 sum = 0;

  for (guint i = 0; i < n; i++)
    sum += error_of (line, samples[i]);
  return sum;
}

static void
choose_near (Line line, const Sample * samples, gboolean * counts, guint n)
{
  const gint64 limit = 4096
      + 2 * reference_floor_divide (sum_of_errors (line, samples, n), n);

  for (guint i = 0; i < n; i++)
    counts[i] = error_of (line, samples[i]) <= limit;
}

/* Whether light changes, and most of that is on the line. */
static gboolean
explains (Line line, const Sample * samples, guint n)
{
  const Line none = { 0, 0 };
  const gint64 all = sum_of_errors (none, samples, n);

  return all >= 1024 * n && 2 * sum_of_errors (line, samples, n) <= all;
}

static gboolean
is_moderate (Line line)
{
  return line.gain >= -1024 && line.gain <= 2048;
}

static Line
find_line (const Sample * samples, guint n)
{
  const Line none = { 0, 0 };
  g_autofree gboolean *counts = g_new (gboolean, n);
  Line line;

  for (guint i = 0; i < n; i++)
    counts[i] = TRUE;
  line = fit (samples, counts, n);
  if (!is_moderate (line))
    return none;
  choose_near (line, samples, counts, n);
  line = fit (samples, counts, n);
  return is_moderate (line) && explains (line, samples, n) ? line : none;
}

ReferenceLight
reference_light_find (const ReferencePictures * pictures)
{
  const guint n_blocks =
      reference_blocks_count (pictures->width, pictures->height);
  g_autofree Sample *samples = g_new (Sample, n_blocks);
  const guint n = find_samples (pictures, samples);
  Line line = { 0, 0 };

  if (8 * n >= n_blocks && n > 0)
    line = find_line (samples, n);
  return (ReferenceLight) {4096 + line.gain, line.shift};
}

gboolean
reference_light_is_same (const ReferenceLight * light)
{
  return light->gain == 4096 && light->shift == 0;
}

gint64
reference_light_apply (const ReferenceLight * light, gint64 value, gint64 parts)
{
  return CLAMP (reference_floor_divide (light->gain * value
          + parts * light->shift + 2048, 4096), 0, 255 * parts);
}

gint64
reference_light_expect (const ReferenceLight * light, gint64 value,
    gint64 parts)
{
  return value < DARKEST * parts || value > LIGHTEST * parts ? value
      : reference_light_apply (light, value, parts);
}
