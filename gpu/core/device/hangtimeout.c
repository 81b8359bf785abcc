/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hangtimeout.h"

/* Submissions are far shorter than a second, so a device that finishes nothing for ten
 * seconds hangs. A busy CPU device gets a minute of CPU time, and at least a minute of
 * real time: its first submissions include compilation. */
#define MAX_IDLE_LOOKS 100
#define MAX_LOOKS 600
#define MAX_WORKED (60 * 4)

/* A CPU device counts as busy while this process uses CPU time: it may compile a shader,
 * and other processes may share its cores. Other work of the process also uses CPU time,
 * hence the limit MAX_WORKED. */
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
