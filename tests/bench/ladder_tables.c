/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What each idea that makes walks by mean shift faster is worth: tables.
 *
 *   ladder_tables --radius 0.02 --csv ladder.csv bridge.ppm
 *
 * All ways have to end where those of brute force do. */
#include "bench.h"
#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "gpu_fixture.h"
#include "ladder.h"

#include <string.h>

/* Cells of which one side is 2^these lattice units. */
#define MIN_SHIFT 7
#define MAX_SHIFT 10

/* The cells of tables that compare something else. */
#define SHIFT 8
#define SHIFT_L 5

#define EMPTY_WALKERS (1u << 24)
#define ENGINE_FRAMES 5

static gdouble option_radius = 0.02;
static gchar *option_weighting = "both";
static gchar *option_transfer = "srgb";
static gint option_colours = 0;
static gchar **option_files;

static const GOptionEntry options[] = {
  {"radius", 'r', 0, G_OPTION_ARG_DOUBLE, &option_radius, "radius", "R"},
  {"weighting", 'w', 0, G_OPTION_ARG_STRING, &option_weighting,
      "palette, frequency or both", "NAME"},
  {"transfer", 't', 0, G_OPTION_ARG_STRING, &option_transfer,
      "srgb or linear", "NAME"},
  {"colours", 0, 0, G_OPTION_ARG_INT, &option_colours,
      "about so many of each picture's, 0: all", "N"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_files,
      NULL, "[FILE.ppm]…"},
  {NULL}
};

static const gchar *weightings[] = { "frequency", "palette" };

static const gchar *searches[] = {
  "brute force", "box of cells", "ball of cells", "whole cells", "prefix sums"
};
static const gchar *masks[] = { "none", "flags", "bits", "ballots", "lists" };

static gboolean
is_linear (void)
{
  return !strcmp (option_transfer, "linear");
}

/* What the tables of a picture are of. */
typedef struct
{
  GpuStream *stream;
  const BenchPicture *picture;
  GpuPaletteWeighting weighting;
  CellColours *colours;
  LadderResult truth;           /* of brute force */
  FILE *csv;
} Tables;

/* --- one row --- */

static gboolean
is_cpu (Tables * tables)
{
  GpuDevice *device = gpu_stream_get_device (tables->stream);

  return gpu_device_get_info (device)->kind == GPU_DEVICE_CPU;
}

static gboolean
compare (Tables * tables, const gchar * name, const LadderResult * result,
    GError ** error)
{
  const CellPoint *a = result->ends, *b = tables->truth.ends;

  for (guint i = 0; i < tables->colours->n; i++)
    if (a[i].ab != b[i].ab || a[i].L != b[i].L) {
      g_set_error (error, GPU_ERROR, GPU_ERROR_FAILED,
          "%s: walker %u ended elsewhere than by brute force", name, i);
      return FALSE;
    }
  return TRUE;
}

/* A way to walk, by the names that it has in tables. */
typedef struct
{
  const gchar *table, *name;
  const CellGrid *grid;
  Curve curve;
  const LadderWay *way;
} Row;

/* What it takes to walk. */
typedef struct
{
  gdouble ms;
  guint64 steps, tests;
  guint passes;
  gdouble longest;              /* ms, of a dispatch; 0: not known */
} Cost;

static void
print_line (Tables * tables, const gchar * table, const gchar * name,
    const gchar * cells, const Cost * cost)
{
  gdouble n = MAX (cost->steps, 1);

  g_print ("%-28s %10s %10.3f %9" G_GUINT64_FORMAT " %9.0f %9.3f %6u %8.3f\n",
      name, cells, cost->ms, cost->steps, cost->tests / n, cost->ms / n * 1e6,
      cost->passes, cost->longest);
  if (tables->csv)
    fprintf (tables->csv, "%s,%u,%s,%s,%g,%s,%s,%s,%.4f,%" G_GUINT64_FORMAT
        ",%" G_GUINT64_FORMAT ",%u,%.4f\n", tables->picture->name,
        tables->colours->n, option_transfer, weightings[tables->weighting],
        option_radius, table, name, cells, cost->ms, cost->steps, cost->tests,
        cost->passes, cost->longest);
}

static void
print_row (Tables * tables, const Row * row, const LadderResult * result)
{
  const GpuPaletteGridCells *cells = &row->grid->cells;
  g_autofree gchar *sides =
      row->way->search == LADDER_BRUTE_FORCE ? g_strdup ("")
      : g_strdup_printf ("%u x %u", 1u << cells->shift, 1u << cells->shift_l);
  const Cost cost = {.ms = result->ms, .steps = result->steps,
    .tests = result->tests, .passes = result->passes->len,
    .longest = result->longest};

  print_line (tables, row->table, row->name, sides, &cost);
}

static void
print_header (const gchar * title)
{
  g_print ("\n%-28s %10s %10s %9s %9s %9s %6s %8s\n", title, "cells",
      "GPU ms", "steps", "tests", "ms/10^6", "passes", "longest");
}

/* Runs, once to warm up, compares, prints. @result: NULL, or for the caller to
 * clear. */
static gboolean
measure (Tables * tables, const Row * row, LadderResult * result,
    GError ** error)
{
  Ladder *ladder = ladder_new (tables->stream, tables->colours, row->grid,
      tables->weighting == GPU_PALETTE_FREQUENCY, row->curve, error);
  LadderResult own = { 0 };
  gboolean ok;

  if (!ladder)
    return FALSE;
  result = result ? result : &own;
  /* Brute force takes long enough. */
  ok = !tables->truth.ends || ladder_run (ladder, row->way, result, error);
  ladder_result_clear (result);
  ok = ok && ladder_run (ladder, row->way, result, error)
      && (!tables->truth.ends || compare (tables, row->name, result, error));
  if (ok)
    print_row (tables, row, result);
  ladder_result_clear (&own);
  ladder_free (ladder);
  return ok;
}

/* --- the ladder --- */

static LadderWay
usual_way (Tables * tables)
{
  /* Mesa's CPU device ends loops after 65536 rounds, all of a thread together. */
  return (LadderWay) {LADDER_PREFIX_SUMS, FALSE, LADDER_LISTS, FALSE,
    is_cpu (tables) ? 1 : 16};
}

static gboolean
measure_brute_force (Tables * tables, GError ** error)
{
  LadderWay way = usual_way (tables);
  CellGrid *grid = cell_grid_new (tables->colours, SHIFT, SHIFT);
  const Row row = {
    "ladder", searches[LADDER_BRUTE_FORCE], grid, CURVE_STRAIGHT, &way
  };
  gboolean ok;

  way.search = LADDER_BRUTE_FORCE;
  way.max_steps = 1;
  ok = measure (tables, &row, &tables->truth, error);
  cell_grid_free (grid);
  return ok;
}

static gboolean
measure_search (Tables * tables, guint search, GError ** error)
{
  LadderWay way = usual_way (tables);
  gboolean ok = TRUE;

  way.search = search;
  for (guint shift = MAX_SHIFT; ok && shift >= MIN_SHIFT; shift--) {
    CellGrid *grid = cell_grid_new (tables->colours, shift, shift);
    const Row row = { "ladder", searches[search], grid, CURVE_STRAIGHT, &way };

    ok = measure (tables, &row, NULL, error);
    cell_grid_free (grid);
  }
  return ok;
}

static gboolean
measure_shared (Tables * tables, const CellGrid * grid, LadderResult * result,
    GError ** error)
{
  LadderWay way = usual_way (tables);
  const Row row = { "ladder", "walks shared", grid, CURVE_STRAIGHT, &way };

  way.shares = TRUE;
  return measure (tables, &row, result, error);
}

/* --- the engine, which has batches --- */

static gboolean
run_engine (Tables * tables, GpuPalette * palette, const GpuFrames * frames,
    GpuPaletteReport * report, GpuTimings * timings, GError ** error)
{
  const GpuPaletteSettings settings = {
    .making = {option_radius, tables->weighting}
  };

  gpu_stream_time_next_frame (tables->stream);
  gpu_stream_next_frame (tables->stream);
  if (!gpu_stream_begin (tables->stream, error)
      || !gpu_palette_record (palette, tables->stream, &settings, frames,
          report, error)
      || !gpu_stream_submit (tables->stream, NULL, error)
      || !gpu_stream_wait_idle (tables->stream, error))
    return FALSE;
  gpu_palette_get_report (palette, report);
  gpu_stream_get_timings (tables->stream, timings);
  return TRUE;
}

/* Of rounds, too: they bring walkers of a cell together. */
static gdouble
walk_time (const GpuTimings * timings)
{
  guint64 ns = 0;

  for (guint i = 0; i < timings->n_stages; i++)
    if (!strcmp (timings->stages[i].name, "palette-walk")
        || !strcmp (timings->stages[i].name, "palette-round"))
      ns += timings->stages[i].total;
  return ns / 1e6;
}

/* By turns with a frame of another picture, so that nothing is known. */
static gboolean
measure_frames (Tables * tables, GpuPalette * palette, BenchFrames * frames,
    const gchar * name, GError ** error)
{
  Cost cost = {.ms = G_MAXDOUBLE};
  GpuPaletteReport report;
  GpuTimings timings;

  for (guint turn = 0; turn < ENGINE_FRAMES; turn++)
    for (guint i = 2; i-- > 0;) {
      const GpuFrames pair = {.in = &frames->in[i], .out = &frames->out[i]};

      if (!run_engine (tables, palette, &pair, &report, &timings, error))
        return FALSE;
      if (i == 0)
        cost.ms = MIN (cost.ms, walk_time (&timings));
    }
  cost.steps = report.effort.steps;
  cost.tests = report.effort.tests;
  cost.passes = report.effort.rounds;
  print_line (tables, "ladder", name, "", &cost);
  return TRUE;
}

static gboolean
measure_engine (Tables * tables, GpuPaletteWalkKind walk, const gchar * name,
    GError ** error)
{
  const BenchPicture *picture = tables->picture;
  const GpuPaletteTuning tuning = {.walk = walk};
  BenchPicture *other =
      bench_picture_noise (picture->width, picture->height, 1);
  BenchPicture *pictures[] = { (BenchPicture *) picture, other };
  BenchFrames *frames;
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = picture->width, .height = picture->height};
  g_autoptr (GpuPalette) palette =
      gpu_palette_new (gpu_stream_get_device (tables->stream));
  gboolean ok;

  cell_colours_thin (other, 1000);
  frames = bench_frames_new (tables->stream, GPU_PIXELS_RGBA, pictures,
      G_N_ELEMENTS (pictures), 0, error);
  gpu_palette_set_tuning (palette, &tuning);
  if (is_linear ())
    gpu_palette_set_transfer (palette, gpu_palette_transfer_linear, NULL);
  ok = frames && gpu_palette_configure (palette, &format,
      GPU_PALETTE_EXACT, error)
      && measure_frames (tables, palette, frames, name, error);
  g_clear_pointer (&frames, bench_frames_free);
  bench_picture_free (other);
  return ok;
}

/* --- tables of one idea --- */

static gboolean
measure_curves (Tables * tables, const CellGrid * grid, GError ** error)
{
  LadderWay way = usual_way (tables);

  print_header ("order of walkers");
  for (guint curve = 0; curve <= CURVES; curve++) {
    const gchar *name = curve < CURVES ? curve_get_name (curve) : "colours";
    const Row row = { "order", name, grid, curve, &way };

    if (!measure (tables, &row, NULL, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
measure_lengths (Tables * tables, const CellGrid * grid, GError ** error)
{
  static const guint lengths[] = { 1, 4, 16, 64 };

  print_header ("steps of a pass");
  for (guint persistent = 0; persistent < (is_cpu (tables) ? 1 : 2);
      persistent++)
    for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
      LadderWay way = usual_way (tables);
      g_autofree gchar *name = g_strdup_printf ("%u%s", lengths[i],
          persistent ? " persistent" : "");
      const Row row = { "pass", name, grid, CURVE_STRAIGHT, &way };

      way.max_steps = lengths[i];
      way.is_persistent = persistent;
      if (!measure (tables, &row, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
measure_masks (Tables * tables, const CellGrid * grid,
    LadderResult results[G_N_ELEMENTS (masks)], GError ** error)
{
  print_header ("mask, one step a pass");
  for (guint mask = 0; mask < G_N_ELEMENTS (masks); mask++) {
    LadderWay way = usual_way (tables);
    const Row row = { "mask", masks[mask], grid, CURVE_STRAIGHT, &way };

    way.mask = mask;
    way.max_steps = 1;
    if (!measure (tables, &row, &results[mask], error))
      return FALSE;
  }
  return TRUE;
}

static guint
count_done (const LadderResult * result, guint n, guint steps)
{
  guint done = 0;

  for (guint i = 0; i < n; i++)
    done += result->steps_of[i] <= steps;
  return done;
}

/* Shares of walkers that are done after so many steps, and what the next pass of one
 * step takes. */
static void
print_depths (Tables * tables, const LadderResult * shared,
    const LadderResult results[G_N_ELEMENTS (masks)])
{
  guint n = tables->colours->n;

  g_print ("\n%6s %8s %8s", "steps", "done", "shared");
  for (guint mask = 0; mask < G_N_ELEMENTS (masks); mask++)
    g_print (" %8s", masks[mask]);
  for (guint steps = 0; steps < results[LADDER_FLAGS].passes->len;
      steps = MAX (2 * steps, 1)) {
    g_print ("\n%6u %7.1f%% %7.1f%%", steps,
        100.0 * count_done (&tables->truth, n, steps) / n,
        100.0 * count_done (shared, n, steps) / n);
    for (guint mask = 0; mask < G_N_ELEMENTS (masks); mask++)
      g_print (" %8.3f", g_array_index (results[mask].passes, LadderPass,
              steps).ms);
  }
  g_print ("\n");
}

static gboolean
measure_depths (Tables * tables, const CellGrid * grid,
    const LadderResult * shared, GError ** error)
{
  LadderResult results[G_N_ELEMENTS (masks)] = { 0 };
  gboolean ok = measure_masks (tables, grid, results, error);

  if (ok)
    print_depths (tables, shared, results);
  for (guint mask = 0; mask < G_N_ELEMENTS (masks); mask++)
    ladder_result_clear (&results[mask]);
  return ok;
}

static gboolean
measure_empty (Tables * tables, const CellGrid * grid, GError ** error)
{
  Ladder *ladder = ladder_new (tables->stream, tables->colours, grid,
      tables->weighting == GPU_PALETTE_FREQUENCY, CURVE_STRAIGHT, error);
  gboolean ok = ladder != NULL;

  g_print ("\n%u walkers, all done\n", EMPTY_WALKERS);
  for (guint persistent = 0; persistent < (is_cpu (tables) ? 1 : 2);
      persistent++)
    for (guint mask = LADDER_FLAGS; ok && mask <= LADDER_BALLOTS; mask++) {
      LadderWay way = usual_way (tables);
      gdouble ms = 0;

      way.mask = mask;
      way.is_persistent = persistent;
      ok = ladder_run_empty (ladder, &way, EMPTY_WALKERS, &ms, error);
      if (ok)
        g_print ("%-8s %-10s %8.4f ms, %.1f 10^9 a second\n", masks[mask],
            persistent ? "persistent" : "", ms, EMPTY_WALKERS / ms / 1e6);
    }
  g_clear_pointer (&ladder, ladder_free);
  return ok;
}

static void
print_occupancy (Tables * tables)
{
  g_print ("\n%6s %10s %10s %6s %8s %6s\n", "cells", "number", "occupied", "",
      "points", "most");
  for (guint shift = MAX_SHIFT; shift >= MIN_SHIFT; shift--) {
    CellGrid *grid = cell_grid_new (tables->colours, shift, shift);
    guint occupied = 0, most = 0;

    for (guint i = 0; i < grid->n_cells; i++) {
      guint n = grid->starts[i + 1] - grid->starts[i];

      occupied += n > 0;
      most = MAX (most, n);
    }
    g_print ("%6u %10u %10u %5.1f%% %8.2f %6u\n", 1u << shift, grid->n_cells,
        occupied, 100.0 * occupied / grid->n_cells,
        (gdouble) tables->colours->n / MAX (occupied, 1), most);
    cell_grid_free (grid);
  }
}

/* --- all of a picture --- */

static gboolean
measure_ladder (Tables * tables, const CellGrid * grid, LadderResult * shared,
    GError ** error)
{
  LadderWay way = usual_way (tables);
  const Row shorter = { "ladder", "shorter cells", grid, CURVE_STRAIGHT, &way };

  print_header ("each on top of the last");
  if (!measure_brute_force (tables, error))
    return FALSE;
  for (guint search = LADDER_BOX; search <= LADDER_PREFIX_SUMS; search++)
    if (!measure_search (tables, search, error))
      return FALSE;
  return measure (tables, &shorter, NULL, error)
      && measure_shared (tables, grid, shared, error)
      && measure_engine (tables, GPU_PALETTE_WALK_LANES,
      "batches of a cell", error)
      && measure_engine (tables, GPU_PALETTE_WALK_GROUPS,
      "batches of a subgroup", error);
}

static gboolean
measure_tables (Tables * tables, GError ** error)
{
  CellGrid *grid = cell_grid_new (tables->colours, SHIFT, SHIFT_L);
  LadderResult shared = { 0 };
  gboolean ok;

  g_print ("\n%s, %u colours, %s, %s, radius %g\n", tables->picture->name,
      tables->colours->n, option_transfer, weightings[tables->weighting],
      option_radius);
  print_occupancy (tables);
  ok = measure_ladder (tables, grid, &shared, error)
      && measure_curves (tables, grid, error)
      && measure_lengths (tables, grid, error)
      && measure_depths (tables, grid, &shared, error)
      && measure_empty (tables, grid, error);
  ladder_result_clear (&shared);
  cell_grid_free (grid);
  return ok;
}

static gboolean
measure_picture (GpuStream * stream, const gchar * file, FILE * csv,
    GError ** error)
{
  BenchPicture *picture = bench_picture_load_ppm (file, error);
  gboolean ok = picture != NULL;

  if (ok && option_colours > 0)
    cell_colours_thin (picture, option_colours);
  for (guint w = 0; ok && w < G_N_ELEMENTS (weightings); w++) {
    Tables tables = { stream, picture, w, NULL, {0}, csv };

    if (!bench_is_chosen (option_weighting, weightings[w]))
      continue;
    tables.colours = cell_colours_new (picture, option_radius,
        is_linear ()? REFERENCE_TRANSFER_LINEAR : REFERENCE_TRANSFER_SRGB, w);
    ok = measure_tables (&tables, error);
    ladder_result_clear (&tables.truth);
    cell_colours_free (tables.colours);
  }
  g_clear_pointer (&picture, bench_picture_free);
  return ok;
}

static gboolean
run (FILE * csv, GError ** error)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuStream) stream =
      device ? gpu_stream_new (device, 2, "bench", error) : NULL;

  if (!stream)
    return FALSE;
  if (csv)
    fprintf (csv,
        "picture,colours,transfer,weighting,radius,table,way,cells,gpu_ms,"
        "steps,tests,passes,longest_ms\n");
  g_print ("%s\n", gpu_device_get_info (device)->name);
  for (guint i = 0; option_files && option_files[i]; i++)
    if (!measure_picture (stream, option_files[i], csv, error))
      return FALSE;
  return TRUE;
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "ladder_tables", options, run);
}
