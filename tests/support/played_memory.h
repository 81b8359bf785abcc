/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices with other memory than those that the tests run on. For one device at a
 * time, which nobody else uses meanwhile. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* A device that was just opened becomes one of AMD, integrated or discrete as @kind
 * has it: its types of memory are those that Mesa's radv lists. In truth all of it is
 * of one type, which the CPU maps. */
void played_memory_be_amd (GpuDevice * device, GpuDeviceKind kind);

/* From now on the driver says of each of @device's heaps, however much of it is taken,
 * that @left bytes are left. */
void played_memory_leave (GpuDevice * device, guint64 left);
/* From now on what it says in truth. */
void played_memory_end (GpuDevice * device);

G_END_DECLS
