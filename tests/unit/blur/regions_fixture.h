/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Areas of frames: random ones, treated on the device, and compared with the oracle. */
#pragma once

#include "blur_layouts.h"
#include "gpu/blur/regions/regionblur.h"

G_BEGIN_DECLS

/* Frames of one layout, and how they are treated. */
typedef struct
{
  Fixture *fixture;
  GpuRegionBlur *engine;
  GpuBlurSettings settings;
  GpuFrameInfo in, out;         /* the same but for padding */
  GArray *regions;              /* of GpuRegion; owned */
  GpuRegion rest;               /* areas.rest points here, if it has one */
  GpuAreas areas;
  gboolean is_in_place;         /* a frame is its own output */
} RegionsWork;

/* What areas may be. Each kind has shaders of its own, of each action. */
typedef struct
{
  gboolean mixes;               /* with the frame, or parts of it stay */
  gboolean has_shapes;          /* ellipses and feathers */
  guint actions;                /* bit i: action i */
} RegionsKind;

#define REGIONS_ALL_ACTIONS 7

/* Draws from a sequence of random numbers that is the same in each run, from
 * regions_begin_to_draw() on. */
void regions_begin_to_draw (void);
void regions_end_to_draw (void);
gint regions_draw (gint begin, gint end);

/* Draws a frame. Many alphas are the least or the largest. Unused bytes and low bits are
 * random, too; unused high bits are 0. */
guint8 *regions_draw_frame (const GpuFrameInfo * info);

GpuRegion regions_draw_region (const GpuFrameInfo * info, const RegionsKind * kind,
    gdouble strength);

/* Draws @n regions of one strength, as an array of GpuRegion. */
GArray *regions_draw_list (const GpuFrameInfo * info, const RegionsKind * kind,
    guint n);

/* Draws regions, a rest and a mix of such a kind. */
void regions_draw_areas (RegionsWork * work, const RegionsKind * kind);

/* Samples of a format, and of the fields of a frame: one if it is not interlaced. Grey is red,
 * green and blue: one component. */
gboolean regions_have_alpha (const GpuFrameInfo * info);
guint regions_count_components (const GpuFrameInfo * info);
GpuFrameInfo regions_get_field (const GpuFrameInfo * info, guint i);
guint regions_count_fields (const GpuFrameInfo * info);

/* Begins work on frames of such a size, width and height, without regions. */
void regions_begin (RegionsWork * work, Fixture * fixture, GpuPixels pixels,
    const guint * size, gboolean is_interlaced);
void regions_end (RegionsWork * work);

/* Gives it other regions, which it takes. */
void regions_set (RegionsWork * work, GArray * regions);

/* Prepares for areas like those of the work. */
void regions_prepare (RegionsWork * work, gboolean with_blur);

/* Returns the frame @in, treated. */
guint8 *regions_treat (RegionsWork * work, const guint8 * in);

/* Field @i is as the oracle says, or the test fails. */
void regions_check_field (const RegionsWork * work, guint i, const guint8 * in,
    const guint8 * out);

/* Planes of frames of both layouts have the same bytes, or the test fails. */
void regions_check_same (const GpuFrameInfo * a_info, const guint8 * a,
    const GpuFrameInfo * b_info, const guint8 * b);

/* A random frame is treated as the oracle says, in all layouts, or the test fails. */
void regions_check_frame (RegionsWork * work);

G_END_DECLS
