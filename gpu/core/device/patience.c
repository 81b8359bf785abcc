/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "patience.h"

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
gpu_patience_is_over (GpuPatience * patience, GpuDevice * device, guint done)
{
  clock_t worked = device->info.kind == GPU_DEVICE_CPU
      ? clock () / (CLOCKS_PER_SEC / 4) : 0;

  if (done != patience->done || patience->looks == 0) {
    patience->looks = patience->idle_looks = 0;
    patience->worked_before = worked;
  }
  if (worked != patience->worked)
    patience->idle_looks = 0;
  patience->done = done;
  patience->worked = worked;
  return ++patience->idle_looks >= MAX_IDLE_LOOKS
      || (++patience->looks >= MAX_LOOKS
      && worked - patience->worked_before >= MAX_WORKED);
}
