/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "workload.h"
#include "shaders/blur/strips/strips.h"

#define MILLION 1e6

/* Rows of a section of strips, besides those above and below it. */
#define STRIPS_SECTION 32

/* A plane that is being counted. */
typedef struct
{
  const GpuBlurCandidate *candidate;
  guint number;
  guint components;
  gdouble pixels, samples;      /* millions */
  GpuBlurAxes axes;
  gdouble *n;                   /* by GpuBlurWork */
} Plane;

static const GpuPixelFormat *
get_format (const GpuBlurCandidate * candidate)
{
  return gpu_pixels_get_format (candidate->info->pixels);
}

/* --- what kind it is --- */

static GpuBlurSums
get_sums (const GpuBlurCandidate * candidate, const GpuBlurAxes * axes)
{
  if (candidate->passes ?
      gpu_blur_ready_method_is_exact (candidate->passes, axes) : axes->exact)
    return GPU_BLUR_SUMS_INTEGERS;
  if (candidate->method == GPU_BLUR_STRIPS && candidate->strips[0].in_halves)
    return GPU_BLUR_SUMS_IN_HALVES;
  return gpu_blur_choose_precision (candidate->settings,
      get_format (candidate)) == GPU_BLUR_HALF ? GPU_BLUR_SUMS_HALF :
      GPU_BLUR_SUMS_FLOAT;
}

static GpuBlurForm
get_form (const GpuBlurCandidate * candidate, const GpuBlurAxes * axes)
{
  const GpuBlurStripsShape *shape = &candidate->strips[0];

  if (candidate->method != GPU_BLUR_STRIPS)
    return GPU_BLUR_USUAL;
  if (shape->radius == 0)
    return MAX (axes->x.radius, axes->y.radius) > STRIPS_MAX_UNROLLED ?
        GPU_BLUR_ROLLED : GPU_BLUR_NARROW_ROLLED;
  if (shape->threads < GPU_BLUR_STRIPS_THREADS)
    return GPU_BLUR_CROWDED;
  return get_format (candidate)->sample == GPU_SAMPLE_BYTE ? GPU_BLUR_USUAL
      : GPU_BLUR_OF_VALUES;
}

/* --- counting --- */

static void
count_pass (const Plane * plane, GpuBlurReadyPass * ready)
{
  const GpuBlurPass *pass = ready->pass;
  const GpuBlurTile *tile =
      &gpu_blur_ready_pass_pick (ready, plane->components, &plane->axes)->tile;
  guint taps = gpu_blur_pass_taps (pass, &plane->axes);
  guint work = gpu_blur_pass_work (pass, tile, plane->components,
      &plane->axes);
  gdouble *n = plane->n;

  n[GPU_BLUR_DISPATCHES]++;
  n[GPU_BLUR_CHAIN] += taps;
  n[GPU_BLUR_TAPS] += plane->samples * taps;
  /* Sums that run take less than their taps. */
  n[GPU_BLUR_GROUP_TAPS] += plane->samples * (MAX (work, taps) - taps);
  if (pass->held)
    n[GPU_BLUR_HELD] += plane->pixels * work * tile->shared_words
        / (tile->group_x * tile->group_y);
}

static void
count_passes (const Plane * plane)
{
  GpuBlurReadyMethod *method = plane->candidate->passes;
  gboolean exact = gpu_blur_ready_method_is_exact (method, &plane->axes);

  for (guint i = 0; i < method->n_passes; i++)
    count_pass (plane, &method->passes[plane->number][exact][i]);
}

/* Strips and levels of all planes are done side by side. */
static void
count_strips (const Plane * plane)
{
  guint unrolled = plane->candidate->strips[plane->number].radius;
  gdouble x = 2 * MAX (plane->axes.x.radius, unrolled) + 1;
  gdouble y = 2 * MAX (plane->axes.y.radius, unrolled) + 1;
  gdouble samples = plane->samples / plane->pixels;
  gdouble *n = plane->n;

  n[GPU_BLUR_DISPATCHES] = 1;
  n[GPU_BLUR_CHAIN] = MAX (n[GPU_BLUR_CHAIN],
      samples * x * (y + STRIPS_SECTION));
  n[GPU_BLUR_TAPS] += plane->samples * (x + y);
}

/* Samples of all levels, done down columns and along both axes, for each of the
 * plane. */
static gdouble
levels_share (const GpuBlurLevels * levels)
{
  const guint *x = levels->axes[GPU_BLUR_LEVELS_X].sizes;
  const guint *y = levels->axes[GPU_BLUR_LEVELS_Y].sizes;
  gdouble samples = 0;

  for (guint i = 1; i <= levels->n_steps; i++)
    samples += ((gdouble) x[i - 1] + x[i]) * y[i];
  return samples / ((gdouble) x[0] * y[0]);
}

static void
count_levels (const Plane * plane)
{
  const GpuBlurLevels *levels = plane->candidate->levels;

  /* Walks are one less, whatever the levels: constants of CPU devices have that. */
  plane->n[GPU_BLUR_DISPATCHES] = 2 * levels[0].n_steps + 2;
  plane->n[GPU_BLUR_TAPS] +=
      plane->samples * levels_share (&levels[plane->number]);
}

static void
count_plane (const Plane * plane)
{
  plane->n[GPU_BLUR_PIXELS] += plane->pixels;
  if (plane->components == 3)
    plane->n[GPU_BLUR_STRADDLING] += plane->pixels;
  plane->n[GPU_BLUR_BYTES] += plane->pixels
      * gpu_pixel_format_get_size (get_format (plane->candidate),
      plane->number);
  plane->n[GPU_BLUR_SAMPLES] += plane->samples;
  switch (plane->candidate->method) {
    case GPU_BLUR_STRIPS:
      count_strips (plane);
      break;
    case GPU_BLUR_PYRAMID:
      count_levels (plane);
      break;
    default:
      count_passes (plane);
  }
}

static void
plane_init (Plane * plane, const GpuBlurCandidate * candidate, guint i,
    gdouble * n)
{
  const GpuFrameInfo *info = candidate->info;
  const GpuPixelFormat *format = get_format (candidate);

  *plane = (Plane) {
    .candidate = candidate,.number = i,.components =
        format->components[i],.pixels =
        (gdouble) gpu_frame_info_plane_width (info, i)
  * gpu_frame_info_plane_height (info, i) / MILLION,.n = n,};
  plane->samples = plane->pixels * (plane->components - (format->unused >= 0));
  gpu_blur_axes_init (&plane->axes, candidate->settings, format, i);
}

void
gpu_blur_workload_init (GpuBlurWorkload * workload,
    const GpuBlurCandidate * candidate)
{
  guint n_planes = get_format (candidate)->n_planes;
  Plane planes[GPU_MAX_PLANES];

  *workload = (GpuBlurWorkload) {
  .method = candidate->method};
  for (guint i = 0; i < n_planes; i++) {
    plane_init (&planes[i], candidate, i, workload->n);
    count_plane (&planes[i]);
  }
  workload->sums = get_sums (candidate, &planes[0].axes);
  workload->form = get_form (candidate, &planes[0].axes);
}
