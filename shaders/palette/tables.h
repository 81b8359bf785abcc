/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words of the buffer of conversion tables, GpuPaletteTables. C and GLSL include this. */
#ifndef PALETTE_TABLES_H
#define PALETTE_TABLES_H

/* The light of each code value, and the least light that is rounded to it; Q30. */
#define TABLES_LIGHTS 0
#define TABLES_THRESHOLDS 256
/* Matrices, by rows, Q30: from cone roots to lattice coordinates, and back. The first one
 * holds absolute values, as some exceed 31 bits; its signs are + + -, + - +, + + -. In the
 * second one the column of L is unsigned, the others are signed. */
#define TABLES_TO_LAB 512
#define TABLES_TO_ROOTS 521
#define TABLES_WORDS 530

#endif
