/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

/* Blurs frames. Every plane is blurred by itself, in code values, or in the
 * values that its samples are; colours with alpha are blurred premultiplied. So is each
 * field of an interlaced frame.
 *
 * Gaussian weights are exp(-i²/2σ²) for i = -R…R, normalised; a box has
 * equal weights, fractional ones at its ends. Rows and columns have a σ each.
 * Subsampled planes take σ and R divided by their subsampling, and so do fields down
 * columns: their rows are two of the frame apart. Methods differ
 * in how they get there: see docs/gpublur.md for the sources. */
typedef struct _GpuBlur GpuBlur;

/* The largest radius that @method runs on @device at @precision on both axes of
 * planes of @components samples, with the kernels that it can do at all; 0 where
 * it cannot run. */
guint gpu_blur_max_radius (GpuDevice * device, GpuBlurMethod method,
    GpuBlurPrecision precision, guint components);

GpuBlur *gpu_blur_new (GpuDevice * device);
void gpu_blur_free (GpuBlur * blur);

/* Bytes of its buffers. */
gsize gpu_blur_get_memory (GpuBlur * blur);

/* Makes room for progressive frames of this format and size with these settings, whatever
 * sigma and radius they come to have, and builds the pipelines of the method asked for and
 * of the one that stands in for it; for AUTO, what the first frame needs. The rest is built
 * in the background while frames flow; see gpu_blur_wait(). Room and pipelines that exist
 * already are kept. On FALSE, what was prepared before still is. Errors: TOO_LARGE,
 * OUT_OF_MEMORY, LOST. */
gboolean gpu_blur_prepare (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error);

/* The same for interlaced frames. Where both kinds may come, both are prepared. */
gboolean gpu_blur_prepare_fields (GpuBlur * blur, GpuPixels pixels,
    guint width, guint height, const GpuBlurSettings * settings,
    GError ** error);

/* Waits for pipelines that are built in the background: bytes do not depend on
 * them, times do. */
void gpu_blur_wait (GpuBlur * blur);

/* Records the blur of one frame into another: same format and size, both interlaced or
 * neither, any usable layout each. @stream is recording; where the work is too
 * long for one submission it is submitted in parts, and @stream is left recording the last
 * of them. Format, size, method, precision, kernel and whether light is blurred are those
 * prepared last; sigmas and radius, in pixels, and the edge may be others. @settings,
 * @frames and both frames are the caller's and are read during the call alone; of their
 * buffers @stream keeps references until what is recorded has run. On FALSE (CANCELLED, or
 * what submitting or building reported) the frame that is written holds nothing of use and
 * the recording is abandoned. @report: filled, may be NULL. */
gboolean gpu_blur_record (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    GpuBlurReport * report, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuBlur, gpu_blur_free)

G_END_DECLS
