// SPDX-License-Identifier: LGPL-2.1-or-later
// Common to the kernels that list blocks. Each runs as one workgroup.
#include "core/group.glsl"
#include "core/slices.glsl"
#include "palette/count/blocks.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) buffer Blocks { PaletteBlocks blocks; };
