/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of other devices and programs, as buffers: dma-bufs, by which drivers of Linux share
 * memory. Vulkan has them by VK_EXT_external_memory_dma_buf. */
#pragma once

#include "buffer.h"

G_BEGIN_DECLS

/* Returns a new buffer of all bytes of the dma-buf @fd, which stays the caller's; the buffer
 * keeps the memory. Only gpu_stream_copy() may use it. Outside of these copies the memory
 * belongs to other devices: they have written it before the submission, and may use it again
 * when that is done. Returns NULL with @error set on failure: UNSUPPORTED if the device cannot
 * have this memory; OUT_OF_MEMORY, LOST, FAILED, or as gpu_process_enter(). The caller owns the
 * reference. This is slow: do not call it for every frame. */
GpuBuffer *gpu_buffer_import (GpuDevice * device, gint fd, GError ** error);

G_END_DECLS
