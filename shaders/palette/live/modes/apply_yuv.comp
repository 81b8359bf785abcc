// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives pixels the modes that they hold: a frame of Y'CbCr 4:2:0.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/pixels/pixels.glsl"
#include "palette/live/modes/map.glsl"
#include "core/pixels/write_yuv.glsl"
