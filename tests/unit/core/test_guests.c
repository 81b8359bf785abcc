/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a recording waits for and signals, and what of others it keeps, on a device that was
 * adopted. */
#include "affine.h"
#include "foreign_fixture.h"
#include "gpu/core/stream/images.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "tests.h"

/* --- semaphores --- */

#define FOREVER 60000           /* ms, of the device; what is waited for comes earlier */
#define MOST (GPU_MAX_SEMAPHORES - 1)

/* The recording at hand runs once @gate is at 1. */
static void
wait_for_gate (GpuStream * stream, VkSemaphore gate)
{
  gpu_stream_wait_for_semaphore (stream, gate, 1);
}

typedef struct
{
  VkSemaphore waits[MOST], signals[MOST];
} Semaphores;

/* One value too small, at last, is not enough. */
static gpointer
signal_one_by_one (gpointer data)
{
  const Semaphores *semaphores = data;

  for (guint i = 0; i < MOST - 1; i++)
    theirs_signal (semaphores->waits[i], 2 + i);
  theirs_signal (semaphores->waits[MOST - 1], MOST);
  g_assert_false (theirs_reaches (semaphores->signals[0], 20, 50));
  g_assert_cmpuint (host_word (&the_fixture, 0), ==, 0);
  theirs_signal (semaphores->waits[MOST - 1], MOST + 1);
  return NULL;
}

/* As many as there may be: the work waits for all of them, and for these values, and signals
 * when it is done. (Under GPU-assisted validation the submission itself waits.) */
TEST (semaphores)
{
  Fixture *fixture = theirs_setup (1);
  Semaphores semaphores;
  GThread *signaller;

  begin (fixture->stream);
  record_step (fixture, fixture->stream, 5, 0);
  for (guint i = 0; i < MOST; i++) {
    semaphores.waits[i] = theirs_new_semaphore ();
    semaphores.signals[i] = theirs_new_semaphore ();
    gpu_stream_wait_for_semaphore (fixture->stream, semaphores.waits[i], 2 + i);
    gpu_stream_signal_semaphore (fixture->stream, semaphores.signals[i],
        20 + i);
  }
  signaller = g_thread_new ("signals", signal_one_by_one, &semaphores);
  submit (fixture->stream, NULL);
  g_assert_true (theirs_reaches (semaphores.signals[0], 20, FOREVER));
  g_assert_cmpuint (host_word (fixture, 0), ==, affine_step (0, 5));
  for (guint i = 0; i < MOST; i++) {
    g_assert_true (theirs_reaches (semaphores.signals[i], 20 + i, FOREVER));
    g_assert_cmpuint (theirs_get_value (semaphores.signals[i]), ==, 20 + i);
  }
  g_thread_join (signaller);
  theirs_teardown (fixture);
}

/* What an abandoned recording was to wait for and signal is no later one's. */
TEST (abandoned_semaphores)
{
  Fixture *fixture = theirs_setup (1);
  VkSemaphore gate = theirs_new_semaphore (), done = theirs_new_semaphore ();

  begin (fixture->stream);
  wait_for_gate (fixture->stream, gate);
  gpu_stream_signal_semaphore (fixture->stream, done, 1);
  gpu_stream_abandon (fixture->stream);
  do_step (fixture, 5, 0, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, affine_step (0, 5));
  g_assert_cmpuint (theirs_get_value (done), ==, 0);
  theirs_teardown (fixture);
}

/* Of every submission: for how many semaphores it waits, and how many it signals. */
static GString *chain;

static VkResult VKAPI_CALL
see_semaphores (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  g_string_append_printf (chain, "%u-%u ", infos->waitSemaphoreCount,
      infos->signalSemaphoreCount);
  return gpu_hooks_get_driver ()->vkQueueSubmit (queue, n, infos, fence);
}

typedef struct
{
  VkSemaphore gate, done;
  guint seen;
} Parts;

/* The first part has waited, and nothing is signalled before the last. */
static void
see_part (guint n, gpointer data)
{
  Parts *parts = data;

  g_assert_cmpuint (theirs_get_value (parts->gate), ==, 1);
  g_assert_cmpuint (theirs_get_value (parts->done), ==, 0);
  parts->seen++;
}

/* A frame in two submissions. */
TEST (parts)
{
  Fixture *fixture = theirs_setup (1);
  GpuStream *stream = fixture->stream;
  Parts parts = { theirs_new_semaphore (), theirs_new_semaphore (), 0 };

  chain = g_string_new (NULL);
  fixture->device->vk.vkQueueSubmit = see_semaphores;
  gpu_stream_set_hooks (stream, &(GpuStreamHooks) {.on_part = see_part,
    .data = &parts});
  begin (stream);
  wait_for_gate (stream, parts.gate);
  record_step (fixture, stream, 5, 0);
  theirs_signal_later (parts.gate, 1);
  OK (gpu_stream_go_on (stream, &error));
  record_step (fixture, stream, 6, 1);
  gpu_stream_signal_semaphore (stream, parts.done, 3);
  submit (stream, NULL);
  g_assert_true (theirs_reaches (parts.done, 3, FOREVER));
  g_assert_cmpuint (host_word (fixture, 1), ==,
      affine_step (affine_step (0, 5), 6));
  g_assert_cmpuint (parts.seen, ==, 1);
  do_step (fixture, 7, 2, NULL);
  g_assert_cmpstr (chain->str, ==, "1-0 0-1 0-0 ");
  g_string_free (chain, TRUE);
  theirs_teardown (fixture);
}

/* --- guests --- */

typedef struct
{
  GpuStream *stream;            /* may be about to end */
  VkSemaphore gate;             /* of the work, or NULL */
  guint submitted, released;
} Guest;

static void
see_submitted (gpointer object)
{
  Guest *guest = object;

  g_assert_cmpuint (guest->released, ==, 0);
  guest->submitted++;
}

/* They may ask the stream, whose lock nobody holds. */
static void
see_released (gpointer object)
{
  Guest *guest = object;
  GpuStreamCounts counts;

  g_assert_true (g_mutex_trylock (&guest->stream->lock));
  g_mutex_unlock (&guest->stream->lock);
  gpu_stream_get_counts (guest->stream, &counts);
  if (guest->gate)
    g_assert_cmpuint (theirs_get_value (guest->gate), ==, 1);
  guest->released++;
}

static void
keep (GpuStream * stream, Guest * guest)
{
  guest->stream = stream;
  gpu_stream_keep (stream, guest, see_submitted, see_released);
}

/* Begins a recording with work that waits for the gate of @guest, if it has one. */
static void
begin_with_guest (Fixture * fixture, Guest * guest)
{
  begin (fixture->stream);
  if (guest->gate)
    wait_for_gate (fixture->stream, guest->gate);
  keep (fixture->stream, guest);
  record_step (fixture, fixture->stream, 1, 0);
}

static void
assert_guest (const Guest * guest, guint submitted, guint released)
{
  g_assert_cmpuint (guest->submitted, ==, submitted);
  g_assert_cmpuint (guest->released, ==, released);
}

/* With and without a function that is told of the submission. */
TEST (done)
{
  Fixture *fixture = theirs_setup (2);
  Guest guest = {.gate = theirs_new_semaphore ()}, silent = { 0 };

  begin_with_guest (fixture, &guest);
  silent.stream = fixture->stream;
  gpu_stream_keep (fixture->stream, &silent, NULL, see_released);
  assert_guest (&guest, 0, 0);
  theirs_signal_later (guest.gate, 1);
  submit (fixture->stream, NULL);
  assert_guest (&guest, 1, 0);
  wait_idle (fixture->stream);
  assert_guest (&guest, 1, 1);
  assert_guest (&silent, 0, 1);
  do_step (fixture, 1, 0, NULL);
  theirs_teardown (fixture);
  assert_guest (&guest, 1, 1);
  assert_guest (&silent, 0, 1);
}

/* Nobody waits for the work: its slot is needed again, or its ticket is asked. */
TEST (unawaited)
{
  Fixture *fixture = theirs_setup (1);
  Guest guests[2] = { {0} };
  g_auto (GpuTicket) ticket = { NULL };

  begin_with_guest (fixture, &guests[0]);
  submit (fixture->stream, NULL);
  begin_with_guest (fixture, &guests[1]);
  assert_guest (&guests[0], 1, 1);
  submit (fixture->stream, &ticket);
  while (!gpu_ticket_is_done (&ticket))
    g_usleep (100);
  assert_guest (&guests[1], 1, 1);
  gpu_ticket_clear (&ticket);
  theirs_teardown (fixture);
  assert_guest (&guests[0], 1, 1);
  assert_guest (&guests[1], 1, 1);
}

GPU_HOOK_RETURNS (refuse_submit, VK_ERROR_OUT_OF_HOST_MEMORY, VkQueue queue,
    uint32_t n, const VkSubmitInfo * infos, VkFence fence);

static void
fail (GpuStream * stream)
{
  gpu_stream_fail (stream, g_error_new (GPU_ERROR, GPU_ERROR_FAILED,
          "of the test"));
}

/* Nothing is submitted: the recording is abandoned, or had failed before or after a guest
 * came, or the driver refuses it. */
TEST (in_vain)
{
  Fixture *fixture = theirs_setup (1);
  GpuStream *stream = fixture->stream;
  Guest guests[4] = { {0} };
  PFN_vkQueueSubmit submit_to_driver = fixture->device->vk.vkQueueSubmit;

  begin_with_guest (fixture, &guests[0]);
  gpu_stream_abandon (stream);
  assert_guest (&guests[0], 0, 1);

  begin (stream);
  fail (stream);
  keep (stream, &guests[1]);
  assert_guest (&guests[1], 0, 1);
  FAILS (GPU_ERROR_FAILED, gpu_stream_submit (stream, NULL, &error));

  begin_with_guest (fixture, &guests[2]);
  fail (stream);
  FAILS (GPU_ERROR_FAILED, gpu_stream_submit (stream, NULL, &error));
  assert_guest (&guests[2], 0, 1);

  begin_with_guest (fixture, &guests[3]);
  fixture->device->vk.vkQueueSubmit = refuse_submit;
  FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_stream_submit (stream, NULL, &error));
  fixture->device->vk.vkQueueSubmit = submit_to_driver;

  do_step (fixture, 1, 0, NULL);
  wait_idle (stream);
  theirs_teardown (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (guests); i++)
    assert_guest (&guests[i], 0, 1);
}

/* Nobody waits in vain for the fence of a device that is lost. */
static VkResult VKAPI_CALL
lose_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  gpu_hooks_get_driver ()->vkQueueSubmit (queue, 0, NULL, fence);
  return VK_ERROR_DEVICE_LOST;
}

/* The device may have begun the work, so a guest stays until the stream ends. */
TEST (lost)
{
  Fixture *fixture = theirs_setup (1);
  Guest guest = { 0 };

  begin_with_guest (fixture, &guest);
  fixture->device->vk.vkQueueSubmit = lose_submit;
  FAILS (GPU_ERROR_LOST, gpu_stream_submit (fixture->stream, NULL, &error));
  assert_guest (&guest, 0, 0);
  theirs_teardown (fixture);
  assert_guest (&guest, 0, 1);
}

/* The stream ends while its work waits, and while it records more. */
TEST (at_the_end)
{
  Fixture *fixture = theirs_setup (2);
  Guest pending = {.gate = theirs_new_semaphore ()}, recorded = { 0 };

  begin_with_guest (fixture, &pending);
  theirs_signal_later (pending.gate, 1);
  submit (fixture->stream, NULL);
  begin_with_guest (fixture, &recorded);
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  assert_guest (&pending, 1, 1);
  assert_guest (&recorded, 0, 1);
  theirs_teardown (fixture);
  assert_guest (&pending, 1, 1);
  assert_guest (&recorded, 0, 1);
}

/* --- a thread that asks meanwhile --- */

static GpuTicket early;         /* of the recording at hand */

/* When the work is done, another thread may learn so. */
static void
be_slow (gpointer object)
{
  see_submitted (object);
  theirs_lock ();
  VULKAN (theirs.vk.vkQueueWaitIdle (theirs.queue));
  theirs_unlock ();
  gpu_ticket_is_done (&early);
}

/* No guest goes before all were told, however soon the work is done. */
TEST (told_first)
{
  Fixture *fixture = theirs_setup (2);
  Guest guests[2] = { {0} };

  begin (fixture->stream);
  gpu_stream_get_ticket (fixture->stream, &early);
  for (guint i = 0; i < 2; i++) {
    guests[i].stream = fixture->stream;
    gpu_stream_keep (fixture->stream, &guests[i], be_slow, see_released);
  }
  submit (fixture->stream, NULL);
  for (guint i = 0; i < 2; i++)
    assert_guest (&guests[i], 1, 0);
  wait_idle (fixture->stream);
  for (guint i = 0; i < 2; i++)
    assert_guest (&guests[i], 1, 1);
  gpu_ticket_clear (&early);
  theirs_teardown (fixture);
}

GPU_FIXTURE_MAIN ("/guests/", foreign_fixture_add_test)
