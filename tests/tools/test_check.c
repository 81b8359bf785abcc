/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gst-gpu-check: what it holds for right is what the oracles say, and what is wrong it
 * calls so. */
#include "gaussian.h"
#include "gpu/core/device/vulkan.h"
#include "reference_blur.h"
#include "reference_live.h"
#include "report.h"
#include "tests.h"

#include <string.h>
#include <sys/wait.h>

/* --- known answers --- */

static guint8 *
picture_new (const GpuFrameInfo * info)
{
  guint8 *picture = g_malloc (info->size);

  check_draw (picture, info->size);
  return picture;
}

/* Rows have no padding: CHECK_WIDTH is a multiple of 8. */
static ReferencePlane
plane_of (const GpuFrameInfo * info, guint plane, const guint8 * frame)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  return (ReferencePlane) {.samples = frame + info->offset[plane],
    .width = gpu_frame_info_plane_width (info, plane),
    .height = gpu_frame_info_plane_height (info, plane),
    .components = format->components[plane], .alpha = format->alpha,
    .x_subsampling = 1u << format->shift_x[plane],
    .y_subsampling = 1u << format->shift_y[plane]};
}

static void
blur_by_reference (const GpuBlurSettings * blur, const GpuFrameInfo * info,
    const guint8 * in, guint8 * out)
{
  const ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .radius = blur->radius, .edge = REFERENCE_EDGE_CLAMP};

  for (guint i = 0; i < gpu_pixels_get_format (info->pixels)->n_planes; i++) {
    const ReferencePlane plane = plane_of (info, i, in);

    g_assert_true (reference_blur_box_is_exact (&plane, &settings));
    reference_blur_box_exact (&plane, &settings, out + info->offset[i]);
  }
}

static void
reduce_by_reference (const GpuPaletteSettings * palette, const guint8 * in,
    guint8 * out)
{
  const ReferencePaletteSettings settings = {.radius = palette->making.radius};

  if (palette->quality == GPU_PALETTE_LIVE)
    reference_live (&settings, in, CHECK_WIDTH, CHECK_HEIGHT, out, NULL);
  else
    reference_palette (&settings, in, CHECK_WIDTH, CHECK_HEIGHT, out, NULL);
}

TEST (known_answers)
{
  for (guint i = 0; i < check_n_answers; i++) {
    const CheckAnswer *answer = &check_answers[i];
    g_autofree guint8 *in = NULL, *out = NULL;
    g_autoptr (GError) error = NULL;
    GpuFrameInfo info;

    if (!answer->sha256)
      continue;
    gpu_frame_info_init (&info, answer->work.pixels, CHECK_WIDTH, CHECK_HEIGHT);
    in = picture_new (&info);
    out = g_malloc0 (info.size);
    if (answer->work.engine == CHECK_BLUR)
      blur_by_reference (&answer->work.blur, &info, in, out);
    else
      reduce_by_reference (&answer->work.palette, in, out);
    check_answer_is_right (answer, out, info.size, &error);
    g_assert_no_error (error);
    /* And it is not what went in. */
    g_assert_false (check_answer_is_right (answer, in, info.size, NULL));
  }
}

/* The oracle, rounded, is right, but not where one pixel is off by two, nor where many
 * are by one. */
TEST (gaussian)
{
  for (guint i = 0; i < check_n_answers; i++) {
    const CheckAnswer *answer = &check_answers[i];
    const GpuBlurSettings *blur = &answer->work.blur;
    const ReferenceBlurSettings settings = {
      REFERENCE_KERNEL_GAUSSIAN, {blur->sigma_x, blur->sigma_y},
      check_answer_get_radius (answer),
      REFERENCE_EDGE_CLAMP
    };
    g_autofree guint8 *in = NULL, *out = NULL;
    g_autofree gdouble *oracle = NULL;
    ReferencePlane plane;
    GpuFrameInfo info;

    if (answer->sha256)
      continue;
    gpu_frame_info_init (&info, answer->work.pixels, CHECK_WIDTH, CHECK_HEIGHT);
    in = picture_new (&info);
    out = g_malloc (info.size);
    oracle = g_new (gdouble, info.size);
    plane = plane_of (&info, 0, in);
    reference_blur (&plane, &settings, oracle);
    for (gsize k = 0; k < info.size; k++)
      out[k] = oracle[k] + 0.5;
    g_assert_true (check_answer_is_right (answer, out, info.size, NULL));
    out[info.size - 1] += 2;
    g_assert_false (check_answer_is_right (answer, out, info.size, NULL));
    out[info.size - 1] -= 2;
    for (gsize k = 0; k < info.size; k += 2)
      out[k] += oracle[k] > out[k] ? 1 : -1;
    g_assert_false (check_answer_is_right (answer, out, info.size, NULL));
  }
}

/* --- the program --- */

static CheckStatus
report (const CheckAnswer * answers, guint n, gchar ** text)
{
  gsize size;
  FILE *to = open_memstream (text, &size);
  CheckStatus status = check_report (to, answers, n);

  fclose (to);
  return status;
}

/* A device that does not give the known answer is wrong, whatever comes after. */
TEST (wrong_answer)
{
  CheckAnswer answers[] = { check_answers[0], check_answers[1] };
  g_autofree gchar *text = NULL;
  CheckStatus status;

  answers[0].sha256 = answers[1].sha256;
  status = report (answers, G_N_ELEMENTS (answers), &text);
  if (status == CHECK_NO_DEVICE) {
    g_test_skip ("no device");
    return;
  }
  g_assert_cmpint (status, ==, CHECK_WRONG);
  g_assert_nonnull (strstr (text,
          "box blur, RGBA: other bytes than are right"));
  g_assert_nonnull (strstr (text, "box blur, I420: right"));
}

static gint
run_program (const gchar * argument, gchar ** envp, gchar ** out)
{
  const gchar *argv[] = { GST_GPU_CHECK, argument, NULL };
  g_autoptr (GError) error = NULL;
  gint status;

  g_spawn_sync (NULL, (gchar **) argv, envp, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
      NULL, out, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

/* What there is to be said of the first device, where it can be used. */
static void
assert_describes_first (const gchar * text)
{
  g_autoptr (GpuDevice) device = gpu_device_open ("0", NULL, NULL);
  const GpuDeviceInfo *info;
  g_autofree gchar *lanes = NULL, *budget = NULL;

  if (!device)
    return;
  info = gpu_device_get_info (device);
  lanes = g_strdup_printf ("\n  lanes of a subgroup: %u, %s\n",
      info->subgroup_size, info->requires_lanes ? "required" : "as reported");
  budget = g_strdup_printf ("\n  memory that others take is known: %s\n",
      info->has_memory_budget ? "yes" : "no");
  g_assert_nonnull (strstr (text, lanes));
  g_assert_nonnull (strstr (text, budget));
}

/* As users run it: devices of this machine are right. */
TEST (program)
{
  g_autofree gchar *out = NULL;
  gint status = run_program (NULL, NULL, &out);

  g_test_message ("%s", out);
  if (status == CHECK_NO_DEVICE) {
    g_test_skip ("no device");
    return;
  }
  g_assert_cmpint (status, ==, CHECK_ALL_RIGHT);
  assert_describes_first (out);
  for (guint i = 0; i < check_n_answers; i++) {
    g_autofree gchar *line =
        g_strdup_printf ("%s: right", check_answers[i].work.name);

    g_assert_nonnull (strstr (out, line));
  }
}

TEST (no_device)
{
  g_auto (GStrv) envp = g_get_environ ();
  g_autofree gchar *out = NULL;

  envp = g_environ_setenv (envp, "VK_DRIVER_FILES", "/nonexistent.json", TRUE);
  envp = g_environ_setenv (envp, "VK_ICD_FILENAMES", "/nonexistent.json", TRUE);
  g_assert_cmpint (run_program (NULL, envp, &out), ==, CHECK_NO_DEVICE);
  g_assert_nonnull (strstr (out, "No device: "));
}

/* Mesa's CPU device cannot be used with two lanes. */
TEST (refused)
{
  g_auto (GStrv) envp =
      g_environ_setenv (g_get_environ (), "LP_NATIVE_VECTOR_WIDTH", "64", TRUE);
  g_autofree gchar *out = NULL;

  run_program (NULL, envp, &out);
  if (strstr (out, "llvmpipe"))
    g_assert_nonnull (strstr (out, "cannot be used: llvmpipe"));
  else
    g_test_skip ("no CPU device");
}

static void
take_subgroups (GpuDevice * device)
{
  device->info.subgroup_size = 0;
  device->info.subgroup_fault = "subgroups";
}

/* A device may have what only one element needs. */
TEST (one_engine)
{
  g_autofree gchar *text = NULL;
  CheckStatus status;

  gpu_device_edit = take_subgroups;
  status = report (check_answers, check_n_answers, &text);
  gpu_device_edit = NULL;
  if (status == CHECK_NO_DEVICE) {
    g_test_skip ("no device");
    return;
  }
  g_assert_cmpint (status, ==, CHECK_ALL_RIGHT);
  g_assert_nonnull (strstr (text, "  meanshiftpalette cannot run: "));
  g_assert_nonnull (strstr (text, " lacks subgroups\n"));
  g_assert_null (strstr (text, "gpublur cannot run"));
  for (guint i = 0; i < check_n_answers; i++) {
    const CheckWork *work = &check_answers[i].work;
    g_autofree gchar *line = g_strdup_printf ("  %s: right\n", work->name);

    g_assert_cmpint (strstr (text, line) != NULL, ==,
        work->engine == CHECK_BLUR);
  }
}

TEST (arguments)
{
  g_autofree gchar *help = NULL, *nothing = NULL;

  g_assert_cmpint (run_program ("--help", NULL, &help), ==, 0);
  g_assert_nonnull (strstr (help, "exit status"));
  g_assert_cmpint (run_program ("everything", NULL, &nothing), ==, 64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/check/", g_test_add_func);
  return g_test_run ();
}
