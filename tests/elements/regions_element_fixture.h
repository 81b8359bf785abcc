/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Films with regions, as properties or metas have them, and what is left of their frames. */
#pragma once

#include "element_fixture.h"

G_BEGIN_DECLS

#define WIDTH 96
#define HEIGHT 80
#define INTERVAL (40 * GST_MSECOND)

#define FILL "gpublur sigma=0 roi-action=fill roi-color=0xff102030 "
#define PLACE "roi-source=rectangle roi-x=10 roi-y=20 roi-width=30 roi-height=25 "

typedef struct
{
  gint x, y, width, height;
} Box;

#define NO_TIME (-1)

/* With caps for the frames of make_frame(). */
GstHarness *regions_make_harness (const gchar * description);

/* Returns a frame of noise, which the caller owns. */
GstBuffer *regions_make_frame (guint seed);
/* Adds the meta of a region of @type to @buffer, which it returns. */
GstBuffer *regions_with_region (GstBuffer * buffer, const gchar * type,
    const Box * box);
GstBuffer *regions_make_frame_with (guint seed, const gchar * type, const Box * box);

/* Pushes @in, whose reference it takes, as frame @i of a film, or without a time if @i is
 * NO_TIME. Returns what comes out, which the caller owns. */
GstBuffer *regions_push (GstHarness * h, GstBuffer * in, gint i);

/* Takes the references. */
void regions_check_equal (GstBuffer * a, GstBuffer * b);

/* The pixels of the @n boxes, or all others, have the colour of FILL. The rest is the noise with
 * @seed. Takes the reference of @out. */
void regions_check_filled (GstBuffer * out, guint seed, const Box * boxes, guint n);
void regions_check_inverted (GstBuffer * out, guint seed, const Box * boxes, guint n);

/* Pushes frame @i, of noise with @seed and with the region @box of @type, if any: the @n boxes
 * are filled. */
void regions_show (GstHarness * h, gint i, guint seed, const Box * boxes, guint n);
void regions_show_with (GstHarness * h, gint i, guint seed, const gchar * type,
    const Box * box, const Box * boxes, guint n);

G_END_DECLS
