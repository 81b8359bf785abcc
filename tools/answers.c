/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "answers.h"

#include "gaussian.h"

#include <math.h>
#include <string.h>

#define BOX(half_width) {.kernel = GPU_BLUR_BOX, .radius = half_width}

/* tests/tools/test_check.c compares the hashes with the results of tests/reference. */
/* *INDENT-OFF* */
const CheckAnswer check_answers[] = {
  {{"box blur, RGBA", CHECK_BLUR, GPU_PIXELS_RGBA, BOX (4)},
      "1fcf10083a5159f358e0d148a552f40b13b505236f941467dc7b0f5e121580e5"},
  {{"box blur, I420", CHECK_BLUR, GPU_PIXELS_I420, BOX (6)},
      "b8c5e920fc4a30802846998c1a89f4edbf6f43807d09f111ccf80c3cb0ed8c8a"},
  {{"Gaussian blur, narrow", CHECK_BLUR, GPU_PIXELS_GRAY8,
      {.sigma_x = 1.5, .sigma_y = 1.5, .radius = 5}}},
  {{"Gaussian blur, wide", CHECK_BLUR, GPU_PIXELS_GRAY8,
      {.sigma_x = 8, .sigma_y = 8, .radius = 30}}},
  {{"Gaussian blur, pyramid", CHECK_BLUR, GPU_PIXELS_GRAY8,
      {.sigma_x = 8, .sigma_y = 8, .radius = -1, .method = GPU_BLUR_PYRAMID}}},
  {{"palette, live", CHECK_PALETTE, GPU_PIXELS_RGBA,
      .palette = {.making.radius = 0.05, .quality = GPU_PALETTE_LIVE}},
      "7fb142f9a8f383a3e0094acc6d094baaf3f99e4c85e61ae9b68b44fb9f06d46e"},
  {{"palette, exact", CHECK_PALETTE, GPU_PIXELS_RGBA,
      .palette = {.making.radius = 0.05, .quality = GPU_PALETTE_EXACT}},
      "1c78d9b535a87865b617f5a0aac210f91c95074c9a43de7338484159e98090dd"},
};
/* *INDENT-ON* */

const guint check_n_answers = G_N_ELEMENTS (check_answers);

static gboolean
has_hash (const CheckAnswer * answer, const guint8 * bytes, gsize n,
    GError ** error)
{
  g_autofree gchar *sha256 =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, n);

  if (g_str_equal (sha256, answer->sha256))
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_FAILED,
      "other bytes than are right: their SHA-256 is %s", sha256);
  return FALSE;
}

guint
check_answer_get_radius (const CheckAnswer * answer)
{
  const GpuBlurSettings *blur = &answer->work.blur;

  return blur->radius >= 0 ? blur->radius : ceil (6 * blur->sigma_x);
}

static gboolean
is_near (const CheckAnswer * answer, const guint8 * bytes, gsize n,
    GError ** error)
{
  g_autofree guint8 *picture = g_malloc (n);
  CheckGaussianError found;

  check_draw (picture, n);
  found = check_gaussian_compare (picture, bytes, CHECK_WIDTH, CHECK_HEIGHT,
      answer->work.blur.sigma_x, check_answer_get_radius (answer));
  if (found.max <= CHECK_MAX_ERROR && found.mean <= CHECK_MEAN_ERROR)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_FAILED,
      "off by up to %.3f, on average %.4f; right is up to %g, on average %g",
      found.max, found.mean, CHECK_MAX_ERROR, CHECK_MEAN_ERROR);
  return FALSE;
}

gboolean
check_answer_is_right (const CheckAnswer * answer, const guint8 * bytes,
    gsize n, GError ** error)
{
  return (answer->sha256 ? has_hash : is_near) (answer, bytes, n, error);
}

static gboolean
ask_worker (CheckWorker * worker, GpuDevice * device,
    const CheckAnswer * answer, GError ** error)
{
  gsize size = worker->info.size;
  g_autoptr (GpuBuffer) in = gpu_buffer_new (device, GPU_BUFFER_HOST, size,
      "check input", error);
  g_autoptr (GpuBuffer) out = in ? gpu_buffer_new (device, GPU_BUFFER_HOST,
      size, "check output", error) : NULL;

  if (!out)
    return FALSE;
  check_draw (gpu_buffer_get_data (in), size);
  memset (gpu_buffer_get_data (out), 0, size);
  return gpu_buffer_flush (in, error) && gpu_buffer_flush (out, error)
      && check_worker_run (worker, in, out, error)
      && gpu_buffer_invalidate (out, error)
      && check_answer_is_right (answer, gpu_buffer_get_data (out), size, error);
}

gboolean
check_ask (GpuDevice * device, const CheckAnswer * answer, GError ** error)
{
  CheckWorker worker;
  gboolean is_right = check_worker_init (&worker, device, &answer->work,
      CHECK_WIDTH, CHECK_HEIGHT, error)
      && ask_worker (&worker, device, answer, error);

  check_worker_clear (&worker);
  return is_right;
}
