/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats that are moved to another one for the blur: their samples are those of a blur of
 * frames of the other one. */
#include "blur_fixture.h"
#include "gpu_fixture.h"
#include "samples.h"

#include "gpu/blur/working.h"

typedef struct
{
  GpuFrameInfo info;
  const guint8 *frame;
} Source;

/* Sets each sample of a field to that of @from, scaled. */
static void
move_samples (const Source * from, const GpuFrameInfo * to, guint8 * frame)
{
  const GpuFrameInfo *info = &from->info;

  for (guint c = 0; c < SAMPLES_COMPONENTS; c++)
    for (guint y = 0; y < samples_get_rows (info, c); y++)
      for (guint x = 0; x < samples_get_columns (info, c); x++)
        samples_set (to, frame, c, x, y, samples_scale (info->pixels,
                to->pixels, c, samples_get (info, from->frame, c, x, y)));
}

/* Sets the alpha of chroma to the mean of the alpha of 2 × 2 pixels. */
static void
add_chroma_alpha (const Source * from, const GpuFrameInfo * to, guint8 * frame)
{
  const GpuFrameInfo *info = &from->info;

  for (guint y = 0; y < samples_get_rows (info, 1); y++)
    for (guint x = 0; x < samples_get_columns (info, 1); x++) {
      guint sum = 0;

      for (guint i = 0; i < 4; i++)
        sum += samples_get (info, from->frame, SAMPLES_ALPHA,
            MIN (2 * x + i % 2, info->width - 1),
            MIN (2 * y + i / 2, info->height - 1));
      frame[to->offset[1] + y * to->stride[1] + 4 * x + 3] = (sum + 2) / 4;
    }
}

static void
move_frame (const GpuFrameInfo * from, const guint8 * in,
    const GpuFrameInfo * to, guint8 * out)
{
  for (guint i = 0; i < MIN (from->height, from->is_interlaced ? 2 : 1); i++) {
    Source source = { *from, in };
    GpuFrameInfo target = *to;

    if (from->is_interlaced) {
      gpu_frame_info_get_field (from, i, &source.info);
      gpu_frame_info_get_field (to, i, &target);
    }
    move_samples (&source, &target, out);
    if (to->pixels == GPU_PIXELS_YYYA_UVVA)
      add_chroma_alpha (&source, &target, out);
  }
}

static void
check_samples (const GpuFrameInfo * info, const guint8 * frame,
    const guint8 * expected)
{
  GpuFrameInfo rows = *info;

  /* In interlaced frames, a component has as many rows as both fields together. */
  for (guint i = 0; i < MIN (info->height, info->is_interlaced ? 2 : 1); i++) {
    if (info->is_interlaced)
      gpu_frame_info_get_field (info, i, &rows);
    for (guint c = 0; c < SAMPLES_COMPONENTS; c++)
      for (guint y = 0; y < samples_get_rows (&rows, c); y++)
        for (guint x = 0; x < samples_get_columns (&rows, c); x++)
          g_assert_cmpuint (samples_get (&rows, frame, c, x, y), ==,
              samples_get (&rows, expected, c, x, y));
  }
}

static void
check_format (Fixture * fixture, GpuPixels pixels, const guint * size,
    gboolean is_interlaced, const GpuBlurSettings * settings)
{
  GpuFrameInfo outside, inside;
  g_autofree guint8 *in = NULL, *moved = NULL, *blurred = NULL, *out = NULL;

  g_test_message ("%s %u x %u%s", gpu_pixels_get_format (pixels)->name,
      size[0], size[1], is_interlaced ? " interlaced" : "");
  gpu_frame_info_init (&outside, pixels, size[0], size[1]);
  gpu_frame_info_init (&inside, gpu_blur_working_choose (pixels, settings),
      size[0], size[1]);
  g_assert_cmpuint (gpu_pixel_format_get_code_bits (gpu_pixels_get_format
          (inside.pixels)), >=,
      gpu_pixel_format_get_code_bits (gpu_pixels_get_format (pixels)));
  outside.is_interlaced = inside.is_interlaced = is_interlaced;
  samples_pad (&inside);
  samples_pad (&outside);
  in = make_frame (&outside, size[0]);
  moved = g_malloc0 (inside.size);
  move_frame (&outside, in, &inside, moved);
  blurred = blur_frame (fixture, &inside, moved, settings);
  out = blur_frame (fixture, &outside, in, settings);
  samples_check_padding (&outside, out);
  /* What the blur of the other format has, moved back. */
  move_frame (&inside, blurred, &outside, in);
  check_samples (&outside, out, in);
}

static void
test_formats (Fixture * fixture, gconstpointer data)
{
  static const guint sizes[][2] = { {1, 1}, {37, 22}, {64, 5} };
  const GpuBlurSettings settings = {.sigma_x = 1.5, .sigma_y = 2.5,
    .radius = -1, .method = GPU_BLUR_SEPARABLE};

  for (GpuPixels pixels = 0; pixels < GPU_N_PIXELS; pixels++) {
    if (!gpu_blur_takes (pixels)
        || gpu_blur_working_choose (pixels, &settings) == pixels)
      continue;
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      check_format (fixture, pixels, sizes[s], FALSE, &settings);
      check_format (fixture, pixels, sizes[s], TRUE, &settings);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/working/formats", NULL, test_formats);
  return gpu_fixture_run_tests ();
}
