/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generated.h"

#include <string.h>

#define N_BLOBS 40

typedef struct
{
  gint x, y;
  gint64 radius_squared;
  gint colour[3];
} Blob;

typedef struct
{
  guint width, height;
  guint32 state;                /* of the random numbers, never 0 */
  Blob blobs[N_BLOBS];          /* of a picture of blobs */
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

/* A colour 0xRRGGBB. */
static guint32
rgb (guint red, guint green, guint blue)
{
  return (red & 255) << 16 | (green & 255) << 8 | (blue & 255);
}

static guint32
one_colour (Canvas * canvas, guint x, guint y)
{
  return rgb (93, 148, 201);
}

static guint32
two_colours (Canvas * canvas, guint x, guint y)
{
  return (x + y) % 7 < 2 ? rgb (230, 60, 20) : rgb (15, 70, 160);
}

static guint32
black_white (Canvas * canvas, guint x, guint y)
{
  return x < canvas->width / 2 ? 0 : 0xffffff;
}

static guint32
neighbours (Canvas * canvas, guint x, guint y)
{
  return rgb (x < canvas->width / 2 ? 120 : 121, 90, 60);
}

/* 0…255 over 0…@n - 1. */
static guint
ramp (guint i, guint n)
{
  return n > 1 ? (guint) ((guint64) i * 255 / (n - 1)) : 0;
}

static guint32
gradient (Canvas * canvas, guint x, guint y)
{
  return rgb (ramp (x, canvas->width), ramp (y, canvas->height),
      ramp (x + y, canvas->width + canvas->height - 1));
}

static guint32
noise (Canvas * canvas, guint x, guint y)
{
  return next_random (canvas) >> 8;
}

static guint32
checker (Canvas * canvas, guint x, guint y)
{
  const guint level = (x / 8 + y / 8) % 2 * 255;

  if (random_below (canvas, 64) == 0)
    return rgb (255 - level, 255 - level, 255 - level);
  /* An edge of a colour of its own, that no square's side is part of. */
  return x > canvas->width * 2 / 3 ? rgb (255 - level, level, 40)
      : rgb (level, level, level);
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
  const gint64 dx = x - blob->x, dy = y - blob->y;
  const gint64 inside = blob->radius_squared - dx * dx - dy * dy;
  gint64 share;

  if (inside <= 0)
    return;
  share = inside * 1024 / blob->radius_squared;
  share = share * share / 1024;
  for (guint c = 0; c < 3; c++)
    colour[c] += (gint) ((blob->colour[c] * 256 - colour[c]) * share / 1024);
}

static guint32
blobs (Canvas * canvas, guint x, guint y)
{
  gint colour[3] = { 110 * 256, 115 * 256, 120 * 256 };

  if (x == 0 && y == 0)
    for (guint i = 0; i < N_BLOBS; i++)
      canvas->blobs[i] = random_blob (canvas);
  for (guint i = 0; i < N_BLOBS; i++)
    mix_blob (&canvas->blobs[i], (gint) x, (gint) y, colour);
  return rgb (colour[0] / 256, colour[1] / 256, colour[2] / 256);
}

const gchar *const generated_names[] = {
  "one-colour", "two-colours", "black-white", "neighbours", "gradient",
  "noise", "checker", "alpha-noise", "blobs", NULL
};

/* In the order of generated_names. */
static guint32 (*const colours[]) (Canvas * canvas, guint x, guint y) = {
  one_colour, two_colours, black_white, neighbours, gradient, noise, checker,
  noise, blobs
};

G_STATIC_ASSERT (G_N_ELEMENTS (colours) + 1 == G_N_ELEMENTS (generated_names));

guint8 *
generated_picture_new (const gchar * name, guint width, guint height,
    guint32 seed)
{
  const gsize n_pixels = (gsize) width * height;
  /* Neighbouring seeds must not begin with alike numbers. */
  Canvas canvas = { width, height, MAX ((seed + 1) * 2654435769u, 1) };
  guint8 *pixels;
  guint kind = 0;

  while (generated_names[kind] != NULL
      && strcmp (name, generated_names[kind]) != 0)
    kind++;
  if (generated_names[kind] == NULL)
    return NULL;
  pixels = g_malloc (4 * n_pixels);
  for (gsize i = 0; i < n_pixels; i++) {
    const guint32 colour = colours[kind] (&canvas, i % width, i / width);
    const guint8 pixel[] = { colour >> 16, colour >> 8, colour, 255 };

    memcpy (pixels + 4 * i, pixel, 4);
  }
  for (gsize i = 0; i < n_pixels && strcmp (name, "alpha-noise") == 0; i++)
    pixels[4 * i + 3] = random_alpha (&canvas);
  return pixels;
}

void
generated_swap (guint8 * rgba, gsize n_pixels, guint one, guint other)
{
  for (guint8 * pixel = rgba; pixel < rgba + 4 * n_pixels; pixel += 4) {
    const guint8 code = pixel[one];

    pixel[one] = pixel[other];
    pixel[other] = code;
  }
}
