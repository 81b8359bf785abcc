/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the shaders of core/ and gpu/core/ agree on: C and GLSL include
 * this. */
#ifndef CORE_SHARED_H
#define CORE_SHARED_H

/* Words of one workgroup. */
#define SCAN_BLOCK 4096u

/* Times a byte: a word of four such bytes. */
#define EVERY_BYTE 0x01010101u

/* What a sample is. */
#define SAMPLE_BYTE 0
#define SAMPLE_HALF 1
#define SAMPLE_FLOAT 2

/* Its bytes. */
#define SAMPLE_SIZE(sample) \
  ((sample) == SAMPLE_BYTE ? 1 : (sample) == SAMPLE_HALF ? 2 : 4)

/* Whether it is a value: all others are code values. For #if, too. */
#define SAMPLE_IS_VALUE(sample) \
  ((sample) == SAMPLE_HALF || (sample) == SAMPLE_FLOAT)

/* Bits of a code value. */
#define SAMPLE_CODE_BITS(sample) (SAMPLE_IS_VALUE (sample) ? 0 : 8)

#endif
