/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of noise that are moved to another format, sample by sample. */
#include "gpu/core/compute/repack.h"
#include "gpu_fixture.h"

static const struct
{
  GpuPixels from, to;
} pairs[] = {
  {GPU_PIXELS_YUY2, GPU_PIXELS_NV16},
  {GPU_PIXELS_UYVY, GPU_PIXELS_NV16},
  {GPU_PIXELS_YVYU, GPU_PIXELS_Y42B},
  {GPU_PIXELS_VYUY, GPU_PIXELS_NV61},
  {GPU_PIXELS_GBRA, GPU_PIXELS_RGBA},
  {GPU_PIXELS_GBRA_10, GPU_PIXELS_RGBA64_10},
  {GPU_PIXELS_GBRA_12, GPU_PIXELS_RGBA64_12},
  {GPU_PIXELS_RGB10A2, GPU_PIXELS_RGBA64_10},
  {GPU_PIXELS_BGR10A2, GPU_PIXELS_GBRA_10},
  {GPU_PIXELS_P010, GPU_PIXELS_I420_10},
  {GPU_PIXELS_BGRX, GPU_PIXELS_RGB},
  {GPU_PIXELS_A420, GPU_PIXELS_YYYA_UVVA},
};

static const guint sizes[][2] = { {1, 1}, {2, 2}, {7, 5}, {64, 3}, {131, 17} };

/* --- samples, as a format's table row says --- */

typedef struct
{
  gsize bit;                    /* in the frame */
  guint bits;
} Place;

static Place
find_place (const GpuFrameInfo * info, guint c, guint x, guint y)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint plane = format->place[c] / 4, index = format->place[c] % 4;
  guint bytes = SAMPLE_SIZE (format->sample);
  gsize row = info->offset[plane] + y * info->stride[plane];

  if (format->sample == SAMPLE_TENS)
    return (Place) {
    8 *(row + 4 * x) + 10 * index, c == 3 ? 2 : 10};
  if (format->grouping == GPU_PAIRS && c == 0)
    row += 2 * x + index;
  else
    row += (x * format->components[plane] + index) * bytes;
  return (Place) {
  8 *row + SAMPLE_LOW_BITS (format->sample),
        gpu_pixel_format_get_code_bits (format)};
}

static guint
get_sample (const guint8 * frame, Place place)
{
  guint64 bits = 0;

  for (guint i = 0; i < 4; i++)
    bits |= (guint64) frame[place.bit / 8 + i] << 8 * i;
  return bits >> place.bit % 8 & ((1u << place.bits) - 1);
}

/* Returns the columns or rows of a component. */
static guint
count (guint n, guint shift)
{
  return (n + (1u << shift) - 1) >> shift;
}

static guint
get_shift_x (const GpuPixelFormat * format, guint c)
{
  if (format->grouping == GPU_PAIRS && c == 0)
    return 0;
  return format->shift_x[format->place[c] / 4];
}

/* --- tests --- */

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  return gpu_repack_record (data, stream, in, out, error);
}

static guint8 *
repack (GpuStream * stream, const GpuFrameInfo * in, const GpuFrameInfo * out,
    const guint8 * frame)
{
  GpuRepack moves;
  const GpuFixtureWork work = { record, &moves, in, out };
  g_autoptr (GError) error = NULL;
  guint8 *result = NULL;

  if (gpu_repack_request (&moves, gpu_stream_get_device (stream), in->pixels,
          out->pixels, GPU_KERNEL_SOON, &error))
    result = gpu_fixture_run (stream, &work, frame, &error);
  g_assert_no_error (error);
  return result;
}

/* Adds a word to each row, which nothing may write. */
static void
pad (GpuFrameInfo * info)
{
  gsize end = 8;

  for (guint i = 0; i < gpu_pixels_get_format (info->pixels)->n_planes; i++) {
    gsize rows = gpu_frame_info_plane_height (info, i);

    info->stride[i] += 4;
    info->offset[i] = end;
    end += info->stride[i] * rows;
  }
  info->size = end + 4;
}

static guint8 *
make_noise (gsize size, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (seed);
  guint8 *noise = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    noise[i] = g_rand_int (rand);
  g_rand_free (rand);
  return noise;
}

/* Compares all samples of the two frames. */
static void
check_samples (const GpuFrameInfo * from, const guint8 * in,
    const GpuFrameInfo * to, const guint8 * out)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (from->pixels);

  for (guint c = 0; c < 4; c++) {
    guint shift_y = format->place[c] < 0 ? 0
        : format->shift_y[format->place[c] / 4];

    if (format->place[c] < 0)
      continue;
    for (guint y = 0; y < count (from->height, shift_y); y++)
      for (guint x = 0; x < count (from->width, get_shift_x (format, c)); x++) {
        Place a = find_place (from, c, x, y), b = find_place (to, c, x, y);
        gdouble largest = (1u << a.bits) - 1;
        guint scaled =
            get_sample (in, a) / largest * ((1u << b.bits) - 1) + 0.5;

        g_assert_cmpuint (get_sample (out, b), ==, scaled);
      }
  }
}

static void
check_padding (const GpuFrameInfo * info, const guint8 * frame)
{
  for (guint i = 0; i < gpu_pixels_get_format (info->pixels)->n_planes; i++)
    for (guint y = 0; y < gpu_frame_info_plane_height (info, i); y++) {
      gsize end = info->offset[i] + (y + 1) * info->stride[i];

      for (guint k = 1; k <= 4; k++)
        g_assert_cmpuint (frame[end - k], ==, 0xa5);
    }
}

static void
check_pair (GpuStream * stream, GpuPixels from, GpuPixels to,
    const guint * size)
{
  GpuFrameInfo in, out;
  g_autofree guint8 *frame = NULL, *moved = NULL, *back = NULL;

  gpu_frame_info_init (&in, from, size[0], size[1]);
  gpu_frame_info_init (&out, to, size[0], size[1]);
  pad (&in);
  g_test_message ("%s to %s, %u x %u", gpu_pixels_get_format (from)->name,
      gpu_pixels_get_format (to)->name, size[0], size[1]);
  frame = make_noise (in.size + 4, size[0]);
  moved = repack (stream, &in, &out, frame);
  check_samples (&in, frame, &out, moved);
  back = repack (stream, &out, &in, moved);
  check_samples (&out, moved, &in, back);
  check_padding (&in, back);
}

static void
test_samples (void)
{
  g_autoptr (GpuStream) stream = NULL;
  g_autoptr (GError) error = NULL;

  stream = gpu_stream_new (gpu_fixture_device (), 2, "repack test", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      check_pair (stream, pairs[i].from, pairs[i].to, sizes[s]);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  g_test_add_func ("/repack/samples", test_samples);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
