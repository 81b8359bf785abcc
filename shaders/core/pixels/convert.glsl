// SPDX-License-Identifier: LGPL-2.1-or-later
// What decode.comp and encode.comp share.
#include "core/pixels/convert.h"
#define OWN_PUSH CONVERT_PUSH (uint, float)
#include "core/pixels/format.glsl"

layout (constant_id = CONVERT_KIND) const uint KIND = CONVERT_CODES;
layout (constant_id = CONVERT_MODEL) const uint MODEL = CONVERT_RGB;
layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
// Of the kind; kinds without a table don't read it.
layout (std430, binding = 2) readonly buffer Table { uint table[]; };

DEFINE_FETCH (input_words)

// --- codes ---
//
// Chroma weights of an axis add up to twice its subsampling factor. With CONVERT_CURVED, R', G'
// and B' of the frame are signals (convert.h), else codes of 8 bits.

const int SIGNAL_BITS = KIND == CONVERT_CURVED ? CURVE_BITS : 0;
const uint WHITE = 255u << SIGNAL_BITS;

// Log2 of the sum of the chroma weights of both axes.
#define WEIGHT_BITS(component) \
  (2 + int (COMPONENT_SHIFT_X (component) + COMPONENT_SHIFT_Y (component)))

// Returns the sum of the products, modulo 2^32.
int dot_of (ivec3 a, ivec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// --- light ---

// Returns a function of 0…1, which is a table at word @first.
float look_up (uint first, int octaves, float value)
{
  float inside = clamp (value, 0, 1);
  uint bits = floatBitsToUint (inside);
  int entry = int (bits >> TRANSFER_SHIFT) - TRANSFER_FIRST (octaves);
  float part = float (bits & ((1u << TRANSFER_SHIFT) - 1))
      * (1.0 / float (1u << TRANSFER_SHIFT));

  if (entry < 0)
    return uintBitsToFloat (table[first]) * inside * exp2 (float (octaves));
  return mix (uintBitsToFloat (table[first + entry]),
      uintBitsToFloat (table[first + entry + 1]), part);
}
