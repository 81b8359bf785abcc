/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests share of films whose frames are counted together, several at a time. */
#pragma once

#include "live_film.h"

G_BEGIN_DECLS

#define WIDTH 40
#define PADDED_WIDTH 41         /* rows of arrays by pixel are padded */
#define HEIGHT 18

Film *window_film_new_of (Engine * engine);
Film *window_film_new (guint width, guint height);

/* Few colours, so that they come back; and pixels that are not counted. */
void window_take_any_picture (Film * film);
/* A few pixels of the frame become others; and all a quarter as bright, which is a cut. */
void window_edit (Film * film);
void window_darken (Film * film);

/* The frame as it is, which comes out as the oracle says, or the test fails: where at
 * most @room frames are counted; and where as many are as the settings ask for. */
void window_show_within (Film * film, const gchar * name, guint room);
void window_show (Film * film, const gchar * name);
/* A frame of NV12, of an engine that is configured for them. */
void window_show_nv12 (Film * film, const gchar * name, guint8 * frame);
/* So many of any pictures. */
void window_show_pictures (Film * film, const gchar * name, guint n_frames);

G_END_DECLS
