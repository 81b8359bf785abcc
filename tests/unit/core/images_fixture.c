/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "images_fixture.h"

#include <string.h>

/* --- memory --- */

static VkDeviceMemory
allocate (const VkMemoryRequirements * needs, VkMemoryPropertyFlags flags)
{
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .allocationSize = needs->size,
  };
  VkPhysicalDeviceMemoryProperties types;
  VkDeviceMemory memory;

  THEIRS (vkGetPhysicalDeviceMemoryProperties) (theirs.physical, &types);
  while (!(needs->memoryTypeBits >> info.memoryTypeIndex & 1)
      || flags & ~types.memoryTypes[info.memoryTypeIndex].propertyFlags)
    info.memoryTypeIndex++;
  g_assert_cmpuint (info.memoryTypeIndex, <, types.memoryTypeCount);
  VULKAN (theirs.vk.vkAllocateMemory (theirs.device, &info, NULL, &memory));
  return memory;
}

/* Bytes that the CPU and the device see. */
typedef struct
{
  VkBuffer buffer;
  VkDeviceMemory memory;
  gpointer data;
} Staging;

static Staging
new_staging (gsize size)
{
  const VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .size = size,
    .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT
        | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
  };
  const struct VolkDeviceTable *vk = &theirs.vk;
  VkMemoryRequirements needs;
  Staging staging;

  VULKAN (vk->vkCreateBuffer (theirs.device, &info, NULL, &staging.buffer));
  vk->vkGetBufferMemoryRequirements (theirs.device, staging.buffer, &needs);
  staging.memory = allocate (&needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
      | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  VULKAN (vk->vkBindBufferMemory (theirs.device, staging.buffer,
          staging.memory, 0));
  VULKAN (vk->vkMapMemory (theirs.device, staging.memory, 0, size, 0,
          &staging.data));
  return staging;
}

static void
free_staging (const Staging * staging)
{
  theirs.vk.vkDestroyBuffer (theirs.device, staging->buffer, NULL);
  theirs.vk.vkFreeMemory (theirs.device, staging->memory, NULL);
}

/* --- commands --- */

typedef struct
{
  VkCommandPool pool;
  VkCommandBuffer buffer;
} Commands;

static Commands
begin_commands (void)
{
  const VkCommandPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
    .queueFamilyIndex = theirs.family,
  };
  VkCommandBufferAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
    .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
    .commandBufferCount = 1,
  };
  const VkCommandBufferBeginInfo begin = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
  };
  const struct VolkDeviceTable *vk = &theirs.vk;
  Commands commands;

  VULKAN (vk->vkCreateCommandPool (theirs.device, &pool, NULL, &commands.pool));
  info.commandPool = commands.pool;
  VULKAN (vk->vkAllocateCommandBuffers (theirs.device, &info,
          &commands.buffer));
  VULKAN (vk->vkBeginCommandBuffer (commands.buffer, &begin));
  return commands;
}

/* Returns when all is done. */
static void
run_commands (const Commands * commands)
{
  const VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .commandBufferCount = 1,
    .pCommandBuffers = &commands->buffer,
  };
  const struct VolkDeviceTable *vk = &theirs.vk;

  VULKAN (vk->vkEndCommandBuffer (commands->buffer));
  theirs_lock ();
  VULKAN (vk->vkQueueSubmit (theirs.queue, 1, &info, VK_NULL_HANDLE));
  VULKAN (vk->vkQueueWaitIdle (theirs.queue));
  theirs_unlock ();
  vk->vkDestroyCommandPool (theirs.device, commands->pool, NULL);
}

/* --- images --- */

gboolean
their_format_is_copied (VkFormat format)
{
  const VkFormatFeatureFlags copies = VK_FORMAT_FEATURE_TRANSFER_SRC_BIT
      | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
  VkFormatProperties properties;

  THEIRS (vkGetPhysicalDeviceFormatProperties) (theirs.physical, format,
      &properties);
  return !(copies & ~properties.optimalTilingFeatures);
}

TheirImage
their_image_new (VkFormat format, guint width, guint height, guint layers)
{
  const VkImageCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
    .imageType = VK_IMAGE_TYPE_2D,
    .format = format,
    .extent = {width, height, 1},
    .mipLevels = 1,
    .arrayLayers = layers,
    .samples = VK_SAMPLE_COUNT_1_BIT,
    .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT
        | VK_IMAGE_USAGE_SAMPLED_BIT,
  };
  const struct VolkDeviceTable *vk = &theirs.vk;
  VkMemoryRequirements needs;
  TheirImage image;

  VULKAN (vk->vkCreateImage (theirs.device, &info, NULL, &image.image));
  vk->vkGetImageMemoryRequirements (theirs.device, image.image, &needs);
  image.memory = allocate (&needs, 0);
  VULKAN (vk->vkBindImageMemory (theirs.device, image.image, image.memory, 0));
  return image;
}

void
their_image_free (const TheirImage * image)
{
  theirs.vk.vkDestroyImage (theirs.device, image->image, NULL);
  theirs.vk.vkFreeMemory (theirs.device, image->memory, NULL);
}

void
their_image_set_layout (GpuImage * image, VkImageLayout layout)
{
  const VkImageMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    .oldLayout = image->layout,
    .newLayout = layout,
    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
    .image = image->handle,
    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, image->layer, 1},
  };
  const Commands commands = begin_commands ();

  theirs.vk.vkCmdPipelineBarrier (commands.buffer,
      VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
      0, 0, NULL, 0, NULL, 1, &barrier);
  run_commands (&commands);
  image->layout = layout;
}

/* --- planes --- */

gsize
plane_get_size (const Plane * plane)
{
  return (gsize) plane->width * plane->height * plane->texel;
}

static VkBufferImageCopy
copy_of (const GpuImage * image, const Plane * plane)
{
  return (VkBufferImageCopy) {
    .imageSubresource = {plane->aspect, 0, image->layer, 1},
    .imageExtent = {plane->width, plane->height, 1},
  };
}

void
their_image_write (const GpuImage * image, const Plane * plane,
    const guint8 * bytes)
{
  const VkBufferImageCopy copy = copy_of (image, plane);
  const Staging staging = new_staging (plane_get_size (plane));
  const Commands commands = begin_commands ();

  memcpy (staging.data, bytes, plane_get_size (plane));
  theirs.vk.vkCmdCopyBufferToImage (commands.buffer, staging.buffer,
      image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  run_commands (&commands);
  free_staging (&staging);
}

void
their_image_read (const GpuImage * image, const Plane * plane, guint8 * bytes)
{
  const VkBufferImageCopy copy = copy_of (image, plane);
  const VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
  };
  const Staging staging = new_staging (plane_get_size (plane));
  const Commands commands = begin_commands ();

  theirs.vk.vkCmdCopyImageToBuffer (commands.buffer, image->handle,
      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, staging.buffer, 1, &copy);
  theirs.vk.vkCmdPipelineBarrier (commands.buffer,
      VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
      &barrier, 0, NULL, 0, NULL);
  run_commands (&commands);
  memcpy (bytes, staging.data, plane_get_size (plane));
  free_staging (&staging);
}
