/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generated.h"

#include <string.h>

#define N_BLOBS 40

typedef struct
{
  guint8 *pixels;
  guint width, height;
  guint32 state;                /* of the random numbers, never 0 */
} Canvas;

static guint32
next_random (Canvas * canvas)
{
  guint32 x = canvas->state;

  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  canvas->state = x;
  return x;
}

/* 0 … @n - 1, from the upper bits: the lower ones are the weaker. */
static guint
random_below (Canvas * canvas, guint n)
{
  return (guint) ((guint64) next_random (canvas) * n >> 32);
}

static void
set_pixel (Canvas * canvas, guint x, guint y, guint red, guint green,
    guint blue)
{
  guint8 *pixel = canvas->pixels + 4 * ((gsize) y * canvas->width + x);

  pixel[0] = (guint8) red;
  pixel[1] = (guint8) green;
  pixel[2] = (guint8) blue;
  pixel[3] = 255;
}

static void
draw_one_colour (Canvas * canvas)
{
  for (guint y = 0; y < canvas->height; y++)
    for (guint x = 0; x < canvas->width; x++)
      set_pixel (canvas, x, y, 93, 148, 201);
}

static void
draw_two_colours (Canvas * canvas)
{
  for (guint y = 0; y < canvas->height; y++) {
    for (guint x = 0; x < canvas->width; x++) {
      if ((x + y) % 7 < 2)
        set_pixel (canvas, x, y, 230, 60, 20);
      else
        set_pixel (canvas, x, y, 15, 70, 160);
    }
  }
}

static void
draw_black_white (Canvas * canvas)
{
  for (guint y = 0; y < canvas->height; y++) {
    for (guint x = 0; x < canvas->width; x++) {
      guint level = x < canvas->width / 2 ? 0 : 255;

      set_pixel (canvas, x, y, level, level, level);
    }
  }
}

static void
draw_neighbours (Canvas * canvas)
{
  for (guint y = 0; y < canvas->height; y++)
    for (guint x = 0; x < canvas->width; x++)
      set_pixel (canvas, x, y, x < canvas->width / 2 ? 120 : 121, 90, 60);
}

/* 0…255 over 0…@n - 1. */
static guint
ramp (guint i, guint n)
{
  return n > 1 ? (guint) ((guint64) i * 255 / (n - 1)) : 0;
}

static void
draw_gradient (Canvas * canvas)
{
  for (guint y = 0; y < canvas->height; y++)
    for (guint x = 0; x < canvas->width; x++)
      set_pixel (canvas, x, y, ramp (x, canvas->width),
          ramp (y, canvas->height),
          ramp (x + y, canvas->width + canvas->height - 1));
}

static void
draw_noise (Canvas * canvas)
{
  for (guint y = 0; y < canvas->height; y++) {
    for (guint x = 0; x < canvas->width; x++) {
      guint32 random = next_random (canvas) >> 8;

      set_pixel (canvas, x, y, random >> 16, random >> 8, random);
    }
  }
}

static void
draw_checker (Canvas * canvas)
{
  for (guint y = 0; y < canvas->height; y++) {
    for (guint x = 0; x < canvas->width; x++) {
      guint level = (x / 8 + y / 8) % 2 * 255;

      /* An edge of a colour of its own, that no square's side is part of. */
      if (x > canvas->width * 2 / 3)
        set_pixel (canvas, x, y, 255 - level, level, 40);
      else
        set_pixel (canvas, x, y, level, level, level);
      if (random_below (canvas, 64) == 0)
        set_pixel (canvas, x, y, 255 - level, 255 - level, 255 - level);
    }
  }
}

static guint
random_alpha (Canvas * canvas)
{
  switch (random_below (canvas, 4)) {
    case 0:
      return 0;
    case 1:
      return 1 + random_below (canvas, 15);
    case 2:
      return 16 + random_below (canvas, 239);
    default:
      return 255;
  }
}

static void
draw_alpha_noise (Canvas * canvas)
{
  const gsize n_pixels = (gsize) canvas->width * canvas->height;

  draw_noise (canvas);
  for (gsize i = 0; i < n_pixels; i++)
    canvas->pixels[4 * i + 3] = (guint8) random_alpha (canvas);
}

typedef struct
{
  gint x, y;
  gint64 radius_squared;
  gint colour[3];
} Blob;

static Blob
random_blob (Canvas * canvas)
{
  const guint size = MAX (canvas->width, canvas->height);
  const gint radius = (gint) (size / 16 + random_below (canvas, size / 3) + 1);
  Blob blob;

  blob.x = (gint) random_below (canvas, canvas->width);
  blob.y = (gint) random_below (canvas, canvas->height);
  blob.radius_squared = (gint64) radius *radius;
  for (guint c = 0; c < 3; c++)
    blob.colour[c] = (gint) random_below (canvas, 256);
  return blob;
}

/* Moves a colour (Q8) towards the blob's, by (1 - d² / r²)². */
static void
mix_blob (const Blob * blob, gint x, gint y, gint colour[3])
{
  gint64 dx = x - blob->x, dy = y - blob->y;
  gint64 inside = blob->radius_squared - dx * dx - dy * dy;
  gint64 share;

  if (inside <= 0)
    return;
  share = inside * 1024 / blob->radius_squared;
  share = share * share / 1024;
  for (guint c = 0; c < 3; c++)
    colour[c] += (gint) ((blob->colour[c] * 256 - colour[c]) * share / 1024);
}

static void
draw_blobs (Canvas * canvas)
{
  Blob blobs[N_BLOBS];

  for (guint i = 0; i < N_BLOBS; i++)
    blobs[i] = random_blob (canvas);
  for (guint y = 0; y < canvas->height; y++) {
    for (guint x = 0; x < canvas->width; x++) {
      gint colour[3] = { 110 * 256, 115 * 256, 120 * 256 };

      for (guint i = 0; i < N_BLOBS; i++)
        mix_blob (&blobs[i], (gint) x, (gint) y, colour);
      set_pixel (canvas, x, y, (guint) colour[0] / 256,
          (guint) colour[1] / 256, (guint) colour[2] / 256);
    }
  }
}

const gchar *const generated_names[] = {
  "one-colour", "two-colours", "black-white", "neighbours", "gradient",
  "noise", "checker", "alpha-noise", "blobs", NULL
};

/* In the order of generated_names. */
static void (*const draw[]) (Canvas * canvas) = {
  draw_one_colour, draw_two_colours, draw_black_white, draw_neighbours,
  draw_gradient, draw_noise, draw_checker, draw_alpha_noise, draw_blobs
};

G_STATIC_ASSERT (G_N_ELEMENTS (draw) + 1 == G_N_ELEMENTS (generated_names));

guint8 *
generated_picture_new (const gchar * name, guint width, guint height,
    guint32 seed)
{
  for (guint i = 0; generated_names[i] != NULL; i++) {
    Canvas canvas = { NULL, width, height, 0 };

    if (strcmp (name, generated_names[i]) != 0)
      continue;
    canvas.pixels = g_malloc (4 * (gsize) width * height);
    /* Neighbouring seeds must not begin with alike numbers. */
    canvas.state = MAX ((seed + 1) * 2654435769u, 1);
    draw[i] (&canvas);
    return canvas.pixels;
  }
  return NULL;
}
