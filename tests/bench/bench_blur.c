/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of every method of the blur, beside a shader that copies.
 *
 *   bench_blur --sizes 1920x1080,4096x4096 --widths 3,9,19,41 \
 *       --sigmas 6.7,20,100 --csv blur.csv
 *
 * Width N is a Gaussian of N taps an axis with sigma = N / 6; one that is given by
 * its sigma has the radius that a user gets who says no more. */
#include "bench.h"
#include "blurs.h"
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
static gint option_frames = 40;
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
  {"format", 'f', 0, G_OPTION_ARG_STRING, &option_format,
      "pixel format, as GStreamer spells it", "NAME"},
  {"frames", 'n', 0, G_OPTION_ARG_INT, &option_frames,
      "frames of a measurement", "N"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_files,
      NULL, "[FILE.ppm | FILE.rgba]…"},
  {NULL}
};

typedef struct
{
  GpuBlur *blur;
  GpuBlurSettings settings;
  GpuBlurReport report;
} Work;

static gboolean
record_blur (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Work *work = data;

  return gpu_blur_record (work->blur, stream, &work->settings, in, out,
      &work->report, error);
}

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
measure (GpuStream * stream, BenchFrames * frames, Work * work,
    gdouble copy, FILE * csv, GError ** error)
{
  const GpuFrameInfo *info = &frames->in[0].info;
  const gchar *kernel = work->settings.kernel == GPU_BLUR_BOX ? "box" :
      "gaussian";
  const gchar *precision =
      work->settings.precision == GPU_BLUR_HALF ? "half" : "float";
  gdouble sigma = work->settings.sigma_x;
  gint radius = work->settings.radius;
  g_autofree gchar *width = radius < 0 ? g_strdup ("")
      : g_strdup_printf ("%d", 2 * radius + 1);
  const gchar *method = blur_method_get_name (work->settings.method);
  BenchResult result;

  if (!gpu_blur_prepare (work->blur, info->pixels, info->width, info->height,
          &work->settings, error)
      || !bench_run (stream, SLOTS, frames, option_frames, record_blur, work,
          &result, error))
    return FALSE;
  /* What stands in has a row of its own. */
  if (work->settings.method != GPU_BLUR_AUTO
      && work->report.method != work->settings.method)
    return TRUE;
  g_print ("%5ux%-5u %-8s %-5s %6.2f %3s  %-28s %9.4f %9.4f %9.4f %9.4f"
      " %7.2f\n", info->width, info->height, kernel, precision, sigma, width,
      method, result.gpu, result.wall, result.cpu, result.longest,
      result.gpu / copy);
  if (csv)
    fprintf (csv, "%u,%u,%s,%s,%s,%g,%s,%s,%.5f,%.5f,%.5f,%.5f,%.5f\n",
        info->width, info->height, option_format, kernel, precision, sigma,
        width, method, result.gpu, result.wall, result.longest, copy,
        result.cpu);
  return TRUE;
}

static gboolean
is_chosen (const gchar * method)
{
  g_auto (GStrv) chosen = g_strsplit (option_methods, ",", -1);

  return !strcmp (option_methods, "all")
      || g_strv_contains ((const gchar * const *) chosen, method);
}

/* Every method on one set of frames. */
static gboolean
measure_frames (GpuStream * stream, BenchFrames * frames, GArray * extents,
    FILE * csv, GError ** error)
{
  const GpuPixelFormat *format =
      gpu_pixels_get_format (frames->in[0].info.pixels);
  GpuDevice *device = gpu_stream_get_device (stream);
  g_autoptr (GpuBlur) blur = gpu_blur_new (device);
  BenchResult copy;

  if (!bench_run (stream, SLOTS, frames, option_frames, bench_copy, NULL,
          &copy, error))
    return FALSE;
  g_print ("copy %.4f ms\n", copy.gpu);
  for (guint k = 0; k < 2; k++)
    for (guint p = GPU_BLUR_HALF; p <= GPU_BLUR_FLOAT; p++)
      for (guint w = 0; w < extents->len; w++)
        for (guint m = 0; m < BLUR_METHODS; m++) {
          gboolean exact = k == GPU_BLUR_BOX
              && format->sample == GPU_SAMPLE_BYTE;
          Extent extent = g_array_index (extents, Extent, w);
          Work work = {
            blur, {.kernel = k,.sigma_x = extent.sigma,.sigma_y =
                  extent.sigma,.radius = extent.radius,
                .method = m,.precision = p}
          };

          if (!is_chosen (blur_method_get_name (m)))
            continue;
          /* Sums of whole boxes of bytes are integers whatever the precision. */
          if (exact && p == GPU_BLUR_FLOAT)
            continue;
          if (!exact && m == GPU_BLUR_RUNNING_SUMS)
            continue;
          if (!measure (stream, frames, &work, copy.gpu, csv, error))
            return FALSE;
        }
  return TRUE;
}

static BenchPicture *
next_picture (guint i, const guint * size, GError ** error)
{
  if (!option_files)
    return bench_picture_noise (size[0], size[1], i + 1);
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
  stream = gpu_stream_new (device, SLOTS, "bench", error);
  if (!stream)
    return FALSE;
  g_print ("%s, %s, %s\n", gpu_device_get_info (device)->name, option_format,
      option_files ? "pictures" : "noise");
  g_print ("%11s %-8s %-5s %6s %3s  %-28s %9s %9s %9s %9s %7s\n", "size",
      "kernel", "sums", "sigma", "N", "method", "GPU ms", "wall ms", "CPU ms",
      "longest", "copies");
  if (csv)
    fprintf (csv, "width,height,format,kernel,sums,sigma,taps,method,gpu_ms,"
        "wall_ms,longest_ms,copy_ms,cpu_ms\n");
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
