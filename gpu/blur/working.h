/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Families read and write some formats. Frames of other formats are moved to one of these
 * before a blur, or converted to linear light, and back afterwards. */
#pragma once

#include "settings.h"
#include "gpu/core/compute/convert.h"

G_BEGIN_DECLS

/* Zeroed at first. */
typedef struct
{
  GpuConversion enter, leave;
  GpuBuffer *in, *out, *tables; /* NULL until they are needed */
} GpuBlurWorking;

/* Returns the format in which frames of the format @pixels are blurred with @settings:
 * @pixels itself if families read it. */
GpuPixels gpu_blur_working_choose (GpuPixels pixels,
    const GpuBlurSettings * settings);

/* Gives the buffers back. */
void gpu_blur_working_clear (GpuBlurWorking * working);

/* The size of its buffers, in bytes. */
gsize gpu_blur_working_get_memory (const GpuBlurWorking * working);

/* Fills in @inside with the layout of the frames that families see of frames like @info: @info
 * itself if they read it. */
void gpu_blur_working_lay_out (const GpuFrameInfo * info,
    const GpuBlurSettings * settings, GpuFrameInfo * inside);

/* Prepares for frames like @info that are blurred with @settings. If the families read these,
 * all buffers are given back. On FALSE, earlier preparations remain valid. Errors: TOO_LARGE,
 * OUT_OF_MEMORY, LOST. */
gboolean gpu_blur_working_prepare (GpuBlurWorking * working, GpuDevice * device,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error);

/* Records what the parts of a frame, which is as prepared, share: the tables of a transfer
 * function. Call this once before gpu_blur_working_enter(). */
void gpu_blur_working_begin (GpuBlurWorking * working, GpuStream * stream,
    const GpuBlurSettings * settings, GpuPixels pixels);

/* Records the move of the input of @frames, which is as prepared, and fills in @in and @out
 * with the frames between which to blur. These are the frames themselves if families read
 * them. */
void gpu_blur_working_enter (GpuBlurWorking * working,
    GpuStream * stream, const GpuBlurSettings * settings,
    const GpuFrames * frames, GpuFrame * in, GpuFrame * out);

/* Records the move of @out, after the blur, to the output of @frames, if that is
 * not @out. */
void gpu_blur_working_leave (GpuBlurWorking * working,
    GpuStream * stream, const GpuFrames * frames, const GpuFrame * out);

G_END_DECLS
