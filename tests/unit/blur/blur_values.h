/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of the blur of values share: formats whose samples are halves or
 * floats, against the float64 oracle. */
#pragma once

#include "blur_fixture.h"

G_BEGIN_DECLS

#define MAX_HALF 65504.0

extern const GpuPixels value_formats[2];

/* What values lie in. */
typedef struct
{
  gdouble colour_low, colour_high, alpha_high;
} Range;

extern const Range full_scale;

typedef struct
{
  GpuPixels pixels;
  guint width, height;
  Range range;
  GpuBlurSettings settings;
} ValueCase;

/* Frames of values, 4 · width · height. */
guint8 *write_frame (const GpuFrameInfo * info, const gdouble * values);
gdouble *read_frame (const GpuFrameInfo * info, const guint8 * frame);

/* Blurs noise of every alpha, which is as the oracle says, or the test fails; in a
 * layout of its own, and in the usual one. Returns the frame. */
guint8 *check_value_layout (Fixture * fixture, const ValueCase * c,
    const GpuFrameInfo * info);
void check_value_case (Fixture * fixture, const ValueCase * c);

/* What holds for every method. */
void value_methods_add_tests (const Methods * methods);

G_END_DECLS
