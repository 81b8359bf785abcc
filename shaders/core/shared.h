/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Constants shared by the shaders in core/ and the C code in gpu/core/. Included from C
 * and GLSL. */
#ifndef CORE_SHARED_H
#define CORE_SHARED_H

/* Words per block of the scan; one workgroup processes a block. */
#define SCAN_BLOCK 4096u

/* A byte times this factor is a word with the byte repeated four times. */
#define EVERY_BYTE 0x01010101u

/* Data type of a sample: code value, 16-bit float, 32-bit float. */
#define SAMPLE_BYTE 0
#define SAMPLE_HALF 1
#define SAMPLE_FLOAT 2

/* Whether a sample is a float; all others are code values. Also for #if. */
#define SAMPLE_IS_VALUE(sample) \
  ((sample) == SAMPLE_HALF || (sample) == SAMPLE_FLOAT)

/* Bits of a code value; 0 for floats. */
#define SAMPLE_CODE_BITS(sample) (SAMPLE_IS_VALUE (sample) ? 0 : 8)

/* Bytes of a sample. */
#define SAMPLE_SIZE(sample) \
  ((sample) == SAMPLE_BYTE ? 1 : (sample) == SAMPLE_HALF ? 2 : 4)

#endif
