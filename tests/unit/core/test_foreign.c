/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices of others: which GpuDevice is theirs, who keeps it, and the lock of its queue. */
#include "affine.h"
#include "foreign_fixture.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "tests.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than any device has. */
static const GpuNeeds too_much = {.buffers = GPU_MAX_BINDINGS + 1};

/* --- whose it is --- */

static void VKAPI_CALL
refuse_to_destroy (VkDevice device, const VkAllocationCallbacks * allocator)
{
  g_assert_not_reached ();
}

/* Kernels run on it, and it keeps nothing of what a stream made. */
static void
check_work (GpuDevice * device)
{
  Fixture *fixture = setup_on (gpu_device_ref (device), 1);

  do_step (fixture, 7, 0, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, affine_step (0, 7));
  teardown (fixture);
  gpu_hooks_remove (device);
}

/* Their VkDevice outlives the GpuDevice, and can have another one. */
TEST (adopt)
{
  for (guint i = 0; i < 2; i++) {
    Owner owner = { 0 };
    GpuDevice *device = theirs_adopt (&owner);

    device->vk.vkDestroyDevice = refuse_to_destroy;
    g_assert_true (gpu_device_get_adopted (device)->device == theirs.device);
    g_assert_cmpstr (gpu_device_get_info (device)->uuid, ==,
        gpu_device_get_info (gpu_fixture_device ())->uuid);
    check_work (device);
    g_assert_cmpuint (owner.released, ==, 0);
    gpu_device_unref (device);
    g_assert_cmpuint (owner.released, ==, 1);
  }
}

/* Whoever opens a device shares nothing with them. */
TEST (apart)
{
  Owner owner = { 0 };
  GpuDevice *device = theirs_adopt (&owner);
  GpuDevice *others[] = {
    OK (gpu_device_open (gpu_device_get_info (device)->uuid, NULL, &error)),
    OK (gpu_device_open_own (gpu_device_get_info (device)->uuid, NULL, &error)),
    OK (gpu_device_open_again (device, &error)),
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_assert_true (others[i] != device);
    g_assert_true (others[i]->device != theirs.device);
    g_assert_null (gpu_device_get_adopted (others[i]));
    gpu_device_unref (others[i]);
  }
  g_assert_cmpuint (owner.released, ==, 0);
  gpu_device_unref (device);
  g_assert_cmpuint (owner.released, ==, 1);
}

/* Adopts one more device of theirs, which is none of the first. */
static void
check_another (GpuDevice * first)
{
  Owner owner = { 0 };
  GpuForeignDevice foreign = theirs_describe (&owner);
  GpuDevice *device;

  foreign.device = theirs_new_device (&foreign.queue);
  device = OK (gpu_device_adopt (&foreign, NULL, &error));
  g_assert_true (device != first);
  g_assert_true (gpu_device_get_adopted (device)->device == foreign.device);
  check_work (device);
  gpu_device_unref (device);
  g_assert_cmpuint (owner.released, ==, 1);
  theirs_destroy_device (foreign.device);
}

/* One owner is enough, so the second is let go at once. */
TEST (twice)
{
  Owner owners[3] = { {0} };
  GpuDevice *device = theirs_adopt (&owners[0]);
  const GpuForeignDevice refused = theirs_describe (&owners[2]);

  g_assert_true (theirs_adopt (&owners[1]) == device);
  g_assert_cmpuint (owners[1].released, ==, 1);
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_device_adopt (&refused, &too_much, &error));
  g_assert_cmpuint (owners[2].released, ==, 1);
  check_another (device);
  gpu_device_unref (device);
  check_work (device);
  g_assert_cmpuint (owners[0].released, ==, 0);
  gpu_device_unref (device);
  g_assert_cmpuint (owners[0].released, ==, 1);
  g_assert_cmpuint (owners[1].released, ==, 1);
}

/* --- failures --- */

static void (*edit_next) (GpuDevice * device);  /* what gpu_device_edit was */

GPU_HOOK_RETURNS (lose_submit, VK_ERROR_DEVICE_LOST, VkQueue queue, uint32_t n,
    const VkSubmitInfo * infos, VkFence fence);

static void
lose (GpuDevice * device)
{
  if (edit_next)
    edit_next (device);
  device->vk.vkQueueSubmit = lose_submit;
}

static void
check_refused (const GpuNeeds * needs, gint code)
{
  Owner owner = { 0 };
  GpuForeignDevice foreign = theirs_describe (&owner);

  FAILS (code, gpu_device_adopt (&foreign, needs, &error));
  g_assert_cmpuint (owner.released, ==, 1);
}

/* Nobody keeps what was not adopted, and it can be adopted later. */
TEST (refused)
{
  Owner owner = { 0 };
  GpuDevice *device;

  check_refused (&too_much, GPU_ERROR_UNSUPPORTED);
  edit_next = gpu_device_edit;
  gpu_device_edit = lose;
  check_refused (NULL, GPU_ERROR_LOST);
  gpu_device_edit = edit_next;
  device = theirs_adopt (&owner);
  check_work (device);
  gpu_device_unref (device);
}

/* A lost GpuDevice is given to nobody. */
TEST (lost)
{
  Owner owners[2] = { {0} };
  GpuDevice *lost = theirs_adopt (&owners[0]), *device;

  gpu_device_mark_lost (lost);
  device = theirs_adopt (&owners[1]);
  g_assert_true (device != lost);
  check_work (device);
  gpu_device_unref (lost);
  g_assert_cmpuint (owners[0].released, ==, 1);
  g_assert_cmpuint (owners[1].released, ==, 0);
  gpu_device_unref (device);
  g_assert_cmpuint (owners[1].released, ==, 1);
}

/* A forked child may use no drivers; there, too, the owner is let go. */
TEST (forked)
{
  Owner owner = { 0 };
  const GpuForeignDevice foreign = theirs_describe (&owner);
  int status;
  pid_t pid;

  pid = fork ();
  if (pid == 0) {
    GError *error = NULL;
    const GpuDevice *device = gpu_device_adopt (&foreign, NULL, &error);

    _exit (!device && g_error_matches (error, GPU_ERROR, GPU_ERROR_FAILED)
        && owner.released == 1 ? 0 : 1);
  }
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

/* --- the lock --- */

static gint submissions;        /* atomic */

static VkResult VKAPI_CALL
submit_locked (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  g_assert_true (queue == theirs.queue);
  g_assert_true (theirs_are_locked ());
  g_atomic_int_inc (&submissions);
  return theirs.vk.vkQueueSubmit (queue, n, infos, fence);
}

static void
watch_submissions (GpuDevice * device)
{
  if (edit_next)
    edit_next (device);
  device->vk.vkQueueSubmit = submit_locked;
}

static GpuDevice *
adopt_watched (Owner * owner)
{
  GpuDevice *device;

  edit_next = gpu_device_edit;
  gpu_device_edit = watch_submissions;
  device = theirs_adopt (owner);
  gpu_device_edit = edit_next;
  return device;
}

static gpointer
submit_often (gpointer device)
{
  g_autoptr (GpuStream) stream = new_stream (device, 2);
  g_autoptr (GpuBuffer) buffer = new_buffer (device, GPU_BUFFER_DEVICE, 1);

  for (guint i = 0; i < 20; i++) {
    begin (stream);
    gpu_stream_fill (stream, buffer, 0, 4, i);
    submit (stream, NULL);
  }
  return NULL;
}

/* They use the queue, too: while a GpuDevice is opened and as long as there is one, on any
 * thread. */
TEST (locks)
{
  Owner owner = { 0 };
  GpuDevice *device;
  GThread *threads[3];

  g_atomic_int_set (&submissions, 0);
  device = adopt_watched (&owner);
  if (gpu_device_get_info (device)->subgroup_size > 0)
    g_assert_cmpint (submissions, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("submits", submit_often, device);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_true (gpu_device_look (device));
  gpu_device_unref (device);
  g_assert_cmpint (submissions, >, 3 * 20);
  g_assert_cmpint (owner.locks, >=, submissions);
  g_assert_cmpint (owner.locks, ==, owner.unlocks);
}

static VkResult VKAPI_CALL
submit_at_the_end (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  VkResult result = submit_locked (queue, n, infos, fence);

  g_print ("locked at the end\n");
  return result;
}

/* exit() waits for the queue. */
TEST (exit)
{
  static Owner owner;

  if (g_test_subprocess ()) {
    theirs_adopt (&owner)->vk.vkQueueSubmit = submit_at_the_end;
    exit (0);
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*locked at the end*");
}

GPU_FIXTURE_MAIN ("/foreign/", foreign_fixture_add_test)
