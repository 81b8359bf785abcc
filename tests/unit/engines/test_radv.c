/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every shader through the compiler of Mesa's driver for AMD, which needs no card:
 * the environment tells it to play one. Nothing is run. */
#include "gpu/blur/bilateral/bilateral.h"
#include "gpu/blur/methods.h"
#include "gpu/blur/passes/passes.h"
#include "gpu/blur/pyramid/pyramidkernels.h"
#include "gpu/blur/regions/regionblur.h"
#include "gpu/blur/strips/stripskernels.h"
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

/* Workgroups that sum a block, as on GPUs (gpu/blur/regions/regionblur.c). */
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

/* Kernels of a family that lists them, for all methods that it can do. */
static void
compile_family (GpuDevice * device, const GpuBlurFamilyType * type,
    GpuBlurKernels which, GpuBlurKernel kernel, GpuPixels pixels, guint width)
{
  GpuBlurFamily *family = type->create (device);
  GpuBlurSettings settings = {.kernel = kernel, .sigma_x = 2, .sigma_y = 2,
    .radius = 4, .range = 0.1, .rounds = 1};
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, 64);
  for (settings.method = GPU_BLUR_DIRECT;
      settings.method < GPU_BLUR_N_METHODS; settings.method++) {
    const GpuBlurTask task = { settings.method, &settings, &info };

    if (gpu_blur_method_get_family (settings.method, kernel) == type
        && type->reaches (family, &task))
      OK (gpu_blur_family_request (family, device, &task, which,
              GPU_KERNEL_SOON, &error));
  }
  type->free (family);
}

static void
compile_strips (GpuDevice * device, const GpuBlurPlaneKind * kind)
{
  GpuBlurStripsKernels *all = gpu_blur_strips_kernels_new (device);
  static const GpuBlurSums sums[] = {
    GPU_BLUR_SUMS_HALF, GPU_BLUR_SUMS_IN_HALVES, GPU_BLUR_SUMS_INTEGERS
  };
  guint n = gpu_blur_is_of_bytes (kind->format) ? G_N_ELEMENTS (sums) : 1;

  for (guint i = 0; i < n; i++) {
    OK (gpu_blur_strips_kernels_request_rolled (all,
            gpu_blur_strips_kernels_get_set (all, kind, sums[i]),
            GPU_KERNEL_SOON, &error));
  }
  gpu_blur_strips_kernels_free (all);
}

static void
compile_pyramid (GpuDevice * device, const GpuBlurPlaneKind * kind)
{
  for (gboolean walks = FALSE; walks <= TRUE; walks++) {
    GpuBlurPyramidKernels kernels;

    OK (gpu_blur_pyramid_kernels_request (&kernels, device, kind, walks, NULL,
            GPU_KERNEL_SOON, &error));
  }
}

/* All layouts of pixels. */
static void
compile_blur (GpuDevice * device)
{
  const struct
  {
    GpuPixels pixels;
    guint plane;
  } planes[] = {
    {GPU_PIXELS_GRAY8, 0}, {GPU_PIXELS_NV12, 1}, {GPU_PIXELS_RGB, 0},
    {GPU_PIXELS_RGBA, 0}, {GPU_PIXELS_GRAY16, 0}, {GPU_PIXELS_P010, 1},
    {GPU_PIXELS_RGBA64, 0}, {GPU_PIXELS_RGBA16F, 0}, {GPU_PIXELS_RGBA32F, 0},
  };

  /* Walks of pixels, and of whole blocks. */
  for (guint width = 63; width <= 64; width++)
    for (GpuBlurKernel kernel = GPU_BLUR_GAUSSIAN; kernel <= GPU_BLUR_BOX;
        kernel++)
      compile_family (device, &gpu_blur_passes_type, GPU_BLUR_NEEDED_KERNELS,
          kernel, GPU_PIXELS_RGBA, width);
  for (guint i = 0; i < G_N_ELEMENTS (planes); i++) {
    const GpuPixelFormat *format = gpu_pixels_get_format (planes[i].pixels);
    const GpuBlurPlaneKind kind = {
      .format = format,
      .plane = planes[i].plane,
      .half = gpu_pixel_format_get_code_bits (format) <= 8,
    };

    compile_strips (device, &kind);
    compile_pyramid (device, &kind);
    if (gpu_blur_can_weigh_colours (format))
      compile_family (device, &gpu_blur_bilateral_type, GPU_BLUR_ALL_KERNELS,
          GPU_BLUR_BILATERAL, planes[i].pixels, 64);
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
