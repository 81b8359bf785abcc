// SPDX-License-Identifier: LGPL-2.1-or-later
// Transfer functions by table, and positions of chroma. For the shaders that convert frames
// to linear light and back.
#include "blur/transfer.h"
#define OWN_PUSH TRANSFER_PUSH (float)
#include "core/pixels/format.glsl"

layout (constant_id = TRANSFER_MODEL) const uint MODEL = TRANSFER_RGB;
layout (constant_id = TRANSFER_HALF) const bool HALF = true;
layout (constant_id = TRANSFER_H_COSITED) const bool H_COSITED = false;
layout (constant_id = TRANSFER_V_COSITED) const bool V_COSITED = false;

layout (std430, binding = 2) readonly buffer Tables { float tables[]; };

float look_up (uint table, int octaves, float value)
{
  float inside = clamp (value, 0, 1);
  uint bits = floatBitsToUint (inside);
  int entry = int (bits >> TRANSFER_SHIFT) - TRANSFER_FIRST (octaves);
  float part = float (bits & ((1u << TRANSFER_SHIFT) - 1))
      * (1.0 / float (1u << TRANSFER_SHIFT));

  if (entry < 0)
    return tables[table] * inside * exp2 (float (octaves));
  return mix (tables[table + entry], tables[table + entry + 1], part);
}

float decode (float code)
{
  return look_up (TRANSFER_DECODE_AT, TRANSFER_DECODE_OCTAVES, code);
}

float encode (float light)
{
  return look_up (TRANSFER_ENCODE_AT, TRANSFER_ENCODE_OCTAVES, light);
}

// Returns the distance, in pixels of an axis, from the first pixel of those that share a
// chroma sample to the sample.
float chroma_offset (bool is_cosited, uint shift)
{
  return is_cosited ? 0 : float ((1u << shift) - 1) / 2;
}
