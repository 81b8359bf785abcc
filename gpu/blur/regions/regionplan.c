/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionplan.h"
#include "gpu/blur/weights.h"
#include "gpu/core/rounding.h"

#include <math.h>

/* What a plan is made for. */
typedef struct
{
  const GpuFrameInfo *info;
  const GpuPixelFormat *format;
  const GpuBlurSettings *settings;
  const GpuAreas *areas;
} Task;

static GpuRegion *
get_region (const GArray * regions, guint i)
{
  return &g_array_index (regions, GpuRegion, i);
}

/* --- regions --- */

/* Adds the region that stands for all pixels outside of the others, which stay and so do
 * nothing. */
static void
insert_rest (GArray * regions, const Task * task)
{
  GpuRegion rest = *task->areas->rest;

  rest.box = (GpuRegionBox) {0, 0, task->info->width, task->info->height};
  rest.shape = GPU_REGION_RECTANGLE;
  rest.feather = 0;
  for (guint i = 0; i < regions->len; i++)
    get_region (regions, i)->action = GPU_REGION_FILL;
  g_array_insert_val (regions, 0, rest);
}

static gboolean
does_nothing (const GpuRegion * region, const GpuBlurSettings * settings)
{
  return region->action == GPU_REGION_BLUR && gpu_blur_is_identity (settings);
}

static void
remove_idle (GArray * regions, const GpuBlurSettings * settings)
{
  guint n = 0;

  for (guint i = 0; i < regions->len; i++)
    if (!does_nothing (get_region (regions, i), settings))
      *get_region (regions, n++) = *get_region (regions, i);
  g_array_set_size (regions, n);
}

static void
arrange (GArray * regions, const Task * task)
{
  guint width = task->info->width, height = task->info->height;

  gpu_regions_clip (regions, width, height);
  if (!task->areas->rest) {
    remove_idle (regions, task->settings);
    gpu_regions_merge (regions, REGIONS_MOST, width, height);
    gpu_regions_sort (regions);
    return;
  }
  gpu_regions_keep_largest (regions, REGIONS_MOST - 1);
  insert_rest (regions, task);
  if (does_nothing (task->areas->rest, task->settings))
    g_array_set_size (regions, 0);
}

static guint64
count_block_pixels (const GArray * regions, const GpuFrameInfo * info)
{
  guint64 n = 0;

  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = get_region (regions, i);
    const GpuRegionBox box = gpu_region_box_clip (&region->box, info->width,
        info->height);

    if (region->action == GPU_REGION_PIXELATE)
      n += (guint64) box.width * box.height;
  }
  return n;
}

/* --- the blur --- */

/* Regions that are blurred alike follow each other. */
static void
find_groups (GpuRegionPlan * self)
{
  gdouble strength = 0;

  for (guint i = 0; i < self->regions->len; i++) {
    const GpuRegion *region = get_region (self->regions, i);

    if (region->action != GPU_REGION_BLUR)
      continue;
    if (self->n_groups == 0 || region->strength != strength)
      self->groups[self->n_groups++].first = i;
    strength = region->strength;
    self->groups[self->n_groups - 1].n++;
  }
}

GpuBlurSettings
gpu_region_plan_get_settings (const GpuRegionPlan * self,
    const GpuAtlasGroup * group, const GpuBlurSettings * settings)
{
  gdouble strength = get_region (self->regions, group->first)->strength;
  GpuBlurSettings of_group = *settings;

  of_group.sigma_x = MIN (settings->sigma_x * strength, GPU_BLUR_MAX_SIGMA);
  of_group.sigma_y = MIN (settings->sigma_y * strength, GPU_BLUR_MAX_SIGMA);
  if (settings->radius > 0)
    of_group.radius = MIN (ceil (settings->radius * strength),
        GPU_BLUR_MAX_RADIUS);
  return of_group;
}

/* Returns how many pixels to each side the blur of an axis of a plane reads: those of all
 * samples within the radius, and of two more where light is converted from subsampled chroma
 * and back. A pyramid, which does Gaussians without a radius, reads farther
 * than the radius of 3 sigma; its weights beyond 3.5 sigma are 0.0005 together, which is an
 * eighth of a code value of 8 bits at most. */
static guint
get_reach (const GpuBlurSettings * settings, const GpuBlurAxis * axis,
    guint shift)
{
  guint rounds = settings->kernel == GPU_BLUR_BILATERAL ? settings->rounds : 1;
  gboolean may_exceed = settings->kernel == GPU_BLUR_GAUSSIAN
      && settings->radius < 0;
  guint samples = rounds
      * (may_exceed ? DIV_UP (axis->radius * 7, 6) : axis->radius);

  if (settings->transfer && shift > 0)
    samples += 2;
  return (samples << shift) + (1 << shift) - 1;
}

static void
find_reach (const GpuRegionPlan * self, const Task * task,
    GpuAtlasGroup * group)
{
  const GpuBlurSettings settings = gpu_region_plan_get_settings (self, group,
      task->settings);
  const GpuPixelFormat *format = task->format;
  GpuBlurAxes axes;

  for (guint i = 0; i < format->n_planes; i++) {
    gpu_blur_axes_init (&axes, &settings, format, i);
    group->reach_x = MAX (group->reach_x,
        get_reach (&settings, &axes.x, format->shift_x[i]));
    group->reach_y = MAX (group->reach_y,
        get_reach (&settings, &axes.y, format->shift_y[i]));
  }
}

/* Whether samples beyond the edges of the frame are not what the edge mode makes of those inside:
 * alpha, luma or light of several pixels goes into a sample of chroma, or a filter is
 * repeated. */
static gboolean
has_own_edges (const Task * task)
{
  return task->settings->kernel == GPU_BLUR_BILATERAL
      || (gpu_pixel_format_is_subsampled (task->format)
      && (task->format->alpha >= 0 || task->settings->transfer));
}

/* Words at the end of the frame may have samples beyond it; those of whole tiles have none. */
static gboolean
is_inside (const GpuRegionPlan * self, const GpuFrameInfo * info)
{
  gint width = info->width / ATLAS_TILE * ATLAS_TILE;
  gint height = info->height / ATLAS_TILE * ATLAS_TILE;

  for (guint i = self->groups[0].first; i < self->regions->len; i++) {
    const GpuAtlasCell *cell = &self->atlas.cells[i];

    if (cell->x < 0 || cell->y < 0 || cell->x + (gint) cell->width > width
        || cell->y + (gint) cell->height > height)
      return FALSE;
  }
  return TRUE;
}

/* A rest has the whole frame, and needs no atlas; and where alpha is inverted, a copy of the
 * frame is blurred. */
static void
plan_blur (GpuRegionPlan * self, const Task * task)
{
  const GpuFrameInfo *info = task->info;

  for (guint i = 0; i < self->n_groups; i++)
    find_reach (self, task, &self->groups[i]);
  if (self->n_groups > 0 && !task->areas->rest
      && task->areas->mask != GPU_AREAS_INVERSE_ALPHA) {
    gpu_region_atlas_init (&self->atlas, self->regions, self->groups,
        self->n_groups, info->width, info->height);
    self->is_inside = is_inside (self, info);
    self->has_atlas = self->atlas.width > 0
        && (self->is_inside || !has_own_edges (task));
  }
  gpu_frame_info_init (&self->blurred, info->pixels,
      self->has_atlas ? self->atlas.width : info->width,
      self->has_atlas ? self->atlas.height : info->height);
}

/* --- all --- */

void
gpu_region_plan_init (GpuRegionPlan * self, const GpuFrameInfo * info,
    const GpuBlurSettings * settings, const GpuAreas * areas,
    const GArray * regions, guint most_blocks)
{
  const Task task = { info, gpu_pixels_get_format (info->pixels), settings,
    areas
  };

  *self = (GpuRegionPlan) {.regions = g_array_copy ((GArray *) regions)};
  arrange (self->regions, &task);
  if (self->regions->len == 0)
    return;
  self->n_blocks = gpu_regions_limit_blocks (self->regions, most_blocks,
      info->width, info->height);
  self->block_pixels = count_block_pixels (self->regions, info);
  find_groups (self);
  plan_blur (self, &task);
  gpu_region_tables_init (&self->tables, self->regions, areas->rest != NULL,
      self->has_atlas ? &self->atlas : NULL, info->width, info->height);
}

void
gpu_region_plan_clear (GpuRegionPlan * self)
{
  g_clear_pointer (&self->regions, g_array_unref);
  gpu_region_tables_clear (&self->tables);
}
