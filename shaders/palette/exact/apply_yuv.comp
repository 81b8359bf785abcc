// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame in Y'CbCr 4:2:0: each pixel gets the output colour of its colour.
#include "core/pixels/pixels.glsl"
#include "palette/exact/map.glsl"
#include "core/pixels/write_yuv.glsl"
