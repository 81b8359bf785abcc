/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/frame/frame.h"

#include <string.h>

#define N_FORMATS (GPU_PIXELS_RGB8P + 1)

typedef struct
{
  const gchar *name;
  gsize size;
  guint n_planes;
  gsize offset[3], stride[3];
} Layout;

/* What GstVideoInfo has for frames of four odd sizes, format by format. */
/* *INDENT-OFF* */
static const struct
{
  guint width, height;
  Layout layouts[N_FORMATS];
} expected[] = {
  { 1, 1, {
    { "RGBA", 4, 1, { 0 }, { 4 } },
    { "BGRA", 4, 1, { 0 }, { 4 } },
    { "ARGB", 4, 1, { 0 }, { 4 } },
    { "ABGR", 4, 1, { 0 }, { 4 } },
    { "RGBx", 4, 1, { 0 }, { 4 } },
    { "BGRx", 4, 1, { 0 }, { 4 } },
    { "xRGB", 4, 1, { 0 }, { 4 } },
    { "xBGR", 4, 1, { 0 }, { 4 } },
    { "RGB", 4, 1, { 0 }, { 4 } },
    { "BGR", 4, 1, { 0 }, { 4 } },
    { "NV12", 12, 2, { 0, 8 }, { 4, 4 } },
    { "I420", 16, 3, { 0, 8, 12 }, { 4, 4, 4 } },
    { "GRAY8", 4, 1, { 0 }, { 4 } },
    { "RGB8P", 1028, 2, { 0, 4 }, { 4, 4 } },
  } },
  { 5, 3, {
    { "RGBA", 60, 1, { 0 }, { 20 } },
    { "BGRA", 60, 1, { 0 }, { 20 } },
    { "ARGB", 60, 1, { 0 }, { 20 } },
    { "ABGR", 60, 1, { 0 }, { 20 } },
    { "RGBx", 60, 1, { 0 }, { 20 } },
    { "BGRx", 60, 1, { 0 }, { 20 } },
    { "xRGB", 60, 1, { 0 }, { 20 } },
    { "xBGR", 60, 1, { 0 }, { 20 } },
    { "RGB", 48, 1, { 0 }, { 16 } },
    { "BGR", 48, 1, { 0 }, { 16 } },
    { "NV12", 48, 2, { 0, 32 }, { 8, 8 } },
    { "I420", 48, 3, { 0, 32, 40 }, { 8, 4, 4 } },
    { "GRAY8", 24, 1, { 0 }, { 8 } },
    { "RGB8P", 1048, 2, { 0, 24 }, { 8, 4 } },
  } },
  { 17, 9, {
    { "RGBA", 612, 1, { 0 }, { 68 } },
    { "BGRA", 612, 1, { 0 }, { 68 } },
    { "ARGB", 612, 1, { 0 }, { 68 } },
    { "ABGR", 612, 1, { 0 }, { 68 } },
    { "RGBx", 612, 1, { 0 }, { 68 } },
    { "BGRx", 612, 1, { 0 }, { 68 } },
    { "xRGB", 612, 1, { 0 }, { 68 } },
    { "xBGR", 612, 1, { 0 }, { 68 } },
    { "RGB", 468, 1, { 0 }, { 52 } },
    { "BGR", 468, 1, { 0 }, { 52 } },
    { "NV12", 300, 2, { 0, 200 }, { 20, 20 } },
    { "I420", 320, 3, { 0, 200, 260 }, { 20, 12, 12 } },
    { "GRAY8", 180, 1, { 0 }, { 20 } },
    { "RGB8P", 1204, 2, { 0, 180 }, { 20, 4 } },
  } },
  { 6, 1001, {
    { "RGBA", 24024, 1, { 0 }, { 24 } },
    { "BGRA", 24024, 1, { 0 }, { 24 } },
    { "ARGB", 24024, 1, { 0 }, { 24 } },
    { "ABGR", 24024, 1, { 0 }, { 24 } },
    { "RGBx", 24024, 1, { 0 }, { 24 } },
    { "BGRx", 24024, 1, { 0 }, { 24 } },
    { "xRGB", 24024, 1, { 0 }, { 24 } },
    { "xBGR", 24024, 1, { 0 }, { 24 } },
    { "RGB", 20020, 1, { 0 }, { 20 } },
    { "BGR", 20020, 1, { 0 }, { 20 } },
    { "NV12", 12024, 2, { 0, 8016 }, { 8, 8 } },
    { "I420", 12024, 3, { 0, 8016, 10020 }, { 8, 4, 4 } },
    { "GRAY8", 8008, 1, { 0 }, { 8 } },
    { "RGB8P", 9032, 2, { 0, 8008 }, { 8, 4 } },
  } },
};
/* *INDENT-ON* */

static void
test_layouts (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (expected); s++)
    for (guint f = 0; f < N_FORMATS; f++) {
      const Layout *layout = &expected[s].layouts[f];
      const GpuPixelFormat *format = gpu_pixels_get_format (f);
      GpuFrameInfo info;

      g_test_message ("%s %u x %u", layout->name, expected[s].width,
          expected[s].height);
      gpu_frame_info_init (&info, f, expected[s].width, expected[s].height);
      g_assert_cmpstr (format->name, ==, layout->name);
      g_assert_cmpuint (format->n_planes, ==, layout->n_planes);
      g_assert_cmpint (info.pixels, ==, f);
      g_assert_cmpuint (info.width, ==, expected[s].width);
      g_assert_cmpuint (info.height, ==, expected[s].height);
      g_assert_cmpuint (info.size, ==, layout->size);
      for (guint i = 0; i < layout->n_planes; i++) {
        g_assert_cmpuint (info.offset[i], ==, layout->offset[i]);
        g_assert_cmpuint (info.stride[i], ==, layout->stride[i]);
      }
      g_assert_true (gpu_frame_info_is_usable (&info));
    }
}

static void
test_plane_sizes (void)
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
static void
test_interlaced (void)
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
static void
test_fields (void)
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
static void
test_fields_with_palette (void)
{
  GpuFrameInfo info, field;

  gpu_frame_info_init (&info, GPU_PIXELS_RGB8P, 6, 7);
  gpu_frame_info_get_field (&info, 1, &field);
  g_assert_cmpuint (field.offset[0], ==, info.stride[0]);
  g_assert_cmpuint (field.offset[1], ==, info.offset[1]);
  g_assert_cmpuint (field.stride[1], ==, info.stride[1]);
}

/* Where a letter stands in a name, or -1. */
static gint
position (const gchar * name, gchar letter)
{
  const gchar *at = strchr (name, letter);

  return at ? at - name : -1;
}

static void
test_components (void)
{
  for (guint f = 0; f <= GPU_PIXELS_GRAY8; f++) {
    const GpuPixelFormat *format = gpu_pixels_get_format (f);
    gboolean rgb = strstr (format->name, "RGB") || strstr (format->name, "BGR");

    g_test_message ("%s", format->name);
    gboolean is_grey = g_str_has_prefix (format->name, "GRAY");
    gint none = is_grey ? 0 : -1;

    g_assert_cmpint (format->model, ==, rgb ? GPU_MODEL_RGB
        : is_grey ? GPU_MODEL_GREY : GPU_MODEL_YUV);
    g_assert_cmpint (format->red, ==,
        rgb ? position (format->name, 'R') : none);
    g_assert_cmpint (format->green, ==,
        rgb ? position (format->name, 'G') : none);
    g_assert_cmpint (format->blue, ==,
        rgb ? position (format->name, 'B') : none);
    g_assert_cmpint (format->alpha, ==,
        rgb ? position (format->name, 'A') : -1);
    g_assert_cmpint (format->unused, ==, position (format->name, 'x'));
    if (rgb)
      g_assert_cmpuint (format->components[0], ==, strlen (format->name));
  }
}

/* Rows of what GStreamer has no name for. */
static void
test_values (void)
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
static void
test_unusable (void)
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
static void
test_usable (void)
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
    Wide half = (Wide) 1 << format->shift[i];
    Wide columns = ((Wide) info->width + half - 1) / half;
    Wide rows = ((Wide) info->height + half - 1) / half;

    if (info->is_interlaced)
      rows = (((Wide) info->height + 1) / 2 + half - 1) / half
          + (info->height / 2 + half - 1) / half;
    if (format->is_indexed && i == 1) {
      columns = 1;
      rows = 256;
    }
    planes[i].first = info->offset[i];
    planes[i].end = info->offset[i] + info->stride[i] * rows;
    if (info->offset[i] % 4 || info->stride[i] % 4
        || info->stride[i] < columns * format->components[i]
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

  gpu_frame_info_init (info, g_rand_int_range (rand, 0, N_FORMATS),
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

static void
test_wild_layouts (void)
{
  GRand *rand = g_rand_new_with_seed (20);
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
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame/layouts", test_layouts);
  g_test_add_func ("/frame/plane-sizes", test_plane_sizes);
  g_test_add_func ("/frame/interlaced", test_interlaced);
  g_test_add_func ("/frame/fields", test_fields);
  g_test_add_func ("/frame/fields-with-palette", test_fields_with_palette);
  g_test_add_func ("/frame/components", test_components);
  g_test_add_func ("/frame/values", test_values);
  g_test_add_func ("/frame/unusable", test_unusable);
  g_test_add_func ("/frame/usable", test_usable);
  g_test_add_func ("/frame/wild-layouts", test_wild_layouts);
  return g_test_run ();
}
