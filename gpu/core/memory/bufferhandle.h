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

  GpuBuffer *whole;             /* that this is a part of, or NULL: it has the
                                   handle and the memory */
  gsize offset;                 /* bytes, from its beginning */
};

G_END_DECLS
