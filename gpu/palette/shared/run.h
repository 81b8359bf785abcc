/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame's work on its way to the device, in short pieces. Not for users of
 * palette.h. */
#pragma once

#include "rows.h"
#include "gpu/palette/oklab.h"
#include "gpu/palette/report.h"
#include "gpu/palette/settings.h"
#include "gpu/palette/tuning.h"

#include <sys/types.h>          /* uint, as in GLSL */

G_BEGIN_DECLS

typedef struct _GpuPaletteTopColours GpuPaletteTopColours;

/* Items of indirect dispatches: how many there are at most, how many one dispatch takes,
 * and how many ns one of them takes on two cores of a CPU. */
typedef struct
{
  guint most, slice, ns;
  guint bound;                  /* as many as it is paced for */
  gconstpointer key;            /* what dispatches take is known by; NULL: they
                                   teach nothing */
  gboolean is_by_data;          /* see GpuCost */
  GpuPaletteRows rows;          /* that they are of; zeroed: none */
} GpuPaletteItems;

/* Where a device wrote how many workgroups each slice has, three words each. */
typedef struct
{
  GpuBuffer *buffer;
  gsize offset;                 /* bytes */
} GpuPaletteGroups;

/* One frame's work on its way: what was asked for, and what of it goes into
 * one submission. */
typedef struct
{
  GpuStream *stream;            /* recording */
  const GpuPaletteSettings *settings;
  const GpuPaletteTuning *tuning;
  const GpuPaletteTables *tables;
  guint revision;               /* of tuning and tables */
  GpuPaletteReport *report;
  guint64 first_serial;         /* of the stream, before the frame */
  GpuPaletteProgress progress;  /* may be NULL */
  gpointer progress_data;
  guint n_colours;              /* of these */
  guint n_left;                 /* of which not done, as far as is known; 0: there is
                                   no progress to tell */
  GpuPaletteTopColours *top;     /* NULL until it was wanted */
} GpuPaletteRun;

/* Whether colours may weigh anything but 1. */
gboolean gpu_palette_run_is_weighted (const GpuPaletteRun * run);

/* The stream's pacer keeps dispatches and submissions short. What it is told
 * that items take, at first, is in ns on two cores of a CPU that have nothing
 * else to do; other devices are taken to be so many times as fast. */

/* gpu_stream_pace(), which says in the report when it submits. */
gboolean gpu_palette_run_pace (GpuPaletteRun * run, const GpuCost * cost,
    guint64 units, GError ** error);

/* Records @dispatch over items 0…@n-1, 256 to a workgroup, of @ns each at first, in
 * short slices, and submits where that becomes too much. The first two words of its
 * push constants become the slice's first item, a multiple of 256, and end. */
gboolean gpu_palette_run_sliced (GpuPaletteRun * run,
    const GpuDispatch * dispatch, guint n, guint ns, GError ** error);

/* The same, of items that look at @rows; the third word becomes the first row of
 * what is bound of these. */
gboolean gpu_palette_run_over_rows (GpuPaletteRun * run,
    const GpuDispatch * dispatch, const GpuPaletteRows * rows, guint n,
    guint ns, GError ** error);

/* Whether @rows of @buffers, by binding, have to be bound in parts. */
gboolean gpu_palette_run_takes_parts (const GpuPaletteRun * run,
    const GpuPaletteRows * rows, GpuBuffer * const *buffers);

/* Records one workgroup of @dispatch, which goes over @n items or so, of @ns each at
 * first. */
gboolean gpu_palette_run_alone (GpuPaletteRun * run,
    const GpuDispatch * dispatch, guint64 n, guint ns, GError ** error);

/* Sets @items->slice by the rest of it. */
void gpu_palette_run_choose_slice (GpuPaletteRun * run,
    GpuPaletteItems * items);

/* As gpu_palette_run_sliced(), or gpu_palette_run_over_rows() if items are of any,
 * where only the device knows how many items there are: each slice's workgroups are
 * read from @groups. */
gboolean gpu_palette_run_indirect (GpuPaletteRun * run,
    const GpuDispatch * dispatch, const GpuPaletteItems * items,
    GpuPaletteGroups groups, GError ** error);

/* The same for zeros, or any @word, in the first @size bytes of @buffer. */
gboolean gpu_palette_run_clear (GpuPaletteRun * run, GpuBuffer * buffer,
    gsize size, GError ** error);
gboolean gpu_palette_run_fill (GpuPaletteRun * run, GpuBuffer * buffer,
    gsize size, guint32 word, GError ** error);

/* Colours that a thread turns into points: several where what subgroups do
 * together is done for one lane after the other. */
guint gpu_palette_run_converted (GpuDevice * device);

/* Submits, waits, and begins anew. */
gboolean gpu_palette_run_submit (GpuPaletteRun * run, GError ** error);

G_END_DECLS
