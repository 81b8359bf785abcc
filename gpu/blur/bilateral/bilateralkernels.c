/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bilateralkernels.h"
#include "bilateral.h"
#include "shaders.h"

#include <string.h>

/* The outputs of a group. All formats have the same, so that a tile fits all or none. */
#define GROUP_PIXELS 32
#define GROUP_THREAD_ROWS 8

/* The largest radius of a window, for its loop rounds: a unit of four pixels of N rows
 * and N columns, and those that fetch the tile, stay below 65000
 * (docs/internals/design.md). */
#define MAX_ROUNDS_RADIUS 60

/* A tile for the radii that AUTO takes needs so little shared memory that it limits no
 * number of groups. The other holds as much as the device has. */
#define N_TILES 2
static const guint tile_radii[N_TILES] = {
  GPU_BLUR_BILATERAL_AUTO_RADIUS, MAX_ROUNDS_RADIUS
};

/* The kernels for planes of one kind. */
typedef struct
{
  guint32 constants[BILATERAL_CONSTANTS];
  guint pixels;                 /* of a unit */
  GpuKernel *windows[N_TILES], *rows, *columns; /* NULL: not requested */
} Set;

struct _GpuBlurBilateralKernels
{
  GpuDevice *device;
  GPtrArray *sets;              /* Set */
};

/* A kernel of a set, with what it is built from. */
typedef struct
{
  const GpuShader *shader;
  guint32 constants[BILATERAL_CONSTANTS];
  GpuKernel **slot;
} Wanted;

GpuBlurBilateralKernels *
gpu_blur_bilateral_kernels_new (GpuDevice * device)
{
  GpuBlurBilateralKernels *kernels = g_new0 (GpuBlurBilateralKernels, 1);

  kernels->device = gpu_device_ref (device);
  kernels->sets = g_ptr_array_new_with_free_func (g_free);
  return kernels;
}

void
gpu_blur_bilateral_kernels_free (GpuBlurBilateralKernels * kernels)
{
  g_ptr_array_unref (kernels->sets);
  gpu_device_unref (kernels->device);
  g_free (kernels);
}

/* --- tiles --- */

static guint
count_tile_words (guint radius_x, guint radius_y)
{
  return (GROUP_PIXELS + 2 * radius_x)
      * (GROUP_THREAD_ROWS * BILATERAL_ROWS + 2 * radius_y);
}

/* Returns the most words that a tile can have beside the range weights and a flag. */
static guint
get_tile_limit (GpuDevice * device)
{
  return gpu_device_get_info (device)->max_shared / 4 - BILATERAL_RANGES - 1;
}

guint
gpu_blur_bilateral_kernels_max_radius (GpuDevice * device)
{
  guint radius = MAX_ROUNDS_RADIUS;

  while (count_tile_words (radius, radius) > get_tile_limit (device))
    radius--;
  return radius;
}

static guint
get_tile_words (GpuDevice * device, guint tile)
{
  return MIN (count_tile_words (tile_radii[tile], tile_radii[tile]),
      get_tile_limit (device));
}

static guint
pick_tile (GpuDevice * device, const GpuBlurAxes * axes)
{
  guint words = count_tile_words (axes->x.radius, axes->y.radius);
  guint tile = 0;

  while (tile < N_TILES - 1 && get_tile_words (device, tile) < words)
    tile++;
  return tile;
}

/* --- sets --- */

static void
init_set (Set * set, const GpuBlurPlaneKind * kind)
{
  const GpuPixelFormat *format = kind->format;

  *set = (Set) {
    .constants = {
      [BILATERAL_COMPONENTS] = format->components[kind->plane],
      [BILATERAL_ALPHA] = format->alpha,
      [BILATERAL_UNUSED] = format->unused,
      [BILATERAL_LINEAR] = kind->linear,
      [BILATERAL_GUIDED] = kind->plane > 0,
      [BILATERAL_SHIFT_X] = format->shift_x[kind->plane],
      [BILATERAL_SHIFT_Y] = format->shift_y[kind->plane],
    },
    .pixels = BLUR_PIXELS_PER_UNIT (gpu_pixel_format_get_size (format,
        kind->plane)),
  };
}

static Set *
get_set (GpuBlurBilateralKernels * kernels, const GpuBlurPlaneKind * kind)
{
  Set wanted, *set;

  init_set (&wanted, kind);
  for (guint i = 0; i < kernels->sets->len; i++) {
    set = kernels->sets->pdata[i];
    if (!memcmp (set->constants, wanted.constants, sizeof set->constants))
      return set;
  }
  set = g_memdup2 (&wanted, sizeof wanted);
  g_ptr_array_add (kernels->sets, set);
  return set;
}

/* --- kernels --- */

static void
want_window (Set * set, GpuDevice * device, guint tile, Wanted * wanted)
{
  wanted->shader = &gpu_shader_blur_bilateral_window;
  wanted->constants[BILATERAL_GROUP_X] = GROUP_PIXELS / set->pixels;
  wanted->constants[BILATERAL_TILE_WORDS] = get_tile_words (device, tile);
  wanted->slot = &set->windows[tile];
}

static void
want_axis (Set * set, gboolean down, Wanted * wanted)
{
  wanted->shader = &gpu_shader_blur_bilateral_axis;
  wanted->constants[BILATERAL_GROUP_X] = GROUP_PIXELS;
  wanted->constants[BILATERAL_DOWN] = down;
  wanted->slot = down ? &set->columns : &set->rows;
}

/* @tile: used for windows. */
static void
want (Set * set, GpuDevice * device, GpuBlurBilateralAxes which, guint tile,
    Wanted * wanted)
{
  memcpy (wanted->constants, set->constants, sizeof set->constants);
  wanted->constants[BILATERAL_GROUP_Y] = GROUP_THREAD_ROWS;
  if (which == GPU_BLUR_BILATERAL_WINDOW)
    want_window (set, device, tile, wanted);
  else
    want_axis (set, which == GPU_BLUR_BILATERAL_COLUMNS, wanted);
}

static gboolean
request (GpuDevice * device, const Wanted * wanted, GpuKernelUrgency urgency,
    GError ** error)
{
  *wanted->slot = gpu_kernel_request (device, wanted->shader,
      wanted->constants, BILATERAL_CONSTANTS, urgency, error);
  return *wanted->slot != NULL;
}

/* Fills in the work of a group of threads. */
static void
count_outputs (const Set * set, GpuBlurBilateralAxes which,
    GpuBlurBilateralKernel * kernel)
{
  kernel->group_units = GROUP_PIXELS;
  kernel->group_rows = GROUP_THREAD_ROWS;
  if (which == GPU_BLUR_BILATERAL_WINDOW) {
    kernel->group_units /= set->pixels;
    kernel->group_rows *= BILATERAL_ROWS;
    return;
  }
  if (which == GPU_BLUR_BILATERAL_ROWS)
    kernel->group_units *= BILATERAL_OUTPUTS / set->pixels;
  else
    kernel->group_rows *= BILATERAL_OUTPUTS / set->pixels;
}

gboolean
gpu_blur_bilateral_kernels_get (GpuBlurBilateralKernels * kernels,
    const GpuBlurPlaneKind * kind, GpuBlurBilateralAxes which,
    const GpuBlurAxes * axes, GpuKernelUrgency urgency,
    GpuBlurBilateralKernel * kernel, GError ** error)
{
  Set *set = get_set (kernels, kind);
  Wanted wanted;

  want (set, kernels->device, which, pick_tile (kernels->device, axes),
      &wanted);
  count_outputs (set, which, kernel);
  if (!request (kernels->device, &wanted, urgency, error))
    return FALSE;
  kernel->kernel = *wanted.slot;
  return TRUE;
}

gboolean
gpu_blur_bilateral_kernels_is_built (GpuBlurBilateralKernels * kernels,
    const GpuBlurPlaneKind * kind, GpuBlurBilateralAxes which,
    const GpuBlurAxes * axes)
{
  Wanted wanted;

  want (get_set (kernels, kind), kernels->device, which,
      pick_tile (kernels->device, axes), &wanted);
  return *wanted.slot && gpu_kernel_is_built (*wanted.slot);
}

static guint
count_tiles (GpuBlurBilateralAxes which)
{
  return which == GPU_BLUR_BILATERAL_WINDOW ? N_TILES : 1;
}

gboolean
gpu_blur_bilateral_kernels_request_all (GpuBlurBilateralKernels * kernels,
    const GpuBlurPlaneKind * kind, GpuBlurBilateralAxes which,
    GpuKernelUrgency urgency, GError ** error)
{
  Set *set = get_set (kernels, kind);

  for (guint i = 0; i < count_tiles (which); i++) {
    Wanted wanted;

    want (set, kernels->device, which, i, &wanted);
    if (!request (kernels->device, &wanted, urgency, error))
      return FALSE;
  }
  return TRUE;
}
