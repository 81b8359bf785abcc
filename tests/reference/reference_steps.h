/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_blocks.h"
#include "reference_live.h"
#include "reference_temporal.h"

G_BEGIN_DECLS

/* What is known of a film while a frame is worked on, and the steps that concern modes, by the
 * numbers of docs/internals/temporal.md. For reference_temporal.c, and tests of the steps. */

#define REFERENCE_NO_MODE -1

typedef struct
{
  gboolean exists;
  gboolean was_free;            /* its slot, when the frame began */
  gboolean has_summit;          /* a summit belongs to it, or the frame is held */
  gboolean lacks_summit;             /* since the frame before: no summit, or with a number of
                                   colours no bin, belongs to it */
  gint64 colour[3];             /* 256ths of a code value */
  guint8 shown[3];
  ReferencePlace home;
  ReferencePlace at;            /* in eighths of a bin */
} ReferenceMode;

/* What a pixel holds. */
typedef struct
{
  gint slot;                    /* of a mode, or REFERENCE_NO_MODE */
  gint64 waited;                /* milliseconds */
} ReferencePixelMode;

/* The mode that a bin belonged to. */
typedef struct
{
  ReferencePlace bin;
  guint n_merges;
  gint slot;                    /* or REFERENCE_NO_MODE */
} ReferenceOwnedBin;

struct _ReferenceTemporal
{
  guint n_slots;
  ReferenceMode *modes;         /* by slot */
  gint n_modes;                 /* up to the last slot that was ever taken */

  /* Up to the frame before. */
  guint64 n_frames;             /* since the first one, that too; 0: of the rest only
                                   the window is known */
  gint64 held_for;              /* nanoseconds */
  guint width, height;
  ReferenceTemporalSettings before;
  guint8 *input, *output;       /* of the last frame that was not settled */
  ReferenceTemporalStats stats;
  gint64 rest;                  /* R, 65536ths */
  gint64 age;
  gint64 noise;                 /* 2048ths of a code value, or that it is not known */
  gint64 camera;                /* K of step 3 */
  ReferencePixelMode *pixels;
  ReferenceBlock *blocks;
  GArray *owned_bins;           /* of the frame before: ReferenceOwnedBin */
  GByteArray *window;           /* the frames that are counted, oldest first */

  /* This frame. */
  ReferenceTemporalSettings settings;
  gint64 interval;
  const guint8 *picture;
  guint8 *shown;
  gsize n_pixels;
  ReferencePictures pictures;   /* this one and the one before */
  gboolean is_held;
  gboolean counts_as_before;    /* no colour more or less often */
  ReferenceBins bins;
  gboolean *is_stray;           /* by bin: a summit only because it is too far from
                                   its own; or NULL: none is */
  gint *slots;                  /* by bin: of the mode that it belongs to, or
                                   REFERENCE_NO_MODE */
  ReferencePlace *pixel_bins;   /* before merging, by which pixels choose */
  gboolean *was_held;           /* by slot, also of modes that are new: by a
                                   pixel, when the frame began */
};

/* The part of the way of a mode with this time constant, from the last frame in which modes
 * moved. */
gint64 reference_part_of_way (const ReferenceTemporal * film, gdouble constant);

/* Slots that there is room for. */
static inline guint
reference_n_slots (const ReferenceTemporal * film)
{
  return MAX (film->n_slots, REFERENCE_TEMPORAL_COLOURS);
}

/* --- a mode --- */

/* Finds what @mode shows, and where that is in these @bins. */
void reference_mode_show (ReferenceMode * mode, const ReferenceBins * bins);

/* Moves it towards the mean of @bin, if that weighs anything, by 4096 all of the way. It shows
 * what it did. */
void reference_mode_move (ReferenceMode * mode, const ReferenceBin * bin,
    gint64 part);

/* Of a bin that may be merged, in eighths of one that is not. */
ReferencePlace reference_bins_middle (const ReferenceBins * bins,
    ReferencePlace bin);

/* Of the modes in the first @n slots the nearest to @place, in eighths of a bin,
 * and of several as near that in the first slot. */
gint reference_modes_find_nearest (const ReferenceMode * modes, gint n,
    ReferencePlace place);

/* In the first of @n_slots that was free when the frame began, with the colour of
 * @summit; REFERENCE_NO_MODE where none was. */
gint reference_modes_add (ReferenceTemporal * film, guint n_slots,
    const ReferenceBin * summit);

/* --- 4 to 8 --- */

/* Homes are those in this frame's bins, whatever bins there were before. */
void reference_modes_begin (ReferenceTemporal * film);
void reference_modes_move (ReferenceTemporal * film);
void reference_modes_meet (ReferenceTemporal * film);

/* First those that there are modes for: summits share none that is new. Other bins belong to
 * the modes of their summits. */
void reference_modes_assign (ReferenceTemporal * film);

/* Notes which modes summits belong to; before bins keep others. */
void reference_modes_find_summits (ReferenceTemporal * film);

/* Bins keep the modes that they belonged to, unless those of their summits are much nearer. */
void reference_modes_keep_bins (ReferenceTemporal * film);

/* For the next frame. */
void reference_modes_note_bins (ReferenceTemporal * film);

/* Bins that are too far from that mode belong to one of a cell near them. */
void reference_leash_assign (ReferenceTemporal * film);
/* By pixel, for film->pixel_bins: its own bin or, with coherence, that of a pixel beside it.
 * Those of pixels that are not counted mean nothing. g_free() it. */
ReferencePlace *reference_pixels_find_bins (const ReferenceTemporal * film);

/* Pixels hold what the surface that they show held. */
void reference_pixels_follow_motion (ReferenceTemporal * film);
void reference_pixels_settle (ReferenceTemporal * film);

/* By slot, whether a pixel holds it. g_free() it. */
gboolean *reference_modes_find_held (const ReferenceTemporal * film);
void reference_modes_let_go (ReferenceTemporal * film);

/* --- a number of colours --- */

gdouble reference_limit_radius (guint n_colours);

/* Where there are fewer than the number, each bin becomes one. */
void reference_limit_make_summits (ReferenceTemporal * film);

/* Of a @weight at that squared distance: counts only with its 24 leading bits. */
gint64 reference_limit_gain (gint64 weight, gint64 distance);

/* Of a bin at that squared distance, for each unit of its weight. */
gint64 reference_limit_loss (gint64 distance);

/* Of modes in the first slots, without gaps: in the end their places are not those of their
 * colours. */
void reference_limit_settle (ReferenceTemporal * film);

/* In the place of 4, 5 and 6. */
void reference_limit_assign (ReferenceTemporal * film);

/* For the next frame: one mode may be replaced, the others move or go. */
void reference_limit_change (ReferenceTemporal * film);

G_END_DECLS
