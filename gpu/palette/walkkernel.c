/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "walkkernel.h"
#include "shaders.h"

/* Words of a candidate in the lists of both shaders. */
#define CANDIDATE_WORDS 2

/* Shared memory of walk.comp: what a group may take so that several run on a
 * multiprocessor, and words beside the list of candidates. */
#define SHARED_WANTED 24576
#define SHARED_FIXED_WORDS(threads) ((threads) / 4 * 9 + 800)

/* Points that one of its threads looks at before the group agrees on what
 * fits. */
#define MAX_POINTS 3

/* Weights of so many bits go into its list of candidates. */
#define LISTED_WEIGHT_BITS 20

/* Threads of its groups. At a barrier a CPU switches between all of them. */
#define THREADS_CPU 64
#define THREADS_GPU 256

/* Shared memory of walk_lanes.comp, words of it beside the lists, and its list
 * of heavy candidates. The other list is of at most as many as sums of light
 * candidates allow. */
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

/* All there can be; rounded up, so that there are few sizes of windows to build
 * pipelines for. */
static guint
most_heavy (guint n_pixels)
{
  guint n = n_pixels >> LISTED_WEIGHT_BITS;

  return n > 1 ? 1u << g_bit_storage (n - 1) : n;
}

static GpuKernel *
make_groups (const GpuPaletteWork * work, gboolean is_weighted,
    guint list_units, GError ** error)
{
  const GpuDeviceInfo *info = gpu_device_get_info (work->device);
  guint threads = gpu_device_is_slow (work->device) ? THREADS_CPU : THREADS_GPU;
  guint heavy = most_heavy (work->n_pixels);
  guint words = MIN (info->max_shared, SHARED_WANTED) / 4
      - SHARED_FIXED_WORDS (threads);
  guint points, capacity;
  guint32 constants[6];

  heavy = CLAMP (heavy, 1, MAX_POINTS * threads);
  capacity = (words - heavy) / CANDIDATE_WORDS;
  /* Two digits of every point of a tile fit an empty list. */
  points = CLAMP (capacity / (2 * threads), 1, MAX_POINTS);
  constants[0] = is_weighted;
  constants[1] = capacity;
  constants[2] = points;
  constants[3] = threads;
  constants[4] = heavy;
  constants[5] = list_units;
  return gpu_kernel_get (work->device, &gpu_shader_palette_walk, constants,
      G_N_ELEMENTS (constants), error);
}

/* A workgroup is one subgroup, and lists grow by as many as it has lanes. */
static GpuKernel *
make_lanes (const GpuPaletteWork * work, gboolean is_weighted,
    guint list_units, GError ** error)
{
  const GpuDeviceInfo *info = gpu_device_get_info (work->device);
  guint lanes = info->subgroup_size;
  guint heavy = is_weighted ? LANES_HEAVY : lanes;
  guint words = MIN (info->max_shared, LANES_SHARED_WANTED) / 4
      - LANES_FIXED_WORDS - heavy;
  guint light = MIN (words / CANDIDATE_WORDS, LANES_MOST_LIGHT);
  guint32 constants[] = {
    is_weighted, light / lanes * lanes, heavy, lanes,
    info->kind == GPU_DEVICE_CPU, list_units
  };

  return gpu_kernel_get (work->device, &gpu_shader_palette_walk_lanes,
      constants, G_N_ELEMENTS (constants), error);
}

/* What slow devices of a kind take for a unit, and what gathering a list is
 * there in comparison with tests. */
static void
set_costs (GpuPaletteWalkKernels * kernels, GpuPaletteWalkKind kind,
    GpuDeviceKind device)
{
  if (kind == GPU_PALETTE_WALK_LANES) {
    kernels->unit_ns = 800;
    kernels->list_units = 32;
  } else if (device == GPU_DEVICE_CPU || device == GPU_DEVICE_OTHER) {
    kernels->unit_ns = 200;
    kernels->list_units = 1024;
  } else {
    kernels->unit_ns = device == GPU_DEVICE_INTEGRATED ? 160 : 40;
    kernels->list_units = 64;
  }
}

gboolean
gpu_palette_walk_kernels_init (GpuPaletteWalkKernels * kernels,
    const GpuPaletteWork * work, GpuPaletteWalkKind kind, GError ** error)
{
  GpuPaletteWalkKernels made;

  set_costs (&made, kind, gpu_device_get_info (work->device)->kind);
  made.n_pixels = work->n_pixels;
  for (guint i = 0; i < G_N_ELEMENTS (made.kernels); i++) {
    made.kernels[i] = kind == GPU_PALETTE_WALK_LANES
        ? make_lanes (work, i, made.list_units, error)
        : make_groups (work, i, made.list_units, error);
    if (!made.kernels[i])
      return FALSE;
  }
  *kernels = made;
  return TRUE;
}
