/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of the palette engine, from histogram to output pixels.
 *
 *   bench_palette --radii 0.01,0.02 --stages a.ppm b.ppm
 *
 * All pictures take turns, so that no map is reused; a single one takes turns
 * with noise. Times are medians over the frames of one picture; the work that
 * was counted is of its last frame. Of live, colours are cells. */
#include "bench.h"
#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "gpu_fixture.h"

#include <stdlib.h>
#include <string.h>

/* After so many submissions of the same work the stream times whole frames only. */
#define WARM_UP_SUBMISSIONS 64

static gchar *option_size = "1920x1080";
static gchar *option_radii = "0.02";
static gchar *option_weighting = "both";
static gchar *option_solver = "exact";
static gchar *option_transfer = "srgb";
static gint option_limit = 0;
static gdouble option_stability = 0;
static gint option_colors = 0;
static gint option_history = 1;
static gint option_cell_shift = 0;
static gint option_frames = 10;
static gboolean option_stages;
static gchar **option_files;

static const GOptionEntry options[] = {
  {"size", 's', 0, G_OPTION_ARG_STRING, &option_size, "frame size", "WxH"},
  {"radii", 'r', 0, G_OPTION_ARG_STRING, &option_radii, "radii", "R,…"},
  {"weighting", 'w', 0, G_OPTION_ARG_STRING, &option_weighting,
      "palette, frequency or both", "NAME"},
  {"solver", 0, 0, G_OPTION_ARG_STRING, &option_solver,
      "exact, live or all", "NAME"},
  {"transfer", 't', 0, G_OPTION_ARG_STRING, &option_transfer,
      "srgb or linear", "NAME"},
  {"stability", 0, 0, G_OPTION_ARG_DOUBLE, &option_stability,
      "of live: pictures are frames of one scene", "0…1"},
  {"colors", 0, 0, G_OPTION_ARG_INT, &option_colors,
      "of live: colours at most, in place of a radius", "N"},
  {"history", 0, 0, G_OPTION_ARG_INT, &option_history,
      "frames that are counted together", "N"},
  {"iteration-limit", 'i', 0, G_OPTION_ARG_INT, &option_limit,
      "steps of a walk, 0: no limit", "N"},
  {"cell-shift", 'c', 0, G_OPTION_ARG_INT, &option_cell_shift,
      "log2 of the side of the grid's cells, 0: chosen", "N"},
  {"frames", 'n', 0, G_OPTION_ARG_INT, &option_frames,
      "frames measured of every picture", "N"},
  {"stages", 0, 0, G_OPTION_ARG_NONE, &option_stages,
      "time of every stage as well", NULL},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_files,
      NULL, "[FILE.ppm | FILE.rgba]…"},
  {NULL}
};

typedef struct
{
  const gchar *name;
  GpuPaletteQuality quality;
} Way;

static const Way ways[] = {
  {"exact", GPU_PALETTE_EXACT},
  {"live", GPU_PALETTE_LIVE},
};

typedef struct
{
  GpuStream *stream;
  GpuPalette *palette;
  GPtrArray *pictures;          /* of BenchPicture */
  BenchFrames *frames;          /* of these */
  gdouble copy;                 /* ms */
  FILE *csv;
} Bench;

/* What was measured of one picture. */
typedef struct
{
  GArray *spans, *walls;        /* ms */
  gdouble longest_dispatch, longest_submission; /* ms */
  GpuTimings timings;
  GpuPaletteReport report;
  gsize memory;                 /* bytes of the whole engine */
} Row;

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static gdouble
median (GArray * values)
{
  g_array_sort (values, compare_doubles);
  return values->len ? g_array_index (values, gdouble, values->len / 2) : 0;
}

static Row *
rows_new (guint n)
{
  Row *rows = g_new0 (Row, n);

  for (guint i = 0; i < n; i++) {
    rows[i].spans = g_array_new (FALSE, FALSE, sizeof (gdouble));
    rows[i].walls = g_array_new (FALSE, FALSE, sizeof (gdouble));
  }
  return rows;
}

static void
rows_free (Row * rows, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_array_unref (rows[i].spans);
    g_array_unref (rows[i].walls);
  }
  g_free (rows);
}

/* --- measuring --- */

static void
note_time (Row * row, gdouble wall)
{
  gdouble span = row->timings.span / 1e6;

  g_array_append_val (row->spans, span);
  g_array_append_val (row->walls, wall);
}

static void
note_bounds (Row * row, GpuStream * stream)
{
  GpuTimings *timings = &row->timings;

  gpu_stream_get_timings (stream, timings);
  row->longest_submission =
      MAX (row->longest_submission, timings->longest_submission / 1e6);
  row->longest_dispatch =
      MAX (row->longest_dispatch, timings->longest_dispatch / 1e6);
}

static gboolean
run_frame (const Bench * bench, const GpuPaletteSettings * settings,
    const GpuFrames * frames, GpuPaletteReport * report, GError ** error)
{
  GpuStream *stream = bench->stream;

  if (option_stages)
    gpu_stream_time_next_frame (stream);
  gpu_stream_next_frame (stream);
  return gpu_stream_begin (stream, error)
      && gpu_palette_record (bench->palette, stream, settings, frames, report,
      error)
      && gpu_stream_submit (stream, NULL, error)
      && gpu_stream_wait_idle (stream, error);
}

/* One frame of each picture. Adds their submissions to @submissions. */
static gboolean
run_turn (const Bench * bench, const GpuPaletteSettings * settings, Row * rows,
    gboolean is_measured, guint64 * submissions, GError ** error)
{
  BenchFrames *frames = bench->frames;

  for (guint i = 0; i < frames->n; i++) {
    const GpuFrames pair = {.in = &frames->in[i], .out = &frames->out[i]};
    gint64 begin = g_get_monotonic_time ();

    if (!run_frame (bench, settings, &pair, &rows[i].report, error))
      return FALSE;
    *submissions += rows[i].report.submissions + 1;
    gpu_palette_get_report (bench->palette, &rows[i].report);
    rows[i].memory = gpu_palette_get_memory (bench->palette);
    note_bounds (&rows[i], bench->stream);
    if (is_measured)
      note_time (&rows[i], (g_get_monotonic_time () - begin) / 1e3);
  }
  return TRUE;
}

/* The first turns warm up: the bounds of dispatches adapt, and as long as they do, commands
 * are timed one by one, which takes time itself. But they are bounds in all turns. */
static gboolean
measure (const Bench * bench, const GpuPaletteSettings * settings, Row * rows,
    GError ** error)
{
  guint64 submissions = 0;

  do
    if (!run_turn (bench, settings, rows, FALSE, &submissions, error))
      return FALSE;
  while (submissions < WARM_UP_SUBMISSIONS);
  for (gint turn = 0; turn < option_frames; turn++)
    if (!run_turn (bench, settings, rows, TRUE, &submissions, error))
      return FALSE;
  return TRUE;
}

/* --- printing --- */

static void
print_header (FILE * csv)
{
  g_print ("%-20s %7s %-9s %-11s %8s %6s %6s %9s %6s %6s %6s %4s %8s %8s "
      "%8s %8s %6s %6s\n", "picture", "radius", "weights", "solver", "colours",
      "ends", "out", "steps", "tests", "list", "lists", "rnds", "GPU ms",
      "wall ms", "dispatch", "submit", "solver", "MiB");
  if (csv)
    fprintf (csv, "picture,width,height,radius,weighting,solver,limit,"
        "cell_shift,colours,ends,output_colours,steps,tests_per_step,"
        "points_per_list,lists,rounds,submissions,gpu_ms,wall_ms,"
        "longest_dispatch_ms,longest_submission_ms,copy_ms,solver_mib,mib\n");
}

static void
print_stages (const GpuTimings * timings)
{
  for (guint i = 0; i < timings->n_stages; i++)
    g_print ("    %-20s %8.3f ms in %u dispatches, longest %.3f\n",
        timings->stages[i].name, timings->stages[i].total / 1e6,
        timings->stages[i].dispatches, timings->stages[i].longest / 1e6);
}

/* Of the picture of number @i. */
static void
print_row (const Bench * bench, guint i, const GpuPaletteSettings * settings,
    const gchar * solver, Row * row)
{
  const BenchPicture *picture = g_ptr_array_index (bench->pictures, i);
  const GpuFrameInfo *info = &bench->frames->in[i].info;
  const GpuPaletteReport *r = &row->report;
  const gchar *weighting = settings->making.weighting == GPU_PALETTE_FREQUENCY
      ? "frequency" : "palette";
  gdouble tests = (gdouble) r->effort.tests / MAX (r->effort.steps, 1);
  gdouble listed = (gdouble) r->effort.listed / MAX (r->effort.lists, 1);
  gdouble gpu = median (row->spans), wall = median (row->walls);
  gdouble solver_mib = r->effort.memory / 1048576.0, mib =
      row->memory / 1048576.0;

  g_print ("%-20s %7g %-9s %-11s %8u %6u %6u %9" G_GUINT64_FORMAT
      " %6.0f %6.0f %6" G_GUINT64_FORMAT " %4u %8.3f %8.3f %8.3f %8.3f "
      "%6.1f %6.1f\n",
      picture->name, gpu_palette_get_radius (settings), weighting, solver,
      r->counted.colours + r->counted.bins, r->made.fixed_points,
      r->made.output_colours, r->effort.steps, tests, listed, r->effort.lists,
      r->effort.rounds, gpu, wall, row->longest_dispatch,
      row->longest_submission, solver_mib, mib);
  if (option_stages)
    print_stages (&row->timings);
  if (bench->csv)
    fprintf (bench->csv, "%s,%u,%u,%g,%s,%s,%u,%u,%u,%u,%u,%" G_GUINT64_FORMAT
        ",%.1f,%.1f,%" G_GUINT64_FORMAT ",%u,%u,%.4f,%.4f,%.4f,%.4f,%.4f,"
        "%.1f,%.1f\n",
        picture->name, info->width, info->height, settings->making.radius,
        weighting, solver, settings->making.iteration_limit, option_cell_shift,
        r->counted.colours + r->counted.bins, r->made.fixed_points,
        r->made.output_colours, r->effort.steps, tests, listed, r->effort.lists,
        r->effort.rounds, r->submissions, gpu, wall, row->longest_dispatch,
        row->longest_submission, bench->copy, solver_mib, mib);
}

/* --- what to measure --- */

static gboolean
measure_settings (const Bench * bench, const GpuPaletteSettings * settings,
    const Way * way, GError ** error)
{
  const guint n = bench->frames->n;
  const GpuPaletteTuning tuning = {.cell_shift = option_cell_shift};
  Row *rows = rows_new (n);
  gboolean ok;

  gpu_palette_set_tuning (bench->palette, &tuning);
  ok = measure (bench, settings, rows, error);

  for (guint i = 0; ok && i < n; i++)
    print_row (bench, i, settings, way->name, &rows[i]);
  rows_free (rows, n);
  return ok;
}

static gboolean
measure_all (const Bench * bench, GError ** error)
{
  static const gchar *weightings[] = { "frequency", "palette" };
  g_auto (GStrv) radii = g_strsplit (option_radii, ",", -1);

  for (guint r = 0; radii[r]; r++)
    for (guint w = 0; w < 2; w++)
      for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
        const GpuPaletteSettings settings = {
          .quality = ways[i].quality,
          .making.radius = CLAMP (g_ascii_strtod (radii[r], NULL), 0,
              GPU_PALETTE_MAX_RADIUS),
          .making.weighting = w,
          .making.iteration_limit = option_limit,
          .making.limit = ways[i].quality == GPU_PALETTE_LIVE
              ? CLAMP (option_colors, 0, GPU_PALETTE_MAX_COLOURS) : 0,
          .motion.stability = CLAMP (option_stability, 0, 1),
          .counting.history = CLAMP (option_history, 1,
              GPU_PALETTE_MAX_HISTORY)
        };

        if (bench_is_chosen (option_weighting, weightings[w])
            && bench_is_chosen (option_solver, ways[i].name)
            && !measure_settings (bench, &settings, &ways[i], error))
          return FALSE;
      }
  return TRUE;
}

/* So that no memory is taken that is not asked for. */
static GpuPaletteQuality
first_quality (void)
{
  return strcmp (option_solver, "live") ? GPU_PALETTE_EXACT : GPU_PALETTE_LIVE;
}

static GPtrArray *
load_pictures (const guint * size, GError ** error)
{
  GPtrArray *pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) bench_picture_free);

  for (guint i = 0; option_files && option_files[i]; i++) {
    BenchPicture *picture =
        bench_picture_load (option_files[i], size[0], size[1], error);

    if (!picture) {
      g_ptr_array_unref (pictures);
      return NULL;
    }
    g_ptr_array_add (pictures, picture);
  }
  for (guint i = pictures->len; i < 2; i++)
    g_ptr_array_add (pictures, bench_picture_noise (size[0], size[1], i + 1));
  return pictures;
}

static gboolean
measure_pictures (GpuStream * stream, GPtrArray * pictures, FILE * csv,
    GError ** error)
{
  const BenchPicture *first = g_ptr_array_index (pictures, 0);
  gsize frame_size = (gsize) first->width * first->height * 4;
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = first->width, .height = first->height};
  g_autoptr (GpuPalette) palette =
      gpu_palette_new (gpu_stream_get_device (stream));
  BenchFrames *frames = bench_frames_new (stream, GPU_PIXELS_RGBA,
      (BenchPicture **) pictures->pdata, pictures->len,
      2 * frame_size * pictures->len, error);
  const BenchSeries series = {.stream = stream, .frames = frames, .n = 20,
    .slots = 1};
  Bench bench = {.stream = stream, .palette = palette, .pictures = pictures,
    .frames = frames, .csv = csv};
  BenchResult copy;
  gboolean ok;

  if (!strcmp (option_transfer, "linear"))
    gpu_palette_set_transfer (palette, gpu_palette_transfer_linear, NULL);
  ok = frames && gpu_palette_configure (palette, &format,
      first_quality (), error)
      && bench_run (&series, bench_copy, NULL, &copy, error);

  if (ok) {
    g_print ("%s, RGBA %ux%u, copy %.4f ms\n",
        gpu_device_get_info (gpu_stream_get_device (stream))->name,
        first->width, first->height, copy.gpu);
    print_header (csv);
    bench.copy = copy.gpu;
    ok = measure_all (&bench, error);
    g_print ("%.0f MiB of memory\n",
        gpu_device_get_allocated (gpu_stream_get_device (stream)) / 1048576.0);
  }
  g_clear_pointer (&frames, bench_frames_free);
  return ok;
}

static gboolean
run (FILE * csv, GError ** error)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GArray) sizes = bench_parse_sizes (option_size);
  g_autoptr (GpuStream) stream =
      device ? gpu_stream_new (device, 2, "bench", error) : NULL;
  g_autoptr (GPtrArray) pictures =
      stream ? load_pictures ((guint *) sizes->data, error) : NULL;

  return pictures && measure_pictures (stream, pictures, csv, error);
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "bench_palette", options, run);
}
