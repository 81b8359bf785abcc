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
