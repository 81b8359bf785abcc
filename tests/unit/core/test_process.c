/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fork() and exit() in the middle of it all. */
#include "affine.h"
#include "gpu/core/memory/bufferhandle.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "loader_fixture.h"
#include "stream_fixture.h"
#include "test_shaders.h"
#include "tests.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_DEVICE 77            /* how children end without one */

/* --- fork() --- */

/* Tests' children end like this: what is printed is the parent's business. */
#define CHECK(condition) \
  if (!(condition)) \
    _exit (MIN (__LINE__, 255))

/* How @child of a forked process ends; one that hangs is killed. */
static int
run_in_child (void (*child) (gpointer data), gpointer data)
{
  int status;
  pid_t pid;

  pid = fork ();
  if (pid == 0) {
    alarm (60);
    child (data);
    _exit (0);
  }
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return status;
}

static gboolean
is_told (GError * error)
{
  return g_error_matches (error, GPU_ERROR, GPU_ERROR_FAILED)
      && strstr (error->message, "forked");
}

static void
use_device (gpointer data)
{
  GError *error = NULL;
  GpuDevice *device =
      gpu_device_open (g_getenv ("GPU_TEST_DEVICE"), NULL, &error);

  if (!device)
    _exit (is_told (error) ? 1 : NO_DEVICE);
  affine_kernel_get (device);
  gpu_device_unref (device);
}

/* A child of a process that has opened nothing opens what it likes, also where
 * that one tried. (The first test of all: the others open a device.) */
TEST (fork_first)
{
  int status;

  use_no_loader ();
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "libvulkan.so.1");
  use_real_loader ();
  status = run_in_child (use_device, NULL);
  if (status == NO_DEVICE << 8)
    g_test_skip ("no device");
  else
    g_assert_cmpint (status, ==, 0);
}

typedef struct
{
  Fixture *fixture;
  GpuTicket ticket;             /* of work that is not known to be done */
  GpuDevice *idle_device;       /* of these it has the last references */
  GpuStream *idle_stream;
  GpuBuffer *idle_buffer;
} Inherited;

static void VKAPI_CALL
see_question (VkPhysicalDevice device,
    VkPhysicalDeviceMemoryProperties2 * memory)
{
  CHECK (FALSE);
}

/* Every use of what the parent has ends at once, though the stream's lock is held for
 * ever. Drivers see nothing of it, also where they say how much memory is left and have
 * some that is not coherent. */
static void
use_inherited (gpointer data)
{
  static const struct VolkDeviceTable no_functions;
  Inherited *inherited = data;
  Fixture *fixture = inherited->fixture;
  GpuDevice *device = fixture->device;
  GError *errors[8] = { NULL };
  GpuTimings timings;
  GpuStreamCounts counts;

  device->vk = inherited->idle_device->vk = no_functions;
  device->get_memory_budget = see_question;
  fixture->host->piece.flags &= ~VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  CHECK (gpu_device_is_lost (device));
  CHECK (!gpu_device_open (g_getenv ("GPU_TEST_DEVICE"), NULL, &errors[0]));
  CHECK (!gpu_ticket_wait (&inherited->ticket, &errors[1]));
  CHECK (!gpu_ticket_is_done (&inherited->ticket));
  CHECK (gpu_ticket_is_submitted (&inherited->ticket));
  gpu_stream_get_timings (fixture->stream, &timings);
  CHECK (timings.submissions == 0 && timings.n_stages == 0);
  gpu_stream_get_counts (fixture->stream, &counts);
  CHECK (counts.slot_waits == 0 && counts.builds == 0);
  CHECK (!gpu_stream_wait_idle (fixture->stream, &errors[2]));
  CHECK (!gpu_stream_begin (fixture->stream, &errors[3]));
  CHECK (!gpu_stream_new (device, 1, "child", &errors[4]));
  CHECK (!gpu_buffer_new (device, GPU_BUFFER_HOST, 4, "child", &errors[5]));
  CHECK (!gpu_buffer_flush (fixture->host, &errors[6]));
  CHECK (!gpu_buffer_invalidate (fixture->host, &errors[7]));
  CHECK (gpu_device_get_memory_left (device) == 0);
  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    CHECK (is_told (errors[i]));
  CHECK (!gpu_kernel_request (device, &gpu_shader_affine, NULL, 0,
          GPU_KERNEL_SOON, NULL));
  CHECK (!gpu_kernels_have (device, &gpu_shader_affine, NULL, 0));
  gpu_kernels_wait (device);
  gpu_ticket_clear (&inherited->ticket);
  gpu_stream_unref (fixture->stream);
  gpu_buffer_unref (inherited->idle_buffer);
  gpu_stream_unref (inherited->idle_stream);
  gpu_device_unref (inherited->idle_device);
}

static void
test_fork (void)
{
  static const guint32 constants[] = { 5 };
  g_autoptr (Fixture) fixture = setup (2);
  Inherited inherited = { fixture };

  inherited.idle_device = gpu_fixture_open_another ();
  inherited.idle_stream = new_stream (inherited.idle_device, 1);
  inherited.idle_buffer =
      new_buffer (inherited.idle_device, GPU_BUFFER_HOST, 1);
  do_step (fixture, 7, 0, &inherited.ticket);
  /* As a thread of the parent's may. */
  g_mutex_lock (&fixture->stream->lock);
  g_assert_cmpint (run_in_child (use_inherited, &inherited), ==, 0);
  g_mutex_unlock (&fixture->stream->lock);

  /* Nothing of that is the parent's. */
  g_assert_true (gpu_ticket_wait (&inherited.ticket, NULL));
  g_assert_cmpuint (host_word (fixture, 0), ==, 7);
  g_assert_nonnull (gpu_kernel_get (fixture->device, &gpu_shader_affine,
          constants, 1, NULL));
  gpu_ticket_clear (&inherited.ticket);
  gpu_buffer_unref (inherited.idle_buffer);
  gpu_stream_unref (inherited.idle_stream);
  gpu_device_unref (inherited.idle_device);
}

/* --- exit() --- */

#define LARGE (1 << 18)         /* words */
#define STEPS 300
#define KERNELS 1000

static const gint *is_done;     /* TRUE once the device has done what it was
                                   given last; or NULL. Drivers take it away. */
static gint was_done;           /* what that was after the last wait */
static GThread *streaming;      /* or NULL */
static PFN_vkCreateComputePipelines real_create;
static PFN_vkQueueSubmit real_submit;
static PFN_vkWaitForFences real_wait;
static gint in_driver;
static gint is_torn_down;

/* What a driver would crash of. */
static void
enter_driver (void)
{
  g_atomic_int_inc (&in_driver);
  CHECK (!g_atomic_int_get (&is_torn_down));
}

static VkResult VKAPI_CALL
create_pipelines (VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo * infos,
    const VkAllocationCallbacks * allocator, VkPipeline * pipelines)
{
  VkResult result;

  enter_driver ();
  g_usleep (50000);
  result = real_create (device, cache, n, infos, allocator, pipelines);
  g_atomic_int_add (&in_driver, -1);
  return result;
}

static VkResult VKAPI_CALL
submit_to_queue (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  VkResult result;

  enter_driver ();
  result = real_submit (queue, n, infos, fence);
  g_atomic_int_add (&in_driver, -1);
  return result;
}

static VkResult VKAPI_CALL
wait_for_fences (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  VkResult result = real_wait (device, n, fences, all, timeout);

  g_atomic_int_set (&was_done, g_atomic_int_get (is_done));
  return result;
}

/* A handler of the driver's own: nobody is to be in there, nor to come later, and
 * nothing is to be left in its queue. */
static void
tear_down (void)
{
  CHECK (g_atomic_int_get (&in_driver) == 0);
  g_atomic_int_set (&is_torn_down, TRUE);
  CHECK (!is_done || g_atomic_int_get (&was_done));
  if (streaming)
    g_thread_join (streaming);
}

/* Its handlers are there before those of the device, and come after them. */
static GpuDevice *
open_watched (void)
{
  GpuDevice *device;

  atexit (tear_down);
  device = gpu_fixture_open_another ();
  real_create = device->vk.vkCreateComputePipelines;
  real_submit = device->vk.vkQueueSubmit;
  real_wait = device->vk.vkWaitForFences;
  return device;
}

static void
exit_while_building (void)
{
  GpuDevice *device = open_watched ();

  device->vk.vkCreateComputePipelines = create_pipelines;
  for (guint32 i = 0; i < KERNELS; i++)
    gpu_kernel_request (device, &gpu_shader_affine, &i, 1,
        i % 2 ? GPU_KERNEL_SOON : GPU_KERNEL_LATER, NULL);
  while (!g_atomic_int_get (&in_driver))
    g_usleep (1000);
  exit (0);
}

typedef struct
{
  GpuStream *stream;
  GpuKernel *kernel;
  GpuBuffer *buffer;
} Work;

/* What was made is given up at last. */
static gpointer
stream_on (gpointer data)
{
  Work *work = data;
  g_autoptr (GError) error = NULL;

  while (gpu_stream_begin (work->stream, &error)) {
    affine_record (work->stream, work->kernel, work->buffer, N, 1);
    if (!gpu_stream_submit (work->stream, NULL, &error))
      break;
  }
  CHECK (g_error_matches (error, GPU_ERROR, GPU_ERROR_CANCELLED));
  gpu_buffer_unref (work->buffer);
  gpu_stream_unref (work->stream);
  return NULL;
}

static void
exit_while_streaming (void)
{
  GpuDevice *device = open_watched ();
  GpuBuffer *large = new_buffer (device, GPU_BUFFER_DEVICE, LARGE);
  GpuBuffer *word = new_buffer (device, GPU_BUFFER_HOST, 1);
  GpuStream *busy = new_stream (device, 1);
  static Work work;

  work.stream = new_stream (device, 2);
  work.kernel = affine_kernel_get (device);
  work.buffer = new_buffer (device, GPU_BUFFER_DEVICE, N);
  memset (gpu_buffer_get_data (word), 0, 4);
  is_done = gpu_buffer_get_data (word);
  device->vk.vkQueueSubmit = submit_to_queue;
  device->vk.vkWaitForFences = wait_for_fences;
  begin (busy);
  for (guint i = 0; i < STEPS; i++) {
    affine_record (busy, work.kernel, large, LARGE, 1);
  }
  gpu_stream_fill (busy, word, 0, 4, TRUE);
  submit (busy, NULL);
  streaming = g_thread_new ("streams", stream_on, &work);
  exit (0);
}

/* --- exit() while a download is under way --- */

static struct
{
  VkQueue name, queue;          /* what the device calls it; the one that plays it */
  VkCommandBuffer commands;
  VkSemaphore work_is_done;
  VkFence fence;
} download;

static void
start_download (void)
{
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  const VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .waitSemaphoreCount = 1,
    .pWaitSemaphores = &download.work_is_done,
    .pWaitDstStageMask = &stages,
    .commandBufferCount = 1,
    .pCommandBuffers = &download.commands,
  };

  real_submit (download.queue, 1, &info, download.fence);
}

/* So slow a queue that it begins nothing until somebody waits for it. */
static VkResult VKAPI_CALL
submit_slow_download (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  if (queue != download.name)
    return real_submit (queue, n, infos, fence);
  if (n == 0) {
    start_download ();
    return real_submit (download.queue, 0, NULL, fence);
  }
  download.commands = infos->pCommandBuffers[0];
  download.work_is_done = infos->pWaitSemaphores[0];
  download.fence = fence;
  return VK_SUCCESS;
}

static void
exit_while_downloading (void)
{
  GpuDevice *device = open_watched ();
  GpuBuffer *word = new_buffer (device, GPU_BUFFER_HOST, 1);
  GpuBuffer *work = new_buffer (device, GPU_BUFFER_DEVICE, 1);
  GpuStream *stream;

  /* If there are no such queues, the only one plays them. */
  download.queue =
      device->download_queue ? device->download_queue : device->queue;
  download.name = (VkQueue) & download;
  device->upload_queue = device->download_queue = download.name;
  device->vk.vkQueueSubmit = submit_slow_download;
  device->vk.vkWaitForFences = wait_for_fences;
  memset (gpu_buffer_get_data (word), 0, 4);
  is_done = gpu_buffer_get_data (word);
  stream = new_stream (device, 4);
  begin (stream);
  gpu_stream_fill (stream, work, 0, 4, TRUE);
  gpu_stream_download (stream, work, word);
  submit (stream, NULL);
  exit (0);
}

/* --- exit() with two devices --- */

static VkQueue queues[2];
static guint n_standing = 2;    /* devices that are not torn down, the first ones */
static guint submissions[2];    /* of the end to each */

static VkResult VKAPI_CALL
submit_at_the_end (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  guint device = queue == queues[1];

  CHECK (device < n_standing);
  submissions[device]++;
  return real_submit (queue, n, infos, fence);
}

/* Drivers are torn down newest first, and each finds its device idle. */
static void
tear_down_newest (void)
{
  CHECK (submissions[--n_standing] == 1);
}

/* Each has handlers of its driver's own. */
static void
exit_with_two (void (*edit_properties) (VkPhysicalDeviceProperties2 *, guint))
{
  static const gchar *const selectors[] = { "0", "1" };

  use_fake_loader ();
  fake->replaces_devices = TRUE;
  fake->n_devices = 2;
  fake->edit_properties = edit_properties;
  for (guint i = 0; i < 2; i++) {
    GpuDevice *device;

    atexit (tear_down_newest);
    device = open_device (selectors[i]);
    queues[i] = device->queue;
    device->upload_queue = device->download_queue = NULL;
    real_submit = device->vk.vkQueueSubmit;
    device->vk.vkQueueSubmit = submit_at_the_end;
  }
  exit (0);
}

static void
exit_with_two_devices (void)
{
  exit_with_two (number_uuids);
}

static void
exit_with_two_drivers (void)
{
  exit_with_two (number_drivers);
}

/* In a process of its own, which ends well. */
static void
check_exit (void (*scene) (void))
{
  if (g_test_subprocess ())
    scene ();
  if (!gpu_fixture_device ()) {
    g_test_skip ("no device");
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

TEST (exit_while_building)
{
  check_exit (exit_while_building);
}

TEST (exit_while_streaming)
{
  check_exit (exit_while_streaming);
}

TEST (exit_while_downloading)
{
  check_exit (exit_while_downloading);
}

TEST (exit_with_two_devices)
{
  check_exit (exit_with_two_devices);
}

TEST (exit_with_two_drivers)
{
  check_exit (exit_with_two_drivers);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/process/", g_test_add_func);
  gpu_fixture_add_test ("/process/fork", test_fork);
  return gpu_fixture_run_tests ();
}
