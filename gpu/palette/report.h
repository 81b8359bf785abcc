/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Report of a frame that a palette processed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An output colour of a frame. */
typedef struct
{
  guint32 colour;               /* R << 16 | G << 8 | B */
  gdouble share;                /* of the pixels that are counted, 0…1 */
} GpuPaletteMode;

/* Counting of the frame's colours. */
typedef struct
{
  guint colours;                /* distinct colours; 0 with LIVE, which counts bins */
  guint bins;                   /* LIVE: occupied bins; 0 with radius 0 */
  guint history;                /* frames that can be counted, of those requested */
  gboolean recounted;           /* FALSE: counted by difference */
  guint changed_pixels;         /* pixels that differ from the frame that this one
                                   replaced; 0 if none was replaced or the number is
                                   unknown; with LIVE only 0 or not 0 is
                                   significant */
} GpuPaletteCounted;

/* Size of the resulting palette. */
typedef struct
{
  guint output_colours;         /* distinct output colours; 0 with LIVE and radius 0 */
  gboolean solved;              /* FALSE: the previous map was reused */
  /* EXACT only; all but fixed_points are 0 if nothing was solved. */
  guint fixed_points;           /* distinct lattice points at which walks ended */
  guint added, removed;         /* colours, compared with the last solved frame; if
                                   there is none, all colours are added */
  guint solved_colours;         /* colours whose walk was not completely known from
                                   earlier frames */
} GpuPaletteMade;

/* Cost of solving a frame with EXACT. All members except memory depend on the timing of
 * threads, and are 0 if nothing was solved. */
typedef struct
{
  guint64 memory;               /* bytes of the buffers of walks */
  guint64 steps;                /* mean shift steps that were computed */
  guint64 tests;                /* distances between a walker and a point that these
                                   steps computed */
  guint rounds;
  gboolean handed_over;         /* some lists were too long for the shader that is
                                   faster on this device */
} GpuPaletteEffort;

/* With LIVE, gpu_palette_get_report() completes the report later. */
typedef struct
{
  GpuPaletteCounted counted;
  GpuPaletteMade made;
  GpuPaletteEffort effort;
  guint submissions;            /* before the last one of the frame: to read counters,
                                   or to keep each short; all are waited for */
} GpuPaletteReport;

/* Called when @done of the @n colours of a frame have their output colour. */
typedef void (*GpuPaletteProgress) (guint done, guint n, gpointer data);

/* A progress callback. */
typedef struct
{
  GpuPaletteProgress progress;  /* NULL: none */
  gpointer data;
} GpuPaletteListener;

G_END_DECLS
