/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the shaders of core/ and gpu/core/ agree on: C and GLSL include
 * this. */
#ifndef COMMON_SHARED_H
#define COMMON_SHARED_H

/* Words of one workgroup. */
#define SCAN_BLOCK 4096u
#define REDUCE_BLOCK 4096u

/* What a sample is. */
#define SAMPLE_BYTE 0
#define SAMPLE_HALF 1
#define SAMPLE_FLOAT 2

#endif
