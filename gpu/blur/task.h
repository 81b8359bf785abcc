/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A method that may run: what blur.c asks families (family.h) about. */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

/* All of it is the caller's, and none of it NULL. */
typedef struct
{
  GpuBlurMethod method;         /* never AUTO, which that of the settings may be */
  const GpuBlurSettings *settings;
  const GpuFrameInfo *info;     /* of frames that are alike */
} GpuBlurTask;

G_END_DECLS
