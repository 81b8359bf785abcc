/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests share of films that an engine and its oracle are shown, frame after frame. */
#pragma once

#include "palette_fixture.h"

G_BEGIN_DECLS

typedef struct
{
  Engine *engine;
  ReferenceTemporal *temporal;
  GpuPaletteSettings settings;
  GRand *random;
  guint8 *base;                 /* a picture */
  guint8 *rgba;                 /* the frame at hand, made of it */
  gboolean counts_steadied;     /* by one more oracle */
  guint n_steadied;             /* pixels that live would have shown otherwise */
  guint n_without_colour;       /* pixels that stayed as they were */
  guint n_lit;                  /* frames in which light is common */
  gsize n_leashed;              /* bins, as the oracle says */
  guint n_cuts, n_strays, merges;       /* of merges bit n: there were n */

  /* Where modes are listed. */
  guint8 *out;                  /* what became of the frame */
  GpuPaletteMode modes[GPU_PALETTE_MAX_MODES];
  guint n_modes;
  guint n_merged;               /* modes of all frames that are part of another */
} Film;

/* Takes the engine. The oracle has @n_slots for modes. */
Film *film_new (Engine * engine, guint n_slots,
    const GpuPaletteSettings * settings);
void film_free (Film * film);

gsize film_n_pixels (Film * film);
void film_take_picture (Film * film, const gchar * name, guint32 seed);

/* Sets the threshold of a cut to the greatest one at which a scene begins with the next frame
 * behind @before, or to the least at which none does. */
void film_set_threshold (Film * film, const guint8 * before,
    gboolean begins_scene);

/* Makes the next frame the first, for engine and oracle. */
void film_forget (Film * film);

/* What became of @picture, the next frame, is as the oracle says, or the test fails. */
ReferenceTemporalStats film_compare (Film * film,
    const ReferenceTemporalSettings * settings, const gchar * what,
    const guint8 * picture, const guint8 * got);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free)

G_END_DECLS
