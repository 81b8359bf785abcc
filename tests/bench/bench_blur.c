/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of every method of the blur, beside a shader that copies.
 *
 *   bench_blur --sizes 1920x1080,4096x4096 --widths 3,9,19,41 \
 *       --sigmas 6.7,20,100 --csv blur.csv
 *
 * Width N is a Gaussian of N taps an axis with sigma = N / 6; one that is given by
 * its sigma has the radius that a user gets who says no more. tests/bench/auto-losses says
 * where auto was slower than another method. */
#include "bench.h"
#include "blurs.h"
#include "gpu/blur/planekind.h"
#include "gpu/blur/tuning.h"
#include "gpu/blur/strips/strips.h"
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

static gboolean
is_among (const gchar * names, const gchar * name)
{
  g_auto (GStrv) chosen = g_strsplit (names, ",", -1);

  return !strcmp (names, "all")
      || g_strv_contains ((const gchar * const *) chosen, name);
}

/* --- one set of frames --- */

typedef struct
{
  BenchSeries series;
  GpuBlur *blur;
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
  const GpuBlurPlaneKind kind = gpu_blur_plane_kind (settings, format, 0);
  GpuBlurAxes axes;

  gpu_blur_axes_init (&axes, settings, format, 0);
  return gpu_blur_strips_choose_sums (gpu_fixture_device (), settings, &kind,
      &axes);
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

static void
add_cells (const Bench * bench, GpuBlurKernel kernel, const GArray * extents,
    GArray * cells)
{
  for (guint p = 0; p <= GPU_BLUR_FLOAT; p++)
    for (guint i = 0; i < extents->len; i++) {
      Extent extent = g_array_index (extents, Extent, i);
      GpuBlurSettings cell = {.kernel = kernel, .sigma_x = extent.sigma,
        .sigma_y = extent.sigma, .radius = extent.radius,
        .range = option_range, .rounds = 1, .precision = p,
        .edge = bench->edge};

      if (has_own_precision (bench, &cell))
        g_array_append_val (cells, cell);
    }
}

/* Settings but for the method, of which there is one after the other. */
static GArray *
make_cells (const Bench * bench, const GArray * extents)
{
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (GpuBlurSettings));

  for (GpuBlurKernel k = 0; k < GPU_BLUR_N_KERNELS; k++)
    if (is_among (option_kernels, kernel_names[k]))
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
  GpuBlurAxes axes;

  gpu_blur_axes_init (&axes, settings,
      gpu_pixels_get_format (get_info (bench)->pixels), 0);
  return axes.x.radius;
}

/* What stands in where a method does not reach has a row of its own. */
static gboolean
is_measured (Bench * bench, const GpuBlurSettings * settings)
{
  return is_among (option_methods, blur_method_get_name (settings->method))
      && get_radius (bench, settings)
      < get_hopeless (bench, settings)[settings->method]
      && (settings->method == GPU_BLUR_AUTO
      || gpu_blur_reaches (bench->blur, settings, get_info (bench)));
}

static gboolean
prepare (Bench * bench, const GpuBlurSettings * settings, GError ** error)
{
  const GpuFrameInfo *info = get_info (bench);

  return gpu_blur_prepare (bench->blur, info->pixels, info->width,
      info->height, settings, error);
}

/* --- rows --- */

static const gchar *const precision_names[] = { "auto", "half", "float" };

/* As auto-losses reads it. */
static void
write_header (FILE * csv)
{
  fputs ("width,height,format,edge,kernel,sums,sigma,taps,method,ran,gpu_ms,"
      "wall_ms,longest_ms,copy_ms,cpu_ms\n", csv);
}

static void
write_result (Bench * bench, const GpuBlurSettings * settings,
    GpuBlurMethod ran, const BenchResult * result)
{
  const GpuFrameInfo *info = get_info (bench);
  const gchar *kernel = kernel_names[settings->kernel];
  const gchar *precision = precision_names[settings->precision];
  g_autofree gchar *width = settings->radius < 0 ? g_strdup ("")
      : g_strdup_printf ("%d", 2 * settings->radius + 1);
  const gchar *method = blur_method_get_name (settings->method);

  g_print ("%5ux%-5u %-9s %-5s %6.2f %3s  %-28s %9.4f %9.4f %9.4f %9.4f"
      " %7.2f\n", info->width, info->height, kernel, precision,
      settings->sigma_x, width, method, result->gpu, result->wall, result->cpu,
      result->longest, result->gpu / bench->copy);
  if (!bench->csv)
    return;
  fprintf (bench->csv,
      "%u,%u,%s,%s,%s,%s,%g,%s,%s,%s,%.5f,%.5f,%.5f,%.5f,%.5f\n", info->width,
      info->height, option_format, option_edge, kernel, precision,
      settings->sigma_x, width, method, blur_method_get_name (ran), result->gpu,
      result->wall, result->longest, bench->copy, result->cpu);
}

/* --- measuring --- */

typedef struct
{
  GpuBlur *blur;
  const GpuBlurSettings *settings;
  GpuBlurReport report;
} Work;

static gboolean
record_blur (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Work *work = data;
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_blur_record (work->blur, stream, work->settings, &frames,
      &work->report, error);
}

static gboolean
measure (Bench * bench, const GpuBlurSettings * settings, gdouble * ms,
    GError ** error)
{
  Work work = { bench->blur, settings, {0} };
  BenchResult result;

  if (!prepare (bench, settings, error)
      || !bench_run (&bench->series, record_blur, &work, &result, error))
    return FALSE;
  write_result (bench, settings, work.report.method, &result);
  *ms = result.gpu;
  return TRUE;
}

static void
give_up (Bench * bench, const GpuBlurSettings * cell, const gdouble * ms)
{
  guint *hopeless = get_hopeless (bench, cell);
  guint radius = get_radius (bench, cell);
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
measure_cell (Bench * bench, const GpuBlurSettings * cell, GError ** error)
{
  GpuBlurSettings settings = *cell;
  gdouble ms[GPU_BLUR_N_METHODS] = { 0 };

  for (settings.method = 0; settings.method < GPU_BLUR_N_METHODS;
      settings.method++)
    if (is_measured (bench, &settings)
        && !measure (bench, &settings, &ms[settings.method], error))
      return FALSE;
  give_up (bench, cell, ms);
  return TRUE;
}

/* Builds all kernels: a card that waits for one slows down. */
static gboolean
prepare_cells (Bench * bench, const GArray * cells, GError ** error)
{
  for (guint i = 0; i < cells->len; i++) {
    GpuBlurSettings settings = g_array_index (cells, GpuBlurSettings, i);

    for (settings.method = 0; settings.method < GPU_BLUR_N_METHODS;
        settings.method++)
      if (is_measured (bench, &settings) && !prepare (bench, &settings, error))
        return FALSE;
  }
  return TRUE;
}

static gboolean
measure_frames (GpuStream * stream, BenchFrames * frames, GArray * extents,
    FILE * csv, GError ** error)
{
  g_autoptr (GpuBlur) blur = gpu_blur_new (gpu_stream_get_device (stream));
  const BenchSeries series = {.stream = stream, .frames = frames,
    .n = option_frames, .slots = SLOTS};
  Bench bench = {.series = series, .blur = blur,
    .edge = blur_find_edge (option_edge), .csv = csv};
  g_autoptr (GArray) cells = make_cells (&bench, extents);
  BenchResult copy;

  memset (bench.hopeless, 0xff, sizeof bench.hopeless);
  if (!prepare_cells (&bench, cells, error)
      || !bench_run (&series, bench_copy, NULL, &copy, error))
    return FALSE;
  bench.copy = copy.gpu;
  g_print ("copy %.4f ms\n", copy.gpu);
  for (gint round = 0; round < option_rounds; round++)
    for (guint i = 0; i < cells->len; i++)
      if (!measure_cell (&bench, &g_array_index (cells, GpuBlurSettings, i),
              error))
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
  g_print ("%11s %-9s %-5s %6s %3s  %-28s %9s %9s %9s %9s %7s\n", "size",
      "kernel", "sums", "sigma", "N", "method", "GPU ms", "wall ms", "CPU ms",
      "longest", "copies");
  if (csv)
    write_header (csv);
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
