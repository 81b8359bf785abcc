/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "buildqueue.h"
#include "kernelhandle.h"
#include "gpu/core/device/trace.h"
#ifdef __linux__
#include <unistd.h>
#endif

/* More threads gain little, and each needs memory for its compiler. */
#define MAX_THREADS 16

gint64 gpu_kernels_later_delay = G_USEC_PER_SEC / 2;

/* --- builds --- */

/* What is for later may be built from this time on, if nothing urgent is added before. */
static gint64
get_time_for_later (const GpuBuildQueue * queue)
{
  return queue->quiet_since + gpu_kernels_later_delay;
}

static gboolean
is_quiet (const GpuBuildQueue * queue)
{
  return queue->soon.n_building == 0 && queue->soon.kernels.length == 0;
}

static gboolean
may_build (const GpuBuildCrew * crew)
{
  const GpuBuildQueue *queue = crew->queue;

  return crew->kernels.length > 0 && (crew->urgency == GPU_KERNEL_SOON
      || (is_quiet (queue)
          && g_get_monotonic_time () >= get_time_for_later (queue)));
}

static void
build_one (GpuBuildCrew * crew, GpuKernel * kernel)
{
  GpuBuildQueue *queue = crew->queue;

  crew->n_building++;
  /* The time may have come for another thread, too. */
  if (crew->kernels.length > 0)
    g_cond_signal (&crew->has_work);
  g_atomic_int_set (&kernel->state, GPU_KERNEL_IN_PROGRESS);
  queue->build (kernel, crew->urgency, queue->data);
  crew->n_building--;
  if (crew->urgency != GPU_KERNEL_SOON)
    return;
  queue->quiet_since = g_get_monotonic_time ();
  g_cond_broadcast (&queue->later.has_work);
}

/* --- threads --- */

static void
wait_for_work (GpuBuildCrew * crew)
{
  GpuBuildQueue *queue = crew->queue;

  crew->n_idle++;
  if (crew->kernels.length > 0 && is_quiet (queue))
    g_cond_wait_until (&crew->has_work, queue->lock,
        get_time_for_later (queue));
  else
    g_cond_wait (&crew->has_work, queue->lock);
  crew->n_idle--;
}

/* Frames hardly become slower then, even where they are computed by the same processors. Not the
 * lowest priority: a machine that is never idle should build, too. Linux has a priority for
 * each thread, and threads that this one begins have the same, such as those of a driver. */
static void
lower_priority (void)
{
#ifdef __linux__
  nice (GPU_BUILD_LATER_NICE);
#endif
}

static gpointer
run_thread (gpointer data)
{
  GpuBuildCrew *crew = data;
  GpuBuildQueue *queue = crew->queue;

  if (crew->urgency == GPU_KERNEL_LATER)
    lower_priority ();
  g_mutex_lock (queue->lock);
  while (!queue->is_stopped) {
    if (may_build (crew))
      build_one (crew, g_queue_pop_head (&crew->kernels));
    else
      wait_for_work (crew);
  }
  g_mutex_unlock (queue->lock);
  return NULL;
}

/* Wakes a thread, or begins one more if that is allowed and possible. */
static void
call_thread (GpuBuildCrew * crew)
{
  GThread *thread;

  g_cond_signal (&crew->has_work);
  if (crew->n_idle >= crew->kernels.length
      || crew->n_threads >= crew->max_threads)
    return;
  thread = g_thread_try_new ("gpu-build", run_thread, crew, NULL);
  if (!thread)
    return;
  crew->queue->threads = g_slist_prepend (crew->queue->threads, thread);
  crew->n_threads++;
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
  g_cond_broadcast (&queue->soon.has_work);
  g_cond_broadcast (&queue->later.has_work);
  g_mutex_unlock (queue->lock);
  g_slist_free_full (queue->threads, join);
  gpu_trace_end (begin, "wait",
      "the device is closed: builds in progress must end first", "builds");
}

/* --- lifetime --- */

static void
init_crew (GpuBuildCrew * crew, GpuBuildQueue * queue,
    GpuKernelUrgency urgency, guint max_threads)
{
  *crew = (GpuBuildCrew) {
    .queue = queue,
    .urgency = urgency,
    .max_threads = max_threads,
  };
  g_cond_init (&crew->has_work);
}

static void
clear_crew (GpuBuildCrew * crew)
{
  g_queue_clear (&crew->kernels);
  g_cond_clear (&crew->has_work);
}

void
gpu_build_queue_init (GpuBuildQueue * queue, GMutex * lock, GpuBuild build,
    gpointer data)
{
  guint max_threads = MIN (g_get_num_processors (), MAX_THREADS);

  *queue = (GpuBuildQueue) {
    .lock = lock,
    .build = build,
    .data = data,
  };
  init_crew (&queue->soon, queue, GPU_KERNEL_SOON, max_threads);
  init_crew (&queue->later, queue, GPU_KERNEL_LATER, MAX (max_threads / 4, 1));
}

void
gpu_build_queue_clear (GpuBuildQueue * queue)
{
  end_threads (queue);
  clear_crew (&queue->soon);
  clear_crew (&queue->later);
}

/* --- kernels that wait --- */

void
gpu_build_queue_add (GpuBuildQueue * queue, GpuKernel * kernel,
    GpuKernelUrgency urgency)
{
  gboolean is_soon = urgency == GPU_KERNEL_SOON || queue->n_rushes > 0;
  GpuBuildCrew *crew = is_soon ? &queue->soon : &queue->later;

  if (is_soon)
    queue->quiet_since = g_get_monotonic_time ();
  g_queue_push_tail (&crew->kernels, kernel);
  call_thread (crew);
}

void
gpu_build_queue_promote (GpuBuildQueue * queue, GpuKernel * kernel)
{
  if (g_queue_remove (&queue->later.kernels, kernel))
    gpu_build_queue_add (queue, kernel, GPU_KERNEL_SOON);
}

void
gpu_build_queue_hurry (GpuBuildQueue * queue, GpuKernel * kernel)
{
  GpuBuildCrew *crew = &queue->soon;

  g_queue_remove (&crew->kernels, kernel);
  if (crew->n_threads == 0)
    build_one (crew, kernel);
  else
    g_queue_push_head (&crew->kernels, kernel);
}

void
gpu_build_queue_rush (GpuBuildQueue * queue)
{
  queue->n_rushes++;
  while (queue->later.kernels.length > 0)
    gpu_build_queue_promote (queue, g_queue_peek_head (&queue->later.kernels));
}

void
gpu_build_queue_end_rush (GpuBuildQueue * queue)
{
  queue->n_rushes--;
}

gboolean
gpu_build_queue_help (GpuBuildQueue * queue)
{
  GpuBuildCrew *crew = &queue->soon;

  if (crew->n_threads > 0 || !may_build (crew))
    return FALSE;
  build_one (crew, g_queue_pop_head (&crew->kernels));
  return TRUE;
}
