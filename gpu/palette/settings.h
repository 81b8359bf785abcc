/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is wanted of a palette. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  GPU_PALETTE_FREQUENCY,        /* a colour weighs what its pixels do */
  GPU_PALETTE_PALETTE,          /* every colour weighs 1 */
} GpuPaletteWeighting;

typedef enum
{
  GPU_PALETTE_EXACT,            /* walks of every colour, to the bit */
  GPU_PALETTE_LIVE,             /* peaks of a density on a grid:
                                   docs/internals/live.md */
} GpuPaletteQuality;

#define GPU_PALETTE_MAX_RADIUS 1.7320508075688772
#define GPU_PALETTE_MAX_HISTORY 64
#define GPU_PALETTE_MAX_COLOURS 256
#define GPU_PALETTE_MAX_MODES 256

typedef struct
{
  gdouble radius;               /* 0…GPU_PALETTE_MAX_RADIUS, Oklab units */
  GpuPaletteWeighting weighting;
  guint iteration_limit;        /* steps of a walk; 0: until it stops; nothing
                                   to GPU_PALETTE_LIVE */
  GpuPaletteQuality quality;
  guint history;                /* frames that are counted, this one and those
                                   before it, up to GPU_PALETTE_MAX_HISTORY;
                                   0 is as 1 */
  guint min_frequency;          /* colours with fewer pixels in these attract
                                   nothing, but walk; 0 is as 1 */
  gdouble scene_cut_threshold;  /* 0…1 of full scale; 0: no cuts */
  /* Nothing to GPU_PALETTE_EXACT: docs/internals/temporal.md. */
  gdouble stability;            /* 0…1; 0: each frame by itself */
  guint64 interval;             /* ns since the frame before; 0: a 30th of a
                                   second */
  gboolean hold;                /* the palette of the frame before */
  guint update_interval;        /* frames that share a palette; 0 is as 1 */
  guint n_colours;              /* of a palette that is given, up to
                                   GPU_PALETTE_MAX_COLOURS; 0: none */
  guint32 colours[GPU_PALETTE_MAX_COLOURS];     /* R << 16 | G << 8 | B */
  guint limit;                  /* colours at most, up to
                                   GPU_PALETTE_MAX_COLOURS, which sets the
                                   radius; 0: none. Nothing where a palette is
                                   given */
  gboolean keeps_radius;        /* the limit sets no radius, nor do cells make up
                                   for summits that there are too few of */
  gboolean counts_pixels;       /* for gpu_palette_get_modes(); makes no
                                   difference to what comes out */
  guint64 tag;                  /* of this frame, what the caller knows it by */
} GpuPaletteSettings;

/* In Oklab: smaller radii are as this, but for 0. */
#define GPU_PALETTE_LEAST_RADIUS 0.005

/* The radius that @settings stand for, into any format but RGB8P. */
gdouble gpu_palette_get_radius (const GpuPaletteSettings * settings);

/* How many colours @settings ask for; 0: as many as there are. */
guint gpu_palette_get_limit (const GpuPaletteSettings * settings);

/* Pixels that a colour must have to attract others. */
guint gpu_palette_get_least_frequency (const GpuPaletteSettings * settings);

G_END_DECLS
