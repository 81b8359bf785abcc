/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Worked examples: for each rule of the oracles one whose numbers are found by hand. These
 * add films of greys; other examples are tests by themselves. */
void test_reference_add_live (void);
void test_reference_add_temporal (void);
void test_reference_add_colour_limit (void);
