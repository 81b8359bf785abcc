/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "palette_tests.h"

G_BEGIN_DECLS

/* Adds those of its tests that are asked for. */
void add_exact_sequence_tests (PaletteTests tests);

G_END_DECLS
