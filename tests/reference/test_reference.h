/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The self tests of the oracles, one function per part, each adds its own to
 * GLib's test framework. */
void test_reference_add_lattice (void);
void test_reference_add_palette (void);
void test_reference_add_live (void);
void test_reference_add_temporal (void);
void test_reference_add_colour_limit (void);
void test_reference_add_window (void);
void test_reference_add_list (void);
void test_reference_add_blur (void);
void test_reference_add_yuv (void);
void test_reference_add_generated (void);
