/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A buffer as the other files of gpu/ see it. */
#pragma once

#include "buffer.h"
#include "heap.h"

G_BEGIN_DECLS

struct _GpuBuffer
{
  gint refs;
  GpuDevice *device;
  GpuBufferKind kind;
  gsize size;
  VkBuffer handle;
  GpuHeapPiece piece;
};

G_END_DECLS
