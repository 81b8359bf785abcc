/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/compute/scan.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"
#include "tests.h"

#include <string.h>

/* Around the sizes of threads, rows and blocks, and more blocks than one pass
 * over their totals takes. */
static const guint sizes[] = {
  0, 1, 2, 3, 4, 5, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 4095, 4096,
  4097, 8191, 8193, 65537, 256 * 4096, 256 * 4096 + 1, 1234567
};

static guint32
pattern (guint i)
{
  guint32 x = (i + 1) * 2654435761u;

  return x ^ (x >> 15);
}

/* One run on the device: uploads, scans, downloads the sums. */
static void
run_scan (GpuScan * scan, GpuStream * stream, const guint32 * words, guint n,
    gboolean in_place, guint32 * sums)
{
  GpuDevice *device = gpu_stream_get_device (stream);
  gsize size = MAX (n, 1) * (gsize) 4;
  g_autoptr (GpuBuffer) host =
      OK (gpu_buffer_new (device, GPU_BUFFER_HOST, size, "host", &error));
  g_autoptr (GpuBuffer) from =
      OK (gpu_buffer_new (device, GPU_BUFFER_DEVICE, size, "from", &error));
  g_autoptr (GpuBuffer) to =
      OK (gpu_buffer_new (device, GPU_BUFFER_DEVICE, size, "to", &error));
  GpuBuffer *target = in_place ? from : to;

  memcpy (gpu_buffer_get_data (host), words, n * 4);
  gpu_buffer_flush (host, NULL);
  OK (gpu_stream_begin (stream, &error));
  gpu_stream_copy (stream, host, 0, from, 0, size);
  gpu_scan_record (scan, stream, from, target, n);
  gpu_stream_copy (stream, target, 0, host, 0, size);
  OK (gpu_stream_submit (stream, NULL, &error));
  OK (gpu_stream_wait_idle (stream, &error));
  gpu_buffer_invalidate (host, NULL);
  memcpy (sums, gpu_buffer_get_data (host), n * 4);
}

/* @kind: what the device is taken for. */
static void
check_scan (GpuDeviceKind kind, gboolean in_place)
{
  GpuDevice *device = gpu_fixture_device ();
  GpuDeviceKind real_kind = device->info.kind;
  guint max_n = sizes[G_N_ELEMENTS (sizes) - 1];
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (device, 1, "test", &error));
  g_autoptr (GpuScan) scan = NULL;
  g_autofree guint32 *words = g_new (guint32, max_n);
  g_autofree guint32 *sums = g_new (guint32, max_n);

  device->info.kind = kind;
  scan = OK (gpu_scan_new (device, max_n, &error));
  device->info.kind = real_kind;
  for (guint i = 0; i < max_n; i++)
    words[i] = pattern (i);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    guint32 expected = 0;

    run_scan (scan, stream, words, sizes[s], in_place, sums);
    for (guint i = 0; i < sizes[s]; i++) {
      if (sums[i] != expected)
        g_error ("size %u: sum %u is %u, not %u", sizes[s], i, sums[i],
            expected);
      expected += words[i];
    }
  }
}

TEST (fast)
{
  check_scan (GPU_DEVICE_DISCRETE, FALSE);
}

TEST (fast_in_place)
{
  check_scan (GPU_DEVICE_DISCRETE, TRUE);
}

TEST (slow)
{
  check_scan (GPU_DEVICE_CPU, FALSE);
}

TEST (slow_in_place)
{
  check_scan (GPU_DEVICE_CPU, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  tests_add ("/scan/", g_test_add_func);
  return gpu_fixture_run_tests ();
}
