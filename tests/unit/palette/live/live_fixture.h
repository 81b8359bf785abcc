/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of quality=live without modes share: frames against the oracle. */
#pragma once

#include "palette_fixture.h"
#include "reference_live.h"

G_BEGIN_DECLS

GpuPaletteSettings live_settings (gdouble radius,
    GpuPaletteWeighting weighting);

/* What is to become of a picture, by the oracle. */
guint8 *live_oracle (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba, ReferenceLiveStats * stats);

/* What becomes of the frame is as the oracle says, or the test fails. @picture: for messages;
 * of generated ones their name. Each returns how often bins were merged. */
guint live_check_settings (Engine * engine, const gchar * picture,
    const guint8 * rgba, const GpuPaletteSettings * settings);
guint live_check (Engine * engine, const gchar * picture, const guint8 * rgba,
    gdouble radius, GpuPaletteWeighting weighting);
guint live_check_generated (Engine * engine, const gchar * picture,
    guint32 seed, gdouble radius, GpuPaletteWeighting weighting);

G_END_DECLS
