/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Colours as points of an integer lattice in Oklab, and back, in plain 64-bit
 * integers: the definition that the palette's bytes are held against.
 *
 * The colour space and its matrices are Björn Ottosson's "A perceptual color
 * space for image processing" (2020). "Qn" is an integer that holds its value
 * times 2^n; every rounding is floor (x + 1/2). */

typedef enum
{
  REFERENCE_TRANSFER_SRGB,      /* IEC 61966-2-1 */
  REFERENCE_TRANSFER_LINEAR,    /* code / 255 */
  REFERENCE_TRANSFER_CUSTOM,    /* the caller's function */
} ReferenceTransfer;

/* From a code value to light, both 0…1. */
typedef gdouble (*ReferenceEotf) (gdouble code);

/* A lattice point: L, a and b of Oklab times 2^shift. */
typedef struct
{
  gint32 L, a, b;
} ReferencePoint;

/* Everything the conversions need for one transfer and one lattice. */
typedef struct
{
  guint shift;
  gint64 lin[256];              /* Q30, light of each code value, 0…2^30 */
  gint64 threshold[256];        /* Q30, light from which on a value is at least
                                   this code; [0] is unused */
  gint64 rgb_to_lms[3][3];      /* Q30 */
  gint64 roots_to_lab[3][3];    /* Q30 */
  gint64 lab_to_roots[3][3];    /* Q30 */
  gint64 lms_to_rgb[3][3];      /* Q28 */
} ReferenceLattice;

/* The finest lattice for a radius (Oklab units, 0…√3): the largest s up to 16
 * with radius · 2^s < 2048. */
guint reference_lattice_shift (gdouble radius);

/* The largest squared distance, in lattice steps, that is within @radius. */
gint64 reference_radius_squared (gdouble radius, guint shift);

/* A colour's lightness and its a and b weigh the same: see
 * reference_lattice_set_chroma().
 *
 * @eotf is called for REFERENCE_TRANSFER_CUSTOM and else ignored (NULL will
 * do). @shift: 0…16. */
void reference_lattice_init (ReferenceLattice * lattice,
    ReferenceTransfer transfer, ReferenceEotf eotf, guint shift);

/* From now on a and b weigh @chroma times as much as L. Points are at L / @chroma^(2/3),
 * a · @chroma^(1/3) and b · @chroma^(1/3). */
void reference_lattice_set_chroma (ReferenceLattice * lattice, gdouble chroma);

/* The largest x with x³ <= @cube (Q20 from Q60); @cube: 0…2^62. */
gint64 reference_cube_root (gint64 cube);

/* @rgb: three bytes R, G, B. */
ReferencePoint reference_colour_to_point (const ReferenceLattice * lattice,
    const guint8 * rgb);

/* @point lies among the points of real colours (means of them do, too): far
 * outside, the cubes exceed 64 bits. @rgb: receives the bytes R, G, B. */
void reference_point_to_colour (const ReferenceLattice * lattice,
    ReferencePoint point, guint8 * rgb);

G_END_DECLS
