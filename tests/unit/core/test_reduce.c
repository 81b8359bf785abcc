/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/compute/reduce.h"
#include "gpu_fixture.h"

#include <string.h>

static const guint sizes[] = {
  0, 1, 2, 3, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097, 12289, 65537,
  4096 * 4096 / 8 + 1, 2345678
};

static guint32
pattern (guint i)
{
  guint32 x = (i + 1) * 2654435761u;

  return (x ^ (x >> 15)) | 1;
}

static guint32
expect (GpuReduceOperation operation, const guint32 * words, guint n)
{
  guint32 sum = 0, minimum = G_MAXUINT32, maximum = 0;

  for (guint i = 0; i < n; i++) {
    sum += words[i];
    minimum = MIN (minimum, words[i]);
    maximum = MAX (maximum, words[i]);
  }
  return operation == GPU_REDUCE_SUM ? sum
      : operation == GPU_REDUCE_MINIMUM ? minimum : maximum;
}

static void
check_reduce (GpuReduceOperation operation)
{
  g_autoptr (GError) error = NULL;
  GpuDevice *device = gpu_fixture_device ();
  guint max_n = sizes[G_N_ELEMENTS (sizes) - 1];
  gsize size = max_n * (gsize) 4;
  g_autoptr (GpuStream) stream = gpu_stream_new (device, 1, "test", &error);
  g_autoptr (GpuReduce) reduce =
      gpu_reduce_new (device, operation, max_n, &error);
  g_autoptr (GpuBuffer) host = gpu_buffer_new (device, GPU_BUFFER_HOST, size,
      "host", &error);
  g_autoptr (GpuBuffer) from = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      size, "from", &error);
  g_autoptr (GpuBuffer) results = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      sizeof sizes, "results", &error);
  g_autofree guint32 *words = g_new (guint32, max_n);

  g_assert_no_error (error);
  for (guint i = 0; i < max_n; i++)
    words[i] = pattern (i);
  memcpy (gpu_buffer_get_data (host), words, size);
  gpu_buffer_flush (host, NULL);
  g_assert_true (gpu_stream_begin (stream, &error));
  gpu_stream_copy (stream, host, 0, from, 0, size);
  gpu_stream_barrier (stream);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    gpu_reduce_record (reduce, stream, from, sizes[s], results, s);
    gpu_stream_barrier (stream);
  }
  gpu_stream_copy (stream, results, 0, host, 0, sizeof sizes);
  gpu_stream_submit (stream, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (gpu_stream_wait_idle (stream, &error));
  gpu_buffer_invalidate (host, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    guint32 result = ((guint32 *) gpu_buffer_get_data (host))[s];

    if (result != expect (operation, words, sizes[s]))
      g_error ("size %u: %u, not %u", sizes[s], result,
          expect (operation, words, sizes[s]));
  }
}

static void
test_sum (void)
{
  check_reduce (GPU_REDUCE_SUM);
}

static void
test_minimum (void)
{
  check_reduce (GPU_REDUCE_MINIMUM);
}

static void
test_maximum (void)
{
  check_reduce (GPU_REDUCE_MAXIMUM);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  g_test_add_func ("/reduce/sum", test_sum);
  g_test_add_func ("/reduce/minimum", test_minimum);
  g_test_add_func ("/reduce/maximum", test_maximum);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
