/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings, formats and sizes, crossed. */
#pragma once

#include "blur_fixture.h"

G_BEGIN_DECLS

/* A test of cases in which every value of every dimension meets every value of
 * every other, and one of all cases, which takes long on a CPU. Cases are the same
 * whoever asks, who runs those of some methods. */
void blur_matrix_add_pairs (const Methods * methods);
void blur_matrix_add_cross_product (const Methods * methods);

G_END_DECLS
