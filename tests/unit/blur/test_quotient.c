/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The division of sums of whole boxes: by all numbers of samples that boxes of strips have,
 * and by some of the sums of alpha. */
#include "gpu/blur/strips/stripskernels.h"
#include "gpu/core/stream/stream.h"
#include "gpu_fixture.h"
#include "test_shaders.h"
#include "tests.h"

/* The samples of the widest box, 257 on each axis. */
#define MOST (257 * 257)

/* Returns how many quotients are wrong, for @n divisors from @first on. */
static guint32
count_wrong (guint first, guint step, guint n)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (device, 1, "test", &error));
  g_autoptr (GpuBuffer) wrong =
      OK (gpu_buffer_new (device, GPU_BUFFER_HOST, sizeof (guint32), "test",
          &error));
  const GpuDispatch dispatch = {
    .kernel = OK (gpu_kernel_get (device, &gpu_shader_quotient, NULL, 0,
        &error)),
    .buffers = {[QUOTIENT_WRONG] = wrong},
    .push = &(GpuQuotientPush) {first, step, n},
  };

  *(guint32 *) gpu_buffer_get_data (wrong) = 0;
  gpu_buffer_flush (wrong, NULL);
  OK (gpu_stream_begin (stream, &error));
  gpu_stream_dispatch (stream, &dispatch, (n + 63) / 64, 1, 1);
  OK (gpu_stream_submit (stream, NULL, &error));
  OK (gpu_stream_wait_idle (stream, &error));
  gpu_buffer_invalidate (wrong, NULL);
  return *(guint32 *) gpu_buffer_get_data (wrong);
}

/* Divides by every number of samples. */
TEST (samples)
{
  g_assert_cmpuint (count_wrong (1, 1, MOST), ==, 0);
}

/* Divides by sums of alpha, up to the largest. */
TEST (alpha)
{
  g_assert_cmpuint (count_wrong (255, 255, MOST), ==, 0);
  g_assert_cmpuint (count_wrong (2, 254, MOST), ==, 0);
}

static guint32
divide (guint32 sum, guint32 reciprocal, guint32 shift)
{
  return (guint64) sum *reciprocal >> (32 + shift);
}

/* The same by integers alone: the least sum of each quotient, and the sum below it. Between
 * two of these products do not fall, so all sums are right if these are. */
static void
test_reciprocals (void)
{
  for (guint n = 2; n <= MOST; n++) {
    guint32 reciprocal, shift;

    gpu_blur_box_strips_get_reciprocal (n, &reciprocal, &shift);
    for (guint quotient = 1; quotient <= 256; quotient++)
      if (divide (quotient * n, reciprocal, shift) != quotient
          || divide (quotient * n - 1, reciprocal, shift) != quotient - 1)
        g_error ("%u / %u", quotient * n, n);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quotient/reciprocals", test_reciprocals);
  tests_add ("/quotient/", gpu_fixture_add_test);
  return gpu_fixture_run_tests ();
}
