/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Quality EXACT, from the inside: counts colours, walks from each to its fixed point of mean
 * shift, and looks up the output colour of every pixel. Functions that record do so to
 * exact->stream, and keep their errors there (gpu_stream_check()). Internal to gpu/palette/. */
#pragma once

#include "gpu/core/compute/scan.h"
#include "gpu/palette/count/histogram.h"
#include "gpu/palette/map.h"
#include "gpu/palette/oklab.h"
#include "shaders.h"
#include "shaders/palette/exact/shared.h"

G_BEGIN_DECLS

extern const GpuPaletteMapType gpu_palette_exact;

/* Buffers, by the names of the shaders' blocks. A buffer that is reused has a name for each
 * use. */
typedef struct
{
  /* Not owned: of the frame in progress, and of the histogram. */
  GpuBuffer *input, *output;
  GpuBuffer *numbers;           /* colours of its pixels, as numbers */
  GpuBuffer *top;               /* GpuPaletteTopColours.list */
  GpuBuffer *counts, *presence;

  GPU_PALETTE_GROUP (owned,
    /* Of every map. */
    GpuBuffer *control;           /* CONTROL_WORDS words (shared.h) */
    GpuBuffer *readback;          /* host copy of control */
    GpuBuffer *blocks;            /* struct PaletteBlocks */
    GpuBuffer *ranks;             /* by word of presence: set bits before it */
    GpuBuffer *tables;            /* GpuPaletteTables, those of the results */
    GpuBuffer *used;              /* bitmap of output colours */

    /* By rank: the index of a colour in the list of present colours, which is in the order of
     * their numbers. With room for that many colours. */
    GpuBuffer *list;              /* colours */
    GpuBuffer *weights;           /* of the colours; 0: attracts nothing */
    GpuBuffer *results;           /* output colours */
    union
    {
      GpuBuffer *points;          /* lattice points, two words each */
      GpuBuffer *walker_places;   /* after points are in the grid: the cell of each
                                     walker of a round, and its index there */
      GpuBuffer *fixed_points;    /* at the end: fixed points, two words each */
    };

    GPU_PALETTE_GROUP (of_walks,
      /* Of walks, with room for capacity colours. The grid: */
      union
      {
        GpuBuffer *point_places;    /* index of each point in its cell, a word each */
        GpuBuffer *walkers;         /* afterwards: lattice points, two words each */
      };
      union
      {
        GpuBuffer *starts;          /* by cell: index of its first point in sorted */
        GpuBuffer *marks;           /* before: bitmap of cells around changed colours */
      };
      GpuBuffer *sorted;            /* points in the order of cells */
      GpuBuffer *sorted_weights;    /* of the sorted points */
      GpuBuffer *origins;           /* ranks of the sorted points */
      GpuBuffer *totals;            /* sums of blocks of points */
      GpuBuffer *sums_n, *sums_x, *sums_y, *sums_z; /* prefix sums, each point included: of
                                                       weights, L, a, b */
      GpuBuffer *entries;           /* table of gpu_palette_list_entries() */
      /* Rounds: */
      GpuBuffer *active_walkers;    /* list of walkers that have not stopped */
      GpuBuffer *visited;           /* set of visited lattice points (visited.glsl) */
      GpuBuffer *successors;        /* by slot of a visited point (successors.glsl) */
      GpuBuffer *walker_successors; /* by walker (successors.glsl) */
      GpuBuffer *in_order;          /* walkers in the order of cells */
      union
      {
        GpuBuffer *groups;          /* by group: cell and number of walkers, and the first
                                       of them in in_order */
        GpuBuffer *fixed_point_table;       /* at the end: hash table (paint.comp) */
      };
      GpuBuffer *cell_walkers;      /* by cell, in the order of cubes.glsl: number of its
                                       walkers */
      GpuBuffer *firsts;            /* by block of cells: HAS_WALKERS, then the index of its
                                       first walker in in_order */
      /* Colours of the last solve: */
      GpuBuffer *kept_list, *kept_weights;
    );

    /* Of top colours. */
    GpuBuffer *used_before;       /* by word of used: output colours before it */
    GpuBuffer *bests;             /* TopOfGroup, by group */
    GpuBuffer *pixels;            /* of each output colour, by index */
  );
} GpuPaletteExactBuffers;

/* Struct of shaders/palette/exact/grid.glsl. */
typedef struct GridCells GpuPaletteGridCells;

/* Kernels of one of the two shaders that walk, walk.comp and walk_lanes.comp. Both compute
 * the same in the same buffers, so that one can continue where the other stopped. Work is
 * counted in units of TESTS_PER_UNIT tests; a list counts as list_units. */
typedef struct
{
  GpuKernel *kernels[2][2];     /* [is_weighted][keeps_successors]: whether weights
                                   other than 1 occur; whether successors are known
                                   from earlier frames */
  guint list_units;             /* units of a list */
  guint walkers;                /* most walkers in a group */
} GpuPaletteWalkKernels;

/* What a frame is solved with. */
typedef struct
{
  guint n;                      /* number of colours; 0 until it is read back */
  guint shift;                  /* log2 of lattice units to a unit of Oklab */
  guint radius_squared;         /* in squared lattice units */
  guint table_bits;             /* log2 of the words of the set of visited points */
  gboolean keeps_successors;    /* the set and known successors of earlier frames are
                                   used */
  guint n_left;                 /* colours that are not done, as far as known; for
                                   progress */
  GpuPaletteBox box;            /* of the lattice points */
  GpuPaletteGridCells cells;
  guint n_entries, n_inside;    /* of buffers.entries */
  guint32 control[CONTROL_WORDS];       /* as last read back */
} GpuPaletteSolve;

typedef struct
{
  GpuPaletteMap parent;
  GpuDevice *device;            /* not referenced */
  guint width, height;
  GpuPaletteHistogram histogram;
  GpuPaletteExactBuffers buffers;
  struct
  {
    GpuKernel *list, *apply, *lattice;
    /* Requested with the first frame. */
    GpuKernel *bin, *sort, *sum_blocks, *sum_points;
    GpuKernel *seed, *round, *enter, *group, *order, *empty, *follow;
    GpuKernel *paint, *compare, *invalidate;
    GpuPaletteWalkKernels walks[GPU_PALETTE_WALK_LANES + 1];    /* by kind; each requested
                                                                   on first use */
    /* Requested when top colours are first wanted. */
    GpuKernel *count_bits, *count_outputs, *list_groups, *list_outputs;
  } kernels;
  GpuScan *scan, *top_scan;     /* of starts, of used_before; NULL until first used */

  /* --- room --- */
  guint max_colours;            /* most distinct colours of the counted pixels */
  guint room;                   /* colours that the buffers by rank have room for */
  guint capacity;               /* colours that the buffers of walks have room for */
  guint max_table_bits;         /* log2 of the words of visited */
  guint wanted_table_bits;      /* that were requested; memory may allow less */

  /* --- the list of colours --- */
  GpuPaletteWeighting weighting;        /* of the colours in the list */
  guint least;                  /* least frequency of the list */
  gboolean recount;             /* count the next frame anew, as that is cheaper, if
                                   it is the only one in the window */
  GpuPaletteBox box;            /* of the points that were last converted */

  /* --- results --- */
  gboolean is_solved;           /* they are valid for the members below */
  GpuPaletteMaking solved;
  guint solved_revision;
  guint solved_n;               /* number of colours */
  guint output_colours, fixed_points;
  guint64 n_solves;             /* solves so far */
  guint64 ranked;               /* n_solves for which buffers.used_before is valid; 0: none */

  /* --- colours and successors of earlier frames --- */
  struct
  {
    guint n;                    /* number of kept colours; 0: none */
    gboolean is_compared;       /* the frame in progress is compared with them */
    /* Whether the set of visited points and their successors are valid for the kept
     * colours, and with which parameters. */
    gboolean has_successors;
    guint revision, shift, radius_squared, table_bits;
    gdouble chroma;
  } kept;

  /* --- walks (walk.c) --- */
  struct
  {
    /* By device. */
    guint few;                  /* up to this many walkers in a round are a group each */
    guint max_walkers;          /* walkers in a round */
    guint max_tests;            /* tests of a group in a round, about */
    guint max_rounds;           /* rounds in a submission */
    /* For the frame in progress. */
    GpuPaletteWalkKind kind;
    gboolean is_sharing;        /* walks share visited points */
    /* For the submission in progress. */
    guint max_groups;           /* groups in a dispatch */
    guint max_dispatch_units;   /* units of a dispatch after which no group begins */
    guint max_units;            /* units of the submission after which no round begins */
    gboolean had_long_lists;    /* lists of the last frame were too long for
                                   walk_lanes.comp */
  } walk;

  /* --- the frame in progress --- */
  GpuPaletteContext *context;
  GpuStream *stream;            /* that of the context */
  GpuPaletteSolve solve;
} GpuPaletteExact;

/* --- exact.c --- */

/* Records the counting of frame @in as the newest of the window, and the list of present
 * colours. FALSE with @error set on failure. */
gboolean gpu_palette_exact_count (GpuPaletteExact * exact, GpuPaletteContext * context,
    const GpuFrame * in, GError ** error);

/* Waits for the list, reads the control buffer back, sets solve.n, and decides whether the
 * next frame is counted anew; if this is not called, it is counted by difference. FALSE with
 * @error set on failure. */
gboolean gpu_palette_exact_read_count (GpuPaletteExact * exact, GError ** error);

/* Submits, waits, begins a new recording, copies the control buffer to solve.control, and
 * reports progress. FALSE with @error set on failure. */
gboolean gpu_palette_exact_read_control (GpuPaletteExact * exact, GError ** error);

/* Sets solve.shift and solve.radius_squared, and records the conversion of the listed
 * colours, as far as there is room, to buffers.points, with their box in the control
 * buffer. Call it before the number of colours is read. Without @always, the conversion
 * is skipped on the device if no count changed. */
void gpu_palette_exact_convert (GpuPaletteExact * exact, gboolean always);

/* Sets solve.box. Call it after the control buffer is read back. */
void gpu_palette_exact_read_box (GpuPaletteExact * exact);

/* --- room.c --- */

/* Makes the buffers that every map has. On FALSE with @error set (OUT_OF_MEMORY, TOO_LARGE,
 * LOST) some may be there. */
gboolean gpu_palette_exact_make_buffers (GpuPaletteExact * exact, GError ** error);

/* Returns for how many colours to make room if there are @n_colours: for some more, at
 * least GPU_PALETTE_LEAST_ROOM, but no more than max_colours. */
#define GPU_PALETTE_LEAST_ROOM 65536
guint gpu_palette_exact_room_for (const GpuPaletteExact * exact, guint n_colours);

/* Replaces the buffers by rank with ones that have room for @n_colours at least; their
 * contents are lost. On FALSE (OUT_OF_MEMORY, TOO_LARGE, LOST) the old buffers stay. */
gboolean gpu_palette_exact_grow (GpuPaletteExact * exact, guint n_colours,
    GError ** error);

/* Makes room for walks from the colours of this frame in solve.cells, if there is too little;
 * what was kept of earlier frames is then lost. If memory is short, the set of visited points
 * is made smaller. Sets solve.table_bits. On FALSE (errors as above) there is no room. */
gboolean gpu_palette_exact_take_walks (GpuPaletteExact * exact, GError ** error);

/* Frees the buffers of walks. */
void gpu_palette_exact_drop_walks (GpuPaletteExact * exact);

/* Returns the size in bytes of the buffers of walks, and of all. */
gsize gpu_palette_exact_get_walks_memory (const GpuPaletteExact * exact);
gsize gpu_palette_exact_get_memory (const GpuPaletteExact * exact);

/* --- grid.c: lattice points sorted into a grid of cells, with prefix sums --- */

/* Sets solve.cells for the box and radius. @are_cubes: with equal sides, as walk_lanes.comp
 * requires; otherwise they may be shorter along L. */
void gpu_palette_grid_choose (GpuPaletteExact * exact, gboolean are_cubes);

/* Returns the words of buffers.starts for @cells: the end of the last cell is one. */
guint gpu_palette_grid_starts (const GpuPaletteGridCells * cells);

/* Returns the most cells that frames of this size may have. */
guint gpu_palette_grid_max_cells (const GpuPaletteExact * exact);

/* Least room for cells. */
#define GPU_PALETTE_MIN_CELLS (1u << 20)

/* Returns the words of buffers.totals for @n points. */
gsize gpu_palette_grid_totals (gsize n);

/* Records the sorting of solve.n points into solve.cells, for which there must be room, and
 * their prefix sums. */
void gpu_palette_grid_record (GpuPaletteExact * exact);

/* Returns cells that cover @box, for balls of @radius_squared (squared lattice units).
 * Their side does not depend on the box: it is chosen such that the whole @gamut, in
 * lattice units as well, has at most @max_cells, if possible. @cell_shift: as in
 * GpuPaletteTuning. */
GpuPaletteGridCells gpu_palette_choose_cells (guint radius_squared,
    const GpuPaletteBox * box, const GpuPaletteGamut * gamut, guint cell_shift,
    guint max_cells);

/* Returns @cells, made shorter along L as far as their number stays within
 * @max_cells. */
GpuPaletteGridCells gpu_palette_shorten_cells (const GpuPaletteGridCells * cells,
    const GpuPaletteBox * box, const GpuPaletteGamut * gamut, guint max_cells);

#define GPU_PALETTE_MAX_ENTRIES 4096

/* Lists runs of cells along L around a cell, for balls around any place of that cell:
 * first the @n_inside runs that lie wholly inside every such ball, then those that may
 * cross its surface. Returns the number of @entries, which has room for
 * GPU_PALETTE_MAX_ENTRIES. An entry has the offsets in a, in b, and of the first and
 * last cell along L, each plus 16 in five bits, then one bit for inside. */
guint gpu_palette_list_entries (guint radius_squared, guint cell_shift,
    guint32 * entries, guint * n_inside);

/* --- walk.c: moves walkers to their fixed points in rounds. In each round walkers are grouped
 * by cell, and each group makes mean shift steps. The way of a point is the sequence of
 * its successors up to a fixed point. Walks that come to the same lattice point share
 * the rest of their way. --- */

/* Requests the kernels for walks of @kind, which must not be 0, and sets the members of
 * @kernels. Errors: OUT_OF_MEMORY, LOST. */
gboolean gpu_palette_walk_kernels_init (GpuPaletteWalkKernels * kernels,
    GpuDevice * device, GpuPaletteWalkKind kind, GError ** error);

/* Sets the bounds of rounds, and requests the kernels of the kind that is faster on the
 * device. FALSE with @error set on failure. */
gboolean gpu_palette_walk_init (GpuPaletteExact * exact, GError ** error);

/* Returns whether walks begin with walk_lanes.comp, which requires cells with equal
 * sides. */
gboolean gpu_palette_walk_wants_cubes (const GpuPaletteExact * exact);

/* Returns the number of blocks of @cells, as in cubes.glsl. */
guint gpu_palette_walk_count_blocks (const GpuPaletteGridCells * cells);

/* Moves walkers from all points of the grid until all have stopped. Records, submits and
 * waits. With solve.keeps_successors, a walker follows successors known from earlier
 * frames, and stops if its way is known to the end or another walker continues it. FALSE
 * with @error set on failure; TOO_LARGE: a CPU device cannot compute a step. */
gboolean gpu_palette_walk_solve (GpuPaletteExact * exact, GError ** error);

/* Records, after gpu_palette_walk_solve(), the following of successors to
 * buffers.fixed_points, by rank. As long as the control buffer has CONTROL_ON_THE_WAY,
 * not all fixed points are reached: call it again with @is_begun. buffers.groups may be
 * overwritten in between. */
void gpu_palette_walk_follow (GpuPaletteExact * exact, gboolean is_begun);

/* --- topoutputs.c: the output colours with the most pixels --- */

/* Makes the kernels and buffers, if they are not there. FALSE with @error set on failure. */
gboolean gpu_palette_top_outputs_init (GpuPaletteExact * exact, GError ** error);

/* Records the update of context->top for the frame that was counted last, which has
 * @n_colours output colours. @are_same: every pixel is known to have the output colour that it
 * had in the frame before. FALSE with @error set on failure. */
gboolean gpu_palette_top_outputs_record (GpuPaletteExact * exact, guint n_colours,
    gboolean are_same, GError ** error);

G_END_DECLS
