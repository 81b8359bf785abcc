/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that others lend. A memfd serves as a dma-buf: Mesa's CPU device maps it (25.0). */
#pragma once

#include "element_fixture.h"

#include "gpu/core/device/vulkan.h"

#include <gst/allocators/gstdmabuf.h>
#include <poll.h>

G_BEGIN_DECLS

/* Makes dma-bufs, also for pools; owned by the fixture. */
GstAllocator *dmabuf_allocator (void);
GstMemory *dmabuf_new_memory (gsize size);
extern gboolean dmabuf_lacks_memory;    /* it makes none */

/* Whether the device of the fixture can import them; if not, tests that need it are skipped. */
gboolean dmabuf_can_import (void);

/* Of main(): devices are no CPU devices, and single elements share the fixture's. */
void dmabuf_begin (void);

/* What drivers are asked before an import: from now on @device answers @result, or if that is
 * VK_SUCCESS, as its driver does. Counts. */
void dmabuf_set_answer (GpuDevice * device, VkResult result);
extern guint dmabuf_n_imports;

/* A dma-buf that others use: poll() does not find it ready for @events, so many times. */
typedef struct
{
  gint fd;                      /* 0: none */
  gshort events;
  gint waits;                   /* counts down */
  gboolean is_interrupted;      /* by a signal, once */
  GstHarness *flushed;          /* meanwhile; or NULL */
} DmabufUse;

extern DmabufUse dmabuf_use;

G_END_DECLS
