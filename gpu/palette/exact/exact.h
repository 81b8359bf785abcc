/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The solver that walks from every colour to its fixed point of mean shift. */
#pragma once

#include "solver.h"

G_BEGIN_DECLS

extern const GpuPaletteSolverType gpu_palette_exact;

G_END_DECLS
