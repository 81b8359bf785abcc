/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What becomes of colours, and how a frame's pixels find it: one type for each
 * quality. Not for users of palette.h. */
#pragma once

#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteMapType GpuPaletteMapType;

/* Derived from by every type. */
typedef struct
{
  const GpuPaletteMapType *type;
} GpuPaletteMap;

struct _GpuPaletteMapType
{
  /* Takes kernels and memory of @device, which is not referenced, for frames of
   * @format, and what outlives a change of it from @old, which is freed; @old may be
   * NULL. NULL with @error set on failure. */
  GpuPaletteMap *(*create) (GpuDevice * device,
      const GpuPaletteFormat * format, GpuPaletteMap * old, GError ** error);
  void (*free) (GpuPaletteMap * map);

  /* Bytes of its buffers. */
  gsize (*get_memory) (GpuPaletteMap * map);

  /* Optional: makes what the first frame with @settings would make. */
  gboolean (*prepare) (GpuPaletteMap * map,
      const GpuPaletteSettings * settings, GError ** error);

  /* Records what brings the map to frame @in, its top colours where those are wanted, and
   * reports. May submit and wait.
   * What was known of earlier frames is used where context->revision and settings
   * are the same. On FALSE call forget(). */
  gboolean (*update) (GpuPaletteMap * map, GpuPaletteContext * context,
      const GpuFrame * in, GError ** error);

  /* Records what makes @out of @in, behind update(). */
  gboolean (*apply) (GpuPaletteMap * map, GpuPaletteContext * context,
      const GpuFrame * in, const GpuFrame * out, GError ** error);

  /* Nothing is known of earlier frames any more. */
  void (*forget) (GpuPaletteMap * map);

  /* Optional: of earlier frames only the colours that are counted are known any
   * more. */
  void (*forget_modes) (GpuPaletteMap * map);

  /* Optional: the report of the newest frame that is done, where that is known
   * later than it is recorded. Any thread. */
  void (*get_report) (GpuPaletteMap * map, GpuPaletteReport * report);
};

G_END_DECLS
