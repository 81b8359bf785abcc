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

/* Images that others have, too (stream/sharedimage.h): their formats, by the bytes of a texel, and
 * what they are used for. GL wants to draw to what it can copy to. */
#define GPU_SHARED_IMAGE_FORMATS { \
  [1] = VK_FORMAT_R8_UNORM, \
  [2] = VK_FORMAT_R8G8_UNORM, \
  [4] = VK_FORMAT_R8G8B8A8_UNORM, \
}
#define GPU_SHARED_IMAGE_USAGE \
  (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT \
      | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)

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
