/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shaders' arithmetic of two words against that of the CPU. */
#include "gpu/core/stream/stream.h"
#include "gpu_fixture.h"
#include "test_shaders.h"

#include <string.h>

/* The weights of a colour may add up to all pixels of a frame. */
static const guint32 divisors[] = {
  1, 2, 3, 10, 255, 256, 65535, (1 << 24) - 1, 1 << 24, (1 << 24) + 1,
  G_MAXINT32, 1u << 31, G_MAXUINT32 - 1, G_MAXUINT32
};

/* A dozen bits at most. */
static const gint64 quotients[] = {
  0, 1, 2, 3, 100, 254, 255, 2047, 4094, 4095, -1, -2, -3, -100, -2048, -4095,
  -4096
};

#define OFFSETS 9
#define N (G_N_ELEMENTS (divisors) * G_N_ELEMENTS (quotients) * OFFSETS)

typedef struct
{
  gint64 sums[N];
  guint32 divisors[N];
} Cases;

/* At a multiple of the divisor, half-way to the next, and on either side. */
static Cases *
make_cases (void)
{
  Cases *cases = g_new (Cases, 1);
  guint n = 0;

  for (guint d = 0; d < G_N_ELEMENTS (divisors); d++)
    for (guint q = 0; q < G_N_ELEMENTS (quotients); q++) {
      gint64 divisor = divisors[d], half = divisor / 2;
      const gint64 offsets[OFFSETS] = {
        -half - 1, -half, -half + 1, -1, 0, 1, half - 1, half, half + 1
      };

      for (guint i = 0; i < OFFSETS; i++, n++) {
        cases->sums[n] = quotients[q] * divisor + offsets[i];
        cases->divisors[n] = divisor;
      }
    }
  return cases;
}

static GpuBuffer *
new_buffer (gconstpointer data, gsize size)
{
  GpuBuffer *buffer =
      OK (gpu_buffer_new (gpu_fixture_device (), GPU_BUFFER_HOST, size, "test",
          &error));

  if (data)
    memcpy (gpu_buffer_get_data (buffer), data, size);
  gpu_buffer_flush (buffer, NULL);
  return buffer;
}

/* Four words a case: the quotient, its estimate, the unsigned quotient. */
static GpuBuffer *
divide (const Cases * cases)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (device, 1, "test", &error));
  GpuKernel *kernel =
      OK (gpu_kernel_get (device, &gpu_shader_divide, NULL, 0, &error));
  g_autoptr (GpuBuffer) sums = new_buffer (cases->sums, sizeof cases->sums);
  g_autoptr (GpuBuffer) by = new_buffer (cases->divisors,
      sizeof cases->divisors);
  GpuBuffer *results = new_buffer (NULL, N * 4 * sizeof (gint32));
  const GpuDispatch divide = {
    .kernel = kernel,
    .buffers = {
      [DIVIDE_SUMS] = sums,[DIVIDE_DIVISORS] = by,[DIVIDE_RESULTS] =
          results,
    },
    .push = &(GpuDividePush) {N},
  };

  OK (gpu_stream_begin (stream, &error));
  gpu_stream_dispatch (stream, &divide, (N + 63) / 64, 1, 1);
  OK (gpu_stream_submit (stream, NULL, &error));
  OK (gpu_stream_wait_idle (stream, &error));
  gpu_buffer_invalidate (results, NULL);
  return results;
}

/* floor ((2 sum + n) / (2 n)): ties go up, for both signs. */
static gint64
divide_rounded (gint64 sum, gint64 n)
{
  gint64 dividend = 2 * sum + n;
  gint64 quotient = dividend / (2 * n);

  return quotient * 2 * n > dividend ? quotient - 1 : quotient;
}

static void
test_divide_rounded (void)
{
  g_autofree Cases *cases = make_cases ();
  g_autoptr (GpuBuffer) buffer = divide (cases);
  const gint32 (*results)[4] = gpu_buffer_get_data (buffer);

  for (guint i = 0; i < N; i++) {
    gint64 expected = divide_rounded (cases->sums[i], cases->divisors[i]);

    g_test_message ("%" G_GINT64_FORMAT " / %u", cases->sums[i],
        cases->divisors[i]);
    g_assert_cmpint (results[i][0], ==, expected);
    /* So that the correction never takes more than a step. */
    g_assert_cmpint (ABS (results[i][1] - expected), <=, 1);
    /* For samples: no signs, no more than 8 bits. */
    if (cases->sums[i] >= 0 && expected <= 255)
      g_assert_cmpint (results[i][2], ==, expected);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/wide/divide-rounded", test_divide_rounded);
  return gpu_fixture_run_tests ();
}
