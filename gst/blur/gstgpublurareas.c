/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurareas.h"

#include "gst/memory/gstgpuframe.h"

#include <math.h>

/* --- regions that are held --- */

/* The most regions that are kept. Beyond it, those that were seen last are. */
#define HELD_MOST 1024

/* The most pairs that are compared. Beyond it, old regions count as missed, and stay. */
#define MOST_PAIRS (1 << 16)

typedef struct
{
  GQuark type;
  GpuRegionBox box;             /* pixels of the frame before it is cropped */
  GstClockTime seen;            /* when a frame had it last, set by add_held() */
} Found;

/* The edges of boxes lie between this and its negative, so that sums do not overflow. */
#define FOUND_MOST (1 << 24)

struct _GstGpuBlurHeld
{
  GArray *regions;              /* of Found */
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

  self->regions = g_array_new (FALSE, FALSE, sizeof (Found));
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

static Found *
get (const GArray * regions, guint i)
{
  return &g_array_index (regions, Found, i);
}

/* --- boxes --- */

static gint
limit (gdouble edge)
{
  return CLAMP (edge, -FOUND_MOST, FOUND_MOST);
}

/* Returns the box with these edges, which are moved into the limits above. */
static GpuRegionBox
make_box (gdouble left, gdouble top, gdouble right, gdouble bottom)
{
  return (GpuRegionBox) {
    limit (left), limit (top), limit (right) - limit (left),
    limit (bottom) - limit (top),
  };
}

/* --- what is kept --- */

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

/* Returns a new array of all pairs that may be the same, sorted: both have the same type, and the
 * one that is found covers the middle of the old one. */
static GArray *
list_pairs (const GArray * old, const GArray * found)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (guint i = 0; i < old->len; i++)
    for (guint k = 0; k < found->len && pairs->len < MOST_PAIRS; k++) {
      const GpuRegionBox *a = &get (old, i)->box, *b = &get (found, k)->box;
      gdouble x = a->x + a->width / 2., y = a->y + a->height / 2.;
      gint64 width = MIN (a->x + a->width, b->x + b->width) - MAX (a->x, b->x);
      gint64 height =
          MIN (a->y + a->height, b->y + b->height) - MAX (a->y, b->y);
      const Pair pair = { i, k, MAX (width, 0) * MAX (height, 0) };

      if (get (old, i)->type == get (found, k)->type
          && x >= b->x && x < b->x + b->width
          && y >= b->y && y < b->y + b->height)
        g_array_append_val (pairs, pair);
    }
  g_array_sort (pairs, compare_pairs);
  return pairs;
}

/* Appends the old regions that were seen at most @hold ago and that no region of @found is the
 * same as. Each region of @found is the same as one old region at most; pairs that overlap most
 * are taken first. */
static void
append_missed (GstGpuBlurHeld * self, GArray * found, GstClockTime hold)
{
  g_autoptr (GArray) pairs = list_pairs (self->regions, found);
  g_autofree gboolean *is_taken = g_new0 (gboolean, found->len);
  g_autofree gboolean *is_found = g_new0 (gboolean, self->regions->len);

  for (guint i = 0; i < pairs->len; i++) {
    const Pair *pair = &g_array_index (pairs, Pair, i);

    if (!is_found[pair->old] && !is_taken[pair->found])
      is_found[pair->old] = is_taken[pair->found] = TRUE;
  }
  for (guint i = 0; i < self->regions->len; i++)
    if (!is_found[i] && self->clock - get (self->regions, i)->seen <= hold)
      g_array_append_vals (found, get (self->regions, i), 1);
}

/* Adds to @found, an array of Found, the regions that earlier frames had at most @hold ago and
 * that this frame misses. Keeps a copy of the result for later frames. @width, @height: of the
 * frame before it is cropped. @now: its running time, or GST_CLOCK_TIME_NONE. */
static void
add_held (GstGpuBlurHeld * self, GArray * found, guint width, guint height,
    GstClockTime now, GstClockTime duration, GstClockTime hold)
{
  /* Without times, or with a gap that would end every hold, a frame lasts as long as its
   * duration: one wrong time does not drop regions, and no region is kept for ever. */
  gboolean is_known = GST_CLOCK_TIME_IS_VALID (now)
      && GST_CLOCK_TIME_IS_VALID (self->last) && now > self->last
      && now - self->last <= hold;
  gdouble x = (gdouble) width / self->width;
  gdouble y = (gdouble) height / self->height;

  self->clock += is_known ? now - self->last : duration;
  self->last = now;
  for (guint i = 0; i < found->len; i++)
    get (found, i)->seen = self->clock;
  for (guint i = 0; i < self->regions->len && (x != 1 || y != 1); i++) {
    GpuRegionBox *box = &get (self->regions, i)->box;

    *box = make_box (floor (box->x * x), floor (box->y * y),
        ceil ((box->x + box->width) * x), ceil ((box->y + box->height) * y));
  }
  if (hold > 0)
    append_missed (self, found, hold);
  g_array_set_size (self->regions, 0);
  g_array_append_vals (self->regions, found->data, MIN (found->len, HELD_MOST));
  self->width = width;
  self->height = height;
}

void
gst_gpu_blur_areas_copy (GstGpuBlurAreas * copy, const GstGpuBlurAreas * self)
{
  g_free (copy->types);
  *copy = *self;
  copy->types = g_strdup (self->types);
}

gboolean
gst_gpu_blur_areas_are_whole (const GstGpuBlurAreas * self)
{
  return self->source == GST_GPU_BLUR_ROI_NONE
      && self->action == GPU_REGION_BLUR && self->amount == 1
      && self->planes == GST_GPU_BLUR_PLANES_ALL
      && self->mask == GPU_AREAS_NO_MASK;
}

/* --- what a region is --- */

/* Writes the codes of R, G, B, or of Y', Cb, Cr, and alpha. */
static void
find_codes (guint colour, const GstVideoInfo * info, guint16 * codes)
{
  gdouble red = (colour >> 16 & 255) / 255., green = (colour >> 8 & 255) / 255.;
  gdouble blue = (colour & 255) / 255., alpha = (colour >> 24) / 255.;
  gdouble values[] = { red, green, blue, alpha };
  gint offset[GST_VIDEO_MAX_COMPONENTS], range[GST_VIDEO_MAX_COMPONENTS];
  GpuYuv yuv;

  gst_gpu_frame_yuv_from_video (info, &yuv);
  gst_video_color_range_offsets (yuv.full_range ? GST_VIDEO_COLOR_RANGE_0_255
      : GST_VIDEO_COLOR_RANGE_16_235, info->finfo, offset, range);
  if (!GST_VIDEO_INFO_IS_RGB (info)) {
    values[0] = yuv.kr * red + (1 - yuv.kr - yuv.kb) * green + yuv.kb * blue;
    values[1] = (blue - values[0]) / (2 * (1 - yuv.kb));
    values[2] = (red - values[0]) / (2 * (1 - yuv.kr));
  }
  for (guint i = 0; i < GST_VIDEO_MAX_COMPONENTS; i++)
    codes[i] = CLAMP (offset[i] + range[i] * values[i] + 0.5, 0,
        (1 << info->finfo->depth[MIN (i, info->finfo->n_components - 1)]) - 1);
}

/* Returns what is done, as the properties say, without a box. */
static GpuRegion
make_region (const GstGpuBlurAreas * self, const GstVideoInfo * info)
{
  GpuRegion region = {
    .shape = self->shape,
    .feather = self->feather,
    .action = self->action,
    .strength = 1,
    .block = self->block,
  };

  find_codes (self->colour, info, region.colour);
  return region;
}

/* Makes @region as strong as suits a box of this size: it is never weaker than set. */
static void
scale (GpuRegion * region, gint width, gint height, guint unit)
{
  if (unit == 0)
    return;
  region->strength = MAX (MAX (width, height) / (gdouble) unit, 1);
  region->block = MIN (region->block * region->strength + 0.5,
      GPU_REGION_MAX_BLOCK);
}

static gboolean
has_pixels (const GpuRegionBox * box, guint width, guint height)
{
  GpuRegionBox inside = gpu_region_box_clip (box, width, height);

  return inside.width > 0 && inside.height > 0;
}

/* Adds a region to @frame if the box has a pixel in it. @region: as make_region() returns
 * it. */
static void
append (GstGpuBlurFrame * frame, GpuRegion region, const GpuRegionBox * box,
    guint unit)
{
  if (!has_pixels (box, GST_VIDEO_INFO_WIDTH (frame->info),
          GST_VIDEO_INFO_HEIGHT (frame->info)))
    return;
  region.box = *box;
  scale (&region, box->width, box->height, unit);
  g_array_append_val (frame->regions, region);
}

/* --- the rectangle --- */

/* Returns @value in pixels, along a side of the frame. Whole results are exact. */
static gdouble
convert (const GstGpuBlurAreas * self, gint value, gint side)
{
  return self->unit == GST_GPU_BLUR_ROI_PERCENT ? (gdouble) value *side / 100
      : value;
}

/* Returns the rectangle in pixels, with those that it only covers in part. */
static GpuRegionBox
get_rectangle (const GstGpuBlurAreas * self, const GstVideoInfo * info)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);

  if (self->width == 0 || self->height == 0)
    return (GpuRegionBox) {0};
  return make_box (floor (convert (self, self->x, width)),
      floor (convert (self, self->y, height)),
      ceil (convert (self, self->x + (gint) self->width, width)),
      ceil (convert (self, self->y + (gint) self->height, height)));
}

gboolean
gst_gpu_blur_areas_miss (const GstGpuBlurAreas * self,
    const GstVideoInfo * info)
{
  const GpuRegionBox box = get_rectangle (self, info);

  return self->source == GST_GPU_BLUR_ROI_RECTANGLE
      && !has_pixels (&box, GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info));
}

/* --- metas --- */

/* @types: NULL-terminated. */
static gboolean
have_type (gchar ** types, GQuark type)
{
  for (gchar ** name = types; *name; name++)
    if (g_str_equal (g_strstrip (*name), type ? g_quark_to_string (type) : ""))
      return TRUE;
  return !*types;
}

/* Appends a Found for each meta of the types that has a pixel in a frame of this
 * size. */
static void
take_metas (const GstGpuBlurAreas * self, GstBuffer * buffer, guint width,
    guint height, GArray * found)
{
  g_auto (GStrv) types = g_strsplit (self->types ? self->types : "", ",", -1);
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    GstVideoRegionOfInterestMeta *region = (gpointer) meta;
    gdouble left = (gint) region->x, top = (gint) region->y;
    /* Detectors write negative positions, too. A size that is negative as a signed number is
     * none: it comes from a number that is not one. */
    const Found one = { region->roi_type, make_box (left, top,
          left + MAX ((gint) region->w, 0), top + MAX ((gint) region->h, 0))
    };

    if (have_type (types, region->roi_type)
        && has_pixels (&one.box, width, height))
      g_array_append_val (found, one);
  }
}

/* The duration of a frame, where neither it nor the caps know it. */
#define USUAL_DURATION (40 * GST_MSECOND)

static void
find_metas (const GstGpuBlurAreas * self, GstGpuBlurHeld * held,
    GstGpuBlurFrame * frame)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  GpuRegion region = make_region (self, frame->info);
  const GstVideoInfo *info = frame->info;
  const GstVideoMeta *meta = gst_buffer_get_video_meta (frame->buffer);
  /* Metas describe the frame before it is cropped. */
  gboolean is_cropped = meta && gst_gpu_frame_is_cropped (frame->buffer, info);
  guint width = is_cropped ? meta->width : (guint) GST_VIDEO_INFO_WIDTH (info);
  guint height =
      is_cropped ? meta->height : (guint) GST_VIDEO_INFO_HEIGHT (info);
  GstClockTime duration = GST_BUFFER_DURATION (frame->buffer);
  gint x, y;

  if (!GST_CLOCK_TIME_IS_VALID (duration))
    duration = GST_VIDEO_INFO_FPS_N (info) > 0
        ? gst_util_uint64_scale (GST_SECOND, GST_VIDEO_INFO_FPS_D (info),
        GST_VIDEO_INFO_FPS_N (info)) : USUAL_DURATION;
  gst_gpu_frame_get_origin (frame->buffer, info, &x, &y);
  take_metas (self, frame->buffer, width, height, found);
  /* With `invert`, regions are shown as they are. They are not held: what has moved into the
   * place of a region that is gone would be shown. */
  add_held (held, found, width, height, frame->now, duration,
      self->invert ? 0 : self->hold * GST_MSECOND);
  for (guint i = 0; i < found->len; i++) {
    GpuRegionBox box = g_array_index (found, Found, i).box;

    box.x -= x;
    box.y -= y;
    append (frame, region, &box, self->scale);
  }
}

/* --- areas --- */

/* Fills in the areas, of the regions and the rest that are there. */
static void
fill_in (const GstGpuBlurAreas * self, GstGpuBlurFrame * frame,
    gboolean treats_rest)
{
  GpuAreas *areas = &frame->areas;

  areas->regions = frame->regions;
  areas->rest = treats_rest ? &frame->rest : NULL;
  areas->amount = self->amount;
  areas->components =
      self->planes == GST_GPU_BLUR_PLANES_LUMA ? 1 << 0
      : self->planes == GST_GPU_BLUR_PLANES_CHROMA ? 1 << 1 | 1 << 2
      : GPU_AREAS_ALL_COMPONENTS;
  areas->mask = self->mask;
}

/* Finds the regions. Returns whether the pixels outside them are to be treated. */
static gboolean
find_regions (const GstGpuBlurAreas * self, GstGpuBlurHeld * held,
    GstGpuBlurFrame * frame)
{
  const GpuRegionBox box = get_rectangle (self, frame->info);

  if (self->source == GST_GPU_BLUR_ROI_NONE)
    return TRUE;
  if (self->source == GST_GPU_BLUR_ROI_RECTANGLE)
    append (frame, make_region (self, frame->info), &box, self->scale);
  else
    find_metas (self, held, frame);
  if (frame->regions->len > 0)
    return self->invert;
  /* The frame is one region. */
  scale (&frame->rest, GST_VIDEO_INFO_WIDTH (frame->info),
      GST_VIDEO_INFO_HEIGHT (frame->info), self->invert ? 0 : self->scale);
  return self->on_missing == GST_GPU_BLUR_MISSING_WHOLE;
}

void
gst_gpu_blur_areas_find (const GstGpuBlurAreas * self, GstGpuBlurHeld * held,
    GstGpuBlurFrame * frame)
{
  frame->rest = make_region (self, frame->info);
  fill_in (self, frame, find_regions (self, held, frame));
}

void
gst_gpu_blur_areas_imagine (const GstGpuBlurAreas * self,
    GstGpuBlurFrame * frame)
{
  const GpuRegionBox box = { 0, 0, 1, 1 };
  gboolean has_regions = self->source != GST_GPU_BLUR_ROI_NONE;

  frame->rest = make_region (self, frame->info);
  if (has_regions)
    append (frame, frame->rest, &box, 0);
  fill_in (self, frame, !has_regions || self->invert);
}

gboolean
gst_gpu_blur_areas_are_plain (const GpuAreas * areas)
{
  return areas->regions->len == 0 && areas->rest
      && areas->rest->action == GPU_REGION_BLUR && areas->rest->strength == 1
      && areas->amount == 1 && areas->components == GPU_AREAS_ALL_COMPONENTS
      && areas->mask == GPU_AREAS_NO_MASK;
}
