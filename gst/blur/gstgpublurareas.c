/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurareas.h"

#include "gst/memory/gstgpuframe.h"

#include <math.h>

/* Of a frame, where neither it nor the caps know it. */
#define USUAL_DURATION (40 * GST_MSECOND)

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
  return gst_gpu_blur_found_box (floor (convert (self, self->x, width)),
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

/* Detectors write negative positions, too. A size that is negative as a signed number is none:
 * it comes from a number that is not one. */
static GpuRegionBox
get_box (const GstVideoRegionOfInterestMeta * meta)
{
  gdouble left = (gint) meta->x, top = (gint) meta->y;

  return gst_gpu_blur_found_box (left, top, left + MAX ((gint) meta->w, 0),
      top + MAX ((gint) meta->h, 0));
}

/* Appends a GstGpuBlurFound for each meta of the types that has a pixel in a frame of this
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
    const GstGpuBlurFound one = { region->roi_type, get_box (region) };

    if (have_type (types, region->roi_type)
        && has_pixels (&one.box, width, height))
      g_array_append_val (found, one);
  }
}

/* Fills in the size of the frame before it is cropped, which metas describe, and its time. */
static void
describe_frame (const GstGpuBlurFrame * frame, GstGpuBlurHeldFrame * full)
{
  const GstVideoInfo *info = frame->info;
  const GstVideoMeta *meta = gst_buffer_get_video_meta (frame->buffer);

  full->width = GST_VIDEO_INFO_WIDTH (info);
  full->height = GST_VIDEO_INFO_HEIGHT (info);
  if (meta && gst_gpu_frame_is_cropped (frame->buffer, info)) {
    full->width = meta->width;
    full->height = meta->height;
  }
  full->now = frame->now;
  full->duration = GST_BUFFER_DURATION (frame->buffer);
  if (!GST_CLOCK_TIME_IS_VALID (full->duration))
    full->duration = GST_VIDEO_INFO_FPS_N (info) > 0
        ? gst_util_uint64_scale (GST_SECOND, GST_VIDEO_INFO_FPS_D (info),
        GST_VIDEO_INFO_FPS_N (info)) : USUAL_DURATION;
}

static void
find_metas (const GstGpuBlurAreas * self, GstGpuBlurHeld * held,
    GstGpuBlurFrame * frame)
{
  g_autoptr (GArray) found =
      g_array_new (FALSE, FALSE, sizeof (GstGpuBlurFound));
  GpuRegion region = make_region (self, frame->info);
  GstGpuBlurHeldFrame full;
  gint x, y;

  describe_frame (frame, &full);
  gst_gpu_frame_get_origin (frame->buffer, frame->info, &x, &y);
  take_metas (self, frame->buffer, full.width, full.height, found);
  /* What stays is not held: that would show what came to its place. */
  gst_gpu_blur_held_complete (held, found, &full,
      self->invert ? 0 : self->hold * GST_MSECOND);
  for (guint i = 0; i < found->len; i++) {
    GpuRegionBox box = g_array_index (found, GstGpuBlurFound, i).box;

    box.x -= x;
    box.y -= y;
    append (frame, region, &box, self->scale);
  }
}

/* --- areas --- */

static guint
get_components (GstGpuBlurPlanes planes)
{
  switch (planes) {
    case GST_GPU_BLUR_PLANES_LUMA:
      return 1 << 0;
    case GST_GPU_BLUR_PLANES_CHROMA:
      return 1 << 1 | 1 << 2;
    default:
      return GPU_AREAS_ALL_COMPONENTS;
  }
}

/* Fills in the areas, of the regions and the rest that are there. */
static void
fill_in (const GstGpuBlurAreas * self, GstGpuBlurFrame * frame,
    gboolean treats_rest)
{
  GpuAreas *areas = &frame->areas;

  areas->regions = frame->regions;
  areas->rest = treats_rest ? &frame->rest : NULL;
  areas->amount = self->amount;
  areas->components = get_components (self->planes);
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
