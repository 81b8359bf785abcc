/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many pixels have which mode, as the shaders and gpu/palette/live/modes/ see
 * it: C and GLSL include this. */
#ifndef PALETTE_TOP_MODES_H
#define PALETTE_TOP_MODES_H

#include "palette/live/modes/temporal.h"
#include "palette/shared/topcolours.h"

/* Counters of modes, by slot; pixels that are counted and hold no mode share the
 * last. */
#define TOP_COUNTERS (MODE_CAPACITY + 1)
#define TOP_WITHOUT_MODE MODE_CAPACITY

#endif
