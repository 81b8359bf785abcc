/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* That the cells of the blur's tables are what they say, and that groups change
 * times alone: whatever their shape and number, the bytes are the same. */
#include "bench.h"
#include "blur_cell.h"
#include "gpu_fixture.h"
#include "tests.h"

#define WIDTH 67
#define HEIGHT 64
#define RADIUS 2

static const guint shapes[][2] = { {16, 16}, {256, 1}, {256, 2} };

static BlurCell
make_cell (GpuBlurMethod method)
{
  BlurCell cell = { {0} };

  cell.settings.method = method;
  cell.settings.sigma_x = cell.settings.sigma_y = 1;
  cell.settings.radius = RADIUS;
  cell.settings.precision = GPU_BLUR_HALF;
  return cell;
}

/* Of noise; NULL with @error set. @groups_down: may be NULL. */
static guint8 *
run_cell (const BlurCell * cell, guint * groups_down, GError ** error)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuStream) stream = gpu_stream_new (device, 1, "test", error);
  g_autoptr (BlurCells) cells = blur_cells_new (device, RADIUS);
  BenchPicture *noise = bench_picture_noise (WIDTH, HEIGHT, 1);
  guint8 *bytes = NULL;
  GpuFrameInfo info;
  const GpuFixtureWork work = { blur_cells_record, cells, &info, &info };

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, WIDTH, HEIGHT);
  if (stream && blur_cells_prepare (cells, cell, &info, error))
    bytes = gpu_fixture_run (stream, &work, noise->bytes, error);
  if (groups_down)
    *groups_down = blur_cells_get_groups_down (cells);
  bench_picture_free (noise);
  return bytes;
}

static void
check_bytes (const BlurCell * cell, const guint8 * wanted)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *bytes = run_cell (cell, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (bytes, 4 * WIDTH * HEIGHT, wanted, 4 * WIDTH * HEIGHT);
}

static void
check_unsupported (const BlurCell * cell)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *bytes = run_cell (cell, NULL, &error);

  g_assert_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED);
  g_assert_null (bytes);
}

static void
test_names (void)
{
  for (guint i = 0; i < GPU_BLUR_N_METHODS; i++)
    g_assert_cmpint (blur_find_method (blur_method_get_name (i)), ==, i);
  g_assert_cmpint (blur_find_method ("none"), ==, -1);
  g_assert_cmpint (blur_find_pixels ("RGBA16F"), ==, GPU_PIXELS_RGBA16F);
  g_assert_cmpint (blur_find_pixels ("P010_10LE"), ==, GPU_PIXELS_P010);
  g_assert_cmpint (blur_find_pixels ("RGB8P"), ==, -1);
  g_assert_cmpint (blur_find_pixels ("none"), ==, -1);
}

/* Of each method two of the shapes. */
TEST (shapes)
{
  for (guint m = GPU_BLUR_DIRECT; m <= GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED;
      m++) {
    BlurCell cell = make_cell (m);
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *own = run_cell (&cell, NULL, &error);

    g_assert_no_error (error);
    for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
      if (i == m % G_N_ELEMENTS (shapes))
        continue;
      cell.group_x = shapes[i][0];
      cell.group_y = shapes[i][1];
      check_bytes (&cell, own);
    }
  }
}

static const GpuBlurMethod sliding[] = {
  GPU_BLUR_SLIDING_WINDOW, GPU_BLUR_INLINE_SLIDING_WINDOW,
  GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED
};

TEST (groups_down)
{
  for (guint m = 0; m < G_N_ELEMENTS (sliding); m++) {
    BlurCell cell = make_cell (sliding[m]);
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *own = run_cell (&cell, NULL, &error);

    g_assert_no_error (error);
    cell.group_x = cell.group_y = 16;
    for (cell.groups_down = 1; cell.groups_down <= 4; cell.groups_down *= 2)
      check_bytes (&cell, own);
  }
}

/* As high as its own sections are, and for methods that do not slide none. */
TEST (own_groups_down)
{
  static const struct
  {
    GpuBlurMethod method;
    guint groups_down;
  } cases[] = {
    {GPU_BLUR_SLIDING_WINDOW, 1},
    {GPU_BLUR_SEPARABLE, 0},
    {GPU_BLUR_STRIPS, 0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const BlurCell cell = make_cell (cases[i].method);
    g_autoptr (GError) error = NULL;
    guint groups_down;
    g_autofree guint8 *bytes = run_cell (&cell, &groups_down, &error);

    g_assert_no_error (error);
    g_assert_nonnull (bytes);
    g_assert_cmpuint (groups_down, ==, cases[i].groups_down);
  }
}

/* What would be another method, or other groups, than those asked for. */
TEST (unsupported)
{
  static const struct
  {
    GpuBlurMethod method;
    guint group_x, group_y, groups_down;
  } cases[] = {
    {GPU_BLUR_RUNNING_SUMS, 0, 0, 0},   /* of a Gaussian */
    {GPU_BLUR_PYRAMID, 0, 0, 0},        /* with a radius */
    {GPU_BLUR_STRIPS, 16, 16, 0},       /* have a shape of their own */
    {GPU_BLUR_SEPARABLE, 1 << 20, 1, 0},        /* too many threads */
    {GPU_BLUR_INLINE_SEPARABLE_SHARED, 8, 1 << 7, 0},   /* too much memory */
    {GPU_BLUR_SEPARABLE, 16, 16, 4},    /* does not slide */
    {GPU_BLUR_SLIDING_WINDOW, 16, 16, 8},       /* groups do 16 rows at least */
    {GPU_BLUR_SLIDING_WINDOW, 256, 1, 64},      /* and the radius */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    BlurCell cell = make_cell (cases[i].method);

    cell.group_x = cases[i].group_x;
    cell.group_y = cases[i].group_y;
    cell.groups_down = cases[i].groups_down;
    check_unsupported (&cell);
  }
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blur-cell/names", test_names);
  tests_add ("/blur-cell/", gpu_fixture_add_test);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
