/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sigma in small steps, as a slider or a controller takes them: nothing jumps,
 * neither where the radius grows nor where another method begins. */
#include "blur_fixture.h"
#include "generated.h"
#include "gpu_fixture.h"
#include "reference_blur.h"

#include <math.h>

#define SIDE 48
#define FIRST 2.5
#define LAST 12.0
#define STEP 1.01

/* That the pyramid does. */
#define NARROWEST 2.8

typedef struct
{
  guint8 *codes;
  gdouble *oracle;              /* of the Gaussian that is not cut */
  GpuBlurMethod method;
} Step;

static void
step_clear (Step * step)
{
  g_free (step->codes);
  g_free (step->oracle);
}

/* Strips get axes that differ by nothing that shows: these are not unrolled, so that one
 * kernel serves all radii, with the same bytes. */
static Step
blur_step (Fixture * fixture, const GpuFrameInfo * info, const guint8 * in,
    GpuBlurMethod method, gdouble sigma)
{
  const GpuBlurSettings settings = {.sigma_x = sigma,
    .sigma_y = method == GPU_BLUR_STRIPS ? nextafter (sigma, 0) : sigma,
    .radius = -1, .method = method};
  const ReferencePlane plane = {.samples = in, .width = SIDE, .height = SIDE,
    .components = 4, .alpha = -1, .x_subsampling = 1, .y_subsampling = 1};
  const ReferenceBlurSettings uncut = {.sigma = {sigma, sigma},
    .radius = ceil (6 * sigma)
  };
  Step step = { NULL, g_new (gdouble, info->size) };

  step.codes = blur_frame (fixture, info, in, &settings);
  step.method = fixture->report.method;
  reference_blur (&plane, &uncut, step.oracle);
  return step;
}

/* By how much more codes move than the oracle does, at most. */
static gdouble
excess (const GpuFrameInfo * info, const Step * before, const Step * after)
{
  gdouble most = 0;

  for (gsize i = 0; i < info->size; i++)
    if (i % 4 != 3)
      most = MAX (most, abs (after->codes[i] - before->codes[i])
          - fabs (after->oracle[i] - before->oracle[i]));
  return most;
}

static void
test_smooth (Fixture * fixture, gconstpointer picture)
{
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;
  Step before;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBX, SIDE, SIDE);
  in = generated_picture_new (picture, SIDE, SIDE, 1);
  before = blur_step (fixture, &info, in, GPU_BLUR_AUTO, FIRST);
  for (gdouble sigma = FIRST * STEP; sigma < LAST; sigma *= STEP) {
    Step after = blur_step (fixture, &info, in, GPU_BLUR_AUTO,
        sigma);

    g_test_message ("sigma %g, method %d: %g", sigma, after.method,
        excess (&info, &before, &after));
    g_assert_cmpfloat (excess (&info, &before, &after), <=, 1);
    step_clear (&before);
    before = after;
  }
  step_clear (&before);
}

/* Devices differ in where auto goes over to the pyramid: it may be anywhere, and from
 * any method that cuts Gaussians. */
static void
test_switch (Fixture * fixture, gconstpointer picture)
{
  static const GpuBlurMethod methods[] = {
    GPU_BLUR_STRIPS, GPU_BLUR_SEPARABLE_SHARED
  };
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBX, SIDE, SIDE);
  in = generated_picture_new (picture, SIDE, SIDE, 1);
  for (gdouble sigma = NARROWEST; sigma < LAST; sigma *= 1.07)
    for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
      Step cut = blur_step (fixture, &info, in, methods[i], sigma);
      Step uncut = blur_step (fixture, &info, in, GPU_BLUR_PYRAMID,
          sigma * STEP);

      g_test_message ("sigma %g, method %d: %g", sigma, cut.method,
          excess (&info, &cut, &uncut));
      g_assert_cmpint (uncut.method, ==, GPU_BLUR_PYRAMID);
      g_assert_cmpfloat (excess (&info, &cut, &uncut), <=, 1);
      step_clear (&cut);
      step_clear (&uncut);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/smooth/photograph", "blobs", test_smooth);
  ADD ("/smooth/noise", "noise", test_smooth);
  ADD ("/smooth/edge", "black-white", test_smooth);
  ADD ("/smooth/switch/photograph", "blobs", test_switch);
  ADD ("/smooth/switch/noise", "noise", test_switch);
  ADD ("/smooth/switch/edge", "black-white", test_switch);
  return gpu_fixture_run_tests ();
}
