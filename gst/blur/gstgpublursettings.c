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
    "16 bits (32 for formats of more than 10 bits), but sums of 32",
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
  {0}
};
/* *INDENT-ON* */

void
gst_gpu_blur_settings_install (GObjectClass * object_class)
{
  for (GpuBlurMethod i = 0; i < GPU_BLUR_N_METHODS; i++) {
    const GpuBlurMethodInfo *info = gpu_blur_method_get_info (i);

    method_values[i] = (GEnumValue) {
    i, info->description, info->name};
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
