/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "desktop.h"

#include <string.h>

typedef struct
{
  guint8 *pixels;
  guint width, height;
} Screen;

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

/* --- drawing --- */

static void
set_pixel (Screen * screen, guint x, guint y, gint red, gint green, gint blue)
{
  guint8 *pixel = screen->pixels + 4 * ((gsize) y * screen->width + x);

  if (x >= screen->width || y >= screen->height)
    return;
  pixel[0] = CLAMP (red, 0, 255);
  pixel[1] = CLAMP (green, 0, 255);
  pixel[2] = CLAMP (blue, 0, 255);
  pixel[3] = 255;
}

static void
fill (Screen * screen, const Area * area, guint red, guint green, guint blue)
{
  for (guint y = 0; y < area->height; y++)
    for (guint x = 0; x < area->width; x++)
      set_pixel (screen, area->x + x, area->y + y, red, green, blue);
}

/* Light, hue and haze by fields of their own, and grain. */
static void
draw_wallpaper (Screen * screen)
{
  guint size = MAX (screen->height / 4, 8);

  for (guint y = 0; y < screen->height; y++)
    for (guint x = 0; x < screen->width; x++) {
      gint light = (smooth_noise (x, y, size, 1) * 7
          + smooth_noise (x, y, MAX (size / 8, 2), 2)) >> 11;
      gint warm = (gint) (smooth_noise (x, y, size, 3) >> 8) - 128;
      gint green = (gint) (smooth_noise (x, y, size, 4) >> 8) - 128;

      light += hash (x, y, 5) & 3;
      set_pixel (screen, x, y, light + warm / 2, light + green / 3,
          light - warm / 2);
    }
}

static void
draw_icons (Screen * screen)
{
  guint side = MAX (screen->height / 24, 4);

  for (guint i = 0; i < 24; i++) {
    guint x = side / 2 + i / 8 * side * 2, y = side / 2 + i % 8 * side * 2;

    for (guint v = 0; v < side; v++)
      for (guint u = 0; u < side; u++)
        set_pixel (screen, x + u, y + v, (hash (i, 0,
                    6) & 127) + u * 128 / side, (hash (i, 1,
                    6) & 127) + v * 128 / side, hash (i, 2, 6) & 255);
  }
}

/* Strokes with soft edges, in lines, some of them in colour. */
static void
draw_text (Screen * screen, const Area * area)
{
  for (guint y = 0; y + 8 <= area->height; y++)
    for (guint x = 4; x + 4 < area->width; x++) {
      guint line = y / 12, stroke = hash (x / 2, line, area->x) & 7;
      guint ink = hash (x / 40, line, 7) % 5 == 0 ? 96 : 0;
      guint level = y % 12 < 8 && (hash (x / 6, line, 8) & 7) != 0
          && (hash (x, y, 9) & 3) != 0 ? stroke * 255 / 7 : 255;

      set_pixel (screen, area->x + x, area->y + y, MAX (level, ink), level,
          level);
    }
}

static void
draw_window (Screen * screen, const Area * area)
{
  guint bar = MAX (area->height / 16, 3);
  Area inside = { area->x + 1, area->y + bar, area->width - 2,
    area->height - bar - 1
  };

  fill (screen, area, 60, 60, 66);
  for (guint y = 0; y + 1 < bar; y++)
    for (guint x = 1; x + 1 < area->width; x++)
      set_pixel (screen, area->x + x, area->y + y, 70 + 40 * x / area->width,
          90 + 60 * x / area->width, 180 - 50 * y / bar);
  fill (screen, &inside, 255, 255, 255);
  draw_text (screen, &inside);
}

guint8 *
desktop_new (guint width, guint height)
{
  Screen screen = { g_malloc0 ((gsize) width * height * 4), width, height };
  const Area windows[] = {
    {width / 4, height / 8, width / 3, height / 2},
    {width / 2, height / 3, width * 2 / 5, height / 2},
  };

  draw_wallpaper (&screen);
  draw_icons (&screen);
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    draw_window (&screen, &windows[i]);
  return screen.pixels;
}

/* --- what changes --- */

/* An arrow: black inside, white around it. */
void
desktop_draw_cursor (guint8 * rgba, guint width, guint height, guint x, guint y)
{
  Screen screen = { rgba, width, height };

  for (guint v = 0; v < DESKTOP_CURSOR; v++)
    for (guint u = 0; u <= v; u++) {
      guint level = u == 0 || u == v || v == DESKTOP_CURSOR - 1 ? 255 : 0;

      set_pixel (&screen, x + u, y + v, level, level, level);
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
