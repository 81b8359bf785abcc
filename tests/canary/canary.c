/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Makes one known mistake (or none) with Vulkan, so that CI can tell a clean
 * run of the test suite from one whose validation layer was asleep.
 *
 *   canary write-after-write   two submissions, no barrier between them
 *   canary read-after-write    the same, the second one reads
 *   canary out-of-bounds       a shader stores past the end of its descriptor
 *   canary clean               none of these
 *
 * The instance asks for no layer: validation comes from the environment, as it
 * does for the test suite. Exit status: 0 if the mistake was reported (for
 * clean: nothing was), 1 if not, 2 if the program could not run. */

#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One group of fill.comp fills one buffer. Descriptors cover whole buffers,
 * because Debian 12's layer measures stores against the buffer's end, not
 * against the descriptor's. */
enum
{
  BUFFER_SIZE = 64 * sizeof (uint32_t)
};

typedef enum
{
  WRITE_AFTER_WRITE,
  READ_AFTER_WRITE,
  OUT_OF_BOUNDS,
  CLEAN
} Mistake;

static const char *const mistake_names[] = {
  "write-after-write", "read-after-write", "out-of-bounds", "clean"
};

/* What a message about the mistake must contain. Identifiers and most words
 * differ between versions of the layer. */
static const char *const mistake_texts[] = {
  "WRITE_AFTER_WRITE", "READ_AFTER_WRITE", "out of bounds", ""
};

static const uint32_t fill_spirv[] =
#include "fill.spv.h"
    ;

typedef struct
{
  const char *expected_text;
  unsigned messages;
  unsigned expected_messages;
} Report;

typedef struct
{
  VkDevice device;
  uint32_t queue_family;
  VkQueue queue;

  VkDeviceMemory memory;
  VkBuffer buffer;
  VkBuffer copy;

  VkDescriptorSetLayout set_layout;
  VkDescriptorPool descriptor_pool;
  VkDescriptorSet set;
  VkPipelineLayout pipeline_layout;
  VkPipeline pipeline;

  VkCommandPool command_pool;
} Rig;

static void
give_up (const char *what, int result)
{
  fprintf (stderr, "canary: %s: VkResult %d\n", what, result);
  exit (2);
}

/* *INDENT-OFF* */
#define CHECK(call) \
  do { \
    VkResult result = (call); \
    \
    if (result < 0) \
      give_up (#call, result); \
  } while (0)
/* *INDENT-ON* */

static VKAPI_ATTR VkBool32 VKAPI_CALL
on_message (VkDebugUtilsMessageSeverityFlagBitsEXT severity,
    VkDebugUtilsMessageTypeFlagsEXT types,
    const VkDebugUtilsMessengerCallbackDataEXT * data, void *user_data)
{
  Report *report = user_data;

  (void) severity;
  (void) types;
  report->messages++;
  if (strstr (data->pMessage, report->expected_text) != NULL)
    report->expected_messages++;
  printf ("  %s\n", data->pMessage);
  return VK_FALSE;
}

static VkInstance
create_instance (void)
{
  static const char *const extensions[] = {
    VK_EXT_DEBUG_UTILS_EXTENSION_NAME
  };
  const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .apiVersion = VK_API_VERSION_1_1
  };
  const VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
    .enabledExtensionCount = 1,
    .ppEnabledExtensionNames = extensions
  };
  VkInstance instance;

  CHECK (volkInitialize ());
  CHECK (vkCreateInstance (&info, NULL, &instance));
  volkLoadInstance (instance);
  return instance;
}

static VkDebugUtilsMessengerEXT
listen (VkInstance instance, Report * report)
{
  const VkDebugUtilsMessengerCreateInfoEXT info = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
    .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
    .pfnUserCallback = on_message,
    .pUserData = report
  };
  VkDebugUtilsMessengerEXT messenger;

  CHECK (vkCreateDebugUtilsMessengerEXT (instance, &info, NULL, &messenger));
  return messenger;
}

static uint32_t
find_compute_queue_family (VkPhysicalDevice physical_device)
{
  VkQueueFamilyProperties families[16];
  uint32_t n_families = 16;

  vkGetPhysicalDeviceQueueFamilyProperties (physical_device, &n_families,
      families);
  for (uint32_t i = 0; i < n_families; i++)
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)
      return i;
  give_up ("the device has no compute queue", 0);
  return 0;
}

static void
open_device (Rig * rig, VkInstance instance)
{
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueCount = 1,
    .pQueuePriorities = &priority
  };
  const VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queue_info
  };
  VkCommandPoolCreateInfo pool_info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO
  };
  VkPhysicalDevice physical_device;
  uint32_t n_devices = 1;

  /* VK_INCOMPLETE is no failure. */
  CHECK (vkEnumeratePhysicalDevices (instance, &n_devices, &physical_device));
  if (n_devices == 0)
    give_up ("there is no Vulkan device", 0);
  rig->queue_family = find_compute_queue_family (physical_device);
  queue_info.queueFamilyIndex = rig->queue_family;
  CHECK (vkCreateDevice (physical_device, &info, NULL, &rig->device));
  volkLoadDevice (rig->device);
  vkGetDeviceQueue (rig->device, rig->queue_family, 0, &rig->queue);
  pool_info.queueFamilyIndex = rig->queue_family;
  CHECK (vkCreateCommandPool (rig->device, &pool_info, NULL,
          &rig->command_pool));
}

static VkBuffer
create_buffer (Rig * rig)
{
  const VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .size = BUFFER_SIZE,
    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT
  };
  VkBuffer buffer;

  CHECK (vkCreateBuffer (rig->device, &info, NULL, &buffer));
  return buffer;
}

/* The two buffers lie next to each other in one memory: what is stored past
 * the first one's end lands in the second, so the mistake harms no driver. */
static void
create_buffers (Rig * rig)
{
  VkMemoryRequirements needs;
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
  };
  VkDeviceSize copy_offset;

  rig->buffer = create_buffer (rig);
  rig->copy = create_buffer (rig);
  vkGetBufferMemoryRequirements (rig->device, rig->buffer, &needs);
  copy_offset = (needs.size + needs.alignment - 1) & ~(needs.alignment - 1);
  info.allocationSize = copy_offset + needs.size;
  while (!(needs.memoryTypeBits >> info.memoryTypeIndex & 1))
    info.memoryTypeIndex++;
  CHECK (vkAllocateMemory (rig->device, &info, NULL, &rig->memory));
  CHECK (vkBindBufferMemory (rig->device, rig->buffer, rig->memory, 0));
  CHECK (vkBindBufferMemory (rig->device, rig->copy, rig->memory, copy_offset));
}

static void
create_descriptor_set (Rig * rig)
{
  const VkDescriptorSetLayoutBinding binding = {
    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    .descriptorCount = 1,
    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT
  };
  const VkDescriptorSetLayoutCreateInfo layout_info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
    .bindingCount = 1,
    .pBindings = &binding
  };
  const VkDescriptorPoolSize pool_size = {
    .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    .descriptorCount = 1
  };
  const VkDescriptorPoolCreateInfo pool_info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
    .maxSets = 1,
    .poolSizeCount = 1,
    .pPoolSizes = &pool_size
  };
  VkDescriptorSetAllocateInfo set_info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
    .descriptorSetCount = 1,
    .pSetLayouts = &rig->set_layout
  };
  const VkDescriptorBufferInfo range = {
    .buffer = rig->buffer,
    .range = VK_WHOLE_SIZE
  };
  VkWriteDescriptorSet write = {
    .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
    .descriptorCount = 1,
    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    .pBufferInfo = &range
  };

  CHECK (vkCreateDescriptorSetLayout (rig->device, &layout_info, NULL,
          &rig->set_layout));
  CHECK (vkCreateDescriptorPool (rig->device, &pool_info, NULL,
          &rig->descriptor_pool));
  set_info.descriptorPool = rig->descriptor_pool;
  CHECK (vkAllocateDescriptorSets (rig->device, &set_info, &rig->set));
  write.dstSet = rig->set;
  vkUpdateDescriptorSets (rig->device, 1, &write, 0, NULL);
}

static void
create_pipeline (Rig * rig)
{
  const VkShaderModuleCreateInfo module_info = {
    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
    .codeSize = sizeof fill_spirv,
    .pCode = fill_spirv
  };
  const VkPipelineLayoutCreateInfo layout_info = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
    .setLayoutCount = 1,
    .pSetLayouts = &rig->set_layout
  };
  VkComputePipelineCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
    .stage = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
      .pName = "main"
    }
  };

  CHECK (vkCreateShaderModule (rig->device, &module_info, NULL,
          &info.stage.module));
  CHECK (vkCreatePipelineLayout (rig->device, &layout_info, NULL,
          &rig->pipeline_layout));
  info.layout = rig->pipeline_layout;
  CHECK (vkCreateComputePipelines (rig->device, VK_NULL_HANDLE, 1, &info, NULL,
          &rig->pipeline));
  vkDestroyShaderModule (rig->device, info.stage.module, NULL);
}

static VkCommandBuffer
begin (Rig * rig)
{
  const VkCommandBufferAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
    .commandPool = rig->command_pool,
    .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
    .commandBufferCount = 1
  };
  const VkCommandBufferBeginInfo begin_info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT
  };
  VkCommandBuffer commands;

  CHECK (vkAllocateCommandBuffers (rig->device, &info, &commands));
  CHECK (vkBeginCommandBuffer (commands, &begin_info));
  return commands;
}

static void
submit (Rig * rig, VkCommandBuffer commands)
{
  const VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .commandBufferCount = 1,
    .pCommandBuffers = &commands
  };

  CHECK (vkEndCommandBuffer (commands));
  CHECK (vkQueueSubmit (rig->queue, 1, &info, VK_NULL_HANDLE));
}

static void
record_barrier (VkCommandBuffer commands)
{
  const VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT
  };

  vkCmdPipelineBarrier (commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
      1, &barrier, 0, NULL, 0, NULL);
}

static void
record_fill (Rig * rig, VkCommandBuffer commands, uint32_t n_groups)
{
  vkCmdBindPipeline (commands, VK_PIPELINE_BIND_POINT_COMPUTE, rig->pipeline);
  vkCmdBindDescriptorSets (commands, VK_PIPELINE_BIND_POINT_COMPUTE,
      rig->pipeline_layout, 0, 1, &rig->set, 0, NULL);
  vkCmdDispatch (commands, n_groups, 1, 1);
}

static void
run (Rig * rig, Mistake mistake)
{
  const VkBufferCopy whole = {.size = BUFFER_SIZE};
  bool barrier = mistake == OUT_OF_BOUNDS || mistake == CLEAN;
  VkCommandBuffer commands;

  commands = begin (rig);
  record_fill (rig, commands, 1);
  submit (rig, commands);

  commands = begin (rig);
  if (barrier)
    record_barrier (commands);
  if (mistake != READ_AFTER_WRITE)
    record_fill (rig, commands, mistake == OUT_OF_BOUNDS ? 2 : 1);
  if (barrier)
    record_barrier (commands);
  if (mistake != WRITE_AFTER_WRITE)
    vkCmdCopyBuffer (commands, rig->buffer, rig->copy, 1, &whole);
  submit (rig, commands);

  CHECK (vkDeviceWaitIdle (rig->device));
}

static void
close_device (Rig * rig)
{
  vkDestroyCommandPool (rig->device, rig->command_pool, NULL);
  vkDestroyPipeline (rig->device, rig->pipeline, NULL);
  vkDestroyPipelineLayout (rig->device, rig->pipeline_layout, NULL);
  vkDestroyDescriptorPool (rig->device, rig->descriptor_pool, NULL);
  vkDestroyDescriptorSetLayout (rig->device, rig->set_layout, NULL);
  vkDestroyBuffer (rig->device, rig->copy, NULL);
  vkDestroyBuffer (rig->device, rig->buffer, NULL);
  vkFreeMemory (rig->device, rig->memory, NULL);
  vkDestroyDevice (rig->device, NULL);
}

static Mistake
parse_arguments (int argc, char **argv)
{
  int mistake;

  for (mistake = 0; argc == 2 && mistake <= CLEAN; mistake++) {
    if (strcmp (argv[1], mistake_names[mistake]) == 0)
      return (Mistake) mistake;
  }
  fprintf (stderr, "usage: canary write-after-write | read-after-write | "
      "out-of-bounds | clean\n");
  exit (2);
}

int
main (int argc, char **argv)
{
  Mistake mistake = parse_arguments (argc, argv);
  Report report = {.expected_text = mistake_texts[mistake]};
  VkInstance instance = create_instance ();
  VkDebugUtilsMessengerEXT messenger = listen (instance, &report);
  Rig rig = { 0 };

  open_device (&rig, instance);
  create_buffers (&rig);
  create_descriptor_set (&rig);
  create_pipeline (&rig);
  run (&rig, mistake);
  close_device (&rig);
  vkDestroyDebugUtilsMessengerEXT (instance, messenger, NULL);
  vkDestroyInstance (instance, NULL);

  printf ("%s: %u validation messages, %u as expected\n",
      mistake_names[mistake], report.messages, report.expected_messages);
  return (report.expected_messages > 0) == (mistake != CLEAN) ? 0 : 1;
}
