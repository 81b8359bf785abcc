/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "buildqueue.h"
#include "kernelhandle.h"
#include "gpu/core/device/trace.h"

/* More threads gain little, and each needs memory for its compiler. */
#define MAX_THREADS 16

gint64 gpu_kernels_later_delay = G_USEC_PER_SEC / 2;

/* --- builds --- */

static void
build_here (GpuBuildQueue * queue, GpuKernel * kernel)
{
  g_atomic_int_set (&kernel->state, GPU_KERNEL_IN_PROGRESS);
  queue->build (kernel, queue->data);
}

static void
build_urgent (GpuBuildQueue * queue, GpuKernel * kernel)
{
  queue->n_soon++;
  build_here (queue, kernel);
  queue->n_soon--;
  queue->quiet_since = g_get_monotonic_time ();
}

/* Few threads build what is for later, so that frames hardly become slower. */
static gboolean
has_room_for_later (const GpuBuildQueue * queue)
{
  return queue->n_later < MAX (queue->max_threads / 4, 1);
}

/* From this time on, if nothing urgent is added before, and none is in progress. */
static gint64
get_time_for_later (const GpuBuildQueue * queue)
{
  return queue->quiet_since + gpu_kernels_later_delay;
}

static gboolean
may_build_later (const GpuBuildQueue * queue)
{
  return has_room_for_later (queue) && (queue->n_rushes > 0
      || (queue->n_soon == 0
          && g_get_monotonic_time () >= get_time_for_later (queue)));
}

static void
build_later (GpuBuildQueue * queue, GpuKernel * kernel)
{
  queue->n_later++;
  /* The time has come for another thread, too. */
  g_cond_signal (&queue->has_work);
  build_here (queue, kernel);
  queue->n_later--;
}

/* Builds the next kernel. FALSE: there is none for one more thread. */
static gboolean
build_next (GpuBuildQueue * queue)
{
  if (queue->soon.length > 0)
    build_urgent (queue, g_queue_pop_head (&queue->soon));
  else if (queue->later.length > 0 && may_build_later (queue))
    build_later (queue, g_queue_pop_head (&queue->later));
  else
    return FALSE;
  return TRUE;
}

/* --- threads --- */

/* Or for the time of what is for later. */
static void
wait_for_work (GpuBuildQueue * queue)
{
  queue->n_idle++;
  if (queue->later.length > 0 && queue->n_soon == 0
      && has_room_for_later (queue))
    g_cond_wait_until (&queue->has_work, queue->lock,
        get_time_for_later (queue));
  else
    g_cond_wait (&queue->has_work, queue->lock);
  queue->n_idle--;
}

static gpointer
run_thread (gpointer data)
{
  GpuBuildQueue *queue = data;

  g_mutex_lock (queue->lock);
  while (!queue->is_stopped)
    if (!build_next (queue))
      wait_for_work (queue);
  g_mutex_unlock (queue->lock);
  return NULL;
}

/* Wakes a thread, or begins one more if that is allowed and possible. */
static void
call_thread (GpuBuildQueue * queue)
{
  GThread *thread;

  g_cond_signal (&queue->has_work);
  if (queue->n_idle >= queue->soon.length + queue->later.length
      || queue->n_threads - queue->n_later >= queue->max_threads)
    return;
  thread = g_thread_try_new ("gpu-build", run_thread, queue, NULL);
  if (!thread)
    return;
  queue->threads = g_slist_prepend (queue->threads, thread);
  queue->n_threads++;
}

static void
join (gpointer thread)
{
  g_thread_join (thread);
}

static void
end_threads (GpuBuildQueue * queue)
{
  gint64 begin = gpu_trace_begin ();

  g_mutex_lock (queue->lock);
  queue->is_stopped = TRUE;
  g_cond_broadcast (&queue->has_work);
  g_mutex_unlock (queue->lock);
  g_slist_free_full (queue->threads, join);
  gpu_trace_end (begin, "wait",
      "the device is closed: builds in progress must end first", "builds");
}

/* --- lifetime --- */

void
gpu_build_queue_init (GpuBuildQueue * queue, GMutex * lock, GpuBuild build,
    gpointer data)
{
  *queue = (GpuBuildQueue) {
  .lock = lock,.build = build,.data = data,.max_threads =
        MIN (g_get_num_processors (), MAX_THREADS),};
  g_cond_init (&queue->has_work);
}

void
gpu_build_queue_clear (GpuBuildQueue * queue)
{
  end_threads (queue);
  g_queue_clear (&queue->soon);
  g_queue_clear (&queue->later);
  g_cond_clear (&queue->has_work);
}

/* --- kernels that wait --- */

void
gpu_build_queue_add (GpuBuildQueue * queue, GpuKernel * kernel,
    GpuKernelUrgency urgency)
{
  if (urgency == GPU_KERNEL_SOON)
    queue->quiet_since = g_get_monotonic_time ();
  g_queue_push_tail (urgency == GPU_KERNEL_SOON ? &queue->soon : &queue->later,
      kernel);
  call_thread (queue);
}

void
gpu_build_queue_promote (GpuBuildQueue * queue, GpuKernel * kernel)
{
  g_queue_remove (&queue->later, kernel);
  gpu_build_queue_add (queue, kernel, GPU_KERNEL_SOON);
}

void
gpu_build_queue_hurry (GpuBuildQueue * queue, GpuKernel * kernel)
{
  g_queue_remove (&queue->soon, kernel);
  if (queue->n_threads == 0)
    build_urgent (queue, kernel);
  else
    g_queue_push_head (&queue->soon, kernel);
}

void
gpu_build_queue_rush (GpuBuildQueue * queue)
{
  queue->n_rushes++;
  g_cond_broadcast (&queue->has_work);
}

void
gpu_build_queue_end_rush (GpuBuildQueue * queue)
{
  queue->n_rushes--;
}

gboolean
gpu_build_queue_help (GpuBuildQueue * queue)
{
  return queue->n_threads == 0 && build_next (queue);
}
