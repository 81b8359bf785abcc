/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hangtimeout.h"

/* Submissions are far shorter than a second: a device that ends nothing for ten
 * hangs. A CPU device that is at work gets a minute of processor time, and no less
 * than a minute: its first submissions contain compilations. */
#define MAX_IDLE_LOOKS 100
#define MAX_LOOKS 600
#define MAX_WORKED (60 * 4)

/* A CPU device is at work as long as this process takes processor time: it
 * compiles what it runs for the first time, and who knows how many others share
 * its cores. But so does a pipeline's other work. */
gboolean
gpu_hang_timeout_is_over (GpuHangTimeout * timeout, GpuDevice * device,
    guint done)
{
  clock_t worked = device->info.kind == GPU_DEVICE_CPU
      ? clock () / (CLOCKS_PER_SEC / 4) : 0;

  if (done != timeout->done || timeout->looks == 0) {
    timeout->looks = timeout->idle_looks = 0;
    timeout->worked_before = worked;
  }
  if (worked != timeout->worked)
    timeout->idle_looks = 0;
  timeout->done = done;
  timeout->worked = worked;
  return ++timeout->idle_looks >= MAX_IDLE_LOOKS
      || (++timeout->looks >= MAX_LOOKS
      && worked - timeout->worked_before >= MAX_WORKED);
}
