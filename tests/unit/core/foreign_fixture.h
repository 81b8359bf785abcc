/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Another library in this process that uses Vulkan, as far as tests need one: they. What they
 * have works without the code that is tested. */
#pragma once

#include "gpu/core/device/foreign.h"
#include "stream_fixture.h"

G_BEGIN_DECLS

/* What they have while a test runs. */
typedef struct
{
  VkInstance instance;
  VkPhysicalDevice physical;    /* the one that the tests run on */
  guint32 family;
  VkDevice device;              /* with all features of Vulkan 1.3 */
  VkQueue queue;
  struct VolkDeviceTable vk;
} Theirs;

extern Theirs theirs;

/* A function of their instance: volk's globals are of another one. */
#define THEIRS(name) \
  ((PFN_##name) vkGetInstanceProcAddr (theirs.instance, #name))

/* @call, which returns a VkResult, must succeed. */
#define VULKAN(call) g_assert_cmpint ((call), ==, VK_SUCCESS)

/* As gpu_fixture_add_test(), for tests that are also skipped where there is no Vulkan 1.3. */
void foreign_fixture_add_test (const gchar * path, GTestFunc run);

/* Call these around their own uses of the queue. */
void theirs_lock (void);
void theirs_unlock (void);
/* Whether a GpuDevice has locked it on this thread. */
gboolean theirs_are_locked (void);

/* One more device, and its queue. */
VkDevice theirs_new_device (VkQueue * queue);
void theirs_destroy_device (VkDevice device);

/* --- adoption --- */

/* Who keeps their device alive for a GpuDevice, and what was asked of them. */
typedef struct
{
  gint locks, unlocks;          /* of the queue; atomic */
  guint released;
} Owner;

/* What is adopted. */
GpuForeignDevice theirs_describe (Owner * owner);
/* Must succeed. */
GpuDevice *theirs_adopt (Owner * owner);

/* As setup() and teardown(), with a device that is adopted, and that nobody else keeps. */
Fixture *theirs_setup (guint n_slots);
void theirs_teardown (Fixture * fixture);

/* --- semaphores --- */

/* A timeline semaphore, at 0; theirs until the test ends. */
VkSemaphore theirs_new_semaphore (void);
void theirs_signal (VkSemaphore semaphore, guint64 value);
guint64 theirs_get_value (VkSemaphore semaphore);
/* Waits for @value; returns whether it was reached within @ms. */
gboolean theirs_reaches (VkSemaphore semaphore, guint64 value, guint ms);

/* Signals @semaphore a while later, on a thread of its own. */
void theirs_signal_later (VkSemaphore semaphore, guint64 value);

G_END_DECLS
