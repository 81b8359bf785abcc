/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "boxstrips.h"
#include "shaders/blur/strips/shared.h"
#include "gpu/core/rounding.h"

/* The threads of a group that measured best for few columns beyond a strip's own, on each
 * side, and for more; and the fewest. */
#define NEAR_APRON 16
#define NEAR_THREADS 128
#define FAR_THREADS 256
#define LEAST_THREADS 64

guint
gpu_blur_box_strips_shared_words (guint threads, gboolean has_alpha)
{
  /* And one: samples are read up to a column beyond the last. */
  return STRIPS_BOX_ROWS * STRIPS_BOX_PITCH (threads) * (has_alpha ? 4 : 2) + 1;
}

guint
gpu_blur_box_strips_near_radius (guint components)
{
  return 4 * NEAR_APRON / components;
}

guint
gpu_blur_box_strips_threads (GpuDevice * device, const GpuBlurBoxPlane * plane,
    guint radius)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);
  guint threads = radius <= gpu_blur_box_strips_near_radius (plane->components)
      ? NEAR_THREADS : FAR_THREADS;

  while (threads > LEAST_THREADS
      && gpu_blur_box_strips_shared_words (threads, plane->has_alpha)
      > info->max_shared / 4)
    threads /= 2;
  return threads;
}

/* Returns the most columns that a strip can have; less than 1 if there are none. */
static gint
most_columns (GpuDevice * device, const GpuBlurBoxPlane * plane,
    const GpuBlurAxes * axes)
{
  gint threads = gpu_blur_box_strips_threads (device, plane, axes->x.radius);
  gint apron = STRIPS_BOX_APRON (axes->x.radius, plane->components);

  return ROUND_DOWN (threads - 2 * apron, STRIPS_BOX_OUTPUTS);
}

/* If less than a quarter of the threads had outputs, other methods would be faster. */
gboolean
gpu_blur_box_strips_reach (GpuDevice * device, const GpuBlurBoxPlane * plane,
    const GpuBlurAxes * axes)
{
  gint threads = gpu_blur_box_strips_threads (device, plane, axes->x.radius);

  return MAX (axes->x.radius, axes->y.radius) <= STRIPS_BOX_MAX_RADIUS
      && 4 * most_columns (device, plane, axes) >= threads
      && plane->columns / (threads / 4)
      < gpu_device_get_info (device)->max_groups[0];
}

guint
gpu_blur_box_strips_columns (GpuDevice * device, const GpuBlurBoxPlane * plane,
    const GpuBlurAxes * axes)
{
  guint most = most_columns (device, plane, axes);
  guint n_strips = DIV_UP (plane->columns, most);

  return ROUND_UP (DIV_UP (plane->columns, n_strips), STRIPS_BOX_OUTPUTS);
}

/* The reciprocal is 2^(32 + shift) / n, rounded up, and has 32 bits, as n > 2^shift. It is too
 * large by less than 1, so a quotient by less than 2^31 / 2^(32 + shift). That is at most 1 / n,
 * as n <= 2^(shift + 1): too little to reach the next whole number. */
void
gpu_blur_box_strips_get_reciprocal (guint n, guint32 * reciprocal,
    guint32 * shift)
{
  *shift = g_bit_storage (n - 1) - 1;
  *reciprocal = ((G_GUINT64_CONSTANT (1) << (32 + *shift)) + n - 1) / n;
}
