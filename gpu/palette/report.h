/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a palette tells of a frame. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What colours of a frame became. */
typedef struct
{
  guint32 colour;               /* R << 16 | G << 8 | B */
  gdouble share;                /* of the pixels that are counted, 0…1 */
} GpuPaletteMode;

/* What was counted. */
typedef struct
{
  guint colours;                /* distinct colours; 0 with LIVE, which knows of bins
                                   alone */
  guint bins;                   /* of LIVE: with a colour in them; 0 with radius 0 */
  guint history;                /* frames that can be counted, of those that were
                                   asked for */
  gboolean recounted;           /* FALSE: counted by difference */
  guint changed_pixels;         /* against the frame that this one took the place
                                   of, 0: unknown, or there was none; with LIVE
                                   only whether it is 0 says anything */
} GpuPaletteCounted;

/* What the palette came to. */
typedef struct
{
  guint output_colours;         /* distinct colours that colours became; 0 with LIVE
                                   and radius 0 */
  gboolean solved;              /* FALSE: the previous map was reused */
  /* Of EXACT; all but the first are 0 where nothing was solved. */
  guint fixed_points;           /* distinct lattice points walks ended at */
  guint added, removed;         /* colours, against the frame that was solved
                                   before; all are added where nothing is known
                                   of that */
  guint solved_colours;         /* of which the way was not wholly known; the
                                   others' ends are those of earlier frames */
} GpuPaletteMade;

/* What that took, of EXACT. But for memory, it depends on how threads raced, and is 0
 * where nothing was solved. */
typedef struct
{
  guint64 memory;               /* bytes that the solver holds */
  guint64 steps;                /* steps that were computed */
  guint64 tests;                /* distances between a walker and a point that
                                   these computed */
  guint rounds;
  guint64 lists;                /* lists of points that were gathered */
  guint64 listed;               /* points in them */
  gboolean handed_over;         /* some turned out too long for the shader that
                                   is faster on this device */
} GpuPaletteEffort;

/* See gpu_palette_get_report() for when LIVE knows. */
typedef struct
{
  GpuPaletteCounted counted;
  GpuPaletteMade made;
  GpuPaletteEffort effort;
  guint submissions;            /* before the frame's last: for a counter, or
                                   to keep each short; all are waited for */
} GpuPaletteReport;

/* @done of the @n colours of a frame became what they become. */
typedef void (*GpuPaletteProgress) (guint done, guint n, gpointer data);

/* Who is told. */
typedef struct
{
  GpuPaletteProgress progress;  /* NULL: nobody */
  gpointer data;
} GpuPaletteListener;

G_END_DECLS
