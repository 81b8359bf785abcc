/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regions_fixture.h"

#include "gpu_fixture.h"
#include "reference_regions.h"
#include "samples.h"

#include <math.h>

/* --- what the oracle sees --- */

/* Returns the number of rows of a field above row @y of the frame. */
static gint64
count_rows (gint64 y, guint field)
{
  return (gint64) floor ((y - (gint64) field + 1) / 2.);
}

static ReferenceRegion
reference_region (const RegionsWork * work, const GpuRegion * region,
    guint field)
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
reference_blur_settings (const RegionsWork * work)
{
  const GpuBlurSettings *settings = &work->settings;
  gdouble sigma_y = settings->sigma_y / (work->in.is_interlaced ? 2 : 1);
  gboolean is_pyramid = work->fixture->report.method == GPU_BLUR_PYRAMID;

  return (ReferenceBlurSettings) {REFERENCE_KERNEL_GAUSSIAN,
    {settings->sigma_x, sigma_y},
    is_pyramid ? ceil (6 * MAX (settings->sigma_x,
        settings->sigma_y)) : settings->radius,
    (ReferenceEdge) settings->edge};
}

/* By which a blur may be wrong, as in blur_fixture.c. */
static gdouble
blur_error (const RegionsWork * work, guint largest)
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

  if (format->model == GPU_MODEL_RGB || regions_have_alpha (info))
    return 0;
  return of_bytes << (gpu_pixel_format_get_code_bits (format) - 8);
}

static ReferenceComponent
reference_component (const RegionsWork * work, const GpuFrameInfo * info,
    const guint16 * codes, const guint16 * alpha, guint c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint plane = format->place[c] / 4;
  guint largest = samples_get_largest (info->pixels, c);
  guint columns = samples_get_columns (info, c);

  return (ReferenceComponent) {.index = c, .columns = columns,
    .rows = samples_get_rows (info, c),
    .shift_x = columns == info->width ? 0 : format->shift_x[plane],
    .shift_y = format->shift_y[plane], .codes = codes, .largest = largest,
    .black = find_black (info, c), .alpha = alpha,
    .largest_alpha = samples_get_largest (info->pixels, SAMPLES_ALPHA),
    .blur_error = blur_error (work, largest)};
}

/* --- comparison --- */

/* The fields of both frames that are compared. */
typedef struct
{
  GpuFrameInfo in_info, out_info;
  const guint8 *in, *out;
} Field;

static void
explain (const RegionsWork * work, const Field * field, const gchar * what)
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
check_sample (const RegionsWork * work, const Field * field,
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
check_component (const RegionsWork * work, const ReferenceAreas * areas,
    const Field * field, guint c)
{
  g_autofree guint16 *codes = take_codes (&field->in_info, field->in, c);
  g_autofree guint16 *alpha = regions_have_alpha (&work->in)
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

void
regions_check_field (const RegionsWork * work, guint i, const guint8 * in,
    const guint8 * out)
{
  const Field field =
      { regions_get_field (&work->in, i), regions_get_field (&work->out, i),
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
  for (guint c = 0; c < regions_count_components (&work->in); c++)
    if (samples_get_columns (&work->in, c) > 0)
      check_component (work, &areas, &field, c);
}

void
regions_check_same (const GpuFrameInfo * a_info, const guint8 * a,
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
treat_alike (RegionsWork * work, const guint8 * in)
{
  const GpuFrameInfo out = work->out;
  guint8 *treated;

  work->out = work->in;
  treated = regions_treat (work, in);
  work->out = out;
  return treated;
}

void
regions_check_frame (RegionsWork * work)
{
  g_autofree guint8 *in = regions_draw_frame (&work->in);
  g_autofree guint8 *out = NULL, *alike = NULL, *in_place = NULL;

  out = regions_treat (work, in);
  samples_check_padding (&work->out, out);
  for (guint i = 0; i < regions_count_fields (&work->in); i++)
    regions_check_field (work, i, in, out);
  alike = treat_alike (work, in);
  regions_check_same (&work->out, out, &work->in, alike);
  work->is_in_place = TRUE;
  in_place = regions_treat (work, in);
  work->is_in_place = FALSE;
  regions_check_same (&work->out, out, &work->in, in_place);
}
