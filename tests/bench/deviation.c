/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far quality=live is from quality=exact.
 *
 *   deviation --radii 0.01,0.02 a.ppm b.ppm
 *
 * Every picture is reduced by both, at every radius and with every weighting.
 * What is compared are the measures of the two results (measures.h), not their
 * pixels. */
#include "bench.h"
#include "gpu/palette/palette.h"
#include "gpu_fixture.h"
#include "measures.h"

#include <math.h>

static gchar *option_radii = "0.01,0.02,0.03";
static gchar *option_weighting = "both";
static gchar *option_device;
static gchar **option_files;

static const GOptionEntry options[] = {
  {"radii", 'r', 0, G_OPTION_ARG_STRING, &option_radii, "radii", "R,…"},
  {"weighting", 'w', 0, G_OPTION_ARG_STRING, &option_weighting,
      "palette, frequency or both", "NAME"},
  {"device", 'd', 0, G_OPTION_ARG_STRING, &option_device,
      "instead of GPU_TEST_DEVICE", "DEVICE"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_files,
      NULL, "FILE.ppm…"},
  {NULL}
};

/* --- comparing --- */

/* What was measured of one result. */
typedef struct
{
  guint size;
  gdouble distortion;
} Measures;

/* Ratios are live to exact. */
typedef struct
{
  gdouble size_low, size_high, distortion;
} Bounds;

static const Bounds inner = { 0.5, 2, 1.4 }, outer = { 0.33, 3, 2 };

/* Sizes that differ by no more colours are alike, whatever their ratio. */
#define ALIKE 16

/* One picture, at one radius, with one weighting. */
typedef struct
{
  gdouble radius;
  Measures exact, live;
  gdouble size_ratio, distortion_ratio;
} Case;

static void
compare (Case * c)
{
  c->size_ratio = measure_ratio (c->live.size, c->exact.size, 1);
  c->distortion_ratio =
      measure_ratio (c->live.distortion, c->exact.distortion, 1e-6);
}

static gboolean
is_within (const Case * c, const Bounds * bounds)
{
  return c->distortion_ratio <= bounds->distortion
      && (ABS ((gint) c->live.size - (gint) c->exact.size) <= ALIKE
      || (c->size_ratio >= bounds->size_low
          && c->size_ratio <= bounds->size_high));
}

static const gchar *
describe_bounds (const Case * c)
{
  return is_within (c, &inner) ? "inner" : is_within (c, &outer) ? "outer"
      : "none";
}

/* --- printing --- */

static void
print_header (FILE * csv)
{
  g_print ("%-42s %22s %26s\n", "", "palette size", "distortion");
  g_print ("%-24s %7s %-9s %7s %7s %6s %9s %9s %6s %s\n", "picture", "radius",
      "weights", "exact", "live", "ratio", "exact", "live", "ratio", "bounds");
  if (csv)
    fprintf (csv, "picture,width,height,radius,weighting,exact_size,live_size,"
        "size_ratio,exact_distortion,live_distortion,distortion_ratio,"
        "bounds\n");
}

static void
print_case (const BenchPicture * picture, const gchar * weighting,
    const Case * c, FILE * csv)
{
  g_print ("%-24s %7g %-9s %7u %7u %6.3f %9.6f %9.6f %6.3f %s\n",
      picture->name, c->radius, weighting, c->exact.size, c->live.size,
      c->size_ratio, c->exact.distortion, c->live.distortion,
      c->distortion_ratio, describe_bounds (c));
  if (csv)
    fprintf (csv, "%s,%u,%u,%g,%s,%u,%u,%.4f,%.7f,%.7f,%.4f,%s\n",
        picture->name, picture->width, picture->height, c->radius, weighting,
        c->exact.size, c->live.size, c->size_ratio, c->exact.distortion,
        c->live.distortion, c->distortion_ratio, describe_bounds (c));
}

/* Of the cases with @radius, or of all for a negative one. */
static void
print_summary (const GArray * cases, const gchar * name, gdouble radius)
{
  gdouble size = 0, distortion = 0;
  guint n = 0, n_inner = 0, n_outer = 0;

  for (guint i = 0; i < cases->len; i++) {
    const Case *c = &g_array_index (cases, Case, i);

    if (radius >= 0 && c->radius != radius)
      continue;
    size += log (c->size_ratio);
    distortion += log (c->distortion_ratio);
    n_inner += is_within (c, &inner);
    n_outer += is_within (c, &outer);
    n++;
  }
  g_print ("%7s %7u %7.3f %10.3f %7u %7u\n", name, n, exp (size / n),
      exp (distortion / n), n_inner, n_outer);
}

static void
print_summaries (const GArray * cases, gchar ** radii)
{
  g_print ("\n%7s %7s %7s %10s %7s %7s\n", "radius", "cases", "size",
      "distortion", "inner", "outer");
  for (guint r = 0; radii[r]; r++)
    print_summary (cases, radii[r], g_ascii_strtod (radii[r], NULL));
  print_summary (cases, "all", -1);
}

/* --- measuring --- */

typedef struct
{
  GpuPalette *palette;
  GpuStream *stream;
  GpuPaletteSettings settings;
} Engine;

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Engine *engine = data;
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (engine->palette, stream, &engine->settings,
      &frames, NULL, error);
}

static gboolean
measure_quality (Engine * engine, GpuPaletteQuality quality,
    const BenchPicture * picture, Measures * measures, GError ** error)
{
  gsize n_pixels = (gsize) picture->width * picture->height;
  g_autofree guint8 *out = NULL;
  GpuFrameInfo info;
  const GpuFixtureWork work = { record, engine, &info, &info };

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, picture->width, picture->height);
  engine->settings.quality = quality;
  out = gpu_fixture_run (engine->stream, &work, picture->bytes, error);
  if (!out)
    return FALSE;
  measures->size = measure_palette_size (out, n_pixels,
      engine->settings.making.radius);
  measures->distortion = measure_distortion (picture->bytes, out, n_pixels);
  return TRUE;
}

static gboolean
measure_case (Engine * engine, const BenchPicture * picture, Case * c,
    GError ** error)
{
  c->radius = engine->settings.making.radius;
  if (!measure_quality (engine, GPU_PALETTE_EXACT, picture, &c->exact, error)
      || !measure_quality (engine, GPU_PALETTE_LIVE, picture, &c->live, error))
    return FALSE;
  compare (c);
  return TRUE;
}

static gboolean
measure_picture (Engine * engine, const BenchPicture * picture,
    gchar ** radii, GArray * cases, FILE * csv, GError ** error)
{
  static const gchar *weightings[] = { "frequency", "palette" };
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = picture->width, .height = picture->height};

  if (!gpu_palette_configure (engine->palette, &format, GPU_PALETTE_EXACT,
          error))
    return FALSE;
  for (guint r = 0; radii[r]; r++)
    for (guint w = 0; w < 2; w++) {
      Case c;

      if (!bench_is_chosen (option_weighting, weightings[w]))
        continue;
      engine->settings = (GpuPaletteSettings) {
        .making = { g_ascii_strtod (radii[r], NULL), w }
      };
      if (!measure_case (engine, picture, &c, error))
        return FALSE;
      print_case (picture, weightings[w], &c, csv);
      g_array_append_val (cases, c);
    }
  return TRUE;
}

static gboolean
measure_files (Engine * engine, FILE * csv, GError ** error)
{
  g_auto (GStrv) radii = g_strsplit (option_radii, ",", -1);
  g_autoptr (GArray) cases = g_array_new (FALSE, FALSE, sizeof (Case));
  gboolean ok = TRUE;

  if (!option_files) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "no pictures are given");
    return FALSE;
  }
  g_print ("%s\n",
      gpu_device_get_info (gpu_stream_get_device (engine->stream))->name);
  print_header (csv);
  for (guint i = 0; ok && option_files[i]; i++) {
    BenchPicture *picture = bench_picture_load_ppm (option_files[i], error);

    ok = picture && measure_picture (engine, picture, radii, cases, csv, error);
    g_clear_pointer (&picture, bench_picture_free);
  }
  if (ok && cases->len > 0)
    print_summaries (cases, radii);
  return ok;
}

static gboolean
run (FILE * csv, GError ** error)
{
  g_autoptr (GpuStream) stream = NULL;
  g_autoptr (GpuPalette) palette = NULL;
  GpuDevice *device;

  if (option_device)
    g_setenv ("GPU_TEST_DEVICE", option_device, TRUE);
  device = gpu_fixture_device ();
  stream = device ? gpu_stream_new (device, 2, "deviation", error) : NULL;
  if (!stream)
    return FALSE;
  palette = gpu_palette_new (device);
  return measure_files (&(Engine) {palette, stream}, csv, error);
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "deviation", options, run);
}
