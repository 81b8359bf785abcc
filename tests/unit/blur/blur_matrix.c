/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blur_matrix.h"

#include "gpu_fixture.h"

#include <string.h>

/* By what shaders know of a format: those of a row are the same to them. */
static const GpuPixels formats[][2] = {
  {GPU_PIXELS_RGBA, GPU_PIXELS_BGRA}, {GPU_PIXELS_ARGB, GPU_PIXELS_ABGR},
  {GPU_PIXELS_RGBX, GPU_PIXELS_BGRX}, {GPU_PIXELS_XRGB, GPU_PIXELS_XBGR},
  {GPU_PIXELS_RGB, GPU_PIXELS_BGR}, {GPU_PIXELS_NV12, GPU_PIXELS_NV12},
  {GPU_PIXELS_I420, GPU_PIXELS_I420}, {GPU_PIXELS_GRAY8, GPU_PIXELS_GRAY8},
};

static const GpuBlurMethod all_methods[] = {
  GPU_BLUR_DIRECT, GPU_BLUR_DIRECT_SHARED, GPU_BLUR_SEPARABLE,
  GPU_BLUR_SEPARABLE_SHARED, GPU_BLUR_INLINE_SEPARABLE,
  GPU_BLUR_INLINE_SEPARABLE_SHARED, GPU_BLUR_SLIDING_WINDOW,
  GPU_BLUR_INLINE_SLIDING_WINDOW, GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED,
  GPU_BLUR_RUNNING_SUMS, GPU_BLUR_STRIPS, GPU_BLUR_WALK,
};

static const GpuBlurPrecision precisions[] = { GPU_BLUR_HALF, GPU_BLUR_FLOAT };

/* Odd ones, ones below the radius, and some that need several groups. */
static const struct
{
  guint width, height;
} sizes[] = {
  {1, 1}, {17, 9}, {5, 135}, {131, 4}, {33, 18}, {64, 40}, {2, 2},
};

/* Whole and fractional boxes, a radius of its own, wider than frames; axes that
 * differ, and one axis alone. */
static const struct
{
  gdouble sigma_x, sigma_y;
  gint radius;
} extents[] = {
  {1.3, 1.3, -1}, {0.4, 7.5, -1}, {7.5, 2, -1}, {3, 3, 4}, {2, 2, 1},
  {1.7, 1.7, 13}, {4, 1, 2}, {2, 0, -1}, {0, 2, -1}, {0, 1.3, -1}, {1.7, 0, 5},
};

/* The dimensions of a case, as indices. */
enum
{
  FORMAT, ORDER, METHOD, KERNEL, PRECISION, EDGE, SIZE, EXTENT, DIMENSIONS
};

static const guint counts[DIMENSIONS] = {
  G_N_ELEMENTS (formats), 2, G_N_ELEMENTS (all_methods), 2,
  G_N_ELEMENTS (precisions), 4, G_N_ELEMENTS (sizes), G_N_ELEMENTS (extents)
};

static Case
case_of (const guint * index)
{
  Case c = {
    .pixels = formats[index[FORMAT]][index[ORDER]],
    .width = sizes[index[SIZE]].width,
    .height = sizes[index[SIZE]].height,
    .settings = {
      .kernel = index[KERNEL],
      .sigma_x = extents[index[EXTENT]].sigma_x,
      .sigma_y = extents[index[EXTENT]].sigma_y,
      .radius = extents[index[EXTENT]].radius,
      .method = all_methods[index[METHOD]],
      .precision = precisions[index[PRECISION]],
      .edge = index[EDGE],
      .full_range = index[SIZE] % 2,
    },
  };

  return c;
}

static gboolean
has_method (const Methods * methods, GpuBlurMethod method)
{
  for (guint i = 0; i < methods->n; i++)
    if (methods->list[i] == method)
      return TRUE;
  return FALSE;
}

#define MAX_COUNT 13

/* Which values of two dimensions met in a case. */
typedef struct
{
  gboolean met[DIMENSIONS][DIMENSIONS][MAX_COUNT][MAX_COUNT];
} Pairs;

/* How many pairs of a case had not met; with @mark, they have now. */
static guint
meet (Pairs * pairs, const guint * index, gboolean mark)
{
  guint n = 0;

  for (guint a = 0; a < DIMENSIONS; a++)
    for (guint b = a + 1; b < DIMENSIONS; b++) {
      gboolean *met = &pairs->met[a][b][index[a]][index[b]];

      n += !*met;
      *met |= mark;
    }
  return n;
}

/* The most useful of a few dozen random cases; the same ones every time. */
static void
draw_case (Pairs * pairs, GRand * random, guint * best)
{
  guint best_gain = 0;

  while (best_gain == 0)
    for (guint i = 0; i < 60; i++) {
      guint index[DIMENSIONS], gain;

      for (guint d = 0; d < DIMENSIONS; d++)
        index[d] = g_rand_int_range (random, 0, counts[d]);
      gain = meet (pairs, index, FALSE);
      if (gain > best_gain) {
        best_gain = gain;
        memcpy (best, index, sizeof index);
      }
    }
}

/* Cases until every value of every dimension met every value of every other: of
 * these, those of the methods at hand. */
static void
test_pairs (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  Pairs *pairs = g_new0 (Pairs, 1);
  GRand *random = g_rand_new_with_seed (1);
  guint left = 0, n_run = 0;

  for (guint a = 0; a < DIMENSIONS; a++)
    for (guint b = a + 1; b < DIMENSIONS; b++)
      left += counts[a] * counts[b];
  while (left > 0) {
    guint index[DIMENSIONS];
    Case c;

    draw_case (pairs, random, index);
    left -= meet (pairs, index, TRUE);
    c = case_of (index);
    if (has_method (methods, c.settings.method)) {
      check_case (fixture, &c);
      n_run++;
    }
  }
  g_assert_cmpuint (n_run, >, 0);
  g_rand_free (random);
  g_free (pairs);
}

/* Every format with every method at hand, kernel, precision, edge mode, size and
 * extent. */
static void
test_cross_product (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  guint n = 1;

  for (guint d = 0; d < DIMENSIONS; d++)
    n *= counts[d];
  for (guint i = 0; i < n; i++) {
    guint index[DIMENSIONS], rest = i;
    Case c;

    for (guint d = 0; d < DIMENSIONS; d++) {
      index[d] = rest % counts[d];
      rest /= counts[d];
    }
    c = case_of (index);
    if (has_method (methods, c.settings.method))
      check_case (fixture, &c);
  }
}

void
blur_matrix_add_pairs (const Methods * methods)
{
  ADD ("/blur/pairs", methods, test_pairs);
}

void
blur_matrix_add_cross_product (const Methods * methods)
{
  ADD ("/blur/cross-product", methods, test_cross_product);
}
