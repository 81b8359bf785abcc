/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/frame/frame.h"
#include "tests.h"

#include <string.h>

TEST (plane_sizes)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_I420, 17, 10);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpuint (gpu_frame_info_plane_width (&info, i), ==, i ? 9 : 17);
    g_assert_cmpuint (gpu_frame_info_plane_height (&info, i), ==, i ? 5 : 10);
  }
  gpu_frame_info_init (&info, GPU_PIXELS_NV12, 2, 3);
  g_assert_cmpuint (gpu_frame_info_plane_width (&info, 1), ==, 1);
  g_assert_cmpuint (gpu_frame_info_plane_height (&info, 1), ==, 2);
}

/* Chroma rows of both fields, which alternate. */
TEST (interlaced)
{
  static const guint heights[][2] = {
    {1, 1}, {2, 2}, {3, 2}, {5, 3}, {6, 4}, {8, 4}, {10, 6}, {1080, 540}
  };

  for (guint i = 0; i < G_N_ELEMENTS (heights); i++) {
    GpuFrameInfo info;

    gpu_frame_info_init (&info, GPU_PIXELS_NV12, 4, heights[i][0]);
    info.is_interlaced = TRUE;
    g_assert_cmpuint (gpu_frame_info_plane_height (&info, 0), ==,
        heights[i][0]);
    g_assert_cmpuint (gpu_frame_info_plane_height (&info, 1), ==,
        heights[i][1]);
  }
}

/* Rows of both fields by turns; the second may have a row less, or none. */
TEST (fields)
{
  GpuFrameInfo info, field;

  gpu_frame_info_init (&info, GPU_PIXELS_I420, 6, 7);
  info.is_interlaced = TRUE;
  g_assert_cmpuint (gpu_frame_info_count_fields (&info), ==, 2);
  for (guint i = 0; i < 2; i++) {
    gpu_frame_info_get_field (&info, i, &field);
    g_assert_false (field.is_interlaced);
    g_assert_cmpuint (field.width, ==, 6);
    g_assert_cmpuint (field.height, ==, i ? 3 : 4);
    for (guint plane = 0; plane < 3; plane++) {
      g_assert_cmpuint (field.offset[plane], ==,
          info.offset[plane] + i * info.stride[plane]);
      g_assert_cmpuint (field.stride[plane], ==, 2 * info.stride[plane]);
    }
    g_assert_cmpuint (gpu_frame_info_plane_height (&field, 1), ==, 2);
  }
  info.height = 1;
  g_assert_cmpuint (gpu_frame_info_count_fields (&info), ==, 1);
}

/* The palette is the same for both. */
TEST (fields_with_palette)
{
  GpuFrameInfo info, field;

  gpu_frame_info_init (&info, GPU_PIXELS_RGB8P, 6, 7);
  gpu_frame_info_get_field (&info, 1, &field);
  g_assert_cmpuint (field.offset[0], ==, info.stride[0]);
  g_assert_cmpuint (field.offset[1], ==, info.offset[1]);
  g_assert_cmpuint (field.stride[1], ==, info.stride[1]);
}

/* Rows of what GStreamer has no name for. */
TEST (values)
{
  static const struct
  {
    GpuPixels pixels;
    guint sample;
    guint pixel;
  } cases[] = {
    {GPU_PIXELS_RGBA16F, SAMPLE_HALF, 8},
    {GPU_PIXELS_RGBA32F, SAMPLE_FLOAT, 16},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GpuPixelFormat *format = gpu_pixels_get_format (cases[i].pixels);
    GpuFrameInfo info;

    g_assert_cmpint (format->sample, ==, cases[i].sample);
    g_assert_cmpuint (gpu_pixel_format_get_size (format, 0), ==,
        cases[i].pixel);
    gpu_frame_info_init (&info, cases[i].pixels, 5, 3);
    g_assert_cmpuint (info.stride[0], ==, 5 * cases[i].pixel);
    g_assert_cmpuint (info.size, ==, 15 * cases[i].pixel);
    g_assert_true (gpu_frame_info_is_usable (&info));
    info.stride[0] -= 4;
    g_assert_false (gpu_frame_info_is_usable (&info));
  }
}

/* What shaders cannot work on in place, one fault at a time. */
TEST (unusable)
{
  GpuFrameInfo good, info;

  gpu_frame_info_init (&good, GPU_PIXELS_I420, 17, 9);
  g_assert_true (gpu_frame_info_is_usable (&good));

  for (guint i = 0; i < 3; i++) {
    info = good;
    info.size += 100;
    info.offset[i] += 2;
    g_assert_false (gpu_frame_info_is_usable (&info));

    info = good;
    info.size += 100;
    info.stride[i] += 1;
    g_assert_false (gpu_frame_info_is_usable (&info));

    info = good;
    info.stride[i] -= 4;
    g_assert_false (gpu_frame_info_is_usable (&info));
  }

  info = good;
  info.size -= 1;
  g_assert_false (gpu_frame_info_is_usable (&info));

  /* Overlap, whichever of two planes comes first. */
  info = good;
  info.offset[2] -= 4;
  g_assert_false (gpu_frame_info_is_usable (&info));
  info = good;
  info.offset[1] = 176;
  g_assert_false (gpu_frame_info_is_usable (&info));
  info.size += 300;
  info.offset[0] = 400;
  info.offset[1] = 352;
  g_assert_false (gpu_frame_info_is_usable (&info));
}

/* Any order of planes and any gap are as good as the default ones. */
TEST (usable)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_I420, 17, 9);
  info.offset[0] = 1000;
  info.stride[0] = 64;
  info.offset[1] = 0;
  info.offset[2] = 100;
  info.size = 1000 + 64 * 9;
  g_assert_true (gpu_frame_info_is_usable (&info));
  info.offset[2] = 60;
  g_assert_true (gpu_frame_info_is_usable (&info));
  info.size--;
  g_assert_false (gpu_frame_info_is_usable (&info));
}

/* --- layouts near the limits of numbers --- */

__extension__ typedef unsigned __int128 Wide;

typedef struct
{
  Wide first, end;              /* bytes of the plane, paddings included */
} Range;

/* The contract again, in numbers that do not wrap. */
static gboolean
should_be_usable (const GpuFrameInfo * info)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  Range planes[GPU_MAX_PLANES];

  for (guint i = 0; i < format->n_planes; i++) {
    Wide across = (Wide) 1 << format->shift_x[i];
    Wide down = (Wide) 1 << format->shift_y[i];
    Wide columns = ((Wide) info->width + across - 1) / across;
    Wide rows = ((Wide) info->height + down - 1) / down;

    if (info->is_interlaced)
      rows = (((Wide) info->height + 1) / 2 + down - 1) / down
          + (info->height / 2 + down - 1) / down;
    if (format->grouping == GPU_INDEXED && i == 1) {
      columns = 1;
      rows = 256;
    }
    planes[i].first = info->offset[i];
    planes[i].end = info->offset[i] + info->stride[i] * rows;
    if (info->offset[i] % 4 || info->stride[i] % 4
        || info->stride[i] < columns * gpu_pixel_format_get_size (format, i)
        || planes[i].end > info->size)
      return FALSE;
    for (guint j = 0; j < i; j++)
      if (planes[i].first < planes[j].end && planes[j].first < planes[i].end)
        return FALSE;
  }
  return TRUE;
}

/* A number around @n, zero, or the end of 32 or 64 bits; mostly whole words. */
static gsize
number_near (GRand * rand, gsize n)
{
  const gsize around[] = {
    n, n, n, n, 0, (gsize) 1 << 31, (gsize) 1 << 32, (gsize) 1 << 62,
    (gsize) 1 << 63, 0 - n
  };
  gsize number = around[g_rand_int_range (rand, 0, G_N_ELEMENTS (around))];
  gsize step = g_rand_int_range (rand, 0, 8) ? 4 : 1;

  return number + step * (gsize) g_rand_int_range (rand, -3, 4);
}

static void
make_wild (GRand * rand, GpuFrameInfo * info)
{
  static const guint sides[] = { 1, 2, 3, 17, 64, 32768, G_MAXUINT32 };
  gboolean few = g_rand_boolean (rand);

  gpu_frame_info_init (info, g_rand_int_range (rand, 0, GPU_N_PIXELS),
      sides[g_rand_int_range (rand, 0, few ? 5 : G_N_ELEMENTS (sides))],
      sides[g_rand_int_range (rand, 0, few ? 5 : G_N_ELEMENTS (sides))]);
  info->is_interlaced = g_rand_boolean (rand);
  if (g_rand_boolean (rand))
    info->size = number_near (rand, info->size);
  for (guint i = 0; i < GPU_MAX_PLANES; i++) {
    if (g_rand_int_range (rand, 0, 3) == 0)
      info->offset[i] = number_near (rand, info->offset[i]);
    if (g_rand_int_range (rand, 0, 3) == 0)
      info->stride[i] = number_near (rand, info->stride[i]);
  }
}

TEST (wild_layouts)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);
  guint usable = 0;

  for (guint n = 0; n < 200000; n++) {
    GpuFrameInfo info;
    gboolean wanted;

    make_wild (rand, &info);
    wanted = should_be_usable (&info);
    if (gpu_frame_info_is_usable (&info) != wanted)
      g_test_message ("%s %u x %u%s, %" G_GSIZE_FORMAT " bytes, offsets %zx "
          "%zx %zx, strides %zx %zx %zx",
          gpu_pixels_get_format (info.pixels)->name, info.width, info.height,
          info.is_interlaced ? " interlaced" : "", info.size, info.offset[0],
          info.offset[1], info.offset[2], info.stride[0], info.stride[1],
          info.stride[2]);
    g_assert_cmpint (gpu_frame_info_is_usable (&info), ==, wanted);
    usable += wanted;
  }
  /* Neither answer is rare. */
  g_assert_cmpuint (usable, >, 20000);
  g_assert_cmpuint (usable, <, 180000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/frame/", g_test_add_func);
  return g_test_run ();
}
