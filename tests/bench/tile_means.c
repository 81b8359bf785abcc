/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tile_means.h"

static guint32
mean_of (const guint8 * rgba, gsize stride, guint width, guint height)
{
  guint64 sum = 0;

  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++) {
      const guint8 *pixel = rgba + y * stride + 4 * x;

      sum += 54 * pixel[0] + 183 * pixel[1] + 19 * pixel[2];
    }
  return sum / (width * height);
}

guint32 *
tile_means (const guint8 * rgba, gsize stride, guint width, guint height,
    guint tile)
{
  guint columns = (width + tile - 1) / tile, rows = (height + tile - 1) / tile;
  guint32 *means = g_new (guint32, columns * rows);

  for (guint row = 0; row < rows; row++)
    for (guint column = 0; column < columns; column++) {
      guint x = column * tile, y = row * tile;

      means[row * columns + column] = mean_of (rgba + y * stride + 4 * x,
          stride, MIN (tile, width - x), MIN (tile, height - y));
    }
  return means;
}
