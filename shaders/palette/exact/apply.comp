// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame in a packed RGB format: each pixel gets the output colour of its
// colour.
#include "core/pixels/pixels.glsl"
#include "palette/exact/map.glsl"
#include "core/pixels/write.glsl"
