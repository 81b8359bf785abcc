/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "played_memory.h"

#define LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define VISIBLE VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define COHERENT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
#define CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
#define UNCACHED (VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD \
    | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD)

#define MIB ((VkDeviceSize) 1 << 20)

/* --- AMD --- */

/* As radv_physical_device_init_mem_types() makes them: the system's memory, and what is
 * called the device's own. */
static const VkMemoryHeap amd_heaps[] = {
  {1024 * MIB, 0},
  {2048 * MIB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
};

static const VkMemoryType amd_types[] = {
  {LOCAL, 1},
  {VISIBLE | COHERENT, 0},
  {LOCAL | VISIBLE | COHERENT, 1},
  {VISIBLE | COHERENT | CACHED, 0},
  {LOCAL | UNCACHED, 1},
  {VISIBLE | COHERENT | UNCACHED, 0},
  {LOCAL | VISIBLE | COHERENT | UNCACHED, 1},
  {VISIBLE | COHERENT | CACHED | UNCACHED, 0},
};

static struct VolkDeviceTable driver;
static guint32 real_type;

static void VKAPI_CALL
allow_all_types (VkDevice device, VkBuffer buffer, VkMemoryRequirements * needs)
{
  driver.vkGetBufferMemoryRequirements (device, buffer, needs);
  needs->memoryTypeBits = (1u << G_N_ELEMENTS (amd_types)) - 1;
}

static VkResult VKAPI_CALL
allocate_real_type (VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory)
{
  VkMemoryAllocateInfo real = *info;

  real.memoryTypeIndex = real_type;
  return driver.vkAllocateMemory (device, &real, allocator, memory);
}

/* Every device has one, which serves for all buffers. */
static guint32
find_host_type (const VkPhysicalDeviceMemoryProperties * memory)
{
  guint32 type = 0;

  while ((VISIBLE | COHERENT) & ~memory->memoryTypes[type].propertyFlags)
    type++;
  return type;
}

void
played_memory_be_amd (GpuDevice * device, GpuDeviceKind kind)
{
  VkPhysicalDeviceMemoryProperties *memory = &device->memory;

  driver = device->vk;
  real_type = find_host_type (memory);
  device->info.kind = kind;
  memory->memoryHeapCount = G_N_ELEMENTS (amd_heaps);
  for (guint i = 0; i < memory->memoryHeapCount; i++)
    memory->memoryHeaps[i] = amd_heaps[i];
  memory->memoryTypeCount = G_N_ELEMENTS (amd_types);
  for (guint i = 0; i < memory->memoryTypeCount; i++)
    memory->memoryTypes[i] = amd_types[i];
  device->vk.vkGetBufferMemoryRequirements = allow_all_types;
  device->vk.vkAllocateMemory = allocate_real_type;
}

/* --- budgets --- */

static VkDeviceSize bytes_left;
static PFN_vkGetPhysicalDeviceMemoryProperties2 real_budget;

static void VKAPI_CALL
say_budget (VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2 * memory)
{
  VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = memory->pNext;

  g_assert_cmpint (budget->sType, ==,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  for (guint i = 0; i < VK_MAX_MEMORY_HEAPS; i++) {
    budget->heapUsage[i] = 512 * MIB;
    budget->heapBudget[i] = 512 * MIB + bytes_left;
  }
}

void
played_memory_leave (GpuDevice * device, guint64 left)
{
  if (device->get_memory_budget != say_budget)
    real_budget = device->get_memory_budget;
  bytes_left = left;
  device->get_memory_budget = say_budget;
}

void
played_memory_end (GpuDevice * device)
{
  device->get_memory_budget = real_budget;
}
