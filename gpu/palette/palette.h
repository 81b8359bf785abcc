/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"
#include "format.h"
#include "oklab.h"
#include "report.h"
#include "settings.h"

G_BEGIN_DECLS

/* Reduces the palette of frames by mean shift with a flat kernel (Comaniciu
 * and Meer, "Mean shift: a robust approach toward feature space analysis",
 * 2002) over the distinct colours of a frame in Oklab (Björn Ottosson, "A
 * perceptual color space for image processing", 2020). All arithmetic is in
 * integers: the output is the same on every device and for any order of threads. */
typedef struct _GpuPalette GpuPalette;

/* What a palette needs of its device. */
extern const GpuNeeds gpu_palette_needs;

/* Returns a palette, not configured, with the transfer function of sRGB; free it with
 * gpu_palette_free(). References @device. */
GpuPalette *gpu_palette_new (GpuDevice * device);
void gpu_palette_free (GpuPalette * palette);

/* Returns the size of its buffers, on the device and the host, in bytes. */
gsize gpu_palette_get_memory (GpuPalette * palette);

/* Sets the transfer function from the next frame on. State of earlier frames is
 * discarded. @transfer is called only during this call. */
void gpu_palette_set_transfer (GpuPalette * palette,
    GpuPaletteTransfer transfer, gpointer data);

/* Returns whether frames of @pixels can be input. */
gboolean gpu_palette_takes (GpuPixels pixels);

/* Requests the kernels and makes the buffers that every frame of @format, which is copied, needs
 * with @quality. Buffers sized by the number of colours are made, and grow, when a frame
 * needs them. Resources for the other quality, or for keeping modes, are made by
 * gpu_palette_prepare() or by the first frame that needs them.
 *
 * Formats: @in one of gpu_palette_takes(), @out one of these or RGB8P, and grey, which shows
 * the luma of a colour, only with the same @in. If the output has no alpha, alpha is dropped;
 * if the input has none, it is opaque. RGB8P output requires LIVE and has 256 colours at
 * most: without a limit, 256 is the limit and the radius is kept. If the input has
 * alpha, the most is 255: index 255 is then for pixels that are not counted. (All pixels
 * have index 255 in frames in which no colour reaches the least frequency.) Entries
 * without a mode are opaque black, except entry 255 if the input has alpha: it is
 * transparent.
 *
 * Discards the state of earlier frames, except, if @quality is LIVE, the modes that
 * stability keeps.
 *
 * Errors, after which the palette is not configured: TOO_LARGE, OUT_OF_MEMORY,
 * UNSUPPORTED (format), LOST. */
gboolean gpu_palette_configure (GpuPalette * palette,
    const GpuPaletteFormat * format, GpuPaletteQuality quality,
    GError ** error);

/* Requests the kernels and makes the buffers that the first frame with @settings would make. The
 * palette must be configured. Errors: UNSUPPORTED (RGB8P with EXACT), OUT_OF_MEMORY,
 * LOST. */
gboolean gpu_palette_prepare (GpuPalette * palette,
    const GpuPaletteSettings * settings, GError ** error);

/* Returns the effective radius, in Oklab units, for frames of the configured format
 * with @settings. */
gdouble gpu_palette_get_radius_in_use (GpuPalette * palette,
    const GpuPaletteSettings * settings);

/* Discards all state of earlier frames: the next one is processed like the first. */
void gpu_palette_forget (GpuPalette * palette);

/* Discards the state of earlier frames with LIVE, except colour counts. Lists of modes
 * can still be read. */
void gpu_palette_forget_modes (GpuPalette * palette);

/* Sets a progress callback from the next frame on; NULL: none. With EXACT,
 * gpu_palette_record() calls it on its own thread, after every submission. */
void gpu_palette_set_progress (GpuPalette * palette,
    GpuPaletteProgress progress, gpointer data);

/* Records the conversion of @frames->in to @frames->out. Both have the configured
 * formats and size, any usable layout, and different buffers. @stream must be recording.
 * It may be submitted and waited for in between, to read a few counters, each time for
 * a tenth of a second at most; afterwards it is recording the commands that write the
 * output. The caller submits each frame before it records the next.
 *
 * The history is shortened if there is no memory for all its frames, or if sums over
 * their pixels would not fit into 32 bits. @report is filled; may be NULL.
 *
 * On FALSE (CANCELLED, OUT_OF_MEMORY, TOO_LARGE, UNSUPPORTED as above, or an error of a
 * submission) the output is undefined and the recording is abandoned. After a failed
 * frame, or one that the caller abandons, state of earlier frames is discarded. */
gboolean gpu_palette_record (GpuPalette * palette, GpuStream * stream,
    const GpuPaletteSettings * settings, const GpuFrames * frames,
    GpuPaletteReport * report, GError ** error);

/* Updates @report, which gpu_palette_record() filled for the last frame. With EXACT it
 * is complete already; LIVE does not wait when it records, and reports the newest frame
 * that is done. Any thread. */
void gpu_palette_get_report (GpuPalette * palette, GpuPaletteReport * report);

/* Gets the modes and the tag of the newest frame that is done. With EXACT each output
 * colour is a mode. @modes must have room for GPU_PALETTE_MAX_MODES; it receives the @n
 * modes with the most pixels, in descending order. A mode within a quarter of the
 * radius (at least 0.005) of a mode with more pixels is merged into it. FALSE if none
 * are known: the pixels of the last frame were not counted, as with LIVE and radius 0,
 * or no frame is done. Any thread. */
gboolean gpu_palette_get_modes (GpuPalette * palette, GpuPaletteMode * modes,
    guint * n, guint64 * tag);

/* Waits until the last frame is done; returns TRUE at once if it was not submitted.
 * Errors: those of gpu_ticket_wait(). */
gboolean gpu_palette_wait (GpuPalette * palette, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuPalette, gpu_palette_free)

G_END_DECLS
