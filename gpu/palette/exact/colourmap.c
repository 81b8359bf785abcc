/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "colourmap.h"
#include "topoutputs.h"
#include "exact.h"
#include "colourlist.h"
#include "shaders.h"

typedef struct
{
  GpuPaletteMap parent;
  GpuPaletteExactBuffers buffers;
  GpuPaletteColourList colour_list;
  GpuPaletteSolver *solver;     /* NULL until first used */
  GpuKernel *apply;

  /* State of buffers.results. */
  gboolean is_solved;           /* valid for the members below */
  GpuPaletteMaking solved;
  guint solved_revision;
  guint solved_n;               /* number of colours */
  guint output_colours, fixed_points;
  guint64 n_solves;             /* solves so far */

  GpuPaletteTopOutputs *top;    /* NULL until first used */
} ColourMap;

/* --- building --- */

static void
drop_solver (ColourMap * map)
{
  if (map->solver)
    map->solver->type->free (map->solver);
  map->solver = NULL;
}

static void
colour_map_free (GpuPaletteMap * parent)
{
  ColourMap *map = (ColourMap *) parent;

  drop_solver (map);
  g_clear_pointer (&map->top, gpu_palette_top_outputs_free);
  gpu_palette_exact_buffers_clear (&map->buffers);
  gpu_palette_colour_list_clear (&map->colour_list);
  g_free (map);
}

static gboolean
build (ColourMap * map, GpuDevice * device, const GpuPaletteFormat * format,
    GError ** error)
{
  static const GpuPixelShaders shaders = {
    &gpu_shader_palette_apply, &gpu_shader_palette_apply_yuv
  };
  guint32 constants[PIXELS_CONSTANTS];

  gpu_pixels_get_constants (device, format->in, format->out, &format->yuv,
      constants);
  map->apply =
      gpu_kernel_request (device, gpu_pixels_choose_shader (&shaders,
          format->out), constants, PIXELS_CONSTANTS, GPU_KERNEL_SOON, error);
  return map->apply
      && gpu_palette_exact_buffers_init (&map->buffers, device,
      format->width * format->height, error)
      && gpu_palette_colour_list_init (&map->colour_list, format, &map->buffers,
      error);
}

static GpuPaletteMap *
colour_map_create (GpuDevice * device, const GpuPaletteFormat * format,
    GpuPaletteMap * old, GError ** error)
{
  ColourMap *map = g_new0 (ColourMap, 1);

  if (old)
    colour_map_free (old);
  map->parent.type = &gpu_palette_colour_map;
  if (build (map, device, format, error))
    return &map->parent;
  colour_map_free (&map->parent);
  return NULL;
}

static gsize
colour_map_get_memory (GpuPaletteMap * parent)
{
  ColourMap *map = (ColourMap *) parent;
  const GpuPaletteExactBuffers *buffers = &map->buffers;
  GpuBuffer *all[] = {
    buffers->control, buffers->readback, buffers->blocks, buffers->used,
    buffers->list,
    buffers->weights, buffers->results, buffers->points
  };

  return gpu_buffers_get_size (all, G_N_ELEMENTS (all))
      + gpu_palette_colour_list_get_memory (&map->colour_list)
      + (map->top ? gpu_palette_top_outputs_get_memory (map->top) : 0)
      + (map->solver ? map->solver->type->get_memory (map->solver) : 0);
}

static gboolean
colour_map_prepare (GpuPaletteMap * parent,
    const GpuPaletteSettings * settings, GError ** error)
{
  ColourMap *map = (ColourMap *) parent;

  if (settings->counts_pixels && !map->top)
    map->top = gpu_palette_top_outputs_new (map->buffers.device, error);
  return !settings->counts_pixels || map->top;
}

/* --- a frame --- */

/* Returns whether the results are valid for the settings of this frame. */
static gboolean
is_solved (ColourMap * map, const GpuPaletteSolve * solve)
{
  return map->is_solved && map->solved_revision == solve->context->revision
      && GPU_PALETTE_ARE_EQUAL (&map->solved,
      &solve->context->settings->making);
}

/* Returns whether the results are valid for the settings and colours of this frame. */
static gboolean
is_map_valid (ColourMap * map, const GpuPaletteSolve * solve)
{
  return is_solved (map, solve) && solve->n == map->solved_n
      && !solve->control[CONTROL_SET_CHANGED]
      && !solve->control[CONTROL_WEIGHTS_CHANGED];
}

static const GpuPaletteSolverType *
wanted_solver (const GpuPaletteSolve * solve)
{
  const GpuPaletteSolverType *forced = solve->context->tuning->solver;

  return forced ? forced : &gpu_palette_exact;
}

static gboolean
is_solver_there (ColourMap * map, const GpuPaletteSolve * solve)
{
  return map->solver && map->solver->type == wanted_solver (solve);
}

/* Makes the wanted solver, if it is not the one in use. */
static gboolean
take_solver (ColourMap * map, const GpuPaletteSolve * solve, GError ** error)
{
  if (is_solver_there (map, solve))
    return TRUE;
  drop_solver (map);
  map->solver = wanted_solver (solve)->create (&map->buffers, error);
  return map->solver != NULL;
}

static gboolean
prepare (ColourMap * map, GpuPaletteSolve * solve, GError ** error)
{
  const GpuPaletteSolverType *type = map->solver->type;

  return !type->prepare || type->prepare (map->solver, solve,
      !is_solved (map, solve), error);
}

/* Makes room for @n colours in the list and results; if it grows, records the list
 * again. */
static gboolean
make_room (ColourMap * map, GpuPaletteSolve * solve, guint n, GError ** error)
{
  if (n <= map->buffers.room)
    return TRUE;
  map->is_solved = FALSE;
  if (!gpu_palette_exact_buffers_grow (&map->buffers, n, error))
    return FALSE;
  gpu_palette_colour_list_list (&map->colour_list, solve);
  return TRUE;
}

/* Waits for the number of colours, and for the preparation of the solver. */
static gboolean
read_counts (ColourMap * map, GpuPaletteSolve * solve, GError ** error)
{
  gboolean is_prepared = is_solver_there (map, solve);

  if (is_prepared && !prepare (map, solve, error))
    return FALSE;
  if (!gpu_palette_colour_list_read (&map->colour_list, solve, error))
    return FALSE;
  if (solve->n == 0 || (is_prepared && solve->n <= map->buffers.room))
    return TRUE;
  /* The solver is made, or room grows, only now that the number of colours is known, so
   * the preparation is recorded (again). */
  return make_room (map, solve, solve->n, error)
      && take_solver (map, solve, error) && prepare (map, solve, error)
      && gpu_palette_colour_list_read (&map->colour_list, solve, error);
}

/* Runs the solver. If memory does not suffice, frees the solver with all its buffers. */
static gboolean
run_solver (ColourMap * map, GpuPaletteSolve * solve, GError ** error)
{
  GError *failure = NULL;

  if (map->solver->type->solve (map->solver, solve, &failure))
    return TRUE;
  if (g_error_matches (failure, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY))
    drop_solver (map);
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
solve_colours (ColourMap * map, GpuPaletteSolve * solve, GError ** error)
{
  map->is_solved = FALSE;
  map->n_solves++;
  solve->n_left = solve->n;
  gpu_palette_solve_tell_progress (solve);
  if (!run_solver (map, solve, error))
    return FALSE;
  solve->n_left = 0;
  map->output_colours = solve->context->report->made.output_colours;
  map->fixed_points = solve->context->report->made.fixed_points;
  map->solved = solve->context->settings->making;
  map->solved_revision = solve->context->revision;
  map->solved_n = solve->n;
  map->is_solved = TRUE;
  solve->context->report->made.solved = TRUE;
  return TRUE;
}

/* Updates the results for the colours that were counted. */
static gboolean
update_map (ColourMap * map, GpuPaletteSolve * solve, GError ** error)
{
  if (!read_counts (map, solve, error))
    return FALSE;
  if (solve->n == 0)
    return TRUE;
  if (!is_map_valid (map, solve))
    return solve_colours (map, solve, error);
  solve->context->report->made.output_colours = map->output_colours;
  solve->context->report->made.fixed_points = map->fixed_points;
  return TRUE;
}

/* Returns whether the output is known to be that of the frame before. */
static gboolean
is_same_frame (ColourMap * map, const GpuPaletteSolve * solve)
{
  const GpuPaletteHistogram *histogram = &map->colour_list.histogram;

  return !solve->context->report->made.solved && histogram->window.room == 1
      && solve->context->report->counted.changed_pixels == 0;
}

static gboolean
count_pixels (ColourMap * map, GpuPaletteSolve * solve, GError ** error)
{
  const GpuPaletteOutputs outputs = {
    /* Without counted pixels nothing was solved. */
    .n_colours =
        solve->context->report->counted.colours > 0 ? map->output_colours : 0,
    .n_solves = map->n_solves,
    .are_same = is_same_frame (map, solve)
  };

  return !solve->context->settings->counts_pixels
      || gpu_palette_top_outputs_record (map->top, solve, &map->colour_list,
      &outputs, error);
}

static gboolean
update (ColourMap * map, GpuPaletteContext * context, const GpuFrame * in,
    GError ** error)
{
  GpuPaletteSolve solve = {.context = context, .buffers = &map->buffers};

  if (!colour_map_prepare (&map->parent, context->settings, error)
      || !gpu_palette_colour_list_update (&map->colour_list, &solve, in, error)
      || !update_map (map, &solve, error)
      || !count_pixels (map, &solve, error))
    return FALSE;
  if (map->solver)
    context->report->effort.memory =
        map->solver->type->get_memory (map->solver);
  return TRUE;
}

static void
apply (ColourMap * map, GpuPaletteContext * context, const GpuFrame * in,
    const GpuFrame * out)
{
  const GpuPaletteHistogram *histogram = &map->colour_list.histogram;
  const GpuPixelsBound pixels = {
    &in->info, &out->info, 1 << PALETTE_APPLY_NUMBERS
  };
  const GpuDispatch apply = {
    .kernel = map->apply,
    .buffers = {
      [PALETTE_APPLY_INPUT] = in->buffer,
      [PALETTE_APPLY_OUTPUT] = out->buffer,
      [PALETTE_APPLY_NUMBERS] = histogram->window.frames[0],
      [PALETTE_APPLY_PRESENCE] = histogram->present,
      [PALETTE_APPLY_RANKS] = map->colour_list.ranks,
      [PALETTE_APPLY_RESULTS] = map->buffers.results,
    },
  };

  gpu_stream_stage (context->slicer.stream, "palette-apply");
  gpu_pixels_run (&context->slicer, &apply, &pixels);
}

static gboolean
colour_map_record (GpuPaletteMap * parent, GpuPaletteContext * context,
    const GpuFrame * in, const GpuFrame * out, GError ** error)
{
  ColourMap *map = (ColourMap *) parent;

  if (!update (map, context, in, error))
    return FALSE;
  apply (map, context, in, out);
  return TRUE;
}

/* A recording that was not executed may leave counters and lists of different frames. */
static void
colour_map_forget (GpuPaletteMap * parent)
{
  ColourMap *map = (ColourMap *) parent;

  map->is_solved = FALSE;
  gpu_palette_colour_list_forget (&map->colour_list);
}

const GpuPaletteMapType gpu_palette_colour_map = {
  .create = colour_map_create,
  .free = colour_map_free,
  .get_memory = colour_map_get_memory,
  .prepare = colour_map_prepare,
  .record = colour_map_record,
  .forget = colour_map_forget,
};
