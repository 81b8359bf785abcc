/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blur_fixture.h"
#include "gpu/blur/methods.h"
#include "gpu/core/stream/ring.h"

#include "generated.h"
#include "gpu_fixture.h"

#include <math.h>
#include <string.h>

typedef struct
{
  Fixture *fixture;
  const GpuBlurSettings *settings;
} Recording;

/* What a test that was added is run by. */
typedef struct
{
  void (*test) (Fixture * fixture, gconstpointer data);
  gconstpointer data;
  const GpuBlurTuning *tuning;
  gboolean is_brief;
} Added;

static void
setup (Fixture * fixture, gconstpointer data)
{
  const Added *added = data;
  GpuDevice *device = gpu_fixture_device ();

  if (!device)
    return;
  fixture->device_info = device->info;
  fixture->stream = OK (gpu_stream_new (device, 2, "blur test", &error));
  /* About what taps take on a CPU, so that only large frames are cut. */
  if (gpu_device_is_slow (device))
    fixture->stream->pacer.first_ns = 10;
  fixture->blur = gpu_blur_new (device);
  if (added->tuning)
    gpu_blur_set_tuning (fixture->blur, added->tuning);
  fixture->is_brief = added->is_brief;
}

static void
teardown (Fixture * fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->blur, gpu_blur_free);
  if (fixture->stream)
    gpu_fixture_device ()->info = fixture->device_info;
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
}

static void
run_added (Fixture * fixture, gconstpointer data)
{
  const Added *added = data;

  if (fixture->stream)
    added->test (fixture, added->data);
  else
    g_test_skip ("no Vulkan device");
}

void
blur_fixture_add (const gchar * path, gconstpointer data,
    void (*test) (Fixture * fixture, gconstpointer data),
    const GpuBlurTuning * tuning, gboolean is_brief)
{
  static Added all[64];
  static guint n;

  g_assert_cmpuint (n, <, G_N_ELEMENTS (all));
  all[n] = (Added) {test, data, tuning, is_brief};
  g_test_add (path, Fixture, &all[n++], setup, run_added, teardown);
}

static struct
{
  const gchar *name;
  void (*test) (Fixture * fixture, gconstpointer data);
} registered[32];

static guint n_registered;

void
blur_fixture_register (const gchar * name,
    void (*test) (Fixture * fixture, gconstpointer data))
{
  g_assert_cmpuint (n_registered, <, G_N_ELEMENTS (registered));
  registered[n_registered].name = name;
  registered[n_registered++].test = test;
}

void
blur_fixture_add_tests (const gchar * prefix, gboolean is_brief)
{
  for (guint i = 0; i < n_registered; i++) {
    g_autofree gchar *path = g_strconcat (prefix, registered[i].name, NULL);

    blur_fixture_add (g_strdelimit (path, "_", '-'), NULL, registered[i].test,
        NULL, is_brief);
  }
}

GpuBlurKernel
kernel_of (GpuBlurMethod method)
{
  return method == GPU_BLUR_RUNNING_SUMS ? GPU_BLUR_BOX : GPU_BLUR_GAUSSIAN;
}

guint
find_reach (GpuBlurMethod method, GpuPixels pixels, GpuBlurPrecision precision)
{
  g_autoptr (GpuBlur) blur = gpu_blur_new (gpu_fixture_device ());
  GpuBlurSettings settings = {.kernel = kernel_of (method),
    .sigma_x = GPU_BLUR_MAX_SIGMA, .sigma_y = GPU_BLUR_MAX_SIGMA,
    .radius = GPU_BLUR_MAX_RADIUS, .method = method, .precision = precision
  };
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, 64, 64);
  while (settings.radius > 0 && !gpu_blur_reaches (blur, &settings, &info))
    settings.radius--;
  return settings.radius;
}

gboolean
is_deep (const GpuPixelFormat * format)
{
  return gpu_pixel_format_get_code_bits (format) > 8;
}

/* Spreads bytes over 16 bits, so that the alphas 0 and 255 stay the least and the largest.
 * Low unused bits are not 0. */
static guint8 *
deepen (const GpuPixelFormat * format, const guint8 * bytes, gsize n)
{
  guint16 *samples = g_new (guint16, n);
  guint above = 16 - gpu_pixel_format_get_code_bits (format)
      - SAMPLE_LOW_BITS (format->sample);

  for (gsize i = 0; i < n; i++) {
    gboolean is_alpha = format->alpha >= 0 && i % 4 == (gsize) format->alpha;

    samples[i] = (bytes[i] << 8 | bytes[is_alpha ? i : n - 1 - i]) >> above;
  }
  return (guint8 *) samples;
}

guint8 *
make_frame (const GpuFrameInfo * info, guint32 seed)
{
  guint pixels = info->size / 4 + 1;
  guint8 *noise = generated_picture_new ("alpha-noise", pixels, 1, seed);
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  /* The generator's alpha is the last byte; move it where the format's is. */
  if (format->alpha >= 0 && format->alpha < 3)
    for (guint i = 0; i < pixels; i++) {
      guint8 alpha = noise[4 * i + 3];
      noise[4 * i + 3] = noise[4 * i + format->alpha];
      noise[4 * i + format->alpha] = alpha;
    }
  if (is_deep (format)) {
    g_autofree guint8 *bytes = noise;

    noise = deepen (format, bytes, info->size / 2);
  }
  return noise;
}

static gboolean
record_blur (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Recording *recording = data;
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_blur_record (recording->fixture->blur, stream,
      recording->settings, &frames, &recording->fixture->report, error);
}

guint8 *
blur_prepared (Fixture * fixture, const GpuFrameInfo * in_info,
    const guint8 * in, const GpuFrameInfo * out_info,
    const GpuBlurSettings * settings)
{
  Recording recording = { fixture, settings };
  const GpuFixtureWork work = { record_blur, &recording, in_info, out_info };
  guint8 *out = OK (gpu_fixture_run (fixture->stream, &work, in, &error));

  return out;
}

guint8 *
blur_frame (Fixture * fixture, const GpuFrameInfo * info, const guint8 * in,
    const GpuBlurSettings * settings)
{
  if (info->is_interlaced)
    OK (gpu_blur_prepare_fields (fixture->blur, info->pixels, info->width,
            info->height, settings, &error));
  else
    OK (gpu_blur_prepare (fixture->blur, info->pixels, info->width,
            info->height, settings, &error));
  /* The first frame of AUTO takes what is ready first; tests are about the best. */
  if (settings->method == GPU_BLUR_AUTO)
    g_free (blur_prepared (fixture, info, in, info, settings));
  if (!fixture->is_brief)
    gpu_blur_wait (fixture->blur);
  return blur_prepared (fixture, info, in, info, settings);
}

ReferencePlane
reference_plane (const GpuFrameInfo * info, const Rows * rows,
    const guint8 * samples, gboolean full_range)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint plane = rows->plane, bits = gpu_pixel_format_get_code_bits (format);
  guint black = format->model == GPU_MODEL_RGB || format->alpha >= 0 ? 0
      : plane > 0 ? 128 : full_range ? 0 : 16;
  ReferencePlane reference = {
    .samples = is_deep (format) ? NULL : samples,
    .codes = is_deep (format) ? (const guint16 *) samples : NULL,
    .full_code = (1u << bits) - 1,
    .width = gpu_frame_info_plane_width (info, plane),
    .height = rows->n,
    .components = format->components[plane],
    .alpha = format->alpha,
    .x_subsampling = 1u << format->shift_x[plane],
    .y_subsampling = rows->step << format->shift_y[plane],
  };

  for (guint i = 0; i < G_N_ELEMENTS (reference.black); i++)
    reference.black[i] = black << (bits - 8);
  return reference;
}

/* A component that carries nothing is written as 255; the oracle then has
 * nothing more to say about it. */
static void
check_unused (const ReferencePlane * plane, gint unused, guint8 * output,
    gdouble * oracle)
{
  for (gsize i = 0; i < (gsize) plane->width * plane->height; i++) {
    g_assert_cmpuint (output[4 * i + unused], ==, 255);
    oracle[4 * i + unused] = 255;
  }
}

/* The pyramid cuts no Gaussian: so far out nothing is left of it. */
static gint
oracle_radius (const Case * c, GpuBlurMethod ran)
{
  if (ran != GPU_BLUR_PYRAMID)
    return c->settings.radius;
  return ceil (6 * MAX (c->settings.sigma_x, c->settings.sigma_y));
}

/* Less, in truth, than what any method may have. What levels of the pyramid cannot hold
 * is that little in noise; ends of boxes are all that integers round
 * (gpu/blur/plane.c). */
static gdouble
max_error (const Case * c, GpuBlurMethod ran, const ReferencePlane * plane)
{
  if (c->decode)
    return 0.15;
  if (plane->codes && ran == GPU_BLUR_PYRAMID)
    return 5.5e-4 * plane->full_code;
  if (plane->codes)
    return plane->full_code > 4095 ? 0.25 : 0.05;
  if (ran == GPU_BLUR_PYRAMID)
    return 0.15;
  return ran == GPU_BLUR_RUNNING_SUMS && plane->alpha < 0 ? 0.032 : 0.5;
}

static gdouble
max_mean_error (const Case * c, GpuBlurMethod ran, const ReferencePlane * plane)
{
  if (c->decode)
    return 0.005;
  if (plane->codes)
    return max_error (c, ran, plane) / 4;
  if (ran == GPU_BLUR_PYRAMID)
    return 0.01;
  return c->settings.precision == GPU_BLUR_HALF ? 0.05 : 0.02;
}

Rows
rows_of_field (const GpuFrameInfo * info, guint plane, guint field)
{
  guint step = info->is_interlaced ? 2 : 1;
  guint height = gpu_frame_info_plane_height (info, plane);

  return (Rows) {plane, field, step, (height - field + step - 1) / step};
}

guint8 *
take_rows (const GpuFrameInfo * info, const Rows * rows, const guint8 * frame)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint i = rows->plane;
  gsize row = (gsize) gpu_frame_info_plane_width (info, i)
      * gpu_pixel_format_get_size (format, i);
  g_autofree guint8 *all =
      g_malloc (row * gpu_frame_info_plane_height (info, i));
  guint8 *taken = g_malloc (row * rows->n);

  gpu_fixture_unpack (info, i, frame, all);
  for (guint y = 0; y < rows->n; y++)
    memcpy (taken + y * row, all + (rows->first + y * rows->step) * row, row);
  if (is_deep (format))
    for (gsize k = 0; k < row * rows->n / 2; k++)
      ((guint16 *) taken)[k] >>= SAMPLE_LOW_BITS (format->sample);
  return taken;
}

/* @oracle: larger codes than there are become the largest. */
static void
judge (ReferenceBlurError * error, const ReferencePlane * plane,
    gdouble * oracle, const guint8 * output, gsize n)
{
  g_autofree gdouble *codes = NULL;

  if (!plane->codes) {
    reference_blur_error_add (error, plane, oracle, output);
    return;
  }
  codes = g_new (gdouble, n);
  for (gsize i = 0; i < n; i++) {
    codes[i] = ((const guint16 *) output)[i];
    oracle[i] = MIN (oracle[i], plane->full_code);
  }
  reference_blur_error_add_values (error, plane, oracle, codes);
}

/* Unused low bits of the output are 0. */
static void
check_low_bits (const GpuFrameInfo * info, guint plane, const guint8 * out)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gsize n = (gsize) gpu_frame_info_plane_width (info, plane)
      * gpu_frame_info_plane_height (info, plane) * format->components[plane];
  g_autofree guint16 *samples = g_new (guint16, n);

  gpu_fixture_unpack (info, plane, out, (guint8 *) samples);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpuint (samples[i] % (1u << SAMPLE_LOW_BITS (format->sample)),
        ==, 0);
}

static gboolean
is_colour (const GpuPixelFormat * format, guint component)
{
  return (gint) component != format->alpha
      && (gint) component != format->unused;
}

/* The oracle of what a case blurs: codes, or light, which is then encoded again. */
static void
blur_by_oracle (const Case * c, const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, gdouble * oracle)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (c->pixels);
  gsize n = (gsize) plane->width * plane->height * plane->components;
  g_autofree gdouble *values = NULL;
  ReferencePlane light = *plane;

  if (!c->decode) {
    reference_blur (plane, settings, oracle);
    return;
  }
  light.values = values = g_new (gdouble, n);
  for (gsize i = 0; i < n; i++) {
    gdouble code = plane->samples[i] / 255.0;

    values[i] = is_colour (format, i % plane->components) ? c->decode (code)
        : code;
  }
  reference_blur (&light, settings, oracle);
  for (gsize i = 0; i < n; i++)
    oracle[i] = 255 * (is_colour (format, i % plane->components)
        ? c->encode (oracle[i]) : oracle[i]);
}

static void
check_rows (const Case * c, GpuBlurMethod ran, const GpuFrameInfo * info,
    const Rows * rows, const guint8 * in, const guint8 * out)
{
  guint i = rows->plane;
  const GpuPixelFormat *format = gpu_pixels_get_format (c->pixels);
  gsize n = (gsize) gpu_frame_info_plane_width (info, i) * rows->n
      * format->components[i];
  g_autofree guint8 *samples = take_rows (info, rows, in);
  g_autofree guint8 *output = take_rows (info, rows, out);
  g_autofree gdouble *oracle = g_new (gdouble, n);
  ReferencePlane plane = reference_plane (info, rows, samples,
      c->settings.full_range);
  ReferenceBlurSettings settings = {
    c->settings.kernel == GPU_BLUR_BOX ? REFERENCE_KERNEL_BOX
        : REFERENCE_KERNEL_GAUSSIAN,
    {c->settings.sigma_x, c->settings.sigma_y},
    oracle_radius (c, ran), (ReferenceEdge) c->settings.edge
  };
  ReferenceBlurError error = { 0 };

  blur_by_oracle (c, &plane, &settings, oracle);
  if (format->unused >= 0)
    check_unused (&plane, format->unused, output, oracle);
  judge (&error, &plane, oracle, output, n);
  g_test_message ("%s, %s: error %.4f", format->name,
      gpu_blur_method_get_info (ran)->name, error.max);
  g_assert_cmpfloat (error.max, <=, max_error (c, ran, &plane));
  g_assert_cmpfloat (reference_blur_error_mean (&error), <=,
      max_mean_error (c, ran, &plane));

  if (!c->decode && reference_blur_box_is_exact (&plane, &settings)) {
    g_autofree guint8 *exact = g_malloc (n);

    reference_blur_box_exact (&plane, &settings, exact);
    for (gsize k = 0; k < n; k++)
      if (format->unused < 0 || k % 4 != (gsize) format->unused)
        g_assert_cmpuint (output[k], ==, exact[k]);
  }
}

/* By its fields, if it has them. */
static void
check_plane (const Case * c, GpuBlurMethod ran, const GpuFrameInfo * info,
    guint i, const guint8 * in, const guint8 * out)
{
  guint height = gpu_frame_info_plane_height (info, i);

  if (is_deep (gpu_pixels_get_format (info->pixels)))
    check_low_bits (info, i, out);
  for (guint field = 0; field < MIN (info->is_interlaced ? 2 : 1, height);
      field++) {
    const Rows rows = rows_of_field (info, i, field);

    check_rows (c, ran, info, &rows, in, out);
  }
}

void
check_content (Fixture * fixture, const Case * c, const GpuFrameInfo * info,
    const guint8 * in)
{
  g_autofree guint8 *out = NULL;

  g_test_message ("%s %ux%u kernel %d sigma %g %g radius %d method %d "
      "precision %d edge %d", gpu_pixels_get_format (c->pixels)->name,
      c->width, c->height, c->settings.kernel, c->settings.sigma_x,
      c->settings.sigma_y, c->settings.radius, c->settings.method,
      c->settings.precision, c->settings.edge);
  out = blur_frame (fixture, info, in, &c->settings);
  if (c->ran != GPU_BLUR_AUTO)
    g_assert_cmpint (fixture->report.method, ==, c->ran);
  for (guint i = 0; c->stage && i < fixture->report.n_stages; i++)
    g_assert_cmpstr (fixture->report.stages[i].name, ==, c->stage);
  for (guint i = 0; i < gpu_pixels_get_format (c->pixels)->n_planes; i++)
    check_plane (c, fixture->report.method, info, i, in, out);
}

void
check_layout (Fixture * fixture, const Case * c, const GpuFrameInfo * info)
{
  g_autofree guint8 *in = make_frame (info, c->width);

  check_content (fixture, c, info, in);
}

void
check_case (Fixture * fixture, const Case * c)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  check_layout (fixture, c, &info);
}

void
check_cases (Fixture * fixture, const Case * cases, guint n)
{
  for (guint i = 0; i < n; i++)
    check_case (fixture, &cases[i]);
}
