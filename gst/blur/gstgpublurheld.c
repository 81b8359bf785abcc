/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurheld.h"

#include <math.h>

/* The most regions that are kept. Beyond it, those that were seen last are. */
#define HELD_MOST 1024

/* The most pairs that are compared. Beyond it, old regions count as missed, and stay. */
#define MOST_PAIRS (1 << 16)

struct _GstGpuBlurHeld
{
  GArray *regions;              /* of GstGpuBlurFound */
  guint width, height;          /* of the frame in which they lie */
  GstClockTime clock;           /* counts the time of frames */
  GstClockTime last;            /* running time of the last frame, or none */
};

/* An old region, and one that is found and may be the same. */
typedef struct
{
  guint old, found;
  gint64 overlap;               /* pixels */
} Pair;

GstGpuBlurHeld *
gst_gpu_blur_held_new (void)
{
  GstGpuBlurHeld *self = g_new0 (GstGpuBlurHeld, 1);

  self->regions = g_array_new (FALSE, FALSE, sizeof (GstGpuBlurFound));
  gst_gpu_blur_held_clear (self);
  return self;
}

void
gst_gpu_blur_held_free (GstGpuBlurHeld * self)
{
  g_array_unref (self->regions);
  g_free (self);
}

void
gst_gpu_blur_held_clear (GstGpuBlurHeld * self)
{
  g_array_set_size (self->regions, 0);
  self->last = GST_CLOCK_TIME_NONE;
}

static GstGpuBlurFound *
get (const GArray * regions, guint i)
{
  return &g_array_index (regions, GstGpuBlurFound, i);
}

/* --- boxes --- */

static gint
limit (gdouble edge)
{
  return CLAMP (edge, -GST_GPU_BLUR_FOUND_MOST, GST_GPU_BLUR_FOUND_MOST);
}

GpuRegionBox
gst_gpu_blur_found_box (gdouble left, gdouble top, gdouble right,
    gdouble bottom)
{
  return (GpuRegionBox) {
    limit (left), limit (top), limit (right) - limit (left),
    limit (bottom) - limit (top),
  };
}

static gint64
get_overlap (const GpuRegionBox * a, const GpuRegionBox * b)
{
  gint64 width = MIN (a->x + a->width, b->x + b->width) - MAX (a->x, b->x);
  gint64 height = MIN (a->y + a->height, b->y + b->height) - MAX (a->y, b->y);

  return MAX (width, 0) * MAX (height, 0);
}

static gboolean
covers_middle (const GpuRegionBox * box, const GpuRegionBox * of)
{
  gdouble x = of->x + of->width / 2., y = of->y + of->height / 2.;

  return x >= box->x && x < box->x + box->width
      && y >= box->y && y < box->y + box->height;
}

/* --- what is kept --- */

static void
scale (GstGpuBlurHeld * self, guint width, guint height)
{
  gdouble x = (gdouble) width / self->width;
  gdouble y = (gdouble) height / self->height;

  for (guint i = 0; i < self->regions->len; i++) {
    GpuRegionBox *box = &get (self->regions, i)->box;

    *box = gst_gpu_blur_found_box (floor (box->x * x), floor (box->y * y),
        ceil ((box->x + box->width) * x), ceil ((box->y + box->height) * y));
  }
}

/* Sorts the largest overlap first, and equal ones by their place. */
static gint
compare_pairs (gconstpointer x, gconstpointer y)
{
  const Pair *a = x, *b = y;

  if (a->overlap != b->overlap)
    return a->overlap > b->overlap ? -1 : 1;
  if (a->old != b->old)
    return a->old < b->old ? -1 : 1;
  return a->found < b->found ? -1 : 1;
}

/* Returns a new array of all pairs that may be the same, sorted. */
static GArray *
list_pairs (const GArray * old, const GArray * found)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (guint i = 0; i < old->len; i++)
    for (guint k = 0; k < found->len; k++) {
      const GstGpuBlurFound *a = get (old, i), *b = get (found, k);
      const Pair pair = { i, k, get_overlap (&a->box, &b->box) };

      if (a->type == b->type && covers_middle (&b->box, &a->box)
          && pairs->len < MOST_PAIRS)
        g_array_append_val (pairs, pair);
    }
  g_array_sort (pairs, compare_pairs);
  return pairs;
}

/* Returns for each old region whether it is found. */
static gboolean *
match (const GArray * old, const GArray * found)
{
  g_autoptr (GArray) pairs = list_pairs (old, found);
  g_autofree gboolean *is_taken = g_new0 (gboolean, found->len);
  gboolean *is_found = g_new0 (gboolean, old->len);

  for (guint i = 0; i < pairs->len; i++) {
    const Pair *pair = &g_array_index (pairs, Pair, i);

    if (is_found[pair->old] || is_taken[pair->found])
      continue;
    is_found[pair->old] = is_taken[pair->found] = TRUE;
  }
  return is_found;
}

/* Moves the clock on to the next frame: by the difference of times, or if there is none, or one that
 * cannot be true, by the duration of a frame. So a single wrong time lets nothing go, and a stream
 * without times keeps nothing for ever. @hold: no gap is longer. */
static void
advance (GstGpuBlurHeld * self, GstClockTime now, GstClockTime duration,
    GstClockTime hold)
{
  gboolean is_known = GST_CLOCK_TIME_IS_VALID (now)
      && GST_CLOCK_TIME_IS_VALID (self->last) && now > self->last
      && now - self->last <= hold;

  self->clock += is_known ? now - self->last : duration;
  self->last = now;
}

/* Appends the regions that are missed, if they were seen a short time ago. */
static void
append_missed (GstGpuBlurHeld * self, GArray * found, GstClockTime hold)
{
  g_autofree gboolean *is_found = match (self->regions, found);

  for (guint i = 0; i < self->regions->len; i++) {
    const GstGpuBlurFound *region = get (self->regions, i);

    if (!is_found[i] && self->clock - region->seen <= hold)
      g_array_append_vals (found, region, 1);
  }
}

void
gst_gpu_blur_held_complete (GstGpuBlurHeld * self, GArray * found,
    const GstGpuBlurHeldFrame * frame, GstClockTime hold)
{
  advance (self, frame->now, frame->duration, hold);
  for (guint i = 0; i < found->len; i++)
    get (found, i)->seen = self->clock;
  if (self->width != frame->width || self->height != frame->height)
    scale (self, frame->width, frame->height);
  if (hold > 0)
    append_missed (self, found, hold);
  g_array_set_size (self->regions, 0);
  g_array_append_vals (self->regions, found->data, MIN (found->len, HELD_MOST));
  self->width = frame->width;
  self->height = frame->height;
}
