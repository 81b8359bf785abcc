/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Worked examples: for each rule of the oracles one whose numbers are found by hand. One
 * function per file adds its own to GLib's test framework. */
void test_reference_add_lattice (void);
void test_reference_add_live (void);
void test_reference_add_blocks (void);
void test_reference_add_temporal (void);
void test_reference_add_colour_limit (void);
void test_reference_add_blur (void);
void test_reference_add_pixels (void);
