/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A film that meanshiftpalette and the oracle of quality=live are shown, frame after frame. */
#pragma once

#include "element_fixture.h"
#include "palette_element_fixture.h"
#include "reference_temporal.h"

G_BEGIN_DECLS

/* At first. */
#define WIDTH 64
#define HEIGHT 36
#define N_PIXELS (WIDTH * HEIGHT)
#define N_BYTES (4 * N_PIXELS)

#define INTERVAL (40 * GST_MSECOND)

typedef struct _Film Film;
struct _Film
{
  GstHarness *h;
  ReferenceTemporal *temporal;
  guint format;                 /* the oracle's number of it */
  guint width, height;
  guint8 *picture;              /* without noise */
  guint seed;                   /* of the noise in the last frame */
  gint light;                   /* codes that film_lighten() has added */
  GstClockTime pts;             /* of the last frame */
  GstClockTime counted;         /* that of the last frame that the oracle was shown, or none */
  GstClockTime duration;        /* of the next frames */
  guint8 *out;                  /* what became of the last frame */
  guint32 given[REFERENCE_TEMPORAL_COLOURS];    /* the palette that film_set() has set */
  guint n_given;
  guint n_steadied;             /* frames that would be others alone */
  guint n_cuts;

  /* Replaces the noisy picture; returns a new one for film->seed. */
  guint8 *(*make_picture) (Film * film);
};

/* @description: of meanshiftpalette, as on a command line, without a palette. */
Film *film_new (const gchar * description);
void film_free (Film * film);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

/* From now on frames are of this kind, with about the colours of those before. */
void film_set_formats (Film * film, const gchar * in, const gchar * out,
    guint width, guint height);

/* Sets a property. A palette is written as "<0x102030,0x405060>". */
void film_set (Film * film, const gchar * property, const gchar * value);

/* Adds @codes to all colours of the next frames. */
void film_lighten (Film * film, gint codes);

/* The noise of the next frame, as a picture. The noise of film->seed again: film->seed-- first. */
guint8 *film_next_picture (Film * film);

/* A frame of @picture. */
GstBuffer *film_frame_of (Film * film, const guint8 * picture, GstClockTime pts);

/* Pushes the next frame without the oracle; its output is in film->out then. */
void film_push_at (Film * film, GstClockTime pts);
void film_push (Film * film);

/* What the properties ask for. */
ReferenceTemporalSettings film_settings (Film * film);

/* Pushes @buffer, a frame of @picture, @interval behind the last one (0: nobody knows), and
 * compares what becomes of it, and what stats say of it, with the oracle of this quality. */
void film_check (Film * film, const ReferenceTemporalSettings * settings,
    GstClockTime interval, const guint8 * picture, GstBuffer * buffer);

/* Checks the next frame, @interval behind the last one. */
void film_show_as (Film * film, const ReferenceTemporalSettings * settings,
    GstClockTime interval);

/* Checks the next @n frames, with what the properties ask for. */
void film_show (Film * film, guint n);

/* Ways to begin again, of which the oracle is told nothing. */
void film_flush (Film * film);
void film_begin_stream (Film * film);
void film_restart (Film * film);
void film_set_linear (Film * film);

/* A property that is set, colours that get lighter, and then some frames. */
typedef struct
{
  const gchar *property, *value;        /* NULL: none */
  gint light;
  guint n;
} FilmStep;

void film_run (Film * film, const FilmStep * steps, guint n);

/* Drives a property: @n values, one every INTERVAL from 0 on. */
void film_control (Film * film, const gchar * property, const gdouble * values, guint n);

/* Shows the same frames twice with @show. Once all was used, no Vulkan object is made for them. */
void film_check_nothing_is_made (const gchar * description, void (*show) (Film *));

G_END_DECLS
