/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that share the copy of a frame: gst_gpu_parts_run(). */
#include <dlfcn.h>
#include <errno.h>
#include <gmodule.h>
#include <pthread.h>
#include "gst/memory/gstgpuframe.h"

#define MOST_PARTS 4

static guint n_processors = MOST_PARTS;
static gint refuses;            /* atomic; whether threads are refused */
static gint refused;            /* atomic; how many were */

/* The program's own functions come before those of libraries. */
guint
g_get_num_processors (void)
{
  return n_processors;
}

G_MODULE_EXPORT int pthread_create (pthread_t * thread,
    const pthread_attr_t * attributes, void *(*begin) (void *), void *data);

int
pthread_create (pthread_t * thread, const pthread_attr_t * attributes,
    void *(*begin) (void *), void *data)
{
  union
  {
    void *symbol;
    int (*function) (pthread_t *, const pthread_attr_t *, void *(*)(void *),
        void *);
  } real;

  if (g_atomic_int_get (&refuses)) {
    g_atomic_int_inc (&refused);
    return EAGAIN;
  }
  real.symbol = dlsym (RTLD_NEXT, "pthread_create");
  return real.function (thread, attributes, begin, data);
}

/* --- copies --- */

#define SIZE 100003

typedef struct
{
  guint8 *to;
  const guint8 *from;
  gint begun[MOST_PARTS];       /* atomic; how often each part was */
} Copy;

static void
copy_part (guint i, guint n, gpointer data)
{
  Copy *copy = data;

  g_assert_cmpuint (n, ==, MIN (n_processors, MOST_PARTS));
  g_assert_cmpuint (i, <, n);
  g_atomic_int_inc (&copy->begun[i]);
  for (gsize k = (gsize) SIZE * i / n; k < (gsize) SIZE * (i + 1) / n; k++)
    copy->to[k] = copy->from[k];
}

/* Each part is done once, before the call returns. */
static void
check_copy (guint8 seed)
{
  g_autofree guint8 *from = g_malloc (SIZE), *to = g_malloc0 (SIZE);
  Copy copy = { to, from };

  for (gsize k = 0; k < SIZE; k++)
    from[k] = 1 + (seed + k * 7) % 255;
  gst_gpu_parts_run (copy_part, &copy);
  g_assert_cmpmem (to, SIZE, from, SIZE);
  for (guint i = 0; i < MOST_PARTS; i++)
    g_assert_cmpint (g_atomic_int_get (&copy.begun[i]), ==, i < n_processors);
}

static void
do_nothing (gpointer task, gpointer unused)
{
}

/* Without other threads the caller does all. Jobs that wait for threads do not pile up,
 * and threads that come at last find them done: they help in the tests below. First of all
 * tests, as there is no thread yet. */
static void
test_no_threads (void)
{
  /* GLib's own thread, which starts the others, is there. */
  GThreadPool *pool = g_thread_pool_new (do_nothing, NULL, 1, FALSE, NULL);

  g_atomic_int_set (&refuses, TRUE);
  for (guint i = 0; i < 100; i++)
    check_copy (i);
  g_atomic_int_set (&refuses, FALSE);
  g_assert_cmpint (g_atomic_int_get (&refused), >, 0);
  g_assert_cmpint (g_atomic_int_get (&refused), <, 100 * (MOST_PARTS - 1));
  check_copy (100);
  g_thread_pool_free (pool, FALSE, TRUE);
}

static void
test_processors (void)
{
  for (n_processors = 1; n_processors < 3 * MOST_PARTS; n_processors++)
    for (guint i = 0; i < 10; i++)
      check_copy (i);
  n_processors = MOST_PARTS;
}

/* --- threads --- */

typedef struct
{
  GMutex lock;
  GCond all_are_here;
  guint here, most;             /* threads, now and the most so far */
} Meeting;

/* Waits until each part has a thread, for some time. */
static void
meet (guint i, guint n, gpointer data)
{
  Meeting *meeting = data;
  gint64 end = g_get_monotonic_time () + G_TIME_SPAN_SECOND / 10;

  g_mutex_lock (&meeting->lock);
  meeting->here++;
  meeting->most = MAX (meeting->most, meeting->here);
  if (meeting->most == n)
    g_cond_broadcast (&meeting->all_are_here);
  while (meeting->most < n
      && g_cond_wait_until (&meeting->all_are_here, &meeting->lock, end))
    continue;
  meeting->here--;
  g_mutex_unlock (&meeting->lock);
}

static gboolean
all_meet (void)
{
  Meeting meeting = { 0 };

  gst_gpu_parts_run (meet, &meeting);
  g_mutex_clear (&meeting.lock);
  g_cond_clear (&meeting.all_are_here);
  return meeting.most == MOST_PARTS;
}

/* On a busy machine, jobs of the tests before may still wait in the queue for threads to find
 * them done. While these are many, gst_gpu_parts_run() does not add the new job. */
static void
test_side_by_side (void)
{
  gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  for (guint i = 0; i < 20; i++)
    while (!all_meet ())
      g_assert_cmpint (g_get_monotonic_time (), <, end);
}

static gpointer
call_often (gpointer seed)
{
  for (guint i = 0; i < 50; i++)
    check_copy (GPOINTER_TO_UINT (seed) + i);
  return NULL;
}

/* As of several elements at a time. */
static void
test_callers (void)
{
  GThread *callers[2 * MOST_PARTS];

  for (guint i = 0; i < G_N_ELEMENTS (callers); i++)
    callers[i] = g_thread_new ("caller", call_often, GUINT_TO_POINTER (50 * i));
  for (guint i = 0; i < G_N_ELEMENTS (callers); i++)
    g_thread_join (callers[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/copy-parts/no-threads", test_no_threads);
  g_test_add_func ("/copy-parts/processors", test_processors);
  g_test_add_func ("/copy-parts/side-by-side", test_side_by_side);
  g_test_add_func ("/copy-parts/callers", test_callers);
  return g_test_run ();
}
