/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "queues.h"

/* Such queues drive the engines that copy. Families that also decode or encode are not for
 * copies. */
static gboolean
only_copies (const VkQueueFamilyProperties * family)
{
  const VkQueueFlags copies = VK_QUEUE_TRANSFER_BIT
      | VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;

  return family->queueFlags & VK_QUEUE_TRANSFER_BIT
      && !(family->queueFlags & ~copies);
}

/* For the work, prefers a family that supports compute but not graphics: on a discrete
 * card, such a queue does not wait for the drawing of the desktop. */
gboolean
gpu_queues_choose (const VkQueueFamilyProperties * list, guint n,
    guint32 * work, guint32 * transfer)
{
  gint best = -1;

  for (guint i = n; i-- > 0;)
    if ((list[i].queueFlags & VK_QUEUE_COMPUTE_BIT)
        && (best < 0 || !(list[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)
            || (list[best].queueFlags & VK_QUEUE_GRAPHICS_BIT)))
      best = i;
  if (best < 0)
    return FALSE;
  *work = *transfer = best;
  for (guint i = n; i-- > 0;)
    if (only_copies (&list[i]) && list[i].queueCount >= GPU_TRANSFER_QUEUES)
      *transfer = i;
  return TRUE;
}
