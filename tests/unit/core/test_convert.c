/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of noise that are moved to another format, sample by sample. */
#include "gpu/core/compute/convert.h"
#include "gpu_fixture.h"
#include "samples.h"

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

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  const GpuSlicer slicer = {.stream = stream};
  const GpuConversionFrames frames = {.from = in, .to = out};

  gpu_conversion_record (data, &slicer, &frames);
  return TRUE;
}

static guint8 *
move (GpuStream * stream, const GpuFrameInfo * in, const GpuFrameInfo * out,
    const guint8 * frame)
{
  GpuConversion conversion = {
    .kind = CONVERT_MOVED,
    .from = in->pixels,
    .to = out->pixels,
  };
  const GpuFixtureWork work = { record, &conversion, in, out };
  g_autoptr (GError) error = NULL;
  guint8 *result = NULL;

  if (gpu_conversion_request (&conversion, gpu_stream_get_device (stream),
          &error))
    result = gpu_fixture_run (stream, &work, frame, &error);
  g_assert_no_error (error);
  return result;
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
  for (guint c = 0; c < SAMPLES_COMPONENTS; c++)
    for (guint y = 0; y < samples_get_rows (from, c); y++)
      for (guint x = 0; x < samples_get_columns (from, c); x++)
        g_assert_cmpuint (samples_get (to, out, c, x, y), ==,
            samples_scale (from->pixels, to->pixels, c, samples_get (from, in,
                    c, x, y)));
}

static void
check_pair (GpuStream * stream, GpuPixels from, GpuPixels to,
    const guint * size)
{
  GpuFrameInfo in, out;
  g_autofree guint8 *frame = NULL, *moved = NULL, *back = NULL;

  gpu_frame_info_init (&in, from, size[0], size[1]);
  gpu_frame_info_init (&out, to, size[0], size[1]);
  samples_pad (&in);
  g_test_message ("%s to %s, %u x %u", gpu_pixels_get_format (from)->name,
      gpu_pixels_get_format (to)->name, size[0], size[1]);
  frame = make_noise (in.size, size[0]);
  moved = move (stream, &in, &out, frame);
  check_samples (&in, frame, &out, moved);
  back = move (stream, &out, &in, moved);
  check_samples (&out, moved, &in, back);
  samples_check_padding (&in, back);
}

static void
test_samples (void)
{
  g_autoptr (GpuStream) stream = NULL;

  stream =
      OK (gpu_stream_new (gpu_fixture_device (), 2, "convert test", &error));
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      check_pair (stream, pairs[i].from, pairs[i].to, sizes[s]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  g_test_add_func ("/convert/moved", test_samples);
  return gpu_fixture_run_tests ();
}
