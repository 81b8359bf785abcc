/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers of quality EXACT for one configuration. Internal to gpu/palette/. */
#pragma once

#include "gpu/palette/shared/arrays.h"
#include "shaders/palette/count/blocks.h"
#include "shaders/palette/exact/control.h"

G_BEGIN_DECLS

typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint max_colours;            /* most distinct colours of the counted pixels */
  guint room;                   /* colours that the buffers by rank have room for */
  guint capacity;               /* colours that the buffers of walkers have room for */
  guint max_table_bits;         /* log2 of the words of visited */

  GpuBuffer *control;           /* CONTROL_WORDS words (control.h) */
  GpuBuffer *readback;          /* host copy of control */
  GpuBuffer *blocks;            /* struct PaletteBlocks */
  GpuBuffer *used;              /* bitmap of output colours */
  /* By rank: the index of a colour in the list of present colours, which is in the
   * order of their numbers. */
  GpuBuffer *list;              /* colours */
  GpuBuffer *weights;           /* of the colours; 0: attracts nothing */
  GpuBuffer *results;           /* output colours */
  /* A buffer that is reused has a name for each use. */
  union
  {
    GpuBuffer *points;          /* lattice points, two words each */
    GpuBuffer *walker_places;   /* after points are in the grid: the cell of each
                                   walker of a round, and its index there */
    GpuBuffer *fixed_points;    /* at the end: fixed points, two words each */
  };

  /* Only with solvers that walk on the lattice; see take_walkers(). */
  union
  {
    GpuBuffer *point_places;    /* index of each point in its cell, a word each */
    GpuBuffer *walkers;         /* afterwards: lattice points, two words each */
  };
  GpuBuffer *active;            /* list of walkers that have not stopped */
  GpuBuffer *visited;           /* set of visited lattice points (visited.glsl) */
  guint64 walker_memory;        /* size of these buffers in bytes */
} GpuPaletteExactBuffers;

/* Initializes zeroed @buffers for @n_pixels counted pixels. @device is not referenced.
 * FALSE with @error set on failure; call gpu_palette_exact_buffers_clear() in either
 * case. */
gboolean gpu_palette_exact_buffers_init (GpuPaletteExactBuffers * buffers, GpuDevice * device,
    guint n_pixels, GError ** error);
void gpu_palette_exact_buffers_clear (GpuPaletteExactBuffers * buffers);

/* Sets the most pixels that are counted. Does not change the buffers. */
void gpu_palette_exact_buffers_set_pixels (GpuPaletteExactBuffers * buffers, guint n_pixels);

/* Returns for how many colours to make room if there are @n_colours: for some more, at
 * least GPU_PALETTE_LEAST_ROOM, but no more than max_colours. */
#define GPU_PALETTE_LEAST_ROOM 65536
guint gpu_palette_exact_buffers_room_for (const GpuPaletteExactBuffers * buffers, guint n_colours);

/* Replaces the buffers by rank with ones that have room for @n_colours at least; their
 * contents are lost. On FALSE (OUT_OF_MEMORY, TOO_LARGE, LOST) the old buffers stay. */
gboolean gpu_palette_exact_buffers_grow (GpuPaletteExactBuffers * buffers, guint n_colours,
    GError ** error);

/* Makes the buffers of walkers for @n_colours, with a set of visited points of
 * 2^@table_bits words. FALSE with @error set on failure; call drop_walkers() in either
 * case. */
gboolean gpu_palette_exact_buffers_take_walkers (GpuPaletteExactBuffers * buffers,
    guint n_colours, guint table_bits, GError ** error);
void gpu_palette_exact_buffers_drop_walkers (GpuPaletteExactBuffers * buffers);

/* Returns log2 of the words of buffers->visited that walks of @n_colours should use, at
 * least GPU_PALETTE_MIN_TABLE_BITS. */
#define GPU_PALETTE_MIN_TABLE_BITS 22
guint gpu_palette_exact_buffers_table_bits (guint n_colours);

G_END_DECLS
