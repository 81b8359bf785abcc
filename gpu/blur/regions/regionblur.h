/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/blur/blur.h"
#include "regionlist.h"

G_BEGIN_DECLS

/* Blurs, pixelates or fills regions of frames, and leaves every other byte of their planes
 * unchanged. Where regions overlap, a filled one decides; if there is none, the one with
 * the largest blocks; else pixels are blurred. A sample of a subsampled plane belongs to a
 * region if one of the pixels that share it does.
 *
 * The blur of a region costs about what its own pixels and those around it cost: they are
 * gathered in a smaller frame, which is blurred. If that would be as large as the frame, the
 * frame is blurred.
 *
 * The means of blocks are of code values; colours are weighted by alpha. Blocks begin at
 * the region's first pixel in the frame, and their means are of pixels of the region's
 * rectangle only.
 *
 * Each field of an interlaced frame is treated by itself: it has every other row of a
 * region, and a row of it counts as a pixel for blocks and feathers. */
typedef struct _GpuRegionBlur GpuRegionBlur;

/* Returns whether regions of frames in this format can be treated. */
gboolean gpu_region_blur_takes (GpuPixels pixels);

/* Never returns NULL. @blur must outlive it. Free it with gpu_region_blur_free(). */
GpuRegionBlur *gpu_region_blur_new (GpuDevice * device, GpuBlur * blur);
void gpu_region_blur_free (GpuRegionBlur * self);

/* The size of all its buffers, in bytes, without those of the blur. */
gsize gpu_region_blur_get_memory (GpuRegionBlur * self);

/* Prepares for frames of this format and size, progressive or interlaced. The blur must be
 * prepared for them as well. Errors: TOO_LARGE, OUT_OF_MEMORY, LOST. */
gboolean gpu_region_blur_prepare (GpuRegionBlur * self, GpuPixels pixels,
    guint width, guint height, GError ** error);

/* Records the treatment of one frame. As gpu_blur_record(); @settings are those of regions
 * to blur, which are left out if that changes nothing. @regions: an array of GpuRegion,
 * which is only read. @report: of the blur; without stages if nothing is blurred. */
gboolean gpu_region_blur_record (GpuRegionBlur * self, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    const GArray * regions, GpuBlurReport * report, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuRegionBlur, gpu_region_blur_free)

G_END_DECLS
