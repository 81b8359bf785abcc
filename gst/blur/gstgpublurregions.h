/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The regions of a frame that gpublur treats: from its properties, or from the metas of the
 * frame and of frames before. */
#pragma once

#include "gpu/blur/regions/regionlist.h"
#include <gst/video/video.h>

G_BEGIN_DECLS

typedef enum
{
  GST_GPU_BLUR_ROI_NONE,        /* the whole frame is blurred */
  GST_GPU_BLUR_ROI_RECTANGLE,   /* one, set by properties */
  GST_GPU_BLUR_ROI_META,        /* those of GstVideoRegionOfInterestMeta */
} GstGpuBlurRoiSource;

/* What is done with a frame without metas. */
typedef enum
{
  GST_GPU_BLUR_MISSING_WHOLE,   /* it is one region */
  GST_GPU_BLUR_MISSING_PASS,    /* nothing */
} GstGpuBlurMissing;

#define GST_GPU_BLUR_ROI_MOST 65535     /* pixels, from and to */

typedef struct
{
  GstGpuBlurRoiSource source;
  gint x, y;
  guint width, height;
  gchar *types;                 /* separated by commas; NULL or empty: all */
  GpuRegionShape shape;
  GpuRegionAction action;
  guint block;
  guint colour;                 /* A << 24 | R << 16 | G << 8 | B */
  guint feather;
  guint hold;                   /* ms */
  GstGpuBlurMissing on_missing;
} GstGpuBlurRoi;

/* Makes @copy, which is valid or zeroed, a copy of @roi. Free its types with g_free(). */
void gst_gpu_blur_roi_copy (GstGpuBlurRoi * copy, const GstGpuBlurRoi * roi);

/* Regions that are kept from frame to frame, as an array. */
typedef GArray GstGpuBlurHeldRegions;

GstGpuBlurHeldRegions *gst_gpu_blur_held_regions_new (void);

typedef enum
{
  GST_GPU_BLUR_TREAT_REGIONS,
  GST_GPU_BLUR_TREAT_WHOLE,     /* the frame is to be treated as one region */
} GstGpuBlurTreatment;

/* Finds the regions of the frame @buffer at running time @now, and appends them to @regions, an
 * array of GpuRegion. Keeps those of metas in @held. */
GstGpuBlurTreatment gst_gpu_blur_roi_find (const GstGpuBlurRoi * roi,
    GstBuffer * buffer, const GstVideoInfo * info, GstClockTime now,
    GstGpuBlurHeldRegions * held, GArray * regions);

G_END_DECLS
