/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurregions.h"

#include "gst/memory/gstgpuframe.h"

/* Positions and sizes in metas are limited to this, so that sums do not overflow. */
#define MOST (1 << 24)

typedef struct
{
  GQuark type;
  GpuRegionBox box;
  GstClockTime seen;            /* running time of the last frame that had it, or
                                   GST_CLOCK_TIME_NONE */
} HeldRegion;

void
gst_gpu_blur_roi_copy (GstGpuBlurRoi * copy, const GstGpuBlurRoi * roi)
{
  g_free (copy->types);
  *copy = *roi;
  copy->types = g_strdup (roi->types);
}

GstGpuBlurHeldRegions *
gst_gpu_blur_held_regions_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (HeldRegion));
}

/* --- what a region is --- */

static guint8
to_code (gdouble value)
{
  return CLAMP (value + 0.5, 0, 255);
}

/* Writes the codes of R, G and B, or of Y', Cb and Cr. */
static void
find_codes (guint colour, const GstVideoInfo * info, guint8 * codes)
{
  const guint8 rgb[] = { colour >> 16, colour >> 8, colour };
  gdouble luma, luma_range, chroma_range;
  GpuYuv yuv;

  codes[3] = colour >> 24;
  for (guint i = 0; i < 3; i++)
    codes[i] = rgb[i];
  if (GST_VIDEO_INFO_IS_RGB (info))
    return;
  gst_gpu_frame_yuv_from_video (info, &yuv);
  luma_range = yuv.full_range ? 1 : 219 / 255.;
  chroma_range = yuv.full_range ? 1 : 224 / 255.;
  luma = yuv.kr * rgb[0] + (1 - yuv.kr - yuv.kb) * rgb[1] + yuv.kb * rgb[2];
  codes[0] = to_code ((yuv.full_range ? 0 : 16) + luma_range * luma);
  codes[1] =
      to_code (128 + chroma_range * (rgb[2] - luma) / (2 * (1 - yuv.kb)));
  codes[2] =
      to_code (128 + chroma_range * (rgb[0] - luma) / (2 * (1 - yuv.kr)));
}

static void
append (GArray * regions, const GstGpuBlurRoi * roi,
    const GstVideoInfo * info, const GpuRegionBox * box)
{
  GpuRegion region = {
    .box = *box,
    .shape = roi->shape,
    .action = roi->action,
    .block = roi->block,
    .feather = roi->feather,
  };

  find_codes (roi->colour, info, region.colour);
  g_array_append_val (regions, region);
}

static void
append_whole (GArray * regions, const GstGpuBlurRoi * roi,
    const GstVideoInfo * info)
{
  const GpuRegionBox box = { 0, 0, GST_VIDEO_INFO_WIDTH (info),
    GST_VIDEO_INFO_HEIGHT (info)
  };
  GstGpuBlurRoi whole = *roi;

  whole.shape = GPU_REGION_RECTANGLE;
  append (regions, &whole, info, &box);
}

/* --- metas --- */

/* Returns whether @types, separated by commas, have @type. */
static gboolean
have_type (const gchar * types, GQuark type)
{
  g_auto (GStrv) names = g_strsplit (types ? types : "", ",", -1);

  for (gchar ** name = names; *name; name++)
    if (g_str_equal (g_strstrip (*name), type ? g_quark_to_string (type) : ""))
      return TRUE;
  return !types || types[0] == '\0';
}

/* Detectors write negative positions, too. */
static GpuRegionBox
get_box (const GstVideoRegionOfInterestMeta * meta,
    const GstVideoCropMeta * crop)
{
  gint left = CLAMP ((gint) meta->x, -MOST, MOST);
  gint top = CLAMP ((gint) meta->y, -MOST, MOST);

  return (GpuRegionBox) {
  left - (crop ? (gint) MIN (crop->x, MOST) : 0),
        top - (crop ? (gint) MIN (crop->y, MOST) : 0), MIN (meta->w, MOST),
        MIN (meta->h, MOST)};
}

/* Appends a HeldRegion for each meta of the types. */
static void
take_metas (const GstGpuBlurRoi * roi, GstBuffer * buffer,
    const GstVideoInfo * info, GstClockTime now, GArray * found)
{
  GstVideoCropMeta *crop = gst_gpu_frame_is_cropped (buffer, info)
      ? gst_buffer_get_video_crop_meta (buffer) : NULL;
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    GstVideoRegionOfInterestMeta *region = (gpointer) meta;
    const HeldRegion held = { region->roi_type, get_box (region, crop), now };

    if (have_type (roi->types, region->roi_type))
      g_array_append_val (found, held);
  }
}

/* --- regions that a detector dropped --- */

static gboolean
meet (const GpuRegionBox * a, const GpuRegionBox * b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width
      && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Whether the detector still sees @region: one of its type meets it. */
static gboolean
is_seen (const HeldRegion * region, const GArray * found)
{
  for (guint i = 0; i < found->len; i++) {
    const HeldRegion *other = &g_array_index (found, HeldRegion, i);

    if (other->type == region->type && meet (&other->box, &region->box))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_kept (const HeldRegion * region, guint hold, GstClockTime now)
{
  return GST_CLOCK_TIME_IS_VALID (now) && GST_CLOCK_TIME_IS_VALID (region->seen)
      && region->seen <= now && now - region->seen <= hold * GST_MSECOND;
}

/* Appends those of the frames before that the detector dropped for a short time. */
static void
add_dropped (const GstGpuBlurRoi * roi, const GArray * held, GstClockTime now,
    GArray * found)
{
  g_autoptr (GArray) seen = g_array_copy (found);

  for (guint i = 0; i < held->len; i++) {
    const HeldRegion *region = &g_array_index (held, HeldRegion, i);

    if (is_kept (region, roi->hold, now) && !is_seen (region, seen))
      g_array_append_vals (found, region, 1);
  }
}

static GstGpuBlurTreatment
find_metas (const GstGpuBlurRoi * roi, GstBuffer * buffer,
    const GstVideoInfo * info, GstClockTime now, GArray * held,
    GArray * regions)
{
  g_autoptr (GArray) found = gst_gpu_blur_held_regions_new ();

  take_metas (roi, buffer, info, now, found);
  add_dropped (roi, held, now, found);
  g_array_set_size (held, 0);
  if (found->len == 0)
    return roi->on_missing == GST_GPU_BLUR_MISSING_WHOLE
        ? GST_GPU_BLUR_TREAT_WHOLE : GST_GPU_BLUR_TREAT_REGIONS;
  g_array_append_vals (held, found->data, found->len);
  for (guint i = 0; i < found->len; i++)
    append (regions, roi, info, &g_array_index (found, HeldRegion, i).box);
  return GST_GPU_BLUR_TREAT_REGIONS;
}

GstGpuBlurTreatment
gst_gpu_blur_roi_find (const GstGpuBlurRoi * roi, GstBuffer * buffer,
    const GstVideoInfo * info, GstClockTime now, GArray * held,
    GArray * regions)
{
  const GpuRegionBox box = { roi->x, roi->y, roi->width, roi->height };
  GstGpuBlurTreatment treatment = GST_GPU_BLUR_TREAT_REGIONS;

  if (roi->source == GST_GPU_BLUR_ROI_RECTANGLE)
    append (regions, roi, info, &box);
  else
    treatment = find_metas (roi, buffer, info, now, held, regions);
  if (treatment == GST_GPU_BLUR_TREAT_WHOLE)
    append_whole (regions, roi, info);
  return treatment;
}
