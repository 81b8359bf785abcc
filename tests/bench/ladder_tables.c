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
  LadderResult shared, masked[G_N_ELEMENTS (masks)];
  FILE *csv;
} Tables;

/* --- one row --- */

static gboolean
is_cpu (Tables * tables)
{
  GpuDevice *device = gpu_stream_get_device (tables->stream);

  return gpu_device_get_info (device)->kind == GPU_DEVICE_CPU;
}

/* A way to walk, by the names that it has in tables. */
typedef struct
{
  const gchar *table, *name;
  guint shift, shift_l;         /* of the cells */
  Curve curve;
  LadderWay way;
  GpuPaletteWalkKind walk;      /* of the engine, in place of a way; 0: none */
  LadderResult *result;         /* to be kept here; NULL: not */
} Row;

/* What it takes to walk. */
typedef struct
{
  gdouble ms;
  guint64 steps, tests;
  guint passes;
  gdouble longest;              /* ms, of a dispatch; 0: not known */
} Cost;

static const BenchColumn columns[] = {
  {NULL, 0, "picture"}, {NULL, 0, "colours"}, {NULL, 0, "transfer"},
  {NULL, 0, "weighting"}, {NULL, 0, "radius"}, {NULL, 0, "table"},
  {"way", -28, "way"}, {"cells", 10, "cells"}, {"GPU ms", 10, "gpu_ms"},
  {"steps", 9, "steps"}, {NULL, 0, "tests"}, {"tests", 9},
  {"ms/10^6", 9}, {"passes", 6, "passes"}, {"longest", 8, "longest_ms"},
  {NULL}
};

static void
print_row (Tables * tables, const Row * row, const Cost * cost)
{
  gdouble n = MAX (cost->steps, 1);
  g_autofree gchar *cells = row->walk || row->way.search == LADDER_BRUTE_FORCE
      ? g_strdup ("") : g_strdup_printf ("%u x %u", 1u << row->shift,
      1u << row->shift_l);

  bench_print_row (columns, tables->csv, "%s|%u|%s|%s|%g|%s|%s|%s|%.4f|%"
      G_GUINT64_FORMAT "|%" G_GUINT64_FORMAT "|%.0f|%.3f|%u|%.4f",
      tables->picture->name, tables->colours->n, option_transfer,
      weightings[tables->weighting], option_radius, row->table, row->name,
      cells, cost->ms, cost->steps, cost->tests, cost->tests / n,
      cost->ms / n * 1e6, cost->passes, cost->longest);
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

/* Runs, once to warm up, compares, prints. Brute force, which is the first of all, takes long
 * enough. */
static gboolean
measure_way (Tables * tables, const Row * row, GError ** error)
{
  gboolean is_first = row->result == &tables->truth;
  LadderResult own = { 0 }, *result = row->result ? row->result : &own;
  CellGrid *grid = cell_grid_new (tables->colours, row->shift, row->shift_l);
  Ladder *ladder = ladder_new (tables->stream, tables->colours, grid,
      tables->weighting == GPU_PALETTE_FREQUENCY, row->curve, error);
  gboolean ok = ladder && (is_first
      || ladder_run (ladder, &row->way, result, error));

  ladder_result_clear (result);
  ok = ok && ladder_run (ladder, &row->way, result, error)
      && (is_first || compare (tables, row->name, result, error));
  if (ok)
    print_row (tables, row, &(Cost) {result->ms, result->steps, result->tests,
      result->passes->len, result->longest});
  ladder_result_clear (&own);
  g_clear_pointer (&ladder, ladder_free);
  cell_grid_free (grid);
  return ok;
}

/* --- the engine, which has batches --- */

static gboolean
run_engine (Tables * tables, GpuPalette * palette, const GpuFrames * frames,
    GpuPaletteReport * report, GpuTimings * timings, GError ** error)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = option_radius, .weighting = tables->weighting}
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
    const Row * row, GError ** error)
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
  print_row (tables, row, &cost);
  return TRUE;
}

static gboolean
measure_engine (Tables * tables, const Row * row, GError ** error)
{
  const BenchPicture *picture = tables->picture;
  const GpuPaletteTuning tuning = {.walk = row->walk};
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
      && measure_frames (tables, palette, frames, row, error);
  g_clear_pointer (&frames, bench_frames_free);
  bench_picture_free (other);
  return ok;
}

/* --- what a walk can have --- */

static LadderWay
usual_way (Tables * tables)
{
  /* Mesa's CPU device ends loops after 65536 rounds, all of a thread together. */
  return (LadderWay) {LADDER_PREFIX_SUMS, FALSE, LADDER_LISTS, FALSE,
    is_cpu (tables) ? 1 : 16};
}

static Row *
add_row (Tables * tables, GArray * rows, const gchar * table,
    const gchar * name)
{
  const Row row = { table, name, SHIFT, SHIFT_L, CURVE_STRAIGHT,
    usual_way (tables)
  };

  g_array_append_val (rows, row);
  return &g_array_index (rows, Row, rows->len - 1);
}

/* Each on top of the last. The engine has batches. */
static void
add_ladder (Tables * tables, GArray * rows)
{
  Row *row = add_row (tables, rows, "ladder", searches[LADDER_BRUTE_FORCE]);

  row->way.search = LADDER_BRUTE_FORCE;
  row->way.max_steps = 1;
  row->result = &tables->truth;
  for (guint search = LADDER_BOX; search <= LADDER_PREFIX_SUMS; search++)
    for (guint shift = MAX_SHIFT; shift >= MIN_SHIFT; shift--) {
      row = add_row (tables, rows, "ladder", searches[search]);
      row->way.search = search;
      row->shift = row->shift_l = shift;
    }
  add_row (tables, rows, "ladder", "shorter cells");
  row = add_row (tables, rows, "ladder", "walks shared");
  row->way.shares = TRUE;
  row->result = &tables->shared;
  add_row (tables, rows, "ladder", "batches of a cell")->walk =
      GPU_PALETTE_WALK_LANES;
  add_row (tables, rows, "ladder", "batches of a subgroup")->walk =
      GPU_PALETTE_WALK_GROUPS;
}

/* Tables of one idea: the order of walkers, steps of a pass, masks. */
static void
add_ideas (Tables * tables, GArray * rows)
{
  static const guint lengths[] = { 1, 4, 16, 64 };

  for (guint curve = 0; curve <= CURVES; curve++)
    add_row (tables, rows, "order", curve < CURVES ? curve_get_name (curve)
        : "colours")->curve = curve;
  for (guint persistent = 0; persistent < (is_cpu (tables) ? 1 : 2);
      persistent++)
    for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
      g_autofree gchar *name = g_strdup_printf ("%u%s", lengths[i],
          persistent ? " persistent" : "");
      Row *row = add_row (tables, rows, "pass", g_intern_string (name));

      row->way.max_steps = lengths[i];
      row->way.is_persistent = persistent;
    }
  for (guint mask = 0; mask < G_N_ELEMENTS (masks); mask++) {
    Row *row = add_row (tables, rows, "mask", masks[mask]);

    row->way.mask = mask;
    row->way.max_steps = 1;
    row->result = &tables->masked[mask];
  }
}

/* --- tables beside those --- */

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
print_depths (Tables * tables)
{
  const LadderResult *results = tables->masked;
  guint n = tables->colours->n;

  g_print ("\n%6s %8s %8s", "steps", "done", "shared");
  for (guint mask = 0; mask < G_N_ELEMENTS (masks); mask++)
    g_print (" %8s", masks[mask]);
  for (guint steps = 0; steps < results[LADDER_FLAGS].passes->len;
      steps = MAX (2 * steps, 1)) {
    g_print ("\n%6u %7.1f%% %7.1f%%", steps,
        100.0 * count_done (&tables->truth, n, steps) / n,
        100.0 * count_done (&tables->shared, n, steps) / n);
    for (guint mask = 0; mask < G_N_ELEMENTS (masks); mask++)
      g_print (" %8.3f", g_array_index (results[mask].passes, LadderPass,
              steps).ms);
  }
  g_print ("\n");
}

static gboolean
measure_empty (Tables * tables, GError ** error)
{
  CellGrid *grid = cell_grid_new (tables->colours, SHIFT, SHIFT_L);
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
  cell_grid_free (grid);
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
measure_rows (Tables * tables, const GArray * rows, GError ** error)
{
  const gchar *table = "";

  for (guint i = 0; i < rows->len; i++) {
    const Row *row = &g_array_index (rows, Row, i);

    if (strcmp (row->table, table)) {
      g_print ("\n%s\n", row->table);
      bench_print_titles (columns, NULL);
    }
    table = row->table;
    if (!(row->walk ? measure_engine (tables, row, error)
            : measure_way (tables, row, error)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
measure_tables (Tables * tables, GError ** error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  gboolean ok;

  g_print ("\n%s, %u colours, %s, %s, radius %g\n", tables->picture->name,
      tables->colours->n, option_transfer, weightings[tables->weighting],
      option_radius);
  print_occupancy (tables);
  add_ladder (tables, rows);
  add_ideas (tables, rows);
  ok = measure_rows (tables, rows, error);
  if (ok)
    print_depths (tables);
  return ok && measure_empty (tables, error);
}

static gboolean
measure_picture (GpuStream * stream, const gchar * file, FILE * csv,
    GError ** error)
{
  BenchPicture *picture = bench_picture_load (file, 0, 0, error);
  gboolean ok = picture != NULL;

  if (ok && option_colours > 0)
    cell_colours_thin (picture, option_colours);
  for (guint w = 0; ok && w < G_N_ELEMENTS (weightings); w++) {
    Tables tables = {.stream = stream, .picture = picture, .weighting = w,
      .csv = csv};

    if (!bench_is_chosen (option_weighting, weightings[w]))
      continue;
    tables.colours = cell_colours_new (picture, option_radius,
        is_linear ()? REFERENCE_TRANSFER_LINEAR : REFERENCE_TRANSFER_SRGB, w);
    ok = measure_tables (&tables, error);
    ladder_result_clear (&tables.truth);
    ladder_result_clear (&tables.shared);
    for (guint i = 0; i < G_N_ELEMENTS (masks); i++)
      ladder_result_clear (&tables.masked[i]);
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
  g_print ("%s\n", gpu_device_get_info (device)->name);
  bench_print_titles (columns, csv);
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
