/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of the palette engine share. Not for users of palette.h. */
#pragma once

#include "tuning.h"
#include "shaders/palette/shared.h"

#include <stddef.h>
#include <sys/types.h>          /* uint, as in GLSL */
#include "shaders/palette/blocks.h"

G_BEGIN_DECLS

/* Of a transfer function: the light of each code, and the least light of each
 * code, with 30 fractional bits. */
typedef struct
{
  guint32 lights[256], thresholds[256];
} GpuPaletteTables;

/* What holds all lattice points: L, biased a and b. */
typedef struct
{
  guint32 low[3], high[3];
} GpuPaletteBox;

/* What the device alone knows the number of: at most, in one dispatch, and what
 * one of them takes. */
typedef struct
{
  guint most, slice, ns;
} GpuPaletteItems;

/* An array of words on the device, to be made. */
typedef struct
{
  GpuBuffer **buffer;
  gsize words;
  const gchar *name;
} GpuPaletteArray;

/* Makes all of them, and adds their bytes to @memory, which may be NULL. On
 * FALSE those that were made stay. */
gboolean gpu_palette_make_arrays (GpuDevice * device,
    const GpuPaletteArray * arrays, guint n, guint64 * memory,
    GError ** error);

/* Memory of one configuration, by what it holds. */
typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint n_pixels;
  guint max_colours;            /* that pixels can have */
  guint room;                   /* colours that there is room to list */
  guint capacity;               /* the same, to walk from */
  guint max_table_bits;         /* of visited */
  guint speed;                  /* times as fast as two cores of a CPU */

  GpuBuffer *control;
  GpuBuffer *readback;          /* of control */
  GpuBuffer *blocks;            /* struct PaletteBlocks */
  /* By rank: the place of a colour among those that occur, ascending. */
  GpuBuffer *list;              /* colours */
  GpuBuffer *weights;           /* pixels of each */
  GpuBuffer *results;           /* output colours */
  GpuBuffer *points;            /* the lattice's points, two words */

  /* Of solvers that walk on the lattice; see take_walkers(). */
  GpuBuffer *walkers;           /* lattice points, two words */
  GpuBuffer *active;            /* list of walkers that are not done */
  GpuBuffer *visited;           /* set of lattice points */
  guint64 walker_memory;        /* bytes of these */
} GpuPaletteWork;

/* One frame's work on its way: what was asked for, and what of it goes into
 * one submission. */
typedef struct
{
  GpuPaletteWork *work;
  GpuStream *stream;            /* recording */
  const GpuPaletteSettings *settings;
  const GpuPaletteTuning *tuning;
  const GpuPaletteTables *tables;
  GpuPaletteReport *report;
  guint64 first_serial;         /* of the stream, before the frame */

  guint n;                      /* colours; 0 where nothing was read back */
  guint shift;                  /* of the lattice */
  guint radius_squared;         /* lattice units */
  guint table_bits;             /* of the set of visited points */
  GpuPaletteBox box;            /* of the lattice points */
  GpuPaletteItems words, colours;       /* of blocks with colours, and these */
  guint32 control[CONTROL_WORDS];   /* as last read back */
} GpuPaletteRun;

gboolean gpu_palette_work_init (GpuPaletteWork * work, GpuDevice * device,
    guint n_pixels, GError ** error);
void gpu_palette_work_clear (GpuPaletteWork * work);

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

/* Colours that a thread turns into points: several where what subgroups do
 * together is done for one lane after the other. */
guint gpu_palette_work_converted (const GpuPaletteWork * work);

/* As a power of two, the words of work->visited that walks of @n_colours should
 * use, and the least that there can be. */
#define GPU_PALETTE_MIN_TABLE_BITS 22
guint gpu_palette_work_table_bits (guint n_colours);

/* The stream's pacer keeps dispatches and submissions short. What it is told
 * that items take, at first, is in ns on two cores of a CPU that have nothing
 * else to do; other devices are taken to be so many times as fast. */

/* gpu_stream_pace(), which says in the report when it submits. */
gboolean gpu_palette_run_pace (GpuPaletteRun * run, const GpuCost * cost,
    guint64 units, GError ** error);

/* Records @kernel over items 0…@n-1, 256 to a workgroup, of @ns each at first,
 * in short slices, and submits where that becomes too much. The first two words
 * of @push receive the slice's first item, a multiple of 256, and end. */
gboolean gpu_palette_run_sliced (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint32 * push,
    gsize push_size, guint n, guint ns, GError ** error);

/* Where a member of work->blocks is. */
#define GPU_PALETTE_BLOCKS_AT(member) \
    offsetof (struct PaletteBlocks, member)

/* Slices for @most items of @ns each at most. */
GpuPaletteItems gpu_palette_run_choose_slices (GpuPaletteRun * run, guint most,
    guint ns);

/* As gpu_palette_run_sliced(), where only the device knows how many items there
 * are: each slice's workgroups are read from work->blocks, from offset
 * @groups_at on. Paced as if there were @bound of them, or all. */
gboolean gpu_palette_run_indirect (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint32 * push,
    gsize push_size, const GpuPaletteItems * items, guint bound,
    gsize groups_at, GError ** error);

/* The same for zeros in the first @size bytes of @buffer. */
gboolean gpu_palette_run_clear (GpuPaletteRun * run, GpuBuffer * buffer,
    gsize size, GError ** error);

/* Submits, waits, and begins anew. */
gboolean gpu_palette_run_submit (GpuPaletteRun * run, GError ** error);

/* The same, with the control buffer copied into run->control. */
gboolean gpu_palette_run_read_control (GpuPaletteRun * run, GError ** error);

guint64 gpu_palette_run_get_wide (const GpuPaletteRun * run, guint word);

G_END_DECLS
