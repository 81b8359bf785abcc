/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of every method of the blur, beside a shader that copies.
 *
 *   bench_blur --sizes 1920x1080,4096x4096 --widths 3,9,19,41 \
 *       --sigmas 6.7,20,100 --csv blur.csv
 *
 * Width N is a Gaussian of N taps an axis with sigma = N / 6; one that is given by
 * its sigma has the radius that a user gets who says no more. Workgroups may have other
 * shapes and numbers than the product's own; cells that cannot be run so have no row.
 * tests/bench/auto-losses says where auto was slower than another method, and
 * tests/bench/tables draws the articles' grid. */
#include "bench.h"
#include "blur_cell.h"
#include "gpu/blur/plane.h"
#include "gpu/blur/tuning.h"
#include "gpu/blur/strips/stripskernels.h"
#include "gpu_fixture.h"

#include <string.h>

#define SLOTS 8
/* Five times the largest cache there is. */
#define FOOTPRINT ((gsize) 320 << 20)

static gchar *option_sizes = "1920x1080";
static gchar *option_widths = "3,9,19,41";
static gchar *option_sigmas = "";
static gchar *option_format = "RGBA";
static gchar *option_methods = "all";
static gchar *option_kernels = "gaussian,box";
static gdouble option_range = 0.05;
static gchar *option_edge = "clamp";
static gchar *option_shapes = "own";
static gchar *option_groups_down = "0";
static gboolean option_alpha;
static gint option_frames = 40;
static gint option_rounds = 1;
static gdouble option_hopeless = G_MAXDOUBLE;
static gchar **option_files;

static const GOptionEntry options[] = {
  {"sizes", 's', 0, G_OPTION_ARG_STRING, &option_sizes,
      "frame sizes", "WxH,…"},
  {"widths", 'w', 0, G_OPTION_ARG_STRING, &option_widths,
      "taps of an axis", "N,…"},
  {"sigmas", 'g', 0, G_OPTION_ARG_STRING, &option_sigmas,
      "Gaussians without a radius", "SIGMA,…"},
  {"methods", 'm', 0, G_OPTION_ARG_STRING, &option_methods,
      "some of them", "all|NAME,…"},
  {"kernels", 'k', 0, G_OPTION_ARG_STRING, &option_kernels,
      "some of gaussian, box and bilateral (one round)", "NAME,…"},
  {"range", 0, 0, G_OPTION_ARG_DOUBLE, &option_range,
      "of bilateral, as gpublur's", "SHARE"},
  {"format", 'f', 0, G_OPTION_ARG_STRING, &option_format,
      "pixel format, as GStreamer spells it", "NAME"},
  {"edge", 'e', 0, G_OPTION_ARG_STRING, &option_edge,
      "edge mode, as gpublur spells it", "NAME"},
  {"alpha", 'a', 0, G_OPTION_ARG_NONE, &option_alpha,
      "noise in alpha too, which is opaque without", NULL},
  {"shapes", 0, 0, G_OPTION_ARG_STRING, &option_shapes,
      "threads of a workgroup", "own|XxY,…"},
  {"groups-down", 0, 0, G_OPTION_ARG_STRING, &option_groups_down,
      "workgroups from top to bottom; 0: as many as are best", "N,…"},
  {"frames", 'n', 0, G_OPTION_ARG_INT, &option_frames,
      "frames of a measurement", "N"},
  {"rounds", 'r', 0, G_OPTION_ARG_INT, &option_rounds,
      "times that each is measured, all of a size in turns", "N"},
  {"hopeless", 0, 0, G_OPTION_ARG_DOUBLE, &option_hopeless,
      "leave out what took N times as long as the best where it is wider", "N"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_files,
      NULL, "[FILE.ppm | FILE.rgba]…"},
  {NULL}
};

/* --- what is measured --- */

typedef struct
{
  gdouble sigma;
  gint radius;                  /* -1: none */
} Extent;

static GArray *
parse_extents (void)
{
  GArray *extents = g_array_new (FALSE, FALSE, sizeof (Extent));
  g_autoptr (GArray) widths = bench_parse_numbers (option_widths);
  g_auto (GStrv) sigmas = g_strsplit (option_sigmas, ",", -1);

  for (guint i = 0; i < widths->len; i++) {
    guint width = g_array_index (widths, guint, i);
    Extent extent = { width / 6.0, width / 2 };

    g_array_append_val (extents, extent);
  }
  for (guint i = 0; sigmas[i]; i++) {
    Extent extent = { g_ascii_strtod (sigmas[i], NULL), -1 };

    g_array_append_val (extents, extent);
  }
  return extents;
}

/* --- one set of frames --- */

typedef struct
{
  BenchSeries series;
  GpuBlur *blur;                /* says what methods reach */
  BlurCells *cells;
  GpuBlurEdge edge;
  gdouble copy;                 /* ms */
  FILE *csv;
  /* The radius from which on a method is hopeless, by kernel, precision, whether
   * there is a radius, which not all methods can do, and method. */
  guint hopeless[GPU_BLUR_N_KERNELS][GPU_BLUR_FLOAT + 1][2][GPU_BLUR_N_METHODS];
} Bench;

static const GpuFrameInfo *
get_info (const Bench * bench)
{
  return &bench->series.frames->in[0].info;
}

static GpuBlurSums
get_sums (const Bench * bench, const GpuBlurSettings * settings)
{
  const GpuPixelFormat *format =
      gpu_pixels_get_format (get_info (bench)->pixels);
  const GpuBlurPlane plane = gpu_blur_plane_get (settings, format, 0);

  return gpu_blur_strips_choose_sums (gpu_fixture_device (), settings, &plane);
}

/* Whether strips sum halves at precision half, and do not at auto: otherwise auto is one
 * of the others. */
static gboolean
has_own_auto (const Bench * bench, const GpuBlurSettings * cell)
{
  GpuBlurSettings settings = *cell;

  settings.method = GPU_BLUR_STRIPS;
  settings.precision = GPU_BLUR_HALF;
  return gpu_blur_reaches (bench->blur, &settings, get_info (bench))
      && get_sums (bench, cell) == GPU_BLUR_SUMS_HALF
      && get_sums (bench, &settings) == GPU_BLUR_SUMS_IN_HALVES;
}

static gboolean
has_own_precision (const Bench * bench, const GpuBlurSettings * cell)
{
  if (cell->kernel == GPU_BLUR_BILATERAL)
    return cell->precision == GPU_BLUR_FLOAT;
  /* Sums of whole boxes of bytes are integers whatever the precision. */
  if (cell->precision == GPU_BLUR_FLOAT)
    return !gpu_blur_can_sum_integers (cell,
        gpu_pixels_get_format (get_info (bench)->pixels));
  return cell->precision == GPU_BLUR_HALF || has_own_auto (bench, cell);
}

static const gchar *const kernel_names[] = { "gaussian", "box", "bilateral" };

G_STATIC_ASSERT (G_N_ELEMENTS (kernel_names) == GPU_BLUR_N_KERNELS);

/* With every shape and number of workgroups; boxes with the product's own alone. */
static void
add_groups (BlurCell cell, GArray * cells)
{
  g_auto (GStrv) shapes = g_strsplit (option_shapes, ",", -1);
  g_autoptr (GArray) downs = bench_parse_numbers (option_groups_down);

  for (guint s = 0; shapes[s]; s++)
    for (guint g = 0; g < downs->len; g++) {
      cell.group_x = cell.group_y = 0;
      cell.groups_down = g_array_index (downs, guint, g);
      if (strcmp (shapes[s], "own")) {
        g_autoptr (GArray) shape = bench_parse_sizes (shapes[s]);

        cell.group_x = ((guint *) shape->data)[0];
        cell.group_y = ((guint *) shape->data)[1];
      }
      if (cell.settings.kernel != GPU_BLUR_BOX
          || (cell.group_x == 0 && cell.groups_down == 0))
        g_array_append_val (cells, cell);
    }
}

static void
add_cells (const Bench * bench, GpuBlurKernel kernel, const GArray * extents,
    GArray * cells)
{
  for (guint p = 0; p <= GPU_BLUR_FLOAT; p++)
    for (guint i = 0; i < extents->len; i++) {
      Extent extent = g_array_index (extents, Extent, i);
      const BlurCell cell = {.settings = {.kernel = kernel,
          .sigma_x = extent.sigma, .sigma_y = extent.sigma,
          .radius = extent.radius, .range = option_range, .rounds = 1,
          .precision = p, .edge = bench->edge}};

      if (has_own_precision (bench, &cell.settings))
        add_groups (cell, cells);
    }
}

/* Cells but for the method, of which there is one after the other. */
static GArray *
make_cells (const Bench * bench, const GArray * extents)
{
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (BlurCell));

  for (GpuBlurKernel k = 0; k < GPU_BLUR_N_KERNELS; k++)
    if (bench_is_chosen (option_kernels, kernel_names[k]))
      add_cells (bench, k, extents, cells);
  return cells;
}

static guint *
get_hopeless (Bench * bench, const GpuBlurSettings * settings)
{
  return bench->hopeless[settings->kernel][settings->precision]
      [settings->radius < 0];
}

static guint
get_radius (const Bench * bench, const GpuBlurSettings * settings)
{
  const GpuPixelFormat *format =
      gpu_pixels_get_format (get_info (bench)->pixels);

  return gpu_blur_plane_get (settings, format, 0).axes.x.radius;
}

/* What stands in where a method does not reach has a row of its own. */
static gboolean
is_measured (Bench * bench, const BlurCell * cell)
{
  const GpuBlurSettings *settings = &cell->settings;

  return bench_is_chosen (option_methods,
      blur_method_get_name (settings->method))
      && get_radius (bench, settings)
      < get_hopeless (bench, settings)[settings->method]
      && (settings->method == GPU_BLUR_AUTO ? cell->group_x == 0
      : gpu_blur_reaches (bench->blur, settings, get_info (bench)));
}

/* --- rows --- */

static const gchar *const precision_names[] = { "auto", "half", "float" };

/* As auto-losses and plot-tables read it. */
static const BenchColumn columns[] = {
  {"size", 11}, {NULL, 0, "width"}, {NULL, 0, "height"}, {NULL, 0, "format"},
  {NULL, 0, "bits"}, {NULL, 0, "edge"}, {"kernel", -9, "kernel"},
  {"sums", -8, "sums"}, {"sigma", 6, "sigma"}, {"N", 3, "taps"},
  {"method", -28, "method"}, {NULL, 0, "ran"}, {"shape", -7, "shape"},
  {"down", 4, "groups_down"}, {"GPU ms", 9, "gpu_ms"},
  {"wall ms", 9, "wall_ms"}, {"CPU ms", 9, "cpu_ms"},
  {"longest", 9, "longest_ms"}, {NULL, 0, "copy_ms"}, {"copies", 7},
  {NULL, 0, "device"}, {NULL}
};

static gchar *
describe (gboolean is_given, const gchar * format, guint a, guint b)
{
  return is_given ? g_strdup_printf (format, a, b) : g_strdup ("");
}

static void
print_result (Bench * bench, const BlurCell * cell, const BenchResult * result)
{
  const GpuBlurSettings *settings = &cell->settings;
  const GpuFrameInfo *info = get_info (bench);
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint down = blur_cells_get_groups_down (bench->cells);
  g_autofree gchar *taps =
      describe (settings->radius >= 0, "%u", 2 * settings->radius + 1, 0);
  g_autofree gchar *shape =
      describe (cell->group_x > 0, "%ux%u", cell->group_x, cell->group_y);
  g_autofree gchar *groups_down = describe (down > 0, "%u", down, 0);

  bench_print_row (columns, bench->csv, "%ux%u|%u|%u|%s|%u|%s|%s|%s|%g|%s|%s|"
      "%s|%s|%s|%.5f|%.5f|%.5f|%.5f|%.5f|%.2f|%s", info->width,
      info->height, info->width, info->height, format->name,
      8 * gpu_pixel_format_get_size (format, 0), option_edge,
      kernel_names[settings->kernel], gpu_blur_can_sum_integers (settings,
          format) ? "integers" : precision_names[settings->precision],
      settings->sigma_x, taps, blur_method_get_name (settings->method),
      blur_method_get_name (blur_cells_get_method (bench->cells)),
      *shape ? shape : "own", groups_down, result->gpu, result->wall,
      result->cpu, result->longest, bench->copy, result->gpu / bench->copy,
      gpu_device_get_info (gpu_fixture_device ())->name);
}

/* --- measuring --- */

/* Sets @ms; to 0 where the cell cannot be run so. */
static gboolean
measure (Bench * bench, const BlurCell * cell, gdouble * ms, GError ** error)
{
  g_autoptr (GError) failed = NULL;
  BenchResult result = { 0 };

  if (blur_cells_prepare (bench->cells, cell, get_info (bench), &failed)
      && bench_run (&bench->series, blur_cells_record, bench->cells, &result,
          &failed)) {
    print_result (bench, cell, &result);
    *ms = result.gpu;
    return TRUE;
  }
  *ms = 0;
  if (g_error_matches (failed, GPU_ERROR, GPU_ERROR_UNSUPPORTED))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static void
give_up (Bench * bench, const GpuBlurSettings * settings, const gdouble * ms)
{
  guint *hopeless = get_hopeless (bench, settings);
  guint radius = get_radius (bench, settings);
  gdouble best = G_MAXDOUBLE;

  for (guint m = 0; m < GPU_BLUR_N_METHODS; m++)
    if (ms[m] > 0)
      best = MIN (best, ms[m]);
  for (guint m = GPU_BLUR_AUTO + 1; m < GPU_BLUR_N_METHODS; m++)
    if (ms[m] / best > option_hopeless)
      hopeless[m] = MIN (hopeless[m], radius + 1);
}

/* Every method. */
static gboolean
measure_cell (Bench * bench, const BlurCell * any, GError ** error)
{
  BlurCell cell = *any;
  GpuBlurMethod *method = &cell.settings.method;
  gdouble ms[GPU_BLUR_N_METHODS] = { 0 };

  for (*method = 0; *method < GPU_BLUR_N_METHODS; (*method)++)
    if (is_measured (bench, &cell)
        && !measure (bench, &cell, &ms[*method], error))
      return FALSE;
  give_up (bench, &any->settings, ms);
  return TRUE;
}

/* Builds all kernels: a card that waits for one slows down. What fails here fails again when
 * it is measured. */
static void
prepare_cells (Bench * bench, const GArray * cells)
{
  for (guint i = 0; i < cells->len; i++) {
    BlurCell cell = g_array_index (cells, BlurCell, i);
    GpuBlurMethod *method = &cell.settings.method;

    for (*method = 0; *method < GPU_BLUR_N_METHODS; (*method)++)
      if (is_measured (bench, &cell))
        blur_cells_prepare (bench->cells, &cell, get_info (bench), NULL);
  }
}

static gboolean
measure_frames (GpuStream * stream, BenchFrames * frames, GArray * extents,
    FILE * csv, GError ** error)
{
  GpuDevice *device = gpu_stream_get_device (stream);
  g_autoptr (GpuBlur) blur = gpu_blur_new (device);
  const BenchSeries series = {.stream = stream, .frames = frames,
    .n = option_frames, .slots = SLOTS};
  Bench bench = {.series = series, .blur = blur,
    .edge = blur_find_edge (option_edge), .csv = csv};
  g_autoptr (GArray) cells = make_cells (&bench, extents);
  g_autoptr (BlurCells) runner = NULL;
  guint radius = 0;
  BenchResult copy;

  for (guint i = 0; i < cells->len; i++)
    radius = MAX (radius, get_radius (&bench,
            &g_array_index (cells, BlurCell, i).settings));
  bench.cells = runner = blur_cells_new (device, radius);
  memset (bench.hopeless, 0xff, sizeof bench.hopeless);
  prepare_cells (&bench, cells);
  if (!bench_run (&series, bench_copy, NULL, &copy, error))
    return FALSE;
  bench.copy = copy.gpu;
  g_print ("copy %.4f ms\n", copy.gpu);
  for (gint round = 0; round < option_rounds; round++)
    for (guint i = 0; i < cells->len; i++)
      if (!measure_cell (&bench, &g_array_index (cells, BlurCell, i), error))
        return FALSE;
  return TRUE;
}

/* --- frames --- */

static BenchPicture *
next_picture (guint i, const guint * size, GError ** error)
{
  if (!option_files)
    return option_alpha
        ? bench_picture_transparent_noise (size[0], size[1], i + 1)
        : bench_picture_noise (size[0], size[1], i + 1);
  return bench_picture_load (option_files[i], size[0], size[1], error);
}

static gboolean
measure_size (GpuStream * stream, gint pixels, const guint * size,
    GArray * extents, FILE * csv, GError ** error)
{
  guint n = option_files ? g_strv_length (option_files) : 2;
  g_autoptr (GPtrArray) pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) bench_picture_free);
  BenchFrames *frames;
  gboolean ok;

  for (guint i = 0; i < n; i++) {
    BenchPicture *picture = next_picture (i, size, error);

    if (!picture)
      return FALSE;
    g_ptr_array_add (pictures, picture);
  }
  frames = bench_frames_new (stream, pixels, (BenchPicture **) pictures->pdata,
      n, FOOTPRINT, error);
  ok = frames && measure_frames (stream, frames, extents, csv, error);
  g_clear_pointer (&frames, bench_frames_free);
  return ok;
}

static gboolean
run (FILE * csv, GError ** error)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GArray) sizes = bench_parse_sizes (option_sizes);
  g_autoptr (GArray) extents = parse_extents ();
  g_autoptr (GpuStream) stream = NULL;
  gint pixels = blur_find_pixels (option_format);
  gboolean ok = TRUE;

  if (!device)
    return FALSE;
  if (pixels < 0) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "no such format: %s", option_format);
    return FALSE;
  }
  if (blur_find_edge (option_edge) < 0) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "no such edge mode: %s", option_edge);
    return FALSE;
  }
  stream = gpu_stream_new (device, SLOTS, "bench", error);
  if (!stream)
    return FALSE;
  g_print ("%s, %s, %s, %s\n", gpu_device_get_info (device)->name,
      option_format, option_edge,
      option_files ? "pictures" : option_alpha ? "noise, alpha too" : "noise");
  bench_print_titles (columns, csv);
  for (guint i = 0; ok && i < sizes->len; i++)
    ok = measure_size (stream, pixels, (guint *) sizes->data + 2 * i, extents,
        csv, error);
  return ok;
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "bench_blur", options, run);
}
