/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters of the pixels of each mode. C and GLSL include this. */
#ifndef PALETTE_TOP_MODES_H
#define PALETTE_TOP_MODES_H

#include "palette/live/modes/temporal.h"
#include "palette/shared/topcolours.h"

/* Counters by slot of a mode; the last is for counted pixels without a mode. */
#define TOP_COUNTERS (MODE_CAPACITY + 1)
#define TOP_WITHOUT_MODE MODE_CAPACITY

#endif
