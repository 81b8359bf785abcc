/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A method, settings and frames: the argument of a family's functions (family.h). */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

/* All members belong to the caller; none is NULL. */
typedef struct
{
  GpuBlurMethod method;         /* never AUTO; may differ from the settings' method */
  const GpuBlurSettings *settings;
  const GpuFrameInfo *info;     /* describes the frames */
} GpuBlurTask;

static inline const GpuPixelFormat *
gpu_blur_task_get_format (const GpuBlurTask * task)
{
  return gpu_pixels_get_format (task->info->pixels);
}

G_END_DECLS
