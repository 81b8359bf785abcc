/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A Vulkan loader that hands everything on to the real one and changes some
 * answers on the way: machines that the tests do not run on. */
#pragma once

#include <glib.h>

/* As volk has it, which declares variables of these names. */
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan.h>

G_BEGIN_DECLS

#define FAKE_LOADER_MAX_DEVICES 8
#define FAKE_LOADER_MAX_FAMILIES 4

/* The module exports one of these, by the name fake_loader. All zero: nothing
 * is changed. */
typedef struct
{
  guint32 version;              /* of the loader, where not 0 */
  VkResult create_instance;     /* what vkCreateInstance fails with */
  guint instances;              /* made, counted */
  gboolean hides_extensions;    /* those of the instance */
  gboolean replaces_devices;
  /* Where they are replaced: every one is the real first one but for its
   * type. */
  guint n_devices;
  guint n_plugged;              /* so many of them the first instance does not
                                   know */
  VkPhysicalDeviceType types[FAKE_LOADER_MAX_DEVICES];
  void (*edit_properties) (VkPhysicalDeviceProperties2 * properties,
      guint index);
  void (*edit_queue_family) (VkQueueFamilyProperties * family);
  /* Where not 0: every family is the real first one but for its flags, with one queue. */
  guint n_families;
  VkQueueFlags family_flags[FAKE_LOADER_MAX_FAMILIES];
  VkResult create_device;       /* what vkCreateDevice fails with... */
  guint n_failing;              /* ...so many times */
  /* Where not 0: the size of subgroups that is reported, and what the device offers
   * to those who ask for a size, where most_lanes is not 0 (of a real device that
   * offers sizes, too). Pipelines are built as the real one builds them. Where some
   * ask for no size, no dispatch is run. */
  guint reported_lanes, least_lanes, most_lanes;
  guint max_subgroups;          /* of a workgroup that asks for a size */
  VkShaderStageFlags sized_stages;
  guint sizes;                  /* that were asked for, joined by OR; and 1 where
                                   one asked for none */
  gint full;                    /* atomic; pipelines that asked for full subgroups */
  gboolean skips_dispatches;
  /* For drivers that work without their hardware: nothing is recorded, and the
   * probe of lanes finds what it should. */
  gboolean runs_nothing;
  VkResult wait;                /* what vkWaitForFences fails with */
  guint waits;                  /* its calls, counted */
  guint looks_in_vain;          /* so many of these time out first */
  VkResult fence_status;        /* what vkGetFenceStatus fails with */
  guint destroyed;              /* fences, counted */
  /* No device is listed, and none opened, but for who knows of drivers that
   * lack a part of Vulkan. */
  gboolean is_portability;
  /* Where not NULL: the only extension that devices have is VK_EXT_memory_budget, and
   * this is what it says. */
  void (*say_budget) (VkPhysicalDeviceMemoryBudgetPropertiesEXT * budget);
  /* Devices export memory and timeline semaphores by file descriptor: what the real one lacks is
   * played. A device that was opened meanwhile goes on doing so. */
  gboolean exports;
} FakeLoader;

/* What the files that are exported hold: all that somebody in this process needs in order to use
 * the memory or the semaphore, by the functions of the real device. */
typedef struct
{
  VkDevice device;
  VkSemaphore semaphore;        /* either this... */
  VkDeviceMemory memory;        /* ...or this */
  PFN_vkMapMemory map;
  PFN_vkWaitSemaphoresKHR wait;
  PFN_vkSignalSemaphoreKHR signal;
} FakeExport;

G_END_DECLS
