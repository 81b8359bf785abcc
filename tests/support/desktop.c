/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "desktop.h"

#include <string.h>

typedef struct
{
  guint x, y, width, height;
} Area;

/* --- numbers --- */

static guint32
hash (guint32 x, guint32 y, guint32 seed)
{
  guint32 h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ seed * 0xc2b2ae3du;

  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ h >> 15;
}

/* 0…255 · 256, smooth, from corners of squares of @size. */
static guint
smooth_noise (guint x, guint y, guint size, guint32 seed)
{
  guint cx = x / size, cy = y / size;
  guint fx = x % size * 256 / size, fy = y % size * 256 / size;
  guint corner[4];

  for (guint i = 0; i < 4; i++)
    corner[i] = hash (cx + (i & 1), cy + (i >> 1), seed) & 255;
  return ((corner[0] * (256 - fx) + corner[1] * fx) * (256 - fy)
      + (corner[2] * (256 - fx) + corner[3] * fx) * fy) >> 8;
}

/* --- drawing, pixel by pixel --- */

static void
set (guint8 * pixel, gint red, gint green, gint blue)
{
  pixel[0] = CLAMP (red, 0, 255);
  pixel[1] = CLAMP (green, 0, 255);
  pixel[2] = CLAMP (blue, 0, 255);
  pixel[3] = 255;
}

/* Light, hue and haze by fields of their own, of squares of @size, and grain. */
static void
draw_wallpaper (guint8 * pixel, guint x, guint y, guint size)
{
  const gint light = ((smooth_noise (x, y, size, 1) * 7
          + smooth_noise (x, y, MAX (size / 8, 2), 2)) >> 11)
      + (hash (x, y, 5) & 3);
  const gint warm = (gint) (smooth_noise (x, y, size, 3) >> 8) - 128;
  const gint green = (gint) (smooth_noise (x, y, size, 4) >> 8) - 128;

  set (pixel, light + warm / 2, light + green / 3, light - warm / 2);
}

/* Three columns of eight. */
static void
draw_icons (guint8 * pixel, guint x, guint y, guint side)
{
  const guint column = (x - side / 2) / (2 * side);
  const guint row = (y - side / 2) / (2 * side);
  const guint u = x - side / 2 - column * side * 2;
  const guint v = y - side / 2 - row * side * 2, i = 8 * column + row;

  if (x >= side / 2 && y >= side / 2 && column < 3 && row < 8 && u < side
      && v < side)
    set (pixel, (hash (i, 0, 6) & 127) + u * 128 / side,
        (hash (i, 1, 6) & 127) + v * 128 / side, hash (i, 2, 6) & 255);
}

/* Strokes with soft edges, in lines, some of them in colour, on white. */
static void
draw_text (guint8 * pixel, guint x, guint y, const Area * area)
{
  const guint line = y / 12, stroke = hash (x / 2, line, area->x) & 7;
  const guint ink = hash (x / 40, line, 7) % 5 == 0 ? 96 : 0;
  guint level = 255;

  if (y + 8 <= area->height && x >= 4 && x + 4 < area->width && y % 12 < 8
      && (hash (x / 6, line, 8) & 7) != 0 && (hash (x, y, 9) & 3) != 0)
    level = stroke * 255 / 7;
  set (pixel, MAX (level, ink), level, level);
}

static void
draw_window (guint8 * pixel, guint x, guint y, const Area * area)
{
  const guint bar = MAX (area->height / 16, 3);
  const Area inside = { area->x + 1, area->y + bar, area->width - 2,
    area->height - bar - 1
  };

  x -= area->x;
  y -= area->y;
  if (x >= area->width || y >= area->height)
    return;
  if (x == 0 || x > inside.width || y == bar - 1 || y == area->height - 1)
    set (pixel, 60, 60, 66);
  else if (y < bar)
    set (pixel, 70 + 40 * x / area->width, 90 + 60 * x / area->width,
        180 - 50 * y / bar);
  else
    draw_text (pixel, x - 1, y - bar, &inside);
}

guint8 *
desktop_new (guint width, guint height)
{
  guint8 *pixels = g_malloc ((gsize) width * height * 4);
  const Area windows[] = {
    {width / 4, height / 8, width / 3, height / 2},
    {width / 2, height / 3, width * 2 / 5, height / 2},
  };

  for (gsize i = 0; i < (gsize) width * height; i++) {
    const guint x = i % width, y = i / width;

    draw_wallpaper (pixels + 4 * i, x, y, MAX (height / 4, 8));
    draw_icons (pixels + 4 * i, x, y, MAX (height / 24, 4));
    for (guint k = 0; k < G_N_ELEMENTS (windows); k++)
      draw_window (pixels + 4 * i, x, y, &windows[k]);
  }
  return pixels;
}

/* --- what changes --- */

/* An arrow: black inside, white around it. */
void
desktop_draw_cursor (guint8 * rgba, guint width, guint height, guint x, guint y)
{
  for (guint v = 0; v < DESKTOP_CURSOR && y + v < height; v++)
    for (guint u = 0; u <= v && x + u < width; u++) {
      const guint level = u == 0 || u == v || v == DESKTOP_CURSOR - 1 ? 255 : 0;

      set (rgba + 4 * ((gsize) (y + v) * width + x + u), level, level, level);
    }
}

static guint
there_and_back (guint at, guint most)
{
  guint turn = at % (2 * MAX (most, 1));

  return turn < most ? turn : 2 * MAX (most, 1) - turn;
}

void
desktop_move_cursor (guint width, guint height, guint i, guint * x, guint * y)
{
  *x = there_and_back (i * 157, width - MIN (width, DESKTOP_CURSOR));
  *y = there_and_back (i * 61, height - MIN (height, DESKTOP_CURSOR));
}

void
desktop_change (guint8 * rgba, gsize first, gsize n, guint32 seed)
{
  for (gsize i = first; i < first + n; i++)
    for (guint k = 0; k < 3; k++) {
      gint step = (gint) (hash (i, k, seed) % 9) - 4;

      rgba[4 * i + k] = CLAMP (rgba[4 * i + k] + step, 0, 255);
    }
}
