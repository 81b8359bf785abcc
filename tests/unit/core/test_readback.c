/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words that come back from frames that are done, and from no others. */
#include "gpu/core/compute/readback.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "tests.h"

/* Submissions at a time: more than there is room for. */
#define SLOTS 24
/* What elements have at most, which there is room for. */
#define FEW 8

/* Of a frame, behind one that it does not ask for. */
#define WORDS 3
#define OFFSET 4

/* Nothing is done, and nothing is waited for, as long as this is TRUE. */
static gboolean is_held;

static VKAPI_ATTR VkResult VKAPI_CALL
get_status (VkDevice device, VkFence fence)
{
  return is_held ? VK_NOT_READY
      : gpu_hooks_get_driver ()->vkGetFenceStatus (device, fence);
}

static GpuReadback *
readback_new (Fixture * fixture)
{
  return OK (gpu_readback_new (fixture->device, WORDS, &error));
}

/* Records a frame whose words are @number and its multiples. */
static void
record (Fixture * fixture, GpuReadback * readback, guint32 number)
{
  const guint32 words[] = { 4711, number, 2 * number, 3 * number };

  begin (fixture->stream);
  gpu_stream_write (fixture->stream, fixture->work, 0, words, sizeof words);
  gpu_readback_record (readback, fixture->stream, fixture->work, OFFSET);
}

static void
submit_frame (Fixture * fixture, GpuReadback * readback, guint32 number)
{
  record (fixture, readback, number);
  submit (fixture->stream, NULL);
}

/* The words of the newest frame that is done are those of @number; none are
 * known where that is 0. */
static void
check (GpuReadback * readback, guint32 number)
{
  guint32 words[WORDS] = { 0 };

  g_assert_cmpint (gpu_readback_read (readback, words), ==, number > 0);
  for (guint i = 0; i < WORDS; i++)
    g_assert_cmpuint (words[i], ==, (i + 1) * number);
}

TEST (newest)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_autoptr (GpuReadback) readback = readback_new (fixture);

  check (readback, 0);
  g_assert_cmpuint (gpu_readback_get_memory (readback), >=, WORDS * 4);
  /* More than there is room for, but some are done. */
  for (guint32 number = 1; number <= 100; number++) {
    submit_frame (fixture, readback, number);
    if (number % 7 == 0) {
      wait_idle (fixture->stream);
      check (readback, number);
      check (readback, number);
    }
  }
  wait_idle (fixture->stream);
  check (readback, 100);
}

/* As long as a frame is at work, the one before it is the newest. */
TEST (at_work)
{
  g_autoptr (Fixture) fixture = setup (SLOTS);
  g_autoptr (GpuReadback) readback = readback_new (fixture);

  fixture->device->vk.vkGetFenceStatus = get_status;
  submit_frame (fixture, readback, 1);
  wait_idle (fixture->stream);
  check (readback, 1);
  is_held = TRUE;
  for (guint32 number = 2; number < 2 + FEW; number++) {
    submit_frame (fixture, readback, number);
    check (readback, 1);
  }
  is_held = FALSE;
  wait_idle (fixture->stream);
  check (readback, 1 + FEW);
}

/* Frames beyond the room are not known of; those after them are. */
TEST (room)
{
  g_autoptr (Fixture) fixture = setup (SLOTS);
  g_autoptr (GpuReadback) readback = readback_new (fixture);
  guint32 words[WORDS];

  fixture->device->vk.vkGetFenceStatus = get_status;
  for (guint round = 0; round < 3; round++) {
    guint32 first = 1 + round * SLOTS;

    is_held = TRUE;
    for (guint i = 0; i < SLOTS; i++)
      submit_frame (fixture, readback, first + i);
    is_held = FALSE;
    wait_idle (fixture->stream);
    g_assert_true (gpu_readback_read (readback, words));
    g_assert_cmpuint (words[0], >=, first + FEW - 1);
    g_assert_cmpuint (words[0], <, first + SLOTS - 1);
    check (readback, words[0]);
  }
}

/* Frames that were forgotten are not known of, whether they were done, are at
 * work, or were never submitted. */
TEST (forget)
{
  g_autoptr (Fixture) fixture = setup (SLOTS);
  g_autoptr (GpuReadback) readback = readback_new (fixture);

  fixture->device->vk.vkGetFenceStatus = get_status;
  submit_frame (fixture, readback, 1);
  wait_idle (fixture->stream);
  check (readback, 1);
  is_held = TRUE;
  submit_frame (fixture, readback, 2);
  record (fixture, readback, 3);
  gpu_readback_forget (readback);
  check (readback, 0);
  gpu_stream_abandon (fixture->stream);
  is_held = FALSE;
  wait_idle (fixture->stream);
  check (readback, 0);
  submit_frame (fixture, readback, 4);
  wait_idle (fixture->stream);
  check (readback, 4);
}

/* Nobody reads what is not submitted yet, whatever memory holds. */
TEST (not_submitted)
{
  g_autoptr (Fixture) fixture = setup (1);
  g_autoptr (GpuReadback) readback = readback_new (fixture);

  record (fixture, readback, 1);
  check (readback, 0);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  check (readback, 1);
  record (fixture, readback, 2);
  check (readback, 1);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  check (readback, 2);
}

/* What it knows of when it goes, it lets go. */
TEST (free)
{
  g_autoptr (Fixture) fixture = setup (2);
  GpuReadback *readback = readback_new (fixture);

  submit_frame (fixture, readback, 1);
  record (fixture, readback, 2);
  gpu_readback_free (readback);
  gpu_stream_abandon (fixture->stream);
}

GPU_FIXTURE_MAIN ("/readback/", gpu_fixture_add_test)
