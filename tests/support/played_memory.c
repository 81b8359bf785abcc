/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "played_memory.h"

#define MIB ((VkDeviceSize) 1 << 20)

static VkDeviceSize bytes_left;

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
  bytes_left = left;
  device->get_memory_budget = say_budget;
}
