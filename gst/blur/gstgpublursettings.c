/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublursettings.h"

#include "gpu/blur/blur.h"
#include "gpu/blur/methods.h"
#include "gst/memory/gstgpuframe.h"

/* --- choices --- */

/* *INDENT-OFF* */
static const GstGpuEnum kernels = {"GstGpuBlurKernel", (const GEnumValue[]) {
  {GPU_BLUR_GAUSSIAN, "Gaussian", "gaussian"},
  {GPU_BLUR_BOX, "Box", "box"},
  {GPU_BLUR_BILATERAL, "Bilateral: a Gaussian that keeps edges", "bilateral"},
  {0, NULL, NULL}
}};

/* Filled in from the engine's table when the properties are installed. */
static GEnumValue method_values[GPU_BLUR_N_METHODS + 1];

static const GstGpuEnum methods = {"GstGpuBlurMethod", method_values};

const GstGpuEnum gst_gpu_blur_precisions = {"GstGpuBlurPrecision", (const GEnumValue[]) {
  {GPU_BLUR_PRECISION_AUTO, "16 bits (32 for formats of more than 8 bits), but sums of 32", "auto"},
  {GPU_BLUR_HALF, "16 bits throughout", "half"},
  {GPU_BLUR_FLOAT, "32 bits throughout", "float"},
  {0, NULL, NULL}
}};

static const GstGpuEnum edge_modes = {"GstGpuBlurEdgeMode", (const GEnumValue[]) {
  {GPU_BLUR_CLAMP, "The edge pixel is repeated", "clamp"},
  {GPU_BLUR_MIRROR, "The picture goes on mirrored", "mirror"},
  {GPU_BLUR_WRAP, "The picture is repeated", "wrap"},
  {GPU_BLUR_BLACK, "Black; transparent where there is alpha", "black"},
  {0, NULL, NULL}
}};

static const GstGpuEnum roi_sources = {"GstGpuBlurRoiSource", (const GEnumValue[]) {
  {GST_GPU_BLUR_ROI_NONE, "No regions: the whole frame is blurred", "none"},
  {GST_GPU_BLUR_ROI_RECTANGLE, "The rectangle of roi-x, -y, -width, -height", "rectangle"},
  {GST_GPU_BLUR_ROI_META, "GstVideoRegionOfInterestMeta of each frame", "meta"},
  {0, NULL, NULL}
}};

static const GstGpuEnum roi_units = {"GstGpuBlurRoiUnit", (const GEnumValue[]) {
  {GST_GPU_BLUR_ROI_PIXELS, "Pixels", "pixels"},
  {GST_GPU_BLUR_ROI_PERCENT, "Percent of the width and height of the frame", "percent"},
  {0, NULL, NULL}
}};

static const GstGpuEnum roi_shapes = {"GstGpuBlurRoiShape", (const GEnumValue[]) {
  {GPU_REGION_RECTANGLE, "Rectangle", "rectangle"},
  {GPU_REGION_ELLIPSE, "The largest ellipse in the rectangle", "ellipse"},
  {0, NULL, NULL}
}};

static const GstGpuEnum roi_actions = {"GstGpuBlurRoiAction", (const GEnumValue[]) {
  {GPU_REGION_BLUR, "Blurred; programs can undo part of it", "blur"},
  {GPU_REGION_PIXELATE, "Blocks of their mean color; programs can guess text behind them", "pixelate"},
  {GPU_REGION_FILL, "Filled with one color", "fill"},
  {0, NULL, NULL}
}};

static const GstGpuEnum on_missing = {"GstGpuBlurOnMissing", (const GEnumValue[]) {
  {GST_GPU_BLUR_MISSING_WHOLE, "The whole frame is treated", "whole"},
  {GST_GPU_BLUR_MISSING_PASS, "The frame stays as it is", "pass"},
  {0, NULL, NULL}
}};

static const GstGpuEnum planes = {"GstGpuBlurPlanes", (const GEnumValue[]) {
  {GST_GPU_BLUR_PLANES_ALL, "All components", "all"},
  {GST_GPU_BLUR_PLANES_LUMA, "Luma only", "luma"},
  {GST_GPU_BLUR_PLANES_CHROMA, "Chroma only", "chroma"},
  {0, NULL, NULL}
}};

static const GstGpuEnum masks = {"GstGpuBlurMask", (const GEnumValue[]) {
  {GPU_AREAS_NO_MASK, "All pixels alike", "none"},
  {GPU_AREAS_ALPHA, "As strong as alpha, which stays", "alpha"},
  {GPU_AREAS_INVERSE_ALPHA, "As strong as alpha is transparent; it stays", "inverse-alpha"},
  {0, NULL, NULL}
}};

/* --- the properties --- */

/* docs/gpublur.md explains the properties. */
#define LIVE GST_GPU_PROPERTY_LIVE
#define OFFSET(field) G_STRUCT_OFFSET (GstGpuBlurSettings, field)

const GstGpuProperty gst_gpu_blur_properties[] = {
  {"sigma", "Sigma", "Standard deviation in pixels",
    LIVE, G_TYPE_DOUBLE, OFFSET (sigma), 3, 0, GPU_BLUR_MAX_SIGMA},
  {"sigma-x", "Sigma x", "Standard deviation along rows in pixels (-1 = sigma)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.sigma_x), -1, -1, GPU_BLUR_MAX_SIGMA},
  {"sigma-y", "Sigma y", "Standard deviation down columns in pixels (-1 = sigma)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.sigma_y), -1, -1, GPU_BLUR_MAX_SIGMA},
  {"kernel", "Kernel", "Shape of the weights",
    LIVE, G_TYPE_ENUM, OFFSET (engine.kernel), GPU_BLUR_GAUSSIAN, .choices = &kernels},
  {"radius", "Radius",
    "Pixels that are summed to each side of the middle one; the half-width of a box (-1 = "
    "from sigma)", LIVE, G_TYPE_INT, OFFSET (engine.radius), -1, -1, GPU_BLUR_MAX_RADIUS},
  {"range", "Range",
    "Bilateral: standard deviation of differences of color (1 = black to white)",
    LIVE, G_TYPE_DOUBLE, OFFSET (engine.range), 0.05, 0, 1},
  {"rounds", "Rounds", "Bilateral: how often it is applied",
    LIVE, G_TYPE_UINT, OFFSET (engine.rounds), 1, 1, GPU_BLUR_MAX_ROUNDS},
  {"method", "Method", "How the blur is computed",
    LIVE, G_TYPE_ENUM, OFFSET (engine.method), GPU_BLUR_AUTO, .choices = &methods},
  {"precision", "Precision", "Bits of what is kept between rows and columns, and of sums",
    LIVE, G_TYPE_ENUM, OFFSET (engine.precision), GPU_BLUR_PRECISION_AUTO,
    .choices = &gst_gpu_blur_precisions},
  {"edge-mode", "Edge mode", "What lies beyond the edges of the picture",
    LIVE, G_TYPE_ENUM, OFFSET (engine.edge), GPU_BLUR_CLAMP, .choices = &edge_modes},
  {"linear-light", "Linear light",
    "Blur light, not code values (with kernel=bilateral only of 8-bit RGB formats)",
    LIVE, G_TYPE_BOOLEAN, OFFSET (linear_light), FALSE},
  {"roi-source", "Source of regions", "Where the regions to treat come from",
    LIVE, G_TYPE_ENUM, OFFSET (areas.source), GST_GPU_BLUR_ROI_NONE, .choices = &roi_sources},
  {"roi-unit", "Unit of the rectangle", "What roi-x, roi-y, roi-width and roi-height count",
    LIVE, G_TYPE_ENUM, OFFSET (areas.unit), GST_GPU_BLUR_ROI_PIXELS, .choices = &roi_units},
  {"roi-x", "Region x", "First column of the rectangle",
    LIVE, G_TYPE_INT, OFFSET (areas.x), 0, -GST_GPU_BLUR_ROI_MOST, GST_GPU_BLUR_ROI_MOST},
  {"roi-y", "Region y", "First row of the rectangle",
    LIVE, G_TYPE_INT, OFFSET (areas.y), 0, -GST_GPU_BLUR_ROI_MOST, GST_GPU_BLUR_ROI_MOST},
  {"roi-width", "Region width", "Width of the rectangle (0 = no pixel)",
    LIVE, G_TYPE_UINT, OFFSET (areas.width), 0, 0, GST_GPU_BLUR_ROI_MOST},
  {"roi-height", "Region height", "Height of the rectangle (0 = no pixel)",
    LIVE, G_TYPE_UINT, OFFSET (areas.height), 0, 0, GST_GPU_BLUR_ROI_MOST},
  {"roi-types", "Types of regions", "Types of metas, separated by commas (empty = all)",
    GST_GPU_PROPERTY_MUTABLE, G_TYPE_STRING, OFFSET (areas.types)},
  {"roi-shape", "Shape of regions", "Shape of regions",
    LIVE, G_TYPE_ENUM, OFFSET (areas.shape), GPU_REGION_RECTANGLE, .choices = &roi_shapes},
  {"roi-invert", "Invert regions", "Treat what is outside the regions, not what is inside",
    LIVE, G_TYPE_BOOLEAN, OFFSET (areas.invert), FALSE},
  {"roi-action", "Action in regions", "What becomes of the pixels of regions",
    LIVE, G_TYPE_ENUM, OFFSET (areas.action), GPU_REGION_BLUR, .choices = &roi_actions},
  {"roi-block", "Block size", "Pixelate: columns and rows of a block in pixels",
    LIVE, G_TYPE_UINT, OFFSET (areas.block), 16, GPU_REGION_MIN_BLOCK, GPU_REGION_MAX_BLOCK},
  {"roi-color", "Fill color", "Fill: the color, 0xAARRGGBB",
    LIVE, G_TYPE_UINT, OFFSET (areas.colour), 0xff000000, 0, G_MAXUINT32},
  {"roi-scale", "Scale with regions",
    "Longer side of a region for which sigma, radius and roi-block are meant; they grow with "
    "larger ones (0 = they do not)",
    LIVE, G_TYPE_UINT, OFFSET (areas.scale), 0, 0, GST_GPU_BLUR_ROI_MOST},
  {"feather", "Feather", "Pixels around a region in which it fades into the frame",
    LIVE, G_TYPE_UINT, OFFSET (areas.feather), 0, 0, GPU_REGION_MAX_FEATHER},
  {"roi-hold", "Hold regions",
    "How long a region is kept that the metas no longer have, in ms",
    LIVE, G_TYPE_UINT, OFFSET (areas.hold), 0, 0, 60000},
  {"on-missing", "Without regions", "What becomes of a frame in which no region has a pixel",
    LIVE, G_TYPE_ENUM, OFFSET (areas.on_missing), GST_GPU_BLUR_MISSING_WHOLE,
    .choices = &on_missing},
  {"amount", "Amount", "Share of the result that is mixed into the frame",
    LIVE, G_TYPE_DOUBLE, OFFSET (areas.amount), 1, 0, 1},
  {"planes", "Planes", "Components to treat (luma and chroma: not of RGB)",
    LIVE, G_TYPE_ENUM, OFFSET (areas.planes), GST_GPU_BLUR_PLANES_ALL, .choices = &planes},
  {"mask", "Mask", "What the strength depends on",
    LIVE, G_TYPE_ENUM, OFFSET (areas.mask), GPU_AREAS_NO_MASK, .choices = &masks},
  {0}
};
/* *INDENT-ON* */

void
gst_gpu_blur_settings_install (GObjectClass * object_class)
{
  for (GpuBlurMethod i = 0; i < GPU_BLUR_N_METHODS; i++) {
    const GpuBlurMethodInfo *info = gpu_blur_method_get_info (i);

    method_values[i] = (GEnumValue) {i, info->description, info->name};
  }
  gst_gpu_properties_install (gst_gpu_blur_properties, object_class);
}

/* --- presets --- */

/* Not `method` and `precision`, which suit the device, and not the regions and the mask, which
 * suit the input. */
static const gchar *const preset_properties[] = {
  "sigma", "sigma-x", "sigma-y", "kernel", "radius", "range", "rounds",
  "edge-mode", "linear-light", "amount", "planes", NULL
};

/* Most are the first half of a look, whose second half is the preset of meanshiftpalette
 * with the same name. */
/* *INDENT-OFF* */
static const GstGpuFilterPreset presets[] = {
  {"poster", "Clean areas for few flat colors",
    {{"kernel", "bilateral"}, {"sigma", "3"}, {"range", "0.05"}, {"rounds", "3"}}},
  {"retro-16", "Clean areas for 16 pixel art colors",
    {{"kernel", "bilateral"}, {"sigma", "2.5"}, {"range", "0.05"}, {"rounds", "2"}}},
  {"calm", "Soft areas without fine texture",
    {{"kernel", "bilateral"}, {"sigma", "4"}, {"range", "0.06"}, {"rounds", "2"}}},
  {"detail", "No noise and no fine texture, but all edges",
    {{"kernel", "bilateral"}, {"sigma", "2"}, {"range", "0.04"}, {"rounds", "2"}}},
  {"privacy", "A wide blur that hides faces at a glance; programs can undo part of it",
    {{"sigma", "32"}}},
  {NULL}
};
/* *INDENT-ON* */

const GstGpuFilterPresets gst_gpu_blur_presets = { preset_properties, presets };

/* --- formats that suit properties --- */

static gboolean
is_rgb (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->model == GPU_MODEL_RGB;
}

static gboolean
has_luma (GpuPixels pixels)
{
  return !is_rgb (pixels);
}

static gboolean
has_chroma (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->model == GPU_MODEL_YUV;
}

static gboolean
has_alpha (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->alpha != GPU_NOWHERE;
}

/* What to do about a format that a property cannot take. */
#define CONVERT_TO(format) "Put \"videoconvert ! video/x-raw,format=" format \
    "\" before gpublur, or set "

#define NO_COLOURS "kernel=bilateral cannot blur the format of the frames"
#define NO_LIGHT "linear-light with kernel=bilateral needs an 8-bit RGB format, " \
    "and frames have another"
#define NO_LUMA "planes=luma needs a Y'CbCr or grey format, and frames are RGB"
#define NO_CHROMA "planes=chroma needs a Y'CbCr format, and frames have no chroma"
#define NO_ALPHA "mask needs a format with alpha, and frames have none"

#define TO_GAUSSIAN CONVERT_TO ("RGBA") "kernel=gaussian."
#define TO_CODES CONVERT_TO ("RGBA") "linear-light=false."
#define TO_ALL CONVERT_TO ("AYUV") "planes=all."
#define TO_NONE "Put an element before gpublur that writes alpha, or set mask=none."

static const struct
{
  GstGpuFormatsFilter is_met;
  const gchar *refusal, *ignored;
} needs_of_formats[GST_GPU_BLUR_N_NEEDS] = {
  [GST_GPU_BLUR_NEEDS_COLOURS] = {gpu_blur_takes_bilateral,
    NO_COLOURS ". " TO_GAUSSIAN,
    NO_COLOURS ": a Gaussian blurs them. " TO_GAUSSIAN},
  [GST_GPU_BLUR_NEEDS_LIT_COLOURS] = {is_rgb,
    NO_LIGHT ". " TO_CODES,
    NO_LIGHT ": code values are blurred. " TO_CODES},
  [GST_GPU_BLUR_NEEDS_LUMA] = {has_luma,
    NO_LUMA ". " TO_ALL,
    NO_LUMA ": all components are treated. " TO_ALL},
  [GST_GPU_BLUR_NEEDS_CHROMA] = {has_chroma,
    NO_CHROMA ". " TO_ALL,
    NO_CHROMA ": all components are treated. " TO_ALL},
  [GST_GPU_BLUR_NEEDS_ALPHA] = {has_alpha,
    NO_ALPHA ". " TO_NONE,
    NO_ALPHA ": all pixels are treated alike. " TO_NONE},
};

GstGpuBlurNeed
gst_gpu_blur_caps_find_unmet (GpuPixels pixels, guint needs)
{
  GstGpuBlurNeed need = 0;

  while (need < GST_GPU_BLUR_N_NEEDS
      && (!(needs & 1 << need) || needs_of_formats[need].is_met (pixels)))
    need++;
  return need;
}

GstCaps *
gst_gpu_blur_caps_get_formats (guint needs)
{
  GstCaps *formats = gst_gpu_formats_get_caps (gpu_blur_takes);

  for (GstGpuBlurNeed i = 0; i < GST_GPU_BLUR_N_NEEDS; i++) {
    if (needs & 1 << i) {
      g_autoptr (GstCaps) all = formats;
      g_autoptr (GstCaps) met =
          gst_gpu_formats_get_caps (needs_of_formats[i].is_met);

      formats = gst_caps_intersect_full (all, met, GST_CAPS_INTERSECT_FIRST);
    }
  }
  return formats;
}

static gboolean
have_formats (GstCaps * caps, guint needs)
{
  g_autoptr (GstCaps) formats = gst_gpu_blur_caps_get_formats (needs);

  return gst_caps_can_intersect (caps, formats);
}

const gchar *
gst_gpu_blur_caps_describe_refusal (GstCaps * caps, guint needs)
{
  if (!have_formats (caps, 0))
    return NULL;
  for (GstGpuBlurNeed i = 0; i < GST_GPU_BLUR_N_NEEDS; i++)
    if (needs & 1 << i && !have_formats (caps, 1 << i))
      return needs_of_formats[i].refusal;
  return NULL;
}

const gchar *
gst_gpu_blur_caps_describe_ignored (GstGpuBlurNeed need)
{
  return needs_of_formats[need].ignored;
}
