/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/compute/upload.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"

#include <string.h>

#define N 100003

/* The bytes are in a device buffer, as many as there were, whole words or not. */
static void
test_bytes (void)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (device, 1, "test", &error));
  g_autoptr (GpuBuffer) host =
      OK (gpu_buffer_new (device, GPU_BUFFER_HOST, N, "test", &error));
  g_autoptr (GpuBuffer) buffer = NULL;
  guint8 *bytes = g_malloc (N);

  for (guint i = 0; i < N; i++)
    bytes[i] = i * 7 + (i >> 8);
  buffer = OK (gpu_upload (device, bytes, N, "test", &error));
  g_assert_null (gpu_buffer_get_data (buffer));
  OK (gpu_stream_begin (stream, &error));
  gpu_stream_copy (stream, buffer, 0, host, 0, gpu_buffer_get_size (buffer));
  OK (gpu_stream_submit (stream, NULL, &error));
  OK (gpu_stream_wait_idle (stream, &error));
  OK (gpu_buffer_invalidate (host, &error));
  g_assert_cmpint (memcmp (gpu_buffer_get_data (host), bytes, N), ==, 0);
  g_free (bytes);
}

/* Of a size that no device has: an error, and nothing is left. */
static void
test_too_large (void)
{
  GpuDevice *device = gpu_fixture_device ();
  gint alive = gpu_hooks_get_alive ();

  FAILS (GPU_ERROR_TOO_LARGE, gpu_upload (device, "", G_MAXSIZE / 2, "test",
          &error));
  g_assert_cmpint (gpu_hooks_get_alive (), ==, alive);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  g_test_add_func ("/upload/bytes", test_bytes);
  g_test_add_func ("/upload/too-large", test_too_large);
  return gpu_fixture_run_tests ();
}
