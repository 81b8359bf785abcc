/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Samples of frames of any format, one by one. Frames are progressive; fields are. */
#pragma once

#include "gpu/core/frame/frame.h"

G_BEGIN_DECLS

/* The components of a format: indices of GpuPixelFormat.place. */
#define SAMPLES_COMPONENTS 4
#define SAMPLES_ALPHA 3

/* Returns the columns and the rows of a component; 0 if the format lacks it. */
guint samples_get_columns (const GpuFrameInfo * info, guint c);
guint samples_get_rows (const GpuFrameInfo * info, guint c);

/* Returns the largest code of a component. */
guint samples_get_largest (GpuPixels pixels, guint c);

/* Return and set the code of a sample. */
guint samples_get (const GpuFrameInfo * info, const guint8 * frame, guint c,
    guint x, guint y);
void samples_set (const GpuFrameInfo * info, guint8 * frame, guint c, guint x,
    guint y, guint code);

/* Returns the bits of a sample that are no part of its code. */
guint samples_get_low_bits (const GpuFrameInfo * info, const guint8 * frame,
    guint c, guint x, guint y);

/* Returns a code of @from in the range of @to, rounded. */
guint samples_scale (GpuPixels from, GpuPixels to, guint c, guint code);

/* Makes each row a word longer than it must be, and begins two words into the buffer. */
void samples_pad (GpuFrameInfo * info);

/* Asserts that these words are what nothing wrote: bytes of gpu_fixture_run(). */
void samples_check_padding (const GpuFrameInfo * info, const guint8 * frame);

G_END_DECLS
