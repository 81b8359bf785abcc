/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublursettings.h"

#include "gpu/blur/methods.h"

#define DEFAULT_SIGMA 3.0
#define LIKE_SIGMA -1.0
#define DEFAULT_KERNEL GPU_BLUR_GAUSSIAN
#define DEFAULT_RADIUS -1
#define DEFAULT_RANGE 0.05
#define DEFAULT_ROUNDS 1
#define DEFAULT_METHOD GPU_BLUR_AUTO
#define DEFAULT_PRECISION GPU_BLUR_PRECISION_AUTO
#define DEFAULT_EDGE_MODE GPU_BLUR_CLAMP
#define DEFAULT_LINEAR_LIGHT FALSE
#define DEFAULT_ROI_SOURCE GST_GPU_BLUR_ROI_NONE
#define DEFAULT_ROI_UNIT GST_GPU_BLUR_ROI_PIXELS
#define DEFAULT_ROI_SHAPE GPU_REGION_RECTANGLE
#define DEFAULT_ROI_ACTION GPU_REGION_BLUR
#define DEFAULT_ROI_BLOCK 16
#define DEFAULT_ROI_COLOR 0xff000000    /* black */
#define DEFAULT_ON_MISSING GST_GPU_BLUR_MISSING_WHOLE
#define DEFAULT_AMOUNT 1.0
#define DEFAULT_PLANES GST_GPU_BLUR_PLANES_ALL
#define DEFAULT_MASK GPU_AREAS_NO_MASK

enum
{
  PROP_0,
  PROP_SIGMA,
  PROP_SIGMA_X,
  PROP_SIGMA_Y,
  PROP_KERNEL,
  PROP_RADIUS,
  PROP_RANGE,
  PROP_ROUNDS,
  PROP_METHOD,
  PROP_PRECISION,
  PROP_EDGE_MODE,
  PROP_LINEAR_LIGHT,
  PROP_ROI_SOURCE,
  PROP_ROI_UNIT,
  PROP_ROI_X,
  PROP_ROI_Y,
  PROP_ROI_WIDTH,
  PROP_ROI_HEIGHT,
  PROP_ROI_TYPES,
  PROP_ROI_SHAPE,
  PROP_ROI_INVERT,
  PROP_ROI_ACTION,
  PROP_ROI_BLOCK,
  PROP_ROI_COLOR,
  PROP_ROI_SCALE,
  PROP_FEATHER,
  PROP_ROI_HOLD,
  PROP_ON_MISSING,
  PROP_AMOUNT,
  PROP_PLANES,
  PROP_MASK,
};

/* --- choices --- */

/* *INDENT-OFF* */
static const GEnumValue kernel_values[] = {
  {GPU_BLUR_GAUSSIAN, "Gaussian", "gaussian"},
  {GPU_BLUR_BOX, "Box", "box"},
  {GPU_BLUR_BILATERAL, "Bilateral: a Gaussian that keeps edges", "bilateral"},
  {0, NULL, NULL}
};

static const GstGpuEnum kernels = {"GstGpuBlurKernel", kernel_values};

/* Filled in from the engine's table when the properties are installed. */
static GEnumValue method_values[GPU_BLUR_N_METHODS + 1];

static const GstGpuEnum methods = {"GstGpuBlurMethod", method_values};

static const GEnumValue precision_values[] = {
  {GPU_BLUR_PRECISION_AUTO,
    "16 bits (32 for formats of more than 8 bits), but sums of 32",
    "auto"},
  {GPU_BLUR_HALF, "16 bits throughout", "half"},
  {GPU_BLUR_FLOAT, "32 bits throughout", "float"},
  {0, NULL, NULL}
};

const GstGpuEnum gst_gpu_blur_precisions = {"GstGpuBlurPrecision", precision_values};

static const GEnumValue edge_mode_values[] = {
  {GPU_BLUR_CLAMP, "The edge pixel is repeated", "clamp"},
  {GPU_BLUR_MIRROR, "The picture goes on mirrored", "mirror"},
  {GPU_BLUR_WRAP, "The picture is repeated", "wrap"},
  {GPU_BLUR_BLACK, "Black; transparent where there is alpha", "black"},
  {0, NULL, NULL}
};

static const GstGpuEnum edge_modes = {"GstGpuBlurEdgeMode", edge_mode_values};

static const GEnumValue roi_source_values[] = {
  {GST_GPU_BLUR_ROI_NONE, "No regions: the whole frame is blurred", "none"},
  {GST_GPU_BLUR_ROI_RECTANGLE, "The rectangle of roi-x, -y, -width, -height",
    "rectangle"},
  {GST_GPU_BLUR_ROI_META, "GstVideoRegionOfInterestMeta of each frame", "meta"},
  {0, NULL, NULL}
};

static const GstGpuEnum roi_sources = {"GstGpuBlurRoiSource", roi_source_values};

static const GEnumValue roi_unit_values[] = {
  {GST_GPU_BLUR_ROI_PIXELS, "Pixels", "pixels"},
  {GST_GPU_BLUR_ROI_PERCENT, "Percent of the width and height of the frame", "percent"},
  {0, NULL, NULL}
};

static const GstGpuEnum roi_units = {"GstGpuBlurRoiUnit", roi_unit_values};

static const GEnumValue roi_shape_values[] = {
  {GPU_REGION_RECTANGLE, "Rectangle", "rectangle"},
  {GPU_REGION_ELLIPSE, "The largest ellipse in the rectangle", "ellipse"},
  {0, NULL, NULL}
};

static const GstGpuEnum roi_shapes = {"GstGpuBlurRoiShape", roi_shape_values};

static const GEnumValue roi_action_values[] = {
  {GPU_REGION_BLUR, "Blurred; programs can undo part of it", "blur"},
  {GPU_REGION_PIXELATE, "Blocks of their mean color; programs can guess text behind them", "pixelate"},
  {GPU_REGION_FILL, "Filled with one color", "fill"},
  {0, NULL, NULL}
};

static const GstGpuEnum roi_actions = {"GstGpuBlurRoiAction", roi_action_values};

static const GEnumValue on_missing_values[] = {
  {GST_GPU_BLUR_MISSING_WHOLE, "The whole frame is treated", "whole"},
  {GST_GPU_BLUR_MISSING_PASS, "The frame stays as it is", "pass"},
  {0, NULL, NULL}
};

static const GstGpuEnum on_missing = {"GstGpuBlurOnMissing", on_missing_values};

static const GEnumValue planes_values[] = {
  {GST_GPU_BLUR_PLANES_ALL, "All components", "all"},
  {GST_GPU_BLUR_PLANES_LUMA, "Luma only", "luma"},
  {GST_GPU_BLUR_PLANES_CHROMA, "Chroma only", "chroma"},
  {0, NULL, NULL}
};

static const GstGpuEnum planes = {"GstGpuBlurPlanes", planes_values};

static const GEnumValue mask_values[] = {
  {GPU_AREAS_NO_MASK, "All pixels alike", "none"},
  {GPU_AREAS_ALPHA, "As strong as alpha, which stays", "alpha"},
  {GPU_AREAS_INVERSE_ALPHA, "As strong as alpha is transparent; it stays",
    "inverse-alpha"},
  {0, NULL, NULL}
};

static const GstGpuEnum masks = {"GstGpuBlurMask", mask_values};

/* --- the properties --- */

#define OFFSET(field) G_STRUCT_OFFSET (GstGpuBlurSettings, field)

const GstGpuProperty gst_gpu_blur_properties[] = {
  /**
   * GstGpuBlur:sigma:
   *
   * Standard deviation of the weights, in pixels. Used for rows if
   * #GstGpuBlur:sigma-x is negative, and for columns if #GstGpuBlur:sigma-y is
   * negative. 0: frames pass through. A box with a #GstGpuBlur:radius does not use
   * any sigma.
   */
  {PROP_SIGMA, "sigma", "Sigma", "Standard deviation in pixels",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE, OFFSET (sigma),
    DEFAULT_SIGMA, 0, GPU_BLUR_MAX_SIGMA},
  /**
   * GstGpuBlur:sigma-x:
   *
   * Standard deviation along rows, in pixels. 0: only columns are blurred.
   * Negative: the value of #GstGpuBlur:sigma.
   */
  {PROP_SIGMA_X, "sigma-x", "Sigma x",
    "Standard deviation along rows in pixels (-1 = sigma)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE, OFFSET (engine.sigma_x),
    LIKE_SIGMA, LIKE_SIGMA, GPU_BLUR_MAX_SIGMA},
  /**
   * GstGpuBlur:sigma-y:
   *
   * Standard deviation down columns, in pixels. 0: only rows are blurred.
   * Negative: the value of #GstGpuBlur:sigma.
   */
  {PROP_SIGMA_Y, "sigma-y", "Sigma y",
    "Standard deviation down columns in pixels (-1 = sigma)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE, OFFSET (engine.sigma_y),
    LIKE_SIGMA, LIKE_SIGMA, GPU_BLUR_MAX_SIGMA},
  /**
   * GstGpuBlur:kernel:
   *
   * Shape of the weights.
   */
  {PROP_KERNEL, "kernel", "Kernel", "Shape of the weights",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (engine.kernel),
    DEFAULT_KERNEL, .choices = &kernels},
  /**
   * GstGpuBlur:radius:
   *
   * Number of pixels on each side of the middle one that are summed; the
   * half-width of a box. The same on both axes, also if their sigmas differ.
   * -1: 3 sigma, 1.5 sigma for a bilateral filter, or for a box the half-width
   * that gives a standard deviation of sigma. 0: frames pass through.
   */
  {PROP_RADIUS, "radius", "Radius",
    "Pixels that are summed to each side of the middle one; the "
    "half-width of a box (-1 = from sigma)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_INT, OFFSET (engine.radius),
    DEFAULT_RADIUS, -1, GPU_BLUR_MAX_RADIUS},
  /**
   * GstGpuBlur:range:
   *
   * Only with a bilateral #GstGpuBlur:kernel: standard deviation of the weights of
   * differences of colour, as a share of the difference of black and white. Edges
   * of a larger difference are kept. 0: frames pass through.
   */
  {PROP_RANGE, "range", "Range",
    "Bilateral: standard deviation of differences of color (1 = black to white)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE, OFFSET (engine.range),
    DEFAULT_RANGE, 0, 1},
  /**
   * GstGpuBlur:rounds:
   *
   * Only with a bilateral #GstGpuBlur:kernel: how often it is applied. Each round
   * filters the result of the one before.
   */
  {PROP_ROUNDS, "rounds", "Rounds", "Bilateral: how often it is applied",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (engine.rounds),
    DEFAULT_ROUNDS, 1, GPU_BLUR_MAX_ROUNDS},
  /**
   * GstGpuBlur:method:
   *
   * How the blur is computed. If the device cannot run the method with the
   * current kernel and radius, `separable` runs instead. `method` of
   * #GstGpuFilter:stats is the method that ran.
   */
  {PROP_METHOD, "method", "Method", "How the blur is computed",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (engine.method),
    DEFAULT_METHOD, .choices = &methods},
  /**
   * GstGpuBlur:precision:
   *
   * How row sums are stored. If this is `half`, method=strips also computes with
   * halves, if the device supports it and the result is precise enough.
   */
  {PROP_PRECISION, "precision", "Precision",
    "Bits of what is kept between rows and columns, and of sums",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (engine.precision),
    DEFAULT_PRECISION, .choices = &gst_gpu_blur_precisions},
  /**
   * GstGpuBlur:edge-mode:
   *
   * The pixels that are assumed beyond the edges of the picture.
   */
  {PROP_EDGE_MODE, "edge-mode", "Edge mode",
    "What lies beyond the edges of the picture",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (engine.edge),
    DEFAULT_EDGE_MODE, .choices = &edge_modes},
  /**
   * GstGpuBlur:linear-light:
   *
   * Blurs linear light instead of code values. The transfer function of the caps
   * defines the light of each code value. Y'CbCr is converted to R'G'B' for it, and
   * back. With kernel=bilateral, only 8-bit RGB formats are then negotiated. If frames
   * of another format are already flowing, the property is ignored, with a warning.
   */
  {PROP_LINEAR_LIGHT, "linear-light", "Linear light",
    "Blur light, not code values (with kernel=bilateral only of 8-bit RGB "
    "formats)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_BOOLEAN, OFFSET (linear_light),
    DEFAULT_LINEAR_LIGHT},
  /**
   * GstGpuBlur:roi-source:
   *
   * Where the regions of a frame come from. All pixels outside them stay as they are,
   * unless #GstGpuBlur:roi-invert is set.
   */
  {PROP_ROI_SOURCE, "roi-source", "Source of regions",
    "Where the regions to treat come from",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (areas.source),
    DEFAULT_ROI_SOURCE, .choices = &roi_sources},
  /**
   * GstGpuBlur:roi-unit:
   *
   * What #GstGpuBlur:roi-x, #GstGpuBlur:roi-y, #GstGpuBlur:roi-width and
   * #GstGpuBlur:roi-height count: pixels, or percent of the width and height of the
   * frame. Pixels that are in the rectangle only in part are treated fully.
   */
  {PROP_ROI_UNIT, "roi-unit", "Unit of the rectangle",
    "What roi-x, roi-y, roi-width and roi-height count",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (areas.unit),
    DEFAULT_ROI_UNIT, .choices = &roi_units},
  /**
   * GstGpuBlur:roi-x:
   *
   * With #GstGpuBlur:roi-source `rectangle`: its first column. The rectangle may
   * cross the edges of the frame. If it has no pixel in the frame,
   * #GstGpuBlur:on-missing says what becomes of that, and a warning tells.
   */
  {PROP_ROI_X, "roi-x", "Region x", "First column of the rectangle",
    GST_GPU_PROPERTY_LIVE, G_TYPE_INT, OFFSET (areas.x),
    0, -GST_GPU_BLUR_ROI_MOST, GST_GPU_BLUR_ROI_MOST},
  /**
   * GstGpuBlur:roi-y:
   *
   * With #GstGpuBlur:roi-source `rectangle`: its first row.
   */
  {PROP_ROI_Y, "roi-y", "Region y", "First row of the rectangle",
    GST_GPU_PROPERTY_LIVE, G_TYPE_INT, OFFSET (areas.y),
    0, -GST_GPU_BLUR_ROI_MOST, GST_GPU_BLUR_ROI_MOST},
  /**
   * GstGpuBlur:roi-width:
   *
   * With #GstGpuBlur:roi-source `rectangle`: its width. 0: it has no pixel.
   */
  {PROP_ROI_WIDTH, "roi-width", "Region width",
    "Width of the rectangle (0 = no pixel)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (areas.width),
    0, 0, GST_GPU_BLUR_ROI_MOST},
  /**
   * GstGpuBlur:roi-height:
   *
   * With #GstGpuBlur:roi-source `rectangle`: its height. 0: it has no pixel.
   */
  {PROP_ROI_HEIGHT, "roi-height", "Region height",
    "Height of the rectangle (0 = no pixel)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (areas.height),
    0, 0, GST_GPU_BLUR_ROI_MOST},
  /**
   * GstGpuBlur:roi-types:
   *
   * With #GstGpuBlur:roi-source `meta`: the types of metas that count, separated by
   * commas. Empty: all.
   */
  {PROP_ROI_TYPES, "roi-types", "Types of regions",
    "Types of metas, separated by commas (empty = all)",
    GST_GPU_PROPERTY_LIVE_TEXT, G_TYPE_STRING, OFFSET (areas.types)},
  /**
   * GstGpuBlur:roi-shape:
   *
   * The shape of regions.
   */
  {PROP_ROI_SHAPE, "roi-shape", "Shape of regions", "Shape of regions",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (areas.shape),
    DEFAULT_ROI_SHAPE, .choices = &roi_shapes},
  /**
   * GstGpuBlur:roi-invert:
   *
   * Treats all pixels outside the regions, and the regions stay as they are.
   */
  {PROP_ROI_INVERT, "roi-invert", "Invert regions",
    "Treat what is outside the regions, not what is inside",
    GST_GPU_PROPERTY_LIVE, G_TYPE_BOOLEAN, OFFSET (areas.invert), FALSE},
  /**
   * GstGpuBlur:roi-action:
   *
   * What becomes of the pixels of regions, or of the frame if there is no
   * #GstGpuBlur:roi-source. Only a fill leaves nothing of them: programs
   * can undo a part of a blur, and guess what blocks may have shown, above all text.
   */
  {PROP_ROI_ACTION, "roi-action", "Action in regions",
    "What becomes of the pixels of regions",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (areas.action),
    DEFAULT_ROI_ACTION, .choices = &roi_actions},
  /**
   * GstGpuBlur:roi-block:
   *
   * With #GstGpuBlur:roi-action `pixelate`: columns and rows of a block, in pixels. The
   * last ones of a row and a column have the pixels that do not fill a block, too.
   */
  {PROP_ROI_BLOCK, "roi-block", "Block size",
    "Pixelate: columns and rows of a block in pixels",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (areas.block),
    DEFAULT_ROI_BLOCK, GPU_REGION_MIN_BLOCK, GPU_REGION_MAX_BLOCK},
  /**
   * GstGpuBlur:roi-color:
   *
   * With #GstGpuBlur:roi-action `fill`: the color, 0xAARRGGBB.
   */
  {PROP_ROI_COLOR, "roi-color", "Fill color", "Fill: the color, 0xAARRGGBB",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (areas.colour),
    DEFAULT_ROI_COLOR, 0, G_MAXUINT32},
  /**
   * GstGpuBlur:roi-scale:
   *
   * The longer side of a region, in pixels, that is treated as
   * #GstGpuBlur:sigma, #GstGpuBlur:radius and #GstGpuBlur:roi-block say. In a region of
   * twice that size, all three are twice as large; in a smaller one, they are as set. 0:
   * they are the same in all regions.
   */
  {PROP_ROI_SCALE, "roi-scale", "Scale with regions",
    "Longer side of a region for which sigma, radius and roi-block are meant; they grow "
    "with larger ones (0 = they do not)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (areas.scale),
    0, 0, GST_GPU_BLUR_ROI_MOST},
  /**
   * GstGpuBlur:feather:
   *
   * Width of the border around each region in which it fades into the frame, in pixels.
   */
  {PROP_FEATHER, "feather", "Feather",
    "Pixels around a region in which it fades into the frame",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (areas.feather),
    0, 0, GPU_REGION_MAX_FEATHER},
  /**
   * GstGpuBlur:roi-hold:
   *
   * With #GstGpuBlur:roi-source `meta`: for so many milliseconds of the stream, a region
   * stays where it was if no meta of the frame can be the same one, of the same type and
   * over its middle. This hides what does not move.
   */
  {PROP_ROI_HOLD, "roi-hold", "Hold regions",
    "How long a region is kept that the metas no longer have, in ms",
    GST_GPU_PROPERTY_LIVE, G_TYPE_UINT, OFFSET (areas.hold),
    0, 0, 60000},
  /**
   * GstGpuBlur:on-missing:
   *
   * What becomes of a frame in which no meta of the #GstGpuBlur:roi-types has a pixel, if
   * no region is held, or with #GstGpuBlur:roi-source `rectangle`, in which that has none.
   */
  {PROP_ON_MISSING, "on-missing", "Without regions",
    "What becomes of a frame in which no region has a pixel",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (areas.on_missing),
    DEFAULT_ON_MISSING, .choices = &on_missing},
  /**
   * GstGpuBlur:amount:
   *
   * How much of the result is seen: 1 all, 0.5 half of it and half of the frame as it
   * came. 0: frames pass through. Less than 1 hides nothing.
   */
  {PROP_AMOUNT, "amount", "Amount",
    "Share of the result that is mixed into the frame",
    GST_GPU_PROPERTY_LIVE, G_TYPE_DOUBLE, OFFSET (areas.amount),
    DEFAULT_AMOUNT, 0, 1},
  /**
   * GstGpuBlur:planes:
   *
   * Which components are treated. `luma` and `chroma` need Y'CbCr, or for `luma` grey,
   * and only such formats are then negotiated. If frames of another format are already
   * flowing, all components are treated, with a warning.
   */
  {PROP_PLANES, "planes", "Planes",
    "Components to treat (luma and chroma: not of RGB)",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (areas.planes),
    DEFAULT_PLANES, .choices = &planes},
  /**
   * GstGpuBlur:mask:
   *
   * What the strength depends on. `alpha`: pixels are treated where alpha is opaque, half
   * where it is half, and stay where it is 0; alpha itself stays. `inverse-alpha`: the
   * other way round, for mattes that are opaque where a person is. Only formats with alpha
   * are then negotiated. If frames without it are already flowing, all pixels are
   * treated alike, with a warning.
   */
  {PROP_MASK, "mask", "Mask", "What the strength depends on",
    GST_GPU_PROPERTY_LIVE, G_TYPE_ENUM, OFFSET (areas.mask),
    DEFAULT_MASK, .choices = &masks},
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

void
gst_gpu_blur_settings_resolve (const GstGpuBlurSettings * settings,
    GpuBlurSettings * engine)
{
  *engine = settings->engine;
  if (engine->sigma_x < 0)
    engine->sigma_x = settings->sigma;
  if (engine->sigma_y < 0)
    engine->sigma_y = settings->sigma;
}
