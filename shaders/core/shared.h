/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Constants shared by the shaders in core/ and the C code in gpu/core/. Included from C
 * and GLSL. */
#ifndef CORE_SHARED_H
#define CORE_SHARED_H

/* Words per block of the scan; one workgroup processes a block. */
#define SCAN_BLOCK 4096u

/* Sample type: the bits of a code value, 0 for floats; the bytes of a sample; the number of
 * low bits that are not used. */
#define SAMPLE_TYPE(bits, bytes, low) ((low) * 1024 + (bits) * 16 + (bytes))
#define SAMPLE_BYTE SAMPLE_TYPE (8, 1, 0)       /* code value, 0…255 */
#define SAMPLE_SHORT_10 SAMPLE_TYPE (10, 2, 0)  /* code values in the low bits of 16 */
#define SAMPLE_SHORT_12 SAMPLE_TYPE (12, 2, 0)
#define SAMPLE_SHORT_16 SAMPLE_TYPE (16, 2, 0)
#define SAMPLE_HIGH_10 SAMPLE_TYPE (10, 2, 6)   /* in the high bits of 16 */
#define SAMPLE_HIGH_12 SAMPLE_TYPE (12, 2, 4)
/* A word with all components: ten bits each, and two of alpha. */
#define SAMPLE_TENS SAMPLE_TYPE (10, 4, 0)
#define SAMPLE_HALF SAMPLE_TYPE (0, 2, 0)       /* 16-bit float; nominal range 0…1 */
#define SAMPLE_FLOAT SAMPLE_TYPE (0, 4, 0)      /* 32-bit float; nominal range 0…1 */

#define SAMPLE_CODE_BITS(sample) ((sample) / 16 % 64)
#define SAMPLE_SIZE(sample) ((sample) % 16)     /* bytes */
#define SAMPLE_LOW_BITS(sample) ((sample) / 1024)

/* Whether a sample is a float; all others are code values. */
#define SAMPLE_IS_VALUE(sample) (SAMPLE_CODE_BITS (sample) == 0)

#endif
