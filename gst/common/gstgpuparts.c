/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpuparts.h"

/* Of copies, four use most of the memory's bandwidth; decoders need cores, too. */
#define MOST_THREADS 4

/* Most jobs that wait for a thread, as several elements copy at a time. If no thread comes,
 * they must not pile up. */
#define MOST_WAITING 16

/* Threads that come late may have it when gst_gpu_parts_run() has returned. */
typedef struct
{
  GstGpuPart part;
  gpointer data;
  guint n;
  gint next;                    /* atomic; number of parts that were begun, or more */

  GMutex lock;
  GCond is_done;
  guint done;
} Job;

static void
clear_job (gpointer data)
{
  Job *job = data;

  g_mutex_clear (&job->lock);
  g_cond_clear (&job->is_done);
}

static void
do_parts (Job * job)
{
  guint i;

  while ((i = g_atomic_int_add (&job->next, 1)) < job->n) {
    job->part (i, job->n, job->data);
    g_mutex_lock (&job->lock);
    if (++job->done == job->n)
      g_cond_signal (&job->is_done);
    g_mutex_unlock (&job->lock);
  }
}

static void
help (gpointer job, gpointer unused)
{
  do_parts (job);
  g_atomic_rc_box_release_full (job, clear_job);
}

/* @max_threads: how many help. */
static gpointer
make_helpers (gpointer max_threads)
{
  return g_thread_pool_new (help, NULL, GPOINTER_TO_INT (max_threads), FALSE,
      NULL);
}

static void
ask_for_help (GThreadPool * helpers, Job * job)
{
  guint n = 1;

  for (; n < job->n && g_thread_pool_unprocessed (helpers) < MOST_WAITING; n++)
    g_thread_pool_push (helpers, g_atomic_rc_box_acquire (job), NULL);
  /* If threads could not be started, nothing but this and a push starts them later. */
  if (n < job->n)
    g_thread_pool_set_max_threads (helpers,
        g_thread_pool_get_max_threads (helpers), NULL);
}

void
gst_gpu_parts_run (GstGpuPart part, gpointer data)
{
  static GOnce once = G_ONCE_INIT;
  guint n = MIN (g_get_num_processors (), MOST_THREADS);
  GThreadPool *helpers;
  Job *job;

  if (n == 1) {
    part (0, 1, data);
    return;
  }
  helpers = g_once (&once, make_helpers, GINT_TO_POINTER (n - 1));
  job = g_atomic_rc_box_new0 (Job);
  job->part = part;
  job->data = data;
  job->n = n;
  g_mutex_init (&job->lock);
  g_cond_init (&job->is_done);
  ask_for_help (helpers, job);
  do_parts (job);
  g_mutex_lock (&job->lock);
  while (job->done < n)
    g_cond_wait (&job->is_done, &job->lock);
  g_mutex_unlock (&job->lock);
  g_atomic_rc_box_release_full (job, clear_job);
}
