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
  guint columns, rows;          /* blocks */
  guint64 *sums, *weights;      /* of each block */
  gdouble *blurred;             /* of each sample; with alpha behind it if that weighs it */
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
  GArray *treatments;           /* of regions */
  Treatment rest;
} Work;

static Treatment *
get (const Work * work, guint i)
{
  return &g_array_index (work->treatments, Treatment, i);
}

static gsize
count_samples (const ReferenceComponent * component)
{
  return (gsize) component->columns * component->rows;
}

static Pixels
pixels_of (const Work * work, guint x, guint y)
{
  const ReferenceComponent *component = work->component;
  gint64 left = (gint64) x << component->shift_x;
  gint64 top = (gint64) y << component->shift_y;

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

static gdouble
distance_to (const ReferenceRegion * region, gint64 x, gint64 y)
{
  return region->is_ellipse ? distance_to_ellipse (region, x, y)
      : distance_to_rectangle (region, x, y);
}

static gdouble
distance_to_nearest (const ReferenceRegion * region, const Pixels * pixels)
{
  gdouble least = G_MAXDOUBLE;

  for (gint64 y = pixels->top; y < pixels->bottom; y++)
    for (gint64 x = pixels->left; x < pixels->right; x++)
      least = MIN (least, distance_to (region, x, y));
  return least;
}

static gdouble
distance_to_farthest (const ReferenceRegion * region, const Pixels * pixels)
{
  gdouble most = 0;

  for (gint64 y = pixels->top; y < pixels->bottom; y++)
    for (gint64 x = pixels->left; x < pixels->right; x++)
      most = MAX (most, distance_to (region, x, y));
  return most;
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

/* Returns the regions that may decide about a sample: none, one, or more if floats cannot tell
 * which has the larger share. */
static GArray *
find_candidates (const Work * work, const Pixels * pixels)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint i = 0; i < work->treatments->len; i++) {
    const Treatment *treatment = get (work, i);
    const Candidate candidate = {
      treatment, shares_at (&treatment->region,
          distance_to_nearest (&treatment->region, pixels))
    };

    if (candidate.shares.high > 0)
      add_candidate (candidates, &candidate);
  }
  return candidates;
}

/* The rest has the share of a sample that no region keeps. */
static GArray *
find_rest (const Work * work, const Pixels * pixels)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  Candidate rest = { &work->rest };
  Span kept = { 0 };

  for (guint i = 0; i < work->treatments->len; i++) {
    const ReferenceRegion *region = &get (work, i)->region;
    Span shares = shares_at (region, distance_to_farthest (region, pixels));

    kept.low = MAX (kept.low, shares.low);
    kept.high = MAX (kept.high, shares.high);
  }
  rest.shares = (Span) {REFERENCE_WHOLE - kept.high,
    REFERENCE_WHOLE - kept.low};
  return g_array_append_val (candidates, rest);
}

static gboolean
is_treated (const Work * work)
{
  guint index = work->component->index;

  return work->areas->components >> index & 1
      && !(work->areas->by_alpha && index == REFERENCE_ALPHA);
}

static guint
scale_share (const Work * work, gsize sample, guint share)
{
  guint amount = round_share (work->areas->amount);
  guint largest = work->component->largest_alpha;

  share = (share * amount + REFERENCE_WHOLE / 2) / REFERENCE_WHOLE;
  return work->areas->by_alpha
      ? (share * work->alphas[sample] + largest / 2) / largest : share;
}

/* --- alpha --- */

static guint
mean_alpha (const Work * work, guint x, guint y)
{
  const ReferenceComponent *component = work->component;
  guint last_x = work->areas->width - 1, last_y = work->areas->height - 1;
  guint columns = 1 << component->shift_x, rows = 1 << component->shift_y;
  guint sum = 0;

  for (guint row = y * rows; row < (y + 1) * rows; row++)
    for (guint column = x * columns; column < (x + 1) * columns; column++)
      sum += component->alpha[MIN (row, last_y) * work->areas->width
          + MIN (column, last_x)];
  return (sum + columns * rows / 2) / (columns * rows);
}

static guint *
find_alphas (const Work * work)
{
  guint *alphas = g_new (guint, count_samples (work->component));

  for (guint y = 0; y < work->component->rows; y++)
    for (guint x = 0; x < work->component->columns; x++)
      alphas[y * work->component->columns + x] = mean_alpha (work, x, y);
  return alphas;
}

static gboolean
is_weighted (const Work * work)
{
  return work->alphas && work->component->index != REFERENCE_ALPHA;
}

/* --- blocks --- */

static guint
find_block (const Treatment * treatment, const Pixels * pixels)
{
  const Pixels *inside = &treatment->inside;
  guint x = CLAMP (pixels->left, inside->left, inside->right - 1)
      - inside->left;
  guint y = CLAMP (pixels->top, inside->top, inside->bottom - 1) - inside->top;

  return MIN (y / treatment->region.block, treatment->rows - 1)
      * treatment->columns
      + MIN (x / treatment->region.block, treatment->columns - 1);
}

static gboolean
is_in_rectangle (const Treatment * treatment, const Pixels * pixels)
{
  const Pixels *inside = &treatment->inside;

  return pixels->right > inside->left && pixels->left < inside->right
      && pixels->bottom > inside->top && pixels->top < inside->bottom;
}

static void
sum_blocks (const Work * work, Treatment * treatment)
{
  const ReferenceComponent *component = work->component;
  const Pixels *inside = &treatment->inside;
  guint block = treatment->region.block;

  treatment->columns = MAX (1, (inside->right - inside->left) / block);
  treatment->rows = MAX (1, (inside->bottom - inside->top) / block);
  treatment->sums = g_new0 (guint64, treatment->columns * treatment->rows);
  treatment->weights = g_new0 (guint64, treatment->columns * treatment->rows);
  for (guint y = 0; y < component->rows; y++)
    for (guint x = 0; x < component->columns; x++) {
      const Pixels pixels = pixels_of (work, x, y);
      gsize sample = y * component->columns + x;
      guint64 weight = is_weighted (work) ? work->alphas[sample] : 1;
      guint at = find_block (treatment, &pixels);

      if (!is_in_rectangle (treatment, &pixels))
        continue;
      treatment->sums[at] += weight * component->codes[sample];
      treatment->weights[at] += weight;
    }
}

static guint
mean_of_block (const Treatment * treatment, const Pixels * pixels)
{
  guint at = find_block (treatment, pixels);
  guint64 weight = treatment->weights[at];

  return weight == 0 ? 0 : (2 * treatment->sums[at] + weight) / (2 * weight);
}

/* --- blur --- */

static ReferenceBlurSettings
blur_of (const ReferenceAreas * areas, const ReferenceRegion * region)
{
  ReferenceBlurSettings blur = areas->blur;

  for (guint i = 0; i < REFERENCE_AXES; i++)
    blur.sigma[i] *= region->strength;
  return blur;
}

/* Returns the samples of the component, each followed by its alpha if that weighs it. */
static guint16 *
interleave (const Work * work)
{
  guint n = is_weighted (work) ? 2 : 1;
  guint16 *codes = g_new (guint16, count_samples (work->component) * n);

  for (gsize i = 0; i < count_samples (work->component); i++) {
    codes[i * n] = work->component->codes[i];
    if (is_weighted (work))
      codes[i * n + 1] = work->alphas[i];
  }
  return codes;
}

static gdouble *
blur (const Work * work, const ReferenceRegion * region)
{
  const ReferenceComponent *component = work->component;
  g_autofree guint16 *codes = interleave (work);
  const ReferenceBlurSettings settings = blur_of (work->areas, region);
  const ReferencePlane plane = {
    .codes = codes,
    .full_code = component->largest,
    .width = component->columns,
    .height = component->rows,
    .components = is_weighted (work) ? 2 : 1,
    .alpha = is_weighted (work) ? 1 : -1,
    .x_subsampling = 1 << component->shift_x,
    .y_subsampling = 1 << component->shift_y,
    .black = {component->black},
  };
  gdouble *blurred = g_new (gdouble, count_samples (component)
      * plane.components);

  reference_blur (&plane, &settings, blurred);
  return blurred;
}

static Span
blurred_codes (const Work * work, const Treatment * treatment, gsize sample)
{
  const ReferenceComponent *component = work->component;
  const gdouble *code = treatment->blurred
      + sample * (is_weighted (work) ? 2 : 1);
  gdouble error = .5 + component->blur_error;

  if (is_weighted (work)
      && code[1] < MIN_JUDGED_ALPHA / 255 * component->largest_alpha)
    return (Span) {0, component->largest};
  return (Span) {
    CLAMP (ceil (*code - error), 0, component->largest),
    CLAMP (floor (*code + error), 0, component->largest)
  };
}

/* --- treatments --- */

static Treatment
make_treatment (const Work * work, const ReferenceRegion * region)
{
  gint64 width = work->areas->width, height = work->areas->height;

  return (Treatment) {.region = *region,
    .inside = {MAX (region->x, 0), MAX (region->y,
          0),
      MIN (region->x + region->width,
          width),
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
  if (treatment->region.action == REFERENCE_REGION_PIXELATE)
    sum_blocks (work, treatment);
  if (treatment->region.action == REFERENCE_REGION_BLUR)
    treatment->blurred = blur (work, &treatment->region);
}

static void
clear (Treatment * treatment)
{
  g_free (treatment->sums);
  g_free (treatment->weights);
  g_free (treatment->blurred);
}

static void
add_treatments (Work * work)
{
  const ReferenceAreas *areas = work->areas;
  ReferenceRegion rest;

  for (guint i = 0; i < areas->n; i++) {
    Treatment treatment = make_treatment (work, &areas->regions[i]);

    if (!is_seen (work, &treatment))
      continue;
    if (!areas->rest)
      fill_in (work, &treatment);
    g_array_append_val (work->treatments, treatment);
  }
  if (!areas->rest)
    return;
  rest = *areas->rest;
  rest.x = rest.y = 0;
  rest.width = areas->width;
  rest.height = areas->height;
  work->rest = make_treatment (work, &rest);
  fill_in (work, &work->rest);
}

/* --- samples --- */

static Span
treat (const Work * work, const Treatment * treatment, const Pixels * pixels,
    gsize sample)
{
  guint code;

  if (treatment->region.action == REFERENCE_REGION_BLUR)
    return blurred_codes (work, treatment, sample);
  code = treatment->region.action == REFERENCE_REGION_FILL
      ? treatment->region.fill[work->component->index]
      : mean_of_block (treatment, pixels);
  return (Span) {code, code};
}

static guint
mix (guint from, guint to, guint share)
{
  return ((guint64) from * (REFERENCE_WHOLE - share) + (guint64) to * share
      + REFERENCE_WHOLE / 2) / REFERENCE_WHOLE;
}

/* Widens @treated by what a candidate may make of a sample. */
static void
add_codes (const Work * work, const Candidate * candidate,
    const Pixels * pixels, gsize sample, ReferenceTreated * treated)
{
  guint from = work->component->codes[sample];
  guint least = scale_share (work, sample, candidate->shares.low);
  guint most = scale_share (work, sample, candidate->shares.high);
  Span to;

  if (most == 0 || !is_treated (work)) {
    treated->low = MIN (treated->low, from);
    treated->high = MAX (treated->high, from);
    return;
  }
  to = treat (work, candidate->treatment, pixels, sample);
  treated->low = MIN (treated->low, MIN (mix (from, to.low, least), mix (from,
              to.low, most)));
  treated->high = MAX (treated->high, MAX (mix (from, to.high, least),
          mix (from, to.high, most)));
  treated->stays = FALSE;
}

static ReferenceTreated
make_sample (const Work * work, guint x, guint y)
{
  const Pixels pixels = pixels_of (work, x, y);
  gsize sample = (gsize) y * work->component->columns + x;
  guint from = work->component->codes[sample];
  g_autoptr (GArray) candidates = work->areas->rest
      ? find_rest (work, &pixels) : find_candidates (work, &pixels);
  ReferenceTreated treated = { G_MAXUINT, 0, TRUE };

  if (candidates->len == 0)
    return (ReferenceTreated) {from, from, TRUE};
  for (guint i = 0; i < candidates->len; i++)
    add_codes (work, &g_array_index (candidates, Candidate, i), &pixels,
        sample, &treated);
  return treated;
}

void
reference_regions (const ReferenceAreas * areas,
    const ReferenceComponent * component, ReferenceTreated * output)
{
  Work work = { areas, component };

  if (component->alpha)
    work.alphas = find_alphas (&work);
  work.treatments = g_array_new (FALSE, FALSE, sizeof (Treatment));
  add_treatments (&work);
  for (guint y = 0; y < component->rows; y++)
    for (guint x = 0; x < component->columns; x++)
      output[(gsize) y * component->columns + x] = make_sample (&work, x, y);
  for (guint i = 0; i < work.treatments->len; i++)
    clear (get (&work, i));
  clear (&work.rest);
  g_array_unref (work.treatments);
  g_free (work.alphas);
}
