/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regions_fixture.h"

#include "gpu_fixture.h"
#include "samples.h"

#include <math.h>

static GRand *random_numbers;

void
regions_begin_to_draw (void)
{
  random_numbers = g_rand_new_with_seed (1);
}

void
regions_end_to_draw (void)
{
  g_clear_pointer (&random_numbers, g_rand_free);
}

gint
regions_draw (gint begin, gint end)
{
  return g_rand_int_range (random_numbers, begin, end);
}

/* --- frames --- */

gboolean
regions_have_alpha (const GpuFrameInfo * info)
{
  return samples_get_columns (info, SAMPLES_ALPHA) > 0;
}

guint
regions_count_components (const GpuFrameInfo * info)
{
  return gpu_pixels_get_format (info->pixels)->model == GPU_MODEL_GREY ? 1
      : SAMPLES_COMPONENTS;
}

GpuFrameInfo
regions_get_field (const GpuFrameInfo * info, guint i)
{
  GpuFrameInfo field = *info;

  if (info->is_interlaced)
    gpu_frame_info_get_field (info, i, &field);
  return field;
}

guint
regions_count_fields (const GpuFrameInfo * info)
{
  return info->is_interlaced ? gpu_frame_info_count_fields (info) : 1;
}

/* Many alphas are the least or the largest. */
static guint
draw_code (GpuPixels pixels, guint c)
{
  guint largest = samples_get_largest (pixels, c);
  gint kind = c == SAMPLES_ALPHA ? regions_draw (0, 4) : -1;

  return kind == 0 ? 0 : kind == 1 ? largest : (guint) regions_draw (0,
      largest + 1);
}

guint8 *
regions_draw_frame (const GpuFrameInfo * info)
{
  guint sample = gpu_pixels_get_format (info->pixels)->sample;
  gboolean has_high_bits = SAMPLE_CODE_BITS (sample) + SAMPLE_LOW_BITS (sample)
      < 8 * SAMPLE_SIZE (sample);
  guint8 *frame = g_malloc0 (info->size);

  for (gsize i = 0; !has_high_bits && i < info->size; i++)
    frame[i] = regions_draw (0, 256);
  for (guint f = 0; f < regions_count_fields (info); f++) {
    const GpuFrameInfo field = regions_get_field (info, f);

    for (guint c = 0; c < regions_count_components (info); c++)
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
  RegionsWork *work = data;
  const GpuFrames frames = {.in = work->is_in_place ? out : in, .out = out};

  if (work->is_in_place)
    gpu_stream_copy (stream, in->buffer, 0, out->buffer, 0, out->info.size);
  return gpu_region_blur_record (work->engine, stream, &work->settings,
      &frames, &work->areas, &work->fixture->report, error);
}

guint8 *
regions_treat (RegionsWork * work, const guint8 * in)
{
  const GpuFixtureWork fixture_work = { record, work, &work->in,
    work->is_in_place ? &work->in : &work->out
  };
  guint8 *out =
      OK (gpu_fixture_run (work->fixture->stream, &fixture_work, in, &error));

  return out;
}

void
regions_begin (RegionsWork * work, Fixture * fixture, GpuPixels pixels,
    const guint * size, gboolean is_interlaced)
{
  *work = (RegionsWork) {.fixture = fixture,
    .settings = {.sigma_x = 1.6, .sigma_y = 1.1,
      .radius = -1,
      .method = GPU_BLUR_SEPARABLE,
      .precision = GPU_BLUR_FLOAT,
      .edge = pixels % 4}};
  if (is_interlaced)
    work->in = interlaced_info (pixels, size[0], size[1]);
  else
    gpu_frame_info_init (&work->in, pixels, size[0], size[1]);
  work->out = work->in;
  samples_pad (&work->out);
  work->areas = (GpuAreas) {.amount = 1,
    .components = GPU_AREAS_ALL_COMPONENTS};
  work->engine = gpu_region_blur_new (gpu_stream_get_device (fixture->stream),
      fixture->blur);
}

void
regions_prepare (RegionsWork * work, gboolean with_blur)
{
  const GpuFrameInfo *info = &work->in;

  OK (gpu_region_blur_prepare (work->engine, info->pixels, info->width,
          info->height, &work->areas, &error));
  if (with_blur)
    OK ((info->is_interlaced ? gpu_blur_prepare_fields : gpu_blur_prepare)
        (work->fixture->blur, info->pixels, info->width, info->height,
            &work->settings, &error));
}

void
regions_set (RegionsWork * work, GArray * regions)
{
  g_clear_pointer (&work->regions, g_array_unref);
  work->regions = regions;
  work->areas.regions = regions;
}

void
regions_end (RegionsWork * work)
{
  regions_set (work, NULL);
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

  return boxes[regions_draw (0, G_N_ELEMENTS (boxes))];
}

static GpuRegionBox
draw_box (const GpuFrameInfo * info)
{
  gint width = info->width, height = info->height;
  gint kind = regions_draw (0, 16);
  GpuRegionBox box = { regions_draw (-width / 3 - 3, width + 3),
    regions_draw (-height / 3 - 3, height + 3), regions_draw (1, width / 2 + 3),
    regions_draw (1, height / 2 + 3)
  };

  if (kind == 0)
    return draw_huge_box ();
  if (kind == 1)
    box.width = 0;
  if (kind == 2)
    box.width = box.height = 1;
  return box;
}

static GpuRegionAction
draw_action (const RegionsKind * kind)
{
  GpuRegionAction action;

  do
    action = regions_draw (0, 3);
  while ((kind->actions >> action & 1) == 0);
  return action;
}

GpuRegion
regions_draw_region (const GpuFrameInfo * info, const RegionsKind * kind,
    gdouble strength)
{
  GpuRegion region = {
    .box = draw_box (info),
    .shape = kind->has_shapes ? regions_draw (0, 2) : GPU_REGION_RECTANGLE,
    .feather = kind->has_shapes
        && regions_draw (0, 2) ? regions_draw (1, 20) : 0,
    .action = draw_action (kind),
    .strength = strength,
    .block = regions_draw (8, 40),
  };

  for (guint c = 0; c < regions_count_components (info); c++)
    region.colour[c] = draw_code (info->pixels, c);
  return region;
}

/* If not all regions lie in the atlas, they get the strongest blur. So all have one. */
static gdouble
draw_strength (void)
{
  static const gdouble strengths[] = { 1, M_SQRT2, 2 };

  return strengths[regions_draw (0, G_N_ELEMENTS (strengths))];
}

/* Gives the first region a feather, and a place inside the frame. */
static void
add_shape (GArray * regions, const GpuFrameInfo * info)
{
  GpuRegion *region = &g_array_index (regions, GpuRegion, 0);

  region->box = (GpuRegionBox) {info->width / 2, info->height / 2,
    regions_draw (1, 9), regions_draw (2, 9)};
  region->feather = 3;
}

GArray *
regions_draw_list (const GpuFrameInfo * info, const RegionsKind * kind, guint n)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  gdouble strength = draw_strength ();

  for (guint i = 0; i < n; i++) {
    const GpuRegion region = regions_draw_region (info, kind, strength);

    g_array_append_val (regions, region);
  }
  if (kind->has_shapes)
    add_shape (regions, info);
  return regions;
}

/* Mixes in one of three ways, or in two of them. */
static void
draw_mix (RegionsWork * work)
{
  static const gdouble amounts[] = { 0.3, 0.5, 0.999 };
  gint way = regions_draw (0, regions_have_alpha (&work->in) ? 6 : 2);

  if (way % 2 == 0)
    work->areas.amount = amounts[regions_draw (0, G_N_ELEMENTS (amounts))];
  else
    work->areas.components = regions_draw (1, GPU_AREAS_ALL_COMPONENTS);
  work->areas.mask = way >= 2 ? GPU_AREAS_ALPHA : GPU_AREAS_NO_MASK;
}

void
regions_draw_areas (RegionsWork * work, const RegionsKind * kind)
{
  regions_set (work, regions_draw_list (&work->in, kind, regions_draw (1, 12)));
  work->rest = regions_draw_region (&work->in, kind, draw_strength ());
  work->areas.rest = regions_draw (0, 3) ? NULL : &work->rest;
  if (kind->mixes)
    draw_mix (work);
}
