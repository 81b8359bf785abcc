/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "format.h"
#include "oklab.h"
#include "report.h"
#include "settings.h"

G_BEGIN_DECLS

/* Reduces the palette of frames by mean shift with a flat kernel (Comaniciu
 * and Meer, "Mean shift: a robust approach toward feature space analysis",
 * 2002) over the distinct colours of a frame in Oklab (Björn Ottosson, "A
 * perceptual color space for image processing", 2020). All in integers: the
 * same bytes on every device, whatever the order of its threads. */
typedef struct _GpuPalette GpuPalette;

/* With the transfer function of sRGB. */
GpuPalette *gpu_palette_new (GpuDevice * device);
void gpu_palette_free (GpuPalette * palette);

/* Bytes of its buffers, on the device and the host. */
gsize gpu_palette_get_memory (GpuPalette * palette);

/* From the next frame on, which is as the first. @transfer is called now, not
 * later. */
void gpu_palette_set_transfer (GpuPalette * palette,
    GpuPaletteTransfer transfer, gpointer data);

/* Whether frames of @pixels can be worked on; and whether frames of @in can become
 * @out. GRAY8 is of GRAY8 alone: a colour is shown as its luma there. */
gboolean gpu_palette_takes (GpuPixels pixels);
gboolean gpu_palette_makes (GpuPixels in, GpuPixels out);

/* Builds what frames of @format, which is copied, need with @quality, whatever the
 * other settings: pipelines and memory. What is by the number of colours is taken,
 * and grows, with frames that ask for it; what the other quality needs, or keeping
 * modes, with gpu_palette_prepare() or the first frame that asks for that. Formats: those
 * of gpu_palette_makes(); an alpha that the output lacks is
 * dropped, one that the input lacks is 255. Into RGB8P, which LIVE makes and EXACT
 * does not, go no more than 256 colours: without a limit it is as with
 * one of so many that keeps the radius. Where the input has alpha it is one less, for
 * the index 255 is that of pixels with alpha 0. (It is also that of all pixels of
 * frames in which no colour reaches the least frequency.) Entries that no mode has are
 * opaque and black, that one transparent.
 * Of earlier frames only the modes that stability keeps are known any more, and these
 * where @quality is LIVE.
 * Errors, after which the palette is not configured: TOO_LARGE, OUT_OF_MEMORY,
 * UNSUPPORTED (format), LOST. */
gboolean gpu_palette_configure (GpuPalette * palette,
    const GpuPaletteFormat * format, GpuPaletteQuality quality,
    GError ** error);

/* Makes what the first frame with @settings would make: pipelines and memory, of
 * a palette that is configured. Errors: UNSUPPORTED (RGB8P with EXACT),
 * OUT_OF_MEMORY, LOST. */
gboolean gpu_palette_prepare (GpuPalette * palette,
    const GpuPaletteSettings * settings, GError ** error);

/* The radius that frames as they are configured are worked on with. */
gdouble gpu_palette_get_radius_in_use (GpuPalette * palette,
    const GpuPaletteSettings * settings);

/* Nothing is known of earlier frames any more: the next one is as the first. Or the
 * same of LIVE alone, where what is counted stays; lists of modes can still be
 * read. */
void gpu_palette_forget (GpuPalette * palette);
void gpu_palette_forget_modes (GpuPalette * palette);

/* From the next frame on @progress, which may be NULL, is told while gpu_palette_record()
 * works on colours with EXACT: on its thread, after every submission. */
void gpu_palette_set_progress (GpuPalette * palette,
    GpuPaletteProgress progress, gpointer data);

/* Computes @frames->out from @frames->in: formats and size as configured, any usable
 * layout, different buffers. @stream is recording and is left recording what writes
 * the output; in between it is submitted and waited for, to read a few counters,
 * for a tenth of a second at a time at most. Each frame ends a submission. Where
 * there is no memory for all frames of the history, or sums over their pixels would
 * not fit into 32 bits, as many are counted as can be. On FALSE (CANCELLED,
 * OUT_OF_MEMORY, TOO_LARGE, UNSUPPORTED as above, or what submitting reported) the
 * output holds nothing of use, the recording is abandoned, and the next frame starts
 * afresh; so it does behind a frame that the caller abandons. @report: filled, may be
 * NULL. */
gboolean gpu_palette_record (GpuPalette * palette, GpuStream * stream,
    const GpuPaletteSettings * settings, const GpuFrames * frames,
    GpuPaletteReport * report, GError ** error);

/* Brings @report, of the last frame, to what is known by now. EXACT knew all
 * when it was recorded; LIVE does not wait, and reports of the newest frame
 * that is done. Any thread. */
void gpu_palette_get_report (GpuPalette * palette, GpuPaletteReport * report);

/* The modes of the newest frame that is done, and its tag, if the pixels of the last
 * frame were counted, which those of LIVE with radius 0 are not. With EXACT each
 * output colour is one. @modes has room for GPU_PALETTE_MAX_MODES: those with most
 * pixels, most first. One within a quarter of the radius, of 0.005 at least, of one
 * that has more is a part of it here. FALSE where none are known. Any thread. */
gboolean gpu_palette_get_modes (GpuPalette * palette, GpuPaletteMode * modes,
    guint * n, guint64 * tag);

/* Waits until the last frame is done, if it was submitted. Errors: those of
 * gpu_ticket_wait(). */
gboolean gpu_palette_wait (GpuPalette * palette, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuPalette, gpu_palette_free)

G_END_DECLS
