/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of the palette share: an engine, and frames from and to bytes
 * R, G, B, A, tightly packed. */
#pragma once

#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "gpu_fixture.h"
#include "reference_palette.h"
#include "reference_temporal.h"

G_BEGIN_DECLS

typedef struct
{
  GpuPalette *palette;
  GpuStream *stream;
  GpuFrameInfo in, out;
  gboolean is_linear;
  GpuDeviceInfo info;           /* what it takes its device for */
  GpuPaletteWalkKind walk;      /* with any tuning; 0: what is best */

  GpuPaletteSettings settings;
  GpuPaletteTuning tuning;
  GpuPaletteReport report;
  guint let_through;            /* submissions before engine_record_cancelled()
                                   ends */
} Engine;

/* As gpu_fixture_skips_all(), for programs that may run with 16 lanes: also TRUE where Mesa 26's
 * compiler then crashes (seen with 26.2.6): merge_64bit(), which makes a number of 64 bits of
 * two words, has an array for 8 lanes on its stack, and fills it for 16. */
gboolean palette_fixture_skips_all (void);

/* Built for frames of @quality, from RGBA to RGBA; and for other formats. */
Engine *engine_new (GpuPaletteQuality quality, guint width, guint height);
Engine *engine_new_for (GpuPaletteQuality quality, GpuPixels in, GpuPixels out,
    guint width, guint height, gboolean is_linear);
/* The same from RGBA to RGBA, as on a device of @kind. */
Engine *engine_new_as (GpuDeviceKind kind, GpuPaletteQuality quality,
    guint width, guint height);
/* Frames of other formats or another size from now on. Those of I420 or NV12 are of BT.709,
 * and tightly packed; of both only NV12 can be made of R, G, B, A, and be shown. */
void engine_configure (Engine * engine, GpuPaletteQuality quality, GpuPixels in,
    GpuPixels out, guint width, guint height);
void engine_free (Engine * engine);
void engine_tune (Engine * engine, const GpuPaletteTuning * tuning);

/* For engine_try(), with the engine as data: does what is asked for, and ends
 * after some submissions. */
gboolean engine_record (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer engine, GError ** error);
gboolean engine_record_cancelled (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer engine, GError ** error);
/* Does what is asked for, but fails, so that nobody submits the frame. */
gboolean engine_record_and_fail (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer engine, GError ** error);

/* What becomes of a picture, and a report of the frame that is done; NULL with
 * @error set. The frame has junk where its format ignores a byte. */
guint8 *engine_try (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba, GpuFixtureRecord record, GError ** error);
/* With engine_record(), which succeeds. */
guint8 *engine_run (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba);
/* The same of the bytes of a frame of I420 or NV12. */
guint8 *engine_run_yuv (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * frame);

/* For messages. */
gchar *engine_describe (Engine * engine, const gchar * picture);

/* What oracles need to know: the settings, the picture that the engine's frame
 * shows, and that which its result shows. */
ReferencePaletteSettings engine_reference_settings (Engine * engine,
    const GpuPaletteSettings * settings);
ReferenceTemporalSettings engine_temporal_settings (Engine * engine,
    const GpuPaletteSettings * settings);
guint8 *engine_picture_in (Engine * engine, const guint8 * rgba);
guint8 *engine_picture_in_nv12 (Engine * engine, guint8 * frame);
void engine_make_picture_out (Engine * engine, guint8 * rgba);

/* Ends the program where a pixel differs. */
void compare_pixels (const gchar * what, const guint8 * got,
    const guint8 * expected, guint width, guint height);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Engine, engine_free)

G_END_DECLS
