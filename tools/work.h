/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Work that either engine does on frames, over and over, and how long it takes. */
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
  GpuBlurSettings blur;         /* one of the two */
  GpuPaletteSettings palette;
} CheckWork;

/* An engine that is ready for frames of a size. */
typedef struct
{
  const CheckWork *work;
  GpuFrameInfo info;
  GpuStream *stream;
  GpuBlur *blur;
  GpuPalette *palette;
} CheckWorker;

/* @worker: for check_worker_clear() in the end, whatever comes of it. Errors: those of
 * the engine. */
gboolean check_worker_init (CheckWorker * worker, GpuDevice * device,
    const CheckWork * work, guint width, guint height, GError ** error);
void check_worker_clear (CheckWorker * worker);

/* Does a frame and waits for it. @in, @out: of worker->info.size bytes. */
gboolean check_worker_run (CheckWorker * worker, GpuBuffer * in,
    GpuBuffer * out, GError ** error);

/* Fills @bytes with a picture that is the same everywhere: integers alone. */
void check_draw (guint8 * bytes, gsize n);

G_END_DECLS
