/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What both types of map share: their interface, the frame in progress, buffers, and the list
 * of top colours. Internal to gpu/palette/. */
#pragma once

#include "gpu/core/compute/readback.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/palette/format.h"
#include "gpu/palette/oklab.h"
#include "gpu/palette/report.h"
#include "gpu/palette/settings.h"
#include "gpu/palette/tuning.h"

#include <sys/types.h>          /* uint, as in GLSL */

G_BEGIN_DECLS

/* --- the frame in progress --- */

/* The list of the output colours with the most pixels, and its readback to the host. */
typedef struct
{
  GpuBuffer *list;              /* struct TopColours */
  GpuReadback *readback;
  gboolean is_taken;            /* the list for the last frame is recorded */
  gboolean was_taken;           /* the list is valid for the frame before, with the
                                   same map */
} GpuPaletteTopColours;

/* The frame in progress. */
typedef struct
{
  GpuSlicer slicer;             /* its stream is recording */
  const GpuPaletteSettings *settings;
  const GpuPaletteTuning *tuning;
  const GpuPaletteTables *tables;
  guint revision;               /* changes with tuning or the transfer function */
  GpuPaletteReport *report;
  GpuPaletteListener listener;
  GpuPaletteTopColours *top;    /* NULL until first used */
} GpuPaletteContext;

/* --- maps --- */

/* A map assigns an output colour to each input colour, and applies that to the pixels
 * of a frame. Each quality has its own type of map. */
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

/* --- buffers --- */

/* A device buffer to make. */
typedef struct
{
  GpuBuffer **buffer;           /* receives the buffer, in place of an older one or NULL */
  gsize words;                  /* size, in words of 4 bytes */
  const gchar *name;
  gboolean is_large;            /* always bound by rows (slicer.h): may exceed
                                   what the device can bind */
} GpuPaletteArray;

/* Makes the @n buffers of @arrays, and only then drops the older ones. The caller unrefs the
 * buffers. On FALSE, nothing has changed. Errors: those of gpu_buffer_new(). */
gboolean gpu_palette_make_arrays (GpuDevice * device,
    const GpuPaletteArray * arrays, guint n, GError ** error);

/* Declares members of a struct, all of them GpuBuffer *. Together they are also its member
 * @name, for GPU_PALETTE_BUFFERS_OF(). */
#define GPU_PALETTE_GROUP(name, ...) \
    union { struct { __VA_ARGS__ }; struct { __VA_ARGS__ } name; }

/* The dispatch of @kernel, one of @map's, with its buffers under the names in @BUFFERS, the
 * shader's list in shaders.h; then the push constants, if it has any. */
#define GPU_PALETTE_DISPATCH(map, kernel, BUFFERS, ...) \
    (GpuDispatch) {(map)->kernels.kernel, BUFFERS (&(map)->buffers), __VA_ARGS__}

/* The buffers of @group: two arguments, the address of the first one and their number. */
#define GPU_PALETTE_BUFFERS_OF(group) \
    (GpuBuffer **) &(group), sizeof (group) / sizeof (GpuBuffer *)

/* Drops the references to @n @buffers, of which any may be NULL, and sets them to NULL. */
void gpu_palette_clear_arrays (GpuBuffer ** buffers, guint n);

/* --- top colours --- */

/* Returns a list; free it with gpu_palette_top_colours_free(). NULL with @error set on
 * failure. */
GpuPaletteTopColours *gpu_palette_top_colours_new (GpuDevice * device, GError ** error);
void gpu_palette_top_colours_free (GpuPaletteTopColours * top);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_top_colours_get_memory (const GpuPaletteTopColours * top);

/* Begins a frame. @is_same_map: it has the same map as the frame before. */
void gpu_palette_top_colours_next (GpuPaletteTopColours * top,
    gboolean is_same_map);

/* Records a write of this frame's tag to the list. */
void gpu_palette_top_colours_begin (GpuPaletteTopColours * top, GpuPaletteContext * context);

/* Records the readback of the list, after it was written or if it is unchanged. */
void gpu_palette_top_colours_end (GpuPaletteTopColours * top, GpuPaletteContext * context);

/* Discards the lists of earlier frames. */
void gpu_palette_top_colours_forget (GpuPaletteTopColours * top);

/* Implements gpu_palette_get_modes(). */
gboolean gpu_palette_top_colours_get_modes (GpuPaletteTopColours * top,
    GpuPaletteMode * modes, guint * n, guint64 * tag);

G_END_DECLS
