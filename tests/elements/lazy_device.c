/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lazy_device.h"

#include "gpu/core/device/vulkan.h"

/* The semaphores and the commands may be NULL. */
typedef struct
{
  VkQueue queue;
  VkSemaphore before, after;
  VkCommandBuffer commands;
  VkFence fence;
} Submission;

static struct
{
  struct VolkDeviceTable real;
  GMutex lock;
  GArray *submissions;          /* those that have not begun */
} lazy;

static VkResult
submit_later (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  Submission submission = {.queue = queue, .fence = fence};

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (infos->waitSemaphoreCount, <=, 1);
  g_assert_cmpuint (infos->commandBufferCount, <=, 1);
  g_assert_cmpuint (infos->signalSemaphoreCount, <=, 1);
  if (infos->waitSemaphoreCount)
    submission.before = infos->pWaitSemaphores[0];
  if (infos->commandBufferCount)
    submission.commands = infos->pCommandBuffers[0];
  if (infos->signalSemaphoreCount)
    submission.after = infos->pSignalSemaphores[0];
  g_mutex_lock (&lazy.lock);
  g_array_append_val (lazy.submissions, submission);
  g_mutex_unlock (&lazy.lock);
  return VK_SUCCESS;
}

static void
submit_first (void)
{
  Submission *submission = &g_array_index (lazy.submissions, Submission, 0);
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .waitSemaphoreCount = submission->before ? 1 : 0,
    .pWaitSemaphores = &submission->before,
    .pWaitDstStageMask = &stages,
    .commandBufferCount = submission->commands ? 1 : 0,
    .pCommandBuffers = &submission->commands,
    .signalSemaphoreCount = submission->after ? 1 : 0,
    .pSignalSemaphores = &submission->after,
  };

  g_assert_cmpint (lazy.real.vkQueueSubmit (submission->queue, 1, &info,
          submission->fence), ==, VK_SUCCESS);
  g_array_remove_index (lazy.submissions, 0);
}

/* With the lock held. */
static gboolean
is_waiting (VkFence fence)
{
  gboolean found = FALSE;

  for (guint i = 0; i < lazy.submissions->len; i++)
    found |= g_array_index (lazy.submissions, Submission, i).fence == fence;
  return found;
}

/* Nothing that was submitted after the work of @fence. */
static void
submit_until (VkFence fence)
{
  g_mutex_lock (&lazy.lock);
  while (is_waiting (fence))
    submit_first ();
  g_mutex_unlock (&lazy.lock);
}

static void
submit_all (void)
{
  g_mutex_lock (&lazy.lock);
  while (lazy.submissions->len > 0)
    submit_first ();
  g_mutex_unlock (&lazy.lock);
}

static VkResult
wait_for_fences (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  g_assert_cmpuint (n, ==, 1);
  submit_until (fences[0]);
  return lazy.real.vkWaitForFences (device, n, fences, all, timeout);
}

static VkResult
get_fence_status (VkDevice device, VkFence fence)
{
  gboolean waiting;

  g_mutex_lock (&lazy.lock);
  waiting = is_waiting (fence);
  g_mutex_unlock (&lazy.lock);
  return waiting ? VK_NOT_READY : lazy.real.vkGetFenceStatus (device, fence);
}

void
lazy_device_begin (GpuDevice * device)
{
  lazy.real = device->vk;
  lazy.submissions = g_array_new (FALSE, FALSE, sizeof (Submission));
  device->vk.vkQueueSubmit = submit_later;
  device->vk.vkWaitForFences = wait_for_fences;
  device->vk.vkGetFenceStatus = get_fence_status;
}

void
lazy_device_end (GpuDevice * device)
{
  submit_all ();
  lazy.real.vkDeviceWaitIdle (device->device);
  g_clear_pointer (&lazy.submissions, g_array_unref);
  device->vk = lazy.real;
}
