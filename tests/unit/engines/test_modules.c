/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shaders with the specialization constants that the engines give them, for all formats, through
 * spirv-val. The build validates shaders whose constants have no values yet, and does not see,
 * for instance, an index that is -1 for formats without alpha. Nothing is built or run. */
#include "gpu/blur/blur.h"
#include "gpu/blur/regions/regionblur.h"
#include "gpu/core/device/vulkan.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu/palette/palette.h"
#include "gpu_fixture.h"
#include "shaders.h"

#include <stdio.h>
#include <string.h>

static const GpuShader *const shaders[] = { SHADERS };

/* A kernel that was requested. */
typedef struct
{
  const GpuShader *shader;
  gint32 constants[GPU_MAX_CONSTANTS];
  guint n_constants;
} Request;

static GMutex lock;             /* protects the next variable */
static GArray *requests;        /* of Request */

/* --- validation --- */

/* Of SPIR-V. */
#define HEADER_WORDS 5
#define BOUND 3                 /* the word of the header above all ids */
#define OPERATION(word) ((word) & 0xffff)
#define LENGTH(word) ((word) >> 16)
#define DECORATION_SPEC_ID 1

enum
{
  SPEC_CONSTANT_TRUE = 48,
  SPEC_CONSTANT_FALSE = 49,
  SPEC_CONSTANT = 50,
  DECORATE = 71,
};

/* Makes the constants of @request the default values in @words, its module. */
static void
set_constants (guint32 * words, const Request * request)
{
  const gsize n_words = request->shader->size / 4;
  g_autofree const gint32 **constants = g_new0 (const gint32 *,
      words[BOUND]);            /* by id */

  for (gsize at = HEADER_WORDS; at < n_words; at += LENGTH (words[at])) {
    guint32 *word = words + at;
    const guint32 length = word[0] - OPERATION (word[0]);

    switch (OPERATION (word[0])) {
      case DECORATE:
        if (word[2] == DECORATION_SPEC_ID && word[3] < request->n_constants)
          constants[word[1]] = request->constants + word[3];
        break;
      case SPEC_CONSTANT_TRUE:
      case SPEC_CONSTANT_FALSE:
        if (constants[word[2]])
          word[0] = length | (*constants[word[2]] ? SPEC_CONSTANT_TRUE
              : SPEC_CONSTANT_FALSE);
        break;
      case SPEC_CONSTANT:
        if (constants[word[2]])
          word[3] = *constants[word[2]];
        break;
    }
  }
}

/* Makes ordinary constants of them first, as the validation layer does. */
#define VALIDATE \
  "spirv-opt --freeze-spec-const --fold-spec-const-op-composite - -o -" \
  " | spirv-val --target-env vulkan1.1 -"

static void
validate (const Request * request)
{
  const GpuShader *shader = request->shader;
  g_autofree guint32 *words = g_memdup2 (shader->words, shader->size);
  FILE *validator = popen (VALIDATE, "w");

  g_assert_nonnull (validator);
  set_constants (words, request);
  fwrite (words, 1, shader->size, validator);
  if (pclose (validator) == 0)
    return;
  g_test_fail ();
  g_printerr ("%s is invalid with constants", shader->name);
  for (guint i = 0; i < request->n_constants; i++)
    g_printerr (" %d", request->constants[i]);
  g_printerr ("\n");
}

/* Bit i: constant i is 0, or negative. Other values are sizes and the like; to validate each of
 * them would take minutes. */
typedef struct
{
  guint64 zero, negative;
} Signs;

static void
add_signs (Signs * signs, const Request * request)
{
  for (guint i = 0; i < request->n_constants; i++) {
    signs->zero |= (guint64) (request->constants[i] == 0) << i;
    signs->negative |= (guint64) (request->constants[i] < 0) << i;
  }
}

static guint
count_signs (const Request * request)
{
  guint n = 0;

  for (guint i = 0; i < request->n_constants; i++)
    n += request->constants[i] <= 0;
  return n;
}

/* By shader; those with the most signs first, so that few of them have all. */
static gint
compare (gconstpointer a, gconstpointer b)
{
  const Request *one = a, *other = b;

  if (one->shader != other->shader)
    return one->shader < other->shader ? -1 : 1;
  return (gint) count_signs (other) - (gint) count_signs (one);
}

static void
validate_requests (void)
{
  const GpuShader *shader = NULL;
  Signs seen = { 0, 0 };        /* with this shader */

  g_array_sort (requests, compare);
  for (guint i = 0; i < requests->len; i++) {
    const Request *request = &g_array_index (requests, Request, i);
    Signs before;

    if (request->shader != shader)
      seen = (Signs) {0, 0};
    shader = request->shader;
    before = seen;
    add_signs (&seen, request);
    if (memcmp (&before, &seen, sizeof seen) != 0)
      validate (request);
  }
}

/* --- a device that builds nothing --- */

static VkResult VKAPI_CALL
create_module (VkDevice device, const VkShaderModuleCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkShaderModule * module)
{
  gsize i = 0;

  while (shaders[i]->words != info->pCode)
    i++;
  *module = (VkShaderModule) (i + 1);
  return VK_SUCCESS;
}

static void VKAPI_CALL
destroy_module (VkDevice device, VkShaderModule module,
    const VkAllocationCallbacks * allocator)
{
}

static VkResult VKAPI_CALL
create_pipeline (VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkPipeline * pipeline)
{
  const VkSpecializationInfo *constants = info->stage.pSpecializationInfo;
  Request request = {
    .shader = shaders[(gsize) info->stage.module - 1],
    .n_constants = constants->mapEntryCount,
  };

  memcpy (request.constants, constants->pData, constants->dataSize);
  g_mutex_lock (&lock);
  g_array_append_val (requests, request);
  g_mutex_unlock (&lock);
  *pipeline = VK_NULL_HANDLE;
  return VK_SUCCESS;
}

static GpuDevice *
open_as (GpuDeviceKind kind)
{
  GpuDevice *device = gpu_fixture_open_another ();

  device->info.kind = kind;
  /* One of the two takes the shader without. */
  device->info.has_atomic_int64 &= kind != GPU_DEVICE_CPU;
  device->reads_texels = FALSE;
  device->set_object_name = NULL;
  device->vk.vkCreateShaderModule = create_module;
  device->vk.vkDestroyShaderModule = destroy_module;
  device->vk.vkCreateComputePipelines = create_pipeline;
  return device;
}

/* --- requests --- */

#define SIDE 64

static const GpuYuv yuv = {.kr = 0.2126, .kb = 0.0722};

static void
request_blurs (GpuBlur * blur, GpuPixels pixels, GpuBlurSettings * settings)
{
  for (settings->kernel = 0; settings->kernel < GPU_BLUR_N_KERNELS;
      settings->kernel++)
    for (settings->method = GPU_BLUR_DIRECT;
        settings->method < GPU_BLUR_N_METHODS; settings->method++)
      for (settings->precision = GPU_BLUR_HALF;
          settings->precision < GPU_BLUR_N_PRECISIONS; settings->precision++) {
        g_autoptr (GError) error = NULL;

        if (!gpu_blur_prepare (blur, pixels, SIDE, SIDE, settings, &error))
          g_assert_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED);
      }
}

/* Methods for narrow kernels and wide ones, of code values and of light. The light is never
 * read. */
static void
request_all_blurs (GpuBlur * blur, GpuPixels pixels)
{
  static const gfloat light[LIGHT_HALF_CODES];
  static const GpuBlurTransfer transfer = {
    .yuv = {.kr = 0.2126, .kb = 0.0722},
  };
  static const gdouble sigmas[] = { 2, 40 };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    GpuBlurSettings settings = {.sigma_x = sigmas[i], .sigma_y = sigmas[i],
      .radius = -1, .range = 0.1, .rounds = 1};

    request_blurs (blur, pixels, &settings);
    settings.light = light;
    settings.transfer = &transfer;
    request_blurs (blur, pixels, &settings);
  }
}

static void
request_regions (GpuRegionBlur * regions, GpuPixels pixels)
{
  const gboolean has_alpha = gpu_pixels_get_format (pixels)->alpha >= 0;
  const GpuAreasMask last = has_alpha ? GPU_AREAS_INVERSE_ALPHA
      : GPU_AREAS_NO_MASK;
  g_autoptr (GArray) list = g_array_new (FALSE, TRUE, sizeof (GpuRegion));
  GpuAreas areas = {.regions = list, .amount = 1,
    .components = GPU_AREAS_ALL_COMPONENTS};

  g_array_set_size (list, GPU_REGION_FILL + 1);
  for (GpuRegionAction i = GPU_REGION_BLUR; i <= GPU_REGION_FILL; i++)
    g_array_index (list, GpuRegion, i).action = i;
  for (; areas.mask <= last; areas.mask++) {
    OK (gpu_region_blur_prepare (regions, pixels, SIDE, SIDE, &areas, &error));
  }
}

static void
request_palettes (GpuPalette * palette, const GpuPaletteFormat * format)
{
  const gboolean is_indexed = format->out == GPU_PIXELS_RGB8P;
  const GpuPaletteQuality first = is_indexed ? GPU_PALETTE_LIVE
      : GPU_PALETTE_EXACT;

  for (GpuPaletteQuality quality = first; quality <= GPU_PALETTE_LIVE;
      quality++)
    for (guint limit = 0; limit <= 8; limit += 8) {
      const GpuPaletteSettings settings = {.quality = quality,
        .counts_pixels = TRUE,
        .counting = {.scene_cut_threshold = 0.5, .history = 2},
        .making = {.radius = 0.05, .max_shift = 2, .coherence = 0.5, .min_frequency = 2,
          .limit = limit},
        .motion = {.stability = 0.5}};

      OK (gpu_palette_configure (palette, format, quality, &error));
      OK (gpu_palette_prepare (palette, &settings, &error));
    }
}

/* The curve is never read. */
static void
request_all_palettes (GpuPalette * palette, GpuPixels pixels)
{
  static const GpuPaletteCurve curve;
  GpuPaletteFormat format = {.in = pixels, .out = pixels, .width = SIDE,
    .height = SIDE, .yuv = yuv};

  request_palettes (palette, &format);
  format.curve = &curve;
  request_palettes (palette, &format);
  format.curve = NULL;
  format.out = GPU_PIXELS_RGB8P;
  request_palettes (palette, &format);
}

static void
request_all (GpuDevice * device)
{
  g_autoptr (GpuBlur) blur = gpu_blur_new (device);
  g_autoptr (GpuRegionBlur) regions = gpu_region_blur_new (device, blur);
  g_autoptr (GpuPalette) palette = gpu_palette_new (device);

  for (GpuPixels pixels = 0; pixels < GPU_N_PIXELS; pixels++) {
    if (gpu_blur_takes (pixels)) {
      request_all_blurs (blur, pixels);
      request_regions (regions, pixels);
    }
    if (gpu_palette_takes (pixels))
      request_all_palettes (palette, pixels);
  }
  gpu_kernels_wait (device);
}

/* Not for a format: the probe of a device, and what the solver of exact requests with its first
 * frame. */
static const GpuShader *const for_no_format[] = {
  &gpu_shader_subgroup_probe,
  &gpu_shader_palette_bin,
  &gpu_shader_palette_compare,
  &gpu_shader_palette_empty,
  &gpu_shader_palette_enter,
  &gpu_shader_palette_follow,
  &gpu_shader_palette_group,
  &gpu_shader_palette_invalidate,
  &gpu_shader_palette_order,
  &gpu_shader_palette_paint,
  &gpu_shader_palette_round,
  &gpu_shader_palette_seed,
  &gpu_shader_palette_sort,
  &gpu_shader_palette_sum_blocks,
  &gpu_shader_palette_sum_points,
  &gpu_shader_palette_walk,
  &gpu_shader_palette_walk_lanes,
};

static gboolean
is_requested (const GpuShader * shader)
{
  for (guint i = 0; i < requests->len; i++)
    if (g_array_index (requests, Request, i).shader == shader)
      return TRUE;
  return FALSE;
}

static gboolean
is_for_no_format (const GpuShader * shader)
{
  for (guint i = 0; i < G_N_ELEMENTS (for_no_format); i++)
    if (for_no_format[i] == shader)
      return TRUE;
  return FALSE;
}

static void
check_all_are_requested (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (shaders); i++)
    if (is_requested (shaders[i]) == is_for_no_format (shaders[i])) {
      g_test_fail ();
      g_printerr ("%s: is it requested for formats?\n", shaders[i]->name);
    }
}

/* A fast device and a slow one, which take other shaders. */
static void
test_modules (void)
{
  static const GpuDeviceKind kinds[] = { GPU_DEVICE_DISCRETE, GPU_DEVICE_CPU };

  gpu_kernels_later_delay = 0;
  requests = g_array_new (FALSE, FALSE, sizeof (Request));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (GpuDevice) device = open_as (kinds[i]);

    request_all (device);
  }
  check_all_are_requested ();
  validate_requests ();
  g_array_unref (requests);
}

/* --- needs --- */

#define OP_CAPABILITY 17
#define GROUP_NON_UNIFORM 61    /* the capability; those up to 68 are of its operations */

static gboolean
uses_subgroups (const GpuShader * shader)
{
  const guint32 *word = shader->words + 5;

  for (; (*word & 0xffff) == OP_CAPABILITY; word += *word >> 16)
    if (word[1] >= GROUP_NON_UNIFORM && word[1] <= GROUP_NON_UNIFORM + 7)
      return TRUE;
  return FALSE;
}

static GpuNeeds
get_needs (const GpuShader * shader)
{
  GpuNeeds needs = g_str_has_prefix (shader->name, "palette_")
      || g_str_has_prefix (shader->name, "scan_")
      ? gpu_palette_needs : gpu_blur_needs;

  /* Without subgroups another method runs, and a device is not asked for their order. */
  needs.subgroups |= shader == &gpu_shader_blur_running_rows
      || shader == &gpu_shader_subgroup_probe;
  return needs;
}

/* Engines say all that their shaders need. */
static void
test_needs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (shaders); i++) {
    const GpuNeeds needs = get_needs (shaders[i]);

    g_test_message ("%s", shaders[i]->name);
    g_assert_cmphex (shaders[i]->bindings, <, 1u << needs.buffers);
    g_assert_true (needs.subgroups || !uses_subgroups (shaders[i]));
  }
  g_assert_true (uses_subgroups (&gpu_shader_blur_running_rows));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/modules/needs", test_needs);
  gpu_fixture_add_test ("/modules", test_modules);
  return gpu_fixture_run_tests ();
}
