/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A film, and what meanshiftpalette tells of the palettes of its frames. */
#pragma once

#include "element_fixture.h"
#include "palette_element_fixture.h"

G_BEGIN_DECLS

#define WIDTH 64
#define HEIGHT 36
#define N_PIXELS (WIDTH * HEIGHT)
#define N_BYTES (4 * N_PIXELS)

#define INTERVAL (40 * GST_MSECOND)

/* Frames have so few modes that all are listed. */
#define MESSAGES "post-messages=true radius=0.05"
#define RADIUS 0.05

typedef struct
{
  GstHarness *h;
  guint8 *picture;
  guint seed;                   /* of the noise in the last frame */
  GstClockTime pts;             /* of the last frame */
  GstClockTime duration;        /* of the next frames */
  guint8 out[N_BYTES];          /* what became of it */
} Film;

/* @description: of meanshiftpalette, as on a command line. */
Film *film_new (const gchar * description);
void film_free (Film * film);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

/* --- frames --- */

/* Adds other noise to the picture each time. */
GstBuffer *film_next_frame (Film * film, GstClockTime pts);

/* Push the next frame, and wait for it to be done. */
void film_show_at (Film * film, GstClockTime pts);
void film_show (Film * film);

/* Sends the end of the stream. */
void film_end (Film * film);

/* --- what is told --- */

/* Returns the next message; NULL if there is none. The caller owns it. */
GstStructure *film_take_message (Film * film);
/* Takes all messages. Returns their number. */
guint film_count_messages (Film * film);

/* Returns the field @name, which must be there. */
GstClockTime film_time_of (const GstStructure * structure, const gchar * name);

/* Checks that @structure describes a frame with the output @rgba. Returns its number of
 * modes. */
guint film_check_told (Film * film, const GstStructure * structure,
    const guint8 * rgba, gdouble radius);

/* Checks that the next message describes the frame of @pts, with the output @rgba. */
void film_check_message (Film * film, GstClockTime pts, const guint8 * rgba);

/* Reads the property `palette`. Returns its number of colours, of which it writes the first
 * @n. */
guint film_read_palette (Film * film, guint32 * colours, guint n);

G_END_DECLS
