/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Areas of frames on the device, sample by sample, against the oracle: random regions and
 * settings in every format of codes. */
#include "regions_fixture.h"

#include "gpu_fixture.h"
#include "samples.h"

#include <math.h>
#include <string.h>

static gboolean is_full;

static const guint usual_size[] = { 131, 69 };
static const guint large_size[] = { 257, 195 };

static GArray *
new_regions (const GpuRegion * list, guint n)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  return g_array_append_vals (regions, list, n);
}

/* Begins work on progressive frames with such regions. */
static void
begin (RegionsWork * work, Fixture * fixture, GpuPixels pixels,
    const guint * size, const GpuRegion * list, guint n)
{
  regions_begin (work, fixture, pixels, size, FALSE);
  regions_set (work, new_regions (list, n));
}

#define BEGIN(work, fixture, pixels, size, list) \
  begin (work, fixture, pixels, size, list, G_N_ELEMENTS (list))

static void
check_and_end (RegionsWork * work)
{
  regions_prepare (work, TRUE);
  regions_check_frame (work);
  regions_end (work);
}

static void
check_random (Fixture * fixture, GpuPixels pixels, const RegionsKind * kind,
    const guint * size, gboolean is_interlaced)
{
  RegionsWork work;

  regions_begin (&work, fixture, pixels, size, is_interlaced);
  regions_draw_areas (&work, kind);
  check_and_end (&work);
}

/* Without --full, formats of each layout, with and without alpha. */
static gboolean
is_tested (GpuPixels pixels)
{
  static const GpuPixels usual[] = {
    GPU_PIXELS_BGRA, GPU_PIXELS_XRGB, GPU_PIXELS_RGB, GPU_PIXELS_GRAY8,
    GPU_PIXELS_NV16, GPU_PIXELS_Y41B, GPU_PIXELS_YUY2, GPU_PIXELS_UYVY,
    GPU_PIXELS_AYUV, GPU_PIXELS_A420, GPU_PIXELS_P010, GPU_PIXELS_P012,
    GPU_PIXELS_I420_10, GPU_PIXELS_GRAY16, GPU_PIXELS_ARGB64,
    GPU_PIXELS_RGB10A2
  };

  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    if (usual[i] == pixels)
      return TRUE;
  return is_full && gpu_blur_takes (pixels);
}

/* Each format has another kind of areas, and another one of the small sizes. */
static void
test_formats (Fixture * fixture, gconstpointer data)
{
  static const guint sizes[][2] = {
    {1, 1}, {2, 3}, {37, 1}, {61, 43}, {3, 70}, {64, 32}, {1, 2}
  };

  /* Later ones are for engines alone. */
  for (GpuPixels pixels = 0; pixels < GPU_PIXELS_RGB8P; pixels++) {
    const RegionsKind kind = { pixels % 2, pixels / 2 % 2, 1 << pixels % 3 };

    if (!is_tested (pixels))
      continue;
    check_random (fixture, pixels, &kind, usual_size, FALSE);
    check_random (fixture, pixels, &kind, usual_size, TRUE);
    check_random (fixture, pixels, &kind,
        sizes[pixels % G_N_ELEMENTS (sizes)], pixels % 5 == 0);
  }
}

/* Every kind of areas. Other tests have the kinds of these formats, so that few shaders are
 * built. */
BLUR_TEST (areas)
{
  static const struct
  {
    GpuPixels pixels;
    RegionsKind kind;
  } cases[] = {
    {GPU_PIXELS_RGBA, {FALSE, FALSE, REGIONS_ALL_ACTIONS}},
    {GPU_PIXELS_RGBA, {FALSE, TRUE, REGIONS_ALL_ACTIONS}},
    {GPU_PIXELS_RGBA, {TRUE, FALSE, REGIONS_ALL_ACTIONS}},
    {GPU_PIXELS_RGBA, {TRUE, TRUE, REGIONS_ALL_ACTIONS}},
    {GPU_PIXELS_NV12, {FALSE, TRUE, REGIONS_ALL_ACTIONS}},
    {GPU_PIXELS_P010, {FALSE, TRUE, REGIONS_ALL_ACTIONS}},
    {GPU_PIXELS_A420, {TRUE, TRUE, REGIONS_ALL_ACTIONS}},
  };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (cases); i++)
    check_random (fixture, cases[i / 4].pixels, &cases[i / 4].kind,
        usual_size, i % 4 == 3);
}

/* Regions that lie in the atlas have each its own blur. */
BLUR_TEST (strengths)
{
  static const GpuPixels formats[] = { GPU_PIXELS_RGBA, GPU_PIXELS_P010 };
  const GpuRegion regions[] = {
    {{3, 5, 9, 7},.feather = 2,.strength = 1},
    {{60, 40, 8, 6}, GPU_REGION_ELLIPSE,.strength = 2 * M_SQRT2},
    {{63, 36, 2, 9},.strength = M_SQRT1_2},
    {{110, 50, 30, 5},.strength = M_SQRT1_2},
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    RegionsWork work;

    BEGIN (&work, fixture, formats[i], large_size, regions);
    check_and_end (&work);
  }
}

/* What the atlas has beyond the edges of the frame. */
BLUR_TEST (edges)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_NV12, GPU_PIXELS_YUY2, GPU_PIXELS_A420
  };
  static const GpuRegion regions[] = {
    {{-3, -5, 9, 9},.feather = 2,.strength = 1},
    {{250, 1, 9, 9},.strength = 1},
    {{2, 184, 9, 9},.strength = 1},
    {{253, 190, 90, 90},.strength = 1},
  };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (formats); i++) {
    RegionsWork work;

    BEGIN (&work, fixture, formats[i / 4], large_size, regions);
    work.settings.edge = i % 4;
    work.areas.amount = regions_have_alpha (&work.in) ? 0.9 : 1;
    check_and_end (&work);
  }
}

/* The farthest samples that the blur reads lie in tiles of the atlas of their own. */
BLUR_TEST (reach)
{
  static const GpuRegion region = {
    {4 * ATLAS_TILE + 11, 3 * ATLAS_TILE + 11, 26, 26},.strength = 1
  };
  RegionsWork work;

  begin (&work, fixture, GPU_PIXELS_GRAY8, large_size, &region, 1);
  work.settings.sigma_x = work.settings.sigma_y = 8;
  work.settings.radius = 12;
  check_and_end (&work);
}

/* What does not lie in the atlas is blurred as strongly as the strongest. */
BLUR_TEST (strongest)
{
  const GpuRegion regions[] = {
    {{-5, -5, 120, 90},.strength = 2}, {{90, 0, 50, 60},.strength = 1},
  };
  RegionsWork work;
  g_autofree guint8 *in = NULL, *out = NULL;

  BEGIN (&work, fixture, GPU_PIXELS_RGBA, usual_size, regions);
  regions_prepare (&work, TRUE);
  in = regions_draw_frame (&work.in);
  out = regions_treat (&work, in);
  g_array_index (work.regions, GpuRegion, 1).strength = 2;
  regions_check_field (&work, 0, in, out);
  regions_end (&work);
}

/* Other methods reach farther, or write other rows. */
BLUR_TEST (methods)
{
  static const GpuBlurMethod methods[] = {
    GPU_BLUR_STRIPS, GPU_BLUR_PYRAMID
  };
  static const GpuRegion regions[] = {
    {{20, 10, 30, 20}, GPU_REGION_ELLIPSE,.feather = 3,.strength = 1},
    {{-3, 150, 9, 90},.strength = 1},
  };
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    gdouble sigma = methods[i] == GPU_BLUR_PYRAMID ? 9 : 2;
    RegionsWork work;

    BEGIN (&work, fixture, GPU_PIXELS_GRAY8, large_size, regions);
    work.settings.method = methods[i];
    work.settings.sigma_x = work.settings.sigma_y = sigma;
    regions_prepare (&work, TRUE);
    regions_check_frame (&work);
    g_assert_cmpint (fixture->report.method, ==, methods[i]);
    regions_end (&work);
  }
}

/* Samples of component @c in @box are those of @blurred, the frame blurred as a whole. */
static void
check_blurred (const RegionsWork * work, const GpuRegionBox * box, guint c,
    const guint8 * out, const guint8 * blurred)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (work->in.pixels);
  guint shift_x = format->shift_x[format->place[c] / 4];
  guint shift_y = format->shift_y[format->place[c] / 4];
  guint right = (box->x + box->width - 1) >> shift_x;
  guint bottom = (box->y + box->height - 1) >> shift_y;

  for (guint y = box->y >> shift_y; y <= bottom; y++)
    for (guint x = box->x >> shift_x; x <= right; x++)
      g_assert_cmpuint (samples_get (&work->out, out, c, x, y), ==,
          samples_get (&work->in, blurred, c, x, y));
}

/* As many of the regions, which lie in the frame. */
static void
check_as_whole (RegionsWork * work, const GpuRegion * regions, guint n)
{
  g_autofree guint8 *in = regions_draw_frame (&work->in);
  g_autofree guint8 *out = NULL, *blurred = NULL;

  regions_set (work, new_regions (regions, n));
  regions_prepare (work, TRUE);
  out = regions_treat (work, in);
  blurred = blur_prepared (work->fixture, &work->in, in, &work->in,
      &work->settings);
  for (guint i = 0; i < n; i++)
    for (guint c = 0; c < 3; c++)
      check_blurred (work, &regions[i].box, c, out, blurred);
}

/* A bilateral filter reaches as far as all its rounds. At the edges of the frame, it is that of
 * the whole frame, too. */
BLUR_TEST (bilateral)
{
  static const GpuPixels formats[] = { GPU_PIXELS_RGBA, GPU_PIXELS_NV12 };
  static const GpuRegion regions[] = {
    {{2 * ATLAS_TILE + 7, 3 * ATLAS_TILE + 7, 34, 18},.feather = 1,
        .strength = 1},
    {{0, 150, 9, 40},.strength = 1},
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    RegionsWork work;

    regions_begin (&work, fixture, formats[i], large_size, FALSE);
    work.settings = (GpuBlurSettings) {.kernel = GPU_BLUR_BILATERAL,
      .sigma_x = 4, .sigma_y = 4, .radius = 4, .range = 0.3, .rounds = 2};
    check_as_whole (&work, regions, 1);
    check_as_whole (&work, regions, G_N_ELEMENTS (regions));
    regions_end (&work);
  }
}

static gdouble
decode_square (gdouble code, gconstpointer data)
{
  return code * code;
}

static gdouble
encode_square (gdouble light, gconstpointer data)
{
  return sqrt (light);
}

/* Light of subsampled chroma depends on chroma beside it, at both ends of what a blur reads. */
BLUR_TEST (light)
{
  static const GpuYuv yuv = {.kr = 0.299, .kb = 0.114, .h_cosited = TRUE};
  static const GpuRegion regions[] = {
    {{2 * ATLAS_TILE + 5, 3 * ATLAS_TILE + 5, 54, 22},.strength = 1},
    {{0, 150, 9, 40},.strength = 1},
  };
  static GpuBlurTransfer transfer;
  RegionsWork work;

  gpu_blur_transfer_init (&transfer, &yuv, decode_square, encode_square, NULL);
  regions_begin (&work, fixture, GPU_PIXELS_I420, large_size, FALSE);
  work.settings = (GpuBlurSettings) {.kernel = GPU_BLUR_BOX, .radius = 4,
    .transfer = &transfer, .method = GPU_BLUR_SEPARABLE};
  check_as_whole (&work, regions, 1);
  check_as_whole (&work, regions, G_N_ELEMENTS (regions));
  regions_end (&work);
}

/* Without any, and with those that change nothing, a frame stays as it is, and nothing needs
 * a blur. */
BLUR_TEST (nothing)
{
  const GpuRegion regions[] = {
    {{10, 10, 50, 50},.strength = 1},
    {{0, 30, 20, 50},.feather = 9,.action = GPU_REGION_FILL},
  };
  RegionsWork work;

  regions_begin (&work, fixture, GPU_PIXELS_RGBA, usual_size, FALSE);
  work.settings.sigma_x = work.settings.sigma_y = 0;
  for (guint n = 0; n <= G_N_ELEMENTS (regions); n++) {
    regions_set (&work, new_regions (regions, n));
    regions_prepare (&work, FALSE);
    regions_check_frame (&work);
    g_assert_cmpuint (fixture->report.n_stages, ==, 0);
  }
  work.areas.amount = 0;
  regions_prepare (&work, FALSE);
  regions_check_frame (&work);
  work.areas.amount = 1;
  work.rest = regions[0];
  work.areas.rest = &work.rest;
  regions_prepare (&work, FALSE);
  regions_check_frame (&work);
  regions_end (&work);
}

/* As many as there may be. */
BLUR_TEST (many)
{
  const RegionsKind kind = {.has_shapes = TRUE, .actions = REGIONS_ALL_ACTIONS};
  RegionsWork work;

  regions_begin (&work, fixture, GPU_PIXELS_RGBA, usual_size, FALSE);
  regions_set (&work, regions_draw_list (&work.in, &kind, REGIONS_MOST));
  regions_prepare (&work, TRUE);
  for (guint i = 0; i < work.regions->len; i++) {
    GpuRegionBox *box = &g_array_index (work.regions, GpuRegion, i).box;

    box->width = MIN (box->width, 12);
    box->height = MIN (box->height, 12);
  }
  regions_check_frame (&work);
  work.rest = regions_draw_region (&work.in, &kind, 1);
  work.areas.rest = &work.rest;
  g_array_set_size (work.regions, REGIONS_MOST - 1);
  regions_prepare (&work, TRUE);
  regions_check_frame (&work);
  regions_end (&work);
}

/* --- more than there may be --- */

static gboolean
is_filled (const RegionsWork * work, const guint8 * out, guint x, guint y)
{
  return samples_get (&work->out, out, 0, x, y) == 200;
}

static gboolean
is_in (const GpuRegionBox * box, gint x, gint y)
{
  return x >= box->x && x < box->x + box->width
      && y >= box->y && y < box->y + box->height;
}

static gboolean
is_in_any (const GArray * regions, gint x, gint y)
{
  for (guint i = 0; i < regions->len; i++)
    if (is_in (&g_array_index (regions, GpuRegion, i).box, x, y))
      return TRUE;
  return FALSE;
}

/* Fills regions of a black frame. */
static guint8 *
fill (RegionsWork * work)
{
  g_autofree guint8 *in = g_malloc0 (work->in.size);

  return regions_treat (work, in);
}

/* Those that are too many are merged: what one of them covers is treated. */
BLUR_TEST (merged)
{
  static const guint numbers[] = { 257, 400, 3000 };
  RegionsWork work;

  regions_begin (&work, fixture, GPU_PIXELS_GRAY8, usual_size, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree guint8 *out = NULL;
    guint covered = 0;

    regions_set (&work, g_array_new (FALSE, FALSE, sizeof (GpuRegion)));
    for (guint k = 0; k < numbers[i]; k++) {
      const GpuRegion region = {
        {regions_draw (-5, 131), regions_draw (-5, 69), regions_draw (0, 6),
            regions_draw (0, 4)},
        .action = GPU_REGION_FILL,.colour = {200}
      };

      g_array_append_val (work.regions, region);
    }
    regions_prepare (&work, FALSE);
    out = fill (&work);
    for (guint y = 0; y < work.in.height; y++)
      for (guint x = 0; x < work.in.width; x++)
        if (is_in_any (work.regions, x, y)) {
          covered++;
          g_assert_true (is_filled (&work, out, x, y));
        }
    g_assert_cmpuint (covered, >, 500);
  }
  regions_end (&work);
}

/* Squares of 5 × 5 pixels, and of 2 × 2 between them. */
static GArray *
make_squares (const guint * size)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  for (gint y = 0; y < (gint) size[1] / 6; y++)
    for (gint x = 0; x < (gint) size[0] / 6; x++) {
      gint side = (x + y) % 5 == 0 ? 2 : 5;
      const GpuRegion region = {.box = {6 * x, 6 * y, side, side}};

      g_array_append_val (regions, region);
    }
  return regions;
}

/* Of those that are too many to stay, the largest do. */
BLUR_TEST (too_many_stay)
{
  static const guint size[] = { 132, 84 };      /* 22 × 14 squares */
  guint small = 0;
  RegionsWork work;
  g_autofree guint8 *out = NULL;

  regions_begin (&work, fixture, GPU_PIXELS_GRAY8, size, FALSE);
  regions_set (&work, make_squares (size));
  work.rest = (GpuRegion) {.action = GPU_REGION_FILL, .colour = {200}};
  work.areas.rest = &work.rest;
  regions_prepare (&work, FALSE);
  out = fill (&work);
  for (guint i = 0; i < work.regions->len; i++) {
    const GpuRegionBox *box = &g_array_index (work.regions, GpuRegion, i).box;

    if (box->width == 2)
      small += !is_filled (&work, out, box->x, box->y);
    else
      g_assert_false (is_filled (&work, out, box->x, box->y));
  }
  /* Of 308 squares, 61 are small. */
  g_assert_cmpuint (small, ==, REGIONS_MOST - 1 - 247);
  for (guint y = 0; y < size[1]; y++)
    for (guint x = 0; x < size[0]; x++)
      if (!is_in_any (work.regions, x, y))
        g_assert_true (is_filled (&work, out, x, y));
  regions_end (&work);
}

static void
invert_alpha (const GpuFrameInfo * info, guint8 * frame)
{
  guint largest = samples_get_largest (info->pixels, SAMPLES_ALPHA);

  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++)
      samples_set (info, frame, SAMPLES_ALPHA, x, y, largest
          - samples_get (info, frame, SAMPLES_ALPHA, x, y));
}

/* Inverse alpha does to a frame what alpha does to one whose alpha is inverted. */
BLUR_TEST (inverse_alpha)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_ARGB, GPU_PIXELS_A420, GPU_PIXELS_RGB10A2, GPU_PIXELS_GBRA_12
  };
  static const GpuRegion region = {.strength = 1, .block = 9};

  for (guint i = 0; i < 2 * G_N_ELEMENTS (formats); i++) {
    g_autofree guint8 *in = NULL, *out = NULL, *inverted = NULL;
    RegionsWork work;

    begin (&work, fixture, formats[i / 2], usual_size, NULL, 0);
    work.rest = region;
    work.rest.action = i % 2 ? GPU_REGION_PIXELATE : GPU_REGION_BLUR;
    work.areas.rest = &work.rest;
    work.areas.mask = GPU_AREAS_INVERSE_ALPHA;
    regions_prepare (&work, TRUE);
    in = regions_draw_frame (&work.in);
    out = regions_treat (&work, in);
    invert_alpha (&work.out, out);
    invert_alpha (&work.in, in);
    work.areas.mask = GPU_AREAS_ALPHA;
    regions_prepare (&work, TRUE);
    inverted = regions_treat (&work, in);
    regions_check_same (&work.out, out, &work.out, inverted);
    regions_end (&work);
  }
}

/* Bits above the code, which it should not have, are filled as well. */
BLUR_TEST (bits_above)
{
  static const GpuRegion region = {
    {0, 0, 131, 69},.action = GPU_REGION_FILL,.colour = {5, 6, 7, 0}
  };
  g_autofree guint16 *in = NULL;
  g_autofree guint8 *out = NULL;
  RegionsWork work;

  begin (&work, fixture, GPU_PIXELS_Y444_10, usual_size, &region, 1);
  regions_prepare (&work, FALSE);
  in = g_malloc (work.in.size);
  memset (in, 0xff, work.in.size);
  out = regions_treat (&work, (const guint8 *) in);
  for (guint i = 0; i < 3; i++)
    for (guint x = 0; x < usual_size[0]; x++)
      g_assert_cmpuint (((const guint16 *) (out + work.out.offset[i]))[x], ==,
          region.colour[i]);
  regions_end (&work);
}

/* Tiles are found up to the last column that a frame may have; wider frames are refused. */
BLUR_TEST (widest)
{
  static const guint widest[] = { REGION_MOST_SIDE, 2 };
  static const GpuRegion regions[] = {
    {{REGION_MOST_SIDE - 40, 0, 33, 2},.action = GPU_REGION_FILL},
    {{REGION_MOST_SIDE - 7, 1, 90, 9},.action = GPU_REGION_PIXELATE,
        .block = GPU_REGION_MIN_BLOCK},
  };
  RegionsWork work;

  BEGIN (&work, fixture, GPU_PIXELS_GRAY8, widest, regions);
  regions_prepare (&work, FALSE);
  regions_check_frame (&work);
  FAILS (GPU_ERROR_TOO_LARGE, gpu_region_blur_prepare (work.engine,
          GPU_PIXELS_GRAY8, REGION_MOST_SIDE + 1, 2, &work.areas, &error));
  regions_end (&work);
}

/* With --full, only the test of formats. */
int
main (int argc, char **argv)
{
  int result;

  is_full = argc > 1 && !strcmp (argv[1], "--full");
  g_test_init (&argc, &argv, NULL);
  regions_begin_to_draw ();
  ADD ("/regions/formats", NULL, test_formats);
  if (!is_full) {
    blur_fixture_add_tests ("/regions/", FALSE);
  }
  result = gpu_fixture_run_tests ();
  regions_end_to_draw ();
  return result;
}
