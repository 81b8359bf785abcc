// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives pixels what their colours became: a frame of a packed RGB format.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/pixels/pixels.glsl"
#include "palette/exact/map.glsl"
#include "core/pixels/write.glsl"
