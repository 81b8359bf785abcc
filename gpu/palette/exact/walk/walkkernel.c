/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "walkkernel.h"
#include "shaders.h"
#include "shaders/palette/exact/walk/walk.h"

/* Words of a candidate in its list. */
#define CANDIDATE_WORDS 2

/* walk_lanes.comp: shared memory in bytes, words of it that are not lists, the length of
 * its list of heavy candidates, and the greatest length of its list of light candidates,
 * whose sums must not overflow. */
#define LANES_SHARED_WANTED 32768
#define LANES_FIXED_WORDS (64 * (2 + 4 + 8))
#define LANES_HEAVY 256
#define LANES_MOST_LIGHT 4096

GpuPaletteWalkKind
gpu_palette_walk_choose_kind (GpuDevice * device)
{
  return gpu_device_is_slow (device) ? GPU_PALETTE_WALK_LANES
      : GPU_PALETTE_WALK_GROUPS;
}

GpuPaletteWalkKind
gpu_palette_walk_wanted_kind (const GpuPaletteSolve * solve)
{
  GpuPaletteWalkKind forced = solve->context->tuning->walk;

  return forced ? forced
      : gpu_palette_walk_choose_kind (solve->buffers->device);
}

gboolean
gpu_palette_walk_wants_cubes (const GpuPaletteSolve * solve)
{
  return gpu_palette_walk_wanted_kind (solve) == GPU_PALETTE_WALK_LANES;
}

/* Makes a kernel of walk.comp. In both shaders a workgroup is one subgroup. */
static GpuKernel *
make_groups (const GpuPaletteExactBuffers * buffers, gboolean is_weighted,
    gboolean keeps_successors, guint list_units, GError ** error)
{
  const GpuDeviceInfo *info = gpu_device_get_info (buffers->device);
  guint32 constants[] = {
    is_weighted, list_units, keeps_successors, info->subgroup_size,
    info->kind == GPU_DEVICE_CPU
  };

  return gpu_kernel_request (buffers->device, &gpu_shader_palette_walk,
      constants, G_N_ELEMENTS (constants), GPU_KERNEL_SOON, error);
}

/* Makes a kernel of walk_lanes.comp. Lengths of lists are multiples of the number of
 * lanes. */
static GpuKernel *
make_lanes (const GpuPaletteExactBuffers * buffers, gboolean is_weighted,
    gboolean keeps_successors, guint list_units, GError ** error)
{
  const GpuDeviceInfo *info = gpu_device_get_info (buffers->device);
  guint lanes = info->subgroup_size;
  guint heavy = is_weighted ? LANES_HEAVY : lanes;
  guint words = MIN (info->max_shared, LANES_SHARED_WANTED) / 4
      - LANES_FIXED_WORDS - heavy;
  guint light = MIN (words / CANDIDATE_WORDS, LANES_MOST_LIGHT);
  guint32 constants[] = {
    is_weighted, list_units, keeps_successors, lanes, light / lanes * lanes,
    heavy,
    info->kind == GPU_DEVICE_CPU
  };

  return gpu_kernel_request (buffers->device, &gpu_shader_palette_walk_lanes,
      constants, G_N_ELEMENTS (constants), GPU_KERNEL_SOON, error);
}

/* Sets the walkers of a group, and how many units gathering a list is. */
static void
set_costs (GpuPaletteWalkKernels * kernels, GpuPaletteWalkKind kind,
    GpuDevice * device)
{
  gboolean is_lanes = kind == GPU_PALETTE_WALK_LANES;

  kernels->walkers = is_lanes ? LANES_WALKERS : GROUP_WALKERS;
  kernels->list_units = is_lanes || gpu_device_is_slow (device) ? 32 : 4;
}

gboolean
gpu_palette_walk_kernels_init (GpuPaletteWalkKernels * kernels,
    const GpuPaletteExactBuffers * buffers, GpuPaletteWalkKind kind,
    GError ** error)
{
  GpuPaletteWalkKernels made;

  set_costs (&made, kind, buffers->device);
  for (guint i = 0; i < 4; i++) {
    guint is_weighted = i >> 1, keeps_successors = i & 1;
    GpuKernel **kernel = &made.kernels[is_weighted][keeps_successors];

    if (kind == GPU_PALETTE_WALK_LANES)
      *kernel = make_lanes (buffers, is_weighted, keeps_successors,
          made.list_units, error);
    else
      *kernel = make_groups (buffers, is_weighted, keeps_successors,
          made.list_units, error);
    if (!*kernel)
      return FALSE;
  }
  *kernels = made;
  return TRUE;
}
