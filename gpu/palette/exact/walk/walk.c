/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "walk.h"
#include "shaders.h"
#include "shaders/palette/exact/walk/walk.h"

/* Least iteration limit with which walks share visited points. With fewer steps, sharing
 * costs more than it saves. */
#define MIN_SHARED_LIMIT 8

/* Most loop rounds of an invocation, as CPU devices leave loops after 65535 rounds:
 * - to gather a list in walk_lanes.comp, which takes five times as many in total;
 * - in a step of walk.comp; no step begins after an eighth of them;
 * - along a way between two steps: few, as a walker that has not reached the end of the
 *   way continues from there;
 * - along ways elsewhere. */
#define MAX_LIST_ROUNDS 12000
#define MAX_STEP_ROUNDS 56000
#define MAX_HOPS_BETWEEN_STEPS 256
#define MAX_HOPS 16384

/* Least room for blocks of cells: enough for the whole gamut if it has no more than 2^20
 * cells, the least room in grid.c. */
#define MIN_BLOCKS ((gsize) 5 << 14)

#define STAGE_ROUND "palette-round"
#define STAGE_WALK "palette-walk"

/* Bounds of the number of groups in a dispatch, whatever they cost. */
#define LEAST_GROUPS 2u
#define MOST_GROUPS (1u << 20)

/* Most units of a dispatch or a submission: sums of them fit into a word. */
#define MOST_UNITS (1u << 30)

/* On slow devices a dispatch has at most this many times the units of a first one. */
#define MOST_OF_FIRST 2

/* The pacer counts a unit as so many of its own: it is much work on a GPU, but not for a
 * CPU, which is fast where it needs no barriers. */
#define SLOW_UNIT_WEIGHT 4
#define UNIT_WEIGHT 256

/* --- building --- */

static gboolean
make_kernels (GpuPaletteWalk * walk, GpuPaletteExactBuffers * buffers,
    GError ** error)
{
  GpuDevice *device = buffers->device;
  const GpuKernelWanted kernels[] = {
    {&walk->seed, &gpu_shader_palette_seed},
    {&walk->round, &gpu_shader_palette_round},
    {&walk->enter, &gpu_shader_palette_enter},
    {&walk->group, &gpu_shader_palette_group},
    {&walk->order, &gpu_shader_palette_order},
    {&walk->empty, &gpu_shader_palette_empty},
    {&walk->follow, &gpu_shader_palette_follow},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error);
}

/* Sets the kind of kernels for walks, and makes them on first use. */
static gboolean
set_kind (GpuPaletteWalk * walk, GpuPaletteExactBuffers * buffers,
    GpuPaletteWalkKind kind, GError ** error)
{
  walk->kind = kind;
  return walk->kernels[kind].kernels[0][0]
      || gpu_palette_walk_kernels_init (&walk->kernels[kind], buffers, kind,
      error);
}

/* Returns the number of blocks of cells, as in cubes.glsl. */
static guint
count_blocks (const GpuPaletteGridCells * cells)
{
  guint n_l = ((cells->n_l - 1) >> (cells->shift - cells->shift_l)) + 1;

  return (n_l + 1) / 2 * ((cells->n_a + 1) / 2) * ((cells->n_b + 1) / 2);
}

gboolean
gpu_palette_walk_has_room (const GpuPaletteWalk * walk,
    const GpuPaletteGridCells * cells)
{
  return gpu_buffer_get_size (walk->firsts) >= count_blocks (cells) * (gsize) 4;
}

static gboolean
make_buffers (GpuPaletteWalk * walk, GpuPaletteExactBuffers * buffers,
    const GpuPaletteGridCells * cells, GError ** error)
{
  gsize n = buffers->capacity;
  /* With room for some more, as other frames may have more. */
  gsize blocks = MAX (count_blocks (cells) * (gsize) 9 / 8, MIN_BLOCKS);
  const GpuPaletteArray arrays[] = {
    {&walk->walker_successors, n, "palette ways"},
    {&walk->successors, (gsize) 1 << buffers->max_table_bits,
        "palette next points"},
    {&walk->in_order, n, "palette walkers by cell"},
    {&walk->groups, n * 2, "palette groups"},
    {&walk->cell_walkers, blocks * BLOCK_CELLS, "palette walkers of cells"},
    {&walk->firsts, blocks, "palette first walkers of blocks"},
  };

  return gpu_palette_make_arrays (buffers->device, arrays,
      G_N_ELEMENTS (arrays), &walk->memory, error);
}

/* Sets the bounds of rounds by device. CPU devices have few rounds in a submission, as
 * an empty round is expensive there. */
static void
set_bounds (GpuPaletteWalk * walk, GpuDeviceKind kind)
{
  switch (kind) {
    case GPU_DEVICE_CPU:
    case GPU_DEVICE_OTHER:
      walk->few = 2;
      walk->max_walkers = 1 << 17;
      walk->max_tests = 1 << 18;
      walk->max_rounds = 4;
      break;
    case GPU_DEVICE_INTEGRATED:
      walk->few = 64;
      walk->max_walkers = 1 << 21;
      walk->max_tests = 1 << 15;
      walk->max_rounds = 12;
      break;
    case GPU_DEVICE_DISCRETE:
    case GPU_DEVICE_VIRTUAL:
      walk->few = 8192;
      walk->max_walkers = 1 << 22;
      walk->max_tests = 1 << 17;
      walk->max_rounds = 6;
      break;
  }
}

gboolean
gpu_palette_walk_init (GpuPaletteWalk * walk, GpuPaletteExactBuffers * buffers,
    const GpuPaletteGridCells * cells, GError ** error)
{
  set_bounds (walk, gpu_device_get_info (buffers->device)->kind);
  return make_kernels (walk, buffers, error)
      && set_kind (walk, buffers,
      gpu_palette_walk_choose_kind (buffers->device), error)
      && make_buffers (walk, buffers, cells, error);
}

void
gpu_palette_walk_clear (GpuPaletteWalk * walk)
{
  GpuBuffer **all[] = {
    &walk->walker_successors, &walk->successors, &walk->in_order, &walk->groups,
    &walk->cell_walkers,
    &walk->firsts
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_clear_pointer (all[i], gpu_buffer_unref);
}

/* --- recording --- */

/* Records the clearing of visited points, unless they are kept, and of the walkers of
 * cells. Rounds leave the latter empty, but not if a run was aborted. */
static void
clear_tables (GpuPaletteWalk * walk, const GpuPaletteGridCells * cells,
    GpuPaletteSolve * solve, gboolean is_sharing)
{
  if (is_sharing && !solve->keeps_successors) {
    gpu_slicer_fill (&solve->context->slicer, solve->buffers->visited,
        (gsize) 4 << solve->table_bits, 0);
    gpu_slicer_fill (&solve->context->slicer, walk->successors,
        (gsize) 4 << solve->table_bits, NEXT_UNKNOWN);
  }
  gpu_slicer_fill (&solve->context->slicer, walk->cell_walkers,
      count_blocks (cells) * BLOCK_CELLS * (gsize) 4, 0);
  gpu_slicer_fill (&solve->context->slicer, walk->firsts,
      count_blocks (cells) * (gsize) 4, 0);
}

/* Returns @forced, the value of a test, or @otherwise if that is 0. */
static guint32
forced_or (guint32 forced, guint32 otherwise)
{
  return forced ? forced : otherwise;
}

static guint32
sharing_of (const GpuPaletteSolve * solve, gboolean is_sharing)
{
  return !is_sharing ? SHARES_NOTHING
      : solve->keeps_successors ? SHARES_KEPT : SHARES_FRAME;
}

static void
record_seeds (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, gboolean is_sharing)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  guint limit = solve->context->settings->making.iteration_limit;
  const GpuPaletteSeedPush push = {
    .table_bits = solve->table_bits,
    .sharing = sharing_of (solve, is_sharing),
    .limit = limit ? MIN (limit, ENDLESS) : ENDLESS,
    .max_hops = forced_or (solve->context->tuning->max_hops, MAX_HOPS),
  };
  const GpuDispatch seed = {
    .kernel = walk->seed,
    .buffers = {
      [PALETTE_SEED_CONTROL] = buffers->control,
      [PALETTE_SEED_SORTED] = grid->sorted,
      [PALETTE_SEED_WALKERS] = buffers->walkers,
      [PALETTE_SEED_WALKER_SUCCESSORS] = walk->walker_successors,
      [PALETTE_SEED_LIST] = buffers->active,
      [PALETTE_SEED_VISITED] = buffers->visited,
      [PALETTE_SEED_SUCCESSORS] = walk->successors,
    },
    .push = &push,
  };

  gpu_stream_stage (solve->context->slicer.stream, "palette-seed");
  gpu_stream_fill (solve->context->slicer.stream, buffers->control,
      CONTROL_ACTIVE * 4, (CONTROL_WORDS - CONTROL_ACTIVE) * 4, 0);
  clear_tables (walk, &grid->cells, solve, is_sharing);
  gpu_slicer_run (&solve->context->slicer, &seed, solve->n);
}

/* Records the start of a round, unless groups are left. */
static void
record_round (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve)
{
  const GpuPaletteRoundPush push = {
    .max_groups = walk->max_groups,
    .max_walkers = walk->max_walkers,
    .max_units = walk->max_units,
    .n_blocks = count_blocks (&grid->cells),
  };
  const GpuDispatch round = {
    .kernel = walk->round,
    .buffers = {[PALETTE_ROUND_CONTROL] = solve->buffers->control},
    .push = &push,
  };

  gpu_stream_dispatch (solve->context->slicer.stream, &round, 1, 1, 1);
}

static void
record_enter (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuDispatch enter = {
    .kernel = walk->enter,
    .buffers = {
      [PALETTE_ENTER_CONTROL] = buffers->control,
      [PALETTE_ENTER_LIST] = buffers->active,
      [PALETTE_ENTER_WALKERS] = buffers->walkers,
      [PALETTE_ENTER_COUNTS] = walk->cell_walkers,
      [PALETTE_ENTER_PLACES] = buffers->walker_places,
      [PALETTE_ENTER_FIRSTS] = walk->firsts,
    },
    .push = &(GpuPaletteEnterPush) {.grid = grid->cells},
  };

  gpu_stream_dispatch_indirect (solve->context->slicer.stream, &enter,
      buffers->control, CONTROL_WALKER_GROUPS * 4);
}

static void
record_group (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve)
{
  const GpuPaletteGroupPush push = {
    .grid = grid->cells,
    .n_blocks = count_blocks (&grid->cells),
    .cells_together = walk->kind == GPU_PALETTE_WALK_GROUPS ? BLOCK_CELLS : 1,
    .few = walk->few,
    .most_walkers = walk->kernels[walk->kind].walkers,
  };
  const GpuDispatch group = {
    .kernel = walk->group,
    .buffers = {
      [PALETTE_GROUP_CONTROL] = solve->buffers->control,
      [PALETTE_GROUP_COUNTS] = walk->cell_walkers,
      [PALETTE_GROUP_FIRSTS] = walk->firsts,
      [PALETTE_GROUP_GROUPS] = walk->groups,
    },
    .push = &push,
  };

  gpu_stream_dispatch_indirect (solve->context->slicer.stream, &group,
      solve->buffers->control, CONTROL_BLOCK_GROUPS * 4);
}

static void
record_order (GpuPaletteWalk * walk, GpuPaletteSolve * solve)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuDispatch order = {
    .kernel = walk->order,
    .buffers = {
      [PALETTE_ORDER_CONTROL] = buffers->control,
      [PALETTE_ORDER_LIST] = buffers->active,
      [PALETTE_ORDER_PLACES] = buffers->walker_places,
      [PALETTE_ORDER_COUNTS] = walk->cell_walkers,
      [PALETTE_ORDER_FIRSTS] = walk->firsts,
      [PALETTE_ORDER_ORDER] = walk->in_order,
    },
    .push = &(GpuPaletteOrderPush) {.max_groups = walk->max_groups},
  };

  gpu_stream_dispatch_indirect (solve->context->slicer.stream, &order,
      buffers->control, CONTROL_WALKER_GROUPS * 4);
}

/* Records the grouping of the listed walkers by cell, unless groups are left. */
static void
record_groups (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve)
{
  record_round (walk, grid, solve);
  record_enter (walk, grid, solve);
  record_group (walk, grid, solve);
  record_order (walk, solve);
}

/* Records the emptying of cells. It may run concurrently with the walk, which does not
 * read them, and changes other words of the control buffer than those that this reads. */
static void
record_emptying (GpuPaletteWalk * walk, GpuPaletteSolve * solve)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuDispatch empty = {
    .kernel = walk->empty,
    .buffers = {
      [PALETTE_EMPTY_CONTROL] = buffers->control,
      [PALETTE_EMPTY_PLACES] = buffers->walker_places,
      [PALETTE_EMPTY_COUNTS] = walk->cell_walkers,
      [PALETTE_EMPTY_FIRSTS] = walk->firsts,
    },
  };

  gpu_stream_dispatch_indirect (solve->context->slicer.stream, &empty,
      buffers->control, CONTROL_WALKER_GROUPS * 4);
}

static GpuKernel *
kernel_of (const GpuPaletteWalk * walk, const GpuPaletteSolve * solve)
{
  gboolean is_weighted = gpu_palette_context_is_weighted (solve->context);
  const GpuPaletteWalkKernels *kernels = &walk->kernels[walk->kind];

  return kernels->kernels[is_weighted][solve->keeps_successors];
}

static void
record_walk (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, gboolean is_sharing)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuPaletteTuning *tuning = solve->context->tuning;
  const GpuPaletteWalkPush push = {
    .grid = grid->cells,
    .n_entries = grid->n_entries,
    .n_inside = grid->n_inside,
    .radius_squared = solve->radius_squared,
    .table_bits = solve->table_bits,
    .sharing = sharing_of (solve, is_sharing),
    .max_tests = walk->max_tests,
    .max_units = walk->max_dispatch_units,
    .few = walk->few,
    .max_list_rounds = forced_or (tuning->list_rounds, MAX_LIST_ROUNDS),
    .max_step_rounds = forced_or (tuning->step_rounds, MAX_STEP_ROUNDS),
    .max_hops = forced_or (tuning->max_hops, MAX_HOPS_BETWEEN_STEPS),
  };
  const GpuDispatch step = {
    .kernel = kernel_of (walk, solve),
    .buffers = {
      [PALETTE_WALK_CONTROL] = buffers->control,
      [PALETTE_WALK_STARTS] = grid->starts,
      [PALETTE_WALK_SORTED] = grid->sorted,
      [PALETTE_WALK_WEIGHTS] = grid->weights,
      [PALETTE_WALK_SUMS_N] = grid->sums[0],
      [PALETTE_WALK_SUMS_X] = grid->sums[1],
      [PALETTE_WALK_SUMS_Y] = grid->sums[2],
      [PALETTE_WALK_SUMS_Z] = grid->sums[3],
      [PALETTE_WALK_LANES_ENTRIES] = grid->entries,
      [PALETTE_WALK_GROUPS] = walk->groups,
      [PALETTE_WALK_ORDER] = walk->in_order,
      [PALETTE_WALK_WALKERS] = buffers->walkers,
      [PALETTE_WALK_WALKER_SUCCESSORS] = walk->walker_successors,
      [PALETTE_WALK_LIST] = buffers->active,
      [PALETTE_WALK_VISITED] = buffers->visited,
      [PALETTE_WALK_SUCCESSORS] = walk->successors,
    },
    .push = &push,
  };

  /* Only the device knows how much it walks (run_rounds()). */
  gpu_stream_measure (solve->context->slicer.stream, step.kernel, 0);
  gpu_stream_dispatch_indirect (solve->context->slicer.stream, &step,
      buffers->control, CONTROL_WALK_GROUPS * 4);
}

/* --- rounds --- */

static guint
get_unit_weight (const GpuPaletteSolve * solve)
{
  return gpu_device_is_slow (solve->buffers->device) ? SLOW_UNIT_WEIGHT
      : UNIT_WEIGHT;
}

/* Returns the most units of a dispatch. On a slow device the time of a unit depends so much
 * on the picture that dispatches stay short whatever was measured. */
static guint64
count_units (const GpuPaletteWalk * walk, const GpuPaletteSolve * solve)
{
  GpuStream *stream = solve->context->slicer.stream;
  guint64 units = gpu_stream_get_dispatch_units (stream,
      kernel_of (walk, solve));

  if (gpu_device_is_slow (solve->buffers->device))
    units = MIN (units, MOST_OF_FIRST * gpu_stream_get_dispatch_units (stream,
            NULL));
  return MAX (units / get_unit_weight (solve), 1);
}

/* Sets the budget of the submission. The device enforces it, as the host does not know
 * how many rounds it suffices for. */
static void
set_budget (GpuPaletteWalk * walk, GpuPaletteSolve * solve)
{
  GpuStream *stream = solve->context->slicer.stream;
  const GpuKernel *kernel = kernel_of (walk, solve);
  const guint weight = get_unit_weight (solve);
  guint64 units = count_units (walk, solve);
  guint64 left;

  gpu_stream_pace (stream, kernel, units * weight);
  /* The next command does not walk. */
  gpu_stream_measure (stream, NULL, 0);
  /* The units of one dispatch were just subtracted. */
  left = units + gpu_stream_get_units_left (stream, kernel) / weight;
  walk->max_dispatch_units = MIN (units, MOST_UNITS);
  walk->max_units = MIN (left, MOST_UNITS);
  walk->max_groups =
      CLAMP (units / walk->kernels[walk->kind].list_units, LEAST_GROUPS,
      MOST_GROUPS);
}

static gboolean
is_converged (const GpuPaletteSolve * solve)
{
  return solve->control[CONTROL_ACTIVE] == 0
      && solve->control[CONTROL_NEXT_GROUP]
      == solve->control[CONTROL_GROUPS];
}

/* Returns about how many walkers have not stopped: those listed, and those in waiting
 * groups. At least 1, as the frame is not done after the walks. */
static guint
count_left (const GpuPaletteSolve * solve)
{
  guint n_groups = solve->control[CONTROL_GROUPS];
  guint n_waiting = n_groups - solve->control[CONTROL_NEXT_GROUP];
  guint64 of_round = solve->control[CONTROL_ROUND_WALKERS];

  return CLAMP (solve->control[CONTROL_ACTIVE]
      + of_round * n_waiting / MAX (n_groups, 1), 1, solve->n);
}

static void
record_rounds (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, gboolean is_sharing)
{
  set_budget (walk, solve);
  gpu_stream_time_commands (solve->context->slicer.stream);
  gpu_stream_fill (solve->context->slicer.stream, solve->buffers->control,
      CONTROL_SPENT * 4, 8, 0);
  for (guint i = 0; i < walk->max_rounds; i++) {
    gpu_stream_stage (solve->context->slicer.stream, STAGE_ROUND);
    record_groups (walk, grid, solve);
    gpu_stream_begin_disjoint (solve->context->slicer.stream);
    record_emptying (walk, solve);
    gpu_stream_stage (solve->context->slicer.stream, STAGE_WALK);
    record_walk (walk, grid, solve, is_sharing);
    gpu_stream_end_disjoint (solve->context->slicer.stream);
  }
}

/* Chooses the kind of shader. After a frame whose lists were too long, similar frames
 * use walk.comp from the start. */
static GpuPaletteWalkKind
choose_kind (const GpuPaletteWalk * walk, const GpuPaletteSolve * solve)
{
  if (walk->long_lists.n > 0 && solve->n >= walk->long_lists.n / 4 * 3
      && solve->shift == walk->long_lists.shift
      && solve->radius_squared == walk->long_lists.radius_squared)
    return GPU_PALETTE_WALK_GROUPS;
  return gpu_palette_walk_wanted_kind (solve);
}

/* Changes to walk.comp, which takes lists of any length. */
static gboolean
hand_over (GpuPaletteWalk * walk, GpuPaletteSolve * solve, GError ** error)
{
  solve->context->report->effort.handed_over = TRUE;
  return set_kind (walk, solve->buffers, GPU_PALETTE_WALK_GROUPS, error);
}

/* Fails if a step took too many loop rounds: its sums are wrong, as the device left a
 * loop before its end. */
static gboolean
check_steps (const GpuPaletteSolve * solve, GError ** error)
{
  if (!solve->control[CONTROL_STEP_TOO_LONG])
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "%u colours with a radius of %g are too many for exact quality on \"%s\", "
      "which runs shaders on the CPU; use a smaller radius, quality=live or a GPU",
      solve->n, solve->context->settings->making.radius,
      gpu_device_get_info (solve->buffers->device)->name);
  return FALSE;
}

static gboolean
run_rounds (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, gboolean is_sharing, GError ** error)
{
  do {
    record_rounds (walk, grid, solve, is_sharing);
    if (!gpu_palette_solve_read_control (solve, error)
        || !check_steps (solve, error))
      return FALSE;
    solve->n_left = count_left (solve);
    gpu_stream_measured (solve->context->slicer.stream, kernel_of (walk, solve),
        ((guint64) solve->control[CONTROL_SPENT]
            + solve->control[CONTROL_SPENT_BEFORE])
        * get_unit_weight (solve));
    if (solve->control[CONTROL_TOO_LONG]
        && walk->kind == GPU_PALETTE_WALK_LANES
        && !hand_over (walk, solve, error))
      return FALSE;
  } while (!is_converged (solve));
  return TRUE;
}

/* Remembers whether lists were too long, which both shaders report. If they were not,
 * the next frame uses walk_lanes.comp again. */
static void
remember_long_lists (GpuPaletteWalk * walk, const GpuPaletteSolve * solve)
{
  walk->long_lists.n = solve->control[CONTROL_TOO_LONG] ? solve->n : 0;
  walk->long_lists.shift = solve->shift;
  walk->long_lists.radius_squared = solve->radius_squared;
}

static gboolean
run_walks (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, gboolean is_sharing, GError ** error)
{
  record_seeds (walk, grid, solve, is_sharing);
  if (!run_rounds (walk, grid, solve, is_sharing, error))
    return FALSE;
  remember_long_lists (walk, solve);
  solve->context->report->made.solved_colours = solve->control[CONTROL_SOLVED];
  solve->context->report->effort.steps +=
      gpu_palette_solve_get_wide (solve, CONTROL_STEPS);
  solve->context->report->effort.tests +=
      gpu_palette_solve_get_wide (solve, CONTROL_TESTS);
  solve->context->report->effort.rounds += solve->control[CONTROL_ROUNDS];
  solve->context->report->effort.lists += solve->control[CONTROL_LISTS];
  solve->context->report->effort.listed +=
      gpu_palette_solve_get_wide (solve, CONTROL_LISTED);
  return TRUE;
}

gboolean
gpu_palette_walk_solve (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, GError ** error)
{
  guint limit = solve->context->settings->making.iteration_limit;
  gboolean is_sharing = limit == 0 || limit >= MIN_SHARED_LIMIT;

  if (!set_kind (walk, solve->buffers, choose_kind (walk, solve), error))
    return FALSE;
  if (!run_walks (walk, grid, solve, is_sharing, error))
    return FALSE;
  /* With an iteration limit, steps cannot be counted along the way of a walker that found
   * no room in the set of visited points: walk again without sharing. */
  if (is_sharing && limit > 0 && solve->control[CONTROL_LOST] > 0) {
    is_sharing = FALSE;
    if (!run_walks (walk, grid, solve, is_sharing, error))
      return FALSE;
  }
  walk->is_sharing = is_sharing;
  return TRUE;
}

void
gpu_palette_walk_follow (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, gboolean is_begun)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  guint limit = solve->context->settings->making.iteration_limit;
  const GpuPaletteFollowPush push = {
    .table_bits = solve->table_bits,
    .is_sharing = walk->is_sharing,
    .limit = limit ? limit : ENDLESS,
    .max_hops = forced_or (solve->context->tuning->max_hops, MAX_HOPS),
    .is_begun = is_begun,
  };
  const GpuDispatch follow = {
    .kernel = walk->follow,
    .buffers = {
      [PALETTE_FOLLOW_SORTED] = grid->sorted,
      [PALETTE_FOLLOW_ORIGINS] = grid->origins,
      [PALETTE_FOLLOW_WALKERS] = buffers->walkers,
      [PALETTE_FOLLOW_WALKER_SUCCESSORS] = walk->walker_successors,
      [PALETTE_FOLLOW_VISITED] = buffers->visited,
      [PALETTE_FOLLOW_SUCCESSORS] = walk->successors,
      [PALETTE_FOLLOW_FIXED_POINTS] = buffers->fixed_points,
      [PALETTE_FOLLOW_CONTROL] = buffers->control,
    },
    .push = &push,
  };

  gpu_stream_stage (solve->context->slicer.stream, "palette-follow");
  gpu_stream_fill (solve->context->slicer.stream, buffers->control,
      CONTROL_ON_THE_WAY * 4, 4, 0);
  gpu_slicer_run (&solve->context->slicer, &follow, solve->n);
}
