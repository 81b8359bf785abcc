/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory and semaphores for others, who are played: they have what the file descriptor says
 * (tests/support/fake_loader.h). */
#include "gpu/core/memory/export.h"
#include "gpu/core/stream/images.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "loader_fixture.h"
#include "stream_fixture.h"
#include "tests.h"

#include <unistd.h>

#define BYTES (N * 4)

static Fixture *
setup_exports (void)
{
  GpuDevice *device;

  fake->exports = TRUE;
  device = open_device (test_selector ());
  g_assert_true (device->info.exports_semaphores);
  return setup_on (device, 2);
}

/* What others know of it; closes the file descriptor. */
static FakeExport
take (gint fd)
{
  FakeExport export;

  g_assert_cmpint (pread (fd, &export, sizeof export, 0), ==, sizeof export);
  close (fd);
  return export;
}

static GpuBuffer *
new_exported (Fixture * fixture, guint32 ** words)
{
  GpuBuffer *buffer = new_buffer (fixture->device, GPU_BUFFER_EXPORTED, N);
  g_autoptr (GError) error = NULL;
  FakeExport export;
  gsize size;
  gint fd = gpu_buffer_export (buffer, &size, &error);

  g_assert_no_error (error);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpuint (size, >=, BYTES);
  g_assert_null (gpu_buffer_get_data (buffer));
  export = take (fd);
  g_assert_cmpint (export.map (export.device, export.memory, 0, VK_WHOLE_SIZE,
          0, (void **) words), ==, VK_SUCCESS);
  return buffer;
}

/* What others wrote is read, and what is written they see. Each buffer begins at the first byte of
 * its memory. */
TEST (memory)
{
  g_autoptr (Fixture) fixture = setup_exports ();
  const guint64 before = gpu_device_get_allocated (fixture->device);
  guint32 *words[2];

  for (guint round = 0; round < 2; round++) {
    GpuBuffer *buffers[2];

    for (guint i = 0; i < 2; i++)
      buffers[i] = new_exported (fixture, &words[i]);
    for (guint i = 0; i < N; i++)
      words[0][i] = i * 2654435761u;
    begin (fixture->stream);
    gpu_stream_acquire_export (fixture->stream, buffers[0]);
    gpu_stream_copy (fixture->stream, buffers[0], 0, buffers[1], 4, BYTES - 4);
    gpu_stream_fill (fixture->stream, buffers[1], 0, 4, round);
    gpu_stream_release_export (fixture->stream, buffers[1]);
    submit (fixture->stream, NULL);
    wait_idle (fixture->stream);
    g_assert_cmpuint (words[1][0], ==, round);
    for (guint i = 1; i < N; i++)
      g_assert_cmpuint (words[1][i], ==, (i - 1) * 2654435761u);
    for (guint i = 0; i < 2; i++)
      gpu_buffer_unref (buffers[i]);
    /* Others may keep the memory; for this process it is gone. */
    g_assert_cmpuint (gpu_device_get_allocated (fixture->device), ==, before);
  }
}

/* A submission waits for others, and others for it. */
TEST (semaphores)
{
  g_autoptr (Fixture) fixture = setup_exports ();
  GpuDevice *device = fixture->device;
  const guint files = tests_count_files ();
  VkSemaphore semaphores[2];
  FakeExport exports[2];
  g_auto (GpuTicket) ticket = { NULL, 0 };
  guint64 value = 7;
  VkSemaphoreWaitInfo wait = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .semaphoreCount = 1,
    .pValues = &value,
  };
  VkSemaphoreSignalInfo signal = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
    .value = 3,
  };

  for (guint i = 0; i < 2; i++) {
    gint fd = -1;

    semaphores[i] = OK (gpu_semaphore_new_exported (device, &fd, &error));
    exports[i] = take (fd);
  }
  g_assert_cmpuint (tests_count_files (), ==, files);
  begin (fixture->stream);
  gpu_stream_wait_for_semaphore (fixture->stream, semaphores[0], 3);
  gpu_stream_signal_semaphore (fixture->stream, semaphores[1], 7);
  submit (fixture->stream, &ticket);
  wait.pSemaphores = &exports[1].semaphore;
  g_assert_cmpint (exports[1].wait (exports[1].device, &wait, 20000000), ==,
      VK_TIMEOUT);
  g_assert_false (gpu_ticket_is_done (&ticket));
  signal.semaphore = exports[0].semaphore;
  g_assert_cmpint (exports[0].signal (exports[0].device, &signal), ==,
      VK_SUCCESS);
  g_assert_cmpint (exports[1].wait (exports[1].device, &wait, UINT64_MAX), ==,
      VK_SUCCESS);
  wait_idle (fixture->stream);
  for (guint i = 0; i < 2; i++)
    gpu_semaphore_free (semaphores[i], device);
}

GPU_HOOK_RETURNS (refuse_memory, VK_ERROR_UNKNOWN, VkDevice device,
    const VkMemoryGetFdInfoKHR * info, int *fd);
GPU_HOOK_RETURNS (refuse_semaphore, VK_ERROR_UNKNOWN, VkDevice device,
    const VkSemaphoreGetFdInfoKHR * info, int *fd);

TEST (failures)
{
  g_autoptr (Fixture) fixture = setup_exports ();
  GpuDevice *device = fixture->device;
  g_autoptr (GpuBuffer) buffer = new_buffer (device, GPU_BUFFER_EXPORTED, N);
  const guint files = tests_count_files ();
  gsize size;
  gint fd;

  device->vk.vkGetMemoryFdKHR = refuse_memory;
  device->vk.vkGetSemaphoreFdKHR = refuse_semaphore;
  FAILS (GPU_ERROR_FAILED, gpu_buffer_export (buffer, &size, &error) >= 0);
  FAILS (GPU_ERROR_FAILED, gpu_semaphore_new_exported (device, &fd, &error));
  g_assert_cmpuint (tests_count_files (), ==, files);
}

GPU_FIXTURE_MAIN ("/export/", loader_fixture_add_test)
