/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* That all reductions which are timed give what sums one pixel after the other
 * give, and these what one can tell by hand. */
#include "bench.h"
#include "gpu_fixture.h"
#include "reduction.h"
#include "tests.h"

#include <string.h>

/* --- the oracle --- */

static void
test_luma (void)
{
  static const guint8 pixels[] = {
    255, 255, 255, 255, 1, 0, 0, 255, 0, 1, 0, 255, 0, 0, 1, 255, 0, 0, 0, 255
  };
  static const guint32 lumas[] = { 255 * 256, 54, 183, 19, 0 };
  g_autofree guint32 *means =
      reduction_sum_pixels (pixels, sizeof pixels, 5, 1, 1);

  g_assert_cmpmem (means, sizeof lumas, lumas, sizeof lumas);
}

/* Greys of 3 x 3 pixels in tiles of 2 x 2, in rows of four: the last of each row
 * is none. */
static void
test_tiles (void)
{
  static const guint8 greys[] = {
    1, 2, 10, 99,
    3, 5, 21, 99,
    40, 50, 7, 99
  };
  /* 11 / 4, 31 / 2, 90 / 2, 7 / 1 */
  static const guint32 wanted[] = { 704, 3968, 11520, 1792 };
  guint8 rgba[sizeof greys][4];
  g_autofree guint32 *means = NULL;

  for (guint i = 0; i < sizeof greys; i++)
    memset (rgba[i], greys[i], 4);
  means = reduction_sum_pixels (*rgba, 16, 3, 3, 2);
  g_assert_cmpmem (means, sizeof wanted, wanted, sizeof wanted);
}

/* --- on the device --- */

static const guint tiles[] = { 16, 32, 64 };

/* With --some: every other reduction, of each tile others than of the last. */
static gboolean is_some;

/* A tile of 16 x 16 has no two pixels for each of 256 threads. */
TEST (list)
{
  static const guint shapes[] = { 7, 9, 9 };

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++) {
    g_autoptr (GArray) reductions = reduction_list (tiles[i]);

    g_assert_cmpuint (reductions->len, ==, shapes[i] * REDUCTION_WAYS);
  }
}

static void
check_frame (GpuStream * stream, guint tile, const GpuFrameInfo * info,
    const guint8 * frame)
{
  g_autoptr (GArray) reductions = reduction_list (tile);
  g_autofree guint32 *means =
      reduction_sum_pixels (frame, info->stride[0], info->width,
      info->height, tile);

  for (guint i = is_some ? tile / 32 % 2 : 0; i < reductions->len;
      i += is_some ? 2 : 1) {
    g_autoptr (GError) error = NULL;

    reduction_check (stream, &g_array_index (reductions, Reduction, i), info,
        frame, means, &error);
    g_assert_no_error (error);
  }
}

/* Noise, with @padding pixels more of it beyond each edge that tiles may reach
 * across. */
static void
check_noise (guint tile, guint width, guint height, guint padding)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GpuStream) stream =
      gpu_stream_new (gpu_fixture_device (), 1, "test", &error);
  BenchPicture *noise = bench_picture_noise (width + padding,
      height + padding, 1);
  GpuFrameInfo info;

  g_assert_no_error (error);
  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, width, height);
  info.stride[0] = 4 * noise->width;
  info.size = info.stride[0] * noise->height;
  check_frame (stream, tile, &info, noise->bytes);
  bench_picture_free (noise);
}

/* Whole tiles, cut ones, less than a tile, and frames whose rows go on: what is read beyond
 * their edges must not count. */
static void
test_frames (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++) {
    const guint tile = tiles[i];

    check_noise (tile, 3 * tile, 2 * tile, 0);
    check_noise (tile, 2 * tile + 5, tile + 3, 0);
    check_noise (tile, 3, 2, 0);
    check_noise (tile, tile + 1, tile + 1, tile);
  }
}

/* What is found wrong says of which. */
static void
test_wrong (void)
{
  static const guint32 means[] = { 0 };
  const Reduction reduction = { 16, 64, 2, REDUCTION_UNROLLED };
  g_autoptr (GError) error = NULL;
  g_autoptr (GpuStream) stream =
      gpu_stream_new (gpu_fixture_device (), 1, "test", &error);
  BenchPicture *noise = bench_picture_noise (1, 1, 1);
  GpuFrameInfo info;

  g_assert_no_error (error);
  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, 1, 1);
  g_assert_false (reduction_check (stream, &reduction, &info, noise->bytes,
          means, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "unrolled, 64 threads, 2 ahead"));
  bench_picture_free (noise);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  is_some = argc > 1 && g_str_equal (argv[1], "--some");
  g_test_add_func ("/reduction/oracle/luma", test_luma);
  g_test_add_func ("/reduction/oracle/tiles", test_tiles);
  tests_add ("/reduction/", g_test_add_func);
  gpu_fixture_add_test ("/reduction/frames", test_frames);
  gpu_fixture_add_test ("/reduction/wrong", test_wrong);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
