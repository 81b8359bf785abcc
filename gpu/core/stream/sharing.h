/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which streams of a device have submitted work lately: where another has, each of
 * them is to leave the device to the other often. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* @stream submits work now. With the queue's lock held. */
void gpu_sharing_note (GpuDevice * device, gconstpointer stream);

/* Who is gone has no work that others would have to make room for. Takes the queue's
 * lock. */
void gpu_sharing_forget (GpuDevice * device, gconstpointer stream);

/* Whether another stream than @stream has submitted work lately. Takes the queue's lock;
 * not with the stream's lock held. */
gboolean gpu_sharing_is_shared (GpuDevice * device, gconstpointer stream);

G_END_DECLS
