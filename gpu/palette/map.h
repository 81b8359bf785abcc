/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A map assigns an output colour to each input colour, and applies that to the pixels
 * of a frame. Each quality has its own type of map. Internal to gpu/palette/. */
#pragma once

#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteMapType GpuPaletteMapType;

/* Base struct: the first member of the struct of every map type. */
typedef struct
{
  const GpuPaletteMapType *type;
} GpuPaletteMap;

struct _GpuPaletteMapType
{
  /* Returns a map with the kernels and buffers for frames of @format. @device is not
   * referenced. @old: a map for another format, or NULL; the new map takes over the
   * state that does not depend on the format, and @old is freed. NULL with @error set
   * on failure. */
  GpuPaletteMap *(*create) (GpuDevice * device,
      const GpuPaletteFormat * format, GpuPaletteMap * old, GError ** error);
  void (*free) (GpuPaletteMap * map);

  /* Returns the size of its buffers in bytes. */
  gsize (*get_memory) (GpuPaletteMap * map);

  /* Optional: makes the kernels and buffers that the first frame with @settings would
   * make. FALSE with @error set on failure. */
  gboolean (*prepare) (GpuPaletteMap * map,
      const GpuPaletteSettings * settings, GError ** error);

  /* Records the update of the map for frame @in, the conversion of @in to @out by it, and the
   * update of the top colours if context->settings ask for them; fills context->report. May
   * submit and wait. Reuses results of earlier frames if context->revision and the settings
   * are unchanged. After FALSE, with @error set, the caller calls forget(). */
  gboolean (*record) (GpuPaletteMap * map, GpuPaletteContext * context,
      const GpuFrame * in, const GpuFrame * out, GError ** error);

  /* Discards all state of earlier frames. */
  void (*forget) (GpuPaletteMap * map);

  /* Optional: discards all state of earlier frames except their colour counts. */
  void (*forget_modes) (GpuPaletteMap * map);

  /* Optional, for maps whose results are not known when a frame is recorded: updates
   * @report from the newest frame that is done. @tuning: that of the frames. Any thread. */
  void (*get_report) (GpuPaletteMap * map, const GpuPaletteTuning * tuning,
      GpuPaletteReport * report);
};

G_END_DECLS
