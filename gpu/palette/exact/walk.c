/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "exact.h"
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

/* Words of a candidate in its list. */
#define CANDIDATE_WORDS 2

/* walk_lanes.comp: shared memory in bytes, words of it that are not lists, the length of
 * its list of heavy candidates, and the greatest length of its list of light candidates,
 * whose sums must not overflow. */
#define LANES_SHARED_WANTED 32768
#define LANES_FIXED_WORDS (64 * (2 + 4 + 8))
#define LANES_HEAVY 256
#define LANES_MOST_LIGHT 4096

/* --- kernels --- */

gboolean
gpu_palette_walk_kernels_init (GpuPaletteWalkKernels * kernels,
    GpuDevice * device, GpuPaletteWalkKind kind, GError ** error)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);
  const gboolean is_lanes = kind == GPU_PALETTE_WALK_LANES;
  const guint32 is_cpu = info->kind == GPU_DEVICE_CPU;
  const guint lanes = info->subgroup_size;
  const guint words = MIN (info->max_shared, LANES_SHARED_WANTED) / 4
      - LANES_FIXED_WORDS;
  GpuPaletteWalkKernels made = {
    .walkers = is_lanes ? LANES_WALKERS : GROUP_WALKERS,
    .list_units = is_lanes || gpu_device_is_slow (device) ? 32 : 4,
  };

  for (guint32 is_weighted = 0; is_weighted < 2; is_weighted++)
    for (guint32 keeps_successors = 0; keeps_successors < 2; keeps_successors++) {
      /* Lengths of lists are multiples of the number of lanes. In both shaders a workgroup
       * is one subgroup. */
      guint heavy = is_weighted ? LANES_HEAVY : lanes;
      guint light = MIN ((words - heavy) / CANDIDATE_WORDS, LANES_MOST_LIGHT);
      const guint32 of_groups[] = {
        is_weighted, made.list_units, keeps_successors, lanes, is_cpu
      };
      const guint32 of_lanes[] = {
        is_weighted, made.list_units, keeps_successors, lanes,
        light / lanes * lanes, heavy, is_cpu
      };
      GpuKernel *kernel = is_lanes ? gpu_kernel_request (device,
          &gpu_shader_palette_walk_lanes, of_lanes, G_N_ELEMENTS (of_lanes),
          GPU_KERNEL_SOON, error) : gpu_kernel_request (device,
          &gpu_shader_palette_walk, of_groups, G_N_ELEMENTS (of_groups),
          GPU_KERNEL_SOON, error);

      if (!kernel)
        return FALSE;
      made.kernels[is_weighted][keeps_successors] = kernel;
    }
  *kernels = made;
  return TRUE;
}

/* Returns the kind that is faster on the device. */
static GpuPaletteWalkKind
faster_kind (const GpuPaletteExact * exact)
{
  return gpu_device_is_slow (exact->device) ? GPU_PALETTE_WALK_LANES
      : GPU_PALETTE_WALK_GROUPS;
}

/* Returns the kind that tuning forces, or the one that is faster on the device. */
static GpuPaletteWalkKind
wanted_kind (const GpuPaletteExact * exact)
{
  GpuPaletteWalkKind forced = exact->context->tuning->walk;

  return forced ? forced : faster_kind (exact);
}

gboolean
gpu_palette_walk_wants_cubes (const GpuPaletteExact * exact)
{
  return wanted_kind (exact) == GPU_PALETTE_WALK_LANES;
}

/* Sets the kind of kernels for walks, and requests them on first use. */
static gboolean
set_kind (GpuPaletteExact * exact, GpuPaletteWalkKind kind, GError ** error)
{
  exact->walk.kind = kind;
  return exact->kernels.walks[kind].kernels[0][0]
      || gpu_palette_walk_kernels_init (&exact->kernels.walks[kind],
      exact->device, kind, error);
}

/* Sets the bounds of rounds by device. CPU devices have few rounds in a submission, as
 * an empty round is expensive there. */
static void
set_bounds (GpuPaletteExact * exact)
{
  switch (gpu_device_get_info (exact->device)->kind) {
    case GPU_DEVICE_CPU:
    case GPU_DEVICE_OTHER:
      exact->walk.few = 2;
      exact->walk.max_walkers = 1 << 17;
      exact->walk.max_tests = 1 << 18;
      exact->walk.max_rounds = 4;
      break;
    case GPU_DEVICE_INTEGRATED:
      exact->walk.few = 64;
      exact->walk.max_walkers = 1 << 21;
      exact->walk.max_tests = 1 << 15;
      exact->walk.max_rounds = 12;
      break;
    case GPU_DEVICE_DISCRETE:
    case GPU_DEVICE_VIRTUAL:
      exact->walk.few = 8192;
      exact->walk.max_walkers = 1 << 22;
      exact->walk.max_tests = 1 << 17;
      exact->walk.max_rounds = 6;
      break;
  }
}

gboolean
gpu_palette_walk_init (GpuPaletteExact * exact, GError ** error)
{
  set_bounds (exact);
  return set_kind (exact, faster_kind (exact), error);
}

/* --- recording --- */

guint
gpu_palette_walk_count_blocks (const GpuPaletteGridCells * cells)
{
  guint n_l = ((cells->n_l - 1) >> (cells->shift - cells->shift_l)) + 1;

  return (n_l + 1) / 2 * ((cells->n_a + 1) / 2) * ((cells->n_b + 1) / 2);
}

/* Records the clearing of visited points, unless they are kept, and of the walkers of
 * cells. Rounds leave the latter empty, but not if a run was aborted. */
static void
clear_tables (GpuPaletteExact * exact)
{
  const GpuSlicer *slicer = &exact->context->slicer;
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  const gsize table = (gsize) 4 << exact->solve.table_bits;
  const gsize blocks = gpu_palette_walk_count_blocks (&exact->solve.cells) * 4;

  if (exact->walk.is_sharing && !exact->solve.keeps_successors) {
    gpu_slicer_fill (slicer, buffers->visited, table, 0);
    gpu_slicer_fill (slicer, buffers->successors, table, NEXT_UNKNOWN);
  }
  gpu_slicer_fill (slicer, buffers->cell_walkers, blocks * BLOCK_CELLS, 0);
  gpu_slicer_fill (slicer, buffers->firsts, blocks, 0);
}

/* Returns @forced, the value of a test, or @otherwise if that is 0. */
static guint32
forced_or (guint32 forced, guint32 otherwise)
{
  return forced ? forced : otherwise;
}

/* Returns which points walks share, SHARES_…. */
static guint32
get_sharing (const GpuPaletteExact * exact)
{
  return !exact->walk.is_sharing ? SHARES_NOTHING
      : exact->solve.keeps_successors ? SHARES_KEPT : SHARES_FRAME;
}

static void
record_seeds (GpuPaletteExact * exact)
{
  guint limit = exact->context->settings->making.iteration_limit;
  const GpuPaletteSeedPush push = {
    .table_bits = exact->solve.table_bits,
    .sharing = get_sharing (exact),
    .limit = limit ? MIN (limit, ENDLESS) : ENDLESS,
    .max_hops = forced_or (exact->context->tuning->max_hops, MAX_HOPS),
  };
  const GpuDispatch seed = {
    exact->kernels.seed, PALETTE_SEED_BUFFERS (&exact->buffers), &push,
  };

  gpu_stream_stage (exact->stream, "palette-seed");
  gpu_stream_fill (exact->stream, exact->buffers.control, CONTROL_ACTIVE * 4,
      (CONTROL_WORDS - CONTROL_ACTIVE) * 4, 0);
  clear_tables (exact);
  gpu_slicer_run (&exact->context->slicer, &seed, exact->solve.n);
}

/* Records the start of a round and the grouping of the listed walkers by cell, unless groups
 * are left. */
static void
record_groups (GpuPaletteExact * exact)
{
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  guint n_blocks = gpu_palette_walk_count_blocks (&exact->solve.cells);
  const GpuPaletteRoundPush round_push = {
    .max_groups = exact->walk.max_groups,
    .max_walkers = exact->walk.max_walkers,
    .max_units = exact->walk.max_units,
    .n_blocks = n_blocks,
  };
  const GpuPaletteGroupPush group_push = {
    .grid = exact->solve.cells,
    .n_blocks = n_blocks,
    .cells_together =
        exact->walk.kind == GPU_PALETTE_WALK_GROUPS ? BLOCK_CELLS : 1,
    .few = exact->walk.few,
    .most_walkers = exact->kernels.walks[exact->walk.kind].walkers,
  };
  const GpuDispatch round = {
    exact->kernels.round, PALETTE_ROUND_BUFFERS (buffers), &round_push,
  };
  const GpuDispatch enter = {
    exact->kernels.enter, PALETTE_ENTER_BUFFERS (buffers),
    &(GpuPaletteEnterPush) {.grid = exact->solve.cells},
  };
  const GpuDispatch group = {
    exact->kernels.group, PALETTE_GROUP_BUFFERS (buffers), &group_push,
  };
  const GpuDispatch order = {
    exact->kernels.order, PALETTE_ORDER_BUFFERS (buffers),
    &(GpuPaletteOrderPush) {.max_groups = exact->walk.max_groups},
  };

  gpu_stream_dispatch (exact->stream, &round, 1, 1, 1);
  gpu_stream_dispatch_indirect (exact->stream, &enter, buffers->control,
      CONTROL_WALKER_GROUPS * 4);
  gpu_stream_dispatch_indirect (exact->stream, &group, buffers->control,
      CONTROL_BLOCK_GROUPS * 4);
  gpu_stream_dispatch_indirect (exact->stream, &order, buffers->control,
      CONTROL_WALKER_GROUPS * 4);
}

static GpuKernel *
get_kernel (const GpuPaletteExact * exact)
{
  const GpuPaletteMaking *making = &exact->context->settings->making;
  gboolean is_weighted = making->weighting == GPU_PALETTE_FREQUENCY
      || making->min_frequency > 1;

  return exact->kernels.walks[exact->walk.kind].kernels[is_weighted]
      [exact->solve.keeps_successors];
}

static void
record_walk (GpuPaletteExact * exact)
{
  const GpuPaletteTuning *tuning = exact->context->tuning;
  const GpuPaletteWalkPush push = {
    .grid = exact->solve.cells,
    .n_entries = exact->solve.n_entries,
    .n_inside = exact->solve.n_inside,
    .radius_squared = exact->solve.radius_squared,
    .table_bits = exact->solve.table_bits,
    .sharing = get_sharing (exact),
    .max_tests = exact->walk.max_tests,
    .max_units = exact->walk.max_dispatch_units,
    .few = exact->walk.few,
    .max_list_rounds = forced_or (tuning->list_rounds, MAX_LIST_ROUNDS),
    .max_step_rounds = forced_or (tuning->step_rounds, MAX_STEP_ROUNDS),
    .max_hops = forced_or (tuning->max_hops, MAX_HOPS_BETWEEN_STEPS),
  };
  const GpuDispatch step = {
    .kernel = get_kernel (exact),
    /* Both shaders have the same bindings, except that walk.comp has no entries. */
    .buffers = PALETTE_WALK_LANES_BUFFERS (&exact->buffers),
    .push = &push,
  };

  /* Only the device knows how much it walks (run_rounds()). */
  gpu_stream_measure (exact->stream, step.kernel, 0);
  gpu_stream_dispatch_indirect (exact->stream, &step, exact->buffers.control,
      CONTROL_WALK_GROUPS * 4);
}

/* --- rounds --- */

static guint
get_unit_weight (const GpuPaletteExact * exact)
{
  return gpu_device_is_slow (exact->device) ? SLOW_UNIT_WEIGHT : UNIT_WEIGHT;
}

/* Sets the budget of the submission. The device enforces it, as the host does not know
 * how many rounds it suffices for. */
static void
set_budget (GpuPaletteExact * exact)
{
  GpuStream *stream = exact->stream;
  const GpuKernel *kernel = get_kernel (exact);
  const guint weight = get_unit_weight (exact);
  guint64 units = gpu_stream_get_dispatch_units (stream, kernel), left;

  /* There the time of a unit depends so much on the picture that dispatches stay short
   * whatever was measured. */
  if (gpu_device_is_slow (exact->device))
    units = MIN (units, MOST_OF_FIRST * gpu_stream_get_dispatch_units (stream,
            NULL));
  units = MAX (units / weight, 1);
  gpu_stream_pace (stream, kernel, units * weight);
  /* The next command does not walk. */
  gpu_stream_measure (stream, NULL, 0);
  /* The units of one dispatch were just subtracted. */
  left = units + gpu_stream_get_units_left (stream, kernel) / weight;
  exact->walk.max_dispatch_units = MIN (units, MOST_UNITS);
  exact->walk.max_units = MIN (left, MOST_UNITS);
  exact->walk.max_groups =
      CLAMP (units / exact->kernels.walks[exact->walk.kind].list_units,
      LEAST_GROUPS, MOST_GROUPS);
}

static void
record_rounds (GpuPaletteExact * exact)
{
  GpuStream *stream = exact->stream;
  const GpuDispatch empty = {
    exact->kernels.empty, PALETTE_EMPTY_BUFFERS (&exact->buffers)
  };

  set_budget (exact);
  gpu_stream_time_commands (stream);
  gpu_stream_fill (stream, exact->buffers.control, CONTROL_SPENT * 4, 8, 0);
  for (guint i = 0; i < exact->walk.max_rounds; i++) {
    gpu_stream_stage (stream, "palette-round");
    record_groups (exact);
    /* Cells are emptied beside the walk, which does not read them, and changes other words of
     * the control buffer than those that emptying reads. */
    gpu_stream_begin_disjoint (stream);
    gpu_stream_dispatch_indirect (stream, &empty, exact->buffers.control,
        CONTROL_WALKER_GROUPS * 4);
    gpu_stream_stage (stream, "palette-walk");
    record_walk (exact);
    gpu_stream_end_disjoint (stream);
  }
}

static gboolean
is_converged (const GpuPaletteSolve * solve)
{
  return solve->control[CONTROL_ACTIVE] == 0
      && solve->control[CONTROL_NEXT_GROUP] == solve->control[CONTROL_GROUPS];
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

/* Fails if a step took too many loop rounds: its sums are wrong, as the device left a
 * loop before its end. */
static gboolean
check_steps (const GpuPaletteExact * exact, GError ** error)
{
  if (!exact->solve.control[CONTROL_STEP_TOO_LONG])
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "%u colours with a radius of %g are too many for exact quality on \"%s\", "
      "which runs shaders on the CPU; use a smaller radius, quality=live or a GPU",
      exact->solve.n, exact->context->settings->making.radius,
      gpu_device_get_info (exact->device)->name);
  return FALSE;
}

static gboolean
run_rounds (GpuPaletteExact * exact, GError ** error)
{
  GpuPaletteSolve *solve = &exact->solve;

  do {
    record_rounds (exact);
    if (!gpu_palette_exact_read_control (exact, error)
        || !check_steps (exact, error))
      return FALSE;
    solve->n_left = count_left (solve);
    gpu_stream_measured (exact->stream, get_kernel (exact),
        ((guint64) solve->control[CONTROL_SPENT]
            + solve->control[CONTROL_SPENT_BEFORE]) * get_unit_weight (exact));
    if (solve->control[CONTROL_TOO_LONG]
        && exact->walk.kind == GPU_PALETTE_WALK_LANES) {
      /* walk.comp takes lists of any length. */
      exact->context->report->effort.handed_over = TRUE;
      if (!set_kind (exact, GPU_PALETTE_WALK_GROUPS, error))
        return FALSE;
    }
  } while (!is_converged (solve));
  return TRUE;
}

/* Returns the two-word value that begins at @word of the control buffer. */
static guint64
get_wide (const GpuPaletteSolve * solve, guint word)
{
  return solve->control[word] | (guint64) solve->control[word + 1] << 32;
}

static gboolean
run_walks (GpuPaletteExact * exact, gboolean is_sharing, GError ** error)
{
  const GpuPaletteSolve *solve = &exact->solve;
  GpuPaletteReport *report = exact->context->report;

  exact->walk.is_sharing = is_sharing;
  record_seeds (exact);
  if (!run_rounds (exact, error))
    return FALSE;
  /* Both shaders report lists that were too long. If there were none, the next frame uses
   * walk_lanes.comp again. */
  exact->walk.long_lists.n = solve->control[CONTROL_TOO_LONG] ? solve->n : 0;
  exact->walk.long_lists.shift = solve->shift;
  exact->walk.long_lists.radius_squared = solve->radius_squared;
  report->made.solved_colours = solve->control[CONTROL_SOLVED];
  report->effort.steps += get_wide (solve, CONTROL_STEPS);
  report->effort.tests += get_wide (solve, CONTROL_TESTS);
  report->effort.rounds += solve->control[CONTROL_ROUNDS];
  report->effort.lists += solve->control[CONTROL_LISTS];
  report->effort.listed += get_wide (solve, CONTROL_LISTED);
  return TRUE;
}

/* After a frame whose lists were too long, similar frames use walk.comp from the start. */
static GpuPaletteWalkKind
choose_kind (const GpuPaletteExact * exact)
{
  const GpuPaletteSolve *solve = &exact->solve;

  if (exact->walk.long_lists.n > 0
      && solve->n >= exact->walk.long_lists.n / 4 * 3
      && solve->shift == exact->walk.long_lists.shift
      && solve->radius_squared == exact->walk.long_lists.radius_squared)
    return GPU_PALETTE_WALK_GROUPS;
  return wanted_kind (exact);
}

gboolean
gpu_palette_walk_solve (GpuPaletteExact * exact, GError ** error)
{
  guint limit = exact->context->settings->making.iteration_limit;
  gboolean is_sharing = limit == 0 || limit >= MIN_SHARED_LIMIT;

  if (!set_kind (exact, choose_kind (exact), error)
      || !run_walks (exact, is_sharing, error))
    return FALSE;
  /* With an iteration limit, steps cannot be counted along the way of a walker that found
   * no room in the set of visited points: walk again without sharing. */
  return !is_sharing || limit == 0 || exact->solve.control[CONTROL_LOST] == 0
      || run_walks (exact, FALSE, error);
}

void
gpu_palette_walk_follow (GpuPaletteExact * exact, gboolean is_begun)
{
  guint limit = exact->context->settings->making.iteration_limit;
  const GpuPaletteFollowPush push = {
    .table_bits = exact->solve.table_bits,
    .is_sharing = exact->walk.is_sharing,
    .limit = limit ? limit : ENDLESS,
    .max_hops = forced_or (exact->context->tuning->max_hops, MAX_HOPS),
    .is_begun = is_begun,
  };
  const GpuDispatch follow = {
    exact->kernels.follow, PALETTE_FOLLOW_BUFFERS (&exact->buffers), &push,
  };

  gpu_stream_stage (exact->stream, "palette-follow");
  gpu_stream_fill (exact->stream, exact->buffers.control,
      CONTROL_ON_THE_WAY * 4, 4, 0);
  gpu_slicer_run (&exact->context->slicer, &follow, exact->solve.n);
}
