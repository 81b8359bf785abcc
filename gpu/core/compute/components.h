/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixel formats for shaders that read or write frames of any of them, sample by sample
 * (shaders/core/pixels/format.glsl). */
#pragma once

#include "slicer.h"
#include "gpu/core/frame/frame.h"
#include "shaders/core/pixels/format.h"

G_BEGIN_DECLS

/* Writes the FORMAT_CONSTANTS specialization constants of a kernel that reads frames of the
 * format @in and writes plane @plane of frames of the format @out. Those of Y'CbCr encoding
 * become 0, and FORMAT_VECTORS FALSE. */
void gpu_components_get_constants (GpuPixels in, GpuPixels out, guint plane,
    guint32 * constants);

/* Checks that shaders can bind frames like @info as a whole, as the functions below do.
 * Errors: TOO_LARGE. */
gboolean gpu_components_check_size (GpuDevice * device,
    const GpuFrameInfo * info, GError ** error);

/* The items of a dispatch. */
typedef struct
{
  guint plane;                  /* that the kernel was made for */
  guint n;                      /* see gpu_slicer_run() */
} GpuComponentsItems;

/* Records @dispatch over @items, whose plane is one of @out. The push
 * constants begin with FORMAT_PUSH, which this function fills in; the caller sets the others.
 * @dispatch->push may be NULL: the others are 0. Both frames are progressive; a field is. */
void gpu_components_run_over (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuFrameInfo * in,
    const GpuFrameInfo * out, const GpuComponentsItems * items);

/* The same over all words of plane @plane. */
void gpu_components_run (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuFrameInfo * in,
    const GpuFrameInfo * out, guint plane);

G_END_DECLS
