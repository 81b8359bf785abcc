/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sharing.h"

/* A stream shares the device if it submitted work within this time. Live video does so
 * all the time; a single submission is soon forgotten. */
#define SHARING_US (G_USEC_PER_SEC / 2)

void
gpu_sharing_note (GpuDevice * device, gconstpointer stream)
{
  if (device->submitters[0].stream != stream)
    device->submitters[1] = device->submitters[0];
  device->submitters[0].stream = stream;
  device->submitters[0].time = g_get_monotonic_time ();
}

void
gpu_sharing_forget (GpuDevice * device, gconstpointer stream)
{
  g_mutex_lock (&device->queue_lock);
  if (device->submitters[1].stream == stream)
    device->submitters[1].stream = NULL;
  if (device->submitters[0].stream == stream) {
    device->submitters[0] = device->submitters[1];
    device->submitters[1].stream = NULL;
  }
  g_mutex_unlock (&device->queue_lock);
}

gboolean
gpu_sharing_is_shared (GpuDevice * device, gconstpointer stream)
{
  gint64 since = g_get_monotonic_time () - SHARING_US;
  gboolean is_shared = FALSE;

  g_mutex_lock (&device->queue_lock);
  for (guint i = 0; i < G_N_ELEMENTS (device->submitters); i++)
    is_shared |= device->submitters[i].stream
        && device->submitters[i].stream != stream
        && device->submitters[i].time >= since;
  g_mutex_unlock (&device->queue_lock);
  return is_shared;
}
