/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of streams and of recording share. */
#pragma once

#include "gpu/core/stream/stream.h"
#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

#define N 100                   /* words of a buffer: no whole workgroup */

/* A device of its own with a stream, a kernel and two buffers. */
typedef struct
{
  GpuDevice *device;
  GpuStream *stream;
  GpuKernel *kernel;
  GpuBuffer *work;              /* N words, all 0 */
  GpuBuffer *host;              /* the same */
} Fixture;

extern Fixture the_fixture;     /* hooks have no other way to it */

Fixture *setup (guint n_slots);
/* The same for @device, which it takes over. */
Fixture *setup_on (GpuDevice * device, guint n_slots);
/* Nothing may be left of what the test made on the device. */
void teardown (Fixture * fixture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, teardown)

/* These succeed, or the test fails. */
GpuStream *new_stream (GpuDevice * device, guint n_slots);
GpuBuffer *new_buffer (GpuDevice * device, GpuBufferKind kind, guint words);
void begin (GpuStream * stream);
void submit (GpuStream * stream, GpuTicket * ticket);
void wait_idle (GpuStream * stream);

/* Records one step and where its word 0 goes to. */
void record_step (Fixture * fixture, GpuStream * stream, guint addend,
    guint word);
/* A submission of one. */
void do_step (Fixture * fixture, guint addend, guint word, GpuTicket * ticket);
guint32 host_word (Fixture * fixture, guint word);

/* In place of vkCreateDescriptorPool. */
VkResult VKAPI_CALL refuse_pool (VkDevice device,
    const VkDescriptorPoolCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkDescriptorPool * pool);

G_END_DECLS
