/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Worked examples: for each rule of the oracles one whose numbers are found by hand. One
 * function per part adds its own to GLib's test framework. */
void test_reference_add_lattice (void);
void test_reference_add_palette (void);
void test_reference_add_live (void);
void test_reference_add_blocks (void);
void test_reference_add_light (void);
void test_reference_add_modes (void);
void test_reference_add_motion (void);
void test_reference_add_pixel_modes (void);
void test_reference_add_noise (void);
void test_reference_add_temporal (void);
void test_reference_add_held (void);
void test_reference_add_window (void);
void test_reference_add_colour_limit (void);
void test_reference_add_colour_changes (void);
void test_reference_add_list (void);
void test_reference_add_blur (void);
void test_reference_add_blur_bilateral (void);
void test_reference_add_blur_error (void);
void test_reference_add_hdr (void);
void test_reference_add_yuv (void);
void test_reference_add_codes (void);
void test_reference_add_generated (void);
