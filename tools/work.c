/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "work.h"

gboolean
check_can_run (CheckEngine engine, GpuDevice * device, GError ** error)
{
  return gpu_device_meets (device, engine == CHECK_BLUR ? &gpu_blur_needs
      : &gpu_palette_needs, error);
}

gboolean
check_worker_init (CheckWorker * worker, GpuDevice * device,
    const CheckWork * work, guint width, guint height, GError ** error)
{
  const GpuPaletteFormat format = {
    .in = work->pixels,
    .out = work->pixels,
    .width = width,
    .height = height,
  };

  *worker = (CheckWorker) {.work = work};
  gpu_frame_info_init (&worker->info, work->pixels, width, height);
  worker->stream = gpu_stream_new (device, 1, "check", error);
  if (!worker->stream)
    return FALSE;
  if (work->engine == CHECK_BLUR) {
    worker->blur = gpu_blur_new (device);
    return gpu_blur_prepare (worker->blur, work->pixels, width, height,
        &work->blur, error);
  }
  worker->palette = gpu_palette_new (device);
  return gpu_palette_configure (worker->palette, &format,
      work->palette.quality, error);
}

void
check_worker_clear (CheckWorker * worker)
{
  g_clear_pointer (&worker->blur, gpu_blur_free);
  g_clear_pointer (&worker->palette, gpu_palette_free);
  g_clear_pointer (&worker->stream, gpu_stream_unref);
}

static gboolean
record (CheckWorker * worker, const GpuFrame * in, const GpuFrame * out,
    GError ** error)
{
  const GpuFrames frames = {.in = in, .out = out};

  if (worker->blur)
    return gpu_blur_record (worker->blur, worker->stream, &worker->work->blur,
        &frames, NULL, error);
  return gpu_palette_record (worker->palette, worker->stream,
      &worker->work->palette, &frames, NULL, error);
}

gboolean
check_worker_run (CheckWorker * worker, GpuBuffer * in, GpuBuffer * out,
    GError ** error)
{
  const GpuFrame in_frame = { worker->info, in };
  const GpuFrame out_frame = { worker->info, out };
  GpuTicket ticket = { NULL, 0 };
  gboolean done;

  gpu_stream_next_frame (worker->stream);
  done = gpu_stream_begin (worker->stream, error)
      && record (worker, &in_frame, &out_frame, error)
      && gpu_stream_submit (worker->stream, &ticket, error)
      && gpu_ticket_wait (&ticket, error);
  gpu_ticket_clear (&ticket);
  return done;
}

/* Adds noise to steps, so that there are clusters of colours. (The constants are those of
 * the quick generator in Numerical Recipes.) */
void
check_draw (guint8 * bytes, gsize n)
{
  guint32 state = 1;

  for (gsize i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = (state >> 26) + 3 * (i / 16 % 64);
  }
}
