/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of tests of quality EXACT that one program runs (test_palette.c), so that each
 * shader is built once. Each adds those of its tests that are asked for. */
#pragma once

#include "palette_tests.h"

G_BEGIN_DECLS

void add_exact_tests (PaletteTests tests);
void add_exact_formats_tests (PaletteTests tests);
void add_exact_room_tests (PaletteTests tests);
void add_exact_sequence_tests (PaletteTests tests);
void add_many_colours_tests (PaletteTests tests);
void add_walks_tests (PaletteTests tests);

G_END_DECLS
