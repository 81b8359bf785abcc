/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of the palette engine, from histogram to output pixels.
 *
 *   bench_palette --radii 0.01,0.02 --stages a.ppm b.ppm
 *   bench_palette --changes cursor,0,1,10,100
 *
 * All pictures take turns, so that no map is reused; a single one takes turns
 * with noise. Times are medians over the frames of one picture; the work that
 * was counted is of its last frame. Of live, colours are cells.
 *
 * Changes make films of a desktop (desktop.h) over which a cursor moves, or of which
 * so many percent of the pixels change from frame to frame, in rows. The first frame
 * of each film has a row of its own. Of those that follow, the colours that were
 * solved are the most of any frame. */
#include "bench.h"
#include "desktop.h"
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
static gdouble option_max_shift = 2;
static gdouble option_stability = 0;
static gdouble option_coherence = 0.25;
static gint option_colors = 0;
static gint option_history = 1;
static gint option_frames = 10;
static gboolean option_stages;
static gchar *option_changes;
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
  {"max-shift", 0, 0, G_OPTION_ARG_DOUBLE, &option_max_shift,
      "of live: farthest that a colour may move, in radii", "K"},
  {"stability", 0, 0, G_OPTION_ARG_DOUBLE, &option_stability,
      "of live: pictures are frames of one scene", "0…1"},
  {"coherence", 0, 0, G_OPTION_ARG_DOUBLE, &option_coherence,
      "of live: how much pixels side by side decide together", "0…1"},
  {"colors", 0, 0, G_OPTION_ARG_INT, &option_colors,
      "of live: colours at most, in place of a radius", "N"},
  {"history", 0, 0, G_OPTION_ARG_INT, &option_history,
      "frames that are counted together", "N"},
  {"iteration-limit", 'i', 0, G_OPTION_ARG_INT, &option_limit,
      "steps of a walk, 0: no limit", "N"},
  {"changes", 0, 0, G_OPTION_ARG_STRING, &option_changes,
      "films in place of pictures: percent of the pixels, or cursor", "X,…"},
  {"frames", 'n', 0, G_OPTION_ARG_INT, &option_frames,
      "frames measured of every picture, or of a film", "N"},
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

static const gchar *const weightings[] = { "frequency", "palette" };

typedef struct
{
  GpuStream *stream;
  GpuPalette *palette;
  BenchFrames *frames;
  gdouble copy;                 /* ms */
  FILE *csv;
} Bench;

/* What was measured of one picture, or of frames of a film. */
typedef struct
{
  const gchar *name;
  GArray *spans, *walls;        /* ms */
  gdouble longest_dispatch, longest_submission; /* ms */
  GpuTimings timings;
  GpuPaletteReport report;
  guint most_solved;            /* colours */
  gsize memory;                 /* bytes of the whole engine */
} Row;

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

/* Adds the submissions of frame @i to @submissions. */
static gboolean
note_frame (const Bench * bench, const GpuPaletteSettings * settings, guint i,
    Row * row, gboolean is_measured, guint64 * submissions, GError ** error)
{
  const GpuFrames pair = {.in = &bench->frames->in[i],
    .out = &bench->frames->out[i]};
  gint64 begin = g_get_monotonic_time ();

  if (!run_frame (bench, settings, &pair, &row->report, error))
    return FALSE;
  *submissions += row->report.submissions + 1;
  gpu_palette_get_report (bench->palette, &row->report);
  row->most_solved = MAX (row->most_solved, row->report.made.solved_colours);
  row->memory = gpu_palette_get_memory (bench->palette);
  note_bounds (row, bench->stream);
  if (is_measured)
    note_time (row, (g_get_monotonic_time () - begin) / 1e3);
  return TRUE;
}

/* One frame of each picture. */
static gboolean
run_turn (const Bench * bench, const GpuPaletteSettings * settings, Row * rows,
    gboolean is_measured, guint64 * submissions, GError ** error)
{
  for (guint i = 0; i < bench->frames->n; i++)
    if (!note_frame (bench, settings, i, &rows[i], is_measured, submissions,
            error))
      return FALSE;
  return TRUE;
}

/* The first frame, which is solved from nothing, then the others. */
static gboolean
measure_film (const Bench * bench, const GpuPaletteSettings * settings,
    Row rows[2], GError ** error)
{
  guint64 submissions = 0;

  gpu_palette_forget (bench->palette);
  for (guint i = 0; i < bench->frames->n; i++)
    if (!note_frame (bench, settings, i, &rows[MIN (i, 1)], TRUE, &submissions,
            error))
      return FALSE;
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

static const BenchColumn columns[] = {
  {"picture", -20, "picture"}, {NULL, 0, "width"}, {NULL, 0, "height"},
  {"radius", 7, "radius"}, {"weights", -9, "weighting"},
  {"solver", -11, "solver"}, {NULL, 0, "limit"},
  {"colours", 8, "colours"}, {"added", 6, "added"}, {"removed", 7, "removed"},
  {"solved", 6, "solved"}, {"ends", 6, "ends"}, {"out", 6, "output_colours"},
  {"steps", 9, "steps"}, {"tests", 6, "tests_per_step"},
  {"rnds", 4, "rounds"},
  {NULL, 0, "submissions"}, {"GPU ms", 8, "gpu_ms"}, {"wall ms", 8, "wall_ms"},
  {"dispatch", 8, "longest_dispatch_ms"},
  {"submit", 8, "longest_submission_ms"}, {NULL, 0, "copy_ms"},
  {"solver", 6, "solver_mib"}, {"MiB", 6, "mib"}, {NULL}
};

static void
print_row (const Bench * bench, const GpuPaletteSettings * settings,
    const gchar * solver, Row * row)
{
  const GpuFrameInfo *info = &bench->frames->in[0].info;
  const GpuPaletteReport *r = &row->report;

  bench_print_row (columns, bench->csv, "%s|%u|%u|%g|%s|%s|%u|%u|%u|%u|%u|"
      "%u|%u|%" G_GUINT64_FORMAT "|%.0f|%u|%u|%.4f|"
      "%.4f|%.4f|%.4f|%.4f|%.1f|%.1f", row->name, info->width, info->height,
      gpu_palette_get_radius (settings), weightings[settings->making.weighting],
      solver, settings->making.iteration_limit,
      r->counted.colours + r->counted.bins, r->made.added, r->made.removed,
      row->most_solved, r->made.fixed_points, r->made.output_colours,
      r->effort.steps, (gdouble) r->effort.tests / MAX (r->effort.steps, 1),
      r->effort.rounds, r->submissions, bench_median (row->spans),
      bench_median (row->walls), row->longest_dispatch,
      row->longest_submission, bench->copy, r->effort.memory / 1048576.0,
      row->memory / 1048576.0);
  if (option_stages)
    bench_print_stages (&row->timings);
}

/* --- what to measure --- */

static gboolean
measure_settings (const Bench * bench, const GpuPaletteSettings * settings,
    const Way * way, const GPtrArray * pictures, GError ** error)
{
  const guint n = option_changes ? 2 : bench->frames->n;
  const GpuPaletteTuning tuning = { 0 };
  Row *rows = rows_new (n);
  gboolean ok;

  for (guint i = 0; i < n; i++)
    rows[i].name = ((BenchPicture *) pictures->pdata[i])->name;
  gpu_palette_set_tuning (bench->palette, &tuning);
  ok = option_changes ? measure_film (bench, settings, rows, error)
      : measure (bench, settings, rows, error);
  for (guint i = 0; ok && i < n; i++)
    print_row (bench, settings, way->name, &rows[i]);
  rows_free (rows, n);
  return ok;
}

static gboolean
measure_all (const Bench * bench, const GPtrArray * pictures, GError ** error)
{
  g_auto (GStrv) radii = g_strsplit (option_radii, ",", -1);

  for (guint r = 0; radii[r]; r++)
    for (guint w = 0; w < G_N_ELEMENTS (weightings); w++)
      for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
        const GpuPaletteSettings settings = {
          .quality = ways[i].quality,
          .making.radius = CLAMP (g_ascii_strtod (radii[r], NULL), 0,
              GPU_PALETTE_MAX_RADIUS),
          .making.max_shift =
              CLAMP (option_max_shift, 0, GPU_PALETTE_MAX_SHIFT),
          .making.coherence = CLAMP (option_coherence, 0, 1),
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
            && !measure_settings (bench, &settings, &ways[i], pictures, error))
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

/* --- pictures and films --- */

static void
change (guint8 * rgba, const guint * size, const gchar * changes, guint i)
{
  gsize rows = size[1] * g_ascii_strtod (changes, NULL) / 100;
  guint x, y;

  if (strcmp (changes, "cursor")) {
    gsize first = rows < size[1] ? i * rows % (size[1] - rows) : 0;

    desktop_change (rgba, first * size[0], rows * size[0], i);
    return;
  }
  desktop_move_cursor (size[0], size[1], i, &x, &y);
  desktop_draw_cursor (rgba, size[0], size[1], x, y);
}

static GPtrArray *
make_film (const guint * size, const gchar * changes)
{
  GPtrArray *film =
      g_ptr_array_new_with_free_func ((GDestroyNotify) bench_picture_free);

  for (gint i = 0; i < MAX (option_frames, 2); i++) {
    BenchPicture *picture = g_new0 (BenchPicture, 1);

    picture->name = g_strdup (i == 0 ? "first" : changes);
    picture->width = size[0];
    picture->height = size[1];
    picture->bytes = desktop_new (size[0], size[1]);
    if (i > 0)
      change (picture->bytes, size, changes, i);
    g_ptr_array_add (film, picture);
  }
  return film;
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
  Bench bench = {.stream = stream, .palette = palette, .frames = frames,
    .csv = csv};
  BenchResult copy;
  gboolean ok;

  if (!strcmp (option_transfer, "linear"))
    gpu_palette_set_transfer (palette, gpu_palette_transfer_linear, NULL);
  ok = frames && gpu_palette_configure (palette, &format,
      first_quality (), error)
      && bench_run (&series, bench_copy, NULL, &copy, error);

  if (ok) {
    bench.copy = copy.gpu;
    ok = measure_all (&bench, pictures, error);
  }
  g_clear_pointer (&frames, bench_frames_free);
  return ok;
}

/* @changes: of a film; NULL: pictures. */
static gboolean
measure_some (GpuStream * stream, const guint * size, const gchar * changes,
    FILE * csv, GError ** error)
{
  g_autoptr (GPtrArray) pictures =
      changes ? make_film (size, changes) : load_pictures (size, error);

  return pictures && measure_pictures (stream, pictures, csv, error);
}

static gboolean
run (FILE * csv, GError ** error)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GArray) sizes = bench_parse_sizes (option_size);
  const guint *size = (const guint *) sizes->data;
  g_auto (GStrv) changes = g_strsplit (option_changes ? option_changes : "",
      ",", -1);
  g_autoptr (GpuStream) stream =
      device ? gpu_stream_new (device, 2, "bench", error) : NULL;
  gboolean ok = stream != NULL;

  if (!ok)
    return FALSE;
  g_print ("%s, RGBA %ux%u\n", gpu_device_get_info (device)->name, size[0],
      size[1]);
  bench_print_titles (columns, csv);
  if (!option_changes)
    ok = measure_some (stream, size, NULL, csv, error);
  for (guint i = 0; ok && changes[i]; i++)
    ok = measure_some (stream, size, changes[i], csv, error);
  g_print ("%.0f MiB of memory\n",
      gpu_device_get_allocated (device) / 1048576.0);
  return ok;
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "bench_palette", options, run);
}
