/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame, or a field of one, on its way into a stream: what blur.c makes of a call of
 * gpu_blur_record() and hands on to the family that does it. */
#pragma once

#include "settings.h"
#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* All of it is the caller's, and none of it NULL. */
typedef struct
{
  GpuStream *stream;            /* is recording */
  const GpuBlurSettings *settings;
  GpuBuffer *light;             /* what shaders/blur/light.h describes, of these settings;
                                   where they have no light, it is bound, and not read */
  const GpuFrame *in, *out;
  GpuBlurReport *report;        /* of what is recorded: what did it is known, and no
                                   stage is */
} GpuBlurRecording;

G_END_DECLS
