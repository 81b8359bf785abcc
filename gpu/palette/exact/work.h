/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of the palette engine share. Not for users of palette.h. */
#pragma once

#include "gpu/palette/shared/arrays.h"
#include "gpu/palette/count/histogram.h"
#include "gpu/palette/shared/context.h"
#include "shaders/palette/exact/control.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteWork GpuPaletteWork;

/* Memory of one configuration, by what it holds. */
struct _GpuPaletteWork
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
};

/* A frame's work as the map by colour knows it. */
typedef struct
{
  GpuPaletteContext *context;       /* what every map knows of it */
  GpuPaletteWork *work;
  guint n;                      /* colours; 0 where nothing was read back */
  guint shift;                  /* of the lattice */
  guint radius_squared;         /* lattice units */
  guint table_bits;             /* of the set of visited points */
  gboolean keeps_successors;    /* and what of them is known stays */
  guint n_left;                 /* colours that are not done, as far as is known */
  GpuPaletteBox box;            /* of the lattice points */
  GpuSlicerItems colours;
  guint32 control[CONTROL_WORDS];       /* as last read back */
} GpuPaletteSolve;

gboolean gpu_palette_work_init (GpuPaletteWork * work, GpuDevice * device,
    guint n_pixels, GError ** error);
void gpu_palette_work_clear (GpuPaletteWork * work);

/* From now on @n_pixels are counted at most. */
void gpu_palette_work_set_pixels (GpuPaletteWork * work, guint n_pixels);

/* Colours to make room for when there are @n_colours, and to begin with, but
 * never more than pixels can have. */
#define GPU_PALETTE_LEAST_ROOM 65536
guint gpu_palette_work_room_for (const GpuPaletteWork * work, guint n_colours);

/* Makes what is by rank anew, with room for @n_colours at least; what it held is
 * lost. On FALSE (OUT_OF_MEMORY, TOO_LARGE, LOST) all is as it was. */
gboolean gpu_palette_work_grow (GpuPaletteWork * work, guint n_colours,
    GError ** error);

/* Memory for @n_colours that only solvers need that walk on the lattice, with
 * a set of 2^@table_bits visited points. Call drop_walkers() also after
 * failure. */
gboolean gpu_palette_work_take_walkers (GpuPaletteWork * work,
    guint n_colours, guint table_bits, GError ** error);
void gpu_palette_work_drop_walkers (GpuPaletteWork * work);

/* As a power of two, the words of work->visited that walks of @n_colours should
 * use, and the least that there can be. */
#define GPU_PALETTE_MIN_TABLE_BITS 22
guint gpu_palette_work_table_bits (guint n_colours);

/* Records @dispatch, whose kernel takes colours by rank, over those that are listed,
 * or, without @always, only where a count changed. */
gboolean gpu_palette_solve_over_colours (GpuPaletteSolve * solve,
    const GpuDispatch * dispatch, gboolean always, GError ** error);

/* Submits, waits and begins anew, with the control buffer copied into solve->control,
 * and tells who listens how many colours are left; 0 of them tells nothing. */
gboolean gpu_palette_solve_read_control (GpuPaletteSolve * solve, GError ** error);

guint64 gpu_palette_solve_get_wide (const GpuPaletteSolve * solve, guint word);

G_END_DECLS
