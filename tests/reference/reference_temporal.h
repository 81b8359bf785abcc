/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_palette.h"

G_BEGIN_DECLS

/* What docs/internals/temporal.md defines: the palette of quality=live with stability, or
 * of several frames, frame after frame, step by step. Pictures are tightly packed
 * bytes R, G, B, A. */
typedef struct _ReferenceTemporal ReferenceTemporal;

/* Modes that there may be, and colours of a palette, given or by their number. */
#define REFERENCE_TEMPORAL_SLOTS 65535
#define REFERENCE_TEMPORAL_COLOURS 256

/* A stability so small that modes go all of their way at once, and a film that stands still is
 * settled at once. */
#define HARDLY_STABLE 0.0000000001

typedef struct
{
  ReferencePaletteSettings palette;     /* the radius, the chroma (0: 2 with colors
                                           that set the radius, else 1), the
                                           weighting, the transfer function and
                                           min_frequency */
  guint history;                /* 0 is as 1 */
  gsize bin_capacity;           /* bins are merged until they are no more */
  gdouble max_shift;            /* in radii; 0: any way; means nothing where colors set
                                   the radius, or there is a palette */
  gdouble stability;
  gdouble coherence;
  gdouble scene_cut_threshold;
  guint format;                 /* any number: another one, another format */
  /* For tests of other steps. */
  gboolean is_at_rest;          /* all vectors are 0 */
  gboolean is_noisy;            /* so much noise in all frames that no pixel moves */
  gboolean hold;
  guint update_interval;        /* 0 is as 1 */
  guint n_colours;              /* of a palette that is given, 0: none */
  guint32 colours[REFERENCE_TEMPORAL_COLOURS];    /* R << 16 | G << 8 | B */
  guint colors;                 /* how many modes are kept, 0: no such number; means
                                   nothing where there is a palette */
  gboolean keeps_radius;        /* colors do not set the radius, as for indexes */
} ReferenceTemporalSettings;

typedef struct
{
  const guint8 *bytes;          /* R, G, B, A */
  guint width, height;
} ReferencePicture;

typedef struct
{
  gsize n_bins;                 /* occupied, after merging */
  guint n_merges;               /* how often bins were merged */
  gsize n_summits;
  gsize n_held;                 /* modes that pixels hold and show */
  gsize n_strays;               /* summits that no slot was left for */
  gsize n_leashed;              /* bins that have another mode than their summits, or
                                   that became summits */
  gboolean is_cut;
  gboolean is_lit;              /* light changes in the whole frame */
  gboolean is_settled;          /* nothing changes */
} ReferenceTemporalStats;

/* @n_slots: for modes, REFERENCE_TEMPORAL_SLOTS unless a test wants less, but no
 * fewer than colours of a palette. With a number of colours there are so many. */
ReferenceTemporal *reference_temporal_new (guint n_slots);
void reference_temporal_free (ReferenceTemporal * film);

/* The next frame is the first. */
void reference_temporal_forget_modes (ReferenceTemporal * film);

/* The same, and it is alone in the window. */
void reference_temporal_reset (ReferenceTemporal * film);

/* What becomes of the next frame, @input; @output is as large, and may be the same memory, or
 * NULL where the frame is only to be counted. Where nothing is kept it is a frame by itself,
 * and the next one the first.
 * @interval: ns since the frame before; 0: a 30th of a second.
 * @stats: may be NULL; those of the frame before where this one changes nothing,
 * but for the cut, and all 0 where nothing is kept. */
void reference_temporal_frame (ReferenceTemporal * film,
    const ReferenceTemporalSettings * settings, guint64 interval,
    const ReferencePicture * input, guint8 * output,
    ReferenceTemporalStats * stats);

/* What becomes of a frame of which nothing is kept, and whose colours are made without a number
 * of them or a palette. */
void reference_temporal_alone (const ReferenceTemporalSettings * settings,
    const ReferencePicture * input, guint8 * output);

/* The pixels that were counted for the last frame, oldest first, @n of them. */
const guint8 *reference_temporal_get_window (const ReferenceTemporal * film,
    gsize * n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReferenceTemporal, reference_temporal_free)

G_END_DECLS
