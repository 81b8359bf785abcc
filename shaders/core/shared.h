/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Constants shared by the shaders in core/ and the C code in gpu/core/. Included from C
 * and GLSL. */
#ifndef CORE_SHARED_H
#define CORE_SHARED_H

/* Words per block of the scan; one workgroup processes a block. */
#define SCAN_BLOCK 4096u

/* Sample type: the bits of a code value, 0 for floats, and the bytes of a sample. */
#define SAMPLE_TYPE(bits, bytes) ((bits) * 16 + (bytes))
#define SAMPLE_BYTE SAMPLE_TYPE (8, 1)       /* code value, 0…255 */
#define SAMPLE_HALF SAMPLE_TYPE (0, 2)       /* 16-bit float; nominal range 0…1 */
#define SAMPLE_FLOAT SAMPLE_TYPE (0, 4)      /* 32-bit float; nominal range 0…1 */

#define SAMPLE_CODE_BITS(sample) ((sample) / 16)
#define SAMPLE_SIZE(sample) ((sample) % 16)     /* bytes */

/* Whether a sample is a float; all others are code values. */
#define SAMPLE_IS_VALUE(sample) (SAMPLE_CODE_BITS (sample) == 0)

#endif
