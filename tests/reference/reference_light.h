/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_blocks.h"

G_BEGIN_DECLS

/* How light that changes everywhere changes a value: the section on common light of
 * docs/internals/temporal.md. */

/* From two pictures without vectors. */
ReferenceLight reference_light_find (const ReferencePictures * pictures);

gboolean reference_light_is_same (const ReferenceLight * light);

/* What light makes of a @value from 0 to 255, in so many @parts of a code value. The result is
 * in the same unit. */
gint64 reference_light_apply (const ReferenceLight * light, gint64 value,
    gint64 parts);

/* The same, but a value that may be clipped stays. */
gint64 reference_light_expect (const ReferenceLight * light, gint64 value,
    gint64 parts);

G_END_DECLS
