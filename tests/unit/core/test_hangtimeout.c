/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When a device counts as hanging. Time is what the tests say; no device is used. */
#include "gpu/core/device/commands.h"
#include "tests.h"

#define LOOKS_PER_SECOND 10
/* Further threads, which are not of the test, may run at some looks. */
#define SOON (30 * LOOKS_PER_SECOND)
#define A_MINUTE (60 * LOOKS_PER_SECOND)
#define NEVER (120 * LOOKS_PER_SECOND)

static clock_t worked;

/* In place of the C library's: CPU time of this process. */
clock_t
clock (void)
{
  return worked;
}

/* Returns after how many looks @device counts as hanging, if @work is done between two of
 * them; at most NEVER. */
static guint
count_looks (GpuDeviceKind kind, clock_t work)
{
  GpuDevice device = {.info.kind = kind};
  GpuHangTimeout timeout = { 0 };
  guint looks = 1;

  while (looks < NEVER && !gpu_hang_timeout_is_over (&timeout, &device, 0)) {
    worked += work;
    looks++;
  }
  return looks;
}

TEST (idle)
{
  g_assert_cmpuint (count_looks (GPU_DEVICE_DISCRETE, 0), ==,
      10 * LOOKS_PER_SECOND);
  g_assert_cmpuint (count_looks (GPU_DEVICE_CPU, 0), <=, SOON);
}

/* A CPU device has a minute of CPU time, and at least a minute. */
TEST (busy)
{
  g_assert_cmpuint (count_looks (GPU_DEVICE_DISCRETE, CLOCKS_PER_SEC), ==,
      10 * LOOKS_PER_SECOND);
  g_assert_cmpuint (count_looks (GPU_DEVICE_CPU, CLOCKS_PER_SEC), ==, A_MINUTE);
  g_assert_cmpuint (count_looks (GPU_DEVICE_CPU, CLOCKS_PER_SEC / 20), ==,
      NEVER);
}

static gpointer
run (gpointer stops)
{
  while (!g_atomic_int_get ((gint *) stops));
  return NULL;
}

/* A thread that is runnable, but gets no CPU time. */
TEST (starved)
{
#ifdef __linux__
  gint stops = FALSE;
  GThread *thread = g_thread_new ("starved", run, &stops);
  const guint looks = count_looks (GPU_DEVICE_CPU, 0);

  g_atomic_int_set (&stops, TRUE);
  g_thread_join (thread);
  g_assert_cmpuint (looks, ==, NEVER);
#else
  g_test_skip ("only Linux says which threads are runnable");
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/hangtimeout/", g_test_add_func);
  return g_test_run ();
}
