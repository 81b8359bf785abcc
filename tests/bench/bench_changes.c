/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of the exact palette of films in which a part of the picture changes.
 *
 *   bench_changes --changes cursor,0,1,10,100
 *
 * A desktop (desktop.h) over which a cursor moves, or of which so many percent of
 * the pixels change from frame to frame, in rows. The first frame of each film is
 * printed by itself. Of those that follow, times are medians, and the colours that
 * were solved the most of any; the rest is of the last. */
#include "bench.h"
#include "desktop.h"
#include "gpu/palette/palette.h"
#include "gpu_fixture.h"

#include <stdlib.h>
#include <string.h>

static gchar *option_size = "1920x1080";
static gchar *option_changes = "cursor,0,1,10,100";
static gchar *option_weighting = "both";
static gdouble option_radius = 0.02;
static gint option_frames = 12;
static gboolean option_stages;

static const GOptionEntry options[] = {
  {"size", 's', 0, G_OPTION_ARG_STRING, &option_size, "frame size", "WxH"},
  {"changes", 0, 0, G_OPTION_ARG_STRING, &option_changes,
      "percent of the pixels, or cursor", "X,…"},
  {"radius", 'r', 0, G_OPTION_ARG_DOUBLE, &option_radius, "radius", "R"},
  {"weighting", 'w', 0, G_OPTION_ARG_STRING, &option_weighting,
      "palette, frequency or both", "NAME"},
  {"frames", 'n', 0, G_OPTION_ARG_INT, &option_frames, "frames of a film", "N"},
  {"stages", 0, 0, G_OPTION_ARG_NONE, &option_stages,
      "time of every stage of the last frame as well", NULL},
  {NULL}
};

static const gchar *const weightings[] = { "frequency", "palette" };

typedef struct
{
  GpuStream *stream;
  GpuPalette *palette;
  FILE *csv;
} Bench;

typedef struct
{
  gdouble gpu, wall;            /* ms */
  GpuTimings timings;
  GpuPaletteReport report;
} Row;

/* --- films --- */

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

static BenchPicture *
picture_new (const guint * size, const gchar * changes, guint i)
{
  BenchPicture *picture = g_new0 (BenchPicture, 1);

  picture->name = g_strdup (changes);
  picture->width = size[0];
  picture->height = size[1];
  picture->bytes = desktop_new (size[0], size[1]);
  if (i > 0)
    change (picture->bytes, size, changes, i);
  return picture;
}

static GPtrArray *
film_new (const guint * size, const gchar * changes)
{
  GPtrArray *film =
      g_ptr_array_new_with_free_func ((GDestroyNotify) bench_picture_free);

  for (gint i = 0; i < MAX (option_frames, 2); i++)
    g_ptr_array_add (film, picture_new (size, changes, i));
  return film;
}

/* --- measuring --- */

static gboolean
run_frame (const Bench * bench, const GpuPaletteSettings * settings,
    const GpuFrames * frames, Row * row, GError ** error)
{
  GpuStream *stream = bench->stream;
  gint64 begin = g_get_monotonic_time ();

  if (option_stages)
    gpu_stream_time_next_frame (stream);
  gpu_stream_next_frame (stream);
  if (!gpu_stream_begin (stream, error)
      || !gpu_palette_record (bench->palette, stream, settings, frames,
          &row->report, error)
      || !gpu_stream_submit (stream, NULL, error)
      || !gpu_stream_wait_idle (stream, error))
    return FALSE;
  gpu_stream_get_timings (stream, &row->timings);
  row->gpu = row->timings.span / 1e6;
  row->wall = (g_get_monotonic_time () - begin) / 1e3;
  return TRUE;
}

static int
compare_gpu (gconstpointer a, gconstpointer b)
{
  gdouble x = ((const Row *) a)->gpu, y = ((const Row *) b)->gpu;

  return (x > y) - (x < y);
}

static int
compare_wall (gconstpointer a, gconstpointer b)
{
  gdouble x = ((const Row *) a)->wall, y = ((const Row *) b)->wall;

  return (x > y) - (x < y);
}

/* The last, with the median times of all, and the most colours that were solved. */
static Row
summarise (Row * rows, guint n)
{
  Row row = rows[n - 1];

  for (guint i = 0; i < n; i++)
    row.report.made.solved_colours = MAX (row.report.made.solved_colours,
        rows[i].report.made.solved_colours);
  qsort (rows, n, sizeof *rows, compare_gpu);
  row.gpu = rows[n / 2].gpu;
  qsort (rows, n, sizeof *rows, compare_wall);
  row.wall = rows[n / 2].wall;
  return row;
}

/* --- printing --- */

static void
print_row (const gchar * changes, guint weighting, const Row * row, FILE * csv)
{
  const GpuPaletteReport *r = &row->report;

  g_print ("%-12s %-9s %8u %8u %8u %8u %9" G_GUINT64_FORMAT
      " %8u %9.3f %9.3f\n", changes, weightings[weighting], r->counted.colours,
      r->made.added, r->made.removed, r->made.solved_colours, r->effort.steps,
      r->made.output_colours, row->gpu, row->wall);
  for (guint i = 0; option_stages && i < row->timings.n_stages; i++)
    g_print ("    %-20s %8.3f ms in %u dispatches\n",
        row->timings.stages[i].name, row->timings.stages[i].total / 1e6,
        row->timings.stages[i].dispatches);
  if (csv)
    fprintf (csv, "%s,%s,%u,%u,%u,%u,%" G_GUINT64_FORMAT ",%u,%.4f,%.4f\n",
        changes, weightings[weighting], r->counted.colours, r->made.added,
        r->made.removed, r->made.solved_colours, r->effort.steps,
        r->made.output_colours, row->gpu, row->wall);
}

static void
print_header (FILE * csv)
{
  g_print ("%-12s %-9s %8s %8s %8s %8s %9s %8s %9s %9s\n", "changes", "weights",
      "colours", "added", "removed", "solved", "steps", "modes", "GPU ms",
      "wall ms");
  if (csv)
    fprintf (csv, "changes,weighting,colours,added,removed,solved,steps,modes,"
        "gpu_ms,wall_ms\n");
}

/* --- what to measure --- */

static gboolean
measure (const Bench * bench, BenchFrames * frames, guint n,
    const gchar * changes, guint weighting, GError ** error)
{
  const GpuPaletteSettings settings = {
    .making.radius = CLAMP (option_radius, 0, GPU_PALETTE_MAX_RADIUS),
    .making.weighting = weighting,
  };
  g_autofree Row *rows = g_new0 (Row, n);
  Row row;

  /* As a first frame, which is solved from nothing. */
  gpu_palette_set_transfer (bench->palette, gpu_palette_transfer_srgb, NULL);
  gpu_palette_forget (bench->palette);
  for (guint i = 0; i < n; i++) {
    const GpuFrames pair = {.in = &frames->in[i], .out = &frames->out[i]};

    if (!run_frame (bench, &settings, &pair, &rows[i], error))
      return FALSE;
  }
  print_row ("first", weighting, &rows[0], bench->csv);
  row = summarise (rows + 1, n - 1);
  print_row (changes, weighting, &row, bench->csv);
  return TRUE;
}

static gboolean
measure_film (const Bench * bench, const guint * size, const gchar * changes,
    GError ** error)
{
  g_autoptr (GPtrArray) film = film_new (size, changes);
  BenchFrames *frames = bench_frames_new (bench->stream, GPU_PIXELS_RGBA,
      (BenchPicture **) film->pdata, film->len,
      (gsize) 8 * size[0] * size[1] * film->len, error);
  gboolean ok = frames != NULL;

  for (guint w = 0; ok && w < G_N_ELEMENTS (weightings); w++)
    if (bench_is_chosen (option_weighting, weightings[w]))
      ok = measure (bench, frames, film->len, changes, w, error);
  g_clear_pointer (&frames, bench_frames_free);
  return ok;
}

static gboolean
run (FILE * csv, GError ** error)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GArray) sizes = bench_parse_sizes (option_size);
  const guint *size = (const guint *) sizes->data;
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = size[0], .height = size[1]};
  g_auto (GStrv) changes = g_strsplit (option_changes, ",", -1);
  g_autoptr (GpuStream) stream =
      device ? gpu_stream_new (device, 2, "bench", error) : NULL;
  g_autoptr (GpuPalette) palette = stream ? gpu_palette_new (device) : NULL;
  const Bench bench = { stream, palette, csv };

  if (!palette || !gpu_palette_configure (palette, &format,
          GPU_PALETTE_EXACT, error))
    return FALSE;
  g_print ("%s, RGBA %ux%u, radius %g\n", gpu_device_get_info (device)->name,
      size[0], size[1], option_radius);
  print_header (csv);
  for (guint i = 0; changes[i]; i++)
    if (!measure_film (&bench, size, changes[i], error))
      return FALSE;
  return TRUE;
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "bench_changes", options, run);
}
