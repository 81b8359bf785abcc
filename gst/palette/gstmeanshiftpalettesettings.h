/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of meanshiftpalette. */
#pragma once

#include "gpu/palette/palette.h"
#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  GST_MEAN_SHIFT_PALETTE_TRANSFER_AUTO,
  GST_MEAN_SHIFT_PALETTE_TRANSFER_SRGB,
  GST_MEAN_SHIFT_PALETTE_TRANSFER_LINEAR,
} GstMeanShiftPaletteTransfer;

typedef struct
{
  GpuPaletteSettings engine;
  GstMeanShiftPaletteTransfer transfer;
  gboolean posts_messages;
} GstMeanShiftPaletteSettings;

/* Installs the properties. */
void gst_mean_shift_palette_settings_install (GObjectClass * object_class);

/* Sets the defaults. @settings must be zeroed. */
void gst_mean_shift_palette_settings_init (GstMeanShiftPaletteSettings *
    settings);

/* Set or get one property. Return FALSE if @id is unknown. If @value is refused, @error
 * is set and the old value is kept. The caller holds the lock that protects @settings. */
gboolean gst_mean_shift_palette_settings_set (GstMeanShiftPaletteSettings *
    settings, guint id, const GValue * value, GError ** error);
gboolean gst_mean_shift_palette_settings_get (const
    GstMeanShiftPaletteSettings * settings, guint id, GValue * value);

G_END_DECLS
