/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of quality EXACT, of one configuration: buffers by what they hold. Not for
 * users of palette.h. */
#pragma once

#include "gpu/palette/shared/arrays.h"
#include "shaders/palette/count/blocks.h"
#include "shaders/palette/exact/control.h"

G_BEGIN_DECLS

typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint max_colours;            /* that the pixels counted can have */
  guint room;                   /* colours that there is room to list */
  guint capacity;               /* the same, to walk from */
  guint max_table_bits;         /* of visited */

  GpuBuffer *control;
  GpuBuffer *readback;          /* of control */
  GpuBuffer *blocks;            /* struct PaletteBlocks */
  GpuBuffer *used;              /* bitmap of output colours */
  /* By rank: the place of a colour among those that occur, ascending. */
  GpuBuffer *list;              /* colours */
  GpuBuffer *weights;           /* of each; 0: attracts nothing */
  GpuBuffer *results;           /* output colours */
  /* Memory that is used again has another name then. */
  union
  {
    GpuBuffer *points;          /* of the lattice, two words */
    GpuBuffer *walker_places;   /* once these are in the grid: of walkers, in the table
                                   of cells, two words */
    GpuBuffer *fixed_points;    /* in the end: where walks come to, two words */
  };

  /* Of solvers that walk on the lattice; see take_walkers(). */
  union
  {
    GpuBuffer *point_places;    /* of points in their cells, a word */
    GpuBuffer *walkers;         /* then: lattice points, two words */
  };
  GpuBuffer *active;            /* list of walkers that are not done */
  GpuBuffer *visited;           /* set of lattice points */
  guint64 walker_memory;        /* bytes of these */
} GpuPaletteExactBuffers;

gboolean gpu_palette_exact_buffers_init (GpuPaletteExactBuffers * buffers, GpuDevice * device,
    guint n_pixels, GError ** error);
void gpu_palette_exact_buffers_clear (GpuPaletteExactBuffers * buffers);

/* From now on @n_pixels are counted at most. */
void gpu_palette_exact_buffers_set_pixels (GpuPaletteExactBuffers * buffers, guint n_pixels);

/* Colours to make room for when there are @n_colours, and to begin with, but
 * never more than pixels can have. */
#define GPU_PALETTE_LEAST_ROOM 65536
guint gpu_palette_exact_buffers_room_for (const GpuPaletteExactBuffers * buffers, guint n_colours);

/* Makes what is by rank anew, with room for @n_colours at least; what it held is
 * lost. On FALSE (OUT_OF_MEMORY, TOO_LARGE, LOST) all is as it was. */
gboolean gpu_palette_exact_buffers_grow (GpuPaletteExactBuffers * buffers, guint n_colours,
    GError ** error);

/* Memory for @n_colours that only solvers need that walk on the lattice, with
 * a set of 2^@table_bits visited points. Call drop_walkers() also after
 * failure. */
gboolean gpu_palette_exact_buffers_take_walkers (GpuPaletteExactBuffers * buffers,
    guint n_colours, guint table_bits, GError ** error);
void gpu_palette_exact_buffers_drop_walkers (GpuPaletteExactBuffers * buffers);

/* As a power of two, the words of buffers->visited that walks of @n_colours should
 * use, and the least that there can be. */
#define GPU_PALETTE_MIN_TABLE_BITS 22
guint gpu_palette_exact_buffers_table_bits (guint n_colours);

G_END_DECLS
