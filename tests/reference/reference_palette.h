/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_lattice.h"

G_BEGIN_DECLS

/* Palette reduction by mean shift with a flat kernel (Comaniciu and Meer,
 * "Mean shift: a robust approach toward feature space analysis", 2002), each
 * step a look at every colour there is: slow, and simple enough to be
 * believed. Pictures are tightly packed bytes R, G, B, A. */

typedef enum
{
  REFERENCE_WEIGHTING_FREQUENCY,        /* a colour weighs what its pixels do */
  REFERENCE_WEIGHTING_PALETTE,  /* every colour weighs 1 */
} ReferenceWeighting;

typedef enum
{
  REFERENCE_WALKS_PLAIN,        /* every step of every walk is computed from all
                                   the colours */
  REFERENCE_WALKS_SHORTCUT,     /* the same result sooner: a step that was
                                   computed once is looked up, and colours too
                                   far away in L alone are not looked at */
} ReferenceWalks;

/* Pixels whose places do not matter. */
typedef struct
{
  const guint8 *bytes;          /* R, G, B, A */
  gsize n;                      /* of pixels */
} ReferencePixels;

typedef struct
{
  gdouble radius;               /* Oklab units, 0…√3 */
  gdouble chroma;               /* weight of a and b against L; 0 is as 1 */
  ReferenceWeighting weighting;
  guint iteration_limit;        /* 0: until the walk stops */
  ReferenceTransfer transfer;
  ReferenceEotf eotf;           /* for REFERENCE_TRANSFER_CUSTOM, else NULL */
  guint min_frequency;          /* rarer colours attract nothing; 0 is as 1 */
  ReferenceWalks walks;
} ReferencePaletteSettings;

typedef struct
{
  gsize n_colours;              /* that attract: distinct colours counted at
                                   least min_frequency times */
  gsize n_ends;                 /* distinct lattice points where the walks of
                                   the picture's colours ended */
  gsize n_output_colours;       /* distinct R, G, B among output pixels whose
                                   alpha is not 0 */
  guint longest_walk;           /* moves, not counting the look that finds that
                                   a walk has stopped */
} ReferencePaletteStats;

/* The lattice that colours are points of, with the radius, the chroma and the transfer
 * function of @settings. */
void reference_palette_lattice (const ReferencePaletteSettings * settings,
    ReferenceLattice * lattice);

/* Weighted points that attract, and how far they do. */
typedef struct _ReferenceColours ReferenceColours;

/* Copies @n different @points and their @weights; the sum of the weights is
 * below 2^32. @radius_squared: in lattice steps. */
ReferenceColours *reference_colours_new (const ReferencePoint * points,
    const guint32 * weights, gsize n, gint64 radius_squared);
void reference_colours_free (ReferenceColours * colours);

/* One step: the weighted mean of the points within the radius of @from, each
 * coordinate rounded; @from itself where there are none. */
ReferencePoint reference_next (const ReferenceColours * colours,
    ReferencePoint from);

/* Steps until a fixed point, or @limit times where that is not 0.
 * @moves: receives how often the point moved; may be NULL. */
ReferencePoint reference_walk (const ReferenceColours * colours,
    ReferencePoint from, guint limit, guint * moves);

/* Reduces the palette of a picture, @input of @width · @height pixels, into
 * @output (as large; the same memory is fine). Pixels with alpha 0 are not
 * counted and keep all their bytes; other alphas are kept.
 * @stats: may be NULL. */
void reference_palette (const ReferencePaletteSettings * settings,
    const guint8 * input, guint width, guint height, guint8 * output,
    ReferencePaletteStats * stats);

/* The same where the colours that attract are those of other pixels, such as
 * several frames one behind the other: @counted, fewer than 2^32. Colours of
 * @input that are not among them walk too. */
void reference_palette_from (const ReferencePaletteSettings * settings,
    const ReferencePixels * counted, const ReferencePixels * input,
    guint8 * output, ReferencePaletteStats * stats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReferenceColours, reference_colours_free)

G_END_DECLS
