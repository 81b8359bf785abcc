/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A device with transfer queues. If it has none, its only queue plays them. */
#pragma once

#include "stream_fixture.h"

G_BEGIN_DECLS

typedef enum
{
  UPLOADS,
  WORK,
  DOWNLOADS,
  N_QUEUES,
} Queue;

/* As setup(), but the stream has four slots. @see: in place of vkQueueSubmit. */
Fixture *transfers_fixture_setup (PFN_vkQueueSubmit see);
/* Which of them @queue is. */
Queue transfers_fixture_find (VkQueue queue);
/* As vkQueueSubmit, by the driver. */
VkResult transfers_fixture_send (VkQueue queue, uint32_t n,
    const VkSubmitInfo * infos, VkFence fence);

/* Submits one step for @work. @from or @to may be NULL: what is not uploaded, or not
 * downloaded. */
void transfers_fixture_work (GpuStream * stream, GpuBuffer * from,
    GpuBuffer * work, GpuBuffer * to, guint addend);

G_END_DECLS
