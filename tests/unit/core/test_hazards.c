/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where a recording has barriers: counted, as nothing else tells that one is missing. */
#include "affine.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/core/kernel/kernelhandle.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "shaders.h"
#include "tests.h"

static guint barriers, for_counts;
static VkPipelineStageFlags last_stage;
static VkAccessFlags last_access;

static void VKAPI_CALL
see_barrier (VkCommandBuffer commands, VkPipelineStageFlags from,
    VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t n_memory,
    const VkMemoryBarrier * memory, uint32_t n_buffers,
    const VkBufferMemoryBarrier * buffers, uint32_t n_images,
    const VkImageMemoryBarrier * images)
{
  g_assert_cmpuint (n_memory, ==, 1);
  barriers++;
  last_stage = to;
  last_access = memory->dstAccessMask;
  for_counts += (to & VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT) != 0;
  gpu_hooks_get_driver ()->vkCmdPipelineBarrier (commands, from, to, flags,
      n_memory, memory, n_buffers, buffers, n_images, images);
}

static Fixture *
setup_counted (void)
{
  Fixture *fixture = setup (2);

  fixture->device->vk.vkCmdPipelineBarrier = see_barrier;
  begin (fixture->stream);
  barriers = for_counts = 0;
  return fixture;
}

static void
teardown_counted (Fixture * fixture)
{
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  teardown (fixture);
}

/* Each row is a command; the number of barriers after it. W: fill of @at to @end of @buffer;
 * R: copy of it to a buffer that nothing else uses. */
TEST (ranges)
{
  static const struct
  {
    gchar act;
    guint buffer, at, end, barriers;
  } commands[] = {
    {'W', 0, 0, 16, 0},
    {'W', 0, 16, 32, 0},        /* other bytes */
    {'W', 1, 0, 16, 0},         /* another buffer */
    {'R', 0, 32, 64, 0},        /* nobody wrote these */
    {'R', 0, 12, 20, 1},        /* read after write */
    {'R', 0, 12, 20, 1},        /* reads may meet */
    {'R', 1, 0, 16, 1},         /* that barrier was for all */
    {'W', 0, 16, 20, 2},        /* write after read */
    {'W', 0, 0, 64, 3},         /* write after write */
    {'W', 1, 0, 64, 3},
    {'W', 1, 60, 64, 4},
  };
  Fixture *fixture = setup_counted ();
  g_autoptr (GpuBuffer) sink =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, 1024);
  GpuBuffer *buffers[] = { fixture->work, fixture->host };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    const guint at = commands[i].at, size = commands[i].end - at;
    GpuBuffer *buffer = buffers[commands[i].buffer];

    if (commands[i].act == 'W')
      gpu_stream_fill (fixture->stream, buffer, at, size, 0);
    else
      gpu_stream_copy (fixture->stream, buffer, at, sink, i * 64, size);
    g_assert_cmpuint (barriers, ==, commands[i].barriers);
  }
  g_assert_cmpuint (for_counts, ==, 0);
  g_clear_pointer (&sink, gpu_buffer_unref);
  teardown_counted (fixture);
}

/* A shader that reads one buffer and writes another. */
static void
record_totals (Fixture * fixture, GpuKernel * kernel, GpuBuffer * input,
    GpuBuffer * totals)
{
  const GpuDispatch dispatch = {
    .kernel = kernel,
    .buffers = {
      [SCAN_TOTALS_INPUT] = input,
      [SCAN_TOTALS_TOTALS] = totals,
    },
    .push = &(GpuScanTotalsPush) {N, 0},
  };

  gpu_stream_dispatch (fixture->stream, &dispatch, 1, 1, 1);
}

/* Of a dispatch only the bindings that its shader writes are written; parts of a buffer are
 * others if they do not overlap. */
TEST (bindings)
{
  Fixture *fixture = setup_counted ();
  const guint32 per_thread = 4;
  GpuKernel *kernel =
      OK (gpu_kernel_request (fixture->device, &gpu_shader_scan_totals,
          &per_thread, 1, GPU_KERNEL_SOON, &error));
  g_autoptr (GpuBuffer) large =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, 256);
  g_autoptr (GpuBuffer) head = OK (gpu_buffer_new_part (large, 0, 512, &error));
  g_autoptr (GpuBuffer) tail =
      OK (gpu_buffer_new_part (large, 512, 512, &error));

  record_totals (fixture, kernel, fixture->work, head);
  record_totals (fixture, kernel, fixture->work, tail);
  g_assert_cmpuint (barriers, ==, 0);
  gpu_stream_copy (fixture->stream, large, 512, fixture->host, 0, 4);
  g_assert_cmpuint (barriers, ==, 1);
  gpu_stream_fill (fixture->stream, fixture->work, 0, N * 4, 0);
  g_assert_cmpuint (barriers, ==, 1);
  record_totals (fixture, kernel, fixture->work, head);
  g_assert_cmpuint (barriers, ==, 2);
  record_totals (fixture, kernel, fixture->work, head);
  g_assert_cmpuint (barriers, ==, 3);
  g_clear_pointer (&head, gpu_buffer_unref);
  g_clear_pointer (&tail, gpu_buffer_unref);
  g_clear_pointer (&large, gpu_buffer_unref);
  teardown_counted (fixture);
}

static void
step (Fixture * fixture)
{
  affine_record (fixture->stream, fixture->kernel, fixture->work, N, 1);
}

/* Commands that are declared disjoint wait for what was before, and what comes after waits for
 * them. */
TEST (disjoint)
{
  Fixture *fixture = setup_counted ();

  step (fixture);
  gpu_stream_begin_disjoint (fixture->stream);
  step (fixture);
  g_assert_cmpuint (barriers, ==, 1);
  gpu_stream_begin_disjoint (fixture->stream);
  step (fixture);
  gpu_stream_end_disjoint (fixture->stream);
  step (fixture);
  g_assert_cmpuint (barriers, ==, 1);
  gpu_stream_end_disjoint (fixture->stream);
  step (fixture);
  g_assert_cmpuint (barriers, ==, 2);
  gpu_stream_begin_disjoint (fixture->stream);
  gpu_stream_abandon (fixture->stream);
  begin (fixture->stream);
  barriers = 0;
  step (fixture);
  step (fixture);
  g_assert_cmpuint (barriers, ==, 1);
  teardown_counted (fixture);
}

/* Pieces of one work are disjoint; what comes after them waits. */
TEST (pieces)
{
  Fixture *fixture = setup_counted ();

  for (guint i = 0; i < 2; i++) {
    GpuPieces pieces = {.units = 1, .n = 3, .step = 1, .most = 1,
      .is_in_place = i};

    barriers = 0;
    step (fixture);
    while (gpu_pieces_next (&pieces, fixture->stream))
      step (fixture);
    g_assert_cmpuint (barriers, ==, i + (i ? 3 : 1));
    step (fixture);
    g_assert_cmpuint (barriers, ==, i + (i ? 4 : 2));
    g_assert_cmpuint (fixture->stream->hazards.disjoint, ==, 0);
  }
  teardown_counted (fixture);
}

/* Numbers of workgroups need a barrier of their own, however many others are between. */
TEST (counts)
{
  static const guint32 groups[] = { 1, 1, 1, 1, 1, 1 };
  Fixture *fixture = setup_counted ();
  g_autoptr (GpuBuffer) counts =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, 6);
  const AffineGroups first = { counts, 0 }, second = { counts, 12 };

  gpu_stream_write (fixture->stream, counts, 0, groups, sizeof groups);
  step (fixture);
  step (fixture);
  g_assert_cmpuint (barriers, ==, 1);
  g_assert_cmpuint (for_counts, ==, 0);
  affine_record_indirect (fixture->stream, fixture->kernel, fixture->work, N,
      1, &first);
  g_assert_cmpuint (barriers, ==, 2);
  g_assert_cmpuint (for_counts, ==, 1);
  affine_record_indirect (fixture->stream, fixture->kernel, fixture->work, N,
      1, &second);
  g_assert_cmpuint (barriers, ==, 3);
  g_assert_cmpuint (for_counts, ==, 1);
  gpu_stream_write (fixture->stream, counts, 0, groups, 12);
  g_assert_cmpuint (barriers, ==, 3);
  affine_record_indirect (fixture->stream, fixture->kernel, fixture->work, N,
      1, &second);
  g_assert_cmpuint (for_counts, ==, 1);
  affine_record_indirect (fixture->stream, fixture->kernel, fixture->work, N,
      1, &first);
  g_assert_cmpuint (for_counts, ==, 2);
  g_clear_pointer (&counts, gpu_buffer_unref);
  teardown_counted (fixture);
}

/* --- the CPU --- */

/* A fence alone does not make results visible to the CPU. */
TEST (host)
{
  g_autoptr (Fixture) fixture = setup (1);

  fixture->device->vk.vkCmdPipelineBarrier = see_barrier;
  do_step (fixture, 1, 0, NULL);
  g_assert_cmpuint (last_stage, ==, VK_PIPELINE_STAGE_HOST_BIT);
  /* What the CPU writes next must not be undone by a late write either. */
  g_assert_cmpuint (last_access, ==,
      VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT);
}

GPU_FIXTURE_MAIN ("/hazards/", gpu_fixture_add_test)
