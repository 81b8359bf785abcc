/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of the palette engine share. Not for users of palette.h. */
#pragma once

#include "palette.h"

G_BEGIN_DECLS

/* Words of the control buffer; shaders/palette/control.glsl lists the same.
 * The host reads all of them back after a submission. */
enum
{
  GPU_PALETTE_CHANGED_PIXELS,
  GPU_PALETTE_SET_CHANGED,
  GPU_PALETTE_WEIGHTS_CHANGED,
  GPU_PALETTE_OUTPUT_COLOURS,
  GPU_PALETTE_ENDS,
  GPU_PALETTE_ACTIVE,           /* walkers in the two lists */
  GPU_PALETTE_ACTIVE_END = GPU_PALETTE_ACTIVE + 2,
  GPU_PALETTE_STEPS = GPU_PALETTE_ACTIVE_END,   /* low, high */
  GPU_PALETTE_TESTS = GPU_PALETTE_STEPS + 2,    /* low, high */
  GPU_PALETTE_COLOURS = GPU_PALETTE_TESTS + 2,
  GPU_PALETTE_GROUPS = 15,
  GPU_PALETTE_NEXT_GROUP,
  GPU_PALETTE_ROUNDS = 19,
  GPU_PALETTE_LOST,
  GPU_PALETTE_LISTS,
  GPU_PALETTE_LISTED,           /* low, high */
  GPU_PALETTE_WALKER_GROUPS = 24,       /* workgroups of dispatches */
  GPU_PALETTE_SLOT_GROUPS = 28,
  GPU_PALETTE_WALK_GROUPS = 32,
  GPU_PALETTE_COST = 37,        /* low, high; that of tests and lists */
  GPU_PALETTE_CONTROL_WORDS = 64,
};

/* What a dispatch is to take; it may take twice that and still be what is
 * promised. */
#define GPU_PALETTE_DISPATCH_NS 20000000

/* Memory of one configuration, by what it holds. */
typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint n_pixels;
  guint max_colours;
  guint max_table_bits;
  guint speed;                  /* times as fast as two cores of a CPU */

  GpuBuffer *control;
  GpuBuffer *readback;          /* of control */
  /* By rank: the place of a colour among those that occur, ascending. */
  GpuBuffer *list;              /* colours */
  GpuBuffer *weights;           /* pixels of each */
  GpuBuffer *points;            /* lattice points, two words */
  GpuBuffer *results;           /* output colours */
  /* By walker. */
  GpuBuffer *walkers;           /* lattice points, two words */
  GpuBuffer *active[2];         /* lists of walkers that are not done */
  GpuBuffer *visited;           /* set of lattice points */
} GpuPaletteWork;

/* One frame's work on its way: what was asked for, and what of it goes into
 * one submission. */
typedef struct
{
  GpuPaletteWork *work;
  GpuStream *stream;            /* recording */
  const GpuPaletteSettings *settings;
  GpuPaletteReport *report;

  guint n;                      /* colours */
  guint shift;                  /* of the lattice */
  guint radius_squared;         /* lattice units */
  guint table_bits;             /* of the set of visited points */
  guint64 recorded;             /* ns, as estimated, not yet submitted */
  guint32 control[GPU_PALETTE_CONTROL_WORDS];   /* as last read back */
} GpuPaletteRun;

gboolean gpu_palette_work_init (GpuPaletteWork * work, GpuDevice * device,
    guint n_pixels, GError ** error);
void gpu_palette_work_clear (GpuPaletteWork * work);

/* How much of work->visited, as a power of two of its words, walks of
 * @n_colours should use. */
guint gpu_palette_work_table_bits (const GpuPaletteWork * work,
    guint n_colours);

/* Dispatches and submissions are kept short by estimates of what they take.
 * All of them are in ns on two cores of a CPU that have nothing else to do;
 * other devices are taken to be so many times as fast. */

/* Call before recording work of @ns: submits what was recorded where both
 * together would take too long. */
gboolean gpu_palette_run_reserve (GpuPaletteRun * run, guint64 ns,
    GError ** error);

/* Records @kernel over items 0…@n-1, 256 to a workgroup, of @ns each, in
 * short slices, and submits where that becomes too much. The first two words
 * of @push receive the slice's first item, a multiple of 256, and end. */
gboolean gpu_palette_run_sliced (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint32 * push,
    gsize push_size, guint n, guint ns, GError ** error);

/* The same for zeros in the first @size bytes of @buffer. */
gboolean gpu_palette_run_clear (GpuPaletteRun * run, GpuBuffer * buffer,
    gsize size, GError ** error);

/* Submits, waits, and begins anew. */
gboolean gpu_palette_run_submit (GpuPaletteRun * run, GError ** error);

/* The same, with the control buffer copied into run->control. */
gboolean gpu_palette_run_read_control (GpuPaletteRun * run, GError ** error);

guint64 gpu_palette_run_get_wide (const GpuPaletteRun * run, guint word);

G_END_DECLS
