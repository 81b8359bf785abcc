/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/blur/blur.h"
#include "regionlist.h"

G_BEGIN_DECLS

/* Blurs, pixelates or fills parts of frames, and leaves every other byte of their planes
 * unchanged.
 *
 * Where regions overlap, a filled one decides; if there is none, the one with the largest
 * blocks; else the one with the strongest blur. A sample of a subsampled plane belongs to a
 * region if one of the pixels that share it does.
 *
 * The blur of a region costs about what its own pixels and those around it cost: they are
 * gathered in a smaller frame, which is blurred. If that would be as large as the frame, the
 * frame is blurred, as strongly as the strongest region.
 *
 * The means of blocks are of code values; colours are weighted by alpha. Blocks begin at
 * the region's first pixel in the frame, and their means are of pixels of the region's
 * rectangle only. No block is smaller than asked, unless the region is: the last ones of a
 * row and a column have the rest, too.
 *
 * Each field of an interlaced frame is treated by itself: it has every other row of a
 * region, and a row of it counts as a pixel for blocks and feathers. */
typedef struct _GpuRegionBlur GpuRegionBlur;

/* Never returns NULL. @blur must outlive it. Free it with gpu_region_blur_free(). */
GpuRegionBlur *gpu_region_blur_new (GpuDevice * device, GpuBlur * blur);
void gpu_region_blur_free (GpuRegionBlur * self);

/* The size of all its buffers, in bytes, without those of the blur. */
gsize gpu_region_blur_get_memory (GpuRegionBlur * self);

/* Prepares for frames of this format, which gpu_blur_takes(), and size, progressive or
 * interlaced, and requests the kernels for areas like @areas, which need not have the regions of
 * a frame, but have at least one of each action. Frames of areas that need other kernels wait
 * for them. If something is to be blurred, the blur must be prepared as well; areas of a frame
 * must neither blur nor invert alpha if @areas did not. Errors: TOO_LARGE, OUT_OF_MEMORY, LOST. */
gboolean gpu_region_blur_prepare (GpuRegionBlur * self, GpuPixels pixels,
    guint width, guint height, const GpuAreas * areas, GError ** error);

/* Records the treatment of one frame. As gpu_blur_record(); in addition, input and output may
 * be the same buffer with the same layout. @settings are those of regions to blur, which are
 * left out if that changes nothing. @areas: only read during the call. @report: of the blur of
 * the first field; without stages if nothing is blurred. */
gboolean gpu_region_blur_record (GpuRegionBlur * self, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    const GpuAreas * areas, GpuBlurReport * report, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuRegionBlur, gpu_region_blur_free)

G_END_DECLS
