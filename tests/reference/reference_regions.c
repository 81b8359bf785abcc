/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_regions.h"

#include <math.h>

/* Sums of the samples of blocks, for each component. */
typedef struct
{
  guint columns;
  gdouble *sums;
  gdouble *counts;
} Blocks;

/* The pixels of the frame that share a sample; ends exclusive. */
typedef struct
{
  gint left, top, right, bottom;
} Pixels;

static Pixels
pixels_of (const ReferencePlane * plane, const ReferenceRegions * regions,
    guint x, guint y)
{
  gint left = x * plane->x_subsampling, top = y * plane->y_subsampling;

  return (Pixels) {
  left, top, MIN (left + (gint) plane->x_subsampling, (gint) regions->width),
        MIN (top + (gint) plane->y_subsampling, (gint) regions->height)};
}

/* --- distances --- */

static gdouble
distance_to_rectangle (const ReferenceRegion * region, gint x, gint y)
{
  gint nearest_x = CLAMP (x, region->x, region->x + region->width - 1);
  gint nearest_y = CLAMP (y, region->y, region->y + region->height - 1);

  return hypot (x - nearest_x, y - nearest_y);
}

/* Along the line from the middle to the nearest point of the pixel, from where it leaves the
 * ellipse; one more, as for the pixel next to a rectangle. Doubled lengths are whole. */
static gdouble
distance_to_ellipse (const ReferenceRegion * region, gint x, gint y)
{
  gint middle_x = 2 * region->x + region->width;
  gint middle_y = 2 * region->y + region->height;
  gdouble line_x = CLAMP (middle_x, 2 * x, 2 * x + 2) - middle_x;
  gdouble line_y = CLAMP (middle_y, 2 * y, 2 * y + 2) - middle_y;
  gdouble width = region->width, height = region->height;
  gdouble squares = line_x * line_x * height * height
      + line_y * line_y * width * width;
  gdouble radii = sqrt (squares) / (width * height);

  if (squares < width * width * height * height)
    return 0;
  return 1 + hypot (line_x, line_y) / 2 * (radii - 1) / radii;
}

static gdouble
distance_to (const ReferenceRegion * region, const Pixels * pixels)
{
  gdouble least = G_MAXDOUBLE;

  for (gint y = pixels->top; y < pixels->bottom; y++)
    for (gint x = pixels->left; x < pixels->right; x++)
      least = MIN (least, region->is_ellipse
          ? distance_to_ellipse (region, x, y)
          : distance_to_rectangle (region, x, y));
  return least;
}

static guint
share_of (const ReferenceRegion * region, const Pixels * pixels)
{
  gdouble share = 1 - distance_to (region, pixels) / (region->feather + 1);

  return floor (MAX (share, 0) * 256 + .5);
}

/* --- which region --- */

static gboolean
is_stronger (const ReferenceRegion * a, const ReferenceRegion * b)
{
  if (a->action != b->action)
    return a->action > b->action;
  return a->action == REFERENCE_REGION_PIXELATE && a->block > b->block;
}

static gint
find_region (const ReferenceRegions * regions, const Pixels * pixels,
    guint * share)
{
  gint found = -1;

  *share = 0;
  for (guint i = 0; i < regions->n; i++) {
    guint other = share_of (&regions->regions[i], pixels);

    if (other > *share || (other > 0 && other == *share
            && is_stronger (&regions->regions[i], &regions->regions[found]))) {
      found = i;
      *share = other;
    }
  }
  return found;
}

/* --- blocks --- */

static gint
place_in (gint first, gint end, gint begin, gint length, gint size)
{
  gint inside = MAX (begin, 0), last = MIN (begin + length, size) - 1;

  return CLAMP (MIN (MAX (first, inside), end - 1), inside, last) - inside;
}

static guint
find_block (const ReferenceRegion * region, const ReferenceRegions * regions,
    const Blocks * blocks, const Pixels * pixels)
{
  guint x = place_in (pixels->left, pixels->right, region->x, region->width,
      regions->width);
  guint y = place_in (pixels->top, pixels->bottom, region->y, region->height,
      regions->height);

  return y / region->block * blocks->columns + x / region->block;
}

static gboolean
is_in_rectangle (const ReferenceRegion * region, const Pixels * pixels)
{
  return pixels->right > region->x
      && pixels->left < region->x + region->width
      && pixels->bottom > region->y && pixels->top < region->y + region->height;
}

static void
add_to_block (const ReferencePlane * plane, const guint8 * samples,
    gdouble * sums, gdouble * counts)
{
  for (guint i = 0; i < plane->components; i++) {
    gdouble weight = plane->alpha >= 0 && (gint) i != plane->alpha
        ? samples[plane->alpha] : 1;

    sums[i] += weight * samples[i];
    counts[i] += weight;
  }
}

static void
blocks_init (Blocks * blocks, const ReferencePlane * plane,
    const ReferenceRegions * regions, const ReferenceRegion * region)
{
  guint rows = regions->height / region->block + 1;

  blocks->columns = regions->width / region->block + 1;
  blocks->sums = g_new0 (gdouble, blocks->columns * rows * 4);
  blocks->counts = g_new0 (gdouble, blocks->columns * rows * 4);
  for (guint y = 0; y < plane->height; y++)
    for (guint x = 0; x < plane->width; x++) {
      const Pixels pixels = pixels_of (plane, regions, x, y);
      guint block = find_block (region, regions, blocks, &pixels) * 4;

      if (is_in_rectangle (region, &pixels))
        add_to_block (plane, plane->samples + (gsize) (y * plane->width + x)
            * plane->components, blocks->sums + block, blocks->counts + block);
    }
}

static void
blocks_clear (Blocks * blocks)
{
  g_free (blocks->sums);
  g_free (blocks->counts);
}

/* --- samples --- */

typedef struct
{
  const ReferencePlane *plane;
  const ReferenceRegions *regions;
  const Blocks *blocks;         /* of every region */
  const gdouble *blurred;
} Work;

static gdouble
treat (const Work * work, guint found, const Pixels * pixels, gsize pixel,
    guint component)
{
  const ReferenceRegion *region = &work->regions->regions[found];
  const Blocks *blocks = &work->blocks[found];
  guint at;

  if ((gint) component == work->regions->unused)
    return 255;
  if (region->action == REFERENCE_REGION_FILL)
    return region->fill[component];
  if (region->action == REFERENCE_REGION_BLUR)
    return work->blurred[pixel * work->plane->components + component];
  at = find_block (region, work->regions, blocks, pixels) * 4 + component;
  return blocks->counts[at] > 0
      ? floor (blocks->sums[at] / blocks->counts[at] + .5) : 0;
}

static ReferenceRegionsKind
kind_of (const Work * work, gint found, guint share)
{
  if (share > 0 && share < 256)
    return REFERENCE_REGIONS_MIXED;
  return found >= 0
      && work->regions->regions[found].action == REFERENCE_REGION_BLUR
      ? REFERENCE_REGIONS_BLURRED : REFERENCE_REGIONS_EXACT;
}

static void
make_pixel (const Work * work, guint x, guint y, gdouble * output,
    guint8 * kinds)
{
  const ReferencePlane *plane = work->plane;
  const Pixels pixels = pixels_of (plane, work->regions, x, y);
  gsize pixel = (gsize) y * plane->width + x;
  guint share;
  gint found = find_region (work->regions, &pixels, &share);

  for (guint i = 0; i < plane->components; i++) {
    gsize at = pixel * plane->components + i;
    gdouble treated = found < 0 ? 0 : treat (work, found, &pixels, pixel, i);

    output[at] = (plane->samples[at] * (256. - share) + treated * share) / 256;
    kinds[at] = kind_of (work, found, share);
  }
}

void
reference_regions (const ReferencePlane * plane,
    const ReferenceRegions * regions, const gdouble * blurred,
    gdouble * output, guint8 * kinds)
{
  g_autofree Blocks *blocks = g_new0 (Blocks, regions->n);
  const Work work = { plane, regions, blocks, blurred };

  for (guint i = 0; i < regions->n; i++)
    if (regions->regions[i].action == REFERENCE_REGION_PIXELATE)
      blocks_init (&blocks[i], plane, regions, &regions->regions[i]);
  for (guint y = 0; y < plane->height; y++)
    for (guint x = 0; x < plane->width; x++)
      make_pixel (&work, x, y, output, kinds);
  for (guint i = 0; i < regions->n; i++)
    blocks_clear (&blocks[i]);
}
