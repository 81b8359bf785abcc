/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings of a palette. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

typedef enum
{
  GPU_PALETTE_FREQUENCY,        /* weight of a colour: the number of its pixels */
  GPU_PALETTE_PALETTE,          /* weight of every colour: 1 */
} GpuPaletteWeighting;

typedef enum
{
  GPU_PALETTE_EXACT,            /* mean shift of every colour, exact to the bit */
  GPU_PALETTE_LIVE,             /* peaks of the density on a grid of bins:
                                   docs/internals/live.md */
} GpuPaletteQuality;

#define GPU_PALETTE_MAX_RADIUS 1.7320508075688772
#define GPU_PALETTE_LEAST_CHROMA 0.5
#define GPU_PALETTE_MAX_CHROMA 3.0      /* bin_estimate.glsl relies on it, too */
#define GPU_PALETTE_LEAST_SHIFT 1.0
#define GPU_PALETTE_MAX_SHIFT 16.0
#define GPU_PALETTE_MAX_HISTORY 64
#define GPU_PALETTE_MAX_COLOURS 256
#define GPU_PALETTE_MAX_MODES 256

/* Settings are grouped by the state that depends on them. Groups have no padding: after
 * gpu_palette_settings_resolve() they are compared as bytes. */

/* The window of frames that are counted together. */
typedef struct
{
  gdouble scene_cut_threshold;  /* 0…1 of full scale; 0: no cuts */
  guint history;                /* frames in the window, this one included, up to
                                   GPU_PALETTE_MAX_HISTORY; 0 means 1 */
  guint least_alpha;            /* pixels with less are not counted, and keep their
                                   bytes; up to 255; 0 means 1 */
} GpuPaletteCounting;

/* A given palette; GPU_PALETTE_EXACT ignores it. */
typedef struct
{
  guint n_colours;              /* up to GPU_PALETTE_MAX_COLOURS; 0: none */
  guint32 colours[GPU_PALETTE_MAX_COLOURS];     /* R << 16 | G << 8 | B */
} GpuPaletteGiven;

/* How the palette is made from the counted colours. */
typedef struct
{
  gdouble radius;               /* 0…GPU_PALETTE_MAX_RADIUS, Oklab units */
  gdouble chroma;               /* weight of a and b against L in distances,
                                   GPU_PALETTE_LEAST_CHROMA…GPU_PALETTE_MAX_CHROMA;
                                   0: 2 if a limit sets the radius, else 1 */
  gdouble max_shift;            /* how far a colour may move, in radii, up to
                                   GPU_PALETTE_MAX_SHIFT; less than
                                   GPU_PALETTE_LEAST_SHIFT acts like it; 0: no bound.
                                   Ignored if the palette is given or a limit sets the
                                   radius, and by GPU_PALETTE_EXACT */
  gdouble coherence;            /* 0…1: how much pixels side by side decide together
                                   about their colours; 0: not at all.
                                   GPU_PALETTE_EXACT ignores it */
  GpuPaletteWeighting weighting;
  guint iteration_limit;        /* steps of a walk at most; 0: no limit;
                                   GPU_PALETTE_LIVE ignores it */
  guint min_frequency;          /* colours with fewer pixels have no weight, but
                                   walk; 0 means 1 */
  /* GPU_PALETTE_EXACT ignores the rest. */
  guint limit;                  /* most colours, up to GPU_PALETTE_MAX_COLOURS; sets
                                   the radius; 0: no limit. Ignored if a palette is
                                   given */
  gboolean keeps_radius;        /* TRUE: the limit does not set the radius, and bins
                                   do not become summits where there are fewer
                                   summits than the limit */
  GpuPaletteGiven given;
} GpuPaletteMaking;

/* Continuity of modes from frame to frame: docs/internals/temporal.md. The time constants
 * are in gpu/palette/live/continuity.c. GPU_PALETTE_EXACT ignores it. */
typedef struct
{
  gdouble stability;            /* 0…1; 0: frames are independent */
  gboolean hold;                /* keep the palette of the frame before */
  guint update_interval;        /* frames that share a palette; 0 means 1 */
} GpuPaletteMotion;

typedef struct
{
  GpuPaletteQuality quality;
  gboolean counts_pixels;       /* for gpu_palette_get_modes(); does not change the
                                   output */
  GpuPaletteCounting counting;
  GpuPaletteMaking making;
  GpuPaletteMotion motion;

  /* Per frame; a change does not reset any state. */
  guint64 interval;             /* ns since the frame before; 0: a 30th of a
                                   second */
  guint64 tag;                  /* the caller's identifier of the frame */
} GpuPaletteSettings;

/* In Oklab units. Smaller radii act like this one, except 0. */
#define GPU_PALETTE_LEAST_RADIUS 0.005

/* Returns the effective radius, in Oklab units, for any output format but RGB8P. */
gdouble gpu_palette_get_radius (const GpuPaletteSettings * settings);

/* Returns @settings with ignored members set to 0 and implied values filled in. Groups
 * of resolved settings have the same effect if their bytes are equal. */
GpuPaletteSettings gpu_palette_settings_resolve (const GpuPaletteSettings *
    settings);

/* Whether two resolved groups of one type are equal; pointers to them. They have no padding. */
#define GPU_PALETTE_ARE_EQUAL(a, b) (memcmp ((a), (b), sizeof *(a)) == 0)

/* Returns the effective chroma. */
gdouble gpu_palette_get_chroma (const GpuPaletteSettings * settings);

/* Returns the limit of the number of colours in effect; 0: no limit. */
guint gpu_palette_get_limit (const GpuPaletteSettings * settings);

/* Returns the least number of pixels with which a colour has weight, 1 or more. */
guint gpu_palette_get_least_frequency (const GpuPaletteSettings * settings);

G_END_DECLS
