/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_regions.h"

#include <math.h>

/* Distances in floats are wrong by this share of themselves, and of the side of an ellipse. */
#define FLOAT_ERROR 1e-6

#define MIN_JUDGED_ALPHA 16.0   /* of 255 */

/* The pixels of the frame that share a sample; ends exclusive. */
typedef struct
{
  gint64 left, top, right, bottom;
} Pixels;

/* Numbers from low to high. */
typedef struct
{
  guint low, high;
} Span;

/* A region, and what its samples become. */
typedef struct
{
  ReferenceRegion region;
  Pixels inside;                /* its rectangle in the frame */
  Span *codes;                  /* of each sample; NULL: nothing is treated so */
} Treatment;

/* What may decide about a sample, and its shares in it. */
typedef struct
{
  const Treatment *treatment;
  Span shares;
} Candidate;

typedef struct
{
  const ReferenceAreas *areas;
  const ReferenceComponent *component;
  guint *alphas;                /* of each sample; NULL: the frame has none */
  gboolean is_weighted;         /* by alpha */
  gsize n_samples;
  Treatment *treatments;        /* of regions */
  guint n_treatments;
  Treatment rest;
} Work;

static Pixels
pixels_of (const Work * work, gsize sample)
{
  const ReferenceComponent *component = work->component;
  const gint64 left =
      (gint64) (sample % component->columns) << component->shift_x;
  const gint64 top =
      (gint64) (sample / component->columns) << component->shift_y;

  return (Pixels) {
    left, top, MIN (left + (1 << component->shift_x), work->areas->width),
    MIN (top + (1 << component->shift_y), work->areas->height)
  };
}

/* --- distances --- */

static gdouble
distance_to_rectangle (const ReferenceRegion * region, gint64 x, gint64 y)
{
  gint64 nearest_x = CLAMP (x, region->x, region->x + region->width - 1);
  gint64 nearest_y = CLAMP (y, region->y, region->y + region->height - 1);

  return hypot (x - nearest_x, y - nearest_y);
}

/* Along the line from the middle to the nearest point of the pixel, from where it leaves the
 * ellipse; one more, as for the pixel next to a rectangle. Doubled lengths are whole. */
static gdouble
distance_to_ellipse (const ReferenceRegion * region, gint64 x, gint64 y)
{
  gint64 middle_x = 2 * region->x + region->width;
  gint64 middle_y = 2 * region->y + region->height;
  gint64 line_x = CLAMP (middle_x, 2 * x, 2 * x + 2) - middle_x;
  gint64 line_y = CLAMP (middle_y, 2 * y, 2 * y + 2) - middle_y;
  gint64 across = line_x * region->height, down = line_y * region->width;
  gint64 whole = region->width * region->height;
  gdouble radii = hypot (across, down) / whole;

  /* Numbers below are less than 2^62, so that sums of two fit. */
  if (ABS (across) < whole && ABS (down) < whole
      && across * across + down * down < whole * whole)
    return 0;
  return MAX (1, 1 + hypot (line_x, line_y) / 2 * (radii - 1) / radii);
}

/* Of the nearest of the pixels, or the farthest. */
static gdouble
distance_to (const ReferenceRegion * region, const Pixels * pixels,
    gboolean is_farthest)
{
  gdouble distance = is_farthest ? 0 : G_MAXDOUBLE;

  for (gint64 y = pixels->top; y < pixels->bottom; y++)
    for (gint64 x = pixels->left; x < pixels->right; x++) {
      const gdouble own = region->is_ellipse
          ? distance_to_ellipse (region, x, y)
          : distance_to_rectangle (region, x, y);

      distance = is_farthest ? MAX (distance, own) : MIN (distance, own);
    }
  return distance;
}

/* --- shares --- */

static guint
round_share (gdouble share)
{
  return floor (CLAMP (share, 0, 1) * REFERENCE_WHOLE + .5);
}

/* The shares that floats may have. */
static Span
shares_at (const ReferenceRegion * region, gdouble distance)
{
  gdouble side = region->is_ellipse ? MAX (region->width, region->height) : 0;
  gdouble error = FLOAT_ERROR * (1 + side / (region->feather + 1));
  gdouble share = 1 - distance / (region->feather + 1);

  if (distance == 0)
    return (Span) {REFERENCE_WHOLE, REFERENCE_WHOLE};
  return (Span) {round_share (share - error), round_share (share + error)};
}

static gboolean
is_stronger (const ReferenceRegion * a, const ReferenceRegion * b)
{
  if (a->action != b->action)
    return a->action > b->action;
  if (a->action == REFERENCE_REGION_PIXELATE)
    return a->block > b->block;
  return a->action == REFERENCE_REGION_BLUR && a->strength > b->strength;
}

/* Whether @a decides about a sample if @b does not, and the other way round is impossible. */
static gboolean
beats (const Candidate * a, const Candidate * b)
{
  const ReferenceRegion *of_a = &a->treatment->region;
  const ReferenceRegion *of_b = &b->treatment->region;
  gboolean is_tie = a->shares.low == a->shares.high
      && b->shares.low == b->shares.high && a->shares.low == b->shares.low;

  return a->shares.low > b->shares.high
      || (is_tie && (is_stronger (of_a, of_b) || (!is_stronger (of_b, of_a)
              && a->treatment < b->treatment)));
}

/* Adds @candidate to those that may decide, unless one of them beats it. Those that it beats
 * go. */
static void
add_candidate (GArray * candidates, const Candidate * candidate)
{
  for (guint i = 0; i < candidates->len; i++)
    if (beats (&g_array_index (candidates, Candidate, i), candidate))
      return;
  for (guint i = candidates->len; i-- > 0;)
    if (beats (candidate, &g_array_index (candidates, Candidate, i)))
      g_array_remove_index (candidates, i);
  g_array_append_val (candidates, *candidate);
}

/* Returns what may decide about a sample: none, one, or more regions if floats cannot tell
 * which has the larger share; or the rest, with the share of the sample that no region
 * keeps. */
static GArray *
find_candidates (const Work * work, const Pixels * pixels)
{
  const gboolean is_rest = work->areas->rest != NULL;
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  Candidate rest = { &work->rest, {REFERENCE_WHOLE, REFERENCE_WHOLE}
  };

  for (guint i = 0; i < work->n_treatments; i++) {
    const ReferenceRegion *region = &work->treatments[i].region;
    const Candidate candidate = { &work->treatments[i],
      shares_at (region, distance_to (region, pixels, is_rest))
    };

    rest.shares.low =
        MIN (rest.shares.low, REFERENCE_WHOLE - candidate.shares.high);
    rest.shares.high =
        MIN (rest.shares.high, REFERENCE_WHOLE - candidate.shares.low);
    if (!is_rest && candidate.shares.high > 0)
      add_candidate (candidates, &candidate);
  }
  return is_rest ? g_array_append_val (candidates, rest) : candidates;
}

static gboolean
is_treated (const Work * work)
{
  const guint index = work->component->index;

  return work->areas->components >> index & 1
      && !(work->areas->by_alpha && index == REFERENCE_ALPHA);
}

static guint
scale_share (const Work * work, gsize sample, guint share)
{
  const guint amount = round_share (work->areas->amount);
  const guint largest = work->component->largest_alpha;

  share = (share * amount + REFERENCE_WHOLE / 2) / REFERENCE_WHOLE;
  return work->areas->by_alpha
      ? (share * work->alphas[sample] + largest / 2) / largest : share;
}

/* Beyond the last column and row of the frame, the last is repeated. */
static guint
mean_alpha (const Work * work, gsize sample)
{
  const ReferenceComponent *component = work->component;
  const guint last_x = work->areas->width - 1, last_y = work->areas->height - 1;
  const guint columns = 1 << component->shift_x, rows = 1 << component->shift_y;
  guint sum = 0;

  for (guint i = 0; i < columns * rows; i++) {
    const guint x = sample % component->columns * columns + i % columns;
    const guint y = sample / component->columns * rows + i / columns;

    sum += component->alpha[MIN (y, last_y) * work->areas->width
        + MIN (x, last_x)];
  }
  return (sum + columns * rows / 2) / (columns * rows);
}

/* --- treatments --- */

static ReferenceBlurSettings
blur_of (const ReferenceAreas * areas, const ReferenceRegion * region)
{
  ReferenceBlurSettings blur = areas->blur;

  for (guint i = 0; i < REFERENCE_AXES; i++)
    blur.sigma[i] *= region->strength;
  return blur;
}

static void
blur (const Work * work, Treatment * treatment)
{
  const ReferenceComponent *component = work->component;
  const ReferenceBlurSettings settings =
      blur_of (work->areas, &treatment->region);
  const guint n = work->is_weighted ? 2 : 1;
  const gdouble error = .5 + component->blur_error;
  g_autofree guint16 *codes = g_new (guint16, work->n_samples * n);
  g_autofree gdouble *blurred = g_new (gdouble, work->n_samples * n);
  const ReferencePlane plane = {
    .codes = codes,
    .full_code = component->largest,
    .width = component->columns,
    .height = component->rows,
    .components = n,
    .alpha = work->is_weighted ? 1 : -1,
    .x_subsampling = 1 << component->shift_x,
    .y_subsampling = 1 << component->shift_y,
    .black = {component->black},
  };

  for (gsize i = 0; i < work->n_samples; i++) {
    codes[i * n] = component->codes[i];
    if (work->is_weighted)
      codes[i * n + 1] = work->alphas[i];
  }
  reference_blur (&plane, &settings, blurred);
  for (gsize i = 0; i < work->n_samples; i++) {
    const gdouble code = blurred[i * n];

    treatment->codes[i] = (Span) {
      CLAMP (ceil (code - error), 0, component->largest),
      CLAMP (floor (code + error), 0, component->largest)
    };
    if (work->is_weighted && blurred[i * n + 1]
        < MIN_JUDGED_ALPHA / 255 * component->largest_alpha)
      treatment->codes[i] = (Span) {0, component->largest};
  }
}

static gboolean
is_in_rectangle (const Pixels * pixels, const Pixels * inside)
{
  return pixels->right > inside->left && pixels->left < inside->right
      && pixels->bottom > inside->top && pixels->top < inside->bottom;
}

static void
pixelate (const Work * work, Treatment * treatment)
{
  const Pixels *inside = &treatment->inside;
  const guint block = treatment->region.block;
  const guint columns = MAX (1, (inside->right - inside->left) / block);
  const guint rows = MAX (1, (inside->bottom - inside->top) / block);
  g_autofree guint64 *sums = g_new0 (guint64, columns * rows);
  g_autofree guint64 *weights = g_new0 (guint64, columns * rows);
  g_autofree guint *blocks = g_new (guint, work->n_samples);

  for (gsize i = 0; i < work->n_samples; i++) {
    const Pixels pixels = pixels_of (work, i);
    const guint x = CLAMP (pixels.left, inside->left, inside->right - 1)
        - inside->left;
    const guint y = CLAMP (pixels.top, inside->top, inside->bottom - 1)
        - inside->top;
    const guint64 weight = work->is_weighted ? work->alphas[i] : 1;

    blocks[i] = MIN (y / block, rows - 1) * columns + MIN (x / block,
        columns - 1);
    if (!is_in_rectangle (&pixels, inside))
      continue;
    sums[blocks[i]] += weight * work->component->codes[i];
    weights[blocks[i]] += weight;
  }
  for (gsize i = 0; i < work->n_samples; i++) {
    const guint64 sum = sums[blocks[i]], weight = weights[blocks[i]];
    const guint code = weight == 0 ? 0 : (2 * sum + weight) / (2 * weight);

    treatment->codes[i] = (Span) {code, code};
  }
}

static Treatment
make_treatment (const Work * work, const ReferenceRegion * region)
{
  const gint64 width = work->areas->width, height = work->areas->height;

  return (Treatment) {.region = *region,
    .inside = {MAX (region->x, 0), MAX (region->y, 0),
      MIN (region->x + region->width, width),
      MIN (region->y + region->height, height)}};
}

static gboolean
is_seen (const Work * work, const Treatment * treatment)
{
  const ReferenceBlurSettings blur = blur_of (work->areas, &treatment->region);

  return treatment->inside.left < treatment->inside.right
      && treatment->inside.top < treatment->inside.bottom
      && (work->areas->rest
      || treatment->region.action != REFERENCE_REGION_BLUR
      || !reference_blur_is_identity (&blur));
}

static void
fill_in (const Work * work, Treatment * treatment)
{
  const guint fill = treatment->region.fill[work->component->index];

  treatment->codes = g_new (Span, work->n_samples);
  if (treatment->region.action == REFERENCE_REGION_BLUR)
    blur (work, treatment);
  else if (treatment->region.action == REFERENCE_REGION_PIXELATE)
    pixelate (work, treatment);
  else
    for (gsize i = 0; i < work->n_samples; i++)
      treatment->codes[i] = (Span) {fill, fill};
}

/* What becomes of the rest, or else of the regions. */
static void
add_treatments (Work * work)
{
  const ReferenceAreas *areas = work->areas;

  work->treatments = g_new (Treatment, areas->n + 1);
  for (guint i = 0; i < areas->n; i++) {
    Treatment treatment = make_treatment (work, &areas->regions[i]);

    if (!is_seen (work, &treatment))
      continue;
    if (!areas->rest)
      fill_in (work, &treatment);
    work->treatments[work->n_treatments++] = treatment;
  }
  if (areas->rest) {
    ReferenceRegion rest = *areas->rest;

    rest.x = rest.y = 0;
    rest.width = areas->width;
    rest.height = areas->height;
    work->rest = make_treatment (work, &rest);
    fill_in (work, &work->rest);
  }
}

/* --- samples --- */

static guint
mix (guint from, guint to, guint share)
{
  return ((guint64) from * (REFERENCE_WHOLE - share) + (guint64) to * share
      + REFERENCE_WHOLE / 2) / REFERENCE_WHOLE;
}

/* Widens @treated by what a candidate may make of a sample. */
static void
add_codes (const Work * work, const Candidate * candidate, gsize sample,
    ReferenceTreated * treated)
{
  const guint from = work->component->codes[sample];
  const guint least = scale_share (work, sample, candidate->shares.low);
  const guint most = scale_share (work, sample, candidate->shares.high);
  Span to = { from, from };

  if (most > 0 && is_treated (work)) {
    to = candidate->treatment->codes[sample];
    treated->stays = FALSE;
  }
  treated->low = MIN (treated->low, MIN (mix (from, to.low, least),
          mix (from, to.low, most)));
  treated->high = MAX (treated->high, MAX (mix (from, to.high, least),
          mix (from, to.high, most)));
}

void
reference_regions (const ReferenceAreas * areas,
    const ReferenceComponent * component, ReferenceTreated * output)
{
  Work work = {.areas = areas, .component = component,
    .n_samples = (gsize) component->columns * component->rows,
    .is_weighted = component->alpha && component->index != REFERENCE_ALPHA};

  if (component->alpha) {
    work.alphas = g_new (guint, work.n_samples);
    for (gsize i = 0; i < work.n_samples; i++)
      work.alphas[i] = mean_alpha (&work, i);
  }
  add_treatments (&work);
  for (gsize i = 0; i < work.n_samples; i++) {
    const Pixels pixels = pixels_of (&work, i);
    g_autoptr (GArray) candidates = find_candidates (&work, &pixels);
    const guint from = component->codes[i];

    output[i] = candidates->len == 0 ? (ReferenceTreated) {from, from, TRUE}
        : (ReferenceTreated) {G_MAXUINT, 0, TRUE};
    for (guint k = 0; k < candidates->len; k++)
      add_codes (&work, &g_array_index (candidates, Candidate, k), i,
          &output[i]);
  }
  for (guint i = 0; i < work.n_treatments; i++)
    g_free (work.treatments[i].codes);
  g_free (work.treatments);
  g_free (work.rest.codes);
  g_free (work.alphas);
}
