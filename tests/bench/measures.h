/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How good a reduced palette is, from pixels alone: the measures that compare
 * results which no two methods have in common to the bit. In double precision,
 * with nothing of the engine's arithmetic.
 *
 * Pictures are tightly packed bytes R, G, B, A. Pixels with alpha 0 do not
 * count. Distances are those of Oklab, with the transfer function of sRGB. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gdouble L, a, b;
} MeasureOklab;

/* Of a code value, 0…1. */
gdouble measure_light (guint8 code);

MeasureOklab measure_oklab (const guint8 * rgb);
gdouble measure_oklab_distance (MeasureOklab p, MeasureOklab q);
gdouble measure_chroma (MeasureOklab place);

/* The angle between two hues, 0…pi. */
gdouble measure_hue_between (MeasureOklab p, MeasureOklab q);

/* Between two colours. */
gdouble measure_distance (const guint8 * rgb, const guint8 * other);

/* Colours that one would tell apart, and see. Heaviest first, the number of
 * pixels being the weight, a colour joins the heaviest one before it within
 * @radius / 2 that joined none, whose pixels its own are from then on. What
 * remains, and has more than 1e-4 of the pixels, is counted. */
guint measure_palette_size (const guint8 * rgba, gsize n_pixels,
    gdouble radius);

/* The mean distance between what a pixel was and what it became; 0 where none
 * counts. */
gdouble measure_distortion (const guint8 * before, const guint8 * after,
    gsize n_pixels);

/* @value to @other, of what may be nothing at all: then it is as @least. */
gdouble measure_ratio (gdouble value, gdouble other, gdouble least);

G_END_DECLS
