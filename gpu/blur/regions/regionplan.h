/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is done to a progressive frame or a field: its regions as they are painted, and what is
 * blurred for them. */
#pragma once

#include "regionatlas.h"
#include "regionblur.h"
#include "regiontables.h"

G_BEGIN_DECLS

typedef struct
{
  GArray *regions;              /* those that do something, sorted; the first is the rest if
                                   there is one, and the others then stay */
  guint n_blocks;               /* of all regions */
  guint64 block_pixels;         /* that they have */
  GpuAtlasGroup groups[GPU_REGION_MAX_STRENGTHS];       /* to blur, strongest first */
  guint n_groups;
  gboolean has_atlas;           /* cells are blurred; else the frame as a whole, as the first
                                   group */
  gboolean is_inside;           /* no cell crosses an edge of the frame */
  GpuRegionAtlas atlas;
  GpuFrameInfo blurred;         /* the layout of what is blurred */
  GpuRegionTables tables;       /* without words if there are no regions */
} GpuRegionPlan;

/* Makes a plan for frames like @info. @regions are those of @areas, or of its field.
 * @most_blocks: blocks become larger if there would be more. Clear it with
 * gpu_region_plan_clear(). */
void gpu_region_plan_init (GpuRegionPlan * plan, const GpuFrameInfo * info,
    const GpuBlurSettings * settings, const GpuAreas * areas,
    const GArray * regions, guint most_blocks);
void gpu_region_plan_clear (GpuRegionPlan * plan);

/* Returns the settings for a group. @settings: as above. */
GpuBlurSettings gpu_region_plan_get_settings (const GpuRegionPlan * plan,
    const GpuAtlasGroup * group, const GpuBlurSettings * settings);

G_END_DECLS
