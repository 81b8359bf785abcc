/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells ThreadSanitizer what GLib's functions order. GLib and GStreamer are not built for it,
 * and their locks are no calls of libpthread, so it would take all that they protect for
 * races. These functions stand in front of GLib's own, for the program and all libraries
 * that it loads. This file itself is not built for ThreadSanitizer. */
#include <gst/gst.h>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

/* The program must export them. */
#pragma GCC visibility push(default)

/* The function that this one stands in front of. */
#define OWN(name) \
  ({ \
    static __typeof__ (&name) own; \
    if (!own) \
      own = dlsym (RTLD_NEXT, #name); \
    own; \
  })

/* *INDENT-OFF* */
#define ACQUIRES(name, Lock) \
  void name (Lock * lock) { OWN (name) (lock); __tsan_acquire (lock); }
#define TRIES(name, Lock) \
  gboolean name (Lock * lock) \
  { \
    gboolean is_locked = OWN (name) (lock); \
\
    if (is_locked) \
      __tsan_acquire (lock); \
    return is_locked; \
  }
#define RELEASES(name, Lock) \
  void name (Lock * lock) { __tsan_release (lock); OWN (name) (lock); }

ACQUIRES (g_mutex_lock, GMutex)
TRIES (g_mutex_trylock, GMutex)
RELEASES (g_mutex_unlock, GMutex)
ACQUIRES (g_rec_mutex_lock, GRecMutex)
TRIES (g_rec_mutex_trylock, GRecMutex)
RELEASES (g_rec_mutex_unlock, GRecMutex)
ACQUIRES (g_rw_lock_writer_lock, GRWLock)
TRIES (g_rw_lock_writer_trylock, GRWLock)
RELEASES (g_rw_lock_writer_unlock, GRWLock)
ACQUIRES (g_rw_lock_reader_lock, GRWLock)
TRIES (g_rw_lock_reader_trylock, GRWLock)
RELEASES (g_rw_lock_reader_unlock, GRWLock)
/* *INDENT-ON* */

void
g_cond_wait (GCond * cond, GMutex * mutex)
{
  __tsan_release (mutex);
  OWN (g_cond_wait) (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond * cond, GMutex * mutex, gint64 end_time)
{
  gboolean is_signalled;

  __tsan_release (mutex);
  is_signalled = OWN (g_cond_wait_until) (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return is_signalled;
}

void
g_async_queue_push (GAsyncQueue * queue, gpointer data)
{
  __tsan_release (queue);
  OWN (g_async_queue_push) (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue * queue)
{
  gpointer data = OWN (g_async_queue_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_try_pop (GAsyncQueue * queue)
{
  gpointer data = OWN (g_async_queue_try_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

#undef g_once_init_enter
#undef g_once_init_leave

gboolean
g_once_init_enter (volatile void *location)
{
  gboolean is_first = OWN (g_once_init_enter) (location);

  __tsan_acquire ((void *) location);
  return is_first;
}

void
g_once_init_leave (volatile void *location, gsize result)
{
  __tsan_release ((void *) location);
  OWN (g_once_init_leave) (location, result);
}

/* The thread that drops the last reference sees what all others did before they dropped
 * theirs. */
static void
order_with_others (gpointer object)
{
  __tsan_release (object);
  __tsan_acquire (object);
}

void
g_object_unref (gpointer object)
{
  order_with_others (object);
  OWN (g_object_unref) (object);
}

void
gst_mini_object_unref (GstMiniObject * object)
{
  order_with_others (object);
  OWN (gst_mini_object_unref) (object);
}
