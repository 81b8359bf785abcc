/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stream_fixture.h"

#include "affine.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"

Fixture the_fixture;

GpuStream *
new_stream (GpuDevice * device, guint n_slots)
{
  return OK (gpu_stream_new (device, n_slots, "test", &error));
}

GpuBuffer *
new_buffer (GpuDevice * device, GpuBufferKind kind, guint words)
{
  return OK (gpu_buffer_new (device, kind, words * 4, "test", &error));
}

void
begin (GpuStream * stream)
{
  OK (gpu_stream_begin (stream, &error));
}

void
submit (GpuStream * stream, GpuTicket * ticket)
{
  OK (gpu_stream_submit (stream, ticket, &error));
}

void
wait_idle (GpuStream * stream)
{
  OK (gpu_stream_wait_idle (stream, &error));
}

Fixture *
setup (guint n_slots)
{
  return setup_on (gpu_fixture_open_another (), n_slots);
}

Fixture *
setup_on (GpuDevice * device, guint n_slots)
{
  Fixture *fixture = &the_fixture;

  fixture->device = device;
  gpu_hooks_install (fixture->device);
  fixture->stream = new_stream (fixture->device, n_slots);
  fixture->kernel = affine_kernel_get (fixture->device);
  fixture->work = new_buffer (fixture->device, GPU_BUFFER_DEVICE, N);
  fixture->host = new_buffer (fixture->device, GPU_BUFFER_HOST, N);
  begin (fixture->stream);
  gpu_stream_fill (fixture->stream, fixture->work, 0, N * 4, 0);
  gpu_stream_fill (fixture->stream, fixture->host, 0, N * 4, 0);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  return fixture;
}

void
teardown (Fixture * fixture)
{
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  g_clear_pointer (&fixture->work, gpu_buffer_unref);
  g_clear_pointer (&fixture->host, gpu_buffer_unref);
  g_assert_cmpint (gpu_hooks_get_alive (), ==, 0);
  g_clear_pointer (&fixture->device, gpu_device_unref);
}

void
record_step (Fixture * fixture, GpuStream * stream, guint addend, guint word)
{
  affine_record (stream, fixture->kernel, fixture->work, N, addend);
  gpu_stream_copy (stream, fixture->work, 0, fixture->host, word * 4, 4);
}

void
do_step (Fixture * fixture, guint addend, guint word, GpuTicket * ticket)
{
  begin (fixture->stream);
  record_step (fixture, fixture->stream, addend, word);
  submit (fixture->stream, ticket);
}

guint32
host_word (Fixture * fixture, guint word)
{
  gpu_buffer_invalidate (fixture->host, NULL);
  return ((guint32 *) gpu_buffer_get_data (fixture->host))[word];
}

VkResult VKAPI_CALL
refuse_pool (VkDevice device, const VkDescriptorPoolCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkDescriptorPool * pool)
{
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}
