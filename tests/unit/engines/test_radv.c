/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every shader through the compiler of Mesa's driver for AMD, which needs no card:
 * the environment tells it to play one. Nothing is run. */
#include "gpu/blur/methods.h"
#include "gpu/blur/regions/regionblur.h"
#include "gpu/core/compute/components.h"
#include "gpu/palette/exact/exact.h"
#include "gpu_fixture.h"
#include "loader_fixture.h"
#include "shaders.h"

static const GpuShader *const shaders[] = { SHADERS };

static guint reported_lanes;

static void
report_lanes (VkPhysicalDeviceProperties2 * properties, guint index)
{
  VkPhysicalDeviceSubgroupProperties *subgroup = properties->pNext;

  while (subgroup->sType
      != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
    subgroup = subgroup->pNext;
  subgroup->subgroupSize = reported_lanes;
}

/* NULL: there is no such driver here. */
static GpuDevice *
open_null_hardware (guint lanes)
{
  g_autoptr (GError) error = NULL;
  GpuDevice *device;

  use_fake_loader ();
  fake->runs_nothing = TRUE;
  /* Of them the names of objects: there is no fence to name. */
  fake->hides_extensions = TRUE;
  fake->edit_properties = report_lanes;
  reported_lanes = lanes;
  device = gpu_device_open_own ("RADV", NULL, &error);
  if (!device)
    g_test_message ("%s", error->message);
  return device;
}

/* --- what was compiled --- */

static GMutex lock;             /* protects the next variable */
static GHashTable *compiled;    /* words of shaders */
static PFN_vkCreateShaderModule create_module;

static VkResult VKAPI_CALL
note_module (VkDevice device, const VkShaderModuleCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkShaderModule * module)
{
  g_mutex_lock (&lock);
  g_hash_table_add (compiled, (gpointer) info->pCode);
  g_mutex_unlock (&lock);
  return create_module (device, info, allocator, module);
}

static void
watch_modules (GpuDevice * device)
{
  compiled = g_hash_table_new (NULL, NULL);
  create_module = device->vk.vkCreateShaderModule;
  device->vk.vkCreateShaderModule = note_module;
}

static void
assert_all_compiled (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (shaders); i++)
    if (!g_hash_table_contains (compiled, shaders[i]->words))
      g_error ("%s is not compiled", shaders[i]->name);
  g_hash_table_unref (compiled);
}

/* --- shaders that say how large their workgroups are --- */

static void
compile_others (GpuDevice * device)
{
  guint expected = fake->full;

  for (guint i = 0; i < G_N_ELEMENTS (shaders); i++) {
    if (shaders[i]->group[0].constant >= 0)
      continue;
    expected += shaders[i]->group[0].threads % reported_lanes == 0;
    OK (gpu_kernel_get (device, shaders[i], NULL, 0, &error));
  }
  g_assert_cmpuint (fake->full, ==, expected);
}

/* --- those that engines tell --- */

/* Workgroups of one subgroup, which is full. */
static void
compile_walks (GpuDevice * device)
{
  for (GpuPaletteWalkKind kind = GPU_PALETTE_WALK_GROUPS;
      kind <= GPU_PALETTE_WALK_LANES; kind++) {
    GpuPaletteWalkKernels kernels;
    guint full = fake->full;

    OK (gpu_palette_walk_kernels_init (&kernels, device, kind, &error));
    gpu_kernels_wait (device);
    g_assert_cmpuint (fake->full, ==, full + 4);
  }
}

/* Workgroups that compare blocks, as on GPUs (gpu/palette/live/resources.c). */
static void
compile_motion (GpuDevice * device)
{
  const GpuShader *const motion[] = {
    &gpu_shader_palette_motion_search, &gpu_shader_palette_motion_match,
    &gpu_shader_palette_motion_measure
  };
  const guint32 threads = 64;

  for (guint i = 0; i < G_N_ELEMENTS (motion); i++) {
    guint full = fake->full;

    OK (gpu_kernel_get (device, motion[i], &threads, 1, &error));
    g_assert_cmpuint (fake->full, ==, full + 1);
  }
}

/* Workgroups that sum a block, as on GPUs (gpu/blur/regions/regionkernels.c). */
static void
compile_means (GpuDevice * device)
{
  guint full = fake->full;
  guint32 constants[FORMAT_CONSTANTS + MEANS_CONSTANTS];

  gpu_components_get_constants (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, 0, constants);
  constants[FORMAT_CONSTANTS + MEANS_THREADS] = 256;
  OK (gpu_kernel_get (device, &gpu_shader_blur_region_means, constants,
          G_N_ELEMENTS (constants), &error));
  g_assert_cmpuint (fake->full, ==, full + 1);
}

/* Kernels of a family for frames like @info, for all methods that it can do. Returns their
 * number. */
static guint
compile_methods (GpuBlurFamily * family, GpuBlurSettings * settings,
    const GpuFrameInfo * info, GpuBlurWhich which)
{
  guint n = 0;

  for (settings->method = GPU_BLUR_DIRECT;
      settings->method < GPU_BLUR_N_METHODS; settings->method++) {
    const GpuBlurTask task = { settings->method, settings, info };

    if (gpu_blur_method_get_family (settings->method, settings->kernel)
        != family->type || !family->type->reaches (family, &task))
      continue;
    OK (gpu_blur_family_request (family, &task, which,
            GPU_KERNEL_SOON, &error));
    n++;
  }
  return n;
}

static void
compile_family (GpuDevice * device, const GpuBlurFamilyType * type,
    GpuBlurWhich which, GpuBlurSettings settings, GpuPixels pixels, guint width)
{
  GpuBlurFamily *family = gpu_blur_family_new (type, device);
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, 64);
  for (guint kind = 1; kind <= (type->set_tuning ? 2 : 1); kind++) {
    const GpuBlurTuning tuning = {.pyramid = kind};

    if (type->set_tuning)
      type->set_tuning (family, &tuning);
    g_assert_cmpuint (compile_methods (family, &settings, &info, which), >, 0);
  }
  gpu_blur_family_free (family);
}

/* Strips with all sums. */
static void
compile_strips (GpuDevice * device, GpuPixels pixels)
{
  GpuBlurSettings settings = {.sigma_x = 2, .sigma_y = 2, .radius = 4};

  for (; settings.kernel <= GPU_BLUR_BOX; settings.kernel++)
    for (settings.precision = GPU_BLUR_PRECISION_AUTO;
        settings.precision <= GPU_BLUR_HALF; settings.precision++)
      compile_family (device, &gpu_blur_strips_type, GPU_BLUR_ALL_KERNELS,
          settings, pixels, 64);
}

/* All layouts of pixels. */
static void
compile_blur (GpuDevice * device)
{
  static const GpuPixels all[] = {
    GPU_PIXELS_GRAY8, GPU_PIXELS_NV12, GPU_PIXELS_RGB, GPU_PIXELS_RGBA,
    GPU_PIXELS_GRAY16, GPU_PIXELS_P010, GPU_PIXELS_RGBA64, GPU_PIXELS_RGBA16F,
    GPU_PIXELS_RGBA32F
  };
  GpuBlurSettings settings = {.sigma_x = 2, .sigma_y = 2, .radius = 4,
    .range = 0.1, .rounds = 1
  };
  const GpuBlurSettings wide = {.sigma_x = 8, .sigma_y = 8, .radius = -1};

  /* Walks of pixels, and of whole blocks. */
  for (guint width = 63; width <= 64; width++)
    for (settings.kernel = GPU_BLUR_GAUSSIAN;
        settings.kernel <= GPU_BLUR_BOX; settings.kernel++)
      compile_family (device, &gpu_blur_passes_type, GPU_BLUR_NEEDED_KERNELS,
          settings, GPU_PIXELS_RGBA, width);
  settings.kernel = GPU_BLUR_BILATERAL;
  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    compile_strips (device, all[i]);
    compile_family (device, &gpu_blur_pyramid_type, GPU_BLUR_ALL_KERNELS, wide,
        all[i], 64);
    if (gpu_blur_can_weigh_colours (gpu_pixels_get_format (all[i])))
      compile_family (device, &gpu_blur_bilateral_type, GPU_BLUR_ALL_KERNELS,
          settings, all[i], 64);
  }
}

static void
test_compile (gconstpointer data)
{
  guint lanes = GPOINTER_TO_UINT (data);
  g_autoptr (GpuDevice) device = open_null_hardware (lanes);

  if (!device) {
    g_test_skip ("no driver for AMD that does without a card");
    use_real_loader ();
    return;
  }
  g_assert_cmpuint (device->info.subgroup_size, ==, lanes);
  watch_modules (device);
  compile_others (device);
  compile_walks (device);
  compile_motion (device);
  compile_means (device);
  compile_blur (device);
  gpu_kernels_wait (device);
  assert_all_compiled ();
  g_assert_cmpuint (fake->sizes, ==, lanes);
  use_real_loader ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/radv/32", GUINT_TO_POINTER (32), test_compile);
  g_test_add_data_func ("/radv/64", GUINT_TO_POINTER (64), test_compile);
  return g_test_run ();
}
