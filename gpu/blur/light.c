/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "light.h"

#include <math.h>

static gfloat
cell_begin (guint cell)
{
  union
  {
    guint32 bits;
    gfloat value;
  } begin = { cell == 0 ? 0 : (LIGHT_FIRST_CELL + cell) << LIGHT_CELL_SHIFT };

  return begin.value;
}

void
gpu_blur_light_make_table (const gfloat * light, gfloat * table)
{
  guint code = 0;

  /* Light is 0…255, so that sums have the same range as sums of code values. */
  for (guint i = 0; i < LIGHT_HALF_CODES; i++)
    table[i] = 255 * light[i];
  table[LIGHT_HALF_CODES] = INFINITY;
  for (guint cell = 0; cell < LIGHT_CELLS; cell++) {
    while (table[2 * code + 1] <= cell_begin (cell))
      code++;
    table[LIGHT_CELLS_AT + cell] = code;
  }
}

/* Returns the value whose function entry @i of a table is. */
static gdouble
get_value (guint i, guint octaves)
{
  return ldexp (1 + i % 256 / 256.0, (gint) (i / 256) - (gint) octaves);
}

static void
fill_table (gfloat * table, guint octaves, GpuBlurTransferFunction function,
    gconstpointer data)
{
  for (guint i = 0; i < TRANSFER_SIZE (octaves); i++)
    table[i] = function (MIN (get_value (i, octaves), 1), data);
}

void
gpu_blur_transfer_init (GpuBlurTransfer * transfer, const GpuYuv * yuv,
    GpuBlurTransferFunction decode, GpuBlurTransferFunction encode,
    gconstpointer data)
{
  transfer->yuv = *yuv;
  fill_table (transfer->tables + TRANSFER_DECODE_AT, TRANSFER_DECODE_OCTAVES,
      decode, data);
  fill_table (transfer->tables + TRANSFER_ENCODE_AT, TRANSFER_ENCODE_OCTAVES,
      encode, data);
}
