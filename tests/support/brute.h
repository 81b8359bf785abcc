/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A solver by brute force: no grid, nothing shared between walkers. Every one
 * of them looks at every colour. Slow, and what the others compare with. */
#pragma once

#include "gpu/palette/exact/solver.h"

G_BEGIN_DECLS

extern const GpuPaletteSolverType brute_solver;

G_END_DECLS
