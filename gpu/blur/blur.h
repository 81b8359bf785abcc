/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"
#include "settings.h"

G_BEGIN_DECLS

/* Blurs frames. Each plane is blurred separately, and each field of an interlaced
 * frame. Code values are blurred as they are, or as linear light if the settings have its
 * tables; halves and floats are blurred as they are. Colours with alpha are premultiplied for
 * the blur.
 *
 * Gaussian weights are exp(-i²/2σ²) for i = -R…R, normalised. A box has equal weights,
 * but its two end weights can be smaller. A bilateral filter multiplies Gaussian weights by
 * those of differences of colour (gpu_blur_takes_bilateral()). σ can differ between
 * rows and columns. For a subsampled plane, σ and R are divided by the subsampling. For a
 * field, those of the columns are also divided by 2, as a field has every second row of the
 * frame. Each method computes the same blur in a different way: docs/gpublur.md has the
 * sources. */
typedef struct _GpuBlur GpuBlur;

/* Returns whether frames of format @pixels can be blurred. */
gboolean gpu_blur_takes (GpuPixels pixels);

/* Returns whether the bilateral filter can blur frames of format @pixels: those of bytes whose
 * colours lie in one plane or have luma to guide chroma; not Y'CbCr with alpha. */
gboolean gpu_blur_takes_bilateral (GpuPixels pixels);

/* What a blur needs of its device. */
extern const GpuNeeds gpu_blur_needs;

/* Never returns NULL. The blur keeps a reference to @device. Free it with
 * gpu_blur_free(). */
GpuBlur *gpu_blur_new (GpuDevice * device);
void gpu_blur_free (GpuBlur * blur);

/* The size of all its buffers, in bytes. */
gsize gpu_blur_get_memory (GpuBlur * blur);

/* Prepares for progressive frames of this format and size. Allocates buffers that are
 * large enough for @settings with any sigma, radius and range. Requests the kernels that
 * the first frame needs; recording it waits for them. For AUTO, these are kernels that are
 * built soon, and others that are faster follow from the second frame on: later frames
 * take them once they are built. For another method, also requests its kernels for other
 * settings, and those of SEPARABLE, which runs if that method cannot. Existing buffers and
 * kernels are kept. On FALSE, earlier preparations remain valid. Errors: UNSUPPORTED for
 * formats that the settings cannot do, TOO_LARGE, OUT_OF_MEMORY, LOST. */
gboolean gpu_blur_prepare (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error);

/* The same for interlaced frames. If both progressive and interlaced frames may come,
 * call both functions. */
gboolean gpu_blur_prepare_fields (GpuBlur * blur, GpuPixels pixels,
    guint width, guint height, const GpuBlurSettings * settings,
    GError ** error);

/* Waits until all kernels requested so far are built, and the best ones for the settings
 * of the last frame. With AUTO, the next frame with the same settings then takes the best
 * method. */
void gpu_blur_wait (GpuBlur * blur);

/* Records the blur of one frame into another. Both frames have the same format and size,
 * and both are interlaced or neither is; each may have any usable layout. @stream must be
 * recording. Work that is too long for one submission is submitted in parts, and @stream
 * is left recording the last part. Format, method, precision, kernel, rounds and
 * whether linear light is blurred must be the same as in the last preparation, and frames must
 * not be larger; sigmas, radius (both in pixels), range and edge may differ. A field may come
 * as a progressive frame, with is_field in @settings. @settings, @frames and both frames
 * belong to the caller and are only read during the call; @stream keeps references to their
 * buffers until the recorded work has run. A kernel that cannot be built fails the
 * submission. On FALSE the output frame is undefined and the
 * recording is abandoned. Errors: CANCELLED, and errors of submitting and building.
 * @report: filled in; may be NULL. */
gboolean gpu_blur_record (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    GpuBlurReport * report, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuBlur, gpu_blur_free)

G_END_DECLS
