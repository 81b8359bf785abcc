/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which kernels threads build, and which they do not. Nothing is built here. */
#include "gpu/core/kernel/buildqueue.h"
#include "gpu/core/kernel/kernelhandle.h"
#include "tests.h"
#ifdef __linux__
#include <sys/resource.h>
#endif

#define N_KERNELS 50
#define MAX_THREADS 8
#define MAX_LATER (MAX_THREADS / 4)

typedef struct
{
  GMutex lock;
  GpuBuildQueue queue;
  GpuKernel kernels[N_KERNELS];
  guint n_begun;
  int priorities[N_KERNELS];    /* of the threads that built the kernels */
  gboolean is_held;             /* builds that have begun do not end, unless the queue is
                                   cleared */
} Fixture;

static void
let_go (Fixture * fixture)
{
  g_mutex_unlock (&fixture->lock);
  g_usleep (1000);
  g_mutex_lock (&fixture->lock);
}

/* Returns that of this thread; a greater number is a lower priority. */
static int
get_priority (void)
{
#ifdef __linux__
  return getpriority (PRIO_PROCESS, 0);
#else
  return 0;
#endif
}

/* The lock is held, as in the functions of the queue. */
static void
build (GpuKernel * kernel, GpuKernelUrgency urgency, gpointer data)
{
  Fixture *fixture = data;

  g_assert_cmpint (kernel->state, ==, GPU_KERNEL_IN_PROGRESS);
  g_assert_cmpuint (fixture->queue.later.n_building, <=, MAX_LATER);
  fixture->priorities[kernel - fixture->kernels] = get_priority ();
  fixture->n_begun++;
  while (fixture->is_held && !fixture->queue.is_stopped)
    let_go (fixture);
  kernel->state = GPU_KERNEL_BUILT;
}

static void
fixture_init (Fixture * fixture, gboolean is_held)
{
  *fixture = (Fixture) {.is_held = is_held};
  gpu_build_queue_init (&fixture->queue, &fixture->lock, build, fixture);
  fixture->queue.soon.max_threads = MAX_THREADS;
  fixture->queue.later.max_threads = MAX_LATER;
  gpu_kernels_later_delay = 0;
}

static void
add (Fixture * fixture, guint first, guint n, GpuKernelUrgency urgency)
{
  g_mutex_lock (&fixture->lock);
  for (guint i = 0; i < n; i++)
    gpu_build_queue_add (&fixture->queue, &fixture->kernels[first + i],
        urgency);
  g_mutex_unlock (&fixture->lock);
}

/* Waits until @n builds have begun. */
static void
wait_for (Fixture * fixture, guint n)
{
  g_mutex_lock (&fixture->lock);
  while (fixture->n_begun < n)
    let_go (fixture);
  g_mutex_unlock (&fixture->lock);
}

/* Returns how many kernels are built. */
static guint
close_queue (Fixture * fixture)
{
  guint n = 0;

  gpu_build_queue_clear (&fixture->queue);
  for (guint i = 0; i < N_KERNELS; i++)
    n += fixture->kernels[i].state == GPU_KERNEL_BUILT;
  return n;
}

/* What has begun ends, and what waits is dropped. */
TEST (closed)
{
  Fixture fixture;

  fixture_init (&fixture, TRUE);
  add (&fixture, 0, N_KERNELS, GPU_KERNEL_SOON);
  wait_for (&fixture, MAX_THREADS);
  g_assert_cmpuint (close_queue (&fixture), ==, MAX_THREADS);
}

/* Few threads build what is for later, at a lower priority, and others what is urgent. */
TEST (few_for_later)
{
  Fixture fixture;

  fixture_init (&fixture, TRUE);
  add (&fixture, 0, N_KERNELS / 2, GPU_KERNEL_LATER);
  wait_for (&fixture, MAX_LATER);
  add (&fixture, N_KERNELS / 2, N_KERNELS / 2, GPU_KERNEL_SOON);
  wait_for (&fixture, MAX_LATER + MAX_THREADS);
  g_assert_cmpuint (close_queue (&fixture), ==, MAX_LATER + MAX_THREADS);
  for (guint i = 0; i < MAX_LATER; i++) {
    g_assert_cmpint (fixture.kernels[i].state, ==, GPU_KERNEL_BUILT);
#ifdef __linux__
    g_assert_cmpint (fixture.priorities[i], ==, MIN (get_priority ()
            + GPU_BUILD_LATER_NICE, 19));
#endif
  }
  for (guint i = 0; i < MAX_THREADS; i++)
    g_assert_cmpint (fixture.priorities[N_KERNELS / 2 + i], ==,
        get_priority ());
}

/* While something urgent is built, nothing for later begins, although threads are idle. */
TEST (urgent_alone)
{
  Fixture fixture;

  fixture_init (&fixture, TRUE);
  add (&fixture, 0, 1, GPU_KERNEL_SOON);
  wait_for (&fixture, 1);
  add (&fixture, 1, 1, GPU_KERNEL_LATER);
  g_mutex_lock (&fixture.lock);
  while (fixture.queue.later.n_idle == 0) {
    g_assert_cmpuint (fixture.n_begun, ==, 1);
    let_go (&fixture);
  }
  fixture.is_held = FALSE;
  g_mutex_unlock (&fixture.lock);
  wait_for (&fixture, 2);
  g_assert_cmpuint (close_queue (&fixture), ==, 2);
}

/* Behind the last that was urgent, what is for later waits, unless somebody waits for it: then
 * it is built as if it were urgent, as is what comes meanwhile. A thread that finds work does
 * not release the lock before it begins. */
TEST (quiet)
{
  Fixture fixture;

  fixture_init (&fixture, FALSE);
  gpu_kernels_later_delay = G_TIME_SPAN_DAY;
  add (&fixture, 0, 1, GPU_KERNEL_LATER);
  add (&fixture, 1, 1, GPU_KERNEL_SOON);
  wait_for (&fixture, 1);
  g_assert_cmpint (fixture.kernels[1].state, ==, GPU_KERNEL_BUILT);
  g_assert_cmpint (fixture.kernels[0].state, ==, GPU_KERNEL_WAITING);
  g_mutex_lock (&fixture.lock);
  gpu_build_queue_rush (&fixture.queue);
  g_mutex_unlock (&fixture.lock);
  add (&fixture, 2, 1, GPU_KERNEL_LATER);
  wait_for (&fixture, 3);
  g_assert_cmpint (fixture.priorities[0], ==, get_priority ());
  g_assert_cmpint (fixture.priorities[2], ==, get_priority ());
  g_mutex_lock (&fixture.lock);
  gpu_build_queue_end_rush (&fixture.queue);
  g_mutex_unlock (&fixture.lock);
  add (&fixture, 3, 1, GPU_KERNEL_LATER);
  g_assert_cmpuint (close_queue (&fixture), ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/build-queue/", g_test_add_func);
  return g_test_run ();
}
