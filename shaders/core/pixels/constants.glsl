// SPDX-License-Identifier: LGPL-2.1-or-later
// The specialization constants of format.h.
#ifndef CORE_CONSTANTS
#define CORE_CONSTANTS
#include "core/pixels/format.h"

layout (constant_id = FORMAT_IN) const uint IN_0 = 0;
layout (constant_id = FORMAT_IN + 1) const uint IN_1 = 0;
layout (constant_id = FORMAT_IN + 2) const uint IN_2 = 0;
layout (constant_id = FORMAT_IN + 3) const uint IN_3 = 0;
layout (constant_id = FORMAT_OUT) const uint OUT_0 = 0;
layout (constant_id = FORMAT_OUT + 1) const uint OUT_1 = 0;
layout (constant_id = FORMAT_OUT + 2) const uint OUT_2 = 0;
layout (constant_id = FORMAT_OUT + 3) const uint OUT_3 = 0;
layout (constant_id = FORMAT_PLANE) const uint OUT_PLANE = 0;
layout (constant_id = FORMAT_VECTORS) const bool VECTORS = true;

// Whether chroma samples lie on the first of the columns and rows that share them; else in
// the middle of these.
layout (constant_id = FORMAT_YUV) const bool H_COSITED = false;
layout (constant_id = FORMAT_YUV + 1) const bool V_COSITED = false;
// Of 8 bits.
layout (constant_id = FORMAT_YUV + 2) const int LUMA_OFFSET = 16;
const int CHROMA_OFFSET = 128;
// From Y', Cb and Cr (V) to R'G'B'.
layout (constant_id = FORMAT_YUV + 3) const int KY = 0;
layout (constant_id = FORMAT_YUV + 4) const int RV = 0;
layout (constant_id = FORMAT_YUV + 5) const int GU = 0;
layout (constant_id = FORMAT_YUV + 6) const int GV = 0;
layout (constant_id = FORMAT_YUV + 7) const int BU = 0;
// From R'G'B' to Y', Cb (U) and Cr (V).
layout (constant_id = FORMAT_YUV + 8) const int YR = 0;
layout (constant_id = FORMAT_YUV + 9) const int YG = 0;
layout (constant_id = FORMAT_YUV + 10) const int YB = 0;
layout (constant_id = FORMAT_YUV + 11) const int UR = 0;
layout (constant_id = FORMAT_YUV + 12) const int UG = 0;
layout (constant_id = FORMAT_YUV + 13) const int UB = 0;
layout (constant_id = FORMAT_YUV + 14) const int VR = 0;
layout (constant_id = FORMAT_YUV + 15) const int VG = 0;
layout (constant_id = FORMAT_YUV + 16) const int VB = 0;

#endif
