/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Blur as a separable sum in double precision, plane by plane, and the
 * measure of how far a result is from it. Each axis has its own σ.
 *
 * Gaussian: weights exp (-i² / 2σ²), i = -R…R, divided by their sum. Box: the
 * box of half-width h has 2h + 1 equal weights; where h is not whole, the two
 * end taps weigh what is left. A plane that is subsampled takes σ, h and R
 * divided by its subsampling, R rounded up afterwards. */

typedef enum
{
  REFERENCE_KERNEL_GAUSSIAN,
  REFERENCE_KERNEL_BOX,
} ReferenceKernel;

typedef enum
{
  REFERENCE_EDGE_CLAMP,         /* a a a | a b c */
  REFERENCE_EDGE_MIRROR,        /* c b a | a b c, over and over */
  REFERENCE_EDGE_WRAP,          /* a b c | a b c */
  REFERENCE_EDGE_BLACK,         /* the plane's black */
} ReferenceEdge;

typedef enum
{
  REFERENCE_X,                  /* along rows */
  REFERENCE_Y,                  /* down columns */
  REFERENCE_AXES,
} ReferenceAxis;

typedef struct
{
  ReferenceKernel kernel;
  gdouble sigma[REFERENCE_AXES];        /* >= 0, pixels of the whole frame */
  gint radius;                  /* R of a Gaussian, h of a box on both axes,
                                   pixels of the whole frame.
                                   -1: ceil (3 sigma); for a box the h that
                                   has the Gaussian's variance */
  ReferenceEdge edge;
} ReferenceBlurSettings;

/* A tightly packed plane of 8-bit samples, of codes of more bits, or of values: those of
 * formats whose samples are floating-point numbers, of which 1 is full scale. */
typedef struct
{
  const guint8 *samples;        /* height · width · components */
  const guint16 *codes;         /* as many, instead of samples; or NULL */
  guint full_code;              /* the largest of codes */
  const gdouble *values;        /* as many, instead of samples; or NULL */
  guint width, height;          /* of the plane itself, >= 1 */
  guint components;             /* interleaved, 1…4 */
  gint alpha;                   /* index of the component, or -1 */
  guint x_subsampling, y_subsampling;   /* frame pixels per sample, >= 1 */
  guint16 black[4];             /* per component, for REFERENCE_EDGE_BLACK; 0 of
                                   values */
} ReferencePlane;

/* Whether settings pass every frame unchanged, byte for byte: a Gaussian of
 * radius 0 or of sigma 0 on both axes, a box of half-width 0 on both. */
gboolean reference_blur_is_identity (const ReferenceBlurSettings * settings);

/* Half-width of the box in pixels of the whole frame, not always whole. */
gdouble reference_blur_box_half_width (const ReferenceBlurSettings * settings,
    ReferenceAxis axis);

/* The 2R + 1 weights of an axis with this subsampling; they add up to 1.
 * @reach: receives R. Free with g_free(). */
gdouble *reference_blur_weights (const ReferenceBlurSettings * settings,
    ReferenceAxis axis, guint subsampling, guint * reach);

/* Where the sample at @i, anywhere on an axis with @n of them, comes from; -1: from outside,
 * which is black. */
gint reference_edge_index (gint i, gint n, ReferenceEdge edge);

/* Blurs @plane into @output: height · width · components values, those of codes
 * not rounded. Colours beside alpha are multiplied by it, blurred, and divided
 * by the blurred alpha; they are 0 where that is 0. */
void reference_blur (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, gdouble * output);

/* Whether the result is defined to the bit: of codes, a box whose half-width is
 * whole on both axes of @plane, and not 0 on both. */
gboolean reference_blur_box_is_exact (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings);

/* The bytes of such a box: @output is as large as the plane. */
void reference_blur_box_exact (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, guint8 * output);

/* Errors of many values, begun as { 0 }. The error of a code value is its distance
 * from the oracle beyond the 1/2 that rounding alone may take. */
typedef struct
{
  gdouble max, sum;             /* code values; of values, full scale is 1 */
  gsize n;                      /* values that were judged */
} ReferenceBlurError;

/* Adds the values of one plane: @output against the oracle of
 * reference_blur(). Colours whose blurred alpha is below 16 (of 255) are not judged,
 * their alpha is. */
void reference_blur_error_add (ReferenceBlurError * error,
    const ReferencePlane * plane, const gdouble * oracle,
    const guint8 * output);

/* The same for outputs as doubles, of codes or of values. The error of a value is the whole
 * distance. */
void reference_blur_error_add_values (ReferenceBlurError * error,
    const ReferencePlane * plane, const gdouble * oracle,
    const gdouble * output);

/* Over the values that were judged; 0 without any. */
gdouble reference_blur_error_mean (const ReferenceBlurError * error);

G_END_DECLS
