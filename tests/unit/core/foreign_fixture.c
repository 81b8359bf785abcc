/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "foreign_fixture.h"

#include "gpu_fixture.h"

Theirs theirs;

static GArray *semaphores;      /* of VkSemaphore: those of the test */
static GThread *signaller;      /* or NULL */

/* --- their device --- */

static gboolean
make_instance (void)
{
  const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .apiVersion = VK_API_VERSION_1_3,
  };
  const VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
  };

  if (volkGetInstanceVersion () < VK_API_VERSION_1_3)
    return FALSE;
  VULKAN (vkCreateInstance (&info, NULL, &theirs.instance));
  return TRUE;
}

/* The loader lists the same devices for every instance. */
static gboolean
find_physical (void)
{
  const guint index = gpu_device_get_info (gpu_fixture_device ())->index;
  VkPhysicalDevice list[32];
  guint32 n = G_N_ELEMENTS (list);
  VkPhysicalDeviceProperties properties;

  VULKAN (THEIRS (vkEnumeratePhysicalDevices) (theirs.instance, &n, list));
  if (index >= n)
    return FALSE;
  theirs.physical = list[index];
  THEIRS (vkGetPhysicalDeviceProperties) (theirs.physical, &properties);
  return properties.apiVersion >= VK_API_VERSION_1_3;
}

static guint32
find_family (void)
{
  VkQueueFamilyProperties list[16];
  guint32 n = G_N_ELEMENTS (list), i = 0;

  THEIRS (vkGetPhysicalDeviceQueueFamilyProperties) (theirs.physical, &n, list);
  while (i < n && !(list[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
    i++;
  g_assert_cmpuint (i, <, n);
  return i;
}

VkDevice
theirs_new_device (VkQueue * queue)
{
  VkPhysicalDeviceVulkan13Features third = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
  };
  VkPhysicalDeviceVulkan12Features second = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = &third,
  };
  VkPhysicalDeviceVulkan11Features first = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = &second,
  };
  VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = &first,
  };
  const VkDeviceQueueCreateInfo queues = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueFamilyIndex = theirs.family,
    .queueCount = 1,
    .pQueuePriorities = (const gfloat[]) {1},
  };
  const VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .pNext = &features,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queues,
  };
  struct VolkDeviceTable vk;
  VkDevice device;

  THEIRS (vkGetPhysicalDeviceFeatures2) (theirs.physical, &features);
  VULKAN (THEIRS (vkCreateDevice) (theirs.physical, &info, NULL, &device));
  volkLoadDeviceTable (&vk, device);
  vk.vkGetDeviceQueue (device, theirs.family, 0, queue);
  return device;
}

void
theirs_destroy_device (VkDevice device)
{
  struct VolkDeviceTable vk;

  volkLoadDeviceTable (&vk, device);
  vk.vkDestroyDevice (device, NULL);
}

static void
open_theirs (void)
{
  theirs.family = find_family ();
  theirs.device = theirs_new_device (&theirs.queue);
  volkLoadDeviceTable (&theirs.vk, theirs.device);
  semaphores = g_array_new (FALSE, FALSE, sizeof (VkSemaphore));
}

/* Under validation this also tells of what was left on the device. */
static void
close_theirs (void)
{
  if (signaller)
    g_thread_join (g_steal_pointer (&signaller));
  for (guint i = 0; i < semaphores->len; i++)
    theirs.vk.vkDestroySemaphore (theirs.device, g_array_index (semaphores,
            VkSemaphore, i), NULL);
  g_array_unref (semaphores);
  theirs_destroy_device (theirs.device);
}

static void
run_beside_theirs (gconstpointer run)
{
  if (!gpu_fixture_device ()) {
    g_test_skip ("no device");
    return;
  }
  if (make_instance () && find_physical ()) {
    open_theirs ();
    ((GTestFunc) run) ();
    close_theirs ();
  } else
    g_test_skip ("no Vulkan 1.3");
  if (theirs.instance)
    THEIRS (vkDestroyInstance) (theirs.instance, NULL);
  theirs = (Theirs) {0};
}

void
foreign_fixture_add_test (const gchar * path, GTestFunc run)
{
  g_test_add_data_func (path, run, run_beside_theirs);
}

/* --- the lock of the queue --- */

static GMutex queue_lock;
static GThread *holder;         /* of the lock, through a GpuDevice; atomic */

static void
lock_queues (gpointer data)
{
  Owner *owner = data;

  g_assert_false (theirs_are_locked ());
  g_mutex_lock (&queue_lock);
  g_atomic_pointer_set (&holder, g_thread_self ());
  g_assert_cmpuint (owner->released, ==, 0);
  g_atomic_int_inc (&owner->locks);
}

static void
unlock_queues (gpointer data)
{
  Owner *owner = data;

  g_assert_true (theirs_are_locked ());
  g_atomic_int_inc (&owner->unlocks);
  g_atomic_pointer_set (&holder, NULL);
  g_mutex_unlock (&queue_lock);
}

gboolean
theirs_are_locked (void)
{
  return g_atomic_pointer_get (&holder) == g_thread_self ();
}

void
theirs_lock (void)
{
  g_mutex_lock (&queue_lock);
}

void
theirs_unlock (void)
{
  g_mutex_unlock (&queue_lock);
}

/* --- adoption --- */

static void
release_owner (gpointer data)
{
  Owner *owner = data;

  owner->released++;
}

GpuForeignDevice
theirs_describe (Owner * owner)
{
  return (GpuForeignDevice) {
    .physical = theirs.physical,
    .device = theirs.device,
    .queue = theirs.queue,
    .family = theirs.family,
    .lock = lock_queues,
    .unlock = unlock_queues,
    .owner = owner,
    .release = release_owner,
  };
}

GpuDevice *
theirs_adopt (Owner * owner)
{
  const GpuForeignDevice foreign = theirs_describe (owner);

  return OK (gpu_device_adopt (&foreign, NULL, &error));
}

static Owner fixture_owner;

Fixture *
theirs_setup (guint n_slots)
{
  fixture_owner = (Owner) {0};
  return setup_on (theirs_adopt (&fixture_owner), n_slots);
}

void
theirs_teardown (Fixture * fixture)
{
  teardown (fixture);
  g_assert_cmpuint (fixture_owner.released, ==, 1);
}

/* --- semaphores --- */

VkSemaphore
theirs_new_semaphore (void)
{
  const VkSemaphoreTypeCreateInfo type = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
    .pNext = &type,
  };
  VkSemaphore semaphore;

  VULKAN (theirs.vk.vkCreateSemaphore (theirs.device, &info, NULL, &semaphore));
  g_array_append_val (semaphores, semaphore);
  return semaphore;
}

void
theirs_signal (VkSemaphore semaphore, guint64 value)
{
  const VkSemaphoreSignalInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
    .semaphore = semaphore,
    .value = value,
  };

  VULKAN (theirs.vk.vkSignalSemaphore (theirs.device, &info));
}

guint64
theirs_get_value (VkSemaphore semaphore)
{
  guint64 value;

  VULKAN (theirs.vk.vkGetSemaphoreCounterValue (theirs.device, semaphore,
          &value));
  return value;
}

gboolean
theirs_reaches (VkSemaphore semaphore, guint64 value, guint ms)
{
  const VkSemaphoreWaitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .semaphoreCount = 1,
    .pSemaphores = &semaphore,
    .pValues = &value,
  };
  const VkResult result = theirs.vk.vkWaitSemaphores (theirs.device, &info,
      ms * (guint64) 1000000);

  if (result != VK_TIMEOUT)
    VULKAN (result);
  return result == VK_SUCCESS;
}

typedef struct
{
  VkSemaphore semaphore;
  guint64 value;
} Signal;

static gpointer
signal_later (gpointer data)
{
  g_autofree Signal *later = data;

  g_usleep (50000);
  theirs_signal (later->semaphore, later->value);
  return NULL;
}

void
theirs_signal_later (VkSemaphore semaphore, guint64 value)
{
  const Signal later = { semaphore, value };

  g_assert_null (signaller);
  signaller = g_thread_new ("signals", signal_later, g_memdup2 (&later,
          sizeof later));
}
