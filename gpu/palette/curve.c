/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "curve.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

G_STATIC_ASSERT (offsetof (GpuPaletteCurve, signals) == 4 * CURVE_SIGNALS_AT
    && sizeof (GpuPaletteCurve) == 4 * CURVE_WORDS);

static gdouble
get_light (gdouble code)
{
  return gpu_palette_transfer_srgb (code / 255, NULL);
}

void
gpu_palette_curve_fill (GpuPaletteCurve * curve, GpuPaletteTransfer decode,
    GpuPaletteTransfer encode, gpointer data)
{
  guint code = 0;

  memset (curve, 0, sizeof *curve);
  /* The code whose light is nearest, as codes are rounded. It never decreases. */
  for (guint i = 0; i <= CURVE_WHITE; i++) {
    gdouble light = decode (i / (gdouble) CURVE_WHITE, data);

    while (code < 255 && light >= get_light (code + 0.5))
      code++;
    curve->codes[i] = code;
  }
  for (guint i = 0; i < 256; i++)
    curve->signals[i] =
        floor (encode (get_light (i), data) * CURVE_WHITE + 0.5);
}
