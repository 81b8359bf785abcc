/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clips made of photographs, to see how steady a filter is: the same bytes each
 * time. Noise is a sensor's: Gaussian, of every component by itself, clamped.
 *
 *   noise   one photograph, noise of 2 levels
 *   moving  a piece of another photograph goes across it, noise of 2 levels
 *   light   linear light grows from a half to all of the photograph's within
 *           60 frames, noise of 1 level
 *   cut     one photograph, and then another */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The first frame of `cut` with the second photograph. */
#define CLIP_CUT 20

/* Photographs and frames are tightly packed bytes R, G, B, A, of 80 x 60 pixels
 * at least for `moving`. */
typedef struct
{
  const guint8 *first, *second; /* the second where the clip needs one */
  guint width, height;
} ClipPhotographs;

typedef struct
{
  const gchar *name;
  guint n_photographs, n_frames;
  gdouble noise;                /* sigma, in levels */
  /* Three values per pixel of a frame, in levels, without noise. */
  void (*draw) (const ClipPhotographs * photographs, guint frame,
      gdouble * levels);
} ClipKind;

/* NULL where there is none of this name. */
const ClipKind *clip_kind_find (const gchar * name);

/* What a sensor makes of @levels, three values per pixel: noise of @sigma levels. */
void clip_add_noise (const gdouble * levels, gsize n_pixels, gdouble sigma,
    GRand * random, guint8 * rgba);

/* The same without noise. */
void clip_round_levels (const gdouble * levels, gsize n_pixels, guint8 * rgba);

/* The code value, 0…255 and not rounded, of linear light 0…1: the inverse of
 * measure_light(). */
gdouble clip_level_of_light (gdouble light);

/* One frame of a clip; @random is the clip's, for its frames in order. */
void clip_make_frame (const ClipKind * kind,
    const ClipPhotographs * photographs, guint frame, GRand * random,
    guint8 * rgba);

/* Makes those pixels of frame @frame of `moving` transparent that the piece did
 * not uncover 3 to 10 frames ago: where it is, or was in the last two frames,
 * or was not in the eight before these. Returns how many stay. */
gsize clip_keep_uncovered (guint width, guint height, guint frame,
    guint8 * rgba);

G_END_DECLS
