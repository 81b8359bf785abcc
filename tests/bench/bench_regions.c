/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of regions of frames, beside a blur of the whole frame.
 *
 *   bench_regions --size 1920x1080 --sigma 20 --formats RGBA,NV12
 *
 * Three faces of 200 × 200, a rectangle of half the frame, and 256 regions of 32 × 32, each
 * blurred, pixelated and filled; and the whole frame blurred, half mixed with it, and with its
 * alpha as a mask. */
#include "bench.h"
#include "blur_cell.h"
#include "gpu/blur/regions/regionblur.h"
#include "gpu_fixture.h"

static gchar *option_size = "1920x1080";
static gchar *option_formats = "RGBA,NV12";
static gdouble option_sigma = 20;
static gchar *option_method = "auto";
static gint option_frames = 30;
static gboolean option_stages;

static const GOptionEntry options[] = {
  {"size", 's', 0, G_OPTION_ARG_STRING, &option_size, "frame size", "WxH"},
  {"formats", 'f', 0, G_OPTION_ARG_STRING, &option_formats,
      "pixel formats, as GStreamer spells them", "NAME,…"},
  {"sigma", 'g', 0, G_OPTION_ARG_DOUBLE, &option_sigma, "of the blur", "SIGMA"},
  {"method", 'm', 0, G_OPTION_ARG_STRING, &option_method, "of the blur",
      "NAME"},
  {"frames", 'n', 0, G_OPTION_ARG_INT, &option_frames,
      "frames of a measurement", "N"},
  {"stages", 0, 0, G_OPTION_ARG_NONE, &option_stages,
      "time of every stage of the last frame as well", NULL},
  {NULL}
};

#define FOOTPRINT (512 << 20)
#define SLOTS 3

typedef struct
{
  GpuStream *stream;
  GpuBlur *blur;
  GpuRegionBlur *regions;
  BenchFrames *frames;
  GpuBlurSettings settings;
  FILE *csv;
} Bench;

/* What is measured. */
typedef struct
{
  const Bench *bench;
  const GpuAreas *areas;        /* NULL: a blur of the whole frame */
} Run;

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  const Run *run = data;
  const Bench *bench = run->bench;
  const GpuFrames frames = {.in = in, .out = out};
  GpuBlurReport report;

  return run->areas ? gpu_region_blur_record (bench->regions, stream,
      &bench->settings, &frames, run->areas, &report, error)
      : gpu_blur_record (bench->blur, stream, &bench->settings, &frames,
      &report, error);
}

/* --- regions --- */

/* A grid of squares, in columns; of half the frame if there is no side. */
typedef struct
{
  const gchar *name;
  guint n, columns, side;
} Layout;

static const Layout layouts[] = {
  {"3 faces", 3, 3, 200}, {"half", 1, 1, 0}, {"256", 256, 16, 32}
};

static GArray *
make_regions (const Layout * layout, GpuRegionAction action,
    const GpuFrameInfo * info)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  guint columns = layout->columns, side = layout->side;
  guint half_rows = 2 * (layout->n + columns - 1) / columns;

  for (guint i = 0; i < layout->n; i++) {
    GpuRegion region = {
      .box = {(2 * (i % columns) + 1) * info->width / (2 * columns) - side / 2,
        (2 * (i / columns) + 1) * info->height / half_rows - side / 2, side,
        side},
      .action = action,
      .strength = 1,
      .block = 16,
      .colour = {16, 128, 128, 255},
    };

    if (side == 0)
      region.box = (GpuRegionBox) {info->width / 4, 0, info->width / 2,
        info->height};
    g_array_append_val (list, region);
  }
  return list;
}

/* --- rows --- */

static const BenchColumn columns[] = {
  {"format", -10, "format"}, {"regions", -28, "regions"},
  {"GPU ms", 8, "gpu_ms"}, {"wall ms", 8, "wall_ms"}, {"share", 8}, {NULL}
};

/* Measures a row, and prints its time and the share of @whole, unless that is 0. Returns the
 * time in ms; negative with @error set. */
static gdouble
measure (const Bench * bench, const gchar * format, const gchar * name,
    const GpuAreas * areas, gdouble whole, GError ** error)
{
  Run run = { bench, areas };
  const BenchSeries series = {
    bench->stream, bench->frames, option_frames, SLOTS
  };
  BenchResult result;

  /* The first frames of AUTO take what is ready. */
  if (!bench_run (&series, record, &run, &result, error))
    return -1;
  gpu_blur_wait (bench->blur);
  if (!bench_run (&series, record, &run, &result, error))
    return -1;
  bench_print_row (columns, bench->csv, "%s|%s|%.4f|%.4f|%.2f", format,
      name, result.gpu, result.wall, whole > 0 ? result.gpu / whole : 1);
  if (option_stages)
    bench_print_stages (&result.timings);
  return result.gpu;
}

/* The same of areas, whose regions it takes. */
static gboolean
measure_areas (const Bench * bench, const gchar * format, const gchar * name,
    GpuAreas areas, gdouble whole, GError ** error)
{
  const GpuFrameInfo *info = &bench->frames->in[0].info;
  gboolean done = gpu_region_blur_prepare (bench->regions, info->pixels,
      info->width, info->height, &areas, error)
      && measure (bench, format, name, &areas, whole, error) >= 0;

  g_array_unref ((GArray *) areas.regions);
  return done;
}

static GpuAreas
make_areas (GArray * regions)
{
  return (GpuAreas) {.regions = regions, .amount = 1,
    .components = GPU_AREAS_ALL_COMPONENTS};
}

static gboolean
measure_regions (const Bench * bench, const gchar * format, gdouble whole,
    GError ** error)
{
  static const gchar *const actions[] = { "blur", "pixelate", "fill" };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    for (guint k = 0; k < G_N_ELEMENTS (layouts); k++) {
      g_autofree gchar *name =
          g_strdup_printf ("%s, %s", actions[i], layouts[k].name);

      if (!measure_areas (bench, format, name,
              make_areas (make_regions (&layouts[k], i,
                      &bench->frames->in[0].info)), whole, error))
        return FALSE;
    }
  return TRUE;
}

/* Blurs of the whole frame that are mixed with it. */
static gboolean
measure_mixes (const Bench * bench, const gchar * format, gdouble whole,
    GError ** error)
{
  const GpuFrameInfo *info = &bench->frames->in[0].info;
  const GpuRegion rest = {.action = GPU_REGION_BLUR, .strength = 1};
  GpuAreas areas = make_areas (g_array_new (FALSE, FALSE, sizeof (GpuRegion)));

  areas.rest = &rest;
  areas.amount = 0.5;
  if (!measure_areas (bench, format, "whole frame, amount 0.5", areas, whole,
          error))
    return FALSE;
  if (gpu_pixels_get_format (info->pixels)->alpha < 0)
    return TRUE;
  areas = make_areas (g_array_new (FALSE, FALSE, sizeof (GpuRegion)));
  areas.rest = &rest;
  areas.mask = GPU_AREAS_ALPHA;
  return measure_areas (bench, format, "whole frame, by alpha", areas, whole,
      error);
}

static gboolean
prepare (Bench * bench, GpuPixels pixels, const guint * size, GError ** error)
{
  BenchPicture *picture = bench_picture_transparent_noise (size[0], size[1], 1);

  bench->frames = bench_frames_new (bench->stream, pixels, &picture, 1,
      FOOTPRINT, error);
  bench_picture_free (picture);
  return bench->frames && gpu_blur_prepare (bench->blur, pixels, size[0],
      size[1], &bench->settings, error);
}

static gboolean
measure_format (Bench * bench, const gchar * format, const guint * size,
    GError ** error)
{
  gdouble whole;
  gboolean done = FALSE;

  if (prepare (bench, blur_find_pixels (format), size, error)) {
    whole = measure (bench, format, "whole frame", NULL, 0, error);
    done = whole >= 0 && measure_regions (bench, format, whole, error)
        && measure_mixes (bench, format, whole, error);
  }
  g_clear_pointer (&bench->frames, bench_frames_free);
  return done;
}

/* Returns whether names of the options are known. */
static gboolean
check_names (gchar ** formats, GError ** error)
{
  const gchar *unknown =
      blur_find_method (option_method) < 0 ? option_method : NULL;

  for (guint i = 0; !unknown && formats[i]; i++)
    if (blur_find_pixels (formats[i]) < 0)
      unknown = formats[i];
  if (unknown)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "no such method or format: %s", unknown);
  return !unknown;
}

static gboolean
run (FILE * csv, GError ** error)
{
  g_autoptr (GArray) sizes = bench_parse_sizes (option_size);
  g_auto (GStrv) formats = g_strsplit (option_formats, ",", -1);
  GpuDevice *device = gpu_fixture_device ();
  Bench bench = {.csv = csv,
    .settings = {.sigma_x = option_sigma, .sigma_y = option_sigma,
      .radius = -1,
      .method = blur_find_method (option_method)}};
  gboolean done = TRUE;

  if (!device || !check_names (formats, error))
    return FALSE;
  bench.stream = gpu_stream_new (device, SLOTS, "bench regions", error);
  if (!bench.stream)
    return FALSE;
  bench.blur = gpu_blur_new (device);
  bench.regions = gpu_region_blur_new (device, bench.blur);
  bench_print_titles (columns, csv);
  for (guint i = 0; done && formats[i]; i++)
    done = measure_format (&bench, formats[i],
        &g_array_index (sizes, guint, 0), error);
  gpu_region_blur_free (bench.regions);
  gpu_blur_free (bench.blur);
  gpu_stream_unref (bench.stream);
  return done;
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "bench_regions", options, run);
}
