/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_blocks.h"

G_BEGIN_DECLS

/* Where the surface that a block shows was in the frame before: step 3 of
 * docs/internals/temporal.md. */

/* By block. g_free() them. @moving: how many 256ths of the searched blocks, rounded down,
 * are clear and have another vector than 0. */
ReferenceVector *reference_motion_new (const ReferencePictures * pictures,
    gint64 * moving);

G_END_DECLS
