/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Areas of frames on the device, sample by sample, against the oracle: random regions and
 * settings in every format of codes. */
#include "blur_layouts.h"
#include "gpu/blur/regions/regionblur.h"
#include "gpu_fixture.h"
#include "reference_regions.h"
#include "samples.h"

#include <math.h>
#include <string.h>

typedef struct
{
  Fixture *fixture;
  GpuRegionBlur *engine;
  GpuBlurSettings settings;
  GpuFrameInfo in, out;
  GArray *regions;              /* of GpuRegion */
  GpuRegion rest;
  GpuAreas areas;
  gboolean is_in_place;
} Work;

static gboolean is_full;

/* The same in each run. */
static GRand *random_numbers;

static gint
draw (gint begin, gint end)
{
  return g_rand_int_range (random_numbers, begin, end);
}

/* --- frames --- */

static gboolean
has_alpha (const GpuFrameInfo * info)
{
  return samples_get_columns (info, SAMPLES_ALPHA) > 0;
}

/* Grey is red, green and blue: one component. */
static guint
count_components (const GpuFrameInfo * info)
{
  return gpu_pixels_get_format (info->pixels)->model == GPU_MODEL_GREY ? 1
      : SAMPLES_COMPONENTS;
}

static GpuFrameInfo
get_field (const GpuFrameInfo * info, guint i)
{
  GpuFrameInfo field = *info;

  if (info->is_interlaced)
    gpu_frame_info_get_field (info, i, &field);
  return field;
}

static guint
count_fields (const GpuFrameInfo * info)
{
  return info->is_interlaced ? gpu_frame_info_count_fields (info) : 1;
}

/* Many alphas are the least or the largest. */
static guint
draw_code (GpuPixels pixels, guint c)
{
  guint largest = samples_get_largest (pixels, c);
  gint kind = c == SAMPLES_ALPHA ? draw (0, 4) : -1;

  return kind == 0 ? 0 : kind == 1 ? largest : (guint) draw (0, largest + 1);
}

/* Unused bytes and low bits are random, too; unused high bits are 0. */
static guint8 *
draw_frame (const GpuFrameInfo * info)
{
  guint sample = gpu_pixels_get_format (info->pixels)->sample;
  gboolean has_high_bits = SAMPLE_CODE_BITS (sample) + SAMPLE_LOW_BITS (sample)
      < 8 * SAMPLE_SIZE (sample);
  guint8 *frame = g_malloc0 (info->size);

  for (gsize i = 0; !has_high_bits && i < info->size; i++)
    frame[i] = draw (0, 256);
  for (guint f = 0; f < count_fields (info); f++) {
    const GpuFrameInfo field = get_field (info, f);

    for (guint c = 0; c < count_components (info); c++)
      for (guint y = 0; y < samples_get_rows (&field, c); y++)
        for (guint x = 0; x < samples_get_columns (&field, c); x++)
          samples_set (&field, frame, c, x, y, draw_code (info->pixels, c));
  }
  return frame;
}

/* --- the engine --- */

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Work *work = data;
  const GpuFrames frames = {.in = work->is_in_place ? out : in,.out = out };

  if (work->is_in_place) {
    gpu_stream_copy (stream, in->buffer, 0, out->buffer, 0, out->info.size);
    gpu_stream_barrier (stream);
  }
  return gpu_region_blur_record (work->engine, stream, &work->settings,
      &frames, &work->areas, &work->fixture->report, error);
}

static guint8 *
treat (Work * work, const guint8 * in)
{
  const GpuFixtureWork fixture_work = { record, work, &work->in,
    work->is_in_place ? &work->in : &work->out
  };
  g_autoptr (GError) error = NULL;
  guint8 *out = gpu_fixture_run (work->fixture->stream, &fixture_work, in,
      &error);

  g_assert_no_error (error);
  return out;
}

static void
begin (Work * work, Fixture * fixture, GpuPixels pixels, const guint * size,
    gboolean is_interlaced)
{
  *work = (Work) {
    .fixture = fixture,.settings = {
      .sigma_x = 1.6,.sigma_y = 1.1,.radius = -1,
      .method = GPU_BLUR_SEPARABLE,.precision = GPU_BLUR_FLOAT,
      .edge = pixels % 4
    }
  };
  if (is_interlaced)
    work->in = interlaced_info (pixels, size[0], size[1]);
  else
    gpu_frame_info_init (&work->in, pixels, size[0], size[1]);
  work->out = work->in;
  samples_pad (&work->out);
  work->areas = (GpuAreas) {
  .amount = 1,.components = GPU_AREAS_ALL_COMPONENTS};
  work->engine = gpu_region_blur_new (gpu_stream_get_device (fixture->stream),
      fixture->blur);
}

/* For areas like those of the work. */
static void
prepare (Work * work, gboolean with_blur)
{
  const GpuFrameInfo *info = &work->in;
  g_autoptr (GError) error = NULL;

  gpu_region_blur_prepare (work->engine, info->pixels, info->width,
      info->height, &work->areas, &error);
  g_assert_no_error (error);
  if (!with_blur)
    return;
  (info->is_interlaced ? gpu_blur_prepare_fields : gpu_blur_prepare)
      (work->fixture->blur, info->pixels, info->width, info->height,
      &work->settings, &error);
  g_assert_no_error (error);
}

static void
set_regions (Work * work, GArray * regions)
{
  g_clear_pointer (&work->regions, g_array_unref);
  work->regions = regions;
  work->areas.regions = regions;
}

static void
end (Work * work)
{
  set_regions (work, NULL);
  gpu_region_blur_free (work->engine);
}

/* --- random areas --- */

static GpuRegionBox
draw_huge_box (void)
{
  static const GpuRegionBox boxes[] = {
    {G_MININT + 5, 3, G_MAXINT, 20}, {-7, G_MININT + 9, 30, G_MAXINT},
    {19, 31, G_MAXINT, G_MAXINT}, {G_MAXINT - 3, 0, 50, 50},
    {G_MININT, G_MININT, 50, 50}, {-9, -9, G_MAXINT, 999},
    {-46280, -23150, 46320, 46340}, {-600, 20, 640, 900},
  };

  return boxes[draw (0, G_N_ELEMENTS (boxes))];
}

static GpuRegionBox
draw_box (const GpuFrameInfo * info)
{
  gint width = info->width, height = info->height;
  gint kind = draw (0, 16);
  GpuRegionBox box = { draw (-width / 3 - 3, width + 3),
    draw (-height / 3 - 3, height + 3), draw (1, width / 2 + 3),
    draw (1, height / 2 + 3)
  };

  if (kind == 0)
    return draw_huge_box ();
  if (kind == 1)
    box.width = 0;
  if (kind == 2)
    box.width = box.height = 1;
  return box;
}

/* What areas may be. Each kind has shaders of its own, of each action. */
typedef struct
{
  gboolean mixes;               /* with the frame, or parts of it stay */
  gboolean has_shapes;          /* ellipses and feathers */
  guint actions;                /* bit i: action i */
} Kind;

#define ALL_ACTIONS 7

static GpuRegionAction
draw_action (const Kind * kind)
{
  GpuRegionAction action;

  do
    action = draw (0, 3);
  while ((kind->actions >> action & 1) == 0);
  return action;
}

static GpuRegion
draw_region (const GpuFrameInfo * info, const Kind * kind, gdouble strength)
{
  GpuRegion region = {
    .box = draw_box (info),
    .shape = kind->has_shapes ? draw (0, 2) : GPU_REGION_RECTANGLE,
    .feather = kind->has_shapes && draw (0, 2) ? draw (1, 20) : 0,
    .action = draw_action (kind),
    .strength = strength,
    .block = draw (8, 40),
  };

  for (guint c = 0; c < count_components (info); c++)
    region.colour[c] = draw_code (info->pixels, c);
  return region;
}

/* If not all regions lie in the atlas, they get the strongest blur. So all have one. */
static gdouble
draw_strength (void)
{
  static const gdouble strengths[] = { 1, M_SQRT2, 2 };

  return strengths[draw (0, G_N_ELEMENTS (strengths))];
}

/* Gives the first region a feather, and a place inside the frame. */
static void
add_shape (GArray * regions, const GpuFrameInfo * info)
{
  GpuRegion *region = &g_array_index (regions, GpuRegion, 0);

  region->box = (GpuRegionBox) {
  info->width / 2, info->height / 2, draw (1, 9), draw (2, 9)};
  region->feather = 3;
}

static GArray *
draw_regions (const GpuFrameInfo * info, const Kind * kind, guint n)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  gdouble strength = draw_strength ();

  for (guint i = 0; i < n; i++) {
    const GpuRegion region = draw_region (info, kind, strength);

    g_array_append_val (regions, region);
  }
  if (kind->has_shapes)
    add_shape (regions, info);
  return regions;
}

/* Mixes in one of three ways, or in two of them. */
static void
draw_mix (Work * work)
{
  static const gdouble amounts[] = { 0.3, 0.5, 0.999 };
  gint way = draw (0, has_alpha (&work->in) ? 6 : 2);

  if (way % 2 == 0)
    work->areas.amount = amounts[draw (0, G_N_ELEMENTS (amounts))];
  else
    work->areas.components = draw (1, GPU_AREAS_ALL_COMPONENTS);
  work->areas.mask = way >= 2 ? GPU_AREAS_ALPHA : GPU_AREAS_NO_MASK;
}

static void
draw_areas (Work * work, const Kind * kind)
{
  set_regions (work, draw_regions (&work->in, kind, draw (1, 12)));
  work->rest = draw_region (&work->in, kind, draw_strength ());
  work->areas.rest = draw (0, 3) ? NULL : &work->rest;
  if (kind->mixes)
    draw_mix (work);
}

/* --- what the oracle sees --- */

/* Returns the number of rows of a field above row @y of the frame. */
static gint64
count_rows (gint64 y, guint field)
{
  return (gint64) floor ((y - (gint64) field + 1) / 2.);
}

static ReferenceRegion
reference_region (const Work * work, const GpuRegion * region, guint field)
{
  const GpuRegionBox *box = &region->box;
  gint64 bottom = (gint64) box->y + box->height;
  ReferenceRegion reference = {
    box->x, box->y, box->width, box->height,
    .feather = region->feather,.action =
        (ReferenceRegionAction) region->action,.strength = region->strength,
    .block = region->block
  };

  for (guint c = 0; c < SAMPLES_COMPONENTS; c++)
    reference.fill[c] = region->colour[c];
  if (work->in.is_interlaced) {
    reference.y = count_rows (box->y, field);
    reference.height = count_rows (bottom, field) - reference.y;
  }
  reference.is_ellipse = region->shape == GPU_REGION_ELLIPSE
      && MAX (box->width, box->height) <= REGION_MOST_ELLIPSE;
  return reference;
}

/* The pyramid cuts no Gaussian: so far out nothing is left of it. */
static ReferenceBlurSettings
reference_blur_settings (const Work * work)
{
  const GpuBlurSettings *settings = &work->settings;
  gdouble sigma_y = settings->sigma_y / (work->in.is_interlaced ? 2 : 1);
  gboolean is_pyramid = work->fixture->report.method == GPU_BLUR_PYRAMID;

  return (ReferenceBlurSettings) {
    REFERENCE_KERNEL_GAUSSIAN, {
    settings->sigma_x, sigma_y}
    , is_pyramid ? ceil (6 * MAX (settings->sigma_x, settings->sigma_y))
  : settings->radius, (ReferenceEdge) settings->edge};
}

/* By which a blur may be wrong, as in blur_fixture.c. */
static gdouble
blur_error (const Work * work, guint largest)
{
  guint bits = gpu_pixel_format_get_code_bits (gpu_pixels_get_format
      (work->in.pixels));

  if (work->fixture->report.method == GPU_BLUR_PYRAMID)
    return bits == 8 ? 0.15 : 1e-3 * largest;
  return bits == 8 ? 0.5 : bits == 16 ? 0.25 : 0.05;
}

static guint16 *
take_codes (const GpuFrameInfo * info, const guint8 * frame, guint c)
{
  guint columns = samples_get_columns (info, c);
  guint16 *codes = g_new (guint16, columns * samples_get_rows (info, c));

  for (guint y = 0; y < samples_get_rows (info, c); y++)
    for (guint x = 0; x < columns; x++)
      codes[y * columns + x] = samples_get (info, frame, c, x, y);
  return codes;
}

static guint
find_black (const GpuFrameInfo * info, guint c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint of_bytes = c == 0 ? 16 : 128;

  if (format->model == GPU_MODEL_RGB || has_alpha (info))
    return 0;
  return of_bytes << (gpu_pixel_format_get_code_bits (format) - 8);
}

static ReferenceComponent
reference_component (const Work * work, const GpuFrameInfo * info,
    const guint16 * codes, const guint16 * alpha, guint c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint plane = format->place[c] / 4;
  guint largest = samples_get_largest (info->pixels, c);
  guint columns = samples_get_columns (info, c);

  return (ReferenceComponent) {
  .index = c,.columns = columns,.rows = samples_get_rows (info, c),.shift_x =
        columns == info->width ? 0 : format->shift_x[plane],.shift_y =
        format->shift_y[plane],.codes = codes,.largest = largest,.black =
        find_black (info, c),.alpha = alpha,.largest_alpha =
        samples_get_largest (info->pixels, SAMPLES_ALPHA),.blur_error =
        blur_error (work, largest),};
}

/* --- comparison --- */

/* The fields of both frames that are compared. */
typedef struct
{
  GpuFrameInfo in_info, out_info;
  const guint8 *in, *out;
} Field;

static void
explain (const Work * work, const Field * field, const gchar * what)
{
  const GpuAreas *areas = &work->areas;

  g_test_message ("%s %u x %u%s: %s; %u regions, rest %d, amount %g, "
      "components %x, mask %d", gpu_pixels_get_format
      (work->in.pixels)->name, field->in_info.width, field->in_info.height,
      work->in.is_interlaced ? ", a field" : "", what, areas->regions->len,
      areas->rest ? (gint) areas->rest->action : -1, areas->amount,
      areas->components, areas->mask);
  for (guint i = 0; i < areas->regions->len; i++) {
    const GpuRegion *region = &g_array_index (areas->regions, GpuRegion, i);

    g_test_message ("region %d %d %d x %d shape %d feather %u action %d "
        "strength %g block %u", region->box.x, region->box.y,
        region->box.width, region->box.height, region->shape, region->feather,
        region->action, region->strength, region->block);
  }
  g_test_fail ();
}

/* Returns whether a sample is as the oracle says. */
static gboolean
check_sample (const Work * work, const Field * field,
    const ReferenceTreated * expected, guint c, guint x, guint y)
{
  guint code = samples_get (&field->out_info, field->out, c, x, y);
  g_autofree gchar *what = NULL;

  if (code >= expected->low && code <= expected->high && (!expected->stays
          || samples_get_low_bits (&field->in_info, field->in, c, x, y)
          == samples_get_low_bits (&field->out_info, field->out, c, x, y)))
    return TRUE;
  what = g_strdup_printf ("component %u at %u, %u is %u, not %u to %u%s", c, x,
      y, code, expected->low, expected->high,
      expected->stays ? ", as it was" : "");
  explain (work, field, what);
  return FALSE;
}

/* Reports the first sample that is wrong. */
static void
check_component (const Work * work, const ReferenceAreas * areas,
    const Field * field, guint c)
{
  g_autofree guint16 *codes = take_codes (&field->in_info, field->in, c);
  g_autofree guint16 *alpha = has_alpha (&work->in)
      ? take_codes (&field->in_info, field->in, SAMPLES_ALPHA) : NULL;
  const ReferenceComponent component = reference_component (work,
      &field->in_info, codes, alpha, c);
  g_autofree ReferenceTreated *expected = g_new (ReferenceTreated,
      component.columns * component.rows);

  reference_regions (areas, &component, expected);
  for (guint y = 0; y < component.rows; y++)
    for (guint x = 0; x < component.columns; x++)
      if (!check_sample (work, field, &expected[y * component.columns + x], c,
              x, y))
        return;
}

static void
check_field (const Work * work, guint i, const guint8 * in, const guint8 * out)
{
  const Field field = { get_field (&work->in, i), get_field (&work->out, i),
    in, out
  };
  g_autofree ReferenceRegion *regions =
      g_new (ReferenceRegion, work->regions->len);
  ReferenceRegion rest;
  ReferenceAreas areas = {
    .width = field.in_info.width,
    .height = field.in_info.height,
    .regions = regions,
    .n = work->regions->len,
    .amount = work->areas.amount,
    .by_alpha = work->areas.mask == GPU_AREAS_ALPHA,
    .components = work->areas.components,
    .blur = reference_blur_settings (work),
  };

  for (guint k = 0; k < areas.n; k++)
    regions[k] = reference_region (work, &g_array_index (work->regions,
            GpuRegion, k), i);
  if (work->areas.rest) {
    rest = reference_region (work, work->areas.rest, i);
    areas.rest = &rest;
  }
  for (guint c = 0; c < count_components (&work->in); c++)
    if (samples_get_columns (&work->in, c) > 0)
      check_component (work, &areas, &field, c);
}

/* Planes of frames of both layouts have the same bytes. */
static void
check_same (const GpuFrameInfo * a_info, const guint8 * a,
    const GpuFrameInfo * b_info, const guint8 * b)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (a_info->pixels);

  for (guint i = 0; i < format->n_planes; i++) {
    gsize size = (gsize) gpu_frame_info_plane_width (a_info, i)
        * gpu_pixel_format_get_size (format, i)
        * gpu_frame_info_plane_height (a_info, i);
    g_autofree guint8 *of_a = g_malloc (size), *of_b = g_malloc (size);

    gpu_fixture_unpack (a_info, i, a, of_a);
    gpu_fixture_unpack (b_info, i, b, of_b);
    g_assert_cmpmem (of_a, size, of_b, size);
  }
}

/* A frame of one layout in the same one: then the CPU device copies it in another way. */
static guint8 *
treat_alike (Work * work, const guint8 * in)
{
  const GpuFrameInfo out = work->out;
  guint8 *treated;

  work->out = work->in;
  treated = treat (work, in);
  work->out = out;
  return treated;
}

static void
check_frame (Work * work)
{
  g_autofree guint8 *in = draw_frame (&work->in);
  g_autofree guint8 *out = NULL, *alike = NULL, *in_place = NULL;

  out = treat (work, in);
  samples_check_padding (&work->out, out);
  for (guint i = 0; i < count_fields (&work->in); i++)
    check_field (work, i, in, out);
  alike = treat_alike (work, in);
  check_same (&work->out, out, &work->in, alike);
  work->is_in_place = TRUE;
  in_place = treat (work, in);
  work->is_in_place = FALSE;
  check_same (&work->out, out, &work->in, in_place);
}

/* --- tests --- */

static const guint usual_size[] = { 131, 69 };
static const guint large_size[] = { 257, 195 };

static void
check_random (Fixture * fixture, GpuPixels pixels, const Kind * kind,
    const guint * size, gboolean is_interlaced)
{
  Work work;

  begin (&work, fixture, pixels, size, is_interlaced);
  draw_areas (&work, kind);
  prepare (&work, TRUE);
  check_frame (&work);
  end (&work);
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

  if (skip_without_device (fixture))
    return;
  /* Later ones are for engines alone. */
  for (GpuPixels pixels = 0; pixels < GPU_PIXELS_RGB8P; pixels++) {
    const Kind kind = { pixels % 2, pixels / 2 % 2, 1 << pixels % 3 };

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
static void
test_areas (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    GpuPixels pixels;
    Kind kind;
  } cases[] = {
    {GPU_PIXELS_RGBA, {FALSE, FALSE, ALL_ACTIONS}},
    {GPU_PIXELS_RGBA, {FALSE, TRUE, ALL_ACTIONS}},
    {GPU_PIXELS_RGBA, {TRUE, FALSE, ALL_ACTIONS}},
    {GPU_PIXELS_RGBA, {TRUE, TRUE, ALL_ACTIONS}},
    {GPU_PIXELS_NV12, {FALSE, TRUE, ALL_ACTIONS}},
    {GPU_PIXELS_P010, {FALSE, TRUE, ALL_ACTIONS}},
    {GPU_PIXELS_A420, {TRUE, TRUE, ALL_ACTIONS}},
  };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < 4 * G_N_ELEMENTS (cases); i++)
    check_random (fixture, cases[i / 4].pixels, &cases[i / 4].kind,
        usual_size, i % 4 == 3);
}

static GArray *
new_regions (const GpuRegion * list, guint n)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  return g_array_append_vals (regions, list, n);
}

/* Regions that lie in the atlas have each its own blur. */
static void
test_strengths (Fixture * fixture, gconstpointer data)
{
  static const GpuPixels formats[] = { GPU_PIXELS_RGBA, GPU_PIXELS_P010 };
  const GpuRegion regions[] = {
    {{3, 5, 9, 7},.feather = 2,.strength = 1},
    {{60, 40, 8, 6}, GPU_REGION_ELLIPSE,.strength = 2 * M_SQRT2},
    {{63, 36, 2, 9},.strength = M_SQRT1_2},
    {{110, 50, 30, 5},.strength = M_SQRT1_2},
  };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Work work;

    begin (&work, fixture, formats[i], large_size, FALSE);
    set_regions (&work, new_regions (regions, G_N_ELEMENTS (regions)));
    prepare (&work, TRUE);
    check_frame (&work);
    end (&work);
  }
}

/* What the atlas has beyond the edges of the frame. */
static void
test_edges (Fixture * fixture, gconstpointer data)
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

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < 4 * G_N_ELEMENTS (formats); i++) {
    Work work;

    begin (&work, fixture, formats[i / 4], large_size, FALSE);
    work.settings.edge = i % 4;
    work.areas.amount = has_alpha (&work.in) ? 0.9 : 1;
    set_regions (&work, new_regions (regions, G_N_ELEMENTS (regions)));
    prepare (&work, TRUE);
    check_frame (&work);
    end (&work);
  }
}

/* The farthest samples that the blur reads lie in tiles of the atlas of their own. */
static void
test_reach (Fixture * fixture, gconstpointer data)
{
  static const GpuRegion region = {
    {4 * ATLAS_TILE + 11, 3 * ATLAS_TILE + 11, 26, 26},.strength = 1
  };
  Work work;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_GRAY8, large_size, FALSE);
  work.settings.sigma_x = work.settings.sigma_y = 8;
  work.settings.radius = 12;
  set_regions (&work, new_regions (&region, 1));
  prepare (&work, TRUE);
  check_frame (&work);
  end (&work);
}

/* What does not lie in the atlas is blurred as strongly as the strongest. */
static void
test_strongest (Fixture * fixture, gconstpointer data)
{
  const GpuRegion regions[] = {
    {{-5, -5, 120, 90},.strength = 2}, {{90, 0, 50, 60},.strength = 1},
  };
  Work work;
  g_autofree guint8 *in = NULL, *out = NULL;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_RGBA, usual_size, FALSE);
  set_regions (&work, new_regions (regions, G_N_ELEMENTS (regions)));
  prepare (&work, TRUE);
  in = draw_frame (&work.in);
  out = treat (&work, in);
  g_array_index (work.regions, GpuRegion, 1).strength = 2;
  check_field (&work, 0, in, out);
  end (&work);
}

/* Other methods reach farther, or write other rows. */
static void
test_methods (Fixture * fixture, gconstpointer data)
{
  static const GpuBlurMethod methods[] = {
    GPU_BLUR_STRIPS, GPU_BLUR_PYRAMID
  };
  static const GpuRegion regions[] = {
    {{20, 10, 30, 20}, GPU_REGION_ELLIPSE,.feather = 3,.strength = 1},
    {{-3, 150, 9, 90},.strength = 1},
  };
  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    gdouble sigma = methods[i] == GPU_BLUR_PYRAMID ? 9 : 2;
    Work work;

    begin (&work, fixture, GPU_PIXELS_GRAY8, large_size, FALSE);
    work.settings.method = methods[i];
    work.settings.sigma_x = work.settings.sigma_y = sigma;
    set_regions (&work, new_regions (regions, G_N_ELEMENTS (regions)));
    prepare (&work, TRUE);
    check_frame (&work);
    g_assert_cmpint (fixture->report.method, ==, methods[i]);
    end (&work);
  }
}

/* Samples of component @c in @box are those of @blurred, the frame blurred as a whole. */
static void
check_blurred (const Work * work, const GpuRegionBox * box, guint c,
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
check_as_whole (Work * work, const GpuRegion * regions, guint n)
{
  g_autofree guint8 *in = draw_frame (&work->in);
  g_autofree guint8 *out = NULL, *blurred = NULL;

  set_regions (work, new_regions (regions, n));
  prepare (work, TRUE);
  out = treat (work, in);
  blurred = blur_prepared (work->fixture, &work->in, in, &work->in,
      &work->settings);
  for (guint i = 0; i < n; i++)
    for (guint c = 0; c < 3; c++)
      check_blurred (work, &regions[i].box, c, out, blurred);
}

/* A bilateral filter reaches as far as all its rounds. At the edges of the frame, it is that of
 * the whole frame, too. */
static void
test_bilateral (Fixture * fixture, gconstpointer data)
{
  static const GpuPixels formats[] = { GPU_PIXELS_RGBA, GPU_PIXELS_NV12 };
  static const GpuRegion regions[] = {
    {{2 * ATLAS_TILE + 7, 3 * ATLAS_TILE + 7, 34, 18},.feather = 1,
        .strength = 1},
    {{0, 150, 9, 40},.strength = 1},
  };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Work work;

    begin (&work, fixture, formats[i], large_size, FALSE);
    work.settings = (GpuBlurSettings) {
    .kernel = GPU_BLUR_BILATERAL,.sigma_x = 4,.sigma_y = 4,.radius =
          4,.range = 0.3,.rounds = 2};
    check_as_whole (&work, regions, 1);
    check_as_whole (&work, regions, G_N_ELEMENTS (regions));
    end (&work);
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
static void
test_light (Fixture * fixture, gconstpointer data)
{
  static const GpuYuv yuv = {.kr = 0.299,.kb = 0.114,.h_cosited = TRUE };
  static const GpuRegion regions[] = {
    {{2 * ATLAS_TILE + 5, 3 * ATLAS_TILE + 5, 54, 22},.strength = 1},
    {{0, 150, 9, 40},.strength = 1},
  };
  static GpuBlurTransfer transfer;
  Work work;

  if (skip_without_device (fixture))
    return;
  gpu_blur_transfer_init (&transfer, &yuv, decode_square, encode_square, NULL);
  begin (&work, fixture, GPU_PIXELS_I420, large_size, FALSE);
  work.settings = (GpuBlurSettings) {
  .kernel = GPU_BLUR_BOX,.radius = 4,.transfer = &transfer,.method =
        GPU_BLUR_SEPARABLE};
  check_as_whole (&work, regions, 1);
  check_as_whole (&work, regions, G_N_ELEMENTS (regions));
  end (&work);
}

/* Without any, and with those that change nothing, a frame stays as it is, and nothing needs
 * a blur. */
static void
test_nothing (Fixture * fixture, gconstpointer data)
{
  const GpuRegion regions[] = {
    {{10, 10, 50, 50},.strength = 1},
    {{0, 30, 20, 50},.feather = 9,.action = GPU_REGION_FILL},
  };
  Work work;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_RGBA, usual_size, FALSE);
  work.settings.sigma_x = work.settings.sigma_y = 0;
  for (guint n = 0; n <= G_N_ELEMENTS (regions); n++) {
    set_regions (&work, new_regions (regions, n));
    prepare (&work, FALSE);
    check_frame (&work);
    g_assert_cmpuint (fixture->report.n_stages, ==, 0);
  }
  work.areas.amount = 0;
  prepare (&work, FALSE);
  check_frame (&work);
  work.areas.amount = 1;
  work.rest = regions[0];
  work.areas.rest = &work.rest;
  prepare (&work, FALSE);
  check_frame (&work);
  end (&work);
}

/* As many as there may be. */
static void
test_many (Fixture * fixture, gconstpointer data)
{
  const Kind kind = {.has_shapes = TRUE,.actions = ALL_ACTIONS };
  Work work;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_RGBA, usual_size, FALSE);
  set_regions (&work, draw_regions (&work.in, &kind, REGIONS_MOST));
  prepare (&work, TRUE);
  for (guint i = 0; i < work.regions->len; i++) {
    GpuRegionBox *box = &g_array_index (work.regions, GpuRegion, i).box;

    box->width = MIN (box->width, 12);
    box->height = MIN (box->height, 12);
  }
  check_frame (&work);
  work.rest = draw_region (&work.in, &kind, 1);
  work.areas.rest = &work.rest;
  g_array_set_size (work.regions, REGIONS_MOST - 1);
  prepare (&work, TRUE);
  check_frame (&work);
  end (&work);
}

/* --- more than there may be --- */

static gboolean
is_filled (const Work * work, const guint8 * out, guint x, guint y)
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
fill (Work * work)
{
  g_autofree guint8 *in = g_malloc0 (work->in.size);

  return treat (work, in);
}

/* Those that are too many are merged: what one of them covers is treated. */
static void
test_merged (Fixture * fixture, gconstpointer data)
{
  static const guint numbers[] = { 257, 400, 3000 };
  Work work;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_GRAY8, usual_size, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree guint8 *out = NULL;
    guint covered = 0;

    set_regions (&work, g_array_new (FALSE, FALSE, sizeof (GpuRegion)));
    for (guint k = 0; k < numbers[i]; k++) {
      const GpuRegion region = {
        {draw (-5, 131), draw (-5, 69), draw (0, 6), draw (0, 4)},
        .action = GPU_REGION_FILL,.colour = {200}
      };

      g_array_append_val (work.regions, region);
    }
    prepare (&work, FALSE);
    out = fill (&work);
    for (guint y = 0; y < work.in.height; y++)
      for (guint x = 0; x < work.in.width; x++)
        if (is_in_any (work.regions, x, y)) {
          covered++;
          g_assert_true (is_filled (&work, out, x, y));
        }
    g_assert_cmpuint (covered, >, 500);
  }
  end (&work);
}

/* Squares of 5 × 5 pixels, and of 2 × 2 between them. */
static GArray *
make_squares (const guint * size)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  for (gint y = 0; y < (gint) size[1] / 6; y++)
    for (gint x = 0; x < (gint) size[0] / 6; x++) {
      gint side = (x + y) % 5 == 0 ? 2 : 5;
      const GpuRegion region = {.box = {6 * x, 6 * y, side, side} };

      g_array_append_val (regions, region);
    }
  return regions;
}

/* Of those that are too many to stay, the largest do. */
static void
test_too_many_stay (Fixture * fixture, gconstpointer data)
{
  static const guint size[] = { 132, 84 };      /* 22 × 14 squares */
  guint small = 0;
  Work work;
  g_autofree guint8 *out = NULL;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_GRAY8, size, FALSE);
  set_regions (&work, make_squares (size));
  work.rest = (GpuRegion) {
    .action = GPU_REGION_FILL,.colour = {
      200
    }
  };
  work.areas.rest = &work.rest;
  prepare (&work, FALSE);
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
  end (&work);
}

/* With --full, only the test of formats. */
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
static void
test_inverse_alpha (Fixture * fixture, gconstpointer data)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_ARGB, GPU_PIXELS_A420, GPU_PIXELS_RGB10A2, GPU_PIXELS_GBRA_12
  };
  static const GpuRegion region = {.strength = 1,.block = 9 };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < 2 * G_N_ELEMENTS (formats); i++) {
    g_autofree guint8 *in = NULL, *out = NULL, *inverted = NULL;
    Work work;

    begin (&work, fixture, formats[i / 2], usual_size, FALSE);
    set_regions (&work, new_regions (NULL, 0));
    work.rest = region;
    work.rest.action = i % 2 ? GPU_REGION_PIXELATE : GPU_REGION_BLUR;
    work.areas.rest = &work.rest;
    work.areas.mask = GPU_AREAS_INVERSE_ALPHA;
    prepare (&work, TRUE);
    in = draw_frame (&work.in);
    out = treat (&work, in);
    invert_alpha (&work.out, out);
    invert_alpha (&work.in, in);
    work.areas.mask = GPU_AREAS_ALPHA;
    prepare (&work, TRUE);
    inverted = treat (&work, in);
    check_same (&work.out, out, &work.out, inverted);
    end (&work);
  }
}

/* Bits above the code, which it should not have, are filled as well. */
static void
test_bits_above (Fixture * fixture, gconstpointer data)
{
  static const GpuRegion region = {
    {0, 0, 131, 69},.action = GPU_REGION_FILL,.colour = {5, 6, 7, 0}
  };
  g_autofree guint16 *in = NULL;
  g_autofree guint8 *out = NULL;
  Work work;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_Y444_10, usual_size, FALSE);
  set_regions (&work, new_regions (&region, 1));
  prepare (&work, FALSE);
  in = g_malloc (work.in.size);
  memset (in, 0xff, work.in.size);
  out = treat (&work, (const guint8 *) in);
  for (guint i = 0; i < 3; i++)
    for (guint x = 0; x < usual_size[0]; x++)
      g_assert_cmpuint (((const guint16 *) (out + work.out.offset[i]))[x], ==,
          region.colour[i]);
  end (&work);
}

/* Tiles are found up to the last column that a frame may have; wider frames are refused. */
static void
test_widest (Fixture * fixture, gconstpointer data)
{
  static const guint widest[] = { REGION_MOST_SIDE, 2 };
  static const GpuRegion regions[] = {
    {{REGION_MOST_SIDE - 40, 0, 33, 2},.action = GPU_REGION_FILL},
    {{REGION_MOST_SIDE - 7, 1, 90, 9},.action = GPU_REGION_PIXELATE,
        .block = GPU_REGION_MIN_BLOCK},
  };
  g_autoptr (GError) error = NULL;
  Work work;

  if (skip_without_device (fixture))
    return;
  begin (&work, fixture, GPU_PIXELS_GRAY8, widest, FALSE);
  set_regions (&work, new_regions (regions, G_N_ELEMENTS (regions)));
  prepare (&work, FALSE);
  check_frame (&work);
  g_assert_false (gpu_region_blur_prepare (work.engine, GPU_PIXELS_GRAY8,
          REGION_MOST_SIDE + 1, 2, &work.areas, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE);
  end (&work);
}

int
main (int argc, char **argv)
{
  int result;

  is_full = argc > 1 && !strcmp (argv[1], "--full");
  g_test_init (&argc, &argv, NULL);
  random_numbers = g_rand_new_with_seed (1);
  ADD ("/regions/formats", NULL, test_formats);
  if (!is_full) {
    ADD ("/regions/areas", NULL, test_areas);
    ADD ("/regions/strengths", NULL, test_strengths);
    ADD ("/regions/edges", NULL, test_edges);
    ADD ("/regions/reach", NULL, test_reach);
    ADD ("/regions/strongest", NULL, test_strongest);
    ADD ("/regions/methods", NULL, test_methods);
    ADD ("/regions/bilateral", NULL, test_bilateral);
    ADD ("/regions/light", NULL, test_light);
    ADD ("/regions/nothing", NULL, test_nothing);
    ADD ("/regions/many", NULL, test_many);
    ADD ("/regions/inverse-alpha", NULL, test_inverse_alpha);
    ADD ("/regions/bits-above", NULL, test_bits_above);
    ADD ("/regions/widest", NULL, test_widest);
    ADD ("/regions/merged", NULL, test_merged);
    ADD ("/regions/too-many-stay", NULL, test_too_many_stay);
  }
  result = g_test_run ();
  g_rand_free (random_numbers);
  gpu_fixture_close ();
  return result;
}
