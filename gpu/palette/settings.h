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

/* Settings are grouped by what depends on them. A group has no padding, so that it can be
 * compared as a whole, once it is resolved. */

/* Which frames are counted together. */
typedef struct
{
  gdouble scene_cut_threshold;  /* 0…1 of full scale; 0: no cuts */
  guint history;                /* this one and those before it, up to
                                   GPU_PALETTE_MAX_HISTORY; 0 is as 1 */
  guint filler;                 /* 0: the group has no padding */
} GpuPaletteCounting;

/* A palette that is given; nothing to GPU_PALETTE_EXACT. */
typedef struct
{
  guint n_colours;              /* up to GPU_PALETTE_MAX_COLOURS; 0: none */
  guint32 colours[GPU_PALETTE_MAX_COLOURS];     /* R << 16 | G << 8 | B */
} GpuPaletteGiven;

/* What makes the palette of what is counted. */
typedef struct
{
  gdouble radius;               /* 0…GPU_PALETTE_MAX_RADIUS, Oklab units */
  GpuPaletteWeighting weighting;
  guint iteration_limit;        /* steps of a walk; 0: until it stops; nothing to
                                   GPU_PALETTE_LIVE */
  guint min_frequency;          /* colours with fewer pixels attract nothing, but
                                   walk; 0 is as 1 */
  /* Nothing to GPU_PALETTE_EXACT. */
  guint limit;                  /* colours at most, up to GPU_PALETTE_MAX_COLOURS,
                                   which sets the radius; 0: none. Nothing where a
                                   palette is given */
  gboolean keeps_radius;        /* the limit sets no radius, nor do bins make up for
                                   summits that there are too few of */
  GpuPaletteGiven given;
} GpuPaletteMaking;

/* How modes and pixels go from frame to frame: docs/internals/temporal.md. Nothing to
 * GPU_PALETTE_EXACT. */
typedef struct
{
  gdouble stability;            /* 0…1; 0: each frame by itself */
  gboolean hold;                /* the palette of the frame before */
  guint update_interval;        /* frames that share a palette; 0 is as 1 */
} GpuPaletteMotion;

typedef struct
{
  GpuPaletteQuality quality;
  gboolean counts_pixels;       /* for gpu_palette_get_modes(); makes no
                                   difference to what comes out */
  GpuPaletteCounting counting;
  GpuPaletteMaking making;
  GpuPaletteMotion motion;

  /* Of the frame at hand: nothing is kept by them. */
  guint64 interval;             /* ns since the frame before; 0: a 30th of a
                                   second */
  guint64 tag;                  /* what the caller knows the frame by */
} GpuPaletteSettings;

/* In Oklab: smaller radii are as this, but for 0. */
#define GPU_PALETTE_LEAST_RADIUS 0.005

/* The radius that @settings stand for, into any format but RGB8P. */
gdouble gpu_palette_get_radius (const GpuPaletteSettings * settings);

/* What @settings come to: what means nothing is 0, and what is implied is said. Groups of
 * two such settings make no difference if their bytes are equal. */
GpuPaletteSettings gpu_palette_settings_resolve (const GpuPaletteSettings *
    settings);
gboolean gpu_palette_counting_is_equal (const GpuPaletteCounting * a,
    const GpuPaletteCounting * b);
gboolean gpu_palette_given_is_equal (const GpuPaletteGiven * a,
    const GpuPaletteGiven * b);
gboolean gpu_palette_making_is_equal (const GpuPaletteMaking * a,
    const GpuPaletteMaking * b);
gboolean gpu_palette_motion_is_equal (const GpuPaletteMotion * a,
    const GpuPaletteMotion * b);

/* How many colours @settings ask for; 0: as many as there are. */
guint gpu_palette_get_limit (const GpuPaletteSettings * settings);

/* Pixels that a colour must have to attract others. */
guint gpu_palette_get_least_frequency (const GpuPaletteSettings * settings);

G_END_DECLS
