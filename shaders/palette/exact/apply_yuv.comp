// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives pixels what their colours became: a frame of Y'CbCr 4:2:0.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/pixels/pixels.glsl"
#include "palette/exact/map.glsl"
#include "core/pixels/write_yuv.glsl"
