/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of all methods of the blur with workgroups of several shapes, over sizes,
 * depths and widths.
 *
 *   blur_tables --sizes 512x512,4096x4096 --widths 3,9,19 --csv blur.csv
 *
 * tests/bench/blur-tables runs it, and draws what it found. */
#include "bench.h"
#include "blur_cell.h"
#include "blurs.h"
#include "gpu_fixture.h"

#include <string.h>

#define SLOTS 8
/* Half of it is what comes in, more than twice the largest cache there is. */
#define FOOTPRINT ((gsize) 320 << 20)

static gchar *option_sizes = "512x512,1024x1024,2048x2048,4096x4096";
static gchar *option_formats = "RGBA,RGBA16F,RGBA32F";
static gchar *option_methods = "all";
static gchar *option_shapes = "own,16x16,256x1,256x2";
static gchar *option_groups_down = "0";
static gchar *option_widths = "3,5,7,9,11,13,15,17,19";
static gint option_frames = SLOTS;

static const GOptionEntry options[] = {
  {"sizes", 's', 0, G_OPTION_ARG_STRING, &option_sizes,
      "frame sizes", "WxH,…"},
  {"formats", 'f', 0, G_OPTION_ARG_STRING, &option_formats,
      "pixel formats", "NAME,…"},
  {"methods", 'm', 0, G_OPTION_ARG_STRING, &option_methods,
      "some of them", "all|NAME,…"},
  {"shapes", 0, 0, G_OPTION_ARG_STRING, &option_shapes,
      "threads of a workgroup", "own|XxY,…"},
  {"groups-down", 0, 0, G_OPTION_ARG_STRING, &option_groups_down,
      "workgroups from top to bottom; 0: as many as are best", "N,…"},
  {"widths", 'w', 0, G_OPTION_ARG_STRING, &option_widths,
      "taps of an axis", "N,…"},
  {"frames", 'n', 0, G_OPTION_ARG_INT, &option_frames,
      "frames of a measurement", "N"},
  {NULL}
};

/* --- the grid --- */

typedef struct
{
  GArray *sizes;                /* of two guint */
  GArray *pixels;
  GArray *methods;
  GArray *shapes;               /* of two guint, 0: the product's own */
  GArray *groups_down;
  GArray *widths;
} Grid;

static void
grid_clear (Grid * grid)
{
  GArray *arrays[] = { grid->sizes, grid->pixels, grid->methods, grid->shapes,
    grid->groups_down, grid->widths
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i])
      g_array_unref (arrays[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Grid, grid_clear);

/* NULL with @error set where @find does not know one of the names. */
static GArray *
parse_names (const gchar * text, gint (*find) (const gchar * name),
    GError ** error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint));

  for (guint i = 0; names[i]; i++) {
    gint value = find (names[i]);

    if (value < 0) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
          "no such thing: %s", names[i]);
      return NULL;
    }
    g_array_append_val (found, value);
  }
  return g_steal_pointer (&found);
}

/* Auto is one of the others. */
static GArray *
parse_methods (GError ** error)
{
  GArray *all;

  if (strcmp (option_methods, "all"))
    return parse_names (option_methods, blur_find_method, error);
  all = g_array_new (FALSE, FALSE, sizeof (gint));
  for (gint i = GPU_BLUR_AUTO + 1; i < GPU_BLUR_N_METHODS; i++)
    g_array_append_val (all, i);
  return all;
}

static GArray *
parse_shapes (void)
{
  g_auto (GStrv) names = g_strsplit (option_shapes, ",", -1);
  GArray *shapes = g_array_new (FALSE, TRUE, 2 * sizeof (guint));

  for (guint i = 0; names[i]; i++) {
    g_autoptr (GArray) shape = NULL;

    if (!strcmp (names[i], "own")) {
      g_array_set_size (shapes, shapes->len + 1);
      continue;
    }
    shape = bench_parse_sizes (names[i]);
    g_array_append_vals (shapes, shape->data, 1);
  }
  return shapes;
}

static gboolean
parse_grid (Grid * grid, GError ** error)
{
  grid->sizes = bench_parse_sizes (option_sizes);
  grid->shapes = parse_shapes ();
  grid->groups_down = bench_parse_numbers (option_groups_down);
  grid->widths = bench_parse_numbers (option_widths);
  grid->pixels = parse_names (option_formats, blur_find_pixels, error);
  grid->methods = grid->pixels ? parse_methods (error) : NULL;
  return grid->methods != NULL;
}

static guint
max_radius (const Grid * grid)
{
  guint max = 0;

  for (guint i = 0; i < grid->widths->len; i++)
    max = MAX (max, g_array_index (grid->widths, guint, i) / 2);
  return max;
}

static void
add_widths (const Grid * grid, BlurCell cell, GArray * cells)
{
  for (guint i = 0; i < grid->widths->len; i++) {
    guint width = g_array_index (grid->widths, guint, i);

    cell.settings.sigma_x = cell.settings.sigma_y = width / 6.0;
    cell.settings.radius = width / 2;
    g_array_append_val (cells, cell);
  }
}

static void
add_shapes (const Grid * grid, BlurCell cell, GArray * cells)
{
  for (guint s = 0; s < grid->shapes->len; s++)
    for (guint g = 0; g < grid->groups_down->len; g++) {
      const guint *shape = (guint *) grid->shapes->data + 2 * s;

      cell.group_x = shape[0];
      cell.group_y = shape[1];
      cell.groups_down = g_array_index (grid->groups_down, guint, g);
      /* Of boxes others are not measured. */
      if (cell.settings.kernel == GPU_BLUR_BOX
          && (cell.group_x > 0 || cell.groups_down > 0))
        continue;
      add_widths (grid, cell, cells);
    }
}

/* Of frames of one format, BlurCell. Boxes of bytes alone: only these are summed
 * otherwise than a Gaussian. */
static GArray *
list_cells (const Grid * grid, const GpuPixelFormat * format)
{
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (BlurCell));

  for (guint m = 0; m < grid->methods->len; m++) {
    BlurCell cell = { {0}
    };

    cell.settings.method = g_array_index (grid->methods, gint, m);
    for (guint p = GPU_BLUR_HALF; p <= GPU_BLUR_FLOAT; p++) {
      cell.settings.precision = p;
      add_shapes (grid, cell, cells);
    }
    cell.settings.kernel = GPU_BLUR_BOX;
    if (format->sample == SAMPLE_BYTE)
      add_shapes (grid, cell, cells);
  }
  return cells;
}

/* --- times --- */

typedef struct
{
  BenchSeries series;
  BlurCells *cells;
  gdouble copy;                 /* ms */
  FILE *csv;
} Bench;

static const GpuFrameInfo *
get_info (const Bench * bench)
{
  return &bench->series.frames->in[0].info;
}

static const gchar *
sums_of (const BlurCell * cell)
{
  if (cell->settings.kernel == GPU_BLUR_BOX)
    return "integers";
  return cell->settings.precision == GPU_BLUR_HALF ? "half" : "float";
}

static void
print_row (const Bench * bench, const BlurCell * cell,
    const BenchResult * result)
{
  const GpuFrameInfo *info = get_info (bench);
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  const gchar *method = blur_method_get_name (cell->settings.method);
  guint taps = 2 * cell->settings.radius + 1;
  guint groups_down = blur_cells_get_groups_down (bench->cells);
  g_autofree gchar *shape = cell->group_x > 0 ?
      g_strdup_printf ("%ux%u", cell->group_x, cell->group_y)
      : g_strdup ("own");
  g_autofree gchar *down = groups_down > 0 ?
      g_strdup_printf ("%u", groups_down) : g_strdup ("");

  g_print ("%5ux%-5u %-8s %-8s %3u  %-28s %-7s %4s %9.4f %9.4f\n", info->width,
      info->height, format->name, sums_of (cell), taps, method, shape, down,
      result->gpu, result->wall);
  if (bench->csv)
    fprintf (bench->csv,
        "%u,%u,%s,%u,%s,%s,%u,%s,%s,%s,%.5f,%.5f,%.5f,\"%s\"\n", info->width,
        info->height, format->name, 8 * gpu_pixel_format_get_size (format, 0),
        cell->settings.kernel == GPU_BLUR_BOX ? "box" : "gaussian",
        sums_of (cell), taps, method, shape, down, result->gpu, result->wall,
        bench->copy, gpu_device_get_info (gpu_fixture_device ())->name);
}

/* What cannot be run has no row. */
static gboolean
measure_cell (const Bench * bench, const BlurCell * cell, GError ** error)
{
  g_autoptr (GError) failed = NULL;
  BenchResult result;

  if (blur_cells_prepare (bench->cells, cell, get_info (bench), &failed)
      && bench_run (&bench->series, blur_cells_record, bench->cells, &result,
          &failed)) {
    print_row (bench, cell, &result);
    return TRUE;
  }
  if (g_error_matches (failed, GPU_ERROR, GPU_ERROR_UNSUPPORTED))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static gboolean
measure_frames (GpuStream * stream, BenchFrames * frames, const Grid * grid,
    FILE * csv, GError ** error)
{
  g_autoptr (BlurCells) cells =
      blur_cells_new (gpu_stream_get_device (stream), max_radius (grid));
  g_autoptr (GArray) list = list_cells (grid,
      gpu_pixels_get_format (frames->in[0].info.pixels));
  const BenchSeries series = {.stream = stream, .frames = frames,
    .n = option_frames, .slots = SLOTS};
  Bench bench = {.series = series, .cells = cells, .csv = csv};
  BenchResult copy;

  if (!bench_run (&series, bench_copy, NULL, &copy, error))
    return FALSE;
  bench.copy = copy.gpu;
  for (guint i = 0; i < list->len; i++)
    if (!measure_cell (&bench, &g_array_index (list, BlurCell, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
measure_size (GpuStream * stream, const guint * size, const Grid * grid,
    FILE * csv, GError ** error)
{
  BenchPicture *noise = bench_picture_noise (size[0], size[1], 1);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < grid->pixels->len; i++) {
    BenchFrames *frames = bench_frames_new (stream,
        g_array_index (grid->pixels, gint, i), &noise, 1, FOOTPRINT, error);

    ok = frames && measure_frames (stream, frames, grid, csv, error);
    g_clear_pointer (&frames, bench_frames_free);
  }
  bench_picture_free (noise);
  return ok;
}

static gboolean
run (FILE * csv, GError ** error)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuStream) stream = NULL;
  g_auto (Grid) grid = { 0 };
  gboolean ok = TRUE;

  if (!device || !parse_grid (&grid, error)
      || !(stream = gpu_stream_new (device, SLOTS, "bench", error)))
    return FALSE;
  g_print ("%s, noise\n", gpu_device_get_info (device)->name);
  g_print ("%11s %-8s %-8s %3s  %-28s %-7s %4s %9s %9s\n", "size", "format",
      "sums", "N", "method", "shape", "down", "GPU ms", "wall ms");
  if (csv)
    fprintf (csv, "width,height,format,bits,kernel,sums,taps,method,shape,"
        "groups_down,gpu_ms,wall_ms,copy_ms,device\n");
  for (guint i = 0; ok && i < grid.sizes->len; i++)
    ok = measure_size (stream, (guint *) grid.sizes->data + 2 * i, &grid, csv,
        error);
  return ok;
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "blur_tables", options, run);
}
