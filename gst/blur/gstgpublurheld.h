/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions that a detector finds in one frame and misses in the next: they are kept for a
 * while. */
#pragma once

#include "gpu/blur/regions/regionlist.h"
#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GQuark type;
  GpuRegionBox box;             /* pixels of the frame before it is cropped */
  GstClockTime seen;            /* when a frame had it last, set by
                                   gst_gpu_blur_held_complete() */
} GstGpuBlurFound;

/* The edges of boxes lie between this and its negative, so that sums do not overflow. */
#define GST_GPU_BLUR_FOUND_MOST (1 << 24)

/* Returns the box with these edges, which are moved into the limits above. */
GpuRegionBox gst_gpu_blur_found_box (gdouble left, gdouble top, gdouble right,
    gdouble bottom);

typedef struct _GstGpuBlurHeld GstGpuBlurHeld;

/* Never returns NULL. Free it with gst_gpu_blur_held_free(). */
GstGpuBlurHeld *gst_gpu_blur_held_new (void);
void gst_gpu_blur_held_free (GstGpuBlurHeld * self);

/* Forgets all regions, and the time. */
void gst_gpu_blur_held_clear (GstGpuBlurHeld * self);

typedef struct
{
  guint width, height;          /* before it is cropped; boxes are scaled if it changes */
  GstClockTime now;             /* running time, or GST_CLOCK_TIME_NONE */
  GstClockTime duration;        /* counts where times of frames say nothing */
} GstGpuBlurHeldFrame;

/* Completes @found, an array of GstGpuBlurFound: what was found in @frame. Appends the regions that
 * a frame had at most @hold ago and that this one misses: none that is found is the same one. It
 * is if it has the same type and covers the middle of the old one; each one that is found is the
 * same as one old one at most, first those that overlap most. Keeps a copy of the result for later
 * frames. */
void gst_gpu_blur_held_complete (GstGpuBlurHeld * self, GArray * found,
    const GstGpuBlurHeldFrame * frame, GstClockTime hold);

G_END_DECLS
