/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_temporal.h"

G_BEGIN_DECLS

/* Films of greys, for the worked examples of quality=live and stability. */

#define MS G_GUINT64_CONSTANT (1000000)

/* The lightness of a grey is proportional to its code, with 65536 / 255 = 257
 * steps a code. The pitch is ⌊0.01176 · 65536 / 3 + 1/2⌋ = 257. So the
 * coordinate L of a grey's bin is its code, and codes are 8 eighths of a bin
 * apart. */
extern const ReferencePaletteSettings grey_bin_per_code;

/* Pixels one behind the other, 16 a row, so that 256 of them are a block up to a
 * height of 512. The rest of a frame is transparent. A frame is written as patches
 * of greys: "100*7 120*3>100" are seven pixels of code 100, which are to come out as
 * they are, and three of 120, which are to come out as 100. */
typedef struct
{
  ReferenceTemporal *temporal;
  ReferenceTemporalSettings settings;   /* stability 1/2, noisy and at rest at first */
  guint64 interval;
  guint height;
  guint8 *picture, *shown;
  ReferenceTemporalStats stats;
} GreyFilm;

GreyFilm *grey_film_new_full (guint height, guint n_slots);

/* Of four blocks, 1024 pixels, with all slots there are. */
GreyFilm *grey_film_new (void);
void grey_film_free (GreyFilm * film);

void grey_film_paint (GreyFilm * film, const gchar * patches, ...)
    G_GNUC_PRINTF (2, 3);

/* The picture as it is. */
void grey_film_show_picture (GreyFilm * film);

/* Shows patches and checks what becomes of them, with the settings of the frame
 * before, or with others that mean the same: then no frame is as the one
 * before. */
void grey_film_show_again (GreyFilm * film, const gchar * patches, ...)
    G_GNUC_PRINTF (2, 3);
void grey_film_show_often (GreyFilm * film, guint n, const gchar * patches, ...)
    G_GNUC_PRINTF (3, 4);
#define grey_film_show(film, ...) grey_film_show_often (film, 1, __VA_ARGS__)

/* A first frame and nine of 33 milliseconds: the age is 250. */
#define grey_film_grow_old(film, ...) \
  grey_film_show_often (film, 10, __VA_ARGS__)

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GreyFilm, grey_film_free)

G_END_DECLS
