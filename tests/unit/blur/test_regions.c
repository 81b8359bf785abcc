/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions of frames on the device, sample by sample, against the oracle: random ones, in
 * formats of each layout. */
#include "blur_fixture.h"
#include "gpu/blur/regions/regionblur.h"
#include "gpu_fixture.h"
#include "reference_regions.h"

#include <math.h>
#include <string.h>

#define WIDTH 301
#define HEIGHT 203

/* A blur may be wrong by so many code values beyond rounding; a mix of two, each rounded. */
#define BLUR_ERROR .6
#define MIX_ERROR 1.6

typedef struct
{
  Fixture *fixture;
  GpuRegionBlur *engine;
  GpuBlurSettings settings;
  GpuFrameInfo info;
  GArray *regions;
} Work;

static GpuBlurSettings
default_settings (void)
{
  return (GpuBlurSettings) {
  .sigma_x = 4,.sigma_y = 3,.radius = -1,.rounds = 1,.method =
        GPU_BLUR_SEPARABLE,.precision = GPU_BLUR_FLOAT};
}

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Work *work = data;
  const GpuFrames frames = {.in = in,.out = out };

  return gpu_region_blur_record (work->engine, stream, &work->settings,
      &frames, work->regions, &work->fixture->report, error);
}

/* --- random regions --- */

/* The same in each run. */
static GRand *random_numbers;

static GpuRegion
random_region (guint largest)
{
  return (GpuRegion) {
    .box = {
      g_rand_int_range (random_numbers, -40, WIDTH + 10),
      g_rand_int_range (random_numbers, -40, HEIGHT + 10),
      g_rand_int_range (random_numbers, 0, largest),
      g_rand_int_range (random_numbers, 0, largest)
  },.shape = g_rand_int_range (random_numbers, 0, 2),.action =
        g_rand_int_range (random_numbers, 0, 3),.block =
        g_rand_int_range (random_numbers, GPU_REGION_MIN_BLOCK, 40),.colour =
        { 20, 200, 90, 131 },.feather =
        g_rand_boolean (random_numbers) ? 0 :
        g_rand_int_range (random_numbers, 1, 20),};
}

static GArray *
random_regions (guint n, guint largest)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  for (guint i = 0; i < n; i++) {
    const GpuRegion region = random_region (largest);

    g_array_append_val (regions, region);
  }
  return regions;
}

/* --- what the oracle sees --- */

/* Returns the part of a region that is in the rows of a field. */
static ReferenceRegion
reference_region (const GpuRegion * region, const GpuFrameInfo * info,
    const Rows * rows)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  ReferenceRegion reference = {
    region->box.x, region->box.y, region->box.width, region->box.height,
    region->shape == GPU_REGION_ELLIPSE,
    (ReferenceRegionAction) region->action, region->block,.feather =
        region->feather
  };

  /* Grey is red, green and blue: the first one counts. */
  for (gint c = 3; c >= 0; c--)
    if (format->place[c] / 4 == (gint) rows->plane && format->place[c] >= 0)
      reference.fill[format->place[c] % 4] = region->colour[c];
  if (rows->step == 2) {
    gint end = reference.y + reference.height;

    reference.y = (gint) floor ((reference.y - (gint) rows->first + 1) / 2.);
    reference.height =
        (gint) floor ((end - (gint) rows->first + 1) / 2.) - reference.y;
  }
  return reference;
}

/* Those that are not empty. */
static GArray *
reference_list (const Work * work, const Rows * rows)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (ReferenceRegion));
  gint height = (work->info.height + rows->step - 1 - rows->first)
      / rows->step;

  for (guint i = 0; i < work->regions->len; i++) {
    const ReferenceRegion region = reference_region (&g_array_index
        (work->regions, GpuRegion, i), &work->info, rows);

    if (region.width > 0 && region.height > 0 && region.x < WIDTH
        && region.y < height && region.x + region.width > 0
        && region.y + region.height > 0)
      g_array_append_val (list, region);
  }
  return list;
}

static void
compare (const Work * work, const gdouble * oracle, const guint8 * kinds,
    const guint8 * out, gsize n)
{
  static const gdouble most[] = { 0, .5 + BLUR_ERROR, .5 + MIX_ERROR };

  for (gsize i = 0; i < n; i++)
    if (fabs (oracle[i] - out[i]) > most[kinds[i]]) {
      g_test_message ("%s, sample %" G_GSIZE_FORMAT " of kind %u: %u "
          "for %g", gpu_pixels_get_format (work->info.pixels)->name, i,
          kinds[i], out[i], oracle[i]);
      g_test_fail ();
      return;
    }
}

static void
check_rows (const Work * work, const Rows * rows, const guint8 * in,
    const guint8 * out)
{
  const GpuFrameInfo *info = &work->info;
  g_autofree guint8 *samples = take_rows (info, rows, in);
  g_autofree guint8 *output = take_rows (info, rows, out);
  ReferencePlane plane = reference_plane (info, rows, samples, FALSE);
  gsize n = (gsize) plane.width * plane.height * plane.components;
  g_autofree gdouble *blurred = g_new (gdouble, n);
  g_autofree gdouble *oracle = g_new (gdouble, n);
  g_autofree guint8 *kinds = g_new (guint8, n);
  g_autoptr (GArray) list = reference_list (work, rows);
  const ReferenceBlurSettings settings = { REFERENCE_KERNEL_GAUSSIAN,
    {work->settings.sigma_x, work->settings.sigma_y}, -1,
    (ReferenceEdge) work->settings.edge
  };
  const ReferenceRegions regions = {
    info->width, (info->height + rows->step - 1 - rows->first) / rows->step,
    gpu_pixels_get_format (info->pixels)->unused,
    (const ReferenceRegion *) list->data, list->len
  };

  reference_blur (&plane, &settings, blurred);
  /* Regions are those of the field: their rows are the field's. */
  plane.y_subsampling /= rows->step;
  reference_regions (&plane, &regions, blurred, oracle, kinds);
  compare (work, oracle, kinds, output, n);
}

static void
check_frame (Work * work)
{
  const GpuFixtureWork fixture_work = { record, work, &work->info, &work->info
  };
  guint fields = work->info.is_interlaced ? 2 : 1;
  g_autofree guint8 *in = make_frame (&work->info, 7);
  g_autofree guint8 *out = NULL;
  g_autoptr (GError) error = NULL;

  out = gpu_fixture_run (work->fixture->stream, &fixture_work, in, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < gpu_pixels_get_format (work->info.pixels)->n_planes;
      i++)
    for (guint field = 0; field < fields; field++) {
      const Rows rows = rows_of_field (&work->info, i, field);

      check_rows (work, &rows, in, out);
    }
}

static void
begin (Work * work, Fixture * fixture, GpuPixels pixels, gboolean is_interlaced)
{
  g_autoptr (GError) error = NULL;

  *work = (Work) {
  .fixture = fixture,.settings = default_settings ()};
  gpu_frame_info_init (&work->info, pixels, WIDTH, HEIGHT);
  work->info.is_interlaced = is_interlaced;
  work->engine = gpu_region_blur_new (gpu_stream_get_device (fixture->stream),
      fixture->blur);
  (is_interlaced ? gpu_blur_prepare_fields : gpu_blur_prepare)
      (fixture->blur, pixels, WIDTH, HEIGHT, &work->settings, &error);
  g_assert_no_error (error);
  gpu_region_blur_prepare (work->engine, pixels, WIDTH, HEIGHT, &error);
  g_assert_no_error (error);
}

static void
end (Work * work)
{
  gpu_region_blur_free (work->engine);
}

/* Few small regions fit into an atlas, others do not. */
static void
check_random (Work * work, guint tries)
{
  for (guint i = 0; i < tries; i++) {
    work->settings.edge = (i + work->info.pixels) % 4;
    work->regions = random_regions (i % 3 ? 12 : 3, i % 3 ? 150 : 40);
    check_frame (work);
    g_array_unref (work->regions);
  }
}

static void
test_formats (Fixture * fixture, gconstpointer data)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_RGBA, GPU_PIXELS_ARGB, GPU_PIXELS_XRGB, GPU_PIXELS_RGB,
    GPU_PIXELS_GRAY8, GPU_PIXELS_NV12, GPU_PIXELS_I420, GPU_PIXELS_NV61,
    GPU_PIXELS_Y41B, GPU_PIXELS_GBR
  };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Work work;

    begin (&work, fixture, formats[i], FALSE);
    check_random (&work, 3);
    end (&work);
  }
}

static void
test_fields (Fixture * fixture, gconstpointer data)
{
  Work work;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_I420, TRUE);
  check_random (&work, 3);
  end (&work);
}

/* Without any, and with those that change nothing, a frame stays as it is. */
static void
test_nothing (Fixture * fixture, gconstpointer data)
{
  Work work;
  const GpuRegion blurred = {.box = {10, 10, 50, 50} };

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_RGBA, FALSE);
  work.regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  check_frame (&work);
  g_array_append_val (work.regions, blurred);
  work.settings.sigma_x = work.settings.sigma_y = 0;
  check_frame (&work);
  g_assert_cmpuint (fixture->report.n_stages, ==, 0);
  g_array_unref (work.regions);
  end (&work);
}

/* As many as there may be, and the whole frame. */
static void
test_many (Fixture * fixture, gconstpointer data)
{
  Work work;
  const GpuRegion all = {.box = {-5, -5, WIDTH + 9, HEIGHT + 9},.action =
      GPU_REGION_PIXELATE,.block = GPU_REGION_MAX_BLOCK
  };

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_RGBA, FALSE);
  work.regions = random_regions (REGIONS_MOST - 1, 20);
  g_array_append_val (work.regions, all);
  check_frame (&work);
  g_array_unref (work.regions);
  end (&work);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  random_numbers = g_rand_new_with_seed (1);
  ADD ("/regions/formats", NULL, test_formats);
  ADD ("/regions/fields", NULL, test_fields);
  ADD ("/regions/nothing", NULL, test_nothing);
  ADD ("/regions/many", NULL, test_many);
  result = g_test_run ();
  g_rand_free (random_numbers);
  gpu_fixture_close ();
  return result;
}
