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

/* As gst_gpu_properties_set() and gst_gpu_properties_get(). A palette that cannot be read is
 * refused with a warning, too. */
void gst_mean_shift_palette_settings_set (GstMeanShiftPaletteSettings *
    settings, GstElement * element, const GValue * value, GParamSpec * pspec);
void gst_mean_shift_palette_settings_get (const GstMeanShiftPaletteSettings *
    settings, GstElement * element, GValue * value, GParamSpec * pspec);

G_END_DECLS
