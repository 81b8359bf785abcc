/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_blur.h"

G_BEGIN_DECLS

/* The bilateral filter as docs/internals/design.md defines it, in double precision. */

typedef struct
{
  gdouble sigma[REFERENCE_AXES];        /* >= 0, pixels of the whole frame */
  gint radius;                  /* pixels of the whole frame; -1: from sigma */
  gdouble range;                /* 0…1; 1: the difference of black and white */
  guint rounds;                 /* > 0 */
  gboolean is_separable;        /* rows, then columns, in each round */
  ReferenceEdge edge;
  /* Light of the codes 0, 1/2, 1, … 255, which never decreases; NULL: codes are
   * averaged. */
  const gdouble *light;
} ReferenceBilateralSettings;

#define REFERENCE_BILATERAL_PLANES 3

/* Planes 1 and 2 are chroma, whose subsampling is relative to that of plane 0. */
typedef struct
{
  guint n_planes;
  ReferencePlane planes[REFERENCE_BILATERAL_PLANES];    /* of bytes */
  gboolean is_rgb;              /* otherwise plane 0 is luma */
  gint unused;                  /* component of plane 0 that carries nothing, or -1 */
  guint white;                  /* code of white minus that of black: 255, or 219 */
} ReferenceBilateralFrame;

/* Filters @frame into @outputs: for each plane height · width · components values, the
 * codes of the last pass, not rounded. Those of an unused component are 255. */
void reference_bilateral (const ReferenceBilateralFrame * frame,
    const ReferenceBilateralSettings * settings, gdouble * const *outputs);

G_END_DECLS
