/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which samples of a frame gpublur treats, how and how much: what its properties say, and what
 * follows for a frame and its metas. */
#pragma once

#include "gpu/blur/regions/regionblur.h"
#include "gpu/blur/regions/regionlist.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Regions that a detector finds in one frame and misses in the next: they are kept for a
 * while. */
typedef struct _GstGpuBlurHeld GstGpuBlurHeld;

/* Never returns NULL. Free it with gst_gpu_blur_held_free(). */
GstGpuBlurHeld *gst_gpu_blur_held_new (void);
void gst_gpu_blur_held_free (GstGpuBlurHeld * self);

/* Forgets all regions, and the time. */
void gst_gpu_blur_held_clear (GstGpuBlurHeld * self);

typedef enum
{
  GST_GPU_BLUR_ROI_NONE,        /* the whole frame is blurred */
  GST_GPU_BLUR_ROI_RECTANGLE,   /* one, set by properties */
  GST_GPU_BLUR_ROI_META,        /* those of GstVideoRegionOfInterestMeta */
} GstGpuBlurRoiSource;

/* Of the numbers of the rectangle. */
typedef enum
{
  GST_GPU_BLUR_ROI_PIXELS,
  GST_GPU_BLUR_ROI_PERCENT,     /* of the width and height of the frame */
} GstGpuBlurRoiUnit;

/* What becomes of a frame in which no region has a pixel. */
typedef enum
{
  GST_GPU_BLUR_MISSING_WHOLE,   /* all of it is treated */
  GST_GPU_BLUR_MISSING_PASS,    /* nothing */
} GstGpuBlurMissing;

typedef enum
{
  GST_GPU_BLUR_PLANES_ALL,
  GST_GPU_BLUR_PLANES_LUMA,
  GST_GPU_BLUR_PLANES_CHROMA,
} GstGpuBlurPlanes;

/* Of each number of the rectangle; x and y are also negative. */
#define GST_GPU_BLUR_ROI_MOST 65535

/* The values of properties. */
typedef struct
{
  GstGpuBlurRoiSource source;
  GstGpuBlurRoiUnit unit;
  gint x, y;
  guint width, height;
  gchar *types;                 /* separated by commas; NULL or empty: all */
  GpuRegionShape shape;
  gboolean invert;
  GpuRegionAction action;       /* of regions; of the frame if there is no source */
  guint block;
  guint colour;                 /* A << 24 | R << 16 | G << 8 | B */
  guint scale;                  /* pixels, or 0 */
  guint feather;
  guint hold;                   /* ms */
  GstGpuBlurMissing on_missing;
  gdouble amount;
  GstGpuBlurPlanes planes;
  GpuAreasMask mask;            /* what the strength depends on */
} GstGpuBlurAreas;

/* Makes @copy, which is valid or zeroed, a copy of @self. Free its types with g_free(). */
void gst_gpu_blur_areas_copy (GstGpuBlurAreas * copy,
    const GstGpuBlurAreas * self);

/* Whether all samples of every frame are blurred, and fully. */
gboolean gst_gpu_blur_areas_are_whole (const GstGpuBlurAreas * self);

/* Whether the rectangle is the source, and has no pixel in frames of @info. */
gboolean gst_gpu_blur_areas_miss (const GstGpuBlurAreas * self,
    const GstVideoInfo * info);

/* A frame, and the areas that were found in it. */
typedef struct
{
  const GstVideoInfo *info;
  GstBuffer *buffer;
  GstClockTime now;             /* running time, or GST_CLOCK_TIME_NONE */

  GArray *regions;              /* of GpuRegion; empty at first */
  GpuRegion rest;
  GpuAreas areas;               /* points to these two */
} GstGpuBlurFrame;

/* Fills in the areas of @frame. Keeps regions of metas in @held, and adds those that it holds
 * from frames before. */
void gst_gpu_blur_areas_find (const GstGpuBlurAreas * self,
    GstGpuBlurHeld * held, GstGpuBlurFrame * frame);

/* Fills in areas as frames with @frame->info have them, with a region if they have any. Other
 * members may be 0. */
void gst_gpu_blur_areas_imagine (const GstGpuBlurAreas * self,
    GstGpuBlurFrame * frame);

/* Whether @areas are a frame that is blurred as a whole, fully and as strongly as set. */
gboolean gst_gpu_blur_areas_are_plain (const GpuAreas * areas);

G_END_DECLS
