/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "times.h"

#include "work.h"

/* Number of frames; the shortest time is reported. The first frames wait for pipelines. */
#define FRAMES 5

static const CheckWork works[] = {
  {"blur, sigma 3", CHECK_BLUR, GPU_PIXELS_RGBA,
      .blur = {.sigma_x = 3, .sigma_y = 3, .radius = -1}},
  {"blur, sigma 20", CHECK_BLUR, GPU_PIXELS_RGBA,
      .blur = {.sigma_x = 20, .sigma_y = 20, .radius = -1}},
  {"palette, live", CHECK_PALETTE, GPU_PIXELS_RGBA,
      .palette = {.making.radius = 0.02, .quality = GPU_PALETTE_LIVE}},
};

/* Returns a picture in device memory, like frames on a graphics card. */
static GpuBuffer *
upload_picture (CheckWorker * worker, GpuDevice * device, GError ** error)
{
  gsize size = worker->info.size;
  g_autoptr (GpuBuffer) host = gpu_buffer_new (device, GPU_BUFFER_HOST, size,
      "check upload", error);
  g_autoptr (GpuBuffer) picture = host ? gpu_buffer_new (device,
      GPU_BUFFER_DEVICE, size, "check input", error) : NULL;

  if (!picture)
    return NULL;
  check_draw (gpu_buffer_get_data (host), size);
  if (!gpu_buffer_flush (host, error)
      || !gpu_stream_begin (worker->stream, error))
    return NULL;
  gpu_stream_stage (worker->stream, "upload");
  gpu_stream_copy (worker->stream, host, 0, picture, 0, size);
  if (!gpu_stream_submit (worker->stream, NULL, error)
      || !gpu_stream_wait_idle (worker->stream, error))
    return NULL;
  return g_steal_pointer (&picture);
}

static gboolean
time_worker (CheckWorker * worker, GpuDevice * device, guint64 * ns,
    GError ** error)
{
  g_autoptr (GpuBuffer) in = upload_picture (worker, device, error);
  g_autoptr (GpuBuffer) out = in ? gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      worker->info.size, "check output", error) : NULL;

  *ns = G_MAXUINT64;
  for (guint i = 0; out && i < FRAMES; i++) {
    GpuTimings timings;

    if (!check_worker_run (worker, in, out, error))
      return FALSE;
    gpu_stream_get_timings (worker->stream, &timings);
    *ns = MIN (*ns, timings.span);
    if (worker->blur)
      gpu_blur_wait (worker->blur);
  }
  return out != NULL;
}

static void
write_time (FILE * to, GpuDevice * device, const CheckWork * work,
    guint width, guint height)
{
  g_autoptr (GError) error = NULL;
  CheckWorker worker;
  guint64 ns;

  if (!check_worker_init (&worker, device, work, width, height, &error)
      || !time_worker (&worker, device, &ns, &error))
    fprintf (to, "  %s: %s\n", work->name, error->message);
  else if (ns == 0)
    fprintf (to, "  %s, %u x %u: the device has no clock\n", work->name, width,
        height);
  else
    fprintf (to, "  %s, %u x %u: %.3f ms\n", work->name, width, height,
        ns / 1e6);
  check_worker_clear (&worker);
}

void
check_write_times (FILE * to, GpuDevice * device)
{
  gboolean is_slow = gpu_device_is_slow (device);

  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    if (check_can_run (works[i].engine, device, NULL))
      write_time (to, device, &works[i], is_slow ? 480 : 1920,
          is_slow ? 270 : 1080);
}
