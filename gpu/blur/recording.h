/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arguments of gpu_blur_record() for one progressive frame or one field, which blur.c
 * passes to the family. */
#pragma once

#include "settings.h"
#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* All members belong to the caller; none is NULL. */
typedef struct
{
  GpuStream *stream;            /* is recording */
  const GpuBlurSettings *settings;
  GpuBuffer *light;             /* the table of shaders/blur/light.h for the settings; if
                                   they have no light, it is bound but not read */
  const GpuFrame *in, *out;
  GpuBlurReport *report;        /* method and precision are set; the family adds the
                                   stages */
} GpuBlurRecording;

G_END_DECLS
