/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The members of GpuBuffer, for use inside gpu/. */
#pragma once

#include "buffer.h"
#include "heap.h"
#include "gpu/core/device/bindings.h"

G_BEGIN_DECLS

/* What imports are used for (import.h). */
#define GPU_IMPORT_USAGE \
  (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

struct _GpuBuffer
{
  gint refs;
  GpuDevice *device;
  GpuBufferKind kind;
  gsize size;
  VkBuffer handle;
  VkBufferView texels[GPU_N_TEXELS];    /* its bytes, if the device reads texels */
  GpuHeapPiece piece;
  VkDeviceMemory imported;      /* memory of an import, which has no piece */

  GpuBuffer *whole;             /* of a part: the buffer that owns the handle and the
                                   memory; otherwise NULL */
  gsize offset;                 /* of a part: bytes from the start of whole */

  /* Of a whole buffer, on a device with transfer queues (stream/transfers.c): submissions
   * under way that use it, and those that copy it on the download queue. Atomic. */
  gint uses, downloads;
};

G_END_DECLS
