/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a recording may hold, keeps alive, and does when something fails. */
#include "affine.h"
#include "gpu/core/memory/bufferhandle.h"
#include "gpu/core/kernel/kernelhandle.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "test_shaders.h"
#include "tests.h"

#include <string.h>

/* --- parts of buffers --- */

/* Three dispatches on two parts of one buffer, of which the second has the third
 * of them, too. */
TEST (parts)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_autoptr (GpuBuffer) large =
      OK (gpu_buffer_new_large (fixture->device, GPU_BUFFER_DEVICE, 512 + 8,
          "a test", &error));
  GpuBuffer *parts[2];

  begin (fixture->stream);
  gpu_stream_fill (fixture->stream, large, 0, 512 + 8, 0);
  parts[0] = OK (gpu_buffer_new_part (large, 256, 8, &error));
  parts[1] = OK (gpu_buffer_new_part (large, 512, 8, &error));
  affine_record (fixture->stream, fixture->kernel, parts[0], 1, 5);
  affine_record (fixture->stream, fixture->kernel, parts[1], 1, 7);
  affine_record (fixture->stream, fixture->kernel, parts[1], 2, 1);
  /* The stream keeps them, and they the whole. */
  gpu_buffer_unref (parts[0]);
  gpu_buffer_unref (parts[1]);
  g_assert_cmpint (large->refs, >, 1);
  gpu_stream_copy (fixture->stream, large, 0, fixture->host, 0, 4);
  gpu_stream_copy (fixture->stream, large, 256, fixture->host, 4, 8);
  gpu_stream_copy (fixture->stream, large, 512, fixture->host, 12, 8);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, 0);
  g_assert_cmpuint (host_word (fixture, 1), ==, 5);
  g_assert_cmpuint (host_word (fixture, 2), ==, 0);
  g_assert_cmpuint (host_word (fixture, 3), ==, 22);
  g_assert_cmpuint (host_word (fixture, 4), ==, 1);
  gpu_stream_unref (g_steal_pointer (&fixture->stream));
  g_assert_cmpint (large->refs, ==, 1);
  fixture->stream = new_stream (fixture->device, 2);
}

/* A large buffer is bound in parts alone. */
TEST (too_large)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_autoptr (GError) error = NULL;
  GpuBuffer *large, *part;

  fixture->device->info.max_binding = 1000;
  g_assert_null (gpu_buffer_new (fixture->device, GPU_BUFFER_DEVICE, 1004,
          "a test", NULL));
  large = gpu_buffer_new_large (fixture->device, GPU_BUFFER_DEVICE, 1004,
      "a test", &error);
  g_assert_no_error (error);
  part = gpu_buffer_new_part (large, 0, 1000, &error);
  begin (fixture->stream);
  affine_record (fixture->stream, fixture->kernel, part, 1, 7);
  submit (fixture->stream, NULL);
  begin (fixture->stream);
  affine_record (fixture->stream, fixture->kernel, large, 1, 7);
  g_assert_false (gpu_stream_submit (fixture->stream, NULL, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "binds at most 1000"));
  gpu_buffer_unref (part);
  gpu_buffer_unref (large);
}

/* --- errors and abandoned recordings --- */

static guint commands_seen;

static void VKAPI_CALL
see_dispatch (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
  commands_seen++;
  gpu_hooks_get_driver ()->vkCmdDispatch (commands, x, y, z);
}

static void VKAPI_CALL
see_fill (VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
    VkDeviceSize size, uint32_t word)
{
  commands_seen++;
  gpu_hooks_get_driver ()->vkCmdFillBuffer (commands, buffer, offset, size,
      word);
}

static void
check_too_many_groups (guint axis)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_autoptr (GError) error = NULL;
  guint groups[] = { 1, 1, 1 };
  GpuTicket ticket = { NULL };
  const GpuDispatch affine = {
    .kernel = fixture->kernel,
    .buffers = {[AFFINE_WORDS] = fixture->work},
    .push = &(GpuAffinePush) {N, 1},
  };

  fixture->device->info.max_groups[axis] = 10;
  groups[axis] = 11;
  fixture->device->vk.vkCmdDispatch = see_dispatch;
  fixture->device->vk.vkCmdFillBuffer = see_fill;
  commands_seen = 0;
  begin (fixture->stream);
  affine_record (fixture->stream, fixture->kernel, fixture->work, N, 7);
  gpu_stream_dispatch (fixture->stream, &affine, groups[0], groups[1],
      groups[2]);
  /* What comes after an error is not recorded. */
  record_step (fixture, fixture->stream, 9, 0);
  gpu_stream_fill (fixture->stream, fixture->host, 0, 4, 5);
  g_assert_cmpuint (commands_seen, ==, 1);
  g_assert_false (gpu_stream_submit (fixture->stream, &ticket, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "affine"));
  g_assert_null (ticket.stream);
  g_assert_cmpint (fixture->work->refs, ==, 1);
  g_assert_false (gpu_device_is_lost (fixture->device));

  do_step (fixture, 4, 0, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, 4);
}

static void
check_incomplete (const GpuDispatch * incomplete, Fixture * fixture,
    const gchar * words)
{
  g_autoptr (GError) error = NULL;

  fixture->device->vk.vkCmdDispatch = see_dispatch;
  commands_seen = 0;
  begin (fixture->stream);
  gpu_stream_dispatch (fixture->stream, incomplete, 1, 1, 1);
  g_assert_cmpuint (commands_seen, ==, 0);
  g_assert_false (gpu_stream_submit (fixture->stream, NULL, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, words));
}

/* A dispatch has all that its shader looks at. */
TEST (incomplete)
{
  g_autoptr (Fixture) fixture = setup (2);
  const GpuDispatch without_buffer = {
    .kernel = fixture->kernel,
    .push = &(GpuAffinePush) {N, 1},
  };
  const GpuDispatch without_push = {
    .kernel = fixture->kernel,
    .buffers = {[AFFINE_WORDS] = fixture->work},
  };

  check_incomplete (&without_buffer, fixture, "affine was given no buffer");
  check_incomplete (&without_push, fixture, "no push constants");
}

TEST (too_many_groups)
{
  for (guint axis = 0; axis < 3; axis++)
    check_too_many_groups (axis);
}

TEST (abandon)
{
  g_autoptr (Fixture) fixture = setup (2);

  for (guint i = 0; i < 5; i++) {
    begin (fixture->stream);
    record_step (fixture, fixture->stream, 1, 0);
    g_assert_cmpint (fixture->work->refs, >, 1);
    gpu_stream_abandon (fixture->stream);
    g_assert_cmpint (fixture->work->refs, ==, 1);
  }
  /* Nothing to abandon is fine. */
  gpu_stream_abandon (fixture->stream);
  do_step (fixture, 6, 0, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, 6);

  /* A stream that goes while it records. */
  begin (fixture->stream);
  record_step (fixture, fixture->stream, 1, 0);
}

/* The stream alone keeps what the device still needs. */
TEST (references)
{
  g_autoptr (Fixture) fixture = setup (2);

  do_step (fixture, 8, 0, NULL);
  g_assert_cmpint (fixture->work->refs, ==, 3);
  g_assert_cmpint (fixture->host->refs, ==, 2);
  gpu_buffer_unref (fixture->work);
  fixture->work = NULL;
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, 8);
  g_assert_cmpint (fixture->host->refs, ==, 1);
}

/* Drivers may take long to free memory. */
static PFN_vkFreeMemory free_really;
static gboolean is_locked_while_freeing;
static guint frees;

static void VKAPI_CALL
free_memory (VkDevice device, VkDeviceMemory memory,
    const VkAllocationCallbacks * allocator)
{
  GMutex *lock = &the_fixture.stream->lock;

  frees++;
  if (g_mutex_trylock (lock))
    g_mutex_unlock (lock);
  else
    is_locked_while_freeing = TRUE;
  free_really (device, memory, allocator);
}

/* Of a buffer that a recording alone refers to. It is larger than a block of memory,
 * so that it has its own. */
static void
record_large (Fixture * fixture)
{
  g_autoptr (GpuBuffer) large =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, 17 << 20);

  begin (fixture->stream);
  gpu_stream_fill (fixture->stream, large, 0, 4, 0);
}

/* Whoever finds that work is done frees what it alone needed, while others can go
 * on. */
TEST (freeing)
{
  g_autoptr (Fixture) fixture = setup (1);
  g_auto (GpuTicket) ticket = { NULL };

  is_locked_while_freeing = FALSE;
  frees = 0;
  free_really = fixture->device->vk.vkFreeMemory;
  fixture->device->vk.vkFreeMemory = free_memory;
  record_large (fixture);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (frees, ==, 1);
  record_large (fixture);
  submit (fixture->stream, &ticket);
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  g_assert_cmpuint (frees, ==, 2);
  record_large (fixture);
  submit (fixture->stream, NULL);
  record_large (fixture);
  g_assert_cmpuint (frees, ==, 3);
  gpu_stream_abandon (fixture->stream);
  g_assert_cmpuint (frees, ==, 4);
  g_assert_false (is_locked_while_freeing);
  fixture->device->vk.vkFreeMemory = free_really;
}

/* --- what can be recorded --- */

TEST (commands)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_autoptr (GpuBuffer) large =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, 16384);
  g_autoptr (GpuBuffer) result =
      new_buffer (fixture->device, GPU_BUFFER_HOST, 16384);
  guint32 words[16384];
  const GpuDispatch affine = {
    .kernel = fixture->kernel,
    .buffers = {[AFFINE_WORDS] = large},
    .push = &(GpuAffinePush) {N, 1},
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    words[i] = i;
  begin (fixture->stream);
  gpu_stream_write (fixture->stream, large, 0, words, sizeof words);
  gpu_stream_fill (fixture->stream, large, 40, 8, 0x01020304);
  gpu_stream_copy (fixture->stream, large, 8, result, 4, 65528);
  gpu_stream_copy (fixture->stream, large, 0, result, 0, 4);
  gpu_stream_copy (fixture->stream, large, 0, result, 65532, 4);
  /* None of these does anything, nor is one of them an error. */
  gpu_stream_fill (fixture->stream, large, 0, 0, 1);
  gpu_stream_copy (fixture->stream, large, 0, result, 0, 0);
  gpu_stream_write (fixture->stream, large, 0, words, 0);
  gpu_stream_dispatch (fixture->stream, &affine, 0, 1, 1);
  gpu_stream_dispatch (fixture->stream, &affine, 1, 0, 1);
  gpu_stream_dispatch (fixture->stream, &affine, 1, 1, 0);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  gpu_buffer_invalidate (result, NULL);
  words[10] = words[11] = 0x01020304;
  memmove (words + 1, words + 2, 65528);
  words[16383] = 0;
  g_assert_cmpmem (gpu_buffer_get_data (result), 65536, words, 65536);
}

/* The numbers of groups come from the device, written just before. Nobody else
 * holds them while they are read. */
TEST (indirect)
{
  g_autoptr (Fixture) fixture = setup (2);
  static const guint32 groups[] = { 99, 1, 1, 1, 0, 1, 1 };
  g_autoptr (GpuBuffer) counts =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, 7);
  const AffineGroups one = { counts, 4 }, none = { counts, 16 };
  GpuTimings timings;

  gpu_stream_next_frame (fixture->stream);
  begin (fixture->stream);
  gpu_stream_stage (fixture->stream, "write");
  gpu_stream_write (fixture->stream, counts, 0, groups, sizeof groups);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpint (counts->refs, ==, 1);
  begin (fixture->stream);
  gpu_stream_stage (fixture->stream, "indirect");
  affine_record_indirect (fixture->stream, fixture->kernel, fixture->work, N,
      7, &one);
  affine_record_indirect (fixture->stream, fixture->kernel, fixture->work, N,
      9, &none);
  gpu_stream_copy (fixture->stream, fixture->work, 0, fixture->host, 0, N * 4);
  submit (fixture->stream, NULL);
  g_assert_cmpint (counts->refs, >, 1);
  g_clear_pointer (&counts, gpu_buffer_unref);
  wait_idle (fixture->stream);
  /* One group of 64 of the first, none of the second. */
  for (guint i = 0; i < N; i++)
    g_assert_cmpuint (host_word (fixture, i), ==, i < 64 ? 7 : 0);
  gpu_stream_get_timings (fixture->stream, &timings);
  g_assert_cmpuint (timings.stages[1].dispatches, ==, 2);
}

/* --- nothing is made once a stream runs --- */

/* As many descriptor sets as dispatches: neighbours differ in their buffer. */
static void
record_alternating (Fixture * fixture, GpuBuffer * other, guint n)
{
  for (guint i = 0; i < n; i++)
    affine_record (fixture->stream, fixture->kernel,
        i % 2 ? other : fixture->work, N, i / 2);
}

TEST (steady_state)
{
  g_autoptr (Fixture) fixture = setup (3);
  static const guint32 groups[] = { 1, 1, 1 };
  g_autoptr (GpuBuffer) other =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, N);
  g_autoptr (GpuBuffer) counts =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, 3);
  const AffineGroups one = { counts, 0 };
  guint made = 0;

  for (guint frame = 0; frame < 120; frame++) {
    if (frame == 20)
      made = gpu_hooks_get_made ();
    gpu_stream_next_frame (fixture->stream);
    begin (fixture->stream);
    gpu_stream_write (fixture->stream, counts, 0, groups, sizeof groups);
    gpu_stream_fill (fixture->stream, fixture->work, 0, N * 4, frame);
    gpu_stream_fill (fixture->stream, other, 0, N * 4, frame);
    record_alternating (fixture, other, 20 + frame % 3);
    affine_record_indirect (fixture->stream, fixture->kernel, fixture->work,
        N, 1, &one);
    gpu_stream_copy (fixture->stream, other, 0, fixture->host, 0, N * 4);
    submit (fixture->stream, NULL);
  }
  wait_idle (fixture->stream);
  g_assert_cmpuint (made, >, 0);
  g_assert_cmpuint (gpu_hooks_get_made () - made, ==, 0);
}

/* More descriptor sets than a pool has, and then no more pools. */
TEST (descriptor_growth)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_autoptr (GpuBuffer) other =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, N);
  guint made = 0;

  for (guint frame = 0; frame < 6; frame++) {
    guint32 expected = frame;

    if (frame == 2)
      made = gpu_hooks_get_made ();
    begin (fixture->stream);
    gpu_stream_fill (fixture->stream, fixture->work, 0, N * 4, frame);
    gpu_stream_fill (fixture->stream, other, 0, N * 4, frame);
    record_alternating (fixture, other, 300);
    gpu_stream_copy (fixture->stream, other, 0, fixture->host, 0, N * 4);
    submit (fixture->stream, NULL);
    wait_idle (fixture->stream);
    for (guint i = 0; i < 150; i++)
      expected = affine_step (expected, i);
    for (guint i = 0; i < N; i++)
      g_assert_cmpuint (host_word (fixture, i), ==, expected);
  }
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
}

GPU_HOOK_RETURNS (refuse_sets, VK_ERROR_OUT_OF_POOL_MEMORY, VkDevice device,
    const VkDescriptorSetAllocateInfo * info, VkDescriptorSet * sets);

/* Growth that fails is an error of that recording alone. */
TEST (descriptor_failure)
{
  static const gint codes[] = { GPU_ERROR_OUT_OF_MEMORY, GPU_ERROR_FAILED };
  g_autoptr (Fixture) fixture = setup (1);
  struct VolkDeviceTable hooked = fixture->device->vk;
  g_autoptr (GpuBuffer) other =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, N);

  for (guint i = 0; i < 2; i++) {
    if (i == 0)
      fixture->device->vk.vkCreateDescriptorPool = refuse_pool;
    else
      fixture->device->vk.vkAllocateDescriptorSets = refuse_sets;
    begin (fixture->stream);
    record_alternating (fixture, other, 300);
    FAILS (codes[i], gpu_stream_submit (fixture->stream, NULL, &error));
    fixture->device->vk = hooked;
  }
  do_step (fixture, 3, 0, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, 3);
}

/* As much as the largest submission of an engine needs is there before the
 * first of them. */
TEST (late_start)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_autoptr (GpuBuffer) other =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, N);
  guint made = gpu_hooks_get_made ();

  begin (fixture->stream);
  record_alternating (fixture, other, 120);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
}

static guint timestamps_seen;

static void VKAPI_CALL
see_timestamp (VkCommandBuffer commands, VkPipelineStageFlagBits stage,
    VkQueryPool pool, uint32_t query)
{
  timestamps_seen++;
  gpu_hooks_get_driver ()->vkCmdWriteTimestamp (commands, stage, pool, query);
}

/* Timestamps of a recording of so many dispatches, of which each joins the one
 * before. */
static guint
count_timestamps (Fixture * fixture, guint n, gboolean joined)
{
  gpu_stream_time_next_frame (fixture->stream);
  gpu_stream_next_frame (fixture->stream);
  timestamps_seen = 0;
  begin (fixture->stream);
  for (guint i = 0; i < n; i++) {
    if (joined)
      gpu_stream_join (fixture->stream);
    affine_record (fixture->stream, fixture->kernel,
        i % 2 ? fixture->host : fixture->work, N, 1);
  }
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  return timestamps_seen;
}

static guint queries_reset;

static void VKAPI_CALL
see_reset (VkCommandBuffer commands, VkQueryPool pool, uint32_t first,
    uint32_t n)
{
  queries_reset += n;
  gpu_hooks_get_driver ()->vkCmdResetQueryPool (commands, pool, first, n);
}

/* Whatever it was, it took no time. */
static VkResult VKAPI_CALL
stop_clock (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  memset (data, 0, size);
  return VK_SUCCESS;
}

/* Timestamps of a submission of so many dispatches that belongs to the newest
 * frame. */
static guint
count_of_frame (Fixture * fixture, guint n)
{
  timestamps_seen = queries_reset = 0;
  begin (fixture->stream);
  for (guint i = 0; i < n; i++)
    affine_record (fixture->stream, fixture->kernel,
        i % 2 ? fixture->host : fixture->work, N, 1);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  return timestamps_seen;
}

/* A frame has two timestamps in each of its submissions; one of 32, and the one after
 * somebody asked, has more. No more queries are reset than are used soon, but by the one
 * driver that is known to be faster with all. */
static void
check_timestamps (VkDriverId driver)
{
  gboolean resets_all = driver == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
  g_autoptr (Fixture) fixture = setup (2);

  if (fixture->device->info.timestamp_period > 0) {
    fixture->device->driver = driver;
    fixture->device->vk.vkCmdWriteTimestamp = see_timestamp;
    fixture->device->vk.vkCmdResetQueryPool = see_reset;
    fixture->device->queries_wait = FALSE;
    fixture->device->vk.vkGetQueryPoolResults = stop_clock;
    fixture->stream->pacer.looks = 0;
    for (guint frame = 0; frame < 70; frame++) {
      gboolean is_timed = frame % 32 == 0 || frame == 40;

      if (frame == 40)
        gpu_stream_time_next_frame (fixture->stream);
      gpu_stream_next_frame (fixture->stream);
      for (guint i = 0; i < 2; i++) {
        g_assert_cmpuint (count_of_frame (fixture, 3), ==, is_timed ? 4 : 2);
        if (resets_all)
          g_assert_cmpuint (queries_reset, ==, 1025);
        else
          g_assert_cmpuint (queries_reset, <=, is_timed ? 128 : 2);
      }
      if (!is_timed)
        continue;
      g_assert_cmpuint (count_of_frame (fixture, 200), ==, 201);
      g_assert_cmpuint (queries_reset, >=, 201);
      if (!resets_all)
        g_assert_cmpuint (queries_reset, <, 201 + 128);
    }
  }
}

TEST (timestamps)
{
  check_timestamps (0);
  check_timestamps (VK_DRIVER_ID_NVIDIA_PROPRIETARY);
}

/* No timestamp is between two dispatches that are joined, and they count as two.
 * The first of a recording joins nothing, nor does one that follows a recording
 * that was given up. */
TEST (join)
{
  g_autoptr (Fixture) fixture = setup (1);
  GpuTimings timings;
  guint one;

  fixture->device->vk.vkCmdWriteTimestamp = see_timestamp;
  one = count_timestamps (fixture, 1, FALSE);
  g_assert_cmpuint (count_timestamps (fixture, 2, FALSE), ==, one + 1);
  g_assert_cmpuint (count_timestamps (fixture, 1, TRUE), ==, one);
  g_assert_cmpuint (count_timestamps (fixture, 2, TRUE), ==, one);
  gpu_stream_get_timings (fixture->stream, &timings);
  g_assert_cmpuint (timings.n_stages, ==, 1);
  g_assert_cmpuint (timings.stages[0].dispatches, ==, 2);

  begin (fixture->stream);
  affine_record (fixture->stream, fixture->kernel, fixture->work, N, 1);
  gpu_stream_join (fixture->stream);
  gpu_stream_abandon (fixture->stream);
  g_assert_cmpuint (count_timestamps (fixture, 2, FALSE), ==, one + 1);
}

GPU_FIXTURE_MAIN ("/record/", gpu_fixture_add_test)
