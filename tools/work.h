/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs either engine on frames. */
#pragma once

#include "gpu/blur/blur.h"
#include "gpu/palette/palette.h"

G_BEGIN_DECLS

typedef enum
{
  CHECK_BLUR,
  CHECK_PALETTE,
} CheckEngine;

typedef struct
{
  const gchar *name;
  CheckEngine engine;
  GpuPixels pixels;
  GpuBlurSettings blur;         /* used with CHECK_BLUR */
  GpuPaletteSettings palette;   /* used with CHECK_PALETTE */
} CheckWork;

/* Returns whether @device has what the engine needs. On FALSE, @error is set, and says what it
 * lacks. */
gboolean check_can_run (CheckEngine engine, GpuDevice * device, GError ** error);

/* An engine that is prepared for frames of one size. */
typedef struct
{
  const CheckWork *work;
  GpuFrameInfo info;
  GpuStream *stream;
  GpuBlur *blur;
  GpuPalette *palette;
} CheckWorker;

/* Prepares an engine for frames of @width x @height pixels. Returns FALSE with the engine's
 * @error set on failure. The caller calls check_worker_clear() in either case. */
gboolean check_worker_init (CheckWorker * worker, GpuDevice * device,
    const CheckWork * work, guint width, guint height, GError ** error);
/* Frees the engine and the stream. */
void check_worker_clear (CheckWorker * worker);

/* Processes a frame and waits for it. @in and @out have worker->info.size bytes. */
gboolean check_worker_run (CheckWorker * worker, GpuBuffer * in,
    GpuBuffer * out, GError ** error);

/* Fills @bytes with a test picture. It uses integers only, so it is the same on every
 * machine. */
void check_draw (guint8 * bytes, gsize n);

G_END_DECLS
