/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "process.h"

#include <pthread.h>

#define LOOK_US 1000            /* interval at which the end checks for threads inside */

enum
{
  OPEN,
  FORKED,
  ENDING,
};

static gint state;              /* atomic, like the next two */
static gint inside;             /* number of entries not yet left */
static gint is_used;            /* an instance was created */

/* Runs in the child. If a thread of the parent was inside, the child must not use Vulkan
 * either: the locks of that thread are never released. */
static void
close_in_child (void)
{
  if (g_atomic_int_get (&is_used) || g_atomic_int_get (&inside) > 0)
    g_atomic_int_set (&state, FORKED);
}

void
gpu_process_watch_forks (void)
{
  static gsize is_watching;

  if (g_once_init_enter (&is_watching)) {
    pthread_atfork (NULL, NULL, close_in_child);
    g_once_init_leave (&is_watching, TRUE);
  }
}

void
gpu_process_note_use (void)
{
  g_atomic_int_set (&is_used, TRUE);
}

gboolean
gpu_process_is_over (void)
{
  return g_atomic_int_get (&state) != OPEN;
}

gboolean
gpu_process_check (GError ** error)
{
  switch (g_atomic_int_get (&state)) {
    case OPEN:
      return TRUE;
    case FORKED:
      g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
          "this process was forked from one that had used Vulkan, and so cannot "
          "use it; fork before GStreamer opens a device, or let the child "
          "start a program of its own (exec)");
      return FALSE;
    default:
      g_set_error_literal (error, GPU_ERROR, GPU_ERROR_CANCELLED,
          "the process is ending");
      return FALSE;
  }
}

/* Increments the count before it checks the state. So either gpu_process_close_at_end() sees
 * the count, or this thread sees the new state. */
gboolean
gpu_process_enter (GError ** error)
{
  g_atomic_int_inc (&inside);
  if (gpu_process_check (error))
    return TRUE;
  gpu_process_leave ();
  return FALSE;
}

void
gpu_process_leave (void)
{
  g_atomic_int_add (&inside, -1);
}

gboolean
gpu_process_close_at_end (gint64 deadline)
{
  if (!g_atomic_int_compare_and_exchange (&state, OPEN, ENDING))
    return FALSE;
  while (g_atomic_int_get (&inside) > 0 && g_get_monotonic_time () < deadline)
    g_usleep (LOOK_US);
  return g_atomic_int_get (&inside) <= 0;
}
